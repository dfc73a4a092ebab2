//! The analysis of one Go file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use answers::lsp::profile::ClientProfile;
use ide::{Code, Definitions, Finding, Fix, GroupedFindings, OtherText, SourcePlace};
use imara_diff::{Algorithm, Diff, InternedInput};
use text::{TextBuffer, TextEdit, TextRange};

use super::being_typed::TypedText;
use super::closed_definitions::ClosedPackages;
use super::packages::{OpenTexts, Packages};
use super::unit::{BaseRevision, UnitResults};
use crate::generated_definitions::{
    AnalysisInputs, GeneratedDefinitions, GoFileDefinitions, GoLocator, Shift, drop_consequences,
    drop_suppressed, is_of_rule,
};
use crate::go_package::{GoFinding, Offer};
use crate::golang::ReplacedText as _;

/// The analysis of a Go file as it is in the editor.
#[derive(Clone, Debug)]
pub(in crate::server) struct GoFile {
    pub(super) path: PathBuf,
    /// The text.
    pub(super) text: Arc<str>,
    /// The generated definitions; those of an earlier text if the current one has syntax errors.
    pub(super) generated: Vec<Arc<GeneratedDefinitions>>,
    /// The generations for types with rules that no kind uses.
    unreached: Vec<Arc<GeneratedDefinitions>>,
    /// The findings, with ranges in the current text.
    pub(in crate::server) findings: Vec<Finding>,
    /// The findings with one for all steps of a path, if the settings ask for that.
    grouped: Option<GroupedFindings>,
    /// The fixes of some of them.
    pub(in crate::server) fixes: Vec<Fix>,
}

/// The definitions that are generated from a Go file.
#[derive(Debug, Default)]
pub(in crate::server) struct GoGeneration {
    /// The definitions, by the names of their sources.
    pub(in crate::server) definitions: Vec<(Arc<str>, Definitions)>,
    /// The files that were read.
    pub(in crate::server) files: Vec<PathBuf>,
    /// The files of the packages themselves.
    pub(in crate::server) package_files: Vec<PathBuf>,
    /// Notes on the parts of the calls for the packages that are not known.
    pub(in crate::server) notes: Vec<String>,
    /// The directories of git in which files change when the revision for the comparison moves.
    pub(in crate::server) repositories: Vec<PathBuf>,
}

impl GoFile {
    /// Generates the definitions from the open texts; `None` if the analysis was stopped.
    pub(in crate::server) fn analyse(
        path: &Path,
        packages: &Packages,
        texts: &OpenTexts,
        revision: Option<&BaseRevision>,
        around: &AnalysisInputs<'_>,
    ) -> Option<(Self, GoGeneration)> {
        let text = texts.get(path).map(|text| text.buffer.to_string()).unwrap_or_default();
        Self::analysed(path, &text, packages, (texts, revision), around)
    }

    /// The analysis of a file that is not open, with its text on disk. If no open file is generated together with it, its
    /// package is one of `closed_packages`, if there are any.
    pub(in crate::server) fn of_closed(
        path: &Path,
        text: &str,
        (packages, closed_packages): (&Packages, Option<&ClosedPackages>),
        (texts, revision): (&OpenTexts, Option<&BaseRevision>),
        around: &AnalysisInputs<'_>,
    ) -> Option<Self> {
        let folder = path.parent().filter(|_| !texts.contains_key(path))?;
        let group = packages.group_of(path);
        let mut folders = texts.keys().filter_map(|open| open.parent());
        let has_open_file =
            group.is_some_and(|group| folders.any(|folder| group.iter().any(|other| other == folder)));
        let packages = if has_open_file { packages.clone() } else { closed_packages?.packages(folder) };
        Self::analysed(path, text, &packages, (texts, revision), around).map(|(file, _)| file)
    }

    fn analysed(
        path: &Path,
        text: &str,
        packages: &Packages,
        (texts, revision): (&OpenTexts, Option<&BaseRevision>),
        around: &AnalysisInputs<'_>,
    ) -> Option<(Self, GoGeneration)> {
        let mut file = Self::new(path, text);
        let mut generation = GoGeneration::default();
        let settings = (around.settings)(path);
        let reports_go = settings.go_errors;
        for (group, unit) in packages.units_of(path, texts) {
            let mut unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            let known = unit.update(&group, texts, revision, around)?;
            if generation.repositories.is_empty() {
                generation.repositories = unit.repositories().to_vec();
            }
            generation.notes.extend(known.generated.as_ref().and_then(|generated| unit.note(generated)));
            drop(unit);
            generation.package_files.extend(known.package_files.iter().cloned());
            file.take(&known, reports_go);
            if let Some(complete) = &known.complete {
                generation.add(complete, packages);
            }
            if let Some(generated) = known.generated {
                let read = generated.outcome.sources().iter();
                generation.files.extend(read.map(|source| source.path.clone()));
                file.generated.push(generated);
            }
            file.unreached.extend(known.unreached);
        }
        drop_suppressed(&file.text, &mut file.findings);
        let typed_at = texts.get(path).and_then(|text| text.typed_at);
        if let Some(typed) = typed_at.and_then(|at| TypedText::new(&file.text, at)) {
            file.findings.retain(|finding| !typed.is_unfinished(finding));
        }
        file.findings.sort_by_key(|finding| (finding.range, finding.code));
        file.grouped = settings.group_errors.then(|| GroupedFindings::of_steps(&file.findings));
        Some((file, generation))
    }

    /// The findings grouped by cause, if a client with this profile can show them so.
    pub(in crate::server) fn grouped(&self, profile: &ClientProfile) -> Option<&GroupedFindings> {
        self.grouped.as_ref().filter(|_| profile.related_information)
    }

    /// An analysis of texts that differ from those in the editor. Its results are not cached.
    pub(super) fn once(
        path: &Path,
        packages: &Packages,
        texts: &OpenTexts,
        around: &AnalysisInputs<'_>,
    ) -> Option<Self> {
        let text = texts.get(path).map(|text| text.buffer.to_string()).unwrap_or_default();
        let mut file = Self::new(path, &text);
        for (group, unit) in packages.units_of(path, texts) {
            let unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            file.generated.extend(unit.once(&group, texts, around).into_iter().map(Arc::new));
        }
        Some(file)
    }

    fn new(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.into(),
            generated: Vec::new(),
            unreached: Vec::new(),
            findings: Vec::new(),
            grouped: None,
            fixes: Vec::new(),
        }
    }

    /// Everything that is generated, for kinds first.
    pub(super) fn all(&self) -> impl Iterator<Item = &GeneratedDefinitions> {
        self.generated.iter().chain(&self.unreached).map(|generated| &**generated)
    }

    /// The fixes of the definitions at some places of the current text, as edits of it and of other Go files.
    pub(in crate::server) fn fixes_of_definitions(
        &self,
        requested: TextRange,
        packages: &Packages,
        around: &AnalysisInputs<'_>,
    ) -> Vec<Offer> {
        let texts = packages.texts();
        if texts.get(&self.path).is_none_or(|text| text.text() != *self.text) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (_, unit) in packages.units_of(&self.path, &texts) {
            let mut unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            found.extend(unit.offered_at(&self.path, requested, &texts, around));
        }
        found
    }

    /// Each of `fixes` of the current text together with the other fixes of its kind.
    pub(in crate::server) fn similar_fixes(
        &self,
        fixes: &[Fix],
        packages: &Packages,
        around: &AnalysisInputs<'_>,
    ) -> Vec<Fix> {
        let texts = packages.texts();
        let of_file = (&*self.path, &*self.fixes);
        let units = packages.units_of(&self.path, &texts).into_iter();
        let found = units.flat_map(|(_, unit)| {
            let mut unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            unit.similar(of_file, fixes, &texts, around)
        });
        found.collect()
    }

    /// The edits by lines that apply all safe fixes of the current text.
    pub(in crate::server) fn fix_all(
        &self,
        packages: &Packages,
        around: &AnalysisInputs<'_>,
    ) -> Vec<TextEdit> {
        let texts = packages.texts();
        if texts.get(&self.path).is_none_or(|text| text.text() != *self.text) {
            return Vec::new();
        }
        let units = packages.units_of(&self.path, &texts);
        let repaired = units.into_iter().find_map(|(_, unit)| {
            let unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            unit.repaired(&self.path, &texts, around).filter(|repaired| **repaired != *self.text)
        });
        repaired.map_or_else(Vec::new, |repaired| line_edits(&self.text, &repaired))
    }

    /// Takes the results for this file. Errors of Go are taken only if no other server reports them, but their fixes always
    /// are. While the text has syntax errors, earlier results apply to the lines that were not edited since.
    fn take(&mut self, known: &UnitResults, reports_go: bool) {
        let of_kinds = known.generated.iter().map(|generated| (generated, false));
        let of_rules = known.unreached.iter().map(|unreached| (unreached, true));
        for (generated, only_rules) in of_kinds.chain(of_rules) {
            let shift = self.shift_of_lines(generated.outcome.sources());
            let found = generated.findings_in(&self.path).into_iter();
            let reported = found.filter(|finding| !only_rules || is_of_rule(finding.code));
            self.findings.extend(reported.filter_map(|finding| {
                let range = shift.unaffected(finding.range)?;
                Some(Finding { range, ..finding })
            }));
        }
        let shift = self.shift_of_lines(&known.sources);
        for GoFinding { finding, fixes, is_of_go, .. } in
            known.go_findings.get(&self.path).into_iter().flatten()
        {
            if let Some(range) = shift.unaffected(finding.range) {
                self.fixes.extend(fixes.iter().filter_map(|fix| shifted(fix, shift)));
                if reports_go || !is_of_go {
                    self.findings.push(Finding { range, ..finding.clone() });
                }
            }
        }
        drop_consequences(&mut self.findings);
    }

    /// The shift from the text that `sources` have of this file to the current one.
    pub(super) fn shift(&self, sources: &[Arc<go::syntax::File>]) -> Shift {
        Shift::between(self.text_in(sources), &self.text)
    }

    fn shift_of_lines(&self, sources: &[Arc<go::syntax::File>]) -> Shift {
        Shift::of_lines(self.text_in(sources), &self.text)
    }

    /// The text that `sources` have of this file.
    fn text_in<'s>(&'s self, sources: &'s [Arc<go::syntax::File>]) -> &'s str {
        let of_this = sources.iter().find(|source| source.path == self.path);
        of_this.map_or(&self.text, |source| &source.text)
    }
}

/// The fix in the current text; `None` if a change replaced one of its places.
fn shifted(fix: &Fix, shift: Shift) -> Option<Fix> {
    let edit = |edit: &TextEdit| Some(TextEdit::replace(shift.range(edit.range)?, edit.new_text.clone()));
    let edits = fix.edits.iter().map(edit).collect::<Option<_>>()?;
    let repaired = |(code, range): &(Code, TextRange)| Some((*code, shift.range(*range)?));
    let repairs = fix.repairs.iter().map(repaired).collect::<Option<_>>()?;
    Some(Fix { edits, repairs, ..fix.clone() })
}

/// The edits by lines that turn `before` into `after`.
pub(in crate::server) fn line_edits(before: &str, after: &str) -> Vec<TextEdit> {
    let starts = |text: &str| -> Vec<usize> {
        let lines = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        });
        std::iter::once(0).chain(lines).collect()
    };
    let (old, new) = (starts(before), starts(after));
    let bytes = |starts: &[usize], lines: &std::ops::Range<u32>| {
        let at = |line: u32| starts.get(line as usize).or(starts.last()).copied().unwrap_or_default();
        at(lines.start)..at(lines.end)
    };
    let diff = Diff::compute(Algorithm::Histogram, &InternedInput::new(before, after));
    let edits = diff.hunks().map(|hunk| {
        let text = after.get(bytes(&new, &hunk.after)).unwrap_or_default();
        TextEdit::replace(TextRange::from_usize(bytes(&old, &hunk.before)), text.to_owned())
    });
    edits.collect()
}

impl GoGeneration {
    fn add(&mut self, generated: &Arc<GeneratedDefinitions>, packages: &Packages) {
        for made in &generated.files {
            let source: Arc<str> = made.path.display().to_string().into();
            let (generated, made_too) = (Arc::clone(generated), made.clone());
            let text = MadeText { generated, definitions: made_too, packages: packages.clone() };
            let text: Arc<dyn OtherText> = Arc::new(text);
            let definitions = made.file.generated_definitions(&source, &text);
            self.definitions.extend(definitions.map(|definitions| (source, definitions)));
        }
    }
}

/// A generated text, whose places lead to Go.
struct MadeText {
    generated: Arc<GeneratedDefinitions>,
    definitions: GoFileDefinitions,
    packages: Packages,
}

impl OtherText for MadeText {
    fn buffer(&self) -> &TextBuffer {
        &self.definitions.buffer
    }

    fn origin(&self, range: TextRange) -> Option<SourcePlace> {
        let (path, range) = self.generated.origin_of(&self.definitions, range)?;
        located(&self.generated, &self.packages, &path, range)
    }

    fn is_made(&self) -> bool {
        true
    }
}

/// A place of a generation, in the current text of the Go file.
pub(super) fn located(
    generated: &GeneratedDefinitions,
    packages: &Packages,
    path: &Path,
    range: TextRange,
) -> Option<SourcePlace> {
    let texts = packages.texts();
    GoLocator::new(generated, &|path| open_text(&texts, path), &display_name).locate(path, range)
}

/// The text of a Go file that is open.
pub(super) fn open_text(texts: &OpenTexts, path: &Path) -> Option<TextBuffer> {
    texts.get(path).map(|open| open.buffer.clone())
}

/// The name of a Go file in messages.
pub(super) fn display_name(path: &Path) -> String {
    path.display().to_string()
}
