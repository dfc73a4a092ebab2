//! `status.storedVersions` (`ValidateCustomResourceDefinitionStoredVersions`): checks 73 to 75.

use api::{Code, Difference, KubernetesVersion};

use super::findings::{Findings, Problem};
use super::internal::InternalDefinition;
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
    let versions = internal.spec.child("versions");
    if stored.is_empty() {
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
        return;
    }
    let mut left: Vec<Option<&str>> = stored.iter().map(|name| Some(name.as_str())).collect();
    for version in &internal.versions {
        let mut known = false;
        for slot in &mut left {
            if *slot == Some(version.name.as_ref()) {
                *slot = None;
                known = true;
            }
        }
        if version.storage && !known {
            let detail = format!("must have the storage version {}", version.name);
            let node = version.node.child("storage");
            let problem = Problem {
                code: Code::StoredVersionsStorageMissing,
                error: ErrorType::Invalid,
                field: FIELD,
                detail,
                advice: "set it in only one version",
            };
            findings.add(&node, problem);
            findings
                .reword(Message::new(format!("`{}` is a second version with `storage: true`", version.name)));
            findings.print_value(|| json_strings(&stored));
            if let Some(first) = internal.versions.iter().find(|version| version.storage) {
                findings.follows_from(first.node.child("storage").range(), "the first storage version");
            }
        }
    }
    for (index, name) in left.iter().enumerate() {
        let Some(name) = name else { continue };
        let detail = if server.has(Difference::StorageMigrationWords) {
            format!(
                "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
            )
        } else {
            "must appear in spec.versions".to_owned()
        };
        findings.add_at_key(
            &versions,
            Problem {
                code: Code::StoredVersionsMissingInSpec,
                error: ErrorType::Invalid,
                field: &format!("{FIELD}[{index}]"),
                detail,
                advice: "keep the version with `served: false` until they are migrated",
            },
        );
        findings.reword(Message::new(format!(
            "objects may be stored as `{name}`, which `spec.versions` does not have"
        )));
        findings.print_value(|| go::quoted(name));
    }
}
