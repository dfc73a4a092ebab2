//! Whether two rules say the same of all generated values.

use super::{Hints, Settings, generate};
use crate::cel::declared;
use crate::customresource::{Answer, Trial, Value};
use crate::options::KubernetesVersion;
use crate::schema::structural::Structural;

/// How many values a rule is tried on at most, and with how many steps they are made.
const MOST_VALUES: usize = 256;
const STEPS: usize = 2_000_000;
/// Of how many values each is tried as the successor of each, where a rule has `oldSelf`.
const MOST_OLD: usize = 24;

/// What trying two rules on the same values shows. An error of a rule refuses a value, as a false rule does.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreement {
    /// Both accept the same of so many values, or pairs of an old and a new value.
    Same {
        /// How many there were, at least one.
        tried: usize,
    },
    /// One accepts what the other refuses.
    Differs {
        /// The value.
        example: Value,
        /// The value that it replaces, where that matters.
        old: Option<Value>,
        /// What the first rule says of it.
        before: Answer,
        /// What the second rule says of it.
        after: Answer,
    },
    /// There is no value to try, or one of the rules cannot be evaluated here.
    Unknown,
}

impl Agreement {
    /// Whether nothing speaks against it, and something for it.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        matches!(self, Self::Same { .. })
    }
}

/// Tries the rules `before` and `after` of `node`, which is the schema of a whole resource if `is_resource`, on values that
/// the schema admits.
#[must_use]
pub fn agree(
    node: &Structural,
    is_resource: bool,
    before: &str,
    after: &str,
    version: KubernetesVersion,
) -> Agreement {
    compared(node, is_resource, (before, after), version, false)
}

/// The same, but for values on which `before` fails: `after` may accept them.
#[must_use]
pub fn agree_where_evaluated(
    node: &Structural,
    is_resource: bool,
    before: &str,
    after: &str,
    version: KubernetesVersion,
) -> Agreement {
    compared(node, is_resource, (before, after), version, true)
}

fn compared(
    node: &Structural,
    is_resource: bool,
    (before, after): (&str, &str),
    version: KubernetesVersion,
    forgives_failures: bool,
) -> Agreement {
    let Some(of) = declared(node, is_resource, version) else { return Agreement::Unknown };
    let ready = |text: &str, optional| Trial::new((node, is_resource, &of), text, optional);
    // Whether `oldSelf` is an optional is not said here; an expression compiles with it in one way only, or means the same.
    let both = [false, true]
        .into_iter()
        .find_map(|optional| Some((ready(before, optional)?, ready(after, optional)?)));
    let Some((first, second)) = both else { return Agreement::Unknown };
    let settings = Settings { is_resource, most: MOST_VALUES, steps: STEPS, ..Settings::new(version) };
    let values = generate(node, &Hints::of([before, after]), &settings);
    let mut tried = 0;
    let mut differs = |value: &Value, old: Option<&Value>| {
        let (one, other) = (first.of(value, old), second.of(value, old));
        let is_forgiven = forgives_failures && matches!(one, Answer::Fails { .. });
        match (one.accepts(), other.accepts()) {
            (None, _) | (_, None) => Some(Agreement::Unknown),
            (Some(a), Some(b)) if a == b || is_forgiven => {
                tried += usize::from(one != Answer::IsNotRun);
                None
            }
            _ => Some(Agreement::Differs {
                example: value.clone(),
                old: old.cloned(),
                before: one,
                after: other,
            }),
        }
    };
    let found = values.iter().find_map(|value| differs(value, None)).or_else(|| {
        let is_transition = first.uses_old_self() || second.uses_old_self();
        let some = values.iter().take(if is_transition { MOST_OLD } else { 0 });
        let mut pairs = some.clone().flat_map(|old| some.clone().map(move |new| (old, new)));
        pairs.find_map(|(old, new)| differs(new, Some(old)))
    });
    match found {
        Some(found) => found,
        None if tried == 0 => Agreement::Unknown,
        None => Agreement::Same { tried },
    }
}
