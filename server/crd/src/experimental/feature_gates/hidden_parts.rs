//! Parts of a definition that depend on fields that new objects never have, because their gate is off.

use std::collections::BTreeMap;

use api::{Code, Severity};
use text::TextRange;

use crate::experimental::{Definition, finding};
use crate::field_path::FieldPath;
use crate::finding::{Finding, RelatedInformation};
use crate::gates::{FeatureGates, GatedField, steps};
use crate::jsonpath::{self, PathStep};
use crate::message::Message;
use crate::object::Node;
use crate::object::SchemaPlace;
use crate::rules::hidden_reads;
use crate::schema::{Keyword, Schema};
use crate::{Cache, Options};

/// The maximum number of gated fields that are searched in schemas; each search visits all properties on the
/// path.
const MOST_FIELDS: usize = 2_000;

/// The fields whose gate is off, by their steps, without fields below another such field.
struct DisabledFields<'g> {
    fields: BTreeMap<Vec<String>, &'g GatedField>,
}

/// The findings on parts of `definition` that depend on fields whose gate is off.
pub(super) fn check(
    definition: &Definition<'_, '_>,
    gates: &FeatureGates,
    options: &Options,
    cache: &mut Cache,
) -> Vec<Finding> {
    let fields = gates.fields();
    let hidden = DisabledFields::of(&fields);
    if hidden.fields.is_empty() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for place in definition.schemas() {
        for (steps, field) in &hidden.fields {
            findings.extend(in_schema(definition, &place, steps, field));
        }
        findings.extend(hidden.rules(definition, &place, options, cache));
    }
    findings.extend(hidden.paths(definition));
    findings
}

impl<'g> DisabledFields<'g> {
    fn of(fields: &'g [GatedField]) -> Self {
        let mut hidden = Self { fields: BTreeMap::new() };
        // The iteration visits fields before those below them.
        for field in fields.iter().filter(|field| !field.on).take(MOST_FIELDS) {
            let Ok(steps) = steps(&field.path) else { continue };
            let steps: Vec<String> = steps.into_iter().map(str::to_owned).collect();
            if hidden.at_or_above(&steps).is_none() {
                hidden.fields.insert(steps, field);
            }
        }
        hidden
    }

    /// The hidden field at `steps`, or above it.
    fn at_or_above(&self, steps: &[String]) -> Option<&'g GatedField> {
        (1..=steps.len()).find_map(|length| self.fields.get(steps.get(..length)?).copied())
    }

    /// Rules that read a hidden field without testing whether it is present.
    fn rules(
        &self,
        definition: &Definition<'_, '_>,
        place: &SchemaPlace<'_>,
        options: &Options,
        cache: &mut Cache,
    ) -> Vec<Finding> {
        let is_hidden = |steps: &[String]| self.fields.contains_key(steps);
        let reads = hidden_reads(place, definition.reader(), &is_hidden, options, cache);
        let findings = reads.into_iter().filter_map(|read| {
            let field = self.fields.get(&read.field)?;
            let (written, off) = (&read.expression, disabled_gate(field));
            let problem =
                format!("`{written}` is absent from new objects while {off}, and then the rule fails");
            let message = Message::new(problem).advise(format!("guard it with `has({written})`"));
            Some(new_finding(Code::GatesRule, Severity::Warning, (read.range, read.path), message, field))
        });
        findings.collect()
    }

    /// Paths of columns, of the scale subresource and of selectable fields that lead to a hidden field.
    fn paths(&self, definition: &Definition<'_, '_>) -> Vec<Finding> {
        let spec = definition.node().child("spec");
        let versions = spec.child("versions");
        let mut findings = Vec::new();
        for holder in std::iter::once(spec).chain(versions.items()) {
            let [columns, selectable, subresources] =
                holder.children(["additionalPrinterColumns", "selectableFields", "subresources"]);
            for column in columns.items() {
                for node in column.children(["jsonPath", "JSONPath"]) {
                    self.path(&node, "this column stays empty for new objects", &mut findings);
                }
            }
            for field in selectable.items() {
                self.path(&field.child("jsonPath"), "no new object matches this field", &mut findings);
            }
            let scale = subresources.child("scale");
            for node in scale.children(["specReplicasPath", "statusReplicasPath", "labelSelectorPath"]) {
                self.path(&node, "scaling does not work for new objects", &mut findings);
            }
        }
        findings
    }

    fn path(&self, node: &Node<'_, '_>, effect: &str, findings: &mut Vec<Finding>) {
        let Some(path) = node.optional_text() else { return };
        let Ok(Some(located)) = jsonpath::parse(&path) else { return };
        let names = located.into_iter().map_while(|located| match located.step {
            PathStep::Field(name) => Some(name),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        if let Some(field) = self.at_or_above(&names) {
            let message = format!("{effect} while {}", disabled_gate(field));
            let place = (node.range(), node.path().clone());
            findings.push(new_finding(Code::GatesPath, Severity::Information, place, message, field));
        }
    }
}

/// The findings on the parts of the schema at `place` that depend on the hidden field at `steps`.
fn in_schema(
    definition: &Definition<'_, '_>,
    place: &SchemaPlace<'_>,
    steps: &[String],
    field: &GatedField,
) -> Vec<Finding> {
    let Some((name, above)) = steps.split_last() else { return Vec::new() };
    let mut path = place.path.clone();
    let Some(mut holder) = Schema::read(place.value, definition.reader()) else { return Vec::new() };
    for step in above {
        let below = holder.members(Keyword::Properties).get(step).map(|entry| entry.value());
        let Some(below) = below.and_then(|value| Schema::read(value, definition.reader())) else {
            return Vec::new();
        };
        path = path.child(Keyword::Properties.as_str()).key(step);
        holder = below;
    }
    let mut findings = Vec::new();
    for (range, tail) in required(&holder, name) {
        let which =
            if above.is_empty() { String::new() } else { format!(" that has `.{}`", above.join(".")) };
        let message = format!(
            "`{name}` is required, so every new object{which} is rejected while {}",
            disabled_gate(field)
        );
        let place = (range, path.join(tail.segments()));
        findings.push(new_finding(Code::GatesRequired, Severity::Error, place, message, field));
    }
    let Some(entry) = holder.members(Keyword::Properties).get(name) else { return findings };
    let path = path.child(Keyword::Properties.as_str()).key(name);
    let message = format!(
        "`{}` is published to `kubectl explain` and clients while {}; new objects lose it",
        field.path,
        disabled_gate(field)
    );
    let place = (entry.key_range(), path.clone());
    findings.push(new_finding(Code::GatesPublished, Severity::Hint, place, message, field));
    let schema = Schema::read(entry.value(), definition.reader());
    if let Some(default) = schema.as_ref().and_then(|schema| schema.entry(Keyword::Default)) {
        let message = format!("no new object gets this default while {}", disabled_gate(field));
        let place = (default.key_range(), path.child(Keyword::Default.as_str()));
        findings.push(new_finding(Code::GatesDefaultDropped, Severity::Information, place, message, field));
    }
    findings
}

/// The places where `holder`, or a branch of its `allOf`, requires `name`; paths are relative to `holder`.
fn required(holder: &Schema<'_, '_>, name: &str) -> Vec<(TextRange, FieldPath)> {
    let own = [(holder.clone(), FieldPath::root())];
    let branches = holder.items(Keyword::AllOf).enumerate().filter_map(|(index, item)| {
        let path = FieldPath::root().child(Keyword::AllOf.as_str()).index(index);
        Some((Schema::read(item.value(), holder.reader())?, path))
    });
    let mut found = Vec::new();
    for (schema, path) in own.into_iter().chain(branches) {
        for (index, item) in schema.items(Keyword::Required).enumerate() {
            let text = schema.reader().follow(item.value()).and_then(yaml::Value::as_scalar);
            if text.and_then(|text| text.as_str()).is_some_and(|text| text == name) {
                let path = path.child(Keyword::Required.as_str()).index(index);
                found.push((item.value().range(), path));
            }
        }
    }
    found
}

/// The gate that is off, with the reason.
fn disabled_gate(field: &GatedField) -> String {
    format!("the feature gate `{}` is off ({})", field.gate, field.reason)
}

fn new_finding(
    code: Code,
    severity: Severity,
    place: (TextRange, FieldPath),
    message: impl Into<Message>,
    field: &GatedField,
) -> Finding {
    let mut found = finding(code, severity, place, message);
    found.related.push(RelatedInformation::here(field.range, format!("the gate of `{}`", field.path)));
    found
}
