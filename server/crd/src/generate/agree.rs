//! Whether two rules have the same results for all generated values.

use api::KubernetesVersion;

use super::{Hints, Settings, generate};
use crate::cel::declared;
use crate::customresource::{CompiledRule, RuleResult};
use crate::schema::structural::Structural;
use crate::value::Value;

/// The maximum number of values on which a rule is evaluated, and the maximum number of generation steps.
pub(super) const MOST_VALUES: usize = 256;
pub(super) const STEPS: usize = 2_000_000;
/// The number of values that are combined as old and new values if a rule has `oldSelf`.
const MOST_OLD: usize = 24;

/// The result of comparing two rules or two schemas on the same values. An error of a rule rejects a value,
/// like a false rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreement {
    /// Both accept the same values, or the same pairs of an old and a new value; there is at least one.
    Same(ValueCounts),
    /// As `Same`, but the second accepts some values on which the evaluation of the first fails.
    Laxer {
        /// The values.
        counts: ValueCounts,
        /// A value that only the second accepts.
        example: Value,
    },
    /// One accepts a value that the other rejects.
    Differs {
        /// The value.
        example: Value,
        /// The value that it replaces, if the rules read it.
        old: Option<Value>,
        /// The result of the first.
        before: RuleResult,
        /// The result of the second.
        after: RuleResult,
    },
    /// There is no value, or one of the two cannot be evaluated here.
    Unknown,
}

/// The numbers of evaluated values, by the result of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// Accepted values.
    pub accepted: usize,
    /// Rejected values.
    pub refused: usize,
}

impl Agreement {
    /// Whether both have the same results for all values, and there is at least one.
    #[must_use]
    pub const fn is_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// Whether both have the same results, except for values on which the evaluation of the first fails.
    #[must_use]
    pub const fn is_same_where_evaluated(&self) -> bool {
        matches!(self, Self::Same(_) | Self::Laxer { .. })
    }

    /// The agreement of both comparisons together: the worse of the two.
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

/// Compares the rules `before` and `after` of `node`, which is the schema of a whole resource if `is_resource`,
/// on values that the schema accepts.
#[must_use]
pub fn agree(
    node: &Structural,
    is_resource: bool,
    before: &str,
    after: &str,
    version: KubernetesVersion,
) -> Agreement {
    let Some(of) = declared(node, is_resource, version) else { return Agreement::Unknown };
    let ready = |text: &str, optional| CompiledRule::new(node, is_resource, &of, text, optional);
    // It is unknown here whether `oldSelf` is optional; an expression compiles in only one of the two cases, or
    // has the same meaning in both.
    let both = [false, true]
        .into_iter()
        .find_map(|optional| Some((ready(before, optional)?, ready(after, optional)?)));
    let Some((first, second)) = both else { return Agreement::Unknown };
    let settings = Settings { is_resource, limit: MOST_VALUES, steps: STEPS, ..Settings::new(version) };
    let values = generate(node, &Hints::of([before, after]), &settings);
    let mut comparison = Comparison::default();
    let mut differs = |value: &Value, old: Option<&Value>| {
        comparison.add((first.result_for(value, old), second.result_for(value, old)), value, old)
    };
    let found = values.iter().find_map(|value| differs(value, None)).or_else(|| {
        let is_transition = first.uses_old_self() || second.uses_old_self();
        let some = values.iter().take(if is_transition { MOST_OLD } else { 0 });
        let mut pairs = some.clone().flat_map(|old| some.clone().map(move |new| (old, new)));
        pairs.find_map(|(old, new)| differs(new, Some(old)))
    });
    found.unwrap_or_else(|| comparison.end())
}

/// The intermediate state of a comparison.
#[derive(Default)]
pub(super) struct Comparison {
    counts: ValueCounts,
    laxer: Option<Value>,
}

impl Comparison {
    /// Adds the results of both for `value`; returns the agreement if this value settles it.
    pub(super) fn add(
        &mut self,
        (before, after): (RuleResult, RuleResult),
        value: &Value,
        old: Option<&Value>,
    ) -> Option<Agreement> {
        let (Some(one), Some(other)) = (before.accepts(), after.accepts()) else {
            return Some(Agreement::Unknown);
        };
        if one != other {
            if !matches!(before, RuleResult::Fails { .. }) {
                let (example, old) = (value.clone(), old.cloned());
                return Some(Agreement::Differs { example, old, before, after });
            }
            self.laxer.get_or_insert_with(|| value.clone());
        }
        match before {
            RuleResult::IsNotRun => {}
            _ if one => self.counts.accepted += 1,
            _ => self.counts.refused += 1,
        }
        None
    }

    /// The agreement after all values.
    pub(super) fn end(self) -> Agreement {
        match (self.counts, self.laxer) {
            (ValueCounts { accepted: 0, refused: 0 }, _) => Agreement::Unknown,
            (tried, Some(example)) => Agreement::Laxer { counts: tried, example },
            (tried, None) => Agreement::Same(tried),
        }
    }
}
