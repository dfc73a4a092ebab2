//! Fields of objects that the versions of one definition lose of each other.

use super::loss::{Loss, losses};
use super::schema::SchemaAt;
use super::unchanged_nodes::UnchangedNodes;
use crate::cache::Cache;
use crate::compat::Direction;
use crate::customresource::ResourceVersion;
use crate::object::{CustomResourceDefinition, SchemaPlace};

/// Definitions with more versions than this are not compared.
const MOST_VERSIONS: usize = 64;

/// The losses between a served version and the storage version.
pub(crate) struct Pair {
    /// The served version.
    pub(crate) version: String,
    pub(crate) losses: Vec<(Direction, Loss)>,
}

/// The storage version, and the losses of every other served version; empty if a webhook converts objects, or
/// if undeclared fields are kept.
pub(crate) fn losses_between(
    definition: &CustomResourceDefinition<'_, '_>,
    cache: &mut Cache,
) -> (String, Vec<Pair>) {
    let nothing = (String::new(), Vec::new());
    let count = definition.versions().take(MOST_VERSIONS + 1).count();
    if !(2..=MOST_VERSIONS).contains(&count) || !definition.prunes() || !is_unconverted(definition) {
        return nothing;
    }
    let resources = ResourceVersion::all(definition, definition.reader(), cache);
    let schemas = definition.schemas();
    let place = |index: usize| schemas.iter().find(|place| place.version == Some(index));
    let versions: Vec<(&ResourceVersion, Option<&SchemaPlace<'_>>)> = resources
        .iter()
        .zip(definition.versions())
        .map(|(own, version)| (own, place(version.index)))
        .collect();
    let stored = versions.iter().find(|(version, _)| version.storage);
    let Some((storage, stored)) = stored.and_then(|(version, place)| Some((*version, (*place)?))) else {
        return nothing;
    };
    let mut known = std::mem::take(cache.table::<UnchangedNodes>());
    let mut pairs = Vec::new();
    for (version, place) in &versions {
        if !version.served || version.name == storage.name {
            continue;
        }
        let Some(place) = place else { continue };
        let (Some(own), Some(other)) = (schema_of(version, place), schema_of(storage, stored)) else {
            continue;
        };
        let to_storage = losses(own, other, &place.path, &mut known).into_iter();
        let from_storage = losses(other, own, &stored.path, &mut known).into_iter();
        let to_storage = to_storage.map(|loss| (Direction::ToStorage, loss));
        let all = to_storage.chain(from_storage.map(|loss| (Direction::FromStorage, loss)));
        pairs.push(Pair { version: version.name.clone(), losses: all.collect() });
    }
    *cache.table() = known;
    (storage.name.clone(), pairs)
}

fn is_unconverted(definition: &CustomResourceDefinition<'_, '_>) -> bool {
    let strategy = definition.field(&["spec", "conversion", "strategy"]);
    strategy.is_none_or(|strategy| {
        strategy.as_scalar().and_then(yaml::Scalar::as_str).is_some_and(|strategy| strategy == "None")
    })
}

fn schema_of<'s>(version: &'s ResourceVersion, place: &SchemaPlace<'_>) -> Option<SchemaAt<'s>> {
    let (schema, base) = version.schema.as_ref()?;
    Some(SchemaAt { schema, base: *base, key: place.key, drops_null: false })
}
