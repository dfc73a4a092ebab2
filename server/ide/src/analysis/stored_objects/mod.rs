//! The objects that a text replaces.

mod objects;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use api::Code;
use crd::{Completeness, DocumentReport, Finding, Options, Severity};
use rustc_hash::FxHashMap;
use yaml::{Document, Reader, Tree, Value};

use crate::analysis::kinds::Kind;
use objects::Objects;
pub(crate) use objects::StoredObject;

/// Definitions and resources that those of the same names in a text replace. Parsed once; cheap to clone.
#[derive(Clone, Debug)]
pub struct StoredObjects {
    inner: Arc<Inner>,
    /// The name of their revision; `None` if a cluster has them.
    revision: Option<Arc<str>>,
}

#[derive(Debug)]
struct Inner {
    trees: Vec<Tree>,
    /// The position of the definition of each name: the tree, and the document in it.
    documents: FxHashMap<String, (usize, usize)>,
    objects: Objects,
    /// Whether a document with definitions was omitted because it has syntax errors.
    is_partial: bool,
}

impl StoredObjects {
    /// The objects of a cluster: definitions and resources are validated as updates.
    #[must_use]
    pub fn in_cluster(text: &str) -> Self {
        Self::of_texts([text])
    }

    /// The same for objects in several texts. The last of several objects with one name counts, as kubectl
    /// applies it last.
    #[must_use]
    pub fn of_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self::new(texts.into_iter().map(Tree::parse).collect(), None)
    }

    /// The definitions in `revision` of the repository, which a cluster need not have. Definitions are
    /// validated as new objects, and errors of an update alone become warnings. Resources are not compared.
    #[must_use]
    pub fn at_revision(text: &str, revision: &str) -> Self {
        Self::new(vec![Tree::parse(text)], Some(revision.into()))
    }

    /// The same for an earlier version of the text with the tree `present`. Both share their equal parts.
    pub(crate) fn sharing(present: &Tree, text: &str, revision: &str) -> Self {
        let tree = if present.is_of(text) { present.clone() } else { Tree::parse(text).sharing(present) };
        Self::new(vec![tree], Some(revision.into()))
    }

    /// The same for another revision, which has the same text.
    #[must_use]
    pub fn in_revision(&self, revision: &str) -> Self {
        Self { inner: Arc::clone(&self.inner), revision: Some(revision.into()) }
    }

    fn new(trees: Vec<Tree>, revision: Option<Arc<str>>) -> Self {
        let mut documents = FxHashMap::default();
        let mut objects = Objects::default();
        let mut is_partial = false;
        for (tree, text) in trees.iter().enumerate() {
            for (index, document) in text.documents().enumerate() {
                let names = names(document);
                // Users know the files that they name as stored; nobody checks an old revision.
                if revision.is_some() && document.syntax().node().flags().errors {
                    is_partial |= !names.is_empty();
                    continue;
                }
                if revision.is_none() {
                    objects.add_resources(text, index, document);
                }
                documents.extend(names.into_iter().map(|name| (name, (tree, index))));
            }
        }
        Self { inner: Arc::new(Inner { trees, documents, objects, is_partial }), revision }
    }

    /// Whether there are no objects to replace.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.documents.is_empty() && self.inner.objects.is_empty()
    }

    /// The names of the definitions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.inner.documents.keys().map(String::as_str)
    }

    /// The kind and name of each resource that was omitted because its document has syntax errors.
    #[must_use]
    pub fn unreadable(&self) -> &[String] {
        self.inner.objects.unreadable()
    }

    /// Whether there are resources.
    pub(crate) fn has_objects(&self) -> bool {
        !self.inner.objects.is_empty()
    }

    /// The stored object that `object` of that `kind` replaces.
    pub(crate) fn object(
        &self,
        object: Value<'_>,
        reader: &Reader<'_>,
        kind: &Kind,
        namespaced: bool,
    ) -> Option<&StoredObject> {
        self.inner.objects.find(object, reader, kind, namespaced)
    }

    /// Whether definitions were omitted because of syntax errors.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.inner.is_partial
    }

    /// Whether both are identical, not merely equal.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && self.revision == other.revision
    }

    /// Checks `document` against the stored definitions.
    pub(crate) fn check(
        &self,
        document: Document<'_>,
        options: &Options,
        cache: &mut crd::Cache,
    ) -> DocumentReport {
        let stored = self.all_replaced_by(document);
        let [first, ..] = stored.as_slice() else { return crd::check(document, options, cache) };
        match &self.revision {
            None => crd::check_updates(document, &stored, options, cache),
            Some(revision) => {
                let mut report = crd::check(document, options, cache);
                let has_errors = report.findings.iter().any(|finding| is_error(&finding));
                if report.origin == Completeness::Whole {
                    // Most open files are equal to those in HEAD, and most of the others have no errors.
                    let update = match has_errors {
                        true => crd::check_updates(document, &stored, options, cache).findings,
                        false if Self::is_same(document, *first) => return report,
                        false => crd::check_replacement(document, &stored, options, cache),
                    };
                    compare(&mut report.findings, update, revision);
                }
                report
            }
        }
    }

    /// The name of the revision for messages.
    pub(crate) fn revision(&self) -> &str {
        self.revision.as_deref().unwrap_or("the stored definition")
    }

    /// Whether both documents have the same text.
    pub(crate) fn is_same(document: Document<'_>, stored: Document<'_>) -> bool {
        let (document, stored) = (document.syntax().node(), stored.syntax().node());
        Arc::ptr_eq(document, stored) || document.same_as(stored)
    }

    /// The document with a definition of the same name as one in `document`.
    pub(crate) fn replaced_by(&self, document: Document<'_>) -> Option<Document<'_>> {
        names(document).iter().find_map(|name| self.document(*self.inner.documents.get(name)?))
    }

    /// The documents with definitions of the same names as those in `document`, in their order.
    fn all_replaced_by(&self, document: Document<'_>) -> Vec<Document<'_>> {
        let names = names(document);
        let places = names.iter().filter_map(|name| self.inner.documents.get(name).copied());
        let places: BTreeSet<(usize, usize)> = places.collect();
        places.into_iter().filter_map(|place| self.document(place)).collect()
    }

    fn document(&self, (tree, index): (usize, usize)) -> Option<Document<'_>> {
        self.inner.trees.get(tree)?.documents().nth(index)
    }
}

/// The names of the definitions in `document`.
fn names(document: Document<'_>) -> Vec<String> {
    let reader = Reader::new(document);
    let definitions = crd::object::definitions(document, &reader);
    definitions.iter().filter_map(|definition| Some(definition.name()?.to_string())).collect()
}

/// Whether the server rejects the object because of it.
fn is_error(finding: &&Finding) -> bool {
    finding.api_server.is_some() && finding.severity == Severity::Error
}

/// Marks in `created` how an update differs: `updated` has its findings, compared with `revision`.
fn compare(created: &mut Vec<Finding>, updated: Vec<Finding>, revision: &str) {
    type FindingKey<'f> = (Code, text::TextRange, &'f Option<crd::ServerError>);
    fn key(finding: &Finding) -> FindingKey<'_> {
        (finding.code, finding.range, &finding.api_server)
    }
    let known: HashSet<FindingKey<'_>> = created.iter().map(key).collect();
    let refused: HashSet<FindingKey<'_>> = updated.iter().map(key).collect();
    let new_errors: Vec<Finding> =
        updated.iter().filter(is_error).filter(|finding| !known.contains(&key(finding))).cloned().collect();
    let kept: Vec<bool> =
        created.iter().map(|finding| is_error(&finding) && !refused.contains(&key(finding))).collect();
    for (finding, _) in created.iter_mut().zip(kept).filter(|(_, kept)| *kept) {
        finding.message.note.push_str(&format!(" (an update of {revision} is accepted)"));
    }
    created.extend(new_errors.into_iter().map(|finding| Finding {
        severity: Severity::Warning,
        message: finding.message.about(&format!("compared with {revision}")),
        api_server: None,
        ..finding
    }));
}

#[cfg(test)]
mod tests {
    use crate::analysis::stored_objects::*;
    use crate::{File, Finding, Settings, Surroundings};

    const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
";

    fn findings(text: &str, stored: StoredObjects) -> Vec<Finding> {
        let surroundings = Surroundings { stored: Some(stored), ..Surroundings::default() };
        let file = File::with_surroundings(text, &Settings::default(), surroundings);
        file.findings()
            .iter()
            .filter(|finding| !finding.code.as_str().starts_with("lint/"))
            .cloned()
            .collect()
    }

    #[test]
    fn errors_of_updates_are_warnings_against_a_revision_and_errors_against_the_cluster() {
        let text = DEFINITION.replace("Namespaced", "Cluster");
        let before = findings(&text, StoredObjects::at_revision(DEFINITION, "HEAD"));
        let reported: Vec<_> =
            before.iter().map(|finding| (finding.code.as_str(), finding.severity)).collect();
        assert_eq!(reported, [("update/scope-immutable", Severity::Warning)]);
        assert!(before.iter().all(|finding| finding.message.problem.starts_with("compared with HEAD: ")));
        assert!(before.iter().all(|finding| finding.api_server.is_none()));
        let stored = findings(&text, StoredObjects::in_cluster(DEFINITION));
        let reported: Vec<_> =
            stored.iter().map(|finding| (finding.code.as_str(), finding.severity)).collect();
        assert_eq!(reported, [("update/scope-immutable", Severity::Error)]);
    }

    #[test]
    fn a_removed_version_may_be_stored() {
        let text = DEFINITION.replace("name: v1,", "name: v2,");
        let found = findings(&text, StoredObjects::at_revision(DEFINITION, "main"));
        let reported: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(reported, ["stored-versions/missing-in-spec"]);
    }

    /// A new cluster creates the definition, so errors of its creation remain errors.
    #[test]
    fn errors_of_creation_alone_stay_errors_with_a_note() {
        let wrong = DEFINITION.replace("widgets.example.com", "widgets.example.org");
        let found = findings(&wrong, StoredObjects::at_revision(&wrong, "HEAD"));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].code.as_str(), found[0].severity), ("names/metadata-name", Severity::Error));
        let note = " (an update of HEAD is accepted)";
        assert!(found[0].message.note.ends_with(note), "{}", found[0].message);
    }

    #[test]
    fn errors_that_the_revision_also_has_keep_their_severity() {
        let wrong =
            DEFINITION.replace("{type: object}", "{type: object, properties: {a: {items: {}, type: array}}}");
        let found = findings(&wrong, StoredObjects::at_revision(&wrong, "HEAD"));
        let created = findings(&wrong, StoredObjects::at_revision("", "HEAD"));
        assert!(!created.is_empty());
        let severities = |found: &[Finding]| {
            found.iter().map(|finding| (finding.code.as_str(), finding.severity)).collect::<Vec<_>>()
        };
        assert_eq!(severities(&found), severities(&created));
    }

    #[test]
    fn nothing_is_compared_with_what_cannot_be_read_or_has_another_name() {
        let text = DEFINITION.replace("Namespaced", "Cluster");
        let broken = StoredObjects::at_revision(&DEFINITION.replace("spec:", "spec: ]"), "HEAD");
        assert!(broken.is_partial() && broken.is_empty());
        assert_eq!(findings(&text, broken), []);
        let renamed =
            StoredObjects::at_revision(&DEFINITION.replace("name: widgets.", "name: gadgets."), "HEAD");
        assert_eq!(findings(&text, renamed), []);
    }
}
