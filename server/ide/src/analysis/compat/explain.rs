//! Who breaks by a change, and how to make it in steps, for somebody who hovers over it.

use api::Code;
use crd::compat::{Affected, Change};
use text::{TextRange, TextSize};
use yaml::{Document, ValueKind};

use crate::Hover;
use crate::analysis::compat::restore::entry_at;
use crate::analysis::compat::{Base, Class};

impl Base {
    /// What is to be known of the changes at `offset` (in bytes), the worst first; `told` are the places of what is said.
    pub(crate) fn hover(
        &self,
        document: Document<'_>,
        offset: TextSize,
        told: &[TextRange],
        cache: &mut crd::Cache,
    ) -> Option<Hover> {
        let range = told.iter().copied().find(|range| is_on(document, *range, offset))?;
        let mut changes = self.told(document, cache);
        changes.retain(|change| change.range == range);
        changes.sort_by_key(|change| change.class);
        let sections: Vec<String> = changes.iter().map(|change| self.section(change)).collect();
        (!sections.is_empty()).then(|| Hover { range, markdown: sections.join("\n\n---\n\n") })
    }

    fn section(&self, change: &Change) -> String {
        let class = if change.class == Class::Breaking { "Breaking" } else { "Risky" };
        let mut text = format!("**{class}** compared with {}: {}\n", self.stored.revision(), change.message);
        for affected in change.affects {
            text.push_str(&format!("\n- {}", what_happens(*affected, change)));
        }
        let steps = steps(change);
        if !steps.is_empty() {
            text.push_str("\n\nIn steps:\n");
        }
        for (index, step) in steps.iter().enumerate() {
            text.push_str(&format!("\n{}. {step}", index + 1));
        }
        text
    }
}

/// Whether `offset` is in `range`, or on the value of the key that stands there.
pub(super) fn is_on(document: Document<'_>, range: TextRange, offset: TextSize) -> bool {
    if range.touches(offset) {
        return true;
    }
    let entry = document.root().and_then(|root| entry_at(root, range.start)).map(|found| found.entry);
    entry.is_some_and(|entry| {
        matches!(entry.value().kind(), ValueKind::Scalar(_)) && entry.range().touches(offset)
    })
}

/// What becomes of what: a name of what changes, for texts.
fn is_gone(change: &Change) -> bool {
    matches!(
        change.code,
        Code::CompatVersionRemoved
            | Code::CompatVersionUnserved
            | Code::CompatSubresourceChanged
            | Code::CompatSelectableFieldRemoved
    )
}

/// What whoever is `affected` meets.
fn what_happens(affected: Affected, change: &Change) -> String {
    let is_dropped = change.code == Code::CompatFieldRemoved;
    let what = match affected {
        Affected::StoredObjects
            if change.code.as_str().starts_with("compat/version")
                || change.code == Code::CompatStorageMoved =>
        {
            "they stay in etcd as they were written until each is written again; a version that is in `status.storedVersions` cannot be removed"
        }
        Affected::StoredObjects if is_dropped => {
            "what they hold there is not shown any more, and is lost when they are written next"
        }
        Affected::StoredObjects if change.code == Code::CompatDefaultChanged => {
            "those that leave the field out change as soon as they are read, in front of controllers, too"
        }
        Affected::StoredObjects if change.ratchets => {
            "they stay; an update is refused where it touches such a value (before Kubernetes 1.30 any update, also one of a label)"
        }
        Affected::StoredObjects => {
            "they stay; each update of one with such a value is refused until it is put right"
        }
        Affected::Writers if is_gone(change) => "their requests are answered with an error",
        Affected::Writers if is_dropped => {
            "`kubectl` refuses their manifests for the unknown field, other clients lose it without a word"
        }
        Affected::Writers if change.code == Code::CompatDefaultChanged => {
            "they get another value where they leave the field out"
        }
        Affected::Writers => {
            "manifests with such values are refused, new ones and unchanged ones that are applied anew"
        }
        Affected::Readers if is_gone(change) => "their requests are answered with an error",
        Affected::Readers if is_dropped => "they do not find the field any more",
        Affected::Readers => "they may meet what the schema that they were built with does not know",
    };
    let who = affected.name();
    let mut letters = who.chars();
    let who: String = letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default();
    format!("**{who}**: {what}.")
}

/// How to make the change so that nobody breaks.
fn steps(change: &Change) -> Vec<String> {
    let version = change.version.as_deref().unwrap_or("it");
    let rewrite = "Write each object anew, so that it is stored in that version: `kubectl get KIND -A -o json | kubectl replace -f -`, or a StorageVersionMigration.";
    let forget = format!(
        "Take `{version}` out of `status.storedVersions` of the definition, as `kubectl patch --subresource=status` does."
    );
    let all: &[&str] = match change.code {
        Code::CompatVersionRemoved | Code::CompatVersionUnserved => &[
            &format!("Mark `{version}` as `deprecated: true` for some releases: clients are warned."),
            &format!(
                "Keep `{version}` with `served: false` once nobody asks for it, and let another version be the one with `storage: true`."
            ),
            rewrite,
            &forget,
            &format!("Remove `{version}`."),
        ],
        Code::CompatStorageMoved => &[
            rewrite,
            "Take the former version out of `status.storedVersions`; before, it cannot be removed.",
        ],
        Code::CompatRequiredAdded => &[
            "Give the field a `default`, or leave it optional.",
            "Set it in all objects and manifests.",
            "Require it then.",
        ],
        Code::CompatDefaultChanged
        | Code::CompatEnumAdded
        | Code::CompatRequiredRemoved
        | Code::CompatNullableAdded => &[],
        Code::CompatIdentityChanged => &["Make a definition of its own, and move the objects."],
        Code::CompatConversionChanged => &["Read stored objects in all versions before."],
        _ if change.version.is_some() => &[
            &format!("Leave `{version}` as it is, and add a version with the new schema."),
            "Convert between them by a webhook; the strategy None only changes `apiVersion`.",
            &format!(
                "Let the new version be the one with `storage: true`; deprecate `{version}`, then keep it with `served: false`."
            ),
            rewrite,
            &forget,
            &format!("Remove `{version}`."),
        ],
        _ => &[],
    };
    all.iter().map(|step| (*step).to_owned()).collect()
}
