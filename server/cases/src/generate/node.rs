//! The node of an item, an accepted object that contains it, and values to try there.

use std::rc::Rc;

use crd::customresource::Admission;
use crd::generate::{Goal, Hints, Solver, put, value_at};
use crd::schema::structural::Structural;
use crd::value::{Kind, Value};
use crd::{FieldPath, Segment};
use text::TextSize;

use super::{CaseSearch, MOST_TRIES, MOST_VALUES, below, values};
use crate::coverage::{Step, Subject};

impl CaseSearch<'_> {
    /// The path of the item's node in a value, and its schema with its start. In a list, the first item.
    pub(super) fn path(&self) -> Option<(Vec<Segment>, (&Structural, TextSize))> {
        let mut schema = self.coverage.version.schema();
        let mut path = Vec::new();
        let last = match &self.item.subject {
            Subject::Property(name) => Some(Step::Property(name.clone())),
            _ => None,
        };
        for step in self.item.schema_path.iter().chain(&last) {
            let (segment, child) = below(schema, step)?;
            schema = child;
            path.push(segment);
        }
        Some((path, schema))
    }

    /// An accepted object that contains the node of the item, the path of the node, and its schema.
    pub(super) fn host(&self, base: &Value) -> Option<(Value, Vec<Segment>, (&Structural, TextSize))> {
        let (path, schema) = self.path()?;
        let mut node = self.coverage.version.schema();
        let mut host = base.clone();
        let last = match &self.item.subject {
            Subject::Property(name) => Some(Step::Property(name.clone())),
            _ => None,
        };
        for (depth, step) in self.item.schema_path.iter().chain(&last).enumerate() {
            (_, node) = below(node, step)?;
            let path = path.get(..=depth)?;
            if value_at(&host, path).is_none() {
                let key = format!("{path:?}");
                let known = self.hosts.host_objects.borrow().get(&key).cloned();
                let found = known.unwrap_or_else(|| self.filled(&host, path, node.0));
                self.hosts.host_objects.borrow_mut().insert(key, found.clone());
                host = found?;
            }
        }
        Some((host, path, schema))
    }

    /// The object with a value inserted at a path that has none, and repaired.
    pub(super) fn filled(&self, host: &Value, path: &[Segment], schema: &Structural) -> Option<Value> {
        let fill = |value: &Value| match path.split_last() {
            Some((Segment::Index(_), above)) => {
                let list = Value::made(Kind::List(vec![value.clone()]));
                if above.is_empty() { None } else { put(host, above, &list) }
            }
            _ => put(host, path, value),
        };
        let objects: Vec<Value> = self.generated(schema).iter().filter_map(fill).collect();
        let is_accepted = |object: &&Value| {
            let admission = crd::customresource::admit_value(
                (*object).clone(),
                &self.coverage.version,
                self.coverage.server,
            );
            admission.decode_error.is_none() && admission.errors.is_empty()
        };
        if let Some(object) = objects.iter().find(is_accepted) {
            return Some(object.clone());
        }
        let has_it = |admission: &Admission| {
            admission.object.as_ref().is_some_and(|object| value_at(object, path).is_some())
        };
        let goal = Goal {
            path: FieldPath::root().join(path),
            rule: None,
            is_met: &has_it,
            is_wanted: &|_| false,
            reached: &|_| 0,
        };
        objects.iter().take(3).find_map(|object| {
            let solver =
                Solver::new(&self.coverage.version, self.coverage.server).sharing(&self.hosts.solver);
            let solved = solver.towards(goal.clone(), MOST_TRIES).solve(object.clone());
            solved.errors.is_empty().then_some(solved.object)
        })
    }

    /// Values that the schema allows, derived from the rule.
    pub(super) fn generated(&self, schema: &Structural) -> Rc<[Value]> {
        let rule = match &self.item.subject {
            Subject::Rule(rule) => rule,
            _ => "",
        };
        let question = format!("{schema:p} {rule}");
        if let Some(known) = self.hosts.generated.borrow().get(&question) {
            return Rc::clone(known);
        }
        let own = schema.validations.iter().map(|rule| &*rule.rule);
        let hints = match &self.item.subject {
            Subject::Rule(rule) => Hints::of(own.chain([&**rule])),
            _ => Hints::of(own),
        };
        let solver = Solver::of_part((schema, 0), self.coverage.server).sharing(&self.hosts.solver);
        let made = solver.values(schema, &hints, MOST_VALUES);
        self.hosts.generated.borrow_mut().insert(question, Rc::clone(&made));
        made
    }

    /// Values for the node of the item.
    pub(super) fn values(&self, schema: &Structural, present: Option<&Value>) -> Vec<Value> {
        let generated = || self.generated(schema);
        match (&self.item.subject, self.second) {
            // Without its position: a value with a position in the definition's text is a default.
            (Subject::Value(value), _) => vec![Value::from(&value.to_json())],
            (Subject::Rule(rule), _) => {
                let hints = Hints::of([&**rule]);
                let generated = generated();
                let of_field = |schema: &Structural| self.generated(schema).to_vec();
                let near = values::for_rule(schema, &hints, present, &generated, &of_field);
                near.into_iter().chain(generated.iter().cloned()).collect()
            }
            (_, false) => generated().to_vec(),
            (Subject::Property(_), true) => values::of_other_types(schema),
            (Subject::Required(name), true) => {
                present.map(|it| values::without_member(it, name)).into_iter().collect()
            }
            (Subject::Keyword(keyword), true) => values::violating(*keyword, schema, present, &generated()),
        }
    }
}
