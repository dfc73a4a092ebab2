//! The admission of a resource: whether it is created or replaces a stored object, and the result.

use crd::customresource::{Admission, ReplacedObject, ResourceVersion, admit, admit_update};
use yaml::{Document, Reader};

use crate::analysis::kinds::Kind;
use crate::{Settings, Surroundings};

/// The server's result for a resource.
pub(crate) struct AdmissionResult {
    pub(crate) admission: Admission,
    /// The reason why it counts as new although an object with its name is stored.
    pub(crate) not_compared: Option<String>,
}

impl AdmissionResult {
    /// Admits the resource in `document` as an object of `version`, one of `versions`. The request is an
    /// update if `surroundings` have the object that it replaces.
    pub(crate) fn of(
        document: Document<'_>,
        kind: &Kind,
        (version, versions): (&ResourceVersion, &[ResourceVersion]),
        surroundings: &Surroundings,
        settings: &Settings,
    ) -> Self {
        let server = settings.kubernetes_version;
        let new = |not_compared| Self { admission: admit(document, version, server), not_compared };
        let reader = Reader::new(document);
        let stored = surroundings.stored.as_ref().zip(document.root());
        let stored = stored.and_then(|(stored, root)| stored.object(root, &reader, kind, version.namespaced));
        let Some((stored, replaced)) = stored.and_then(|stored| Some((stored, stored.document()?))) else {
            return new(None);
        };
        let mut replaced = ReplacedObject::from(replaced);
        if stored.version != version.name {
            if version.has_webhook {
                return new(Some(format!(
                    "the stored object has version `{}/{}`, which a webhook converts",
                    kind.group, stored.version
                )));
            }
            replaced.written = versions.iter().find(|own| own.name == stored.version);
            replaced.stored = versions.iter().find(|own| own.storage);
        }
        let admission = admit_update(document, replaced, version, server);
        match admission.decode_error.as_deref() {
            None => Self { admission, not_compared: None },
            // A new object has the same decoding errors, and its check reports more of the rest.
            Some(error) => {
                let of_stored = error.strip_prefix("old: ");
                new(of_stored.map(|error| format!("the stored object cannot be read: {error}")))
            }
        }
    }
}
