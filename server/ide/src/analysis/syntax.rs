//! Syntax errors as findings.

use api::Code;

use text::{TextRange, TextSize};
use yaml::scalar::ScalarStyle;
use yaml::{AliasProblem, Document, Entry, RejectedBy, SyntaxError, SyntaxErrorKind};

use crate::analysis::separator::Separator;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unindented::{self, UnindentedText};
use crate::{Finding, RelatedInformation, Severity};
use crd::Message;

/// The maximum number of findings of one kind in a document.
pub(crate) const MOST: usize = 100;

/// The maximum number of bytes before an error that are read to find the indentation of its line.
const LINE: TextSize = 1_000;
/// The maximum distance of two lines in one block, in bytes.
const MOST_BETWEEN: TextSize = 20_000;

/// Findings on the syntax errors of `document`, on aliases that cannot be followed, and on keys and values
/// that the API server cannot read. Unless `all` is set, errors that other YAML tools report are omitted.
pub(crate) fn findings(document: Document<'_>, all: bool) -> Vec<Finding> {
    let mut errors = Vec::new();
    document.syntax().for_each_error(&mut |error| errors.push(error));
    let aliases = yaml::alias_problems(document).into_iter();
    let aliases =
        aliases.filter(|(_, problem)| all || !matches!(problem, AliasProblem::Unknown(_))).take(MOST);
    let aliases = aliases.map(|(range, problem)| {
        Finding::of_text(Code::YamlAlias, Severity::Error, range, alias_message(&problem))
    });
    // The server looks at values only in text that it can parse. In broken text, these findings would be
    // noise.
    let refusals = document.refusals();
    let parses = refusals.is_empty();
    let values = parses.then(|| yaml::value_problems(document)).into_iter().flatten().map(|problem| {
        let message = with_answer(message(problem.problem, problem.remedy), &problem.server);
        Finding::of_text(Code::YamlSyntax, Severity::Error, problem.range, message)
    });
    errors.retain(|error| all || !reported_by_all(error.kind));
    let closed = closed_otherwise(document, &errors);
    errors.retain(|error| !closed.iter().any(|(_, wrong)| *wrong == error.range));
    let syntax = errors_to_report(document, errors).into_iter().map(|(error, text)| {
        let mut finding =
            text.map_or_else(|| error_finding(document, error), |text| unindented_finding(error, &text));
        // In text that the server ignores, it rejects nothing.
        if finding.severity == Severity::Error && !refusals.contains(&error) {
            finding.severity = Severity::Warning;
        }
        if let Some((_, wrong)) = closed.iter().find(|(open, _)| *open == error.range) {
            let sign = text_of(document.syntax(), *wrong);
            let right = if error.kind == SyntaxErrorKind::UnclosedBrace { "}" } else { "]" };
            finding.message = Message::new(format!("`{sign}` does not close the bracket that opens here"))
                .advise(format!("write `{right}`"));
            finding.related.push(RelatedInformation::here(*wrong, "the other bracket is here"));
            return finding;
        }
        let unclosed = (code(error.kind) == Code::YamlUnclosed).then(|| document.unclosed(error)).flatten();
        finding.related.extend(
            unclosed.map(|taken| RelatedInformation::here(TextRange::empty(taken.end), "it ends here")),
        );
        finding
    });
    syntax.chain(aliases).chain(values).collect()
}

/// The brackets and braces that another closing bracket follows on their line, each with that bracket.
fn closed_otherwise(document: Document<'_>, errors: &[SyntaxError]) -> Vec<(TextRange, TextRange)> {
    use SyntaxErrorKind::{UnclosedBrace, UnclosedBracket, UnexpectedIndicator};
    let is_open = |error: &&SyntaxError| matches!(error.kind, UnclosedBrace | UnclosedBracket);
    let wrong = |open: &SyntaxError| {
        let behind = errors
            .iter()
            .filter(|error| error.kind == UnexpectedIndicator && open.range.start < error.range.start);
        let wrong = behind.min_by_key(|error| error.range.start)?.range;
        let between = TextRange::new(open.range.start, wrong.end);
        let text = (between.len() <= LINE).then(|| text_of(document.syntax(), between))?;
        (text.ends_with([']', '}']) && !text.contains('\n')).then_some((open.range, wrong))
    };
    errors.iter().filter(is_open).take(MOST).filter_map(wrong).collect()
}

/// Whether every YAML tool rejects the text and reports as much as this server.
fn reported_by_all(kind: SyntaxErrorKind) -> bool {
    match kind.verdict() {
        RejectedBy::Both => true,
        RejectedBy::OnlyYaml12 => !kind.is_misread(),
        RejectedBy::OnlyServer | RejectedBy::Nobody => false,
    }
}

/// The errors to report, each with the unindented text that starts there, if any. Of consecutive lines with
/// wrong indentation, only the first is reported.
fn errors_to_report(
    document: Document<'_>,
    mut errors: Vec<SyntaxError>,
) -> Vec<(SyntaxError, Option<UnindentedText<'_>>)> {
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    let mut last: Option<SyntaxError> = None;
    errors.retain(|error| {
        let before = last.replace(*error).filter(|last| last.kind == error.kind);
        let follows = |before: SyntaxError| match error.kind {
            SyntaxErrorKind::Indentation => is_same_block(document, before.range.start, error.range.start),
            SyntaxErrorKind::Dropped => true,
            _ => false,
        };
        !before.is_some_and(follows)
    });
    let mut worth: Vec<(SyntaxError, Option<UnindentedText<'_>>)> = Vec::new();
    for error in errors.into_iter().take(MOST) {
        let is_line = error.kind == SyntaxErrorKind::MissingColon;
        let above = worth.last().and_then(|(_, text)| text.as_ref());
        if !(is_line && above.is_some_and(|text| text.lines.contains_range(error.range))) {
            let text = is_line.then(|| unindented::beginning_at(document, error.range.start)).flatten();
            worth.push((error, text));
        }
    }
    worth
}

/// Whether the line at `next` continues the block that begins with the line at `first`: all lines between
/// them are indented more than the less indented of the two.
fn is_same_block(document: Document<'_>, first: TextSize, next: TextSize) -> bool {
    let start = document.range().start.max(first.saturating_sub(LINE));
    let before = text_of(document.syntax(), TextRange::new(start, first));
    let Some(indent) = before.rsplit('\n').next() else { return false };
    let between = text_of(document.syntax(), TextRange::new(first, next.min(first + MOST_BETWEEN)));
    let mut lines: Vec<&str> = between.split('\n').skip(1).collect();
    let own = lines.pop().map_or(indent.len(), |last| last.len().min(indent.len()));
    let is_below = |line: &&str| {
        let rest = line.trim_start();
        rest.is_empty() || rest.starts_with('#') || line.len() - rest.len() > own
    };
    next <= first + MOST_BETWEEN && lines.iter().all(is_below)
}

/// The finding on the first line of an unindented text.
fn unindented_finding(error: SyntaxError, text: &UnindentedText<'_>) -> Finding {
    let indicator = if text.scalar.style() == ScalarStyle::Folded { '>' } else { '|' };
    let problem =
        format!("this line is not indented more than its key, so the text of `{indicator}` is empty");
    let message = Message::new(problem).advise("indent it");
    let mut finding = Finding::of_text(code(error.kind), severity(error.kind), error.range, message);
    finding.related.push(RelatedInformation::here(text.entry.value().range(), "the text begins here"));
    finding
}

/// The finding on `error`. If other YAML tools read the text, the finding quotes the API server.
fn error_finding(document: Document<'_>, error: SyntaxError) -> Finding {
    let kind = error.kind;
    let is_line = kind == SyntaxErrorKind::MissingColon;
    let line = || Separator::of(&text_of(document.syntax(), error.range))?.message();
    // The lines below such a key repeat the keys of the block that the parser continues.
    let named = match kind == SyntaxErrorKind::Indentation && is_key_of_next_block(document, error.range) {
        true => SyntaxErrorKind::MissingColon,
        false => kind,
    };
    let own = is_line.then(line).flatten().unwrap_or_else(|| message(named.problem(), named.remedy()));
    let message = match kind.server_text() {
        Some(server) if kind.verdict() == RejectedBy::OnlyServer => {
            with_answer(own, &format!("yaml: {server}"))
        }
        _ => own,
    };
    Finding::of_text(code(kind), severity(kind), error.range, message)
}

/// Whether the syntax error at `error` is on one word, and the next key of the block mapping around it is a duplicate.
pub(crate) fn is_key_of_next_block(document: Document<'_>, error: TextRange) -> bool {
    if error.len() > LINE {
        return false;
    }
    let around = TextRange::new(error.start.saturating_sub(1), error.end + 1);
    let text = text_of(document.syntax(), around);
    if !text.starts_with([' ', '\n']) || text.trim().contains(char::is_whitespace) {
        return false;
    }
    let mapping = values_to(document, error.start).filter_map(|value| value.as_mapping()).last();
    let Some(mapping) = mapping else { return false };
    let next = mapping.entries().take(MOST).find(|entry| entry.key_range().start > error.end);
    let Some(next) = next.and_then(Entry::key_text) else { return false };
    let before = mapping.entries().take_while(|entry| entry.key_range().start < error.start);
    before.take(MOST).any(|entry| entry.key_text().as_deref() == Some(&*next))
}

/// Whether a finding with `code` is about text that is not YAML.
pub(crate) const fn is_of_syntax(code: Code) -> bool {
    matches!(code, Code::YamlSyntax | Code::YamlUnclosed)
}

/// The rule that reports errors of `kind`.
pub(crate) fn code(kind: SyntaxErrorKind) -> Code {
    use SyntaxErrorKind as K;
    match kind {
        K::TabIndentation
        | K::TabBeforeValue
        | K::BlankTab
        | K::BlankTabBelowText
        | K::TabSeparation
        | K::TabAfterIndicator
        | K::ContinuationTab
        | K::BlockTab
        | K::BlockLeadingTab => Code::YamlTabIndentation,
        K::UnclosedQuote | K::UnclosedBracket | K::UnclosedBrace => Code::YamlUnclosed,
        _ => Code::YamlSyntax,
    }
}

/// An error if the server rejects the text; a warning if it ignores the text or reads it differently;
/// otherwise a hint.
fn severity(kind: SyntaxErrorKind) -> Severity {
    match kind.verdict() {
        RejectedBy::Both | RejectedBy::OnlyServer => Severity::Error,
        RejectedBy::Nobody => Severity::Warning,
        RejectedBy::OnlyYaml12 if kind.is_misread() => Severity::Warning,
        RejectedBy::OnlyYaml12 => Severity::Hint,
    }
}

fn alias_message(problem: &AliasProblem) -> Message {
    match problem {
        AliasProblem::Unknown(name) => {
            Message::new(format!("no anchor `&{name}` precedes the alias `*{name}`"))
                .advise("define it earlier in this document, or put the text in quotes")
        }
        AliasProblem::Cycle(name) => Message::new(format!("the anchor `&{name}` contains its own alias"))
            .advise("write the value instead of the alias"),
        AliasProblem::Excessive => {
            let problem = "the aliases of this document repeat too many values";
            with_answer(
                Message::new(problem).advise("write the values instead"),
                &format!("yaml: {}", AliasProblem::Excessive),
            )
        }
    }
}

fn message(problem: impl Into<String>, remedy: Option<&str>) -> Message {
    Message { remedy: remedy.map(str::to_owned), ..Message::new(problem) }
}

fn with_answer(message: Message, server: &str) -> Message {
    Message { note: format!(" (kube-apiserver: `{server}`)"), ..message }
}

#[cfg(test)]
mod tests {
    use crate::analysis::syntax::findings;

    fn message(text: &str) -> String {
        let tree = yaml::Tree::parse(text);
        let found = tree.documents().flat_map(|document| findings(document, true));
        found.map(|finding| finding.message.without_notes().to_string()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn distant_lines_in_wrong_columns_are_separate_findings() {
        let line =
            "the indentation of this line matches no open block; indent it like the lines it belongs to";
        let list = "a:\n  b:\n    c: 1\n   d:\n     e: 1\n   f: 2\n";
        assert_eq!(message(list), line);
        assert_eq!(message(&format!("{list}g:\n  b:\n    c: 1\n   d: 1\n")), [line; 2].join("\n"));
    }

    #[test]
    fn a_key_without_colon_above_its_block_is_named_as_such() {
        let block = |key: &str| format!("a:\n  b:\n    type: string\n  {key}\n    type: integer\n");
        assert_eq!(message(&block("size")), "a `:` is missing after this key; add `:`");
        let line =
            "the indentation of this line matches no open block; indent it like the lines it belongs to";
        assert_eq!(message("a:\n  b:\n    type: string\n  size\n    format: date\n"), line);
    }

    #[test]
    fn aliases_and_null_keys_are_named() {
        assert_eq!(
            message("a: *b\n"),
            "no anchor `&b` precedes the alias `*b`; define it earlier in this document, or put the text in quotes"
        );
        for merge in ["<<: *b\n", "<<: [*b]\n"] {
            assert_eq!(message(merge), message("a: *b\n"));
        }
        assert_eq!(
            message("a: &a [*a]\n"),
            "the anchor `&a` contains its own alias; write the value instead of the alias"
        );
        assert_eq!(message("~: 1\n"), "`~` is null, which cannot be a key; quote it");
    }
}
