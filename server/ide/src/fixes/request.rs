//! The question that all functions of fixes answer.

use api::Code;
use crd::rules::RuleView;
use text::TextRange;
use yaml::edit::Editor;
use yaml::{Document, Reader};

use crate::analysis::caches::Caches;
use crate::analysis::inputs::DocumentInputs;
use crate::{Finding, Settings, Surroundings};

/// A request for the fixes of findings: the document, its findings and the range that they must touch.
///
/// A function that answers it returns fixes for [`touched`](Self::touched) findings only. It tries edits with
/// a [`Proof`](super::Proof), which is a separate parameter because it counts the tried edits.
#[derive(Clone, Copy)]
pub(super) struct FixRequest<'r, 't> {
    pub(super) document: Document<'t>,
    /// Of `document`.
    pub(super) reader: &'r Reader<'t>,
    /// Of `document`, without changes: each fix starts with a [`fresh`](Editor::fresh) one.
    pub(super) editor: &'r Editor<'t>,
    pub(super) inputs: DocumentInputs<'r>,
    /// All findings of `document`.
    pub(super) findings: &'r [Finding],
    /// In bytes of the file.
    pub(super) range: TextRange,
}

impl<'r> FixRequest<'r, '_> {
    pub(super) const fn settings(&self) -> &'r Settings {
        self.inputs.settings
    }

    pub(super) const fn surroundings(&self) -> &'r Surroundings {
        self.inputs.surroundings
    }

    /// The findings that touch the range.
    pub(super) fn touched(&self) -> impl Iterator<Item = &'r Finding> + use<'r> {
        let range = self.range;
        self.findings.iter().filter(move |finding| finding.range.overlaps(range))
    }

    /// The findings with one of `codes` that touch the range.
    pub(super) fn with_codes<'c>(
        &self,
        codes: &'c [Code],
    ) -> impl Iterator<Item = &'r Finding> + use<'r, 'c> {
        self.touched().filter(move |finding| codes.contains(&finding.code))
    }

    /// Calls `visit` for each rule at `finding`.
    pub(super) fn visit_rules(
        &self,
        finding: &Finding,
        caches: &mut Caches,
        visit: &mut dyn FnMut(&RuleView<'_>),
    ) {
        crd::rules::rules(self.document, &self.settings().options(), &mut caches.crd, finding.range, visit);
    }
}
