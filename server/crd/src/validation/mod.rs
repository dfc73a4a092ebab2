//! The checks of kube-apiserver's `ValidateCustomResourceDefinition` for everything in a definition except its
//! schemas, in the server's order.

mod approval;
mod ca_bundle;
mod columns;
mod conversion;
mod findings;
mod internal;
mod lints;
mod metadata;
mod names;
mod own_checks;
mod selectable_fields;
mod spec;
mod stored_versions;
mod structural_conversion;
mod subresources;
mod update;
mod versions;

use crate::Options;
use crate::finding::Finding;
use crate::object::CustomResourceDefinition;
use api::{Difference, KubernetesVersion};

use conversion::{Conversion, RelaxedChecks};
use findings::Findings;
use internal::InternalDefinition;
use names::Names;
use selectable_fields::FieldFacts;
use update::StoredDefinition;

pub use lints::{Mismatch, ServiceUrl, column_mismatch, column_type, service_of_url};
pub(crate) use own_checks::{check_partial, check_served};

/// A definition with facts about its schemas.
pub(crate) struct Subject<'a, 'r, 't> {
    pub(crate) definition: &'a CustomResourceDefinition<'r, 't>,
    /// Whether the schemas of all versions are equal.
    pub(crate) has_same_schemas: bool,
    /// The version indices of schemas that the server cannot convert to structural ones; `None` is v1beta1's
    /// `spec.validation`.
    pub(crate) unconvertible: Vec<Option<usize>>,
}

/// How far the server processes a definition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Whether the server reaches validation.
    pub(crate) reported: bool,
    /// Whether the server's decoder rejects a value.
    pub(crate) has_wrong_types: bool,
}

/// Adds the findings for a definition outside its schemas; `stored` is the definition that it replaces.
pub(crate) fn check(
    subject: &Subject<'_, '_, '_>,
    stored: Option<&Subject<'_, '_, '_>>,
    options: &Options,
    state: State,
    findings: &mut Vec<Finding>,
) {
    let server = options.kubernetes_version;
    let findings = &mut Findings {
        findings,
        reported: state.reported,
        has_wrong_types: state.has_wrong_types,
        is_silent: false,
    };
    let internal = InternalDefinition::read(subject.definition, subject.has_same_schemas, server);
    let stored = stored.map(|old| {
        StoredDefinition::new(InternalDefinition::read(old.definition, old.has_same_schemas, server))
    });
    let names = Names::read(internal.spec.child("names"));
    let metadata = internal.object.child("metadata");
    match &stored {
        None => {
            let group = internal.spec.child("group").text();
            metadata::check_create(&metadata, &format!("{}.{group}", names.plural), server, findings);
        }
        Some(stored) => metadata::check_update(&metadata, &stored.metadata(), server, findings),
    }
    spec::check_group(&internal.spec.child("group"), findings);
    spec::check_scope(&internal, findings);
    let all_schemas = stored.as_ref().is_none_or(StoredDefinition::has_all_schemas);
    versions::check_schemas(&internal, all_schemas, server, findings);
    for (index, version) in internal.versions.iter().enumerate() {
        versions::check_version(index, version, findings);
    }
    versions::check_exclusive(&internal, subject.has_same_schemas, findings);
    versions::check_list(&internal, findings);
    names.check_required(findings);
    names.check(findings);
    for home in internal.subresources() {
        subresources::check(&home, findings);
    }
    for home in internal.columns() {
        columns::check(&home, internal.api_version, findings);
    }
    check_selectable_fields(subject, &internal, stored.as_ref(), server, findings);
    let relaxed = relaxed_conversion(stored.as_ref(), server);
    Conversion::read(&internal).check(internal.preserves(), relaxed, server, findings);
    if let Some(stored) = &stored {
        stored.check_immutable(&internal, &names, findings);
    }
    let before = stored.as_ref().map(StoredDefinition::stored_versions).unwrap_or_default();
    stored_versions::check(&internal, &before, server, findings);
    let old_metadata = stored.as_ref().map(StoredDefinition::metadata);
    approval::check(&internal.spec.child("group"), &metadata, old_metadata.as_ref(), findings);
    if stored.as_ref().is_none_or(|stored| !stored.internal.preserves()) {
        spec::check_preserve_unknown_fields(&internal, findings);
    }
    lints::check(&internal, findings);
}

/// Checks the lists of selectable fields of all versions.
fn check_selectable_fields(
    subject: &Subject<'_, '_, '_>,
    internal: &InternalDefinition<'_, '_>,
    stored: Option<&StoredDefinition<'_, '_>>,
    server: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    for home in internal.selectable_fields() {
        let keeps = stored.is_some_and(|stored| stored.keeps_too_many(internal, home.server_version));
        let known = FieldFacts {
            version: server,
            converts: !subject.unconvertible.contains(&home.index),
            may_be_many: keeps && server.has(Difference::ManyStoredSelectableFields),
        };
        selectable_fields::check(&home, internal, known, findings);
    }
}

/// The checks of the conversion that the server omits for an update of `stored`, or for a creation.
fn relaxed_conversion(stored: Option<&StoredDefinition<'_, '_>>, server: KubernetesVersion) -> RelaxedChecks {
    let Some(stored) = stored else { return RelaxedChecks { review_versions: false, ca_bundle: true } };
    let relaxed = stored.relaxed_conversion();
    let ca_bundle = relaxed.ca_bundle || !server.has(Difference::CaBundlesOfUpdates);
    RelaxedChecks { ca_bundle, ..relaxed }
}

/// Adds the findings that apply once repair makes the schemas of all versions equal, if `are_same` confirms
/// that it does: the server then moves the schemas to `spec`, but looks for the schemas of `selectableFields`
/// in the versions.
pub(crate) fn check_alike(
    subject: &Subject<'_, '_, '_>,
    options: &Options,
    state: State,
    are_same: impl FnOnce(&[Finding]) -> bool,
    findings: &mut Vec<Finding>,
) {
    let server = options.kubernetes_version;
    let internal = InternalDefinition::read(subject.definition, true, server);
    let mut homes = internal.selectable_fields();
    homes.retain(|home| internal.hoists.schemas && home.server_version.is_some() && home.node.has_members());
    if homes.is_empty() || !are_same(findings) {
        return;
    }
    let State { reported, has_wrong_types } = state;
    let findings = &mut Findings { findings, reported, has_wrong_types, is_silent: false };
    for home in &homes {
        selectable_fields::check_missing(home, server, findings);
    }
}
