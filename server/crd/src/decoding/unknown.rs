//! Messages for fields that their object does not have: the right place of the field, or its probable name.

use api::{JSON_SCHEMA_PROPS, ObjectType};
use yaml::scalar::go_quote;
use yaml::{Mapping, Reader, Value};

use super::field_synonyms::field_meant;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::reading::members;
use crate::report::ApiVersion;
use crate::suggest::nearest_field;

/// Remedies for fields of v1beta1 that v1 has in another place, by type and field.
const MOVED: &[(&str, &str, &str)] = &[
    ("CustomResourceDefinitionSpec", "validation", "move its schema to `schema` in each version"),
    ("CustomResourceDefinitionSpec", "version", "use `versions`"),
    ("CustomResourceDefinitionSpec", "subresources", "move it into each version"),
    ("CustomResourceDefinitionSpec", "additionalPrinterColumns", "move it into each version"),
    ("CustomResourceDefinitionSpec", "selectableFields", "move it into each version"),
    ("CustomResourceColumnDefinition", "JSONPath", "write `jsonPath`"),
    ("CustomResourceConversion", "webhookClientConfig", "move it to `webhook` as `clientConfig`"),
    ("CustomResourceConversion", "conversionReviewVersions", "move it to `conversion.webhook`"),
];

const CONDITION: &str = "write the condition with `anyOf` and `not`, or as a CEL rule";

/// Keywords of JSON Schema and of other schema languages that the server does not support, with their remedies.
const KEYWORDS: [(&str, &str); 16] = [
    ("$comment", "use a YAML comment"),
    ("$defs", "write each schema where it is used"),
    ("const", "use `enum` with one value"),
    ("contains", "use a CEL rule with `exists()`"),
    ("dependentRequired", "use a CEL rule with `has()`"),
    ("dependentSchemas", CONDITION),
    ("else", CONDITION),
    ("examples", "use `example` with one value"),
    ("if", CONDITION),
    ("immutable", "use the CEL rule `self == oldSelf`"),
    ("optional", "remove it, because fields are optional unless `required` lists them"),
    ("propertyNames", "use a CEL rule for the keys"),
    ("readOnly", "remove it"),
    ("then", CONDITION),
    ("unevaluatedProperties", "remove it"),
    ("writeOnly", "remove it"),
];

/// The maximum number of nested objects that may be missing around a field: `schema` and `openAPIV3Schema`.
const DEPTH: usize = 2;

/// An object on the path to a field.
pub(super) struct Holder<'t> {
    pub(super) mapping: Mapping<'t>,
    pub(super) object: &'static ObjectType,
    /// The number of steps to the object.
    pub(super) depth: usize,
}

/// The message for the field `name`, which the last of `holders` does not have; `path` leads to that holder,
/// and its first `root` steps to the definition. `noticed` is true if strict decoding reports the field.
pub(super) fn message(
    name: &str,
    holders: &[Holder<'_>],
    (path, root): (&FieldPath, usize),
    noticed: bool,
    version: ApiVersion,
    reader: &Reader<'_>,
) -> Message {
    let shown = quoted_name(name);
    let dropped = |problem: String, joint: &str| match noticed {
        true => Message::new(problem),
        false => Message::new(format!("{problem}, {joint} an error")),
    };
    let unknown = |remedy: &str| {
        dropped(format!("unknown field {shown}"), "which kube-apiserver ignores without").advise(remedy)
    };
    let Some(holder) = holders.last() else { return unknown("remove it or correct its name") };
    let object = holder.object;
    let is_moved = |(of, field, _): &&(&str, &str, &str)| (*of, *field) == (object.name, name);
    if let Some((_, _, remedy)) = MOVED.iter().find(is_moved).filter(|_| version == ApiVersion::V1) {
        let place = object_description(path, root, holder.depth, Article::A);
        return Message::new(format!("{shown} is not a field of {place} in `v1`")).advise(*remedy);
    }
    // Only newer servers have the field; otherwise it would not be unknown.
    if let Some(minor) = object.field(name).and_then(|field| field.since) {
        return unknown(&format!("remove it, or require Kubernetes 1.{minor}"));
    }
    let is_schema = object.name == JSON_SCHEMA_PROPS.name;
    if is_schema {
        if let Some((_, remedy)) = KEYWORDS.iter().find(|(keyword, _)| *keyword == name) {
            let problem = format!("{shown} is unsupported");
            return dropped(problem, "and kube-apiserver ignores it without").advise(*remedy);
        }
    } else if let Some((place, is_taken)) = place_of_field(name, holders, path, root, reader) {
        let remedy = match is_taken {
            true => format!("remove it, because {place} already has it"),
            false => format!("move it to {place}"),
        };
        let here = object_description(path, root, holder.depth, Article::A);
        return Message::new(format!("{shown} is not a field of {here}")).advise(remedy);
    }
    let of_other_languages = || field_meant(name, object, holder.mapping, reader);
    let nearest = nearest_field(name, object.fields.iter().map(|field| field.name)).map(|(field, _)| field);
    match of_other_languages().or(nearest) {
        Some(field) => unknown(&format!("write `{field}`")),
        None => unknown("remove it or correct its name"),
    }
}

/// A name in backticks, or quoted if it has other characters than names.
fn quoted_name(name: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "-_.$/".contains(char);
    match !name.is_empty() && name.chars().all(is_plain) {
        true => format!("`{name}`"),
        false => go_quote(name),
    }
}

/// The place where the definition has the field `name`, and whether the field is already set there. The place
/// is below the last of `holders`, or is an ancestor of it.
fn place_of_field(
    name: &str,
    holders: &[Holder<'_>],
    path: &FieldPath,
    root: usize,
    reader: &Reader<'_>,
) -> Option<(String, bool)> {
    let (holder, around) = holders.split_last()?;
    if let Some(steps) = (1..=DEPTH).find_map(|depth| below(holder.object, name, depth)) {
        let is_taken = is_set(holder.mapping, &steps, name, reader);
        return Some((format!("`{}`", steps.join(".")), is_taken));
    }
    let is_schema = |holder: &&Holder<'_>| holder.object.name == JSON_SCHEMA_PROPS.name;
    let outer = around.iter().rev().take_while(|holder| !is_schema(holder));
    let outer = outer.into_iter().find(|holder| holder.object.field(name).is_some())?;
    let place = object_description(path, root, outer.depth, Article::The);
    Some((place, is_set(outer.mapping, &[], name, reader)))
}

/// The only path through `depth` objects below `object` to an object with the field `name`.
fn below(object: &ObjectType, name: &str, depth: usize) -> Option<Vec<&'static str>> {
    let mut ways = object.fields.iter().filter_map(|field| {
        // The server writes the status.
        let inner = match field.ty {
            api::FieldType::Object(inner) if inner.name != "CustomResourceDefinitionStatus" => inner,
            _ => return None,
        };
        let mut steps = vec![field.name];
        match depth {
            1 => inner.field(name)?,
            _ if inner.name == JSON_SCHEMA_PROPS.name => return None,
            _ => {
                steps.extend(below(inner, name, depth - 1)?);
                return Some(steps);
            }
        };
        Some(steps)
    });
    let steps = ways.next()?;
    ways.next().is_none().then_some(steps)
}

/// Whether the field `name` is set at the path `steps` below `mapping`.
fn is_set<'t>(mapping: Mapping<'t>, steps: &[&str], name: &str, reader: &Reader<'t>) -> bool {
    let inner = steps.iter().try_fold(mapping, |mapping, step| {
        reader.follow(members(mapping, reader).get(step)?.value()).and_then(Value::as_mapping)
    });
    inner.is_some_and(|mapping| members(mapping, reader).get(name).is_some())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Article {
    A,
    The,
}

/// A description of the object at the first `depth` steps of `path`.
fn object_description(path: &FieldPath, root: usize, depth: usize, article: Article) -> String {
    let steps = path.segments().get(root..depth).unwrap_or_default();
    let is_the = article == Article::The;
    match steps {
        [] if is_the => "the root of the definition".to_owned(),
        [] => "the root".to_owned(),
        [.., Segment::Name(list), Segment::Index(_)] => match &**list {
            "versions" if is_the => "the version".to_owned(),
            "versions" => "a version".to_owned(),
            "additionalPrinterColumns" => "a printer column".to_owned(),
            list => format!("an item of `{list}`"),
        },
        [.., last] => format!("`{}`", last.key().unwrap_or_default()),
    }
}
