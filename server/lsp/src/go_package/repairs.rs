//! Fixes of definitions as edits of Go, each proven by generating and checking again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use go::edits::{Preference, SourceEdit};
use go::generate::Outcome;
use go::schema::ProblemKind;
use ide::{Applicability, Code, Finding, Fix, RuleLevels};
use text::{TextEdit, TextRange};

use super::candidates::{Candidate, IsMeant, candidates, changes_between};
use super::told::{Remark, asks_for_conventions, code_of, told};
use super::{GoPackage, Texts};
use crate::generated::{Around, Generated};

/// So many fixes are tried for one package.
const MAX_TRIALS: usize = 200;

/// The texts after edits of several files.
pub(super) fn edited(generated: &Generated, texts: &Texts, edits: &[SourceEdit]) -> Option<Texts> {
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

/// Of each rule, how often it is broken, in Go as far as `rules` ask for it and in what is generated, `apart` from one definition.
fn counts(generated: &Generated, rules: &RuleLevels, apart: Option<&str>) -> BTreeMap<Code, usize> {
    let outcome = &generated.outcome;
    let mut counts = BTreeMap::new();
    let codes = generated.made.iter().flat_map(|made| {
        let name = |finding: &Finding| made.product(finding.range.start).map(|product| &*product.name);
        let counted =
            made.file.findings().iter().filter(move |found| apart.is_none() || name(found) != apart);
        counted.map(|finding| finding.code)
    });
    let mistakes =
        outcome.mistakes(asks_for_conventions(rules)).into_iter().map(|mistake| code_of(mistake.kind));
    let problems = outcome.problems.iter().chain(&outcome.panic).map(|_| Code::GoGeneration);
    let missing = outcome.missing.iter().map(|_| Code::GoMissingModule);
    for code in codes.chain(mistakes).chain(problems).chain(missing) {
        *counts.entry(code).or_default() += 1;
    }
    counts
}

/// Packages as they are, and what is to be tried with them.
pub(crate) struct Trial<'a> {
    pub(crate) package: &'a GoPackage,
    pub(crate) around: &'a Around<'a>,
}

impl Trial<'_> {
    /// The texts after edits, and what is generated of them, if that has less wrong with it: of each of `codes`, as many findings
    /// fewer as it is named, and of no other one more. A definition that is as a proven
    /// fix makes it is not looked at again: what the fix uncovers there is no reason against it.
    pub(super) fn proven(
        &self,
        generated: &Generated,
        texts: &Texts,
        edits: &[SourceEdit],
        (codes, candidate): (&[Code], Option<&Candidate>),
    ) -> Option<(Texts, Generated)> {
        let texts = edited(generated, texts, edits)?;
        let changed: BTreeSet<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
        let changed: Vec<PathBuf> = changed.into_iter().collect();
        let outcome = self.package.generate(&texts, Some((&generated.outcome, &changed))).ok()?;
        let after = Generated::new(Arc::new(outcome), Some(generated), self.around)?;
        let is_as_meant = |meant: &&Candidate| {
            let texts = generated.text_of(&meant.product).zip(after.text_of(&meant.product));
            texts.and_then(|(before, after)| changes_between(before, after)).as_ref() == Some(&meant.changes)
        };
        let apart = candidate.filter(is_as_meant).map(|meant| &*meant.product);
        let rules = (self.around.settings)(changed.first()?).rules;
        let (before, now) = (counts(generated, &rules, apart), counts(&after, &rules, apart));
        let of = |counts: &BTreeMap<Code, usize>, code: &Code| counts.get(code).copied().unwrap_or(0);
        let named = |code: &Code| codes.iter().filter(|other| *other == code).count();
        let improves = (apart.is_some()
            || codes.iter().all(|code| of(&now, code) + named(code) <= of(&before, code)))
            && now.keys().all(|code| of(&now, code) <= of(&before, code));
        improves.then_some((texts, after))
    }

    /// The edits for a candidate that hold, or why there are none.
    fn translated(
        &self,
        generated: &Generated,
        texts: &Texts,
        candidate: &Candidate,
    ) -> Result<(Vec<SourceEdit>, Texts, Generated), String> {
        let Some((code, ..)) = candidate.repairs.first() else {
            return Err("a type that it depends on is missing; download its module".to_owned());
        };
        let mut reason = None;
        for preference in [Preference::Field, Preference::Type] {
            match generated.outcome.edits(&candidate.product, &candidate.changes, preference) {
                Ok(edits) => {
                    if let Some((texts, after)) =
                        self.proven(generated, texts, &edits, (&[*code], Some(candidate)))
                    {
                        return Ok((edits, texts, after));
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

/// An edit of a Go file as one of its text.
pub(crate) fn text_edit(edit: SourceEdit) -> TextEdit {
    TextEdit::replace(TextRange::from_usize(edit.range), edit.text)
}

/// Edits of the text of a Go file as ones of the file.
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
    /// The titles of those that Go cannot have, and why.
    pub(crate) refused: Vec<(String, String)>,
}

/// A fix of a Go file.
#[derive(Debug)]
pub(crate) struct Offer {
    /// The file with the findings that it repairs.
    pub(crate) path: PathBuf,
    /// What it does to that file.
    pub(crate) fix: Fix,
    /// What it does to others.
    pub(crate) beside: BTreeMap<PathBuf, Vec<TextEdit>>,
    /// The definitions that change with it, by their names.
    pub(crate) definitions: Vec<(String, Arc<str>)>,
}

/// Fixes for findings at tokens that are meant. `texts` are what the packages were generated of in place of files.
pub(crate) fn offered(
    trial: &Trial<'_>,
    generated: &Generated,
    texts: &Texts,
    is_meant: IsMeant<'_>,
) -> Offers {
    let mut offers = Offers::default();
    for candidate in candidates(generated, false, Some(is_meant)).iter().take(MAX_TRIALS) {
        if trial.around.stop.is_due() {
            break;
        }
        match trial.translated(generated, texts, candidate) {
            Ok((edits, _, after)) => {
                let offer = offer(candidate, edits, changed_between(generated, &after));
                offer.into_iter().for_each(|offer| offers.add(offer));
            }
            Err(reason) => offers.refused.push((candidate.title.clone(), reason)),
        }
    }
    offers
}

/// None where no token of a finding is known.
pub(super) fn offer(
    candidate: &Candidate,
    edits: Vec<SourceEdit>,
    definitions: Vec<(String, Arc<str>)>,
) -> Option<Offer> {
    let (_, path, _) = candidate.repairs.first()?;
    let repairs = candidate.repairs.iter().filter(|(_, other, _)| other == path);
    let repairs: BTreeSet<(Code, TextRange)> = repairs.map(|(code, _, range)| (*code, *range)).collect();
    let repairs = repairs.into_iter().collect();
    let mut beside: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
    for edit in edits {
        beside.entry(edit.path.clone()).or_default().push(text_edit(edit));
    }
    let edits = beside.remove(path).unwrap_or_default();
    let applicability = if candidate.is_safe { Applicability::Safe } else { Applicability::Suggested };
    let fix = Fix { title: candidate.title.clone(), edits, applicability, repairs };
    Some(Offer { path: path.clone(), fix, beside, definitions })
}

/// The definitions that differ between two generations, as the later one has them.
fn changed_between(before: &Generated, after: &Generated) -> Vec<(String, Arc<str>)> {
    let files = after.outcome.files.iter();
    let changed = files.filter(|file| before.text_of(&file.name) != Some(&*file.text));
    changed.map(|file| (file.name.clone(), Arc::clone(&file.text))).collect()
}

impl Offer {
    /// Whether it changes the same texts in the same way.
    fn is_like(&self, other: &Self) -> bool {
        (&self.path, &self.fix.edits, &self.beside) == (&other.path, &other.fix.edits, &other.beside)
    }
}

impl Offers {
    /// Fixes with the same edits are one.
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

/// Edits, and the rules that are broken less often with them.
type Step = (Vec<Code>, Vec<SourceEdit>);

/// The safe fixes of mistakes in Go in files that are meant. While controller-gen refuses something, what else a fix changes is not
/// seen, so that only what is refused is repaired.
fn safe_fixes(outcome: &Outcome, rules: &RuleLevels, is_meant: &dyn Fn(&Path) -> bool) -> Vec<Step> {
    // What is stored does not matter to what is generated.
    let is_refused = outcome.problems.iter().any(|problem| problem.kind != ProblemKind::NoStorage);
    let mut found = Vec::new();
    for (path, told) in told(outcome, rules).into_iter().filter(|(path, _)| is_meant(path)) {
        for Remark { finding, fixes, .. } in told {
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

/// All fixes that do not overlap, as one step; none of fewer than two.
fn together(fixes: &[Step]) -> Option<Step> {
    let (mut codes, mut edits) = (BTreeSet::new(), Vec::new());
    // Where edits begin, and where they end.
    let mut taken: BTreeMap<(&Path, usize), usize> = BTreeMap::new();
    let mut count = 0;
    for (of, fix) in fixes {
        let is_apart = |edit: &SourceEdit| {
            let before = taken.range(..=(&*edit.path, edit.range.end)).next_back();
            before.is_none_or(|((path, _), end)| *path != edit.path || *end < edit.range.start)
        };
        if fix.iter().all(is_apart) {
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

/// What comes of all safe fixes.
pub(crate) struct Repaired {
    /// The files that change.
    pub(crate) texts: Texts,
    /// What they were before.
    pub(crate) before: Texts,
    pub(crate) generated: Generated,
    /// Fixes of definitions that Go cannot have, and why.
    pub(crate) refused: BTreeSet<String>,
}

/// Which findings safe fixes repair, and where.
pub(crate) struct Scope<'a> {
    /// The files whose findings are meant.
    pub(crate) is_meant: &'a dyn Fn(&Path) -> bool,
    /// The files that may change.
    pub(crate) may_change: &'a dyn Fn(&Path) -> bool,
}

/// Applies safe fixes of Go and of definitions, one step after another, until none is left or nobody waits. `texts` are what the
/// packages were generated of in place of files.
pub(crate) fn repaired(
    trial: &Trial<'_>,
    (generated, texts): (Generated, Texts),
    rules: &RuleLevels,
    scope: &Scope<'_>,
) -> Repaired {
    let sources = generated.outcome.sources().to_vec();
    let mut done = Repaired { texts, before: Texts::new(), generated, refused: BTreeSet::new() };
    let mut trials = 0;
    'rounds: while trials < MAX_TRIALS && !trial.around.stop.is_due() {
        let fixes = safe_fixes(&done.generated.outcome, rules, scope.is_meant);
        // Most do not depend on each other.
        let all = together(&fixes);
        for (codes, edits) in all.into_iter().chain(fixes) {
            trials += 1;
            let proof = trial.proven(&done.generated, &done.texts, &edits, (&codes, None));
            if let Some((texts, generated)) = proof {
                (done.texts, done.generated) = (texts, generated);
                continue 'rounds;
            }
        }
        done.refused.clear();
        for candidate in candidates(&done.generated, true, None) {
            let mut repairs = candidate.repairs.iter().map(|(_, path, _)| path);
            if !candidate.repairs.is_empty() && !repairs.any(|path| (scope.is_meant)(path)) {
                continue;
            }
            trials += 1;
            match trial.translated(&done.generated, &done.texts, &candidate) {
                Ok((edits, texts, generated)) if edits.iter().all(|edit| (scope.may_change)(&edit.path)) => {
                    (done.texts, done.generated) = (texts, generated);
                    continue 'rounds;
                }
                Ok(_) => {}
                Err(reason) => {
                    done.refused.insert(format!("{}: {}: {reason}", candidate.product, candidate.title));
                }
            }
        }
        break;
    }
    let of = |path: &PathBuf| sources.iter().find(|file| file.path == *path).map(|file| file.text.clone());
    done.before = done.texts.keys().filter_map(|path| Some((path.clone(), of(path)?))).collect();
    done
}
