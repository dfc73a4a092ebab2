//! The promise in the message of a transition rule: that a value never changes, or that no item is removed.

use std::fmt;

use crate::schema::structural::ValidationRule;

/// The kind of update that a message rules out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UpdateRestriction {
    /// The value does not change.
    Immutable,
    /// No item is removed.
    AppendOnly,
}

const IMMUTABLE: [&str; 12] = [
    "immutable",
    "cannot be changed",
    "can't be changed",
    "can not be changed",
    "may not be changed",
    "must not be changed",
    "must not change",
    "cannot be modified",
    "may not be modified",
    "must not be modified",
    "read-only",
    "cannot be updated",
];
const APPEND_ONLY: [&str; 10] = [
    "append-only",
    "append only",
    "only be appended",
    "only be added",
    "cannot be removed",
    "can't be removed",
    "can not be removed",
    "may not be removed",
    "must not be removed",
    "cannot be deleted",
];
/// Words of conditions: with one of them, the message promises less.
const CONDITIONS: [&str; 19] = [
    "when", "if", "unless", "while", "after", "before", "until", "except", "other", "but", "or", "once",
    "for", "where", "during", "without", "with", "number", "only",
];

impl UpdateRestriction {
    /// The unconditional promise in the message of `rule`.
    pub(crate) fn of(rule: &ValidationRule) -> Option<Self> {
        let message = rule.message.to_lowercase();
        let promise =
            |words: &[&str]| words.iter().find(|words| message.contains(**words)).map(|it| (*it).to_owned());
        let (promised, words) = match (promise(&APPEND_ONLY), promise(&IMMUTABLE)) {
            (Some(words), None) => (Self::AppendOnly, words),
            (None, Some(words)) => (Self::Immutable, words),
            _ => return None,
        };
        // The message rules out only some changes: "cannot be changed from set to unset".
        let is_partial = |after: &str| message.contains(&format!("{words} {after} "));
        if promised == Self::Immutable && ["from", "to", "by"].into_iter().any(is_partial) {
            return None;
        }
        let rest = message.replacen(&words, " ", 1);
        let mut others = rest.split(|char: char| !char.is_alphanumeric());
        (!others.any(|word| CONDITIONS.contains(&word))).then_some(promised)
    }
}

impl fmt::Display for UpdateRestriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Immutable => "the value does not change",
            Self::AppendOnly => "nothing is removed",
        })
    }
}
