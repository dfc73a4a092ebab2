//! Names of a definition that follow from its other names.

use crd::Segment;

use super::Asked;
use super::proposal::Proposal;
use crate::analysis::plural::plural_of;
use crate::analysis::resources::ResourcePlace;
use crate::analysis::text_at::definition_at;

/// What the name at `place` of a definition is by the other names; none where it is no such name.
pub(super) fn proposals(asked: &Asked<'_, '_>, place: &ResourcePlace<'_, '_>) -> Option<Vec<Proposal>> {
    let definition = definition_at(asked.document, asked.reader, asked.probe.at)?;
    let text = |names: &[&str]| Some(definition.field(names)?.as_scalar()?.as_str()?.into_owned());
    let of_names = |field: &str| text(&["spec", "names", field]);
    let name = || text(&["metadata", "name"]);
    let singular = || Some(of_names("kind")?.to_lowercase());
    let names: Vec<&str> = place.path.segments().iter().filter_map(Segment::key).collect();
    let found = match &*names {
        ["metadata", "name"] => of_names("plural")
            .zip(text(&["spec", "group"]))
            .map(|(plural, group)| format!("{plural}.{group}")),
        ["spec", "group"] => name().and_then(|name| Some(name.split_once('.')?.1.to_owned())),
        ["spec", "names", "plural"] => {
            let of_name = name().and_then(|name| Some(name.split_once('.')?.0.to_owned()));
            of_name.or_else(|| singular().map(|singular| plural_of(&singular)))
        }
        ["spec", "names", "singular"] => singular(),
        ["spec", "names", "listKind"] => of_names("kind").map(|kind| format!("{kind}List")),
        _ => return None,
    };
    let found = found.filter(|found| !found.is_empty());
    Some(found.into_iter().map(|found| Proposal::value(found, true)).collect())
}
