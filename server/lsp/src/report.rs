//! What `crd-ls check` says of one file.

mod coverage;
pub(crate) mod once;

pub(crate) use coverage::{Coverage, Unjudged};

use ide::{File, Finding, Fix, Severity};
use text::{TextBuffer, TextRange, TextSize};

use crate::analyse::FileFixes;
use crate::args::{CheckArgs, OutputFormat};
use crate::limits::not_utf8;

/// What there is to say about one file.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// As the user wrote it, or found below a directory.
    pub(crate) path: String,
    pub(crate) buffer: TextBuffer,
    pub(crate) findings: Vec<Finding>,
    /// What was checked of it.
    pub(crate) coverage: Coverage,
    /// Whether the file was written with its fixes.
    pub(crate) fixed: bool,
    /// The text before fixes, if they changed it.
    pub(crate) before: Option<TextBuffer>,
    /// Whether the text could be analysed.
    pub(crate) analysed: bool,
    /// Whether what all resources of a kind have may be told of another one.
    pub(crate) is_brief: bool,
    /// Empty where nobody is told of fixes.
    fixes: FileFixes,
}

impl Report {
    /// The fixes that repair this finding.
    pub(crate) fn fixes(&self, finding: &Finding) -> impl ExactSizeIterator<Item = &Fix> {
        self.fix_numbers(finding)
            .iter()
            .filter_map(|number| self.all_fixes().get(*number))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The fixes for all its findings, each once.
    pub(crate) fn all_fixes(&self) -> &[Fix] {
        self.fixes.all()
    }

    /// Whether there may be others, which are not offered as nobody has proven them.
    pub(crate) const fn lacks_fixes(&self) -> bool {
        self.fixes.is_cut()
    }

    /// Which of [`Self::all_fixes`] repair this finding, best first.
    pub(crate) fn fix_numbers(&self, finding: &Finding) -> &[usize] {
        self.fixes.numbers(finding)
    }

    /// A report on a text without an analysis, with the findings that say why.
    pub(crate) fn unanalysed(path: String, text: &str, findings: Vec<Finding>) -> Self {
        let (buffer, fixes) = (TextBuffer::new(text), FileFixes::default());
        let coverage = Coverage::unreadable();
        Self {
            path,
            buffer,
            findings,
            coverage,
            fixed: false,
            before: None,
            analysed: false,
            is_brief: false,
            fixes,
        }
    }

    /// A report on a source that definitions are generated of, with the findings on these.
    pub(crate) fn of_source(path: String, text: &str, findings: Vec<Finding>) -> Self {
        Self { coverage: Coverage::default(), analysed: true, ..Self::unanalysed(path, text, findings) }
    }

    /// The report with fixes for its findings.
    pub(crate) fn offering(self, fixes: Vec<Fix>) -> Self {
        Self { fixes: FileFixes::new(fixes), ..self }
    }

    /// A report on a file that is gone.
    pub(crate) fn gone(path: String) -> Self {
        Self { coverage: Coverage::default(), ..Self::unanalysed(path, "", Vec::new()) }
    }

    pub(crate) fn analysed(
        path: String,
        buffer: TextBuffer,
        file: &File,
        coverage: Coverage,
        output: OutputFormat,
    ) -> Self {
        let fixes = if output.tells_fixes() { FileFixes::of(file, &buffer) } else { FileFixes::default() };
        // Scripts see all.
        let is_script = output == OutputFormat::Json;
        let findings = if is_script { file.findings().to_vec() } else { file.brief() };
        let is_brief = !is_script && !file.settings().rules.asks_for(once::ONCE);
        Self { path, buffer, findings, coverage, fixed: false, before: None, analysed: true, is_brief, fixes }
    }

    pub(crate) fn fixed_from(self, before: TextBuffer, args: &CheckArgs) -> Self {
        Self { fixed: !args.diff, before: Some(before), ..self }
    }
}

/// The text up to the first byte that is not UTF-8, and a finding there.
pub(crate) fn undecodable(path: String, bytes: &[u8], valid: usize, severity: Severity) -> Report {
    let readable = bytes.get(..valid).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default();
    let finding = not_utf8(severity, false, TextRange::empty(readable.len() as TextSize));
    Report::unanalysed(path, readable, vec![finding])
}
