//! The report of Checkstyle, which many services read.

use std::io::{self, Write};

use ide::Severity;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::junit::without_controls;
use super::line_and_column;
use crate::report::Report;

/// The version of Checkstyle that has this format.
const VERSION: &str = "4.3";

pub(super) fn write(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let with_findings = reports.iter().filter(|report| !report.findings.is_empty());
    writer.create_element("checkstyle").with_attribute(("version", VERSION)).write_inner_content(
        |writer| {
            for report in with_findings {
                write_file(report, writer)?;
            }
            Ok(())
        },
    )?;
    writeln!(out)
}

fn write_file<W: Write>(report: &Report, writer: &mut Writer<W>) -> io::Result<()> {
    let file = writer.create_element("file").with_attribute(("name", &*report.path));
    file.write_inner_content(|writer| {
        for finding in &report.findings {
            let (line, column) = line_and_column(&report.text.get(), finding.range.start);
            let error = writer.create_element("error").with_attributes([
                ("line", &*line.to_string()),
                ("column", &*column.to_string()),
                ("severity", severity(finding.severity)),
                ("message", &*without_controls(&finding.message.to_string())),
                ("source", &*format!("crd-ls.{}", finding.code)),
            ]);
            error.write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "info",
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn an_error_for_each_finding_below_its_file() {
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<checkstyle version=\"4.3\">
  <file name=\"dir/my file.yaml\">
    <error line=\"1\" column=\"6\" severity=\"error\" message=\"100% wrong,&#10;really\" source=\"crd-ls.structural/type-required\"/>
    <error line=\"2\" column=\"4\" severity=\"warning\" message=\"is pruned\" source=\"crd-ls.lint/number\"/>
  </file>
</checkstyle>
";
        assert_eq!(rendered(write), expected);
    }
}
