//! Names of new versions, based on the versions that a definition has.

use api::FieldType;
use crd::Segment;
use crd::value_at;
use yaml::{Reader, Scalar, Value};

use super::{ProposalDraft, ProposalList, Request};
use crate::analysis::resources::{ResourcePlace, Shape};
use crate::analysis::version_name::VersionName;
use crate::features::cel::{CompletionKind, InsertedPiece};

/// Names for the version after `known`, the most likely first.
pub(super) fn next_versions(known: &[String]) -> Vec<String> {
    let last = known.iter().filter_map(|name| VersionName::parse(name)).max();
    let next = match last {
        Some(last) => last.next(),
        None => ["v1alpha1", "v1beta1", "v1"].iter().filter_map(|name| VersionName::parse(name)).collect(),
    };
    next.into_iter().map(VersionName::name).filter(|name| !known.contains(name)).collect()
}

/// Proposes names of versions if `scalar` at `place` is the name of a version. Returns whether it is.
pub(super) fn propose<'a>(
    request: &Request<'a, '_>,
    place: &ResourcePlace<'a, '_>,
    scalar: Scalar<'a>,
    items: &mut ProposalList<'_>,
) -> bool {
    let [above @ .., Segment::Index(_), name] = place.path.segments() else { return false };
    let is_version = matches!(place.shape, Shape::Api(FieldType::String))
        && name.key() == Some("name")
        && above.len() == 2
        && above.iter().zip(["spec", "versions"]).all(|(step, name)| step.key() == Some(name));
    if !is_version {
        return false;
    }
    let own = scalar.token().range();
    let known = names(
        request.document.root().and_then(|root| value_at(root, above, request.reader)),
        request.reader,
        own,
    );
    for (rank, name) in (1..).zip(next_versions(&known)) {
        items.push(ProposalDraft {
            label: name.clone(),
            kind: CompletionKind::Value,
            rank,
            detail: String::new(),
            documentation: String::new(),
            pieces: vec![InsertedPiece::Text(name.into())],
        });
    }
    true
}

/// The names of `versions`, except the one at `own`.
fn names<'t>(versions: Option<Value<'t>>, reader: &Reader<'t>, own: text::TextRange) -> Vec<String> {
    let items = versions.and_then(Value::as_sequence).into_iter().flat_map(yaml::Sequence::items);
    let name = |item: yaml::Item<'t>| {
        let value = reader.entry(item.value().as_mapping()?, "name")?.value();
        let is_other = !value.range().touches(own.start);
        is_other.then_some(value.as_scalar()?.as_str()?.into_owned())
    };
    items.filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::next_versions;

    fn proposed(known: &[&str]) -> Vec<String> {
        next_versions(&known.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_next_version_follows_the_newest_one() {
        assert_eq!(proposed(&[]), ["v1alpha1", "v1beta1", "v1"]);
        assert_eq!(proposed(&["v1alpha1"]), ["v1alpha2", "v1beta1", "v1"]);
        assert_eq!(proposed(&["v1beta2", "v1alpha1"]), ["v1beta3", "v1"]);
        assert_eq!(proposed(&["v1", "v1beta1"]), ["v2alpha1", "v2beta1", "v2"]);
        assert_eq!(proposed(&["stable", "v1"]), ["v2alpha1", "v2beta1", "v2"]);
    }
}
