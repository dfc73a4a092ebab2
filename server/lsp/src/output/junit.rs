//! JUnit's XML: a suite for each file, a failed test for each finding that makes the run fail.
//!
//! Other findings are the output of tests that pass, so that the results on a CI server do not contradict the exit
//! status.

use std::io::{self, Write};

use ide::Finding;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{line_and_column, severity_word};
use crate::args::FailOn;
use crate::report::Report;

pub(super) fn write(reports: &[Report], fail_on: FailOn, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts: Vec<TestCounts> = reports.iter().map(|report| TestCounts::of(report, fail_on)).collect();
    let tests: usize = counts.iter().map(|one| one.tests).sum();
    let failures: usize = counts.iter().map(|one| one.failures).sum();
    let suites = writer.create_element("testsuites").with_attributes([
        ("name", "crd-ls"),
        ("tests", &*tests.to_string()),
        ("failures", &*failures.to_string()),
        ("errors", "0"),
    ]);
    suites.write_inner_content(|writer| {
        for report in reports {
            write_suite(report, fail_on, writer)?;
        }
        Ok(())
    })?;
    writeln!(out)
}

/// The numbers of tests for a file.
struct TestCounts {
    tests: usize,
    failures: usize,
}

impl TestCounts {
    fn of(report: &Report, fail_on: FailOn) -> Self {
        let failures = report.findings.iter().filter(|finding| fail_on.fails(finding.severity)).count();
        // A file without findings is a test that passes.
        Self { tests: report.findings.len().max(1), failures }
    }
}

fn write_suite<W: Write>(report: &Report, fail_on: FailOn, writer: &mut Writer<W>) -> io::Result<()> {
    let TestCounts { tests, failures } = TestCounts::of(report, fail_on);
    let suite = writer.create_element("testsuite").with_attributes([
        ("name", &*report.path),
        ("tests", &*tests.to_string()),
        ("failures", &*failures.to_string()),
        ("errors", "0"),
    ]);
    suite.write_inner_content(|writer| {
        if report.findings.is_empty() {
            let test = writer.create_element("testcase");
            test.with_attributes([("name", "no findings"), ("classname", &*report.path)]).write_empty()?;
        }
        for finding in &report.findings {
            write_test(report, finding, fail_on, writer)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_test<W: Write>(
    report: &Report,
    finding: &Finding,
    fail_on: FailOn,
    writer: &mut Writer<W>,
) -> io::Result<()> {
    let (line, column) = line_and_column(&report.text.get(), finding.range.start);
    let place = format!("{}:{line}:{column}", report.path);
    let message = without_controls(&finding.message.to_string());
    let test = writer.create_element("testcase").with_attributes([
        ("name", &*format!("{} (line {line}, column {column})", finding.code)),
        ("classname", &*report.path),
        ("file", &*report.path),
        ("line", &*line.to_string()),
    ]);
    test.write_inner_content(|writer| {
        let text = format!("{place}: {}: {message}", severity_word(finding.severity));
        if fail_on.fails(finding.severity) {
            let failure = writer.create_element("failure");
            let failure = failure.with_attributes([("message", &*message), ("type", finding.code.as_str())]);
            failure.write_text_content(BytesText::new(&text))?;
        } else {
            writer.create_element("system-out").write_text_content(BytesText::new(&text))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// The text without characters that XML 1.0 cannot hold.
pub(crate) fn without_controls(text: &str) -> String {
    let is_held =
        |char: char| matches!(char, '\t' | '\n' | '\r' | ' '..) && !matches!(char, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|char| if is_held(char) { char } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use ide::Severity;

    use super::super::samples::{of_lines, output_text, rendered};
    use super::*;

    #[test]
    fn findings_that_fail_the_run_are_failures() {
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"crd-ls\" tests=\"2\" failures=\"1\" errors=\"0\">
  <testsuite name=\"dir/my file.yaml\" tests=\"2\" failures=\"1\" errors=\"0\">
    <testcase name=\"structural/type-required (line 1, column 6)\" classname=\"dir/my file.yaml\" file=\"dir/my file.yaml\" line=\"1\">
      <failure message=\"100% wrong,&#10;really\" type=\"structural/type-required\">dir/my file.yaml:1:6: error: 100% wrong,
really</failure>
    </testcase>
    <testcase name=\"lint/number (line 2, column 4)\" classname=\"dir/my file.yaml\" file=\"dir/my file.yaml\" line=\"2\">
      <system-out>dir/my file.yaml:2:4: warning: is pruned</system-out>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(rendered(|reports, out| write(reports, FailOn::Error, out)), expected);
        let all = rendered(|reports, out| write(reports, FailOn::Warning, out));
        assert_eq!(all.matches("<failure").count(), 2);
        assert!(!rendered(|reports, out| write(reports, FailOn::Never, out)).contains("<failure"));
    }

    #[test]
    fn a_clean_file_is_a_test_that_passes() {
        let text =
            output_text(&[of_lines("a.yaml", "", &[])], |reports, out| write(reports, FailOn::Error, out));
        assert!(text.contains("<testcase name=\"no findings\" classname=\"a.yaml\"/>"), "{text}");
        assert!(text.contains("<testsuites name=\"crd-ls\" tests=\"1\" failures=\"0\""), "{text}");
    }

    #[test]
    fn any_message_is_xml() {
        let message = "\0 \u{1b}[1m <![CDATA[ ]]> & \" ' \u{ffff} 😀";
        let report = of_lines("<&\">.yaml", "a: b\n", &[(Severity::Error, "yaml/alias", message, 0)]);
        let text = output_text(&[report], |reports, out| write(reports, FailOn::Error, out));
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut failures = Vec::new();
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(Event::Start(start)) if start.name().as_ref() == "failure" => {
                    let message = start.try_get_attribute("message").ok().flatten();
                    failures.extend(message.and_then(|it| {
                        Some(it.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?.into_owned())
                    }));
                }
                Ok(_) => {}
                Err(problem) => unreachable!("{problem}: {text}"),
            }
        }
        assert_eq!(failures, ["\u{fffd} \u{fffd}[1m <![CDATA[ ]]> & \" ' \u{fffd} 😀"]);
    }
}
