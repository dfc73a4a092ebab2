//! Compares the results for resources by the definitions with the results by the documents that a server
//! publishes of them.

use yaml::{Json, Reader, Tree};

use super::resources::unequal;
use crate::customresource::ResourceVersion;
use crate::experimental::Experiments;
use crate::publish::{PublishedForm, described_kinds, published};
use crate::{Cache, Options};

const OF_METADATA: &str = "what the author's schema asks of `metadata` is replaced by the type of the API";
const BRANCHES: &str = "the types of int-or-string are branches of `anyOf`, whoever wrote them";
const SCALE: &str = "where the scale endpoint finds its fields";
const DEPRECATED: &str = "which versions are deprecated";

/// The cases that depend on information that a published document does not contain.
const UNSAID: [(&str, &str); 17] = [
    ("067-prune-int-or-string-object", BRANCHES),
    ("072-prune-root-metadata-schema", OF_METADATA),
    ("257-keyword-int-or-string-fail-1", BRANCHES),
    ("258-keyword-int-or-string-fail-2", BRANCHES),
    ("259-keyword-int-or-string-fail-3", BRANCHES),
    ("260-keyword-int-or-string-fail-4", BRANCHES),
    ("474-scale-negative", SCALE),
    ("475-scale-large", SCALE),
    ("477-scale-float", SCALE),
    ("479-scale-string", SCALE),
    ("480-scale-status-negative", SCALE),
    ("481-scale-selector-number", SCALE),
    ("638-ratchet-scale", SCALE),
    ("640-version-v1beta1", DEPRECATED),
    ("641-version-v1beta2", DEPRECATED),
    ("644-version-all-deprecated", DEPRECATED),
    ("645-version-two-documents", DEPRECATED),
];

/// The document of `/openapi/v3/apis/<group>/<version>` for each version of the definitions in `text`.
fn documents(text: &str) -> Vec<String> {
    let tree = Tree::parse(text);
    let mut cache = Cache::default();
    let published = |document| {
        published(document, PublishedForm::V3, &Options::default(), Experiments::default(), &mut cache)
            .unwrap()
    };
    let versions = tree.documents().flat_map(published).flat_map(|definition| definition.versions);
    let object = |members: [(&str, Json); 2]| {
        Json::Object(members.into_iter().map(|(name, json)| (name.to_owned(), json)).collect())
    };
    let document = |schemas, paths| {
        let components = object([("schemas", Json::Object(schemas)), ("responses", Json::Null)]);
        let head = object([("paths", Json::Object(paths)), ("components", components)]).to_string();
        head.replacen('{', r#"{"openapi": "3.0.0","#, 1)
    };
    versions.map(|version| document(version.schemas, version.paths)).collect()
}

fn versions(text: &str) -> Vec<ResourceVersion> {
    let mut all = Vec::new();
    for text in documents(text) {
        let tree = Tree::parse(&text);
        for document in tree.documents() {
            let reader = Reader::new(document);
            let kinds = described_kinds(document, &reader);
            all.extend(kinds.iter().map(|kind| kind.resource_version(&reader, &mut Cache::default())));
        }
    }
    all
}

#[test]
fn published_documents_validate_like_their_definitions() {
    let unequal = unequal(versions);
    let names: Vec<&str> = unequal.keys().map(String::as_str).collect();
    assert_eq!(names, UNSAID.map(|(name, _)| name), "{unequal:#?}");
}
