//! What `crd-ls check` says of one file.

mod coverage;
pub mod once;
mod text;

pub use coverage::{Coverage, Unjudged};
pub use text::{LateTexts, ReportText};

use std::collections::HashMap;

use ::text::{TextBuffer, TextRange, TextSize};
use api::Code;
use ide::{File, Finding, Fix, Severity};

use crate::analyse::FileFixes;
use crate::limits::not_utf8;
use crate::remarks::Told;

/// What of a file is told.
#[derive(Clone, Debug)]
pub struct Form<'r> {
    /// Whether fixes are.
    pub tells_fixes: bool,
    /// Whether scripts read it, which see all.
    pub is_whole: bool,
    /// Whether findings are shown with those that follow from them.
    pub groups: bool,
    /// Which findings may be told. The others need no fixes.
    pub told: Told<'r>,
}

impl Form<'_> {
    /// What scripts read.
    pub const WHOLE: Self = Self { tells_fixes: true, is_whole: true, groups: false, told: Told::ALL };
}

/// What there is to say about one file.
#[derive(Clone, Debug)]
pub struct Report {
    /// As the user wrote it, or found below a directory.
    pub path: String,
    /// The text.
    pub text: ReportText,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// What was checked of it.
    pub coverage: Coverage,
    /// Whether the file was written with its fixes.
    pub fixed: bool,
    /// The text before fixes, if they changed it.
    pub before: Option<TextBuffer>,
    /// Whether the text could be analysed.
    pub analysed: bool,
    /// Whether what all resources of a kind have may be told of another one.
    pub is_brief: bool,
    /// Which findings follow from which others, by codes and places; empty where each is shown.
    follows: HashMap<(Code, TextRange), (Code, TextRange)>,
    /// Empty where nobody is told of fixes.
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

    /// The fixes for all its findings, each once.
    pub fn all_fixes(&self) -> &[Fix] {
        self.fixes.all()
    }

    /// Whether there may be others, which are not offered as nobody has proven them.
    pub const fn lacks_fixes(&self) -> bool {
        self.fixes.is_cut()
    }

    /// Which of [`Self::all_fixes`] repair this finding, best first.
    pub fn fix_numbers(&self, finding: &Finding) -> &[usize] {
        self.fixes.numbers(finding)
    }

    /// The findings that are shown with the one that they follow from, by the code and the place of that. One that is worse
    /// is shown itself.
    pub fn consequences(&self) -> HashMap<(Code, TextRange), Vec<&Finding>> {
        let mut consequences: HashMap<(Code, TextRange), Vec<&Finding>> = HashMap::new();
        if self.follows.is_empty() {
            return consequences;
        }
        let key = |finding: &Finding| (finding.code, finding.range);
        let shown: HashMap<(Code, TextRange), Severity> =
            self.findings.iter().rev().map(|finding| (key(finding), finding.severity)).collect();
        for finding in &self.findings {
            let cause = self.follows.get(&key(finding));
            let cause =
                cause.filter(|cause| shown.get(cause).is_some_and(|cause| *cause <= finding.severity));
            if let Some(cause) = cause {
                consequences.entry(*cause).or_default().push(finding);
            }
        }
        consequences
    }

    /// A report on a text without an analysis, with the findings that say why.
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

    /// A report on a Go file that definitions are generated of, with the findings on these.
    pub fn of_source(path: String, text: &str, findings: Vec<Finding>) -> Self {
        let coverage = Coverage { go_files: 1, ..Coverage::default() };
        Self { coverage, analysed: true, ..Self::unanalysed(path, text, findings) }
    }

    /// The report with fixes for its findings.
    pub fn offering(self, fixes: Vec<Fix>) -> Self {
        Self { fixes: FileFixes::new(fixes), ..self }
    }

    /// A report on a file that is gone.
    pub fn gone(path: String) -> Self {
        Self { coverage: Coverage::default(), ..Self::unanalysed(path, "", Vec::new()) }
    }

    /// A report on an analysis; `form` says what is told of it.
    #[must_use]
    pub fn analysed(path: String, text: ReportText, file: &File, coverage: Coverage, form: Form<'_>) -> Self {
        let fixes = if form.tells_fixes { FileFixes::of(file, form.told) } else { FileFixes::default() };
        let findings = if form.is_whole { file.findings().to_vec() } else { file.brief() };
        let is_brief = !form.is_whole && !file.settings().rules.asks_for(once::ONCE);
        let follows = if form.groups { file.consequences() } else { HashMap::new() };
        let (fixed, before, analysed) = (false, None, true);
        Self { path, text, findings, coverage, fixed, before, analysed, is_brief, follows, fixes }
    }

    /// The report of a text that fixes have changed from `before`.
    #[must_use]
    pub fn fixed_from(self, before: TextBuffer, is_written: bool) -> Self {
        Self { fixed: is_written, before: Some(before), ..self }
    }
}

/// The text up to the first byte that is not UTF-8, and a finding there.
pub fn undecodable(path: String, bytes: &[u8], valid: usize, severity: Severity) -> Report {
    let readable = bytes.get(..valid).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default();
    let finding = not_utf8(severity, false, TextRange::empty(readable.len() as TextSize));
    Report::unanalysed(path, readable, vec![finding])
}
