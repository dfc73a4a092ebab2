//! Findings on definitions that depend on an error in Go: they disappear with the fix of the error, so only the error is
//! reported. While a rejected marker has no fix, the findings that may follow from it are not reported either.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::edits::SourceEdit;
use ide::{Code, Severity};

use super::Texts;
use super::findings::{FindingsByFile, GoFinding};
use super::repairs::{RepairTrial, edited, source_edits};
use crate::generated_definitions::{DependentFindings, GeneratedDefinitions};

/// The rules for text that generates nothing, or something else than its author means.
const CAUSES: [Code; 8] = [
    Code::GoGeneration,
    Code::GoJsonTag,
    Code::GoMarkerForm,
    Code::GoMarkerPosition,
    Code::GoMarkerTarget,
    Code::GoMarkerUnknown,
    Code::GoMarkerUnused,
    Code::GoMarkerValue,
];

/// The maximum number of errors whose fixes are tried. Each costs a generation, so there are fewer while somebody types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaxCauses(usize);

impl MaxCauses {
    pub(crate) const IN_EDITORS: Self = Self(3);
    pub(crate) const ON_COMMAND_LINE: Self = Self(24);
}

/// The first fix of an error in Go.
struct CauseFix {
    path: PathBuf,
    /// The index of the finding among those of its file.
    number: usize,
    edits: Vec<SourceEdit>,
}

/// The effect of fixes.
struct RepairEffect {
    removed: DependentFindings,
    /// Whether controller-gen accepts all markers after them, and none is removed.
    accepts_markers: bool,
}

impl RepairTrial<'_> {
    /// Drops the findings on definitions that the first fixes of errors in Go remove as well. An error gets the highest severity of
    /// the findings that depend on it. If a rejected marker remains without a fix, the findings that may follow from it are dropped as
    /// well, except for those of `complete`, the last generation without rejected markers. Returns their number. `texts` replace files
    /// from which the packages were generated.
    pub(crate) fn drop_dependent(
        &self,
        generated: &mut GeneratedDefinitions,
        texts: &Texts,
        go_findings: &mut FindingsByFile,
        most: MaxCauses,
        complete: Option<&GeneratedDefinitions>,
    ) -> usize {
        if !generated.may_depend_on_markers()
            || self.drop_removed(generated, texts, go_findings, most)
            || !generated.outcome.has_rejected_markers()
        {
            return 0;
        }
        let confirmed = generated.without_unconfirmed(complete);
        let dropped = generated.finding_count() - confirmed.finding_count();
        *generated = confirmed;
        dropped
    }

    /// Drops the findings that the first fixes of errors in Go remove. Returns whether the others remain in a generation without rejected
    /// markers.
    fn drop_removed(
        &self,
        generated: &mut GeneratedDefinitions,
        texts: &Texts,
        go_findings: &mut FindingsByFile,
        most: MaxCauses,
    ) -> bool {
        let fixes = cause_fixes(go_findings);
        let all: Vec<SourceEdit> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
        if fixes.is_empty() || fixes.len() > most.0 || !are_disjoint(&all) {
            return false;
        }
        let Some(together) = self.effect_of(generated, texts, all) else { return false };
        if together.removed.is_empty() {
            return together.accepts_markers;
        }
        let of_each: Vec<Option<DependentFindings>> = match fixes.as_slice() {
            [_] => Vec::new(),
            several => {
                let removed =
                    |fix: &CauseFix| Some(self.effect_of(generated, texts, fix.edits.clone())?.removed);
                several.iter().map(removed).collect()
            }
        };
        for (number, fix) in fixes.iter().enumerate() {
            let own = of_each.get(number).map_or(Some(&together.removed), Option::as_ref);
            let Some(most) = own.and_then(|own| generated.drop_findings(own)) else { continue };
            let cause = go_findings.get_mut(&fix.path).and_then(|findings| findings.get_mut(fix.number));
            if let Some(GoFinding { finding, .. }) = cause {
                finding.severity = finding.severity.min(most);
            }
        }
        // These depend on several errors.
        generated.drop_findings(&together.removed);
        together.accepts_markers
    }

    /// The effect of edits; `None` if the edited packages cannot be generated and analysed.
    fn effect_of(
        &self,
        generated: &GeneratedDefinitions,
        texts: &Texts,
        mut edits: Vec<SourceEdit>,
    ) -> Option<RepairEffect> {
        edits.sort_by(|one, other| (&one.path, one.range.start).cmp(&(&other.path, other.range.start)));
        let texts = edited(generated, texts, &edits)?;
        let changed: BTreeSet<PathBuf> = edits.into_iter().map(|edit| edit.path).collect();
        let changed: Vec<PathBuf> = changed.into_iter().collect();
        let earlier = Some((&*generated.outcome, &*changed));
        let outcome = self.package.generate_without_rejected(&texts, earlier).ok()?;
        // A fix that causes an error may hide findings.
        let before = &generated.outcome;
        if outcome.problems.len() > before.problems.len() || outcome.panic.is_some() && before.panic.is_none()
        {
            return None;
        }
        let accepts_markers =
            !outcome.has_rejected_markers() && outcome.marker_count() >= before.marker_count();
        let after = GeneratedDefinitions::new(Arc::new(outcome), Some(generated), self.inputs)?;
        Some(RepairEffect { removed: generated.missing_in(&after), accepts_markers })
    }
}

/// The first fix of each error that may cause other findings.
fn cause_fixes(go_findings: &FindingsByFile) -> Vec<CauseFix> {
    let cause_fix = |path: &Path, (number, found): (usize, &GoFinding)| {
        let is_cause = CAUSES.contains(&found.finding.code) && found.finding.severity != Severity::Hint;
        let fix = found.fixes.first().filter(|_| is_cause)?;
        Some(CauseFix { path: path.to_owned(), number, edits: source_edits(path, &fix.edits) })
    };
    let of_file = |(path, findings): (&PathBuf, &Vec<GoFinding>)| -> Vec<CauseFix> {
        findings.iter().enumerate().filter_map(|found| cause_fix(path, found)).collect()
    };
    go_findings.iter().flat_map(of_file).collect()
}

/// Whether no two edits touch.
fn are_disjoint(edits: &[SourceEdit]) -> bool {
    let mut ranges: Vec<_> =
        edits.iter().map(|edit| (&edit.path, edit.range.start, edit.range.end)).collect();
    ranges.sort_unstable();
    ranges.iter().zip(ranges.iter().skip(1)).all(|(one, next)| one.0 != next.0 || one.2 < next.1)
}
