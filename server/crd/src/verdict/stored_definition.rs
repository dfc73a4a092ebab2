//! The facts about a stored definition that the check of its update depends on.

use api::{Code, Difference};

use super::defaults;
use super::walked_schema::WalkedSchema;
use crate::Options;
use crate::cache::Cache;
use crate::cel::StoredTexts;
use crate::check::{Ratchets, Walker};
use crate::object::CustomResourceDefinition;
use crate::reading::Budget;
use crate::report::ApiVersion;
use crate::schema::Flags;
use crate::schema::fingerprint::Fingerprinter;
use crate::schema::structural::structural;

/// The definition that `definition` replaces. Of several with the same name, the last is used.
pub(super) fn replaced<'s, 'r, 'b>(
    definition: &CustomResourceDefinition<'_, '_>,
    stored: &'s [CustomResourceDefinition<'r, 'b>],
) -> Option<&'s CustomResourceDefinition<'r, 'b>> {
    let name = definition.name();
    stored.iter().rfind(|stored| name.is_some() && stored.name() == name)
}

/// The checks that an update of `stored` relaxes.
pub(super) fn ratchets(
    stored: &CustomResourceDefinition<'_, '_>,
    options: &Options,
    cache: &mut Cache,
) -> Ratchets {
    let mut ratchets = Ratchets::default();
    for place in stored.schemas() {
        // It is the text of another document, which must not use up the budget of the new one.
        let (reader, budget) = (stored.reader(), &mut Budget::new(true));
        let outcome = Walker { reader, options, cache, budget }.walk(place.value);
        ratchets.note(&outcome);
        if outcome.flags.contains(Flags::NON_STRUCTURAL) {
            continue;
        }
        let found = defaults::check(&WalkedSchema::new(&place, &outcome, reader, options), None, cache);
        if found.iter().any(|finding| finding.code == Code::DefaultsUnknownFields) {
            ratchets.note_unpruned_defaults();
        }
    }
    ratchets
}

/// The rules of a stored definition, and its schemas as far as an update may keep them unchanged.
#[derive(Default)]
pub(super) struct StoredRules {
    pub(super) texts: StoredTexts,
    /// The hash of each version's schema, by its name; without a name, of the schema of all versions.
    schemas: Vec<(Option<String>, u64)>,
}

impl StoredRules {
    pub(super) fn of(
        stored: &CustomResourceDefinition<'_, '_>,
        options: &Options,
        cache: &mut Cache,
    ) -> Self {
        let mut rules = Self::default();
        // The server then has the schema in one place, and also uses it for new versions.
        let hoisted =
            stored.api_version() == ApiVersion::V1 && stored.has_same_schemas(cache, &mut Budget::new(true));
        for place in stored.schemas() {
            let reader = stored.reader();
            if let Some((schema, _)) = structural(place.value, reader, cache) {
                rules.texts.note(&schema);
            }
            if options.kubernetes_version.has(Difference::CostsOfUnchangedSchemas) {
                let budget = &mut Budget::new(true);
                let fingerprint = Fingerprinter { reader, cache, budget, levels: None }.schema(place.value);
                let version = place.version.filter(|_| !hoisted);
                rules.schemas.push((version_name(stored, version), fingerprint));
            }
        }
        rules
    }

    /// Whether the stored definition has the same schema for the version of that name.
    pub(super) fn has_schema(&self, version: Option<String>, fingerprint: impl FnOnce() -> u64) -> bool {
        let mut schemas = self.schemas.iter();
        let known = schemas.find(|(name, _)| name.is_none() || *name == version);
        known.is_some_and(|(_, known)| *known == fingerprint())
    }
}

/// The facts about a stored definition that the check of one schema depends on.
#[derive(Clone, Copy)]
pub(super) struct StoredFacts<'b> {
    pub(super) texts: &'b StoredTexts,
    pub(super) is_unchanged: bool,
}

/// The name of the version at `index`.
pub(super) fn version_name(
    definition: &CustomResourceDefinition<'_, '_>,
    index: Option<usize>,
) -> Option<String> {
    let version = definition.versions().find(|version| Some(version.index) == index)?;
    version.name().map(std::borrow::Cow::into_owned)
}
