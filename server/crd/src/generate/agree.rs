//! Whether two rules say the same of all generated values.

use api::KubernetesVersion;

use super::{Hints, Settings, generate};
use crate::cel::declared;
use crate::customresource::{Answer, Trial};
use crate::schema::structural::Structural;
use crate::value::Value;

/// How many values a rule is tried on at most, and with how many steps they are made.
pub(super) const MOST_VALUES: usize = 256;
pub(super) const STEPS: usize = 2_000_000;
/// Of how many values each is tried as the successor of each, where a rule has `oldSelf`.
const MOST_OLD: usize = 24;

/// What trying two rules, or two schemas, on the same values shows. An error of a rule refuses a value, as a false rule
/// does.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreement {
    /// Both accept the same of all values, or pairs of an old and a new value; there is at least one.
    Same(Tried),
    /// The same, but that the second accepts some of those on which the first cannot be evaluated.
    Laxer {
        /// The values.
        tried: Tried,
        /// One that only the second accepts.
        example: Value,
    },
    /// One accepts what the other refuses.
    Differs {
        /// The value.
        example: Value,
        /// The value that it replaces, where that matters.
        old: Option<Value>,
        /// What the first says of it.
        before: Answer,
        /// What the second says of it.
        after: Answer,
    },
    /// There is no value to try, or one of the two cannot be evaluated here.
    Unknown,
}

/// How many values were tried, by what the first said of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// It accepts them.
    pub accepted: usize,
    /// It refuses them.
    pub refused: usize,
}

impl Agreement {
    /// Whether nothing speaks against it, and something for it.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// The same, apart from values on which the first cannot be evaluated.
    #[must_use]
    pub const fn is_same_where_evaluated(&self) -> bool {
        matches!(self, Self::Same(_) | Self::Laxer { .. })
    }

    /// What holds where both `self` and `other` hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let rank = |one: &Self| match one {
            Self::Same(_) => 0,
            Self::Laxer { .. } => 1,
            Self::Unknown => 2,
            Self::Differs { .. } => 3,
        };
        if rank(&other) > rank(&self) { other } else { self }
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
    let Some(of) = declared(node, is_resource, version) else { return Agreement::Unknown };
    let ready = |text: &str, optional| Trial::new((node, is_resource, &of), text, optional);
    // Whether `oldSelf` is an optional is not said here; an expression compiles with it in one way only, or means the same.
    let both = [false, true]
        .into_iter()
        .find_map(|optional| Some((ready(before, optional)?, ready(after, optional)?)));
    let Some((first, second)) = both else { return Agreement::Unknown };
    let settings = Settings { is_resource, most: MOST_VALUES, steps: STEPS, ..Settings::new(version) };
    let values = generate(node, &Hints::of([before, after]), &settings);
    let mut comparison = Comparison::default();
    let mut differs = |value: &Value, old: Option<&Value>| {
        comparison.add((first.of(value, old), second.of(value, old)), value, old)
    };
    let found = values.iter().find_map(|value| differs(value, None)).or_else(|| {
        let is_transition = first.uses_old_self() || second.uses_old_self();
        let some = values.iter().take(if is_transition { MOST_OLD } else { 0 });
        let mut pairs = some.clone().flat_map(|old| some.clone().map(move |new| (old, new)));
        pairs.find_map(|(old, new)| differs(new, Some(old)))
    });
    found.unwrap_or_else(|| comparison.end())
}

/// What is known of an agreement while values are tried.
#[derive(Default)]
pub(super) struct Comparison {
    tried: Tried,
    laxer: Option<Value>,
}

impl Comparison {
    /// Adds what both say of `value`; what comes of all if that is settled by it.
    pub(super) fn add(
        &mut self,
        (before, after): (Answer, Answer),
        value: &Value,
        old: Option<&Value>,
    ) -> Option<Agreement> {
        let (Some(one), Some(other)) = (before.accepts(), after.accepts()) else {
            return Some(Agreement::Unknown);
        };
        if one != other {
            if !matches!(before, Answer::Fails { .. }) {
                let (example, old) = (value.clone(), old.cloned());
                return Some(Agreement::Differs { example, old, before, after });
            }
            self.laxer.get_or_insert_with(|| value.clone());
        }
        match before {
            Answer::IsNotRun => {}
            _ if one => self.tried.accepted += 1,
            _ => self.tried.refused += 1,
        }
        None
    }

    /// What comes of it when all values were tried.
    pub(super) fn end(self) -> Agreement {
        match (self.tried, self.laxer) {
            (Tried { accepted: 0, refused: 0 }, _) => Agreement::Unknown,
            (tried, Some(example)) => Agreement::Laxer { tried, example },
            (tried, None) => Agreement::Same(tried),
        }
    }
}
