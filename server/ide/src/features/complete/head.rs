//! Completion of `apiVersion` and `kind`, from the known definitions.

use std::borrow::Cow;

use api::FieldType;
use crd::{FieldPath, Segment, value_at};
use yaml::{Scalar, Value, ValueKind};

use super::objects::{self, names};
use super::values::quoted_text;
use super::{ProposalDraft, ProposalList, Request, is_field, is_on_one_line};
use crate::analysis::resources::{ResourcePlace, Shape, Target, find};
use crate::features::cel::{CompletionKind, InsertedPiece};

const VALUE: u8 = 1;
/// The kind of a list of objects of any kinds.
const LIST: &str = "List";

/// Whether `path` is that of `apiVersion` or `kind`.
pub(super) fn is_named(path: &FieldPath) -> bool {
    is_field(path, "apiVersion") || is_field(path, "kind")
}

/// The object whose `apiVersion` or `kind` is at `place` of `resource`: the resource, or an object embedded
/// in it.
pub(super) fn object_named<'a>(
    request: &Request<'a, '_>,
    resource: Value<'a>,
    place: &ResourcePlace<'a, '_>,
) -> Option<Value<'a>> {
    let Target::Value(_) = place.target else { return None };
    let (last, above) = place.path.segments().split_last()?;
    let is_head = matches!(last.key(), Some("apiVersion" | "kind"));
    // A property with one of these names that a schema declares is an ordinary field.
    let is_of_api = above.is_empty() || matches!(place.shape, Shape::Api(FieldType::String));
    value_at(resource, above, request.reader).filter(|_| is_head && is_of_api)
}

/// Proposals in an object of an unknown kind.
pub(super) fn complete<'a>(request: &Request<'a, '_>, items: &mut ProposalList<'_>) -> Option<()> {
    let root = request.document.root()?;
    if let ValueKind::Scalar(scalar) = root.kind() {
        items.range = request.probe.in_text(root.range());
        if is_on_one_line(scalar) && request.line_before(items.range.start).is_empty() {
            objects::propose(request, &typed(request, scalar), 0, items);
            if !request.is_json_file() {
                key("apiVersion", false, items);
                key("kind", false, items);
            }
        }
        return Some(());
    }
    let place = find(root, Shape::Open, request.probe.at)?;
    match place.target {
        Target::Value(item)
            if is_item(&place.path) && text(request, root, "kind").as_deref() == Some(LIST) =>
        {
            let scalar = item.as_scalar().filter(|scalar: &Scalar<'_>| is_on_one_line(*scalar))?;
            items.range = request.probe.in_text(item.range());
            let before = request.line_before(items.range.start);
            // Clients repeat the blanks before the dash on each line.
            let behind_dash = before.len() - before.len().min(request.probe.indent());
            if !place.in_flow && before.trim_start().starts_with('-') {
                objects::propose(request, &typed(request, scalar), behind_dash, items);
            }
            Some(())
        }
        Target::Value(_) if is_named(&place.path) => values(request, root, &place, items),
        Target::Value(_) if let Some(item) = item_around(request, root, &place.path) => {
            values(request, item, &place, items)
        }
        Target::Key(_) if place.path.len() == 1 && (is_object(request, root) || is_alone(root)) => {
            let entry = place.entry.filter(|entry| entry.colon().is_none())?;
            items.range = request.probe.in_text(entry.key_range());
            // A word without quotes in braces starts YAML or JSON. JSON is proposed, because it is also YAML.
            let in_quotes = is_alone(root) || request.is_json(&place);
            for name in ["apiVersion", "kind"] {
                if text(request, root, name).is_none() {
                    key(name, in_quotes, items);
                }
            }
            Some(())
        }
        _ => None,
    }
}

/// The part of the name of a kind that is already typed.
fn typed<'a>(request: &Request<'a, '_>, scalar: Scalar<'a>) -> Cow<'a, str> {
    if request.probe.is_blank() { Cow::default() } else { scalar.text() }
}

/// Whether `path` is that of an item in a list of objects.
fn is_item(path: &FieldPath) -> bool {
    matches!(path.segments(), [items, Segment::Index(_)] if items.key() == Some("items"))
}

/// The object in a `List` whose `apiVersion` or `kind` is at `path`.
fn item_around<'a>(request: &Request<'a, '_>, root: Value<'a>, path: &FieldPath) -> Option<Value<'a>> {
    let [item @ .., field] = path.segments() else { return None };
    let is_wanted = matches!(field.key(), Some("apiVersion" | "kind"))
        && matches!(item, [items, Segment::Index(_)] if items.key() == Some("items"))
        && text(request, root, "kind").as_deref() == Some(LIST);
    value_at(root, item, request.reader).filter(|_| is_wanted)
}

/// Whether the mapping has `apiVersion` or `kind`.
fn is_object<'a>(request: &Request<'a, '_>, root: Value<'a>) -> bool {
    ["apiVersion", "kind"].iter().any(|name| text(request, root, name).is_some())
}

/// Whether `root` is in braces and has exactly one entry.
fn is_alone(root: Value<'_>) -> bool {
    let entries = root.as_mapping().filter(|root| root.is_flow()).map(yaml::Mapping::entries);
    entries.is_some_and(|entries| entries.take(2).count() == 1)
}

fn text<'a>(request: &Request<'a, '_>, object: Value<'a>, name: &str) -> Option<String> {
    let value = request.reader.entry(object.as_mapping()?, name)?.value();
    value.as_scalar()?.as_str().map(|text| text.into_owned())
}

fn key(name: &str, in_quotes: bool, items: &mut ProposalList<'_>) {
    let text = |text: String| InsertedPiece::Text(text.into());
    let stop = || InsertedPiece::Stop("".into());
    let pieces = match in_quotes {
        true => vec![text(format!("\"{name}\": \"")), stop(), text("\"".to_owned())],
        false => vec![text(format!("{name}: ")), stop()],
    };
    let item = items.add(ProposalDraft {
        label: name.to_owned(),
        kind: CompletionKind::Field,
        rank: VALUE,
        detail: "string · required".to_owned(),
        documentation: String::new(),
        pieces,
    });
    if let Some(item) = item {
        item.suggests_again = true;
    }
}

/// Proposes values of `apiVersion` and `kind`.
pub(super) fn values<'a>(
    request: &Request<'a, '_>,
    object: Value<'a>,
    place: &ResourcePlace<'a, '_>,
    items: &mut ProposalList<'_>,
) -> Option<()> {
    let Target::Value(value) = place.target else { return None };
    let scalar = value.as_scalar().filter(|scalar: &Scalar<'_>| is_on_one_line(*scalar))?;
    items.range = request.probe.in_text(scalar.token().range());
    let is_kind = place.path.segments().last().is_some_and(|field| field.key() == Some("kind"));
    let other = text(request, object, if is_kind { "apiVersion" } else { "kind" });
    let mut found: Vec<String> = Vec::new();
    for (version, kind) in names(request) {
        let (name, matches) = match (is_kind, &other) {
            (true, other) => (kind, other.as_deref().is_none_or(|other| other == version)),
            (false, other) => (version, other.as_deref().is_none_or(|other| other == kind)),
        };
        if matches {
            found.push(name);
        }
    }
    found.sort();
    found.dedup();
    for name in found {
        let Some(written) = quoted_text(request, place, scalar.style(), &name, true) else { continue };
        items.push(ProposalDraft {
            label: name,
            kind: CompletionKind::Value,
            rank: VALUE,
            detail: String::new(),
            documentation: String::new(),
            pieces: vec![InsertedPiece::Text(written.into())],
        });
    }
    Some(())
}
