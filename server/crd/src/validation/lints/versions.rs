//! Versions that are valid but probably not intended.

use api::Code;

use super::super::findings::Findings;
use super::super::internal::{InternalDefinition, Version};
use super::schema_in;
use crate::message::Message;
use crate::report::ApiVersion;
use crate::schema::Keyword;

/// Checks the versions.
pub(super) fn check(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    for version in &internal.versions {
        check_deprecation(version, findings);
        check_storage(version, findings);
        check_status(internal, version, findings);
    }
}

fn check_deprecation(version: &Version<'_, '_>, findings: &mut Findings<'_>) {
    let [deprecated, warning] = version.node.children(["deprecated", "deprecationWarning"]);
    if deprecated.is_true() && !warning.is_set() {
        let problem = format!("`{}` is deprecated but has no `deprecationWarning`", version.name);
        let words = Message::new(problem).advise("add one that names the version to use");
        findings.lint(Code::LintDeprecationWarning, deprecated.key(), &deprecated, words);
    }
}

fn check_storage(version: &Version<'_, '_>, findings: &mut Findings<'_>) {
    let [served, storage] = version.node.children(["served", "storage"]);
    if storage.is_true() && served.boolean() == Some(false) {
        let words = Message::new("objects are stored in this version, but it is not served")
            .advise("serve it or store another version");
        findings.lint(Code::LintStorageNotServed, served.range(), &served, words);
    }
}

/// Without the subresource, all clients that write an object can write its `status`, and each change of it
/// increases `metadata.generation`.
fn check_status(
    internal: &InternalDefinition<'_, '_>,
    version: &Version<'_, '_>,
    findings: &mut Findings<'_>,
) {
    let is_beta = internal.api_version == ApiVersion::V1Beta1;
    let on_top = is_beta && internal.spec.child("subresources").child("status").is_set();
    let status = version.subresources.child("status");
    if on_top || status.is_set() {
        return;
    }
    let Some(schema) = schema_in(&version.schema) else { return };
    let Some(entry) = schema.members(Keyword::Properties).get("status") else { return };
    // The key is written, but its value is null.
    if status.key() != version.subresources.key() {
        let words = Message::new("`status` has no value, so the status subresource is off")
            .advise("write `status: {}`");
        findings.lint(Code::LintStatusSubresource, status.key(), &status, words);
        return;
    }
    let problem = "`status` is declared but the status subresource is off, so every client can write it";
    let words = Message::new(problem).advise("add `subresources: {status: {}}`");
    findings.lint(Code::LintStatusSubresource, entry.key_range(), &version.schema, words);
}
