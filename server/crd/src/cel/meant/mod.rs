//! What an expression that does not compile is meant to be: with the names, the words and the types that CEL has.
//!
//! Fixes offer the corrections; the check asks what the expression costs, and what else is wrong with it, once it compiles.

mod conversions;
mod escapes;
mod foreign;
mod literals;
mod names;
mod wording;

use text::TextRange;

use super::compile::{Expression, Inspected};
pub(crate) use conversions::converted_operand;
pub(crate) use escapes::raw;
pub(crate) use foreign::asks_for_emptiness;
pub(crate) use literals::{argument, better, quoted_like};
pub use names::{Suggestion, nearest};
pub(crate) use names::{suggestion, suggestions};

/// How many corrections are tried, one after another, until an expression compiles.
const MOST_CORRECTIONS: usize = 8;

/// A longer expression is not corrected for its price alone: the search takes a multiple of what it takes to compile it.
const LONGEST: usize = 2_000;

/// How the words or types of an expression become those of CEL.
#[derive(Clone, Debug)]
pub struct Correction {
    /// What it does.
    pub meaning: Meaning,
    /// What is put where, in bytes of the expression and in their order.
    pub changes: Vec<(TextRange, String)>,
}

/// What a correction does.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// It writes these operators of CEL.
    Operators(Vec<&'static str>),
    /// It asks for a key of a map.
    Key {
        /// The key, as it is written.
        key: String,
        /// The map, as it is written.
        map: String,
    },
    /// It writes something in another way.
    Converted {
        /// What is written.
        written: String,
        /// What takes its place.
        new: String,
    },
    /// It compares a time as text.
    AsText {
        /// The time, as it is written.
        written: String,
        /// What takes its place.
        new: String,
    },
    /// It makes a text whose escapes CEL does not have a raw one, or writes `\\` twice in it; the text as it is written.
    Raw {
        /// With its quotes.
        text: String,
        /// Whether it becomes a raw one.
        is_raw: bool,
    },
    /// It inserts something that is missing.
    Inserted(String),
    /// It removes something that does not belong there.
    Removed(String),
    /// It asks whether a number is above 0; the new expression.
    Positive(String),
    /// It asks whether something is not empty; the new expression.
    NotEmpty(String),
    /// It makes a text of a message; the new expression.
    Text(String),
}

/// An expression as it is meant.
#[derive(Clone, Debug)]
pub(crate) struct Meant {
    /// Its text.
    pub(crate) text: Box<str>,
    /// Whether it refers to `oldSelf`.
    pub(crate) uses_old_self: bool,
    /// What one evaluation costs at most, in CEL cost units.
    pub(crate) cost: u64,
}

/// So many words without an operator between them make a sentence.
const WORDS_OF_PROSE: usize = 3;

/// Whether what does not parse is a sentence for people.
#[must_use]
pub fn is_prose(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches([',', '.', ':', ';', '!']);
        !word.is_empty() && word.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_' | '\''))
    };
    let words = text.split_whitespace();
    words.clone().count() >= WORDS_OF_PROSE
        && words.clone().all(is_word)
        && !words.clone().any(|word| word == "in")
}

/// The corrections of words and types. `holder` is the field that `self` is, empty for the resource; none where it is not
/// known.
pub(crate) fn corrections(
    expression: &Expression<'_>,
    inspected: &Inspected,
    holder: Option<&str>,
) -> Vec<Correction> {
    let mut corrections: Vec<Correction> = raw(expression.text).into_iter().collect();
    corrections.extend(wording::reworded(expression, holder));
    corrections.extend(foreign::reworded(expression.text, inspected));
    corrections.extend(literals::corrected(expression, inspected));
    corrections.extend(conversions::converted(expression, inspected));
    corrections
}

/// What `expression`, which does not compile, is meant to be: the first correction after another, as they are offered.
/// None if that does not compile either.
pub(crate) fn meant(expression: &Expression<'_>) -> Option<Meant> {
    if expression.text.len() > LONGEST {
        return None;
    }
    let mut text = expression.text.to_owned();
    for _ in 0..MOST_CORRECTIONS {
        let changes = first_correction(&Expression { text: &text, ..*expression })?;
        text = applied(&text, &changes);
        if let Some((uses_old_self, cost)) = (Expression { text: &text, ..*expression }).priced() {
            return Some(Meant { text: text.into(), uses_old_self, cost });
        }
    }
    None
}

fn first_correction(expression: &Expression<'_>) -> Option<Vec<(TextRange, String)>> {
    let inspected = expression.inspect();
    let name = suggestions(expression, &inspected, &|_| true).next();
    let of_name = name.map(|Suggestion { range, name, .. }| vec![(range, name)]);
    of_name.or_else(|| Some(corrections(expression, &inspected, None).into_iter().next()?.changes))
}

/// `text` with `changes`, which are in order.
fn applied(text: &str, changes: &[(TextRange, String)]) -> String {
    let mut out = text.to_owned();
    for (range, new) in changes.iter().rev() {
        out.replace_range(range.as_usize(), new);
    }
    out
}
