//! Properties whose names a schema cannot choose: those in a junctor, which are declared outside of it, and
//! those in the metadata of resources.

use api::OBJECT_META;
use crd::Segment;
use crd::schema::{Keyword, Schema};
use yaml::scalar::ScalarStyle;

use super::keys::{self, Key};
use super::site::Site;
use super::{ProposalDraft, ProposalList, Request, idioms};
use crate::analysis::resources::{ResourcePlace, Target};
use crate::features::cel::{CompletionKind, InsertedPiece};
use crate::features::resources::of_any_object;

const RANK: u8 = 2;

/// A property that a schema may name.
struct Property {
    name: String,
    type_name: String,
    description: String,
    /// Whether the proposal writes the type, because no other schema declares the property.
    writes_type: bool,
}

/// Proposes properties for the `properties` at `place`, except those in `known`, with `before` in front of
/// each. If the schema can choose the names, it proposes properties that Kubernetes APIs use.
pub(super) fn propose(
    request: &Request<'_, '_>,
    place: &ResourcePlace<'_, '_>,
    known: &[&str],
    (key, before): (Key, &str),
    items: &mut ProposalList<'_>,
) {
    let found = match place.target {
        Target::Key(_) => request.site_of_key(&place.path),
        Target::Value(_) => request.site(place.path.segments()),
    };
    let is_properties = |rest: &[Segment]| {
        rest.len() == 1
            && rest.first().and_then(|step| Keyword::parse(step.key()?)) == Some(Keyword::Properties)
    };
    let named = found.filter(|(_, rest)| is_properties(rest)).and_then(|(site, _)| named_properties(&site));
    let Some(named) = named else {
        let is_usual = key.style == ScalarStyle::Plain || key.insertion_point.is_json;
        if !key.has_value && before.is_empty() && is_usual {
            idioms::propose(place, known, key.insertion_point, items);
        }
        return;
    };
    for property in named.into_iter().filter(|property| !known.contains(&&*property.name)) {
        let Some(member) = place.shape.member(&property.name) else { continue };
        let mut skeleton = keys::skeleton(place.shape, &member, key);
        if let (true, false, Some(stop)) =
            (property.writes_type, key.has_value, skeleton.pieces.iter().position(InsertedPiece::is_stop))
        {
            let text = format!("type: {}", property.type_name);
            skeleton.pieces.insert(stop, InsertedPiece::Text(text.into()));
        }
        if !before.is_empty() {
            skeleton.pieces.insert(0, InsertedPiece::Text(before.to_owned().into()));
        }
        let item = items.add(ProposalDraft {
            label: property.name,
            kind: CompletionKind::Field,
            rank: RANK,
            detail: property.type_name,
            documentation: property.description,
            pieces: skeleton.pieces,
        });
        if let Some(item) = item {
            // Keywords of the property follow, unless its type is already written.
            item.suggests_again = !key.has_value && !property.writes_type;
        }
    }
}

/// The only properties that the node at `site` may name; `None` if it can choose the names.
fn named_properties(site: &Site<'_, '_>) -> Option<Vec<Property>> {
    if let Some(names) = site.schema_site.only_properties() {
        let property = |name: &&str| Property {
            name: (*name).to_owned(),
            type_name: "string".to_owned(),
            description: OBJECT_META.field(name).map(of_any_object).unwrap_or_default(),
            writes_type: true,
        };
        return Some(names.iter().map(property).collect());
    }
    if !site.schema_site.is_in_junctor() {
        return None;
    }
    let declared = site.declared_properties().into_iter();
    // kube-apiserver rejects conditions on nested metadata.
    let declared = declared.filter(|(name, _)| name != "metadata");
    let reader = site.declared.as_ref().map(Schema::reader);
    let property = |(name, value)| {
        let schema = reader.and_then(|reader| Schema::read(value, reader));
        let text = |keyword| schema.as_ref().and_then(|schema| schema.string(keyword)).unwrap_or_default();
        Property {
            name,
            type_name: text(Keyword::Type).into_owned(),
            description: text(Keyword::Description).trim().to_owned(),
            writes_type: false,
        }
    };
    Some(declared.map(property).collect())
}
