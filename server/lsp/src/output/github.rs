//! Workflow commands, which GitHub shows as annotations beside the changed lines.

use std::io::{self, Write};

use ide::Severity;

use super::{Span, Summary, plain_path};
use crate::report::Report;

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    for report in reports {
        for finding in &report.findings {
            let Span { start, end } = Span::of(&report.text.get(), finding.range);
            writeln!(
                out,
                "::{} file={},line={},col={},endLine={},endColumn={},title={}::{}",
                command(finding.severity),
                property(&plain_path(&report.path)),
                start.line + 1,
                start.character + 1,
                end.line + 1,
                end.character + 1,
                property(finding.code.as_str()),
                data(&finding.with_answer()),
            )?;
        }
    }
    let summary = Summary::of(reports);
    if summary.not_judged.is_empty() {
        return Ok(());
    }
    writeln!(out, "::notice title=crd-ls::{}", data(&summary.line()))
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "notice",
    }
}

/// The characters that would end a command are percent-encoded, as GitHub's own toolkit does.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property the separators are encoded too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn one_line_for_each_finding_with_separators_encoded() {
        let expected = "\
::error file=dir/my file.yaml,line=1,col=7,endLine=1,endColumn=8,title=structural/type-required::100%25 wrong,%0Areally%0Akube-apiserver: spec.a: Required value: must not be empty
::warning file=dir/my file.yaml,line=2,col=4,endLine=2,endColumn=10,title=lint/number::is pruned
::notice title=crd-ls::nothing checked: 1 error, 1 warning; 1 document not checked (1 unreadable)
";
        assert_eq!(rendered(write), expected);
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
