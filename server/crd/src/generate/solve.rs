//! Finds resources that the server accepts, rules included, by repairing the errors of rejected resources.
//!
//! The search goes from object to object, and continues with the one that has the fewest errors. The first
//! errors determine the changes. For the error of a value, its place is changed, then the value around it.
//! For the error of a rule, the fields that the rule reads are removed, made equal to one another, or set to
//! values that the rule names; then its whole node is replaced.

mod nodes;
mod repairs;
mod values;

pub use values::ValueCache;

use std::fmt;

use api::KubernetesVersion;
use rustc_hash::FxHashSet;
use text::TextSize;

use self::values::OF_FIELD;
use super::value_edits::{fingerprint, put};
use crate::customresource::{
    Admission, NOT_CHECKED, ResourceVersion, Rule, ValueError, admit_part, admit_value,
};
use crate::field_path::FieldPath;
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::schema::structural::Structural;
use crate::value::{Place, Value};

/// The maximum number of objects that one search tries.
const MOST_TRIES: usize = 2_000;
/// The maximum number of objects that wait for repair; worse ones are dropped.
const MOST_WAITING: usize = 64;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The object with the fewest errors, in the form that a user would write.
    pub object: Value,
    /// The server's errors on it; empty if the server accepts it.
    pub errors: Vec<ValueError>,
}

/// A goal for objects, besides that the server accepts them.
#[derive(Clone)]
pub struct Goal<'g> {
    /// The path that the goal is about.
    pub path: FieldPath,
    /// The rule that the goal is about, if it is one.
    pub rule: Option<Rule>,
    /// Whether an answer meets the goal.
    pub is_met: &'g dyn Fn(&Admission) -> bool,
    /// Whether an error is expected, so that it is not repaired.
    pub is_wanted: &'g dyn Fn(&ValueError) -> bool,
    /// The state that an answer reached, as a hash: of equally good objects, those with a new state are
    /// repaired first.
    pub reached: &'g dyn Fn(&Admission) -> u64,
}

impl fmt::Debug for Goal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Goal").field("path", &self.path).field("rule", &self.rule).finish_non_exhaustive()
    }
}

/// The kind of value to find.
#[derive(Clone, Copy, Debug)]
enum SearchTarget<'v> {
    /// A resource.
    Resource(&'v ResourceVersion),
    /// A value of a part of a resource, regardless of the rest.
    Part,
}

/// Finds resources of a version, or values of parts of them.
#[derive(Debug)]
pub struct Solver<'v> {
    target: SearchTarget<'v>,
    /// The schema and its start, in bytes of the definition.
    schema: Option<(&'v Structural, TextSize)>,
    server: KubernetesVersion,
    /// The number of objects that may still be tried.
    tries: usize,
    goal: Option<Goal<'v>>,
    value_cache: ValueCache,
    /// Whether values of parts are repaired before they are tried. Samples are smaller without it.
    repairs_parts: bool,
}

/// The score of an object, lower is better: the number of errors that prevent the evaluation of rules, the
/// number of all errors, and whether its state was already reached.
type Score = (usize, usize, bool);

impl<'v> Solver<'v> {
    /// A solver for resources of `version` on a server of the version `server`.
    #[must_use]
    pub fn new(version: &'v ResourceVersion, server: KubernetesVersion) -> Self {
        let schema = version.schema.as_ref().map(|(schema, base)| (&**schema, *base));
        Self::of(SearchTarget::Resource(version), schema, server)
    }

    /// A solver for values of a part of a resource, which `schema` describes from a place in the definition.
    #[must_use]
    pub fn of_part(schema: (&'v Structural, TextSize), server: KubernetesVersion) -> Self {
        Self::of(SearchTarget::Part, Some(schema), server)
    }

    fn of(
        target: SearchTarget<'v>,
        schema: Option<(&'v Structural, TextSize)>,
        server: KubernetesVersion,
    ) -> Self {
        Self {
            target,
            schema,
            server,
            tries: MOST_TRIES,
            goal: None,
            value_cache: ValueCache::default(),
            repairs_parts: false,
        }
    }

    /// Shares the values that other searches in the same version generate. Values of parts are repaired until
    /// their rules accept them, as far as such values are found.
    #[must_use]
    pub fn sharing(self, known: &ValueCache) -> Self {
        Self { value_cache: known.clone(), repairs_parts: true, ..self }
    }

    /// Searches for objects that meet `goal`, with at most `most` tries.
    #[must_use]
    pub fn towards(self, goal: Goal<'v>, most: usize) -> Self {
        Self { goal: Some(goal), tries: most.min(MOST_TRIES), ..self }
    }

    /// The object nearest to `start` that the server accepts, or the best object found.
    #[must_use]
    pub fn solve(&mut self, start: Value) -> Solution {
        let (mut known, mut reached) = (FxHashSet::default(), FxHashSet::default());
        let (errors, state) = self.errors_and_state(&start);
        reached.insert(state);
        let mut best = (score_of(&errors, false), Solution { errors, object: start });
        let mut waiting = vec![best.clone()];
        while let Some((score, next)) = take_best(&mut waiting) {
            if score < best.0 {
                best = (score, next.clone());
            }
            if (score.0, score.1) == (0, 0) || self.tries == 0 {
                break;
            }
            'stages: for stage in 0.. {
                let Some(objects) = self.repairs(&next, stage) else { break };
                for object in objects {
                    if self.tries == 0 {
                        break 'stages;
                    }
                    if !known.insert(fingerprint(&object)) {
                        continue;
                    }
                    self.tries -= 1;
                    let (errors, state) = self.errors_and_state(&object);
                    let found = score_of(&errors, !reached.insert(state));
                    waiting.push((found, Solution { object, errors }));
                    if found < score {
                        break 'stages;
                    }
                }
            }
            waiting.sort_by_key(|(score, _)| *score);
            waiting.truncate(MOST_WAITING);
        }
        best.1
    }

    /// A value for the optional field at `path` that adds no errors to `object`: `first`, or
    /// another value; `None` if none was found.
    #[must_use]
    pub fn optional(&mut self, object: &Value, path: &FieldPath, first: Value) -> Option<Value> {
        let score = self.score(object);
        let fits = |solver: &Self, value: &Value| {
            put(object, path.segments(), value).is_some_and(|object| solver.score(&object) <= score)
        };
        if fits(self, &first) {
            return Some(first);
        }
        let node = *self.nodes_on(path).last().filter(|node| node.depth == path.len())?;
        let hints = self.hints_around(path);
        let values = self.values(node.schema, &hints, OF_FIELD);
        let found = values.iter().find(|value| {
            let is_allowed = self.tries > 0;
            self.tries = self.tries.saturating_sub(1);
            is_allowed && fits(self, value)
        });
        found.cloned()
    }

    fn errors(&self, object: &Value) -> Vec<ValueError> {
        self.errors_and_state(object).0
    }

    /// The errors of an object, and the state that it reached.
    fn errors_and_state(&self, object: &Value) -> (Vec<ValueError>, u64) {
        let admission = match (self.target, self.schema) {
            (SearchTarget::Resource(version), _) => admit_value(object.clone(), version, self.server),
            (SearchTarget::Part, Some(schema)) => admit_part(object.clone(), schema, self.server),
            (SearchTarget::Part, None) => Admission::default(),
        };
        let is_met = self.goal.as_ref().is_none_or(|goal| (goal.is_met)(&admission));
        let state = self.goal.as_ref().map(|goal| (goal.reached)(&admission)).unwrap_or_default();
        let Admission { decode_error, strict_errors, mut errors, .. } = admission;
        let unreadable = decode_error.into_iter().chain(strict_errors.into_iter().map(|error| error.text));
        errors.extend(unreadable.map(|detail| ValueError {
            error: ErrorType::TypeInvalid,
            field: "<nil>".to_owned(),
            path: FieldPath::root(),
            bad_value: None,
            detail,
            place: Place::Nowhere,
            rule: None,
            facts: None,
        }));
        // The error that rules were not checked is not a separate error.
        errors.retain(|error| error.rule.is_some() || !error.detail.starts_with(NOT_CHECKED));
        if let Some(goal) = &self.goal {
            errors.retain(|error| !(goal.is_wanted)(error));
            // An object that does not meet the goal has an error at the goal's path.
            errors.extend((!is_met).then(|| ValueError {
                error: ErrorType::Invalid,
                field: String::new(),
                path: goal.path.clone(),
                bad_value: None,
                detail: String::new(),
                place: Place::Nowhere,
                rule: goal.rule,
                facts: None,
            }));
        }
        (errors, state)
    }

    fn score(&self, object: &Value) -> Score {
        score_of(&self.errors(object), false)
    }
}

fn score_of(errors: &[ValueError], is_reached: bool) -> Score {
    let is_rule = |error: &&ValueError| error.rule.is_some_and(|rule| rule.keyword == Keyword::Validations);
    let of_rules = errors.iter().filter(is_rule).count();
    (errors.len() - of_rules, of_rules, is_reached)
}

fn take_best(waiting: &mut Vec<(Score, Solution)>) -> Option<(Score, Solution)> {
    let best = waiting.iter().enumerate().min_by_key(|(index, (score, _))| (*score, *index))?.0;
    Some(waiting.remove(best))
}
