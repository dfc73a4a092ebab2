//! Finds resources that the server accepts, rules included, by repairing the errors of rejected resources.
//!
//! The search goes from object to object, and continues with the one that has the fewest errors. The first
//! errors determine the changes. For the error of a value, its place is changed, then the value around it.
//! For the error of a rule, the fields that the rule reads are removed, made equal to one another, or set to
//! values that the rule names; then its whole node is replaced.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use api::KubernetesVersion;
use rustc_hash::{FxHashMap, FxHashSet};
use text::TextSize;

use super::edited::{fingerprint, put, put_at, step, value_at, without_value};
use super::reads::{Read, additional, fields_read};
use super::{Hints, Settings, generate, lists};
use crate::customresource::{
    Admission, NOT_CHECKED, ResourceVersion, Rule, ValueError, admit_part, admit_value,
};
use crate::field_path::{FieldPath, Segment};
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::schema::structural::{NestedValueValidation, Structural, ValidationRule};
use crate::value::{Place, Value, shifted};

/// The maximum number of objects that one search tries.
const MOST_TRIES: usize = 2_000;
/// The maximum number of objects that wait for repair; worse ones are dropped.
const MOST_WAITING: usize = 64;
/// The number of values that are tried for one field.
const OF_FIELD: usize = 12;
/// The number of values that are tried for a whole node.
const OF_NODE: usize = 48;
/// The maximum cost of generating the values of one node, in steps of the generator.
const STEPS: usize = 20_000;
/// The number of values of a part that are repaired because its rules reject them, and the tries for each.
const MOST_REPAIRED: usize = 16;
const TRIES_OF_REPAIR: usize = 60;
/// The number of values of an `enum` that are tried.
const MOST_KINDS: usize = 12;

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

/// The key of generated values: the address of a schema node, a hash of the hints, and the number of values.
type ValuesKey = (*const Structural, u64, usize);

/// Values generated for schema nodes, which several searches may share.
#[derive(Clone, Debug, Default)]
pub struct ValueCache(Rc<RefCell<FxHashMap<ValuesKey, Rc<[Value]>>>>);

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
    known: ValueCache,
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
            known: ValueCache::default(),
            repairs_parts: false,
        }
    }

    /// Shares the values that other searches in the same version generate. Values of parts are repaired until
    /// their rules accept them, as far as such values are found.
    #[must_use]
    pub fn sharing(self, known: &ValueCache) -> Self {
        Self { known: known.clone(), repairs_parts: true, ..self }
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
        let (errors, state) = self.judged(&start);
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
                    let (errors, state) = self.judged(&object);
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

    /// A value for the optional field at `path` with which `object` is no worse than without: `first`, or
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
        self.judged(object).0
    }

    /// The errors of an object, and the state that it reached.
    fn judged(&self, object: &Value) -> (Vec<ValueError>, u64) {
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

    /// Objects that may not have one of the first errors of `of`, the most likely first. Each error has two
    /// stages, so that the objects of the second are created only if needed.
    fn repairs(&self, of: &Solution, stage: usize) -> Option<Vec<Value>> {
        let error = of.errors.iter().take(4).nth(stage / 2)?;
        let mut all = Vec::new();
        match (self.rule_of(error), stage % 2) {
            (Some((node, rules)), 0) => self.repairs_of_rule(&of.object, node, &rules, &mut all),
            (Some((node, rules)), _) => self.further_repairs_of_rule(&of.object, node, &rules, &mut all),
            (None, 0) => self.repairs_of_value(&of.object, error, &mut all),
            (None, _) => {}
        }
        Some(all)
    }

    fn repairs_of_value(&self, object: &Value, error: &ValueError, all: &mut Vec<Value>) {
        let nodes = self.nodes_on(&error.path);
        let hints = self.hints_around(&error.path);
        for (above, node) in nodes.iter().rev().take(2).enumerate() {
            // The root is replaced only if the error is at the root.
            if node.depth == 0 && above > 0 {
                continue;
            }
            let path = error.path.segments().get(..node.depth).unwrap_or_default();
            if self.is_head(*node) {
                self.vary_members(object, &hints, *node, all);
                continue;
            }
            for value in self.values_of(*node, &hints, OF_FIELD).iter() {
                all.extend(put_at(object, path, value));
            }
            all.extend(without_value(object, path));
            self.vary_members(object, &hints, *node, all);
        }
    }

    /// Removes each member of the object at the path of `node`, and adds each declared member that is
    /// missing.
    fn vary_members(&self, object: &Value, hints: &Hints, node: NodeOnPath<'v, '_>, all: &mut Vec<Value>) {
        let Some(map) = value_at(object, node.path).and_then(Value::as_map) else { return };
        let is_head = |name: &str| self.is_head(node) && is_head(name);
        for name in map.keys().filter(|name| !is_head(name)) {
            all.extend(without_value(object, &step(node.path, Segment::Name(name.to_string().into()))));
        }
        for (name, child) in &node.schema.properties {
            if map.contains_key(name) || is_head(name) {
                continue;
            }
            let path = step(node.path, Segment::Name(name.to_string().into()));
            for value in self.values(&child.node, hints, 2).iter() {
                all.extend(put(object, &path, value));
            }
        }
    }

    /// The fields that the first of `rules`, the failed one, reads, with values for them; the other rules of
    /// the node must also be satisfied.
    fn tried_for_rule(
        &self,
        object: &Value,
        node: NodeOnPath<'v, '_>,
        rules: &[&'v ValidationRule],
    ) -> RepairInputs<'v> {
        let own = Hints::of(rules.iter().take(1).map(|rule| &*rule.rule));
        let hints = Hints::of(rules.iter().map(|rule| &*rule.rule));
        let mut read = Vec::new();
        fields_read(object, node.schema, node.path, &own, 0, &mut read);
        let values_of = |field: &Read<'v>| {
            let is_whole = field.path.len() == node.depth;
            if is_whole {
                self.values_of(node, &hints, OF_FIELD)
            } else {
                self.values(field.schema, &hints, OF_FIELD)
            }
        };
        let values = read.iter().map(values_of).collect();
        RepairInputs { own, hints, read, values }
    }

    fn repairs_of_rule(
        &self,
        object: &Value,
        node: NodeOnPath<'v, '_>,
        rules: &[&'v ValidationRule],
        all: &mut Vec<Value>,
    ) {
        let RepairInputs { own, read, values, .. } = self.tried_for_rule(object, node, rules);
        if self.is_head(node) && own.reads("name") {
            let path = [Segment::Name("metadata".into()), Segment::Name("name".into())];
            for text in own.texts() {
                all.extend(put(object, &path, &Value::text(text)));
            }
        }
        for index in 0..OF_FIELD {
            for (field, values) in read.iter().zip(&values) {
                if index == 1 {
                    all.extend(without_value(object, &field.path));
                }
                if let Some(value) = values.get(index) {
                    all.extend(put(object, &field.path, value));
                }
            }
        }
        for field in &read {
            for other in read.iter().filter(|other| other.path != field.path) {
                if let Some(value) = value_at(object, &other.path) {
                    all.extend(put(object, &field.path, value));
                }
            }
        }
    }

    /// Repairs for rules that no change of a single field satisfies.
    fn further_repairs_of_rule(
        &self,
        object: &Value,
        node: NodeOnPath<'v, '_>,
        rules: &[&'v ValidationRule],
        all: &mut Vec<Value>,
    ) {
        let RepairInputs { hints, read, values, .. } = self.tried_for_rule(object, node, rules);
        // Two fields at a time, for a field that requires another one.
        for (index, (one, values_of_one)) in read.iter().zip(&values).enumerate() {
            for (other, values_of_other) in read.iter().zip(&values).skip(index + 1) {
                for value in values_of_one.iter().take(3) {
                    let Some(object) = put(object, &one.path, value) else { continue };
                    all.extend(without_value(&object, &other.path));
                    let others = values_of_other.iter().take(3);
                    all.extend(others.filter_map(|value| put(&object, &other.path, value)));
                }
                let gone = without_value(object, &one.path);
                let others = values_of_other.iter().take(3);
                all.extend(others.filter_map(|value| put(gone.as_ref()?, &other.path, value)));
            }
        }
        if !self.is_head(node) {
            let target = self.values_of(node, &hints, OF_NODE);
            all.extend(target.iter().filter_map(|value| put_at(object, node.path, value)));
            all.extend(without_value(object, node.path));
        }
    }

    /// Whether the node is the root of a whole resource, which has a kind and a name.
    fn is_head(&self, node: NodeOnPath<'_, '_>) -> bool {
        node.depth == 0 && matches!(self.target, SearchTarget::Resource(_))
    }

    /// Values for a node. At the root of the search, they may violate the node's rules.
    fn values_of(&self, node: NodeOnPath<'v, '_>, hints: &Hints, most: usize) -> Rc<[Value]> {
        if node.depth == 0 {
            self.raw_values(node.schema, hints, most).into()
        } else {
            self.values(node.schema, hints, most)
        }
    }

    /// Values of `schema` in the form that a user would write, first those that its rules accept.
    #[must_use]
    pub fn values(&self, schema: &Structural, hints: &Hints, most: usize) -> Rc<[Value]> {
        let question = (std::ptr::from_ref(schema), hints.fingerprint(), most);
        if let Some(known) = self.known.0.borrow().get(&question) {
            return Rc::clone(known);
        }
        let raw = self.raw_values(schema, hints, most);
        let found: Rc<[Value]> = match schema.has_rules && self.repairs_parts {
            true => {
                let of_kinds = of_kinds(schema, hints, &raw);
                self.accepted_first(
                    schema,
                    of_kinds.into_iter().chain(raw.into_iter().map(|value| (value, None))),
                )
            }
            false => raw,
        }
        .into();
        self.known.0.borrow_mut().insert(question, Rc::clone(&found));
        found
    }

    fn raw_values(&self, schema: &Structural, hints: &Hints, most: usize) -> Vec<Value> {
        let settings = Settings { fills_defaults: false, most, steps: STEPS, ..Settings::new(self.server) };
        let mut found = generate(schema, hints, &settings);
        // Objects with members are tried first, because they are more useful.
        found.sort_by_key(|value| value.as_map().is_some_and(|map| map.is_empty()));
        let child = schema.items.as_ref().filter(|child| self.repairs_parts && child.node.has_rules);
        if let Some(child) = child {
            let items = self.values(&child.node, hints, OF_FIELD);
            let lists = lists::of_items(&items, schema, hints);
            found.splice(0..0, lists);
        }
        found
    }

    /// The values that the rules of a part accept, some of them repaired, and then the other values. Each
    /// value may come with the name of a field that a repair must not change.
    fn accepted_first(
        &self,
        schema: &Structural,
        raw: impl Iterator<Item = (Value, Option<Box<str>>)>,
    ) -> Vec<Value> {
        let (mut accepted, mut others, mut known) = (Vec::new(), Vec::new(), FxHashSet::default());
        let mut repaired = 0;
        for (value, kept) in raw {
            let solver = Solver::of_part((schema, 0), self.server).sharing(&self.known);
            if solver.errors(&value).is_empty() {
                accepted.extend(known.insert(fingerprint(&value)).then_some(value));
                continue;
            }
            if repaired < MOST_REPAIRED {
                repaired += 1;
                let of = |value: &Value| kept.as_ref().and_then(|name| value.get(name)).cloned();
                let wanted = of(&value);
                let is_met = |admission: &Admission| admission.object.as_ref().and_then(of) == wanted;
                let path = FieldPath::root();
                let goal = Goal { path, rule: None, is_met: &is_met, is_wanted: &|_| false, reached: &|_| 0 };
                let solution = solver.towards(goal, TRIES_OF_REPAIR).solve(value.clone());
                let is_accepted = solution.errors.is_empty() && known.insert(fingerprint(&solution.object));
                accepted.extend(is_accepted.then_some(solution.object));
            }
            others.push(value);
        }
        accepted.extend(others);
        accepted
    }

    /// The schema nodes along `path`, as far as they are declared, from the root.
    fn nodes_on<'p>(&self, path: &'p FieldPath) -> Vec<NodeOnPath<'v, 'p>> {
        let Some((mut schema, mut base)) = self.schema else { return Vec::new() };
        let segments = path.segments();
        let mut nodes = vec![NodeOnPath { schema, base, depth: 0, path: &[] }];
        for (index, segment) in segments.iter().enumerate() {
            let child = match segment {
                Segment::Index(_) => schema.items.as_ref(),
                Segment::Name(name) => schema.properties.get(&**name).or_else(|| additional(schema)),
                Segment::Key(name) => schema.properties.get(name).or_else(|| additional(schema)),
            };
            let Some(child) = child else { break };
            (base, schema) = (child.base(base), &*child.node);
            let path = segments.get(..=index).unwrap_or_default();
            nodes.push(NodeOnPath { schema, base, depth: index + 1, path });
        }
        nodes
    }

    /// The node of the rule that `error` is about, and its rules, that rule first; `None` for other errors.
    fn rule_of<'p>(&self, error: &'p ValueError) -> Option<(NodeOnPath<'v, 'p>, Vec<&'v ValidationRule>)> {
        let rule = error.rule.filter(|rule| rule.keyword == Keyword::Validations)?;
        // A `fieldPath` leads to a node below the one that has the rule.
        self.nodes_on(&error.path).into_iter().rev().find_map(|node| {
            let mut rules = Vec::new();
            placed_rules(node.schema, node.base, &mut rules);
            let index = rules.iter().position(|(one, base)| shifted(one.range, *base) == rule.range)?;
            rules.swap(0, index);
            Some((node, rules.into_iter().map(|(rule, _)| rule).collect()))
        })
    }

    /// The hints from the rules along `path`.
    fn hints_around(&self, path: &FieldPath) -> Hints {
        let nodes = self.nodes_on(path);
        let rules = nodes.iter().flat_map(|node| &node.schema.validations);
        Hints::of(rules.map(|rule| &*rule.rule))
    }
}

/// Objects with each value of each `enum` among the fields that the hints read, because such a value decides
/// which other fields an object has. Each has the name of that field.
fn of_kinds(schema: &Structural, hints: &Hints, values: &[Value]) -> Vec<(Value, Option<Box<str>>)> {
    let Some(first) = values.iter().find(|value| value.as_map().is_some()) else { return Vec::new() };
    let fields = schema.properties.iter().filter(|(name, _)| hints.reads(name));
    let kinds = fields.flat_map(|(name, child)| {
        let of = child.node.value_validation.enumeration.iter().take(MOST_KINDS);
        of.map(move |value| (name, value.unplaced()))
    });
    let objects = kinds.filter_map(|(name, value)| {
        Some((put(first, &[Segment::Name(name.to_string().into())], &value)?, Some(name.clone())))
    });
    objects.take(MOST_REPAIRED).collect()
}

/// A node along a path.
#[derive(Clone, Copy, Debug)]
struct NodeOnPath<'s, 'p> {
    schema: &'s Structural,
    /// The start of the node, in bytes of the definition.
    base: TextSize,
    /// The number of segments that lead to it.
    depth: usize,
    path: &'p [Segment],
}

/// The inputs for repairs of a failed rule.
struct RepairInputs<'s> {
    /// The hints from the rule itself.
    own: Hints,
    /// The hints from all rules of the node.
    hints: Hints,
    read: Vec<Read<'s>>,
    /// The values for each field that is read.
    values: Vec<Rc<[Value]>>,
}

/// The rules of a node and of its `allOf`, each with the start of its node.
fn placed_rules<'s>(schema: &'s Structural, base: TextSize, all: &mut Vec<(&'s ValidationRule, TextSize)>) {
    fn of_branch<'s>(
        nested: &'s NestedValueValidation,
        base: TextSize,
        all: &mut Vec<(&'s ValidationRule, TextSize)>,
    ) {
        all.extend(nested.validations.iter().map(|rule| (rule, base)));
        nested.value_validation.all_of.iter().for_each(|child| of_branch(&child.node, child.base(base), all));
    }
    all.extend(schema.validations.iter().map(|rule| (rule, base)));
    schema.value_validation.all_of.iter().for_each(|child| of_branch(&child.node, child.base(base), all));
}

fn is_head(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
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
