//! Results as JUnit's XML: a suite for each suite and definition.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::Outcome;
use crate::cli::print::CommandOutput;
use crate::output::without_controls;

pub(super) fn write(results: &[Outcome<'_>], shown: &mut CommandOutput) {
    let mut bytes = Vec::new();
    match suites(results, &mut bytes) {
        Ok(()) => shown.text.push_str(&String::from_utf8_lossy(&bytes)),
        Err(error) => shown.problems.push(format!("cannot write JUnit: {error}")),
    }
}

fn failures(results: &[Outcome<'_>]) -> usize {
    results.iter().filter(|outcome| outcome.failure.is_some()).count()
}

fn suites(results: &[Outcome<'_>], bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(&mut *bytes, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all = writer.create_element("testsuites").with_attributes([
        ("name", "crd-ls test"),
        ("tests", &*results.len().to_string()),
        ("failures", &*failures(results).to_string()),
        ("errors", "0"),
    ]);
    let same = |one: &Outcome<'_>, other: &Outcome<'_>| {
        std::ptr::eq(one.suite, other.suite) && one.definition == other.definition
    };
    all.write_inner_content(|writer| results.chunk_by(same).try_for_each(|results| suite(results, writer)))?;
    bytes.push(b'\n');
    Ok(())
}

fn suite<W: io::Write>(results: &[Outcome<'_>], writer: &mut Writer<W>) -> io::Result<()> {
    let Some(first) = results.first() else { return Ok(()) };
    let name = match (first.suite.suite.name.as_str(), first.definition) {
        ("", _) => first.suite.path.clone(),
        (name, None) => name.to_owned(),
        (name, Some(definition)) => format!("{name} [{}]", definition.display()),
    };
    let suite = writer.create_element("testsuite").with_attributes([
        ("name", &*without_controls(&name)),
        ("tests", &*results.len().to_string()),
        ("failures", &*failures(results).to_string()),
        ("errors", "0"),
    ]);
    suite.write_inner_content(|writer| results.iter().try_for_each(|outcome| test(outcome, writer)))?;
    Ok(())
}

fn test<W: io::Write>(outcome: &Outcome<'_>, writer: &mut Writer<W>) -> io::Result<()> {
    let test = writer.create_element("testcase").with_attributes([
        ("name", &*without_controls(&outcome.case.name)),
        ("classname", &*outcome.suite.path),
        ("file", &*outcome.suite.path),
        ("line", &*outcome.case.line.to_string()),
    ]);
    let Some(failure) = &outcome.failure else {
        test.write_empty()?;
        return Ok(());
    };
    let message = without_controls(failure.reason.lines().next().unwrap_or_default());
    let text = without_controls(&format!("{}\n{}", failure.reason, outcome.diff()));
    test.write_inner_content(|writer| {
        let failure = writer.create_element("failure").with_attribute(("message", &*message));
        failure.write_text_content(BytesText::new(text.trim_end()))?;
        Ok(())
    })?;
    Ok(())
}
