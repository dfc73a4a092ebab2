//! The requirements for `x-kubernetes-unions`.

use std::collections::BTreeSet;

use api::{Code, Severity};
use text::TextRange;
use yaml::Value;

use super::{Name, Union, allowed, entry, property};
use crate::experimental::{Definition, UNIONS, finding};
use crate::field_path::FieldPath;
use crate::finding::Finding;
use crate::message::Message;
use crate::schema::{Keyword, Schema};
use crate::suggest::did_you_mean;

/// The code of findings that are not errors, but that the server does not enforce.
const NOT_ENFORCED: Code = Code::UnionsNotEnforced;

/// The maximum number of schema nodes that are visited.
const MOST_NODES: usize = 200_000;

/// The findings on the unions in the schemas of `definition`.
pub(in crate::experimental) fn check(definition: &Definition<'_, '_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let places = definition.schemas().into_iter();
    // An explicit stack, because the text may have any depth.
    let mut pending: Vec<(Value<'_>, FieldPath, Option<Keyword>)> =
        places.map(|place| (place.value, place.path, None)).collect();
    let mut nodes = 0;
    while let Some((value, path, junctor)) = pending.pop() {
        nodes += 1;
        // The target of an alias is visited where it is written.
        let Some(schema) = value.as_mapping().and_then(|_| Schema::read(value, definition.reader())) else {
            continue;
        };
        if nodes > MOST_NODES {
            break;
        }
        if let Some(entry) = entry(&schema) {
            let path = path.child(UNIONS);
            for (code, range, message) in node(&schema, entry, junctor).problems {
                let severity = if code == NOT_ENFORCED { Severity::Information } else { Severity::Error };
                findings.push(finding(code, severity, (range, path.clone()), message));
            }
        }
        for (keyword, entry) in schema.entries() {
            let path = path.child(keyword.as_str());
            let junctor = junctor.or(keyword.is_junctor().then_some(keyword));
            match keyword {
                Keyword::Properties => {
                    for (name, entry) in schema.members(keyword).entries {
                        pending.push((entry.value(), path.key(&name), junctor));
                    }
                }
                Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf => {
                    for (index, item) in schema.items(keyword).enumerate() {
                        pending.push((item.value(), path.index(index), junctor));
                    }
                }
                Keyword::Items | Keyword::AdditionalProperties | Keyword::Not => {
                    pending.push((entry.value(), path, junctor));
                }
                _ => {}
            }
        }
    }
    findings
}

/// Problems with their places.
#[derive(Default)]
struct UnionProblems {
    problems: Vec<(Code, TextRange, Message)>,
}

impl UnionProblems {
    fn add(&mut self, code: Code, range: TextRange, message: impl Into<Message>) {
        self.problems.push((code, range, message.into()));
    }
}

/// The problems of the unions of one schema node, whose keyword is `entry`.
fn node(schema: &Schema<'_, '_>, entry: yaml::Entry<'_>, junctor: Option<Keyword>) -> UnionProblems {
    let (key, mut wrong) = (entry.key_range(), UnionProblems::default());
    if let Some(junctor) = junctor {
        let problem = format!("extensions are not allowed inside `{}`", junctor.as_str());
        let message = Message::new(problem).advise("move it outside");
        wrong.add(Code::UnionsPlace, key, message);
        return wrong;
    }
    if !schema.type_name().is("object") {
        wrong.add(Code::UnionsPlace, key, "only an object can have unions of its fields");
        return wrong;
    }
    let unions = Union::all(schema);
    let list = schema.reader().follow(entry.value()).and_then(Value::as_sequence);
    if list.is_none_or(|list| unions.is_empty() || list.items().count() != unions.len()) {
        wrong.add(Code::UnionsForm, key, "use a list of unions, each with `discriminator` and `fields`");
        return wrong;
    }
    let mut members: BTreeSet<&str> = BTreeSet::new();
    for union in &unions {
        discriminator(union, key, schema, &mut wrong);
        values(union, key, &mut wrong);
        for (field, _) in &union.fields {
            if !members.insert(&field.text) {
                let message = format!("`{}` already belongs to a union", field.text);
                wrong.add(Code::UnionsField, field.range, message);
            }
            member(union, field, schema, &mut wrong);
        }
    }
    if wrong.problems.is_empty() && !unions.iter().all(|union| union.is_unfolded_in(schema)) {
        let message = Message::new("kube-apiserver drops unions")
            .advise("add `oneOf` and `enum` so that resources are validated");
        wrong.add(NOT_ENFORCED, key, message);
    }
    wrong
}

/// The discriminator must be a property of the object, a string, and its enum must have the values of the
/// fields.
fn discriminator(union: &Union, key: TextRange, schema: &Schema<'_, '_>, wrong: &mut UnionProblems) {
    let Some(name) = &union.discriminator else {
        return wrong.add(
            Code::UnionsForm,
            key,
            "a union needs a `discriminator`, the field that names which field is set",
        );
    };
    let Some(property) = property(schema, &name.text) else {
        let message = format!(
            "the schema declares no discriminator `{}`{}",
            name.text,
            similar_field(&name.text, schema)
        );
        return wrong.add(Code::UnionsDiscriminator, name.range, message);
    };
    if !property.type_name().is("string") {
        let message = format!("the discriminator `{}` must have type string", name.text);
        return wrong.add(Code::UnionsDiscriminator, name.range, message);
    }
    let allowed = allowed(&property);
    if property.get(Keyword::Enum).is_none() || union.fields.is_empty() {
        return;
    }
    for (_, value) in union.fields.iter().filter(|(_, value)| !allowed.contains(&value.text)) {
        let message = format!("the `enum` of `{}` does not allow `{}`", name.text, value.text);
        wrong.add(Code::UnionsDiscriminator, value.range, message);
    }
    let is_named = |text: &&String| !union.fields.iter().any(|(_, value)| value.text == **text);
    for value in allowed.iter().filter(is_named) {
        let message =
            format!("no field of the union belongs to `{value}`, which the `enum` of `{}` allows", name.text);
        wrong.add(Code::UnionsDiscriminator, name.range, message);
    }
}

/// There must be fields, and each value of the discriminator must belong to exactly one of them.
fn values(union: &Union, key: TextRange, wrong: &mut UnionProblems) {
    if union.fields.is_empty() {
        wrong.add(Code::UnionsForm, key, "a union needs `fields`, each with its value of the discriminator");
    }
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (_, value) in &union.fields {
        if !known.insert(&value.text) {
            wrong.add(
                Code::UnionsField,
                value.range,
                format!("`{}` already belongs to another field", value.text),
            );
        }
    }
}

/// A field of a union must be an optional property.
fn member(union: &Union, field: &Name, schema: &Schema<'_, '_>, wrong: &mut UnionProblems) {
    let name = &*field.text;
    if union.discriminator.as_ref().is_some_and(|discriminator| discriminator.text == name) {
        return wrong.add(Code::UnionsField, field.range, format!("`{name}` is the discriminator"));
    }
    if property(schema, name).is_none() {
        let message = format!("the schema declares no `{name}`{}", similar_field(name, schema));
        return wrong.add(Code::UnionsField, field.range, message);
    }
    let required = schema.items(Keyword::Required).filter_map(|item| schema.reader().follow(item.value()));
    let mut required = required.filter_map(|value| value.as_scalar()?.as_str());
    if required.any(|required| required == name) {
        let message = format!("`{name}` is required, so no other field of the union can be set");
        wrong.add(Code::UnionsField, field.range, message);
    }
}

fn similar_field(name: &str, schema: &Schema<'_, '_>) -> String {
    let properties = schema.members(Keyword::Properties).entries;
    did_you_mean(name, properties.iter().map(|(name, _)| name.as_ref()))
}
