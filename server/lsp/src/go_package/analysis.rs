//! What is generated, checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use go::generate::Outcome;
use go::json::Json;
use go::source::{Origin, Source as _};
use ide::{Code, File, Finding, Settings};
use text::{TextRange, TextSize};

use super::told::code_of;
use crate::generated::{range_of, step, within};

/// Whether what a finding misses is added behind controller-gen: the annotation of an approval, the conversion.
pub(crate) const fn is_of_later_step(code: Code) -> bool {
    matches!(code, Code::ApprovalMissing | Code::LintConversionType | Code::LintConversionDataLoss)
}

/// The definitions of an outcome, with what is wrong with them.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) outcome: Outcome,
    files: Vec<File>,
    /// Of each rule, how often it is broken, in Go and in what is generated.
    counts: BTreeMap<Code, usize>,
}

impl Analysis {
    /// Checks what is generated; what did not change since `before` is not checked again.
    pub(crate) fn new(outcome: Outcome, settings: &Settings, before: Option<&Self>) -> Self {
        let known = |name: &str, text: &str| {
            let before = before?;
            let at = before.outcome.files.iter().position(|file| file.name == name && file.text == text)?;
            before.files.get(at).cloned()
        };
        let files = outcome.files.iter().map(|product| {
            known(&product.name, &product.text).unwrap_or_else(|| File::new(&product.text, settings))
        });
        let files: Vec<File> = files.collect();
        let mut counts = BTreeMap::new();
        let codes = files.iter().flat_map(|file| file.findings()).map(|finding| finding.code);
        let mistakes = outcome.mistakes().into_iter().map(|mistake| code_of(mistake.kind));
        let problems = outcome.problems.iter().chain(&outcome.panic).map(|_| Code::GoGeneration);
        let missing = outcome.missing.iter().map(|_| Code::GoMissingModule);
        for code in codes.chain(mistakes).chain(problems).chain(missing) {
            *counts.entry(code).or_default() += 1;
        }
        Self { outcome, files, counts }
    }

    /// The definitions: the name of each, and its analysis.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str, &File)> {
        self.outcome
            .files
            .iter()
            .zip(&self.files)
            .map(|(product, file)| (&*product.name, &*product.text, file))
    }

    /// Whether less is wrong than before: less with one rule, and with none more.
    pub(crate) fn improves(&self, before: &Self, code: Code) -> bool {
        let of = |analysis: &Self, code: Code| analysis.counts.get(&code).copied().unwrap_or(0);
        of(self, code) < of(before, code)
            && self.counts.keys().all(|code| of(self, *code) <= of(before, *code))
    }

    /// The findings on all definitions, by the Go file that causes them, each once.
    pub(crate) fn findings(&self) -> BTreeMap<PathBuf, Vec<Finding>> {
        let mut found: BTreeMap<PathBuf, Vec<Finding>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for (name, _, file) in self.files() {
            for finding in file.findings().iter().filter(|finding| !is_of_later_step(finding.code)) {
                let Some((path, range)) = self.origin(name, finding) else { continue };
                if seen.insert((path.clone(), range, finding.code, finding.message.clone())) {
                    let finding = Finding { range, related: Vec::new(), ..finding.clone() };
                    found.entry(path).or_default().push(finding);
                }
            }
        }
        found
    }

    /// The Go token that causes a finding, or the part of it; none where something is missing on which it rests.
    pub(crate) fn origin(&self, product: &str, finding: &Finding) -> Option<(PathBuf, TextRange)> {
        let steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let origin = self.token_of(product, &steps)?;
        let (_, _, file) = self.files().find(|(name, ..)| *name == product)?;
        let place = file.place_of(TextSize::default(), &steps);
        let part = place.and_then(|place| within(&self.outcome, &origin, &place, finding.range));
        let range = part.unwrap_or_else(|| range_of(&origin));
        Some((origin.path, range))
    }

    /// The Go token that a node comes from.
    pub(crate) fn origin_of(&self, product: &str, steps: &[&str]) -> Option<(PathBuf, TextRange)> {
        let origin = self.token_of(product, steps)?;
        let range = range_of(&origin);
        Some((origin.path, range))
    }

    fn token_of(&self, product: &str, steps: &[&str]) -> Option<Origin> {
        if !self.outcome.is_whole(product, steps) {
            return None;
        }
        self.outcome.origins(product, steps).into_iter().next()
    }
}

/// The first document of a text, as the API server decodes it.
pub(crate) fn json_of(text: &str) -> Option<Json> {
    let tree = yaml::Tree::parse(text);
    let document = tree.documents().next()?;
    Json::decoded(&yaml::decode(document).ok()?.json.to_string()).ok()
}
