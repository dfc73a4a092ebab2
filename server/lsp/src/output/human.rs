//! Findings for people: the underlined source line, the message of kube-apiserver, the fixes.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use answers::summary::counted;
use api::Code;
use ide::{Applicability, Finding, Message, Severity, group_severity};
use text::{Position, PositionEncoding, TextBuffer, TextRange, TextSize};

use super::table::table;
use super::{Options, Span, Style, Summary, by_severity, line_and_column};
use crate::report::Report;

/// The maximum number of lines of a range that are shown.
const MAX_LINES: u32 = 6;
/// The number of bytes before and after the start of a range that are shown of a longer line, as in minified JSON.
const SURROUNDINGS: (TextSize, TextSize) = (60, 140);

/// The maximum number of remarks of one rule that are shown.
pub(crate) const MAX_REMARKS: usize = 3;
/// The maximum number of places of one finding that are shown.
const MAX_NOTES: usize = 5;
/// The maximum number of fixes of one finding that are shown.
const MAX_FIXES: usize = 3;
/// The maximum number of further places of the same finding that are listed.
const MAX_SAME: usize = 10;

pub(super) fn write(reports: &[Report], options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let renderer = match options.style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let (shown, left_out) = shown_findings(reports, options);
    for one in &shown {
        writeln!(out, "{}\n", render(one, options, &renderer))?;
    }
    if left_out > 0 {
        let remarks = counted(left_out, "further remark").unwrap_or_default();
        let verb = if left_out == 1 { "is" } else { "are" };
        writeln!(
            out,
            "{remarks} of the same rules {verb} not shown; --verbose shows all, --ignore excludes a rule\n"
        )?;
    }
    for report in reports.iter().filter(|report| report.omits_unproven_fixes()) {
        writeln!(
            out,
            "{}: not all fixes are shown because checking them takes too long; apply those shown or run --fix, and \
             check again\n",
            report.path
        )?;
    }
    if options.quiet {
        return Ok(());
    }
    let table = table(reports);
    if !table.is_empty() {
        writeln!(out, "{table}")?;
    }
    let summary = Summary::of(reports);
    if options.verbose {
        summary.write_unchecked(out)?;
    }
    let known = counted(options.baseline_count, "finding")
        .map(|known| format!("; {known} of the baseline not shown"));
    writeln!(out, "{}{}", summary.line(), known.unwrap_or_default())
}

/// A finding that is shown.
struct ShownFinding<'a> {
    report: &'a Report,
    finding: &'a Finding,
    /// The same finding in further files, and in further lines of the same text.
    same_finding: Vec<(&'a Report, &'a Finding)>,
    /// The findings that follow from it.
    consequences: Vec<&'a Finding>,
}

impl ShownFinding<'_> {
    fn severity(&self) -> Severity {
        group_severity(self.finding, &self.consequences)
    }
}

/// The findings to show, errors first, and the number of remarks that are not shown.
fn shown_findings<'a>(reports: &'a [Report], options: &Options) -> (Vec<ShownFinding<'a>>, usize) {
    let mut shown: Vec<ShownFinding<'a>> = Vec::new();
    // By the properties that equal findings of different files share.
    let mut first: HashMap<(Severity, Code, &Message), FirstShown> = HashMap::new();
    let mut remarks: HashMap<Code, usize> = HashMap::new();
    let mut left_out = 0;
    let of = |report: &'a Report| {
        let consequences = if options.verbose { HashMap::new() } else { report.consequences() };
        consequences.into_iter().map(|((code, range), all)| ((&*report.path, code, range), all))
    };
    let mut consequences: HashMap<(&str, Code, TextRange), Vec<&Finding>> =
        reports.iter().flat_map(of).collect();
    let follows: HashSet<*const Finding> =
        consequences.values().flatten().map(|finding| std::ptr::from_ref(*finding)).collect();
    for (report, finding) in by_severity(reports) {
        let next = shown.len();
        if !options.verbose {
            if !follows.is_empty() && follows.contains(&std::ptr::from_ref(finding)) {
                continue;
            }
            let key = (finding.severity, finding.code, &finding.message);
            let known = first.get_mut(&key).and_then(|first| first.equal(&shown, report, finding, next));
            if let Some(one) = known.and_then(|at| shown.get_mut(at)) {
                one.same_finding.push((report, finding));
                continue;
            }
            if finding.severity > Severity::Warning {
                let count = remarks.entry(finding.code).or_default();
                *count += 1;
                if *count > MAX_REMARKS {
                    left_out += 1;
                    continue;
                }
            }
            first.entry(key).or_insert_with(|| FirstShown { index: next, by_line: HashMap::new() });
        }
        let key = (&*report.path, finding.code, finding.range);
        let consequences = consequences.remove(&key).unwrap_or_default();
        shown.push(ShownFinding { report, finding, same_finding: Vec::new(), consequences });
    }
    shown.sort_by_key(ShownFinding::severity);
    (shown, left_out)
}

/// The first shown finding of those that share a message.
struct FirstShown {
    /// Its index.
    index: usize,
    /// The indices of the shown findings in the same text, by their lines; empty until a second one is found.
    by_line: HashMap<String, usize>,
}

impl FirstShown {
    /// The index of the shown finding that `finding` equals: of another file, or in an equal line of the same text,
    /// because generated definitions repeat types. Otherwise, `finding` is shown with the index `next`.
    fn equal(
        &mut self,
        shown: &[ShownFinding<'_>],
        report: &Report,
        finding: &Finding,
        next: usize,
    ) -> Option<usize> {
        let first = shown.get(self.index)?;
        if first.report.path != report.path {
            return Some(self.index);
        }
        let text = report.text.get();
        let line_of = |finding: &Finding| Excerpt::around(&text, finding.range).text.trim().to_owned();
        if self.by_line.is_empty() {
            self.by_line.insert(line_of(first.finding), self.index);
        }
        let at = *self.by_line.entry(line_of(finding)).or_insert(next);
        (at != next).then_some(at)
    }
}

/// The notes on the same finding in further lines and in further files.
fn notes_of_same(shown: &Report, same: &[(&Report, &Finding)]) -> Vec<String> {
    let line = |(report, finding): &(&Report, &Finding)| {
        line_and_column(&report.text.get(), finding.range.start).0.to_string()
    };
    let place = |one: &(&Report, &Finding)| format!("{}:{}", one.0.path, line(one));
    let (here, elsewhere): (Vec<_>, Vec<_>) = same.iter().partition(|(report, _)| report.path == shown.path);
    let files = elsewhere.iter().map(|(report, _)| &report.path).collect::<BTreeSet<_>>().len();
    let first = |same: &[(&Report, &Finding)], named: &dyn Fn(&(&Report, &Finding)) -> String| {
        let places: Vec<String> = same.iter().take(MAX_SAME).map(named).collect();
        let rest = same.len().saturating_sub(MAX_SAME);
        let rest = if rest > 0 { format!(", and {rest} more; --verbose shows all") } else { String::new() };
        format!("{}{rest}", places.join(", "))
    };
    let here = counted(here.len(), "further line")
        .map(|lines| format!("the same in {lines}: {}", first(&here, &line)));
    let elsewhere = counted(files, "further file")
        .map(|files| format!("the same in {files}: {}", first(&elsewhere, &place)));
    here.into_iter().chain(elsewhere).collect()
}

/// The note on the findings that follow from one.
fn note_of_consequences(report: &Report, consequences: &[&Finding]) -> Option<String> {
    let findings = counted(consequences.len(), "more finding")?;
    let text = report.text.get();
    let lines: BTreeSet<u32> =
        consequences.iter().map(|one| line_and_column(&text, one.range.start).0).collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let mut named: Vec<String> = lines.iter().take(MAX_SAME).map(u32::to_string).collect();
    let further = lines.len().saturating_sub(MAX_SAME);
    if further > 0 {
        named.push(format!("{further} more"));
    }
    Some(format!("{findings} with the same cause: {noun} {}; --verbose shows all", text::listed(&named)))
}

fn render(shown: &ShownFinding<'_>, options: &Options, renderer: &Renderer) -> String {
    let ShownFinding { report, finding, same_finding: same, consequences } = shown;
    let most = |limit: usize| if options.verbose { usize::MAX } else { limit };
    let text = report.text.get();
    let place = text.position(finding.range.start, PositionEncoding::Utf32);
    let line = place.line as usize + 1;
    let excerpt = Excerpt::around(&text, finding.range);
    let snippet = Snippet::source(excerpt.text)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(excerpt.marked));
    let title = level(shown.severity()).primary_title(finding.message.to_string()).id(finding.code.as_str());
    let mut group = if excerpt.starts_line {
        title.element(snippet.path(report.path.as_str()))
    } else {
        // The renderer does not know the column in a truncated line.
        let column = place.character as usize + 1;
        title.element(Origin::path(report.path.as_str()).line(line).char_column(column)).element(snippet)
    };
    let consequences = note_of_consequences(report, consequences);
    let notes = notes(report, finding, most(MAX_NOTES)).into_iter().chain(consequences);
    for note in notes.chain(notes_of_same(report, same)) {
        group = group.element(Level::NOTE.message(note));
    }
    let fixes = report.fixes(finding);
    let further = counted(fixes.len().saturating_sub(most(MAX_FIXES)), "further fix");
    for fix in fixes.take(most(MAX_FIXES)) {
        let automatic = if fix.applicability == Applicability::Safe { " (--fix applies it)" } else { "" };
        group = group.element(Level::HELP.message(format!("{}{automatic}", fix.title)));
    }
    if let Some(further) = further {
        group = group.element(Level::HELP.message(format!("{further}; --verbose shows all")));
    }
    renderer.render(&[group])
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::NOTE,
    }
}

/// The further notes on a finding, with at most `places` of its related places.
fn notes(report: &Report, finding: &Finding, places: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(server) = &finding.api_server {
        notes.push(format!("kube-apiserver: {}", text::cut(&server.message())));
    } else if !finding.field_path.is_empty() {
        notes.push(format!("at {}", finding.field_path));
    }
    for related in finding.related.iter().take(places) {
        let line = match &related.elsewhere {
            Some(elsewhere) => Span::of(elsewhere.text(), related.range),
            None => Span::of(&report.text.get(), related.range),
        };
        let line = line.start.line + 1;
        notes.push(match &related.elsewhere {
            Some(elsewhere) if *elsewhere.source != *report.path => {
                format!("{}:{line}: {}", elsewhere.source, related.message)
            }
            _ => format!("line {line}: {}", related.message),
        });
    }
    let further = counted(finding.related.len().saturating_sub(places), "further place");
    notes.extend(further.map(|further| format!("{further}; --verbose shows all")));
    notes
}

/// The part of a text that is shown, and its underlined part (bytes of `text`).
struct Excerpt {
    text: String,
    marked: Range<usize>,
    /// Whether the text begins at the start of its line.
    starts_line: bool,
}

impl Excerpt {
    fn around(buffer: &TextBuffer, range: TextRange) -> Self {
        let encoding = PositionEncoding::Utf8;
        let first = buffer.position(range.start, encoding).line;
        let last = buffer.position(range.end, encoding).line.min(first + MAX_LINES - 1);
        let line_start = buffer.offset(Position { line: first, character: 0 }, encoding);
        let mut start = line_start;
        let mut end = buffer.offset(Position { line: last, character: TextSize::MAX }, encoding);
        let (before, after) = SURROUNDINGS;
        if end - start > (before + after) * (last - first + 1) {
            start = start.max(floor(buffer, range.start.saturating_sub(before)));
            end = end.min(floor(buffer, range.start.saturating_add(after)));
        }
        let text = with_plain_line_ends(buffer.slice(TextRange::new(start, end)));
        let marked_start = range.start.clamp(start, end.max(start)) - start;
        let marked_end = range.end.clamp(start + marked_start, end.max(start + marked_start)) - start;
        let marked = marked_start as usize..marked_end as usize;
        Self { text, marked, starts_line: start == line_start }
    }
}

/// The start of the character at `offset`.
fn floor(buffer: &TextBuffer, offset: TextSize) -> TextSize {
    buffer.offset(buffer.position(offset, PositionEncoding::Utf8), PositionEncoding::Utf8)
}

/// `text` with LF instead of CR, because the renderer knows only LF; every character keeps its place.
fn with_plain_line_ends(text: Cow<'_, str>) -> String {
    if !text.contains('\r') {
        return text.into_owned();
    }
    text.replace("\r\n", " \n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::super::samples::{OPTIONS, of_lines, output_text, rendered};
    use super::*;
    use crate::limits::{UndecodableBytes, not_utf8};

    #[test]
    fn the_source_line_is_underlined() {
        let text = rendered(|reports, out| write(reports, &OPTIONS, out));
        let expected = "\
error[structural/type-required]: 100% wrong,
                                 really
 --> dir/my file.yaml:1:6
  |
1 | a: 😀 x
  |       ^
  |
  = note: kube-apiserver: spec.a: Required value: must not be empty
  = note: line 2: missing here

warning[lint/number]: is pruned
 --> dir/my file.yaml:2:4
  |
2 | b: object
  |    ^^^^^^

nothing checked: 1 error, 1 warning; 1 document not checked (1 unreadable)
";
        assert_eq!(text, expected);
    }

    #[test]
    fn colours_are_used_only_if_requested() {
        assert!(
            rendered(|reports, out| write(reports, &Options { style: Style::Coloured, ..OPTIONS }, out))
                .contains('\x1b')
        );
        assert!(!rendered(|reports, out| write(reports, &OPTIONS, out)).contains('\x1b'));
    }

    #[test]
    fn only_the_surroundings_of_a_range_in_a_long_line_are_shown() {
        let buffer = TextBuffer::new(&"ä".repeat(100_000));
        let excerpt = Excerpt::around(&buffer, TextRange::new(100_000, 199_000));
        assert_eq!((excerpt.text.len(), excerpt.marked), (200, 60..200));
    }

    #[test]
    fn only_the_first_lines_of_a_long_range_are_shown() {
        let buffer = TextBuffer::new(&"a: b\r".repeat(50));
        let excerpt = Excerpt::around(&buffer, TextRange::new(5, 200));
        assert_eq!(excerpt.text, "a: b\n".repeat(6).trim_end());
        assert_eq!(excerpt.marked, 0..29);
    }

    #[test]
    fn any_range_of_any_text_can_be_shown() {
        let renderer = Renderer::plain();
        for text in ["", "\n", "a", "\r\r\n\t", "ä\u{feff}😀\u{200d}\u{7}", "a\r\nb"] {
            let len = text.len() as TextSize;
            for start in (0..=len).filter(|at| text.is_char_boundary(*at as usize)) {
                for end in (start..=len).filter(|at| text.is_char_boundary(*at as usize)) {
                    let place = UndecodableBytes::From(TextRange::new(start, end));
                    let finding = not_utf8(Severity::Error, place);
                    let report = Report::unanalysed("p".to_owned(), text, vec![finding.clone()]);
                    let shown = ShownFinding {
                        report: &report,
                        finding: &finding,
                        same_finding: Vec::new(),
                        consequences: Vec::new(),
                    };
                    assert!(
                        render(&shown, &OPTIONS, &renderer).contains("--> p:"),
                        "{text:?} {start}..{end}"
                    );
                }
            }
        }
    }

    /// The titles and notes in the output.
    fn outline(reports: &[Report], options: Options) -> Vec<String> {
        let text = output_text(reports, |reports, out| write(reports, &options, out));
        let is_note = |line: &&str| !line.is_empty() && !line.contains('|') && !line.contains("-->");
        let note = |line: &str| line.trim().trim_start_matches("= ").to_owned();
        text.lines().filter(is_note).map(note).collect()
    }

    #[test]
    fn errors_come_first_and_equal_findings_of_several_files_are_merged() {
        let (error, warning) = (Severity::Error, Severity::Warning);
        let text = "a: b\nc: d\n";
        let reports = [
            of_lines(
                "a.yaml",
                text,
                &[(warning, "lint/size", "is odd", 0), (warning, "lint/size", "is odd", 1)],
            ),
            of_lines(
                "b.yaml",
                text,
                &[(error, "yaml/alias", "is wrong", 1), (warning, "lint/size", "is odd", 1)],
            ),
            of_lines(
                "c.yaml",
                text,
                &[(warning, "lint/size", "is odd", 0), (warning, "lint/size", "is other", 0)],
            ),
        ];
        assert_eq!(
            outline(&reports, OPTIONS),
            [
                "error[yaml/alias]: is wrong",
                "warning[lint/size]: is odd",
                "note: the same in 2 further files: b.yaml:2, c.yaml:1",
                "warning[lint/size]: is odd",
                "warning[lint/size]: is other",
                "nothing checked: 1 error, 5 warnings; 3 documents not checked (3 unreadable)",
            ]
        );
        let verbose = outline(&reports, Options { verbose: true, quiet: true, ..OPTIONS });
        assert_eq!(verbose.len(), 6, "{verbose:?}");
    }

    #[test]
    fn equal_findings_in_equal_lines_of_a_text_are_merged() {
        let text = "a:\n  type: x\nb:\n    type: x\nc:\n  type: y\nd:\n  type: x\n";
        let found = [1, 3, 5, 7].map(|line| (Severity::Error, "decode/type", "is wrong", line));
        let other = of_lines("b.yaml", text, &found[..1]);
        assert_eq!(
            outline(&[of_lines("a.yaml", text, &found), other], OPTIONS),
            [
                "error[decode/type]: is wrong",
                "note: the same in 2 further lines: 4, 8",
                "note: the same in 1 further file: b.yaml:2",
                "error[decode/type]: is wrong",
                "nothing checked: 5 errors; 2 documents not checked (2 unreadable)",
            ]
        );
    }

    #[test]
    fn only_the_first_remarks_of_a_rule_are_shown() {
        let messages: Vec<String> = (0..40).map(|number| format!("remark {number}")).collect();
        let found: Vec<_> = messages.iter().map(|text| (Severity::Hint, "lint/number", &**text, 0)).collect();
        let reports = [of_lines("a.yaml", "a: b\n", &found)];
        assert_eq!(
            outline(&reports, OPTIONS),
            [
                "note[lint/number]: remark 0",
                "note[lint/number]: remark 1",
                "note[lint/number]: remark 2",
                "37 further remarks of the same rules are not shown; --verbose shows all, --ignore excludes a rule",
                "findings  files  rule",
                "40      1  hint[lint/number]",
                "nothing checked: 40 remarks; 1 document not checked (1 unreadable)",
            ]
        );
        assert_eq!(outline(&reports, Options { verbose: true, ..OPTIONS }).len(), 44);
    }

    #[test]
    fn further_places_are_counted() {
        let mut report = of_lines("a.yaml", "a: b\n", &[(Severity::Error, "yaml/alias", "is wrong", 0)]);
        if let Some(finding) = report.findings.first_mut() {
            finding.related = vec![ide::RelatedInformation::here(finding.range, "here"); 300];
        }
        let lines = outline(&[report], OPTIONS);
        assert_eq!(lines.iter().filter(|line| line.contains("line 1: here")).count(), MAX_NOTES);
        assert!(lines.contains(&"note: 295 further places; --verbose shows all".to_owned()), "{lines:?}");
    }
}
