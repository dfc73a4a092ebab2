//! Edits that do not repair findings: possible next changes at a place in a definition.
//!
//! Each refactoring is proven before it is offered. No refactoring causes new findings. Those that promise no
//! change (anchors, order) keep the data and all comments. Those that add or remove a rule are offered only
//! if the same generated objects are accepted before and after.

mod anchors;
mod convert;
mod declare;
mod descriptions;
mod expression;
mod order;
mod target;
mod union;
mod versions;

use crd::object::definitions;
use crd::reading::holds_action;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Reader, Tree};

use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::fixes::migration::{MigratedDocument, holds_bumped, migrations};
use crate::fixes::proof::{Budget, KeptVerdicts, Proof};
use target::RefactoringTarget;

/// The kind of a refactoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefactoringKind {
    /// Repeated text is written once.
    Extract,
    /// Text that is written once is repeated.
    Inline,
    /// All others.
    Rewrite,
}

/// An edit that an author may want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refactoring {
    /// The effect of the edits, for a menu.
    pub title: String,
    /// The kind of the change.
    pub kind: RefactoringKind,
    /// The edits, in bytes of the current text, sorted and without overlap.
    pub edits: Vec<TextEdit>,
}

/// The property that the text must have after an edit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EditGuarantee {
    /// The server reads the same data.
    SameData,
    /// There are no new findings.
    NothingNew,
    /// There are no new kinds of findings; added text may repeat existing findings.
    NoNewKind,
    /// There are no new findings, and the same generated objects are accepted.
    SameVerdicts,
}

/// A refactoring that is not proven yet.
struct Offer {
    title: String,
    kind: RefactoringKind,
    /// `None` if the edit builder cannot make the edits.
    edits: Option<Vec<TextEdit>>,
    promise: EditGuarantee,
}

/// The refactorings that may be offered at a place.
const OFFERS: [fn(&RefactoringTarget<'_, '_>, &Editor<'_>) -> Vec<Offer>; 7] = [
    anchors::extract,
    anchors::inline,
    order::sort,
    descriptions::stubs,
    union::close,
    versions::offers,
    convert::offers,
];

/// The refactorings at `range` in `document`.
pub(crate) fn refactorings(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    range: TextRange,
    caches: &SharedCaches,
) -> Vec<Refactoring> {
    let reader = Reader::new(document);
    let definitions = definitions(document, &reader);
    let at = definitions.iter().find(|definition| definition.value().range().contains_range(range));
    let Some(definition) = at.filter(|definition| !definition.is_partial()) else { return Vec::new() };
    if document.syntax().node().flags().errors || holds_action(document) {
        return Vec::new();
    }
    // At the version itself, the migration is the fix of a finding.
    let is_at_version =
        definition.field(&["apiVersion"]).is_some_and(|version| version.range().overlaps(range));
    let mut found = match is_at_version {
        true => Vec::new(),
        false => migrated(document, inputs),
    };
    let editor = Editor::new(document);
    let target = RefactoringTarget::new(document, definition, range);
    let budget = Budget::of(document.range().len() as usize);
    let mut proof = Proof::new(document, inputs, &budget, caches);
    let mut offers: Vec<Offer> = OFFERS.iter().flat_map(|offers| offers(&target, &editor)).collect();
    if inputs.settings.experiments.unions {
        offers.extend(declare::declare(&target, &editor));
    }
    for offer in offers {
        let Some(edits) = offer.edits.filter(|edits| !edits.is_empty()) else { continue };
        let holds = match offer.promise {
            EditGuarantee::SameData => has_same_data(document, &edits) && proof.causes_no_findings(&edits),
            EditGuarantee::NothingNew => proof.causes_no_findings(&edits),
            EditGuarantee::NoNewKind => proof.causes_no_new_code(&edits),
            EditGuarantee::SameVerdicts => {
                proof.causes_no_findings(&edits) && proof.keeps_verdicts(KeptVerdicts::All, &edits)
            }
        };
        if holds {
            found.push(Refactoring { title: offer.title, kind: offer.kind, edits });
        }
    }
    found
}

/// The refactorings that migrate the document to v1.
fn migrated(document: Document<'_>, inputs: DocumentInputs<'_>) -> Vec<Refactoring> {
    // For such a definition, the migration is the fix of the fields that v1 does not know.
    if holds_bumped(document) {
        return Vec::new();
    }
    let found = migrations(document, inputs).into_iter();
    found
        .map(|MigratedDocument { title, edits, .. }| Refactoring {
            title,
            kind: RefactoringKind::Rewrite,
            edits,
        })
        .collect()
}

/// Whether the server reads the same data after `edits`, apart from the order of keys.
fn has_same_data(document: Document<'_>, edits: &[TextEdit]) -> bool {
    let text = document.syntax().text();
    let start = document.range().start;
    let own: Vec<TextEdit> = edits.iter().map(|edit| moved(edit, start)).collect();
    let tree = Tree::parse(&text::applied(&text, 0, &own));
    let mut after = tree.documents();
    let (Ok(before), Some(Ok(after))) = (yaml::decode(document), after.next().map(yaml::decode)) else {
        return false;
    };
    before.json == after.json
}

fn moved(edit: &TextEdit, back: TextSize) -> TextEdit {
    let range = TextRange::new(edit.range.start - back, edit.range.end - back);
    TextEdit::replace(range, edit.new_text.clone())
}

/// The edits of an editor after `change`.
fn edits<'t>(editor: &Editor<'t>, change: impl FnOnce(&mut Editor<'t>)) -> Option<Vec<TextEdit>> {
    let mut editor = editor.fresh();
    change(&mut editor);
    editor.finish().ok()
}
