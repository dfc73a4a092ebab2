//! `status.storedVersions` (`ValidateCustomResourceDefinitionStoredVersions`): checks 73 to 75.

use api::{Code, Difference, KubernetesVersion};

use super::findings::{Findings, Problem};
use super::internal::{InternalDefinition, Version};
use crate::go;
use crate::message::Message;
use crate::printed::json_strings;
use crate::report::ErrorType;

const FIELD: &str = "status.storedVersions";

/// Checks the stored versions: those in `before`, from the replaced definition, and the current storage version.
pub(super) fn check(
    internal: &InternalDefinition<'_, '_>,
    before: &[String],
    server: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    let mut stored = before.to_vec();
    let storage = internal.versions.iter().find(|version| version.storage);
    let unlisted = storage.filter(|storage| !stored.iter().any(|name| *name == storage.name));
    stored.extend(unlisted.map(|storage| storage.name.clone().into_owned()));
    if stored.is_empty() {
        report_no_storage(internal, findings);
        return;
    }
    let mut left: Vec<Option<&str>> = stored.iter().map(|name| Some(name.as_str())).collect();
    for version in &internal.versions {
        let mut is_known = false;
        for slot in &mut left {
            if *slot == Some(version.name.as_ref()) {
                *slot = None;
                is_known = true;
            }
        }
        if version.storage && !is_known {
            report_second_storage(internal, version, &stored, findings);
        }
    }
    for (index, name) in left.iter().enumerate() {
        if let Some(name) = name {
            report_missing(internal, index, name, server, findings);
        }
    }
}

/// Check 73.
fn report_no_storage(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    let versions = internal.spec.child("versions");
    findings.add_at_key(
        &versions,
        Problem {
            code: Code::StoredVersionsEmpty,
            error: ErrorType::Invalid,
            field: FIELD,
            detail: "must have at least one stored version".to_owned(),
            advice: "set it in one version",
        },
    );
    findings.reword(Message::new("no version has `storage: true`"));
    findings.print_value(|| "null".to_owned());
    findings.follows_from(versions.key(), "no version has `storage: true`");
}

/// Check 74.
fn report_second_storage(
    internal: &InternalDefinition<'_, '_>,
    version: &Version<'_, '_>,
    stored: &[String],
    findings: &mut Findings<'_>,
) {
    let problem = Problem {
        code: Code::StoredVersionsStorageMissing,
        error: ErrorType::Invalid,
        field: FIELD,
        detail: format!("must have the storage version {}", version.name),
        advice: "set it in only one version",
    };
    findings.add(&version.node.child("storage"), problem);
    findings.reword(Message::new(format!("`{}` is a second version with `storage: true`", version.name)));
    findings.print_value(|| json_strings(stored));
    if let Some(first) = internal.versions.iter().find(|version| version.storage) {
        findings.follows_from(first.node.child("storage").range(), "the first storage version");
    }
}

/// Check 75: the stored version `name`, at `index` in the status, is not in the spec.
fn report_missing(
    internal: &InternalDefinition<'_, '_>,
    index: usize,
    name: &str,
    server: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    let detail = if server.has(Difference::StorageMigrationWords) {
        format!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
        )
    } else {
        "must appear in spec.versions".to_owned()
    };
    findings.add_at_key(
        &internal.spec.child("versions"),
        Problem {
            code: Code::StoredVersionsMissingInSpec,
            error: ErrorType::Invalid,
            field: &format!("{FIELD}[{index}]"),
            detail,
            advice: "keep the version with `served: false` until they are migrated",
        },
    );
    findings.reword(Message::new(format!(
        "objects may be stored as `{name}`, which is missing from `spec.versions`"
    )));
    findings.print_value(|| go::quoted(name));
}
