//! Completion of the values of `default` and `example` by the schema around them, as for resources.

use std::sync::Arc;

use crd::Cache;
use crd::schema::structural::{Structural, StructuralOrBool, structural};
use crd::schema::{Keyword, Schema};
use text::{TextBuffer, TextSize};

use super::proposal::of_schema;
use super::site::Site;
use super::{ProposalList, Request};
use crate::analysis::resources::{Member, ResourcePlace, SchemaNode, Shape, Target, descend};

/// Proposes keys or values at `place` of a default or an example; `None` elsewhere.
pub(super) fn complete<'a>(
    request: &Request<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    items: &mut ProposalList<'_>,
) -> Option<()> {
    let (site, rest) = request.site(place.path.segments())?;
    let keyword = rest.first().and_then(|step| Keyword::parse(step.key()?))?;
    let is_key = rest.len() == 1 && matches!(place.target, Target::Key(_));
    if is_key || !matches!(keyword, Keyword::Default | Keyword::Example) || site.at.is_in_junctor() {
        return None;
    }
    let own = site.own?;
    let entry = own.entry(keyword)?;
    let (node, base) = described(&own, keyword)?;
    let text = TextBuffer::new(&request.probe.tree.text());
    let shape = Shape::Schema(SchemaNode::of(&node, base, &text));
    let above = place.path.len() - rest.len();
    let mut path = place.path.clone();
    path.truncate(above + 1);
    let member = Member {
        name: keyword.as_str().into(),
        is_named: true,
        shape,
        required: false,
        identifies: false,
        field: None,
        key: None,
    };
    let start = ResourcePlace {
        target: Target::Value(entry.value()),
        path,
        shape,
        entry: Some(entry),
        in_flow: place.in_flow,
        member: Some(member),
    };
    request.place(&descend(start, entry.value(), request.probe.at)?, items)
}

/// The structural schema for the value of `keyword`, the default or example of `schema`, and the offset of
/// its start.
fn described(schema: &Schema<'_, '_>, keyword: Keyword) -> Option<(Arc<Structural>, TextSize)> {
    let (mut node, base) = structural(schema.value(), schema.reader(), &mut Cache::default())?;
    // The default that is being written does not describe itself.
    if let Some(node) = Arc::get_mut(&mut node).filter(|_| keyword == Keyword::Default) {
        node.generic.default = None;
    }
    Some((node, base))
}

/// Whether there are proposals after `keyword`, a default or an example, of the node at `site`.
pub(super) fn has_known_values(site: &Site<'_, '_>, keyword: Keyword, in_flow: bool) -> bool {
    let own = site.own.as_ref().filter(|_| !site.at.is_in_junctor());
    let Some((node, _)) = own.and_then(|own| described(own, keyword)) else { return false };
    let is_map = matches!(node.additional_properties, Some(StructuralOrBool::Structural(_)));
    match &*node.generic.type_name {
        // In flow style, only a value can follow the colon, no keys or items.
        "object" => !in_flow && !is_map && !node.properties.is_empty(),
        "array" => !in_flow && node.items.is_some(),
        _ => !of_schema(&node).is_empty(),
    }
}
