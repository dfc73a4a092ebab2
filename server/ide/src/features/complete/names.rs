//! Names of a definition that follow from its other names, and defaults that follow from the schema.

use crd::schema::{Keyword, Schema, TypeName};
use crd::{Segment, value_at};
use yaml::{Scalar, ValueKind};

use super::values::written;
use super::{Asked, Item, Items};
use crate::analysis::plural::plural_of;
use crate::analysis::resources::ResourcePlace;
use crate::features::cel::{CompletionKind, Piece};

/// Proposes what `scalar`, which stands at `place` of a definition, is called by its other names.
pub(super) fn propose<'a>(
    asked: &Asked<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    scalar: Scalar<'a>,
    items: &mut Items<'_>,
) -> bool {
    if text(asked, &["kind"]).as_deref() != Some("CustomResourceDefinition") {
        return false;
    }
    let names: Vec<&str> = place.path.segments().iter().filter_map(Segment::key).collect();
    let name = || text(asked, &["metadata", "name"]);
    let of_names = |field: &'static str| text(asked, &["spec", "names", field]);
    let singular = || Some(of_names("kind")?.to_lowercase());
    let found = match &*names {
        ["metadata", "name"] => of_names("plural")
            .zip(text(asked, &["spec", "group"]))
            .map(|(plural, group)| format!("{plural}.{group}")),
        ["spec", "group"] => name().and_then(|name| Some(name.split_once('.')?.1.to_owned())),
        ["spec", "names", "plural"] => {
            let of_name = name().and_then(|name| Some(name.split_once('.')?.0.to_owned()));
            of_name.or_else(|| singular().map(|singular| plural_of(&singular)))
        }
        ["spec", "names", "singular"] => singular(),
        ["spec", "names", "listKind"] => of_names("kind").map(|kind| format!("{kind}List")),
        _ => return false,
    };
    push(asked, place, scalar, found.filter(|found| !found.is_empty()), true, items);
    true
}

/// Proposes what a `default` or an `example` may be by the schema that has it.
pub(super) fn defaults<'a>(
    asked: &Asked<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    scalar: Scalar<'a>,
    items: &mut Items<'_>,
) -> bool {
    let Some((last, above)) = place.path.segments().split_last() else { return false };
    let keyword = last.key().and_then(Keyword::parse);
    if place.member.as_ref().is_none_or(|member| member.field.is_none())
        || !matches!(keyword, Some(Keyword::Default | Keyword::Example))
    {
        return false;
    }
    let holder = asked.document.root().and_then(|root| value_at(root, above, asked.reader));
    let Some(schema) = holder.and_then(|holder| Schema::read(holder, asked.reader)) else { return false };
    let type_name = match schema.type_name() {
        TypeName::Named(name) => name,
        _ => return false,
    };
    let is_string = type_name == "string";
    for item in schema.items(Keyword::Enum) {
        let ValueKind::Scalar(one) = item.value().kind() else { continue };
        push(asked, place, scalar, Some(one.text().into_owned()), is_string, items);
    }
    if type_name == "boolean" {
        for value in ["true", "false"] {
            push(asked, place, scalar, Some(value.to_owned()), false, items);
        }
    }
    true
}

fn text(asked: &Asked<'_, '_>, names: &[&'static str]) -> Option<String> {
    let path: Vec<Segment> = names.iter().map(|name| Segment::Name((*name).into())).collect();
    let value = value_at(asked.document.root()?, &path, asked.reader)?;
    Some(value.as_scalar()?.as_str()?.into_owned())
}

fn push<'a>(
    asked: &Asked<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    scalar: Scalar<'a>,
    value: Option<String>,
    is_string: bool,
    items: &mut Items<'_>,
) {
    let Some(value) = value else { return };
    let Some(written) = written(asked, place, scalar.style(), &value, is_string) else { return };
    items.push(Item {
        label: value,
        kind: CompletionKind::Value,
        rank: 1,
        detail: String::new(),
        documentation: String::new(),
        pieces: vec![Piece::Text(written.into())],
    });
}
