//! Texts that show the results of definitions and resources: published schemas, stored objects, samples,
//! evaluations.

mod evaluation;
mod gates;
mod openapi;
mod sample;
mod stored_preview;
mod write;

use yaml::{Document, Json, Tree};

pub use crd::customresource::{Trace, TracedExpression, TracedPart};
pub use crd::publish::{PublishedDefinition, PublishedForm, PublishedVersion};
pub use evaluation::{ResourceEvaluation, evaluate};
pub use gates::{DefinitionGates, GateState, gates};
pub use openapi::{json_as_yaml, openapi};
pub use sample::{Sample, samples};
pub use stored_preview::{GatedFieldResult, StoredObject, stored};

/// The result of `take` for an object: that of the document itself, or the item of a list with that index,
/// which is a separate document for the server.
fn with_object<T>(
    document: Document<'_>,
    index: Option<usize>,
    take: impl FnOnce(Document<'_>) -> T,
) -> Option<T> {
    let Some(index) = index else { return Some(take(document.alone())) };
    let Json::Object(mut list) = yaml::decode(document).ok()?.json else { return None };
    let Json::Array(items) = list.remove("items")? else { return None };
    let tree = Tree::parse(&items.get(index)?.to_string());
    tree.documents().next().map(take)
}
