//! The report of `crd-ls check` on one file.

mod coverage;
pub mod once;
mod text;

pub use coverage::{Coverage, UnvalidatedObject};
pub use text::{LateTexts, ReportText};

use std::collections::{HashMap, HashSet};

use ::text::{TextBuffer, TextRange, TextSize};
use api::Code;
use ide::{File, Finding, Fix, RepeatedFindings, Severity};

use crate::analyse::FileFixes;
use crate::limits::{UndecodableBytes, not_utf8};
use crate::remarks::ShownFindings;

/// The parts of a report.
#[derive(Clone, Debug)]
pub struct ReportForm<'r> {
    /// Whether it has fixes.
    pub shows_fixes: bool,
    /// Whether it is for scripts, which receive all findings.
    pub is_complete: bool,
    /// Whether findings are shown together with their consequences.
    pub groups: bool,
    /// The findings that may be reported. The others need no fixes.
    pub shown_findings: ShownFindings<'r>,
}

impl ReportForm<'_> {
    /// The form for scripts.
    pub const COMPLETE: Self =
        Self { shows_fixes: true, is_complete: true, groups: false, shown_findings: ShownFindings::ALL };
}

/// The report on one file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The path as the user wrote it, or as found below a directory.
    pub path: String,
    /// The text.
    pub text: ReportText,
    /// The findings of the file.
    pub findings: Vec<Finding>,
    /// The objects that were checked.
    pub coverage: Coverage,
    /// Whether the file was overwritten with its fixes.
    pub fixed: bool,
    /// The text before the fixes, if they changed it.
    pub before: Option<TextBuffer>,
    /// Whether the text could be analysed.
    pub analysed: bool,
    /// Whether a finding that all resources of a kind share may be reported in another file only.
    pub is_brief: bool,
    /// The findings that follow from others, by codes and ranges; empty if each finding is shown separately.
    follows: HashMap<(Code, TextRange), (Code, TextRange)>,
    /// Empty if no fixes are requested.
    fixes: FileFixes,
}

impl Report {
    /// The fixes that repair this finding.
    pub fn fixes(&self, finding: &Finding) -> impl ExactSizeIterator<Item = &Fix> {
        self.fix_numbers(finding)
            .iter()
            .filter_map(|number| self.all_fixes().get(*number))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The fixes for all findings, each once.
    pub fn all_fixes(&self) -> &[Fix] {
        self.fixes.all()
    }

    /// Whether unproven fixes were omitted.
    pub const fn omits_unproven_fixes(&self) -> bool {
        self.fixes.is_cut()
    }

    /// The indexes in [`Self::all_fixes`] of the fixes that repair this finding, best first.
    pub fn fix_numbers(&self, finding: &Finding) -> &[usize] {
        self.fixes.numbers(finding)
    }

    /// The findings that are shown with the finding that causes them, by the code and range of the cause.
    pub fn consequences(&self) -> HashMap<(Code, TextRange), Vec<&Finding>> {
        let mut consequences: HashMap<(Code, TextRange), Vec<&Finding>> = HashMap::new();
        if self.follows.is_empty() {
            return consequences;
        }
        let key = |finding: &Finding| (finding.code, finding.range);
        let shown: HashSet<(Code, TextRange)> = self.findings.iter().map(key).collect();
        let mut repeated = RepeatedFindings::default();
        for finding in &self.findings {
            let cause = self.follows.get(&key(finding));
            let is_repeated = repeated.is_repeated(finding);
            let cause = cause.filter(|cause| **cause != key(finding) || is_repeated);
            if let Some(cause) = cause.filter(|cause| shown.contains(cause)) {
                consequences.entry(*cause).or_default().push(finding);
            }
        }
        consequences
    }

    /// A report on a text that was not analysed, with the findings that give the reason.
    pub fn unanalysed(path: String, text: &str, findings: Vec<Finding>) -> Self {
        let (text, fixes) = (TextBuffer::new(text).into(), FileFixes::default());
        let coverage = Coverage::unreadable();
        Self {
            path,
            text,
            findings,
            coverage,
            fixed: false,
            before: None,
            analysed: false,
            is_brief: false,
            follows: HashMap::new(),
            fixes,
        }
    }

    /// A report on a Go file from which definitions are generated, with the findings on these definitions.
    pub fn of_source(path: String, text: &str, findings: Vec<Finding>) -> Self {
        let coverage = Coverage { go_files: 1, ..Coverage::default() };
        Self { coverage, analysed: true, ..Self::unanalysed(path, text, findings) }
    }

    /// The report with fixes for its findings.
    pub fn offering(self, fixes: Vec<Fix>) -> Self {
        Self { fixes: FileFixes::new(fixes), ..self }
    }

    /// A report on a file that does not exist any more.
    pub fn deleted(path: String) -> Self {
        Self { coverage: Coverage::default(), ..Self::unanalysed(path, "", Vec::new()) }
    }

    /// A report on an analysis in the given `form`.
    #[must_use]
    pub fn analysed(
        path: String,
        text: ReportText,
        file: &File,
        coverage: Coverage,
        form: ReportForm<'_>,
    ) -> Self {
        let fixes =
            if form.shows_fixes { FileFixes::of(file, form.shown_findings) } else { FileFixes::default() };
        let findings = if form.is_complete { file.all_findings() } else { file.project_findings() };
        let is_brief = !form.is_complete && !file.settings().rules.is_requested(once::ONCE);
        let follows = if form.groups { file.consequences() } else { HashMap::new() };
        let (fixed, before, analysed) = (false, None, true);
        Self { path, text, findings, coverage, fixed, before, analysed, is_brief, follows, fixes }
    }

    /// The report on a text that fixes changed from `before`.
    #[must_use]
    pub fn fixed_from(self, before: TextBuffer, is_written: bool) -> Self {
        Self { fixed: is_written, before: Some(before), ..self }
    }
}

/// A report on the text before the first byte that is not UTF-8, with a finding at that byte.
pub fn undecodable(path: String, bytes: &[u8], valid: usize, severity: Severity) -> Report {
    let readable = bytes.get(..valid).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default();
    let place = TextRange::empty(readable.len() as TextSize);
    let finding = not_utf8(severity, UndecodableBytes::From(place));
    Report::unanalysed(path, readable, vec![finding])
}
