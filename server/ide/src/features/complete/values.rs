//! Completion of the values of a field, and of the lines below its key.

use api::FieldType;
use crd::schema::Keyword;
use crd::{ApiVersion, FieldPath, Segment};
use yaml::edit::quoted;
use yaml::scalar::ScalarStyle;
use yaml::{Scalar, ValueKind};

use super::keys::Key;
use super::proposal::{Proposal, of_schema};
use super::site::Site;
use super::skeleton::{self, InsertionPoint, Skeleton};
use super::{ProposalDraft, ProposalList, Request, declared_properties, fitting};
use super::{keys, names, paths, versions};
use crate::analysis::resources::{Member, ResourcePlace, Shape};
use crate::analysis::text_at::definition_at;
use crate::features::cel::{CompletionKind, InsertedPiece};
use crate::features::resources::type_name;

const DEFAULT: u8 = 0;
const VALUE: u8 = 1;
/// The most common values of fields of definitions, most common first.
const USUAL: [&str; 4] = ["Namespaced", "string", "object", "integer"];

/// Proposes values for `scalar`, which is at `place`.
pub(super) fn propose<'a>(
    request: &Request<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    scalar: Scalar<'a>,
    items: &mut ProposalList<'_>,
) {
    if versions::propose(request, place, scalar, items) {
        return;
    }
    let is_of_api = place.member.as_ref().is_some_and(|member| member.field.is_some());
    let by_others = || paths::proposals(request, scalar).or_else(|| names::proposals(request, place));
    let usual = is_of_api.then(|| paths::type_of_column(request, place)).flatten();
    let all = is_of_api.then(by_others).flatten().unwrap_or_else(|| by_type(request, place));
    for Proposal { text, is_string, kind, detail, meaning, is_default } in all {
        let Some(written) = quoted_text(request, place, scalar.style(), &text, is_string) else { continue };
        let is_default = is_default || usual.is_some_and(|usual| usual == text);
        items.push(ProposalDraft {
            label: text,
            kind,
            rank: if is_default { DEFAULT } else { VALUE },
            detail,
            documentation: meaning,
            pieces: vec![InsertedPiece::Text(written.into())],
        });
    }
}

/// The values at `place` according to the schema or the API, and the properties that a list there may name.
fn by_type(request: &Request<'_, '_>, place: &ResourcePlace<'_, '_>) -> Vec<Proposal> {
    let mut all = match place.shape {
        Shape::Schema(node) => of_schema(node.schema),
        Shape::Api(ty) => of_api(request, place, ty),
        Shape::Open => Vec::new(),
    };
    let names = declared_names(request, place).unwrap_or_default();
    let property = |text| Proposal { detail: "property".to_owned(), ..Proposal::value(text, true) };
    all.extend(names.into_iter().map(property));
    if has_unique_items(place) {
        let others = other_items(request, place);
        all.retain(|proposal| !others.contains(&proposal.text));
    }
    all
}

/// `text` in the quotes of `style`, or in quotes if it needs them; `None` if the style cannot hold it.
pub(super) fn quoted_text(
    request: &Request<'_, '_>,
    place: &ResourcePlace<'_, '_>,
    style: ScalarStyle,
    text: &str,
    is_string: bool,
) -> Option<String> {
    Some(match (style, is_string) {
        (ScalarStyle::Plain, true) if request.is_json(place) => {
            yaml::Json::String(text.to_owned()).to_string()
        }
        (ScalarStyle::Plain, true) => quoted(text, place.in_flow),
        (ScalarStyle::Plain, false) => text.to_owned(),
        (ScalarStyle::SingleQuoted, true) => format!("'{}'", text.replace('\'', "''")),
        (ScalarStyle::DoubleQuoted, true) => {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ => return None,
    })
}

/// The properties that an item of `required`, or of the keys of a list, may name.
fn declared_names(request: &Request<'_, '_>, place: &ResourcePlace<'_, '_>) -> Option<Vec<String>> {
    let (site, rest) = request.site(place.path.segments())?;
    let [list, Segment::Index(_)] = rest else { return None };
    let declared = match list.key().and_then(Keyword::parse)? {
        Keyword::Required => site.declared_properties(),
        Keyword::ListMapKeys => site.declared_properties_of_items(),
        _ => return None,
    };
    Some(declared.into_iter().map(|(name, _)| name).collect())
}

fn of_api(request: &Request<'_, '_>, place: &ResourcePlace<'_, '_>, ty: FieldType) -> Vec<Proposal> {
    let field = place.member.as_ref().and_then(|member| member.field);
    let literal = |text: &str, is_string| {
        let meaning = field.and_then(|field| field.value_text(text)).unwrap_or_default();
        Proposal { meaning, ..Proposal::value(text.to_owned(), is_string) }
    };
    let accepted = AcceptedValues::at(request, place);
    match ty {
        FieldType::Bool | FieldType::SchemaOrBool => {
            let values = [true, false].into_iter().filter(|value| accepted.boolean(*value));
            values.map(|value| literal(if value { "true" } else { "false" }, false)).collect()
        }
        FieldType::String => {
            let values = field.map(|field| field.values).unwrap_or_default();
            let mut values: Vec<&str> = values.iter().copied().filter(|value| accepted.text(value)).collect();
            values.sort_by_key(|value| USUAL.iter().position(|usual| usual == value).unwrap_or(USUAL.len()));
            values.into_iter().map(|value| literal(value, true)).collect()
        }
        _ => Vec::new(),
    }
}

/// The values of a field of a definition that are accepted at its position.
struct AcceptedValues<'a> {
    /// The keyword of a schema with this value, and the schema.
    keyword: Option<(Keyword, Site<'a, 'a>)>,
    /// Whether the field is `spec.preserveUnknownFields`, which must not be true in `v1`.
    must_prune: bool,
}

impl<'a> AcceptedValues<'a> {
    fn at(request: &Request<'a, '_>, place: &ResourcePlace<'_, '_>) -> Self {
        let keyword = request.site(place.path.segments()).and_then(|(site, rest)| match rest {
            [keyword] => Some((Keyword::parse(keyword.key()?)?, site)),
            _ => None,
        });
        let is_v1 = || {
            let definition = definition_at(request.document, request.reader, request.probe.at);
            definition.is_some_and(|definition| definition.api_version() == ApiVersion::V1)
        };
        let must_prune = place.path == FieldPath::of_names(["spec", "preserveUnknownFields"]) && is_v1();
        Self { keyword, must_prune }
    }

    fn boolean(&self, value: bool) -> bool {
        let is_accepted =
            |(keyword, site): &(Keyword, Site<'_, '_>)| site.schema_site.accepts(*keyword, value);
        !(self.must_prune && value) && self.keyword.as_ref().is_none_or(is_accepted)
    }

    fn text(&self, value: &str) -> bool {
        match &self.keyword {
            Some((Keyword::Type, site)) => {
                site.schema_site.only_type(site.schema.as_ref()).is_none_or(|only| only == value)
            }
            Some((Keyword::Format, site)) => fitting::takes_format(site, value),
            _ => true,
        }
    }
}

/// Whether the list of the value at `place` has unique items: a set, or a list of a definition.
fn has_unique_items(place: &ResourcePlace<'_, '_>) -> bool {
    let Some(list) = &place.member else { return false };
    match list.shape {
        Shape::Schema(list) => list.schema.extensions.list_type.as_deref() == Some("set"),
        _ => list.field.is_some() && list.shape.is_list(),
    }
}

/// The other items of the list that is the value of the entry of `place`.
fn other_items(request: &Request<'_, '_>, place: &ResourcePlace<'_, '_>) -> Vec<String> {
    let list = place.entry.and_then(|entry| entry.value().as_sequence());
    let items = list.into_iter().flat_map(yaml::Sequence::items);
    let others = items.filter(|item| !item.range().touches(request.probe.at));
    let text = |item: yaml::Item<'_>| match item.value().kind() {
        ValueKind::Scalar(scalar) => Some(scalar.text().into_owned()),
        _ => None,
    };
    others.filter_map(text).collect()
}

/// Proposes an item of `list`, after `before`.
pub(super) fn item(
    list: &Member<'_>,
    point: InsertionPoint<'_>,
    before: String,
    items: &mut ProposalList<'_>,
) {
    let Some(Skeleton { mut pieces, suggests_again }) = skeleton::item(list, point) else { return };
    if !before.is_empty() {
        pieces.insert(0, InsertedPiece::Text(before.into()));
    }
    let item = items.add(ProposalDraft {
        label: "- ".to_owned(),
        kind: CompletionKind::Value,
        rank: VALUE,
        detail: format!("item: {}", type_name(list.shape.item().unwrap_or(Shape::Open))),
        documentation: String::new(),
        pieces,
    });
    if let Some(item) = item {
        item.suggests_again = suggests_again;
    }
}

/// Proposes an object or a list with its required parts, within brackets or braces.
pub(super) fn in_flow(
    place: &ResourcePlace<'_, '_>,
    point: InsertionPoint<'_>,
    items: &mut ProposalList<'_>,
) {
    let Some((label, Skeleton { pieces, suggests_again })) =
        skeleton::in_flow(place.shape, place.member.as_ref(), point)
    else {
        return;
    };
    let item = items.add(ProposalDraft {
        label: label.to_owned(),
        kind: CompletionKind::Value,
        rank: VALUE,
        detail: type_name(place.shape),
        documentation: String::new(),
        pieces,
    });
    if let Some(item) = item {
        item.suggests_again = suggests_again;
    }
}

/// Proposes the lines below the key at `outer`.
pub(super) fn below(
    request: &Request<'_, '_>,
    place: &ResourcePlace<'_, '_>,
    outer: InsertionPoint<'_>,
    items: &mut ProposalList<'_>,
) {
    if place.shape.is_list() {
        let Some(list) = &place.member else { return };
        let column = outer.column + outer.layout.dash;
        let point = InsertionPoint { column, ..outer };
        return item(list, point, format!("\n{}", " ".repeat(column)), items);
    }
    let column = outer.column + outer.layout.step;
    let before = format!("\n{}", " ".repeat(column));
    let point = InsertionPoint { column, ..outer };
    keys::propose(request, place, point, (&before, ScalarStyle::Plain), items);
    let key = Key { style: ScalarStyle::Plain, has_value: false, insertion_point: point };
    declared_properties::propose(request, place, &[], (key, &before), items);
}
