//! One line for each finding, in the order of the files: for editors, logs and grep.

use std::io::{self, Write};

use super::{line_and_column, severity_word};
use crate::report::Report;

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    for report in reports {
        for finding in &report.findings {
            let (line, column) = line_and_column(&report.text.get(), finding.range.start);
            let (path, severity, code) = (&report.path, severity_word(finding.severity), finding.code);
            writeln!(
                out,
                "{path}:{line}:{column}: {severity}[{code}] {}",
                one_line(&finding.message.to_string())
            )?;
        }
    }
    Ok(())
}

/// The message with its line breaks as spaces.
fn one_line(message: &str) -> String {
    message.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn one_line_for_each_finding_with_columns_in_characters() {
        let expected = "\
dir/my file.yaml:1:6: error[structural/type-required] 100% wrong, really
dir/my file.yaml:2:4: warning[lint/number] is pruned
";
        assert_eq!(rendered(write), expected);
    }
}
