//! The schemas that kube-apiserver publishes for the definitions of a text.

use crd::publish::{PublishedDefinition, PublishedForm, published};
use yaml::Tree;

use crate::Settings;
use crate::features::preview::write;

/// The published schemas of the definitions in `text`, in their order.
///
/// # Errors
/// The server's message if it cannot read one of them.
pub fn openapi(
    text: &str,
    form: PublishedForm,
    settings: &Settings,
) -> Result<Vec<PublishedDefinition>, String> {
    let tree = Tree::parse(text);
    let mut cache = crd::Cache::default();
    let mut all = Vec::new();
    for document in tree.documents() {
        let (options, experiments) = (settings.options(), settings.experiments);
        all.extend(published(document.alone(), form, &options, experiments, &mut cache)?);
    }
    Ok(all)
}

/// JSON as YAML in block style.
#[must_use]
pub fn json_as_yaml(json: &yaml::Json) -> String {
    write::lines(&json.into(), &|_, _| None)
}
