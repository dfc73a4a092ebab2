//! Completion of the keys of an object.

use api::{Field, OBJECT_META};
use yaml::scalar::ScalarStyle;
use yaml::{Value, ValueKind};

use super::draft::Draft;
use super::fitting::SchemaContext;
use super::proposal::has_known_values;
use super::skeleton::{InsertionPoint, Skeleton, entry};
use super::{ProposalDraft, ProposalList, Request, declared_properties, is_on_one_line, values};
use crate::KubernetesVersion;
use crate::analysis::resources::{Member, ResourcePlace, Shape};
use crate::features::cel::{CompletionKind, InsertedPiece};
use crate::features::indent::Layout;
use crate::features::resources::{body, of_any_object, signature};

/// Fields that identify an item within its list.
const IDENTIFYING: u8 = 1;
/// The type of a schema, on which the other keywords depend.
const LEADING: u8 = 0;
const REQUIRED: u8 = 2;
const OPTIONAL: u8 = 3;
/// Fields that the server writes.
const LAST: u8 = 4;

/// Fields of an object that only the server writes.
const OF_THE_SERVER: [&str; 8] = [
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
];

/// The field that cluster-scoped objects do not have.
const NAMESPACE: &str = "namespace";

/// Fields that are optional in the API, but without which the server rejects the definition.
const REQUIRED_IN_PRACTICE: [(&str, &str); 1] = [("CustomResourceDefinitionVersion", "schema")];

/// Fields that few definitions have, or that the server writes.
const RARE: [(&str, &str); 4] = [
    ("CustomResourceDefinition", "status"),
    ("CustomResourceDefinitionSpec", "preserveUnknownFields"),
    ("CustomResourceDefinitionVersion", "deprecated"),
    ("CustomResourceDefinitionVersion", "deprecationWarning"),
];

/// The style of a key.
#[derive(Clone, Copy)]
pub(super) struct Key<'d> {
    pub(super) style: ScalarStyle,
    /// Whether the key has a value already, which it keeps.
    pub(super) has_value: bool,
    pub(super) insertion_point: InsertionPoint<'d>,
}

/// Proposes the missing keys of the mapping `holder` for the key at `place`.
pub(super) fn at_key<'a>(
    request: &Request<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    holder: Value<'a>,
    items: &mut ProposalList<'_>,
) -> Option<()> {
    let (own, mapping) = (place.entry?, holder.as_mapping()?);
    let entries = request.reader.entries(mapping).into_iter();
    let others = entries.filter(|(_, entry)| entry.range().start != own.range().start);
    let known: Vec<String> = others.map(|(key, _)| key.into_owned()).collect();
    let mut known: Vec<&str> = known.iter().map(String::as_str).collect();
    items.range = request.probe.in_text(own.key_range());
    // A key that spans several lines includes the text below.
    let is_whole_line = own.key().as_scalar().is_none_or(is_on_one_line);
    if own.key_range().is_empty() || !is_whole_line {
        return None;
    }
    let column = request.line_before(items.range.start).len().saturating_sub(request.probe.indent());
    let is_json = request.is_json(place);
    let draft = Draft::at(request);
    let point = InsertionPoint {
        column,
        in_flow: place.in_flow,
        is_json,
        layout: Layout::of(request.document, &request.probe.tree),
        draft: Some(&draft),
    };
    let style = own.key().as_scalar().map_or(ScalarStyle::Plain, yaml::Scalar::style);
    let style = if is_json { ScalarStyle::DoubleQuoted } else { style };
    // A list may be in the column of its key.
    let before = mapping.entries().rfind(|entry| entry.range().start < own.range().start);
    let before = before.filter(|entry| matches!(entry.value().kind(), ValueKind::Absent) && !place.in_flow);
    if let Some(list) = before.and_then(|entry| place.shape.member(&entry.key_text()?)) {
        values::item(&list, point, String::new(), items);
        // A key would separate the existing items from their list.
        if list.shape.is_list() && mapping.column().is_some_and(|own| request.probe.is_before_item(own)) {
            return Some(());
        }
    }
    let key = Key { style, has_value: own.colon().is_some(), insertion_point: point };
    declared_properties::propose(request, place, &known, (key, ""), items);
    if matches!(place.path.segments(), [metadata, _] if metadata.key() == Some("metadata")) {
        known.extend(request.is_cluster_scoped().then_some(NAMESPACE));
    }
    let around = SchemaContext::of_schema(place.shape, || request.site_of_key(&place.path));
    propose_for(request.view.settings.kubernetes_version, place.shape, &known, &around, |member, rank| {
        let mut skeleton = skeleton(place.shape, &member, key);
        if !key.has_value {
            open_values(&member, &around, point, &mut skeleton);
        }
        push(member, rank, skeleton, items);
    });
    Some(())
}

/// The text to insert for that key of `holder`.
pub(super) fn skeleton(holder: Shape<'_>, member: &Member<'_>, key: Key<'_>) -> Skeleton {
    if !key.has_value {
        return key_skeleton(holder, member, key.style, key.insertion_point);
    }
    let name = quoted_as(&member.name, key.style);
    let name = name.unwrap_or_else(|| yaml::edit::quoted(&member.name, key.insertion_point.in_flow));
    Skeleton { pieces: vec![InsertedPiece::Text(name.into())], suggests_again: false }
}

/// `name` in the quotes of `style`; `None` if the style has no quotes.
fn quoted_as(name: &str, style: ScalarStyle) -> Option<String> {
    match style {
        ScalarStyle::DoubleQuoted => Some(yaml::Json::String(name.to_owned()).to_string()),
        ScalarStyle::SingleQuoted => Some(format!("'{}'", name.replace('\'', "''"))),
        _ => None,
    }
}

/// The key in the quotes of `style`, with the required parts of its value.
fn key_skeleton(
    holder: Shape<'_>,
    member: &Member<'_>,
    style: ScalarStyle,
    point: InsertionPoint<'_>,
) -> Skeleton {
    match quoted_as(&member.name, style).filter(|_| !point.is_json) {
        None => entry(holder, member, point),
        // The author writes the value.
        Some(name) => Skeleton {
            pieces: vec![InsertedPiece::Text(format!("{name}: ").into()), InsertedPiece::Stop("".into())],
            suggests_again: has_known_values(holder, member),
        },
    }
}

/// Whether the key is in double quotes, as all keys of JSON are.
pub(super) fn is_json_key(entry: yaml::Entry<'_>) -> bool {
    entry.key().as_scalar().is_some_and(|key| key.style() == ScalarStyle::DoubleQuoted)
}

/// Proposes the keys of the value at `place`, which is not written yet, in the quotes of `style`, each after
/// `before`.
pub(super) fn propose(
    request: &Request<'_, '_>,
    place: &ResourcePlace<'_, '_>,
    point: InsertionPoint<'_>,
    (before, style): (&str, ScalarStyle),
    items: &mut ProposalList<'_>,
) {
    let (version, shape) = (request.view.settings.kubernetes_version, place.shape);
    let around = SchemaContext::of_schema(shape, || request.site(place.path.segments()));
    let known: &[&str] =
        if place.is_head("metadata") && request.is_cluster_scoped() { &[NAMESPACE] } else { &[] };
    propose_for(version, shape, known, &around, |member, rank| {
        let mut skeleton = key_skeleton(shape, &member, style, point);
        open_values(&member, &around, point, &mut skeleton);
        if !before.is_empty() {
            skeleton.pieces.insert(0, InsertedPiece::Text(before.to_owned().into()));
        }
        push(member, rank, skeleton, items);
    });
}

fn propose_for<'s>(
    version: KubernetesVersion,
    shape: Shape<'s>,
    known: &[&str],
    around: &SchemaContext<'_, '_>,
    mut take: impl FnMut(Member<'s>, u8),
) {
    let fits = |member: &Member<'_>| {
        let of_api = |field: &Field| field.is_known_to(version) && around.fits(&member.name);
        !known.contains(&&*member.name) && member.field.is_none_or(of_api)
    };
    let mut members: Vec<_> = shape.members().into_iter().filter(fits).collect();
    members.sort_by_key(|member| member.field.map_or(0, |_| around.position(&member.name)));
    for member in members {
        let rank = rank(shape, &member, around);
        take(member, rank);
    }
}

/// Lets the list of values open behind the key of `member`, if the schema around it has some, or if the value is itself a
/// schema, which begins with its type.
fn open_values(
    member: &Member<'_>,
    around: &SchemaContext<'_, '_>,
    point: InsertionPoint<'_>,
    skeleton: &mut Skeleton,
) {
    if member.field.is_none() {
        return;
    }
    let is_schema = matches!(member.shape, Shape::Api(ty) if ty.is_schema());
    if let Some(known) = around.has_values_for(&member.name, point.in_flow) {
        skeleton.suggests_again = known;
    } else if is_schema && !point.in_flow {
        skeleton.suggests_again = true;
    }
}

fn rank(holder: Shape<'_>, member: &Member<'_>, around: &SchemaContext<'_, '_>) -> u8 {
    let is_of = |field: &'static Field, fields: &'static [Field]| {
        fields.iter().any(|other| std::ptr::eq(other, field))
    };
    let object = holder.object_name().unwrap_or_default();
    let is_last = match member.field {
        Some(field) if is_of(field, OBJECT_META.fields) => OF_THE_SERVER.contains(&field.name),
        Some(field) => RARE.contains(&(object, field.name)),
        None => false,
    };
    let is_required_in_practice =
        member.field.is_some_and(|field| REQUIRED_IN_PRACTICE.contains(&(object, field.name)));
    match member.required {
        _ if member.field.is_some() && around.comes_first(&member.name) => LEADING,
        _ if member.field.is_some() && around.comes_next(&member.name) => IDENTIFYING,
        _ if member.identifies => IDENTIFYING,
        true => REQUIRED,
        false if is_required_in_practice => REQUIRED,
        false if is_last => LAST,
        false => OPTIONAL,
    }
}

fn push(member: Member<'_>, rank: u8, skeleton: Skeleton, items: &mut ProposalList<'_>) {
    let key = if member.identifies { " · key of the list" } else { "" };
    let required = if member.required { " · required" } else { "" };
    let documentation = match member.field {
        Some(field) if OBJECT_META.field(field.name).is_some_and(|other| std::ptr::eq(other, field)) => {
            of_any_object(field)
        }
        _ => body(&member, &[]),
    };
    let Skeleton { pieces, suggests_again } = skeleton;
    let item = items.add(ProposalDraft {
        label: member.name.to_string(),
        kind: CompletionKind::Field,
        rank,
        detail: format!("{}{key}{required}", signature(member.shape)),
        documentation,
        pieces,
    });
    if let Some(item) = item {
        item.suggests_again = suggests_again;
        // Without places to fill in, brackets and quotes are left to the editor, which closes them.
        let value = item.text.find(": ").map(|colon| colon + 2);
        if let Some(at) =
            value.filter(|at| item.text.get(*at..).is_some_and(|value| value.starts_with(['[', '{', '"'])))
        {
            item.text.truncate(at);
        }
    }
}
