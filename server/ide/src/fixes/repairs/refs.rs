//! Repairs of `$ref` to `definitions` of the same schema: expands the referenced schemas.

use api::Code;
use crd::schema::{Keyword, Schema, referenced_name};
use yaml::edit::{NewEntry, NewValue};
use yaml::{Value, ValueKind};

use super::super::plan::Change;
use super::keywords::dropped;
use super::site::Site;
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, string, text};

pub(super) const REPAIRS: &[(Code, Repairer)] =
    &[(Code::SchemaForbiddenDefinitions, unused), (Code::SchemaForbiddenRef, inline)];

/// The maximum number of values in the expansion of one reference.
const MOST_VALUES: usize = 2_000;
/// The deepest nesting of references.
const MOST_DEPTH: usize = 50;

/// Removes definitions without references.
fn unused<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Definitions) else { return Vec::new() };
    if is_used(&schema, Keyword::Definitions.as_str()) {
        return Vec::new();
    }
    dropped(&schema, Keyword::Definitions, true).into_iter().collect()
}

/// Whether any keyword of `schema` other than `key` refers to a value below `key`.
pub(super) fn is_used(schema: &Schema<'_, '_>, key: &str) -> bool {
    let Some(mapping) = schema.value().as_mapping() else { return true };
    let pointer = format!("#/{key}/");
    let mut others = mapping.entries().filter(|entry| entry.key_text().is_none_or(|other| other != key));
    others.any(|entry| {
        let text = entry.syntax().text();
        text.contains(&pointer)
    })
}

/// The state of an expansion: `within` has the names of the definitions that are being expanded.
struct Expansion<'s, 'r, 't> {
    site: &'s Site<'s, 'r, 't>,
    within: Vec<String>,
    values: usize,
}

/// The reason why a reference cannot be expanded.
enum ExpansionRefusal {
    /// The referenced schema refers to itself.
    Cycle(String),
    /// The reference names no schema here, or one that is too large.
    Other,
}

/// Replaces a schema that cannot be resolved with one that accepts any object.
fn accept_any_object<'t>(schema: &Schema<'_, 't>) -> Repair<'t> {
    let entries = vec![
        NewEntry::new("type", text("object")),
        NewEntry::new("x-kubernetes-preserve-unknown-fields", NewValue::yes()),
    ];
    let flow = schema.value().as_mapping().is_some_and(yaml::Mapping::is_flow);
    let change = Change::Replace(schema.value(), NewValue::Mapping { entries, flow });
    Repair::suggested("Replace `$ref` with an object that keeps all fields", vec![change])
}

fn inline<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Ref) else { return Vec::new() };
    let Some(entry) = schema.entry(Keyword::Ref) else { return Vec::new() };
    let drop = || Repair::suggested(Title::removal("`$ref`"), vec![Change::Remove(schema.value(), entry)]);
    let is_alone = schema.value().as_mapping().is_some_and(|mapping| mapping.entries().count() == 1);
    let Some(name) = string(entry.value()).and_then(|reference| referenced_name(&reference)) else {
        return if is_alone { vec![accept_any_object(&schema)] } else { vec![drop()] };
    };
    let mut expansion = Expansion { site, within: Vec::new(), values: 0 };
    match expansion.definition(&name) {
        Ok(NewValue::Mapping { entries, .. }) if !is_alone => {
            let own = |key: &str| own_entry(schema.value(), key).is_some();
            let mut changes = vec![Change::Remove(schema.value(), entry)];
            let added = entries.into_iter().filter(|entry| !own(&entry.key));
            changes.extend(added.map(|entry| Change::Insert(schema.value(), entry)));
            vec![Repair::safe(format!("Inline the definition `{name}`"), changes)]
        }
        Ok(definition) if is_alone => {
            let change = Change::Replace(schema.value(), definition);
            vec![Repair::safe(format!("Inline the definition `{name}`"), vec![change])]
        }
        Err(ExpansionRefusal::Cycle(cycle)) => {
            let entries = vec![
                NewEntry::new("type", text("object")),
                NewEntry::new(Keyword::PreserveUnknownFields.as_str(), NewValue::yes()),
            ];
            let any = NewValue::Mapping { entries, flow: false };
            let title = format!("Accept any object here (`{cycle}` is recursive)");
            vec![Repair::suggested(title, vec![Change::Replace(schema.value(), any)])]
        }
        _ if is_alone => Vec::new(),
        _ => vec![drop()],
    }
}

impl<'t> Expansion<'_, '_, 't> {
    fn definition(&mut self, name: &str) -> Result<NewValue<'t>, ExpansionRefusal> {
        if self.within.iter().any(|other| other == name) {
            return Err(ExpansionRefusal::Cycle(name.to_owned()));
        }
        let found = self.site.owners().find_map(|owner| {
            let of = |key| own_entry(own_entry(owner.value(), key)?.value(), name);
            of("definitions").or_else(|| of("$defs"))
        });
        let value = found.ok_or(ExpansionRefusal::Other)?.value();
        if value.as_mapping().is_none() || self.within.len() > MOST_DEPTH {
            return Err(ExpansionRefusal::Other);
        }
        self.within.push(name.to_owned());
        let written = self.mapping(value);
        self.within.pop();
        written
    }

    /// `value` with all its references expanded.
    fn value(&mut self, value: Value<'t>) -> Result<NewValue<'t>, ExpansionRefusal> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(ExpansionRefusal::Other);
        }
        let written = value.node().map(|node| node.text()).unwrap_or_default();
        if !written.contains("$ref") {
            return Ok(NewValue::Copy(value));
        }
        match value.kind() {
            ValueKind::Mapping(_) => self.mapping(value),
            ValueKind::Sequence(sequence) => {
                let items: Result<_, _> = sequence.items().map(|item| self.value(item.value())).collect();
                Ok(NewValue::Sequence { items: items?, flow: sequence.is_flow() })
            }
            _ => Ok(NewValue::Copy(value)),
        }
    }

    fn mapping(&mut self, value: Value<'t>) -> Result<NewValue<'t>, ExpansionRefusal> {
        if let Some(name) = own_entry(value, "$ref")
            .and_then(|entry| string(entry.value()))
            .and_then(|text| referenced_name(&text))
        {
            return self.definition(&name);
        }
        let mapping = value.as_mapping().ok_or(ExpansionRefusal::Other)?;
        let mut entries = Vec::new();
        for entry in mapping.entries() {
            let key = entry.key_text().ok_or(ExpansionRefusal::Other)?.into_owned();
            entries.push(NewEntry::new(key, self.value(entry.value())?));
        }
        Ok(NewValue::Mapping { entries, flow: mapping.is_flow() })
    }
}
