//! Generates missing cases: objects that cover untested sides of items, as the server's own answer shows.
//!
//! For each side of an item that no case covers, values of its node are inserted into an accepted object. The
//! smallest object that covers the side is used; a rejected object must be rejected for that reason alone.

mod node;
mod values;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crd::customresource::{Admission, ResourceVersion, Rule, ValueError};
use crd::generate::{Goal, Solver, ValueCache, put, value_at};
use crd::schema::Keyword;
use crd::schema::structural::{Structural, StructuralOrBool};
use crd::value::{Kind, Map, Member, Place, Value};
use crd::{FieldPath, Segment};
use text::TextSize;

use crate::coverage::{Coverage, CoverageItem, ItemKind, Marks, Step, Subject};
use crate::run::Server;
use crate::run::own_format::{answer, is_of_its_own};

/// The maximum number of values that are tried for a node.
const MOST_VALUES: usize = 32;
/// The maximum number of objects that are repaired.
const MOST_SOLVED: usize = 3;
/// The maximum number of objects that are tried for one repair.
const MOST_TRIES: usize = 250;
/// After this number of failed searches for parts of a rule, the remaining searches are shorter.
const MOST_FAILED: usize = 3;
/// The maximum number of errors of an object that a rule rejects.
const MOST_ERRORS: usize = 4;
/// The maximum number of values that are paired with each other for a transition rule.
const MOST_PAIRS: usize = 16;

/// A generated case.
#[derive(Clone, Debug)]
pub struct GeneratedCase {
    /// Its name.
    pub name: String,
    /// A description of the covered side.
    pub shows: String,
    /// The previously stored object.
    pub given: Option<Value>,
    /// The object that is created, or that replaces the stored one.
    pub object: Value,
    /// The errors of the answer: field and text. Empty if the object is accepted.
    pub errors: Vec<(String, String)>,
}

/// Generates the cases that are missing from `coverage`, and adds their coverage to it.
#[must_use]
pub fn missing_cases(coverage: &mut Coverage) -> Vec<GeneratedCase> {
    let mut made = Vec::new();
    let mut names = BTreeSet::new();
    let hosts = Hosts::default();
    let start = start(coverage);
    let solved = Solver::new(&coverage.version, coverage.server).solve(start);
    if !solved.errors.is_empty() {
        return made;
    }
    for number in 0..coverage.items.len() {
        for second in [false, true] {
            let Some(item) = coverage.items.get(number) else { continue };
            if item.sides.get(usize::from(second)) != Some(&Some(false)) {
                continue;
            }
            let maker =
                CaseSearch { coverage, item, number, second, hosts: &hosts, among_others: Cell::default() };
            let Some(found) = maker.find(&solved.object) else { continue };
            let name = maker.name();
            // Several items may belong to one field.
            let mut unique = name.clone();
            let mut count = 1;
            while !names.insert(unique.clone()) {
                count += 1;
                unique = format!("{name} ({count})");
            }
            let shows = maker.shows(found.errors.len() > 1);
            made.push(GeneratedCase {
                name: unique,
                shows,
                given: found.given,
                object: found.object,
                errors: found.errors,
            });
            coverage.add(&found.marks);
        }
    }
    made
}

/// An object that a version and another one with a changed rule answer differently, with the previously
/// stored object.
pub(crate) fn distinguishing(
    coverage: &Coverage,
    number: usize,
    other: &ResourceVersion,
) -> Option<(Option<Value>, Value)> {
    let item = coverage.items.get(number)?;
    let solved = Solver::new(&coverage.version, coverage.server).solve(start(coverage));
    if !solved.errors.is_empty() {
        return None;
    }
    let hosts = Hosts::default();
    let maker =
        CaseSearch { coverage, item, number, second: true, hosts: &hosts, among_others: Cell::default() };
    let is_accepted = |version: &ResourceVersion, given: Option<&Value>, object: &Value| {
        let mut server = Server { version, server: coverage.server, observe: &mut |_| {} };
        answer(given, object.clone(), &mut server).ok().map(|answer| answer.stored.is_ok())
    };
    let differs = |(given, object): &(Option<Value>, Value)| {
        let one = is_accepted(&coverage.version, given.as_ref(), object);
        one.is_some() && one != is_accepted(other, given.as_ref(), object)
    };
    maker.tries(&solved.object).find(differs)
}

/// The minimal object.
fn start(coverage: &Coverage) -> Value {
    let version = &coverage.version;
    let name = [("name", Value::text("test"))];
    let mut object = map([
        ("apiVersion", Value::text(&format!("{}/{}", version.group, version.name))),
        ("kind", Value::text(&version.kind)),
        ("metadata", map(name)),
    ]);
    let (schema, _) = version.schema();
    if schema.properties.contains_key("spec")
        && let Kind::Map(members) = &mut object.kind
    {
        members.insert("spec".into(), Member { key: Place::Nowhere, value: map([]) });
    }
    object
}

fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    let member = |(name, value): (&str, Value)| (name.into(), Member { key: Place::Nowhere, value });
    Value::made(Kind::Map(members.into_iter().map(member).collect::<Map>()))
}

/// The result of a successful try.
struct Attempt {
    given: Option<Value>,
    object: Value,
    errors: Vec<(String, String)>,
    marks: Marks,
}

/// Searches for an object that covers one side of an item.
struct CaseSearch<'c> {
    coverage: &'c Coverage,
    item: &'c CoverageItem,
    number: usize,
    second: bool,
    hosts: &'c Hosts,
    /// An object that the rule rejects, but that has other errors as well.
    among_others: Cell<Option<Attempt>>,
}

/// Results that many items share.
#[derive(Default)]
struct Hosts {
    /// The accepted object that contains a node, by the path of the node; `None` if none was found.
    host_objects: RefCell<BTreeMap<String, Option<Value>>>,
    /// Values by the schema of a node and the current rule.
    generated: RefCell<BTreeMap<String, Rc<[Value]>>>,
    solver: ValueCache,
    /// The number of failed searches for parts of a rule, by the number of the rule.
    failed: RefCell<BTreeMap<Option<usize>, usize>>,
}

impl CaseSearch<'_> {
    fn find(&self, base: &Value) -> Option<Attempt> {
        // An object that is rejected for other reasons as well is better than none.
        self.alone(base).or_else(|| self.among_others.take())
    }

    fn alone(&self, base: &Value) -> Option<Attempt> {
        let found = self.tries(base).find_map(|(given, object)| self.try_objects(given.as_ref(), &object));
        found.or_else(|| {
            let is_rule = matches!(self.item.subject, Subject::Rule(_));
            // For a rule below the root, the value of its node has to cover the side, because that value is small.
            if is_rule && !self.item.schema_path.is_empty() {
                return self.found_in_part(base);
            }
            // An error for a wrong type comes from the value alone, so repairs do not help.
            if self.second && self.item.kind == ItemKind::Property {
                return None;
            }
            let mut some = self.tries(base).skip(usize::from(!is_rule)).take(MOST_SOLVED);
            some.find_map(|(given, object)| {
                let solved = self.solved(&object, None, MOST_TRIES)?;
                self.try_objects(given.as_ref(), &solved)
            })
        })
    }

    /// An object that shows the side of a rule, found from a value of the rule's node alone.
    fn found_in_part(&self, base: &Value) -> Option<Attempt> {
        if self.is_of_update() {
            return None;
        }
        let (host, path, (schema, start)) = self.host(base)?;
        let given = self.is_of_status().then(|| base.clone());
        let present = value_at(&host, &path);
        let values = self.values(schema, present);
        let mut misses = 0;
        // If some parts of a rule were not reached, other parts are unlikely to be reached.
        let rule = self.rule().map(|(number, _)| number);
        let failed = self.hosts.failed.borrow().get(&rule).copied().unwrap_or(0);
        let (most, tries) =
            if failed >= MOST_FAILED { (1, MOST_TRIES / 4) } else { (MOST_SOLVED, MOST_TRIES) };
        *self.hosts.failed.borrow_mut().entry(rule).or_default() += 1;
        for value in present.into_iter().chain(&values).take(most) {
            let Some(value) = self.solved(value, Some((schema, start)), tries) else { continue };
            self.hosts.failed.borrow_mut().insert(rule, failed);
            let object = put(&host, &path, &value)?;
            let found = self.try_objects(given.as_ref(), &object).or_else(|| {
                // Surrounding rules may require more.
                let object = self.solved(&object, None, MOST_TRIES)?;
                self.try_objects(given.as_ref(), &object)
            });
            misses += 1;
            if found.is_some() || misses == 2 {
                return found;
            }
        }
        None
    }

    /// The object, or the value of the part that the schema describes, repaired so that it covers the side.
    fn solved(&self, object: &Value, part: Option<(&Structural, TextSize)>, tries: usize) -> Option<Value> {
        let coverage = self.coverage;
        let (path, _) = self.path()?;
        let path = if part.is_some() { Vec::new() } else { path };
        let is_rejected = self.second && !matches!(self.item.kind, ItemKind::Branch | ItemKind::Loop);
        let is_wanted = |error: &ValueError| is_rejected && coverage.rejected(error) == Some(self.number);
        let is_met = |admission: &Admission| {
            if is_rejected {
                return admission.errors.iter().any(is_wanted);
            }
            if !matches!(self.item.subject, Subject::Rule(_)) {
                return admission.object.as_ref().is_some_and(|object| value_at(object, &path).is_some());
            }
            let mut marks = Marks::default();
            match part {
                Some(schema) => coverage.observe_part(admission, schema, &mut marks),
                None => coverage.observe(admission, &mut marks),
            }
            marks.is_covered(self.number, self.second)
        };
        let of_rule = self.rule();
        let rule = of_rule.map(|(_, item)| Rule { keyword: Keyword::Validations, range: item.range });
        let reached = |admission: &Admission| {
            let Some((number, _)) = of_rule else { return 0 };
            let mut marks = Marks::default();
            match part {
                Some(schema) => coverage.observe_part(admission, schema, &mut marks),
                None => coverage.observe(admission, &mut marks),
            }
            let parts = coverage.items.get(number + 1..).unwrap_or_default().iter();
            let parts =
                parts.take_while(|item| matches!(item.kind, ItemKind::Branch | ItemKind::Loop)).count();
            marks.hash_of(number..=number + parts)
        };
        let goal = Goal {
            path: FieldPath::root().join(&path),
            rule,
            is_met: &is_met,
            is_wanted: &is_wanted,
            reached: &reached,
        };
        let solver = match part {
            Some(schema) => Solver::of_part(schema, coverage.server),
            None => Solver::new(&coverage.version, coverage.server),
        };
        let mut solver = solver.sharing(&self.hosts.solver).towards(goal, tries);
        let solved = solver.solve(object.clone());
        solved.errors.is_empty().then_some(solved.object)
    }

    /// The rule that the item belongs to, with its number.
    fn rule(&self) -> Option<(usize, &CoverageItem)> {
        let items = self.coverage.items.get(..=self.number)?.iter().enumerate().rev();
        let mut items = items.filter(|_| matches!(self.item.subject, Subject::Rule(_)));
        items.find(|(_, item)| item.kind == ItemKind::Rule)
    }

    /// Objects that may cover the side, each with the previously stored object.
    fn tries<'s>(&'s self, base: &Value) -> Box<dyn Iterator<Item = (Option<Value>, Value)> + 's> {
        let Some((host, path, (schema, _))) = self.host(base) else { return Box::new(std::iter::empty()) };
        let values = self.values(schema, value_at(&host, &path));
        let first = std::iter::once(host.clone());
        let put_in =
            move |value: Value| if path.is_empty() { Some(value) } else { put(&host, &path, &value) };
        let objects = first.chain(values.into_iter().filter_map(put_in));
        if self.is_of_update() {
            let few: Rc<[Value]> = objects.take(MOST_PAIRS).collect();
            let others = Rc::clone(&few);
            let pair = move |(one, other): (usize, usize)| {
                Some((Some(few.get(one)?.clone()), few.get(other)?.clone()))
            };
            let pairs =
                (0..others.len()).flat_map(move |one| (0..others.len()).map(move |other| (one, other)));
            return Box::new(pairs.filter_map(pair));
        }
        let given = self.is_of_status().then(|| base.clone());
        Box::new(objects.map(move |object| (given.clone(), object)))
    }

    /// Whether the side can only be covered by replacing an object.
    fn is_of_update(&self) -> bool {
        matches!(&self.item.subject, Subject::Rule(rule) if rule.contains("oldSelf"))
    }

    /// Whether the item is in a status with a separate endpoint.
    fn is_of_status(&self) -> bool {
        let is_status = |name: &str| name == "status" && self.coverage.version.has_status;
        match (self.item.schema_path.first(), &self.item.subject) {
            (Some(Step::Property(name)), _) | (None, Subject::Property(name)) => is_status(name),
            _ => false,
        }
    }

    /// Sends the objects to the server; `None` unless the answer covers the side.
    fn try_objects(&self, given: Option<&Value>, object: &Value) -> Option<Attempt> {
        let mut marks = Marks::default();
        let mut observe = |admission: &Admission| self.coverage.observe(admission, &mut marks);
        let version = &self.coverage.version;
        let mut server = Server { version, server: self.coverage.server, observe: &mut observe };
        let answer = answer(given, object.clone(), &mut server).ok()?;
        if !marks.is_covered(self.number, self.second) {
            return None;
        }
        let errors: Vec<(String, String)> =
            answer.errors.into_iter().filter(|(_, message)| is_of_its_own(message)).collect();
        let is_right = match (self.item.kind, self.second) {
            (ItemKind::Branch | ItemKind::Loop, _) => errors.len() <= 1,
            (_, rejected) => errors.len() == usize::from(rejected),
        };
        let found =
            || Attempt { given: given.cloned(), object: object.clone(), errors: errors.clone(), marks };
        if is_right {
            return Some(found());
        }
        let is_rule = self.second && self.item.kind == ItemKind::Rule && errors.len() <= MOST_ERRORS;
        let mut known = self.among_others.take();
        if is_rule && known.as_ref().is_none_or(|known| known.errors.len() > errors.len()) {
            known = Some(found());
        }
        self.among_others.set(known);
        None
    }

    fn name(&self) -> String {
        let side = self.item.kind.sides()[usize::from(self.second)];
        let place = if self.item.path.is_empty() { "the object" } else { &self.item.path };
        let text = self.item.text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.item.kind {
            ItemKind::Property => format!("{place} is {side}"),
            _ => format!("{place}: {text}: {side}"),
        }
    }

    fn shows(&self, is_among_others: bool) -> String {
        let text = self.item.text.split_whitespace().collect::<Vec<_>>().join(" ");
        match (self.item.kind, self.second) {
            (ItemKind::Branch, false) => format!("`{text}` is true"),
            (ItemKind::Branch, true) => format!("`{text}` is false"),
            (ItemKind::Loop, false) => format!("`{text}` has entries"),
            (ItemKind::Loop, true) => format!("`{text}` is empty"),
            (_, false) => format!("a value that `{text}` accepts"),
            (_, true) if is_among_others => {
                format!("rejected because of `{text}` and others, as no value violates it alone")
            }
            (_, true) => format!("rejected because of `{text}` alone"),
        }
    }
}

/// The schema that a step leads to.
fn below<'s>(
    (schema, base): (&'s Structural, TextSize),
    step: &Step,
) -> Option<(Segment, (&'s Structural, TextSize))> {
    let (segment, child) = match step {
        Step::Property(name) => (Segment::Name(name.to_string().into()), schema.properties.get(name)?),
        Step::Items => (Segment::Index(0), schema.items.as_ref()?),
        Step::Additional => match &schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => (Segment::Key("key".into()), child),
            _ => return None,
        },
    };
    Some((segment, (&child.node, child.base(base))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::definition::Definition;
    use api::KubernetesVersion;

    #[test]
    fn generated_cases_fill_all_gaps() {
        let text = include_str!("../../../fixtures/testing/widgets.yaml");
        let definition = Definition::all(text, KubernetesVersion::NEWEST).pop().unwrap();
        let mut coverage = Coverage::new(definition.versions.first().unwrap(), KubernetesVersion::NEWEST);
        let made = missing_cases(&mut coverage);
        let gaps: Vec<_> = coverage.items.iter().filter(|item| !item.missing().is_empty()).collect();
        assert!(gaps.is_empty(), "{gaps:?}");
        let rejected = made.iter().filter(|made| !made.errors.is_empty());
        assert!(rejected.into_iter().all(|made| made.errors.len() == 1));
        assert!(missing_cases(&mut coverage).is_empty());
    }
}
