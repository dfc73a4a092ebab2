//! Stored resources.

use std::borrow::Cow;

use crd::FieldPath;
use rustc_hash::FxHashMap;
use yaml::{Document, Json, Reader, Tree, Value};

use crate::analysis::kinds::{Kind, objects};

/// The namespace of requests for objects that name none.
const DEFAULT_NAMESPACE: &str = "default";

/// The group of definitions, which are not custom resources.
const DEFINITIONS: &str = "apiextensions.k8s.io";

/// The resources by their identity: group, kind and name, and the namespace for namespaced kinds.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// By group, kind and name, in the order of the texts.
    by_name: FxHashMap<[String; 3], Vec<StoredObject>>,
    /// Kind and name of the resources with syntax errors.
    unreadable: Vec<String>,
}

/// A stored resource.
#[derive(Debug)]
pub(crate) struct StoredObject {
    /// The version in which it is written.
    pub(crate) version: String,
    namespace: Option<String>,
    /// The tree of its text, and the index of its document.
    tree: Tree,
    index: usize,
}

impl StoredObject {
    /// Its document alone.
    pub(crate) fn document(&self) -> Option<Document<'_>> {
        self.tree.documents().nth(self.index).map(|document| document.alone())
    }

    fn is_in(&self, namespace: &str) -> bool {
        self.namespace.as_deref().unwrap_or(DEFAULT_NAMESPACE) == namespace
    }
}

impl Objects {
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    pub(super) fn unreadable(&self) -> &[String] {
        &self.unreadable
    }

    /// Adds the resources in the document at `index` of `tree`. An item of a list is a separate document for
    /// the server.
    pub(super) fn add_resources(&mut self, tree: &Tree, index: usize, document: Document<'_>) {
        let reader = Reader::new(document);
        let mut found = objects(document, &reader);
        found.retain(|(.., kind)| kind.group != DEFINITIONS);
        let is_broken = document.syntax().node().flags().errors;
        // The list is decoded once for all items.
        let mut items = match found.first() {
            Some((Some(_), ..)) if !is_broken => items_of(document),
            _ => Vec::new(),
        };
        for (item, object, kind) in found {
            let Some(name) = metadata(object, "name", &reader) else { continue };
            if is_broken {
                self.unreadable.push(format!("{} {name}", kind.kind));
                continue;
            }
            let (tree, index) = match item {
                None => (tree.clone(), index),
                Some(item) => {
                    let Some(item) = items.get_mut(item).map(std::mem::take) else { continue };
                    (Tree::parse(&item), 0)
                }
            };
            let namespace = metadata(object, "namespace", &reader);
            let namespace = namespace.filter(|namespace| !namespace.is_empty());
            let stored = StoredObject { version: kind.version, namespace, tree, index };
            self.by_name.entry([kind.group, kind.kind, name]).or_default().push(stored);
        }
    }

    /// The stored object that `object` of that `kind` replaces. The last of several counts, as kubectl
    /// applies it last.
    pub(super) fn find(
        &self,
        object: Value<'_>,
        reader: &Reader<'_>,
        kind: &Kind,
        namespaced: bool,
    ) -> Option<&StoredObject> {
        if self.by_name.is_empty() {
            return None;
        }
        let name = metadata(object, "name", reader)?;
        let of_name = self.by_name.get(&[kind.group.clone(), kind.kind.clone(), name])?;
        if !namespaced {
            return of_name.last();
        }
        let namespace = metadata(object, "namespace", reader).filter(|own| !own.is_empty());
        let namespace = namespace.as_deref().unwrap_or(DEFAULT_NAMESPACE);
        of_name.iter().rfind(|stored| stored.is_in(namespace))
    }
}

/// The items of the list in `document`, each as JSON.
fn items_of(document: Document<'_>) -> Vec<String> {
    let Ok(decoded) = yaml::decode(document) else { return Vec::new() };
    let Json::Object(mut list) = decoded.json else { return Vec::new() };
    match list.remove("items") {
        Some(Json::Array(items)) => items.iter().map(Json::to_string).collect(),
        _ => Vec::new(),
    }
}

/// A string in the metadata of an object.
fn metadata(object: Value<'_>, name: &'static str, reader: &Reader<'_>) -> Option<String> {
    let value = crd::value_at(object, FieldPath::of_names(["metadata", name]).segments(), reader)?;
    value.as_scalar()?.as_str().map(Cow::into_owned)
}
