//! The contents of lenses above definitions and rules.

use crd::object::definitions;
use text::TextRange;
use yaml::{Reader, Tree};

use crate::analysis::catalog::{DefinedName, name};
use crate::analysis::kinds::objects;
use crate::analysis::resources::place::View;
use crate::{Finding, Severity};

/// A definition that gets a lens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedKind {
    /// The start of the definition, in bytes.
    pub range: TextRange,
    /// Its group.
    pub group: String,
    /// Its kind.
    pub kind: String,
}

/// A resource, for lenses on its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceOfKind {
    /// Its group.
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// The range of the value of `kind`, in bytes.
    pub range: TextRange,
    /// Whether it has errors or warnings.
    pub has_findings: bool,
}

/// The definitions in a text.
pub(crate) fn defined_kinds(tree: &Tree) -> Vec<DefinedKind> {
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader).into_iter().filter(|one| !one.is_partial()) {
            let Some(DefinedName { group, kind, .. }) = name(&definition) else { continue };
            all.push(DefinedKind { range: TextRange::empty(definition.value().range().start), group, kind });
        }
    }
    all
}

/// The objects in a text with these `findings`, without objects of the core of Kubernetes.
pub(crate) fn resources(view: View<'_>, findings: &[Finding]) -> Vec<ResourceOfKind> {
    let grave = |finding: &&Finding| matches!(finding.severity, Severity::Error | Severity::Warning);
    let mut all = Vec::new();
    for document in view.tree.documents() {
        let reader = Reader::new(document);
        for (_, value, of) in objects(document, &reader) {
            let entry = value.as_mapping().and_then(|object| reader.entry(object, "kind"));
            let has_findings =
                findings.iter().filter(grave).any(|finding| value.range().contains_range(finding.range));
            let range = entry.map_or(value.range(), |entry| entry.value().range());
            all.push(ResourceOfKind { group: of.group, kind: of.kind, range, has_findings });
        }
    }
    all
}
