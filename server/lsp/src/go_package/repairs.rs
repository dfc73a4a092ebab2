//! Fixes of definitions as edits of Go, each proven by generating and checking again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use go::edits::{NodeChange, Preference, SourceEdit, changes};
use ide::{Applicability, Code, Fix, Settings};
use text::{TextEdit, TextRange, TextSize};

use super::analysis::{Analysis, json_of};
use super::told::told;
use super::{GoPackage, Texts};

/// So many fixes are tried for one package.
const MAX_TRIALS: usize = 200;

/// A fix of a definition, as far as Go is concerned.
struct Candidate {
    title: String,
    product: String,
    changes: Vec<NodeChange>,
    /// What it repairs, at the tokens in Go.
    repairs: Vec<(Code, PathBuf, TextRange)>,
    is_safe: bool,
}

/// The fixes of definitions that an analysis offers.
fn candidates(analysis: &Analysis, only_safe: bool) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (product, text, file) in analysis.files() {
        let Some(before) = json_of(text) else { continue };
        let whole = TextRange::new(0, TextSize::try_from(text.len()).unwrap_or(TextSize::MAX));
        for fix in file.fixes_within(whole, &file.budget()) {
            let is_safe = fix.applicability == Applicability::Safe;
            if only_safe && !is_safe {
                continue;
            }
            let Some(after) = applied(text, &fix.edits).and_then(|text| json_of(&text)) else { continue };
            let repaired =
                file.findings().iter().filter(|finding| fix.repairs.contains(&(finding.code, finding.range)));
            let repairs = repaired.filter_map(|finding| {
                let (path, range) = analysis.origin(product, finding)?;
                Some((finding.code, path, range))
            });
            found.push(Candidate {
                title: fix.title,
                product: product.to_owned(),
                changes: changes(&before, &after),
                repairs: repairs.collect(),
                is_safe,
            });
        }
    }
    found
}

/// A text after edits; none where they do not fit.
fn applied(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let range = edit.range.start as usize..edit.range.end as usize;
        text.get(range.clone())?;
        text.replace_range(range, &edit.new_text);
    }
    Some(text)
}

/// The texts after edits of several files.
fn edited(analysis: &Analysis, texts: &Texts, edits: &[SourceEdit]) -> Option<Texts> {
    let mut texts = texts.clone();
    for edit in edits.iter().rev() {
        let source = || {
            analysis
                .outcome
                .sources()
                .iter()
                .find(|file| file.path == edit.path)
                .map(|file| file.text.clone())
        };
        let mut text = texts.get(&edit.path).cloned().or_else(source)?;
        text.get(edit.range.clone())?;
        text.replace_range(edit.range.clone(), &edit.text);
        texts.insert(edit.path.clone(), text);
    }
    Some(texts)
}

/// The texts after edits, and what is generated of them, if that has less wrong with it.
fn proven(
    package: &GoPackage,
    analysis: &Analysis,
    texts: &Texts,
    edits: &[SourceEdit],
    code: Code,
    settings: &Settings,
) -> Option<(Texts, Analysis)> {
    let texts = edited(analysis, texts, edits)?;
    let outcome = package.generate(&texts).ok()?;
    let after = Analysis::new(outcome, settings, Some(analysis));
    after.improves(analysis, code).then_some((texts, after))
}

/// The edits for a candidate that hold, or why there are none.
fn translated(
    package: &GoPackage,
    analysis: &Analysis,
    texts: &Texts,
    candidate: &Candidate,
    settings: &Settings,
) -> Result<(Vec<SourceEdit>, Texts, Analysis), String> {
    let Some((code, ..)) = candidate.repairs.first() else {
        return Err("its place in Go is not known".to_owned());
    };
    let mut reason = None;
    for preference in [Preference::Field, Preference::Type] {
        match analysis.outcome.edits(&candidate.product, &candidate.changes, preference) {
            Ok(edits) => {
                if let Some((texts, after)) = proven(package, analysis, texts, &edits, *code, settings) {
                    return Ok((edits, texts, after));
                }
                reason.get_or_insert_with(|| "the edit in Go would cause other findings".to_owned());
            }
            Err(refused) => {
                reason.get_or_insert(refused);
            }
        }
    }
    Err(reason.unwrap_or_default())
}

/// Fixes of definitions as fixes of Go files: by file, those whose edits are all in the file of the finding.
pub(crate) fn offered(package: &GoPackage, analysis: &Analysis, settings: &Settings) -> Vec<(PathBuf, Fix)> {
    let mut found: Vec<(PathBuf, Fix)> = Vec::new();
    let texts = Texts::new();
    for candidate in candidates(analysis, false).iter().take(MAX_TRIALS) {
        let Ok((edits, ..)) = translated(package, analysis, &texts, candidate, settings) else { continue };
        let Some(path) = edits.first().map(|edit| edit.path.clone()) else { continue };
        if edits.iter().any(|edit| edit.path != path) {
            continue;
        }
        let repairs = candidate.repairs.iter().filter(|(_, other, _)| *other == path);
        let repairs: Vec<(Code, TextRange)> = repairs.map(|(code, _, range)| (*code, *range)).collect();
        let at = |offset: usize| TextSize::try_from(offset).unwrap_or(TextSize::MAX);
        let edits = edits.into_iter().map(|edit| {
            TextEdit::replace(TextRange::new(at(edit.range.start), at(edit.range.end)), edit.text)
        });
        let applicability = if candidate.is_safe { Applicability::Safe } else { Applicability::Suggested };
        let fix = Fix { title: candidate.title.clone(), edits: edits.collect(), applicability, repairs };
        let is_new = !found.iter().any(|(other, known)| *other == path && known.edits == fix.edits);
        if is_new && !fix.repairs.is_empty() {
            found.push((path, fix));
        }
    }
    found
}

/// What comes of all safe fixes.
pub(crate) struct Repaired {
    /// The files that change.
    pub(crate) texts: Texts,
    /// What they were before.
    pub(crate) before: Texts,
    pub(crate) analysis: Analysis,
    /// Fixes of definitions that Go cannot have, and why.
    pub(crate) refused: BTreeSet<String>,
}

/// Applies safe fixes of Go and of definitions, one after another, until none is left.
pub(crate) fn repaired(package: &GoPackage, analysis: Analysis, settings: &Settings) -> Repaired {
    let sources = analysis.outcome.sources().to_vec();
    let mut done = Repaired { texts: Texts::new(), before: Texts::new(), analysis, refused: BTreeSet::new() };
    let mut trials = 0;
    'rounds: while trials < MAX_TRIALS {
        for (path, told) in told(&done.analysis.outcome, &settings.rules) {
            for (finding, fix) in told {
                let Some(fix) = fix.filter(|fix| fix.applicability == Applicability::Safe) else { continue };
                trials += 1;
                let edits = fix.edits.into_iter().map(|edit| SourceEdit {
                    path: path.clone(),
                    range: edit.range.start as usize..edit.range.end as usize,
                    text: edit.new_text,
                });
                let edits: Vec<SourceEdit> = edits.collect();
                let proof = proven(package, &done.analysis, &done.texts, &edits, finding.code, settings);
                if let Some((texts, analysis)) = proof {
                    (done.texts, done.analysis) = (texts, analysis);
                    continue 'rounds;
                }
            }
        }
        done.refused.clear();
        for candidate in candidates(&done.analysis, true) {
            trials += 1;
            match translated(package, &done.analysis, &done.texts, &candidate, settings) {
                Ok((_, texts, analysis)) => {
                    (done.texts, done.analysis) = (texts, analysis);
                    continue 'rounds;
                }
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
