//! Rules evaluated on resources.

use crd::customresource::{Trace, Traced, Value, admit, trace};
use yaml::{Document, Reader, Tree};

use crate::surroundings::objects;
use crate::{Settings, Surroundings};

/// What comes of the rules on a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// `GROUP/VERSION KIND`
    pub kind: String,
    /// `metadata.name`, as far as there is one.
    pub name: String,
    /// The evaluations, or why there are none.
    pub rules: Result<Vec<Traced>, String>,
}

/// Evaluates `what` on the resources in `text` that a definition is known of. They are evaluated as the server stores
/// them: pruned, and with defaults.
#[must_use]
pub fn evaluate(
    text: &str,
    what: Trace<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Vec<Evaluated> {
    let tree = Tree::parse(text);
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for (index, _, kind) in objects(document, &reader) {
            let found = surroundings.catalog.judge(&kind, &surroundings.source);
            let versions = found.iter().flat_map(|found| &found.known.versions);
            let Some(version) = versions.into_iter().find(|version| version.name == kind.version) else {
                continue;
            };
            let of = |document: Document<'_>| {
                let admission = admit(document, version, settings.kubernetes_version);
                let object = admission.object.as_ref();
                let unread = || admission.decode_error.clone().unwrap_or_default();
                Evaluated {
                    kind: format!("{}/{} {}", kind.group, kind.version, kind.kind),
                    name: object.and_then(name).unwrap_or_default(),
                    rules: object.ok_or_else(unread).and_then(|object| trace(object, version, what)),
                }
            };
            all.extend(super::with_object(document, index, of));
        }
    }
    all
}

fn name(object: &Value) -> Option<String> {
    Some(object.get("metadata")?.get("name")?.as_str()?.to_owned())
}
