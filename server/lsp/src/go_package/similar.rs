//! One fix of Go at all places of a file with the same error.

use std::path::Path;

use go::edits::Preference;
use ide::{Code, Fix, FixSource};
use text::{TextEdit, TextRange};

use super::Texts;
use super::candidates::candidates;
use super::repairs::{RepairTrial, offer, source_edits};
use crate::generated_definitions::GeneratedDefinitions;

/// The maximum number of fixes of definitions that are tried for one fix.
const MOST_CANDIDATES: usize = 100;

/// A Go file with the fixes of its errors.
pub(crate) struct InGo<'a> {
    pub(crate) trial: &'a RepairTrial<'a>,
    pub(crate) generated: &'a GeneratedDefinitions,
    /// The texts that replace files from which the packages were generated.
    pub(crate) texts: &'a Texts,
    pub(crate) path: &'a Path,
    /// The fixes of all markers and tags of the file.
    pub(crate) fixes: &'a [Fix],
}

impl InGo<'_> {
    /// The fixes of definitions for findings with `code` that change this file alone.
    fn of_definitions(&self, code: Code) -> (Vec<Fix>, bool) {
        let found = self.generated.findings_in(self.path);
        let places: Vec<TextRange> =
            found.iter().filter(|finding| finding.code == code).map(|finding| finding.range).collect();
        if places.len() < 2 {
            return (Vec::new(), false);
        }
        let is_selected = |path: &Path, range: TextRange| {
            path == self.path && places.iter().any(|place| place.overlaps(range))
        };
        let all = candidates(self.generated, false, Some(&is_selected));
        let fixes = all.iter().take(MOST_CANDIDATES).filter_map(|candidate| {
            let outcome = &self.generated.outcome;
            let edits = [Preference::Field, Preference::Type].into_iter().find_map(|preference| {
                outcome.edits(&candidate.product, &candidate.changes, preference).ok()
            })?;
            let offer = offer(candidate, edits, Vec::new())?;
            (offer.path == self.path && offer.other_edits.is_empty()).then_some(offer.fix)
        });
        let mut fixes: Vec<Fix> = fixes.collect();
        fixes.sort_by(|one, other| (&one.edits, &one.title).cmp(&(&other.edits, &other.title)));
        fixes.dedup_by(|one, other| (&one.edits, &one.title) == (&other.edits, &other.title));
        (fixes, all.len() > MOST_CANDIDATES)
    }
}

impl FixSource for InGo<'_> {
    fn fixes_of(&mut self, code: Code) -> (Vec<Fix>, bool) {
        let is_of = |fix: &&Fix| fix.repairs.first().is_some_and(|(of, _)| *of == code);
        let mistakes: Vec<Fix> = self.fixes.iter().filter(is_of).cloned().collect();
        if mistakes.is_empty() { self.of_definitions(code) } else { (mistakes, false) }
    }

    fn hold(&mut self, fix: &Fix, some: &[&Fix], edits: &[TextEdit]) -> bool {
        let Some((code, _)) = fix.repairs.first() else { return false };
        let edits = source_edits(self.path, edits);
        let codes = vec![*code; some.len()];
        self.trial.proven(self.generated, self.texts, &edits, (&codes, None)).is_some()
    }
}
