//! Causes that the findings and the text show, without a repair.

use api::Code;
use text::{TextRange, TextSize};
use yaml::{Document, Value, ValueKind};

use super::MOST_SLIPS;
use super::slips::is_wrong;
use crate::Finding;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unfinished::{is_of_missing_key, is_of_storage, is_of_undeclared_path, owners};
use crate::analysis::values::{own_entry, string};

/// The number of bytes of a line with a tab that are searched for the next line.
const LONGEST_LINE: TextSize = 1_000;
/// The number of bytes at the end in which the last line must begin.
const END: TextSize = 4_000;
/// The number of owners of the entries in a version: `spec`, `versions` and its item.
const OWNERS_OF_VERSION: usize = 3;

/// For a document whose last line is being typed: the finding on that line, and the findings about text after
/// it.
pub(super) fn open_end(document: Document<'_>, findings: &[Finding]) -> Option<(usize, Vec<usize>)> {
    let whole = document.range();
    let start = whole.end.saturating_sub(END).max(whole.start);
    let text = text_of(document.syntax(), TextRange::new(start, whole.end));
    let written = text.trim_end();
    let line = written.rfind('\n')? + 1;
    let indent = written.get(line..)?.len() - written.get(line..)?.trim_start_matches([' ', '-']).len();
    let (line, content, end) =
        (start + line as TextSize, start + (line + indent) as TextSize, start + written.len() as TextSize);
    let owners = owners(document, content);
    let last = values_to(document, end).last()?;
    let is_on_line = |finding: &Finding| finding.range.start >= line && is_wrong(finding);
    let is_open = |finding: &Finding| match finding.code {
        Code::YamlSyntax => finding.range.end >= end,
        Code::DecodeType | Code::ResourceType => last.as_scalar().is_some(),
        _ => matches!(last.kind(), ValueKind::Absent),
    };
    let on_line = findings.iter().rposition(|finding| is_on_line(finding) && is_open(finding));
    let cause = on_line.or_else(|| {
        let innermost = owners.last().filter(|_| matches!(last.kind(), ValueKind::Absent))?;
        findings.iter().rposition(|finding| finding.range == *innermost && is_wrong(finding))
    })?;
    let object = document.root()?;
    let (root, is_nameless) = (object.range().start, !has_parts_of_name(object));
    // The next lines can only declare fields in the schema of the last version.
    let may_declare = |finding: &Finding| {
        let is_of_version =
            finding.field_path.segments().get(1).is_some_and(|at| at.key() == Some("versions"));
        let shared = if is_of_version { OWNERS_OF_VERSION } else { 1 };
        let around = self::owners(document, finding.range.start);
        around.get(..shared).is_some_and(|around| owners.starts_with(around))
    };
    let is_awaited = |finding: &Finding| {
        is_of_undeclared_path(finding.code) && may_declare(finding)
            || is_nameless && finding.code == Code::NamesMetadataName
            || is_of_missing_key(finding.code)
                && (is_of_storage(finding.code)
                    || finding.range.start == root
                    || owners.contains(&finding.range))
    };
    let awaited = findings.iter().enumerate().filter(|(_, finding)| is_awaited(finding));
    Some((cause, awaited.map(|(index, _)| index).collect()))
}

/// The findings on keys that are missing because their value is an unknown alias: each with the index of the
/// finding on the alias before it.
pub(super) fn without_alias(document: Document<'_>, findings: &[Finding]) -> Vec<(usize, usize)> {
    let aliases = findings.iter().enumerate().filter(|(_, finding)| finding.code == Code::YamlAlias);
    let mut pairs = Vec::new();
    for (cause, alias) in aliases.take(MOST_SLIPS) {
        let around = values_to(document, alias.range.start).filter_map(Value::as_mapping);
        let entry = around.filter_map(|mapping| mapping.entry_before(alias.range.start)).last();
        let owners = owners(document, alias.range.start);
        let (Some(key), [.., owner, _]) = (entry.and_then(yaml::Entry::key_text), &*owners) else { continue };
        let is_it = |finding: &Finding| {
            let last = finding.field_path.segments().last().and_then(|last| last.key());
            is_of_missing_key(finding.code) && finding.range == *owner && last == Some(&*key)
        };
        let missing = findings.iter().enumerate().filter(|(_, finding)| is_it(finding));
        pairs.extend(missing.map(|(index, _)| (cause, index)));
    }
    pairs
}

/// The findings on lines that are indented with tabs directly below another such line: each with the index of the first
/// of them.
pub(super) fn lines_with_tabs(document: Document<'_>, findings: &[Finding]) -> Vec<(usize, usize)> {
    let tabs = findings.iter().enumerate().filter(|(_, finding)| finding.code == Code::YamlTabIndentation);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut first: Option<(usize, TextSize)> = None;
    for (index, tab) in tabs {
        let start = tab.range.start;
        let is_next = |(_, end): &(usize, TextSize)| {
            let between = start.checked_sub(*end).filter(|length| *length <= LONGEST_LINE);
            between.is_some_and(|_| {
                text_of(document.syntax(), TextRange::new(*end, start)).matches('\n').count() == 1
            })
        };
        let cause = first.filter(is_next).map(|(cause, _)| cause);
        pairs.extend(cause.map(|cause| (cause, index)));
        first = Some((cause.unwrap_or(index), tab.range.end));
    }
    pairs
}

/// Whether a definition has the parts of its name.
fn has_parts_of_name(object: Value<'_>) -> bool {
    let has = |path: &[&str]| {
        let value = path.iter().try_fold(object, |value, key| Some(own_entry(value, key)?.value()));
        value.and_then(string).is_some()
    };
    has(&["spec", "group"]) && has(&["spec", "names", "plural"])
}
