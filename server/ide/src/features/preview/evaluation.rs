//! The evaluation of rules on resources.

use crd::customresource::{Trace, TracedExpression, trace};
use crd::value::Value;
use yaml::{Document, Reader, Tree};

use crate::analysis::kinds::objects;
use crate::analysis::resources::AdmissionResult;
use crate::{Settings, Surroundings};

/// The results of the rules on a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceEvaluation {
    /// `GROUP/VERSION KIND`
    pub kind: String,
    /// `metadata.name`; empty if it is absent.
    pub name: String,
    /// Whether it replaces a stored object.
    pub is_update: bool,
    /// The reason why it counts as new although an object with its name is stored.
    pub not_compared: Option<String>,
    /// The evaluations, or the reason why there are none.
    pub rules: Result<Vec<TracedExpression>, String>,
}

/// Evaluates `what` on the resources in `text` that have a known definition. Resources are evaluated as the
/// server stores them: pruned and with defaults. If the surroundings have the stored object, it is `oldSelf`.
#[must_use]
pub fn evaluate(
    text: &str,
    what: Trace<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Vec<ResourceEvaluation> {
    let tree = Tree::parse(text);
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for (index, _, kind) in objects(document, &reader) {
            let Some(found) = surroundings.catalog.validating_definition(&kind, &surroundings.source) else {
                continue;
            };
            let versions = found.known.versions.as_slice();
            let Some(version) = versions.iter().find(|version| version.name == kind.version) else {
                continue;
            };
            let of = |document: Document<'_>| {
                let AdmissionResult { admission, not_compared } =
                    AdmissionResult::of(document, &kind, (version, versions), surroundings, settings);
                let (object, stored) = (admission.object.as_ref(), admission.stored.as_ref());
                let unread = || admission.decode_error.clone().unwrap_or_default();
                let server = settings.kubernetes_version;
                ResourceEvaluation {
                    kind: format!("{}/{} {}", kind.group, kind.version, kind.kind),
                    name: object.and_then(name).unwrap_or_default(),
                    is_update: stored.is_some(),
                    not_compared,
                    rules: object
                        .ok_or_else(unread)
                        .and_then(|object| trace(object, stored, version, what, server)),
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
