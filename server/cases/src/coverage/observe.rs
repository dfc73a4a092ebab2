//! The coverage by an answer of the server.

use cel::ast::ExprId;
use crd::customresource::{Admission, PartSeen, ValueError, watch_rules, watch_rules_of_part};
use crd::schema::Keyword;
use crd::schema::structural::{Structural, StructuralOrBool};
use crd::value::{Kind, Place, Value};
use crd::{FieldPath, Segment};
use text::{TextRange, TextSize};

use super::{Coverage, Marks};

impl Coverage {
    /// Marks the sides that an answer covers.
    pub fn observe(&self, admission: &Admission, marks: &mut Marks) {
        let Some(object) = admission.object.as_ref().filter(|_| admission.decode_error.is_none()) else {
            return;
        };
        let (schema, base) = self.version.schema();
        let is_accepted = admission.errors.is_empty();
        if is_accepted {
            self.accepted(object, schema, base, marks);
        }
        for error in &admission.errors {
            self.rejected_properties(&error.path, schema, base, marks);
            self.rejected(error).into_iter().for_each(|item| marks.add(item, true));
        }
        let watch = &mut |range, part, seen| self.record_part(range, part, seen, is_accepted, marks);
        watch_rules(object, admission.stored.as_ref(), &self.version, self.server, watch);
    }

    /// Marks the sides of rules in a part that an answer about a value of the part covers.
    pub(crate) fn observe_part(
        &self,
        admission: &Admission,
        schema: (&Structural, TextSize),
        marks: &mut Marks,
    ) {
        let Some(value) = &admission.object else { return };
        let is_accepted = admission.errors.is_empty();
        let watch = &mut |range, part, seen| self.record_part(range, part, seen, is_accepted, marks);
        watch_rules_of_part(value, schema, self.server, watch);
    }

    fn record_part(
        &self,
        range: TextRange,
        part: Option<ExprId>,
        seen: PartSeen,
        is_accepted: bool,
        marks: &mut Marks,
    ) {
        let Some(items) = self.index.rules.get(&range.start) else { return };
        match (part, seen) {
            (None, _) if is_accepted => marks.add(items.rule, false),
            (Some(part), PartSeen::Bool(value)) => self.part(items.parts.get(&part), !value, marks),
            (Some(part), PartSeen::Filled) => self.part(items.parts.get(&part), false, marks),
            (Some(part), PartSeen::Empty) => self.part(items.parts.get(&part), true, marks),
            _ => {}
        }
    }

    /// The item that an error covers.
    pub(crate) fn rejected(&self, error: &ValueError) -> Option<usize> {
        let rule = error.rule?;
        let start = rule.range.start;
        match rule.keyword {
            Keyword::Validations => self.index.rules.get(&start).map(|items| items.rule),
            Keyword::Required => {
                let name = error.path.segments().last().and_then(Segment::key).unwrap_or_default();
                self.index.required.get(&(start, name.into())).copied()
            }
            keyword => self.index.keywords.get(&(keyword.as_str(), start)).copied(),
        }
    }

    fn part(&self, item: Option<&usize>, second: bool, marks: &mut Marks) {
        item.into_iter().for_each(|item| marks.add(*item, second));
    }

    /// Marks the contents of an accepted object. Values from defaults do not count.
    fn accepted(&self, value: &Value, schema: &Structural, base: TextSize, marks: &mut Marks) {
        if value.is_null() {
            return;
        }
        for item in self.index.nodes.get(&base).into_iter().flatten() {
            marks.add(*item, false);
        }
        let values = self.index.values.get(&base).into_iter().flatten();
        for (item, admitted) in values.zip(&schema.value_validation.enumeration) {
            if admitted == value {
                marks.add(*item, false);
            }
        }
        match &value.kind {
            Kind::List(items) => {
                let Some(child) = &schema.items else { return };
                items.iter().for_each(|item| self.accepted(item, &child.node, child.base(base), marks));
            }
            Kind::Map(map) => {
                for (name, _) in &schema.value_validation.required {
                    let place = schema.places.place_of(Keyword::Required, base).map(|place| place.key.start);
                    let item = place.and_then(|place| self.index.required.get(&(place, name.clone())));
                    self.part(item, false, marks);
                }
                for (key, member) in map {
                    if matches!(member.value.place, Place::Definition(_)) {
                        continue;
                    }
                    self.part(self.index.properties.get(&(base, key.clone())), false, marks);
                    let child = match (schema.properties.get(key), &schema.additional_properties) {
                        (Some(child), _) | (None, Some(StructuralOrBool::Structural(child))) => child,
                        _ => continue,
                    };
                    self.accepted(&member.value, &child.node, child.base(base), marks);
                }
            }
            _ => {}
        }
    }

    /// Marks the properties on the path of an error.
    fn rejected_properties(&self, path: &FieldPath, schema: &Structural, base: TextSize, marks: &mut Marks) {
        let (mut schema, mut base) = (schema, base);
        for segment in path.segments() {
            let child = match segment {
                Segment::Index(_) => schema.items.as_ref(),
                other => {
                    let key = other.key().unwrap_or_default();
                    self.part(self.index.properties.get(&(base, key.into())), true, marks);
                    match (schema.properties.get(key), &schema.additional_properties) {
                        (Some(child), _) | (None, Some(StructuralOrBool::Structural(child))) => Some(child),
                        _ => None,
                    }
                }
            };
            let Some(child) = child else { return };
            (base, schema) = (child.base(base), &child.node);
        }
    }
}
