//! Hovers on breaking changes: whom they break, and the steps that avoid it.

use api::Code;
use crd::compat::{AffectedParty, Change};
use text::{TextRange, TextSize};
use yaml::{Document, ValueKind};

use crate::Hover;
use crate::analysis::compat::restore::entry_at;
use crate::analysis::compat::{Base, ChangeSeverity};

impl Base {
    /// Explains the changes at `offset` (in bytes), worst first. `reported` are the ranges of the reported
    /// changes.
    pub(crate) fn hover(
        &self,
        document: Document<'_>,
        offset: TextSize,
        reported: &[TextRange],
        cache: &mut crd::Cache,
    ) -> Option<Hover> {
        let range = reported.iter().copied().find(|range| is_on(document, *range, offset))?;
        let mut changes = self.reported_changes(document, cache);
        changes.retain(|change| change.range == range);
        changes.sort_by_key(|change| change.class);
        let sections: Vec<String> = changes.iter().map(|change| self.section(change)).collect();
        (!sections.is_empty()).then(|| Hover { range, markdown: sections.join("\n\n---\n\n") })
    }

    fn section(&self, change: &Change) -> String {
        let class = if change.class == ChangeSeverity::Breaking { "Breaking" } else { "Risky" };
        let mut text = format!("**{class}** compared with {}: {}\n", self.stored.revision(), change.message);
        for affected in change.affects {
            text.push_str(&format!("\n- {}", effect_of(*affected, change)));
        }
        let steps = steps(change);
        if !steps.is_empty() {
            text.push_str("\n\nSteps that avoid the breakage:\n");
        }
        for (index, step) in steps.iter().enumerate() {
            text.push_str(&format!("\n{}. {step}", index + 1));
        }
        text
    }
}

/// Returns whether `offset` is in `range`, or on the scalar value of the key at `range`.
pub(super) fn is_on(document: Document<'_>, range: TextRange, offset: TextSize) -> bool {
    if range.touches(offset) {
        return true;
    }
    let entry = document.root().and_then(|root| entry_at(root, range.start)).map(|found| found.entry);
    entry.is_some_and(|entry| {
        matches!(entry.value().kind(), ValueKind::Scalar(_)) && entry.range().touches(offset)
    })
}

/// Returns whether requests that use the changed part fail after the change.
fn is_gone(change: &Change) -> bool {
    matches!(
        change.code,
        Code::CompatVersionRemoved
            | Code::CompatVersionUnserved
            | Code::CompatSubresourceChanged
            | Code::CompatSelectableFieldRemoved
    )
}

/// Describes the effect of `change` on those who are `affected`.
fn effect_of(affected: AffectedParty, change: &Change) -> String {
    let is_dropped = change.code == Code::CompatFieldRemoved;
    let what = match affected {
        AffectedParty::StoredObjects
            if change.code.as_str().starts_with("compat/version")
                || change.code == Code::CompatStorageMoved =>
        {
            "they remain in etcd unchanged until each is written again; a version listed in `status.storedVersions` cannot be removed"
        }
        AffectedParty::StoredObjects if is_dropped => {
            "the values of the field are hidden, and are lost on the next write"
        }
        AffectedParty::StoredObjects if change.code == Code::CompatDefaultChanged => {
            "the change applies at once to objects that are stored without the field, also for controllers; objects that store a value keep it"
        }
        AffectedParty::StoredObjects if change.ratchets => {
            "they remain; an update that changes the invalid value to another invalid one is rejected (before Kubernetes 1.30, every update is)"
        }
        AffectedParty::StoredObjects => "they remain; every update is rejected until the value is valid",
        AffectedParty::Writers if is_gone(change) => "their requests fail",
        AffectedParty::Writers if is_dropped => {
            "`kubectl` rejects manifests with the unknown field; other clients lose it silently"
        }
        AffectedParty::Writers if change.code == Code::CompatDefaultChanged => {
            "if they omit the field, it gets the new default, or no value if the default was removed"
        }
        AffectedParty::Writers => "manifests with such values are rejected, including unchanged ones",
        AffectedParty::Readers if is_gone(change) => "their requests fail",
        AffectedParty::Readers if is_dropped => "they no longer find the field",
        AffectedParty::Readers => "they may receive values unknown to the schema they were built with",
    };
    format!("**{}**: {what}.", text::capitalized(affected.name()))
}

/// The steps that make the change without breaking anybody.
fn steps(change: &Change) -> Vec<String> {
    let version = change.version.as_deref().unwrap_or("it");
    let rewrite = "Rewrite each object in the storage version: `kubectl get KIND -A -o json | kubectl replace -f -`, or use a StorageVersionMigration.";
    let forget = format!(
        "Remove `{version}` from `status.storedVersions` of the definition, for example with `kubectl patch --subresource=status`."
    );
    let all: &[&str] = match change.code {
        Code::CompatVersionRemoved | Code::CompatVersionUnserved => &[
            &format!(
                "Mark `{version}` as `deprecated: true` for some releases, so that clients receive a warning."
            ),
            &format!(
                "Set `served: false` on `{version}` when no client uses it, and set `storage: true` on another version."
            ),
            rewrite,
            &forget,
            &format!("Remove `{version}`."),
        ],
        Code::CompatStorageMoved => &[
            rewrite,
            "Remove the former version from `status.storedVersions`; until then, you cannot remove it from the definition.",
        ],
        Code::CompatRequiredAdded => &[
            "Give the field a `default` or keep it optional.",
            "Set it in all objects and manifests.",
            "Then require it.",
        ],
        Code::CompatDefaultChanged
        | Code::CompatEnumAdded
        | Code::CompatRequiredRemoved
        | Code::CompatNullableAdded => &[],
        Code::CompatIdentityChanged => &["Create a new definition and move the objects."],
        Code::CompatConversionChanged => {
            &["Before you change the conversion, check that stored objects can be read in all versions."]
        }
        _ if change.version.is_some() => &[
            &format!("Keep `{version}` unchanged and add a version with the new schema."),
            "Convert between them with a webhook; the strategy `None` only changes `apiVersion`.",
            &format!(
                "Set `storage: true` on the new version, deprecate `{version}`, then set `served: false` on it."
            ),
            rewrite,
            &forget,
            &format!("Remove `{version}`."),
        ],
        _ => &[],
    };
    all.iter().map(|step| (*step).to_owned()).collect()
}
