//! Fixes of definitions as edits of Go, each proven by generating and checking again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::edits::{Preference, SourceEdit};
use go::generate::Outcome;
use go::schema::ProblemKind;
use ide::{Applicability, Code, Finding, Fix, RuleLevels};
use text::{TextEdit, TextRange};

use super::candidates::{Candidate, IsSelected, candidates, changes_between};
use super::findings::{GoFinding, asks_for_conventions, code_of, go_findings};
use super::{GoPackage, Texts};
use crate::generated_definitions::{AnalysisInputs, GeneratedDefinitions};

/// The maximum number of fixes that are tried for one package.
const MAX_TRIALS: usize = 200;

/// The texts after edits of several files.
pub(super) fn edited(generated: &GeneratedDefinitions, texts: &Texts, edits: &[SourceEdit]) -> Option<Texts> {
    let mut texts = texts.clone();
    for edit in edits.iter().rev() {
        let source = || generated.outcome.source_at(&edit.path).map(|file| file.text.clone());
        let mut text = texts.get(&edit.path).cloned().or_else(source)?;
        text.get(edit.range.clone())?;
        text.replace_range(edit.range.clone(), &edit.text);
        texts.insert(edit.path.clone(), text);
    }
    Some(texts)
}

/// The number of findings of each rule in Go, as far as `rules` select them.
fn counts_in_go(outcome: &Outcome, rules: &RuleLevels) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    let mistakes =
        outcome.mistakes(asks_for_conventions(rules)).into_iter().map(|mistake| code_of(mistake.kind));
    let problems = outcome.problems.iter().chain(&outcome.panic).map(|_| Code::GoGeneration);
    let missing = outcome.missing.iter().map(|_| Code::GoMissingModule);
    for code in mistakes.chain(problems).chain(missing) {
        *counts.entry(code).or_default() += 1;
    }
    counts
}

/// Adds the number of findings of each rule in the generated definitions, except for the definition `except`.
fn add_counts(counts: &mut BTreeMap<Code, usize>, generated: &GeneratedDefinitions, except: Option<&str>) {
    for made in &generated.files {
        let name = |finding: &Finding| made.product(finding.range.start).map(|product| &*product.name);
        let counted = made.file.findings().iter().filter(|found| except.is_none() || name(found) != except);
        for finding in counted {
            *counts.entry(finding.code).or_default() += 1;
        }
    }
}

/// Whether the definitions of two outcomes are the same texts, except for one of them.
fn differ_only_in(before: &Outcome, after: &Outcome, product: &str) -> bool {
    let others = |outcome: &Outcome| -> Vec<(String, Arc<str>)> {
        let files = outcome.files.iter().filter(|file| file.name != product);
        files.map(|file| (file.name.clone(), Arc::clone(&file.text))).collect()
    };
    others(before) == others(after)
}

/// Edits that a proof accepts: the texts after them, and what is generated from these texts.
pub(super) struct ProvenEdits {
    texts: Texts,
    pub(super) outcome: Arc<Outcome>,
    /// Absent if the proof does not need the findings of the definitions.
    definitions: Option<GeneratedDefinitions>,
}

/// The packages with which fixes are tried, and the input of the analyses.
pub(crate) struct RepairTrial<'a> {
    pub(crate) package: &'a GoPackage,
    pub(crate) inputs: &'a AnalysisInputs<'a>,
}

impl RepairTrial<'_> {
    /// The result of edits, if they leave fewer findings: each of `codes` has at least as many findings fewer as it occurs
    /// in `codes`, and no rule has more. If the definition of `candidate` changes exactly as its fix changes it, its findings
    /// are not counted: that fix is proven, and findings that it uncovers do not prevent it. The definitions are checked again
    /// only if others change as well.
    pub(super) fn proven(
        &self,
        generated: &GeneratedDefinitions,
        texts: &Texts,
        edits: &[SourceEdit],
        (codes, candidate): (&[Code], Option<&Candidate>),
    ) -> Option<ProvenEdits> {
        let texts = edited(generated, texts, edits)?;
        let changed: BTreeSet<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
        let changed: Vec<PathBuf> = changed.into_iter().collect();
        let outcome =
            self.package.generate_without_rejected(&texts, Some((&generated.outcome, &changed))).ok()?;
        let outcome = Arc::new(outcome);
        let changes_as_expected = |candidate: &&Candidate| {
            let after = outcome.files.iter().find(|file| file.name == candidate.product);
            let texts = generated.text_of(&candidate.product).zip(after);
            texts.and_then(|(before, after)| changes_between(before, &after.text)).as_ref()
                == Some(&candidate.changes)
        };
        let except = candidate.filter(changes_as_expected).map(|candidate| &*candidate.product);
        let rules = (self.inputs.settings)(changed.first()?).rules;
        let mut before = counts_in_go(&generated.outcome, &rules);
        let mut now = counts_in_go(&outcome, &rules);
        let is_rest_same =
            except.is_some_and(|product| differ_only_in(&generated.outcome, &outcome, product));
        let definitions = match is_rest_same {
            true => None,
            false => {
                let after = GeneratedDefinitions::new(Arc::clone(&outcome), Some(generated), self.inputs)?;
                add_counts(&mut before, generated, except);
                add_counts(&mut now, &after, except);
                Some(after)
            }
        };
        let of = |counts: &BTreeMap<Code, usize>, code: &Code| counts.get(code).copied().unwrap_or(0);
        let named = |code: &Code| codes.iter().filter(|other| *other == code).count();
        let improves = (except.is_some()
            || codes.iter().all(|code| of(&now, code) + named(code) <= of(&before, code)))
            && now.keys().all(|code| of(&now, code) <= of(&before, code));
        improves.then_some(ProvenEdits { texts, outcome, definitions })
    }

    /// The texts after proven edits, and the definitions that are generated from them. `None` if the analysis was stopped.
    fn applied(
        &self,
        before: &GeneratedDefinitions,
        proven: ProvenEdits,
    ) -> Option<(Texts, GeneratedDefinitions)> {
        let ProvenEdits { texts, outcome, definitions } = proven;
        let analysed = || GeneratedDefinitions::new(outcome, Some(before), self.inputs);
        Some((texts, definitions.or_else(analysed)?))
    }

    /// The proven edits for a candidate, or the reason why there are none.
    fn translated(
        &self,
        generated: &GeneratedDefinitions,
        texts: &Texts,
        candidate: &Candidate,
    ) -> Result<(Vec<SourceEdit>, ProvenEdits), String> {
        let Some((code, ..)) = candidate.repairs.first() else {
            return Err("a type that it depends on is missing; download its module".to_owned());
        };
        let mut reason = None;
        for preference in [Preference::Field, Preference::Type] {
            match generated.outcome.edits(&candidate.product, &candidate.changes, preference) {
                Ok(edits) => {
                    if let Some(proven) = self.proven(generated, texts, &edits, (&[*code], Some(candidate))) {
                        return Ok((edits, proven));
                    }
                    reason.get_or_insert_with(|| {
                        "the edit in Go causes other findings; change the marker by hand".to_owned()
                    });
                }
                Err(refused) => {
                    reason.get_or_insert(refused);
                }
            }
        }
        Err(reason.unwrap_or_default())
    }
}

/// An edit of a Go file as an edit of its text.
pub(crate) fn text_edit(edit: SourceEdit) -> TextEdit {
    TextEdit::replace(TextRange::from_usize(edit.range), edit.text)
}

/// Edits of the text of a Go file as edits of the file.
pub(super) fn source_edits(path: &Path, edits: &[TextEdit]) -> Vec<SourceEdit> {
    let of_file = |edit: &TextEdit| SourceEdit {
        path: path.to_owned(),
        range: edit.range.start as usize..edit.range.end as usize,
        text: edit.new_text.clone(),
    };
    edits.iter().map(of_file).collect()
}

/// Fixes of definitions as fixes of Go files.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    pub(crate) fixes: Vec<Offer>,
    /// The titles of the fixes that are not possible in Go, with the reasons.
    pub(crate) refused: Vec<(String, String)>,
}

/// A fix of a Go file.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// The file with the findings that it repairs.
    pub(crate) path: PathBuf,
    /// The fix of that file.
    pub(crate) fix: Fix,
    /// The edits of other files.
    pub(crate) other_edits: BTreeMap<PathBuf, Vec<TextEdit>>,
    /// The definitions that change with it, by their names.
    pub(crate) definitions: Vec<(String, Arc<str>)>,
}

/// The fixes of findings at selected tokens. `texts` replace files from which the packages were generated.
pub(crate) fn offered(
    trial: &RepairTrial<'_>,
    generated: &GeneratedDefinitions,
    texts: &Texts,
    is_selected: IsSelected<'_>,
) -> Offers {
    let mut offers = Offers::default();
    for candidate in candidates(generated, false, Some(is_selected)).iter().take(MAX_TRIALS) {
        if trial.inputs.stop.is_due() {
            break;
        }
        match trial.translated(generated, texts, candidate) {
            Ok((edits, proven)) => {
                let offer = offer(candidate, edits, changed_between(generated, &proven.outcome));
                offer.into_iter().for_each(|offer| offers.add(offer));
            }
            Err(reason) => offers.refused.push((candidate.title.clone(), reason)),
        }
    }
    offers
}

/// The offer of a candidate; `None` if no token of its findings is known.
pub(super) fn offer(
    candidate: &Candidate,
    edits: Vec<SourceEdit>,
    definitions: Vec<(String, Arc<str>)>,
) -> Option<Offer> {
    let (_, path, _) = candidate.repairs.first()?;
    let repairs = candidate.repairs.iter().filter(|(_, other, _)| other == path);
    let repairs: BTreeSet<(Code, TextRange)> = repairs.map(|(code, _, range)| (*code, *range)).collect();
    let repairs = repairs.into_iter().collect();
    let mut other_edits: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
    for edit in edits {
        other_edits.entry(edit.path.clone()).or_default().push(text_edit(edit));
    }
    let edits = other_edits.remove(path).unwrap_or_default();
    let applicability = if candidate.is_safe { Applicability::Safe } else { Applicability::Suggested };
    let fix = Fix::with_title(candidate.title.clone(), edits, applicability, repairs);
    Some(Offer { path: path.clone(), fix, other_edits, definitions })
}

/// The definitions that differ between two generations, with the texts of the later one.
fn changed_between(before: &GeneratedDefinitions, after: &Outcome) -> Vec<(String, Arc<str>)> {
    let files = after.files.iter();
    let changed = files.filter(|file| before.text_of(&file.name) != Some(&*file.text));
    changed.map(|file| (file.name.clone(), Arc::clone(&file.text))).collect()
}

impl Offer {
    /// Whether it changes the same texts in the same way.
    fn is_like(&self, other: &Self) -> bool {
        (&self.path, &self.fix.edits, &self.other_edits)
            == (&other.path, &other.fix.edits, &other.other_edits)
    }
}

impl Offers {
    /// Adds an offer, and merges it with one that has the same edits.
    fn add(&mut self, offer: Offer) {
        match self.fixes.iter_mut().find(|known| known.is_like(&offer)) {
            Some(known) => {
                known.fix.repairs.extend(offer.fix.repairs);
                known.fix.repairs.sort_unstable();
                known.fix.repairs.dedup();
            }
            None => self.fixes.push(offer),
        }
    }
}

/// Edits, and the rules of which they repair findings.
type Step = (Vec<Code>, Vec<SourceEdit>);

/// The safe fixes of errors in Go in the selected files. While controller-gen rejects something, the effects of other fixes
/// are unknown, so only the rejected parts are repaired.
fn safe_fixes(outcome: &Outcome, rules: &RuleLevels, is_selected: &dyn Fn(&Path) -> bool) -> Vec<Step> {
    // The storage version does not affect the generation of schemas.
    let is_refused = outcome.problems.iter().any(|problem| problem.kind != ProblemKind::NoStorage);
    let mut found = Vec::new();
    for (path, go_findings) in go_findings(outcome, rules).into_iter().filter(|(path, _)| is_selected(path)) {
        for GoFinding { finding, fixes, .. } in go_findings {
            let mut safe = fixes.into_iter().filter(|fix| fix.applicability == Applicability::Safe);
            let Some(fix) = safe.next() else { continue };
            if is_refused && finding.code != Code::GoGeneration {
                continue;
            }
            found.push((vec![finding.code], source_edits(&path, &fix.edits)));
        }
    }
    found
}

/// All fixes that do not overlap, as one step; `None` for fewer than two.
fn combined(fixes: &[Step]) -> Option<Step> {
    let (mut codes, mut edits) = (BTreeSet::new(), Vec::new());
    // The ends of edits by their beginnings.
    let mut taken: BTreeMap<(&Path, usize), usize> = BTreeMap::new();
    let mut count = 0;
    for (of, fix) in fixes {
        let is_disjoint = |edit: &SourceEdit| {
            let before = taken.range(..=(&*edit.path, edit.range.end)).next_back();
            before.is_none_or(|((path, _), end)| *path != edit.path || *end < edit.range.start)
        };
        if fix.iter().all(is_disjoint) {
            codes.extend(of.iter().copied());
            edits.extend(fix.iter().cloned());
            taken.extend(fix.iter().map(|edit| ((&*edit.path, edit.range.start), edit.range.end)));
            count += 1;
        }
    }
    edits.sort_by(|one: &SourceEdit, other| {
        (&one.path, one.range.start).cmp(&(&other.path, other.range.start))
    });
    (count > 1).then(|| (codes.into_iter().collect(), edits))
}

/// The result of all safe fixes.
pub(crate) struct RepairedPackages {
    /// The changed files, with their new texts.
    pub(crate) texts: Texts,
    /// The texts of these files before.
    pub(crate) texts_before: Texts,
    pub(crate) generated: GeneratedDefinitions,
    /// The reasons why fixes of definitions are not possible in Go.
    pub(crate) refused: BTreeSet<String>,
}

/// The files with findings to repair, and the files that may change.
pub(crate) struct Scope<'a> {
    /// The files whose findings are repaired.
    pub(crate) is_selected: &'a dyn Fn(&Path) -> bool,
    /// The files that may change.
    pub(crate) may_change: &'a dyn Fn(&Path) -> bool,
}

/// Applies safe fixes of Go and of definitions, one step after another, until none is left or the work is stopped. `texts`
/// replace files from which the packages were generated.
pub(crate) fn repaired(
    trial: &RepairTrial<'_>,
    (generated, texts): (GeneratedDefinitions, Texts),
    rules: &RuleLevels,
    scope: &Scope<'_>,
) -> RepairedPackages {
    let sources = generated.outcome.sources().to_vec();
    let mut done =
        RepairedPackages { texts, texts_before: Texts::new(), generated, refused: BTreeSet::new() };
    let mut trials = 0;
    'rounds: while trials < MAX_TRIALS && !trial.inputs.stop.is_due() {
        let fixes = safe_fixes(&done.generated.outcome, rules, scope.is_selected);
        // Most fixes do not depend on each other.
        let all = combined(&fixes);
        for (codes, edits) in all.into_iter().chain(fixes) {
            trials += 1;
            let proof = trial.proven(&done.generated, &done.texts, &edits, (&codes, None));
            if let Some((texts, generated)) = proof.and_then(|proven| trial.applied(&done.generated, proven))
            {
                (done.texts, done.generated) = (texts, generated);
                continue 'rounds;
            }
        }
        done.refused.clear();
        for candidate in candidates(&done.generated, true, None) {
            let mut repairs = candidate.repairs.iter().map(|(_, path, _)| path);
            if !candidate.repairs.is_empty() && !repairs.any(|path| (scope.is_selected)(path)) {
                continue;
            }
            trials += 1;
            match trial.translated(&done.generated, &done.texts, &candidate) {
                Ok((edits, proven)) => {
                    let may_change = edits.iter().all(|edit| (scope.may_change)(&edit.path));
                    let applied = may_change.then(|| trial.applied(&done.generated, proven)).flatten();
                    if let Some((texts, generated)) = applied {
                        (done.texts, done.generated) = (texts, generated);
                        continue 'rounds;
                    }
                }
                Err(reason) => {
                    done.refused.insert(format!("{}: {}: {reason}", candidate.product, candidate.title));
                }
            }
        }
        break;
    }
    let of = |path: &PathBuf| sources.iter().find(|file| file.path == *path).map(|file| file.text.clone());
    done.texts_before = done.texts.keys().filter_map(|path| Some((path.clone(), of(path)?))).collect();
    done
}
