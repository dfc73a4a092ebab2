//! Names of a definition that follow from its other names.

use crd::Segment;
use crd::object::CustomResourceDefinition;

use super::Request;
use super::proposal::Proposal;
use crate::analysis::plural::{plural_of, singular_of};
use crate::analysis::resources::ResourcePlace;
use crate::analysis::text_at::definition_at;

/// Proposals for the name at `place` of a definition, based on its other names; `None` for other fields.
pub(super) fn proposals(request: &Request<'_, '_>, place: &ResourcePlace<'_, '_>) -> Option<Vec<Proposal>> {
    let definition = definition_at(request.document, request.reader, request.probe.at)?;
    let names: Vec<&str> = place.path.segments().iter().filter_map(Segment::key).collect();
    let found = following(&definition, &names)?;
    Some(found.into_iter().map(|found| Proposal::value(found, true)).collect())
}

/// The value of the field at `path`, based on the other names: `Some(None)` if they do not determine it, and
/// `None` if the field is not one of the names.
pub(super) fn following(
    definition: &CustomResourceDefinition<'_, '_>,
    path: &[&str],
) -> Option<Option<String>> {
    let text = |names: &[&str]| Some(definition.field(names)?.as_scalar()?.as_str()?.into_owned());
    let of_names = |field: &str| text(&["spec", "names", field]);
    let name = || text(&["metadata", "name"]);
    let plural_in_name = || Some(name()?.split_once('.')?.0.to_owned());
    let singular = || Some(of_names("kind")?.to_lowercase());
    let found = match path {
        ["metadata", "name"] => of_names("plural")
            .zip(text(&["spec", "group"]))
            .map(|(plural, group)| format!("{plural}.{group}")),
        ["spec", "group"] => name().and_then(|name| Some(name.split_once('.')?.1.to_owned())),
        ["spec", "names", "plural"] => {
            plural_in_name().or_else(|| singular().map(|singular| plural_of(&singular)))
        }
        ["spec", "names", "kind"] => {
            of_names("plural").or_else(plural_in_name).map(|plural| text::capitalized(&singular_of(&plural)))
        }
        ["spec", "names", "singular"] => singular(),
        ["spec", "names", "listKind"] => of_names("kind").map(|kind| format!("{kind}List")),
        _ => return None,
    };
    Some(found.filter(|found| !found.is_empty()))
}
