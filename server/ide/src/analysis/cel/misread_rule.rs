//! Rules that YAML reads as something else: `rule: !has(self.a)` has a tag, ` #` starts a comment, and `: `
//! makes a mapping.

use crate::analysis::text_at;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use api::Code;
use text::{TextRange, TextSize};
use yaml::{Document, Entry};

use crate::Finding;
use crate::analysis::cel::line::Line;
use crate::analysis::cel::rule_field::{self, RuleEntry};
use crd::Message;

/// The codes of the findings that such a rule causes.
pub(crate) const CODES: [Code; 6] = [
    Code::CelRuleRequired,
    Code::CelRuleCompile,
    Code::CelMessageExpressionCompile,
    Code::DecodeType,
    Code::YamlAlias,
    Code::YamlSyntax,
];

/// The maximum number of bytes of an expression that are read.
const MOST: TextSize = 4_096;

/// A rule that YAML does not read as written.
pub(crate) struct MisreadRule {
    /// The range of the whole intended rule, in bytes.
    pub(crate) range: TextRange,
    /// The text in that range.
    pub(crate) text: String,
    /// How YAML reads it, and the remedy, for a message.
    explanation: (&'static str, &'static str),
}

/// The remedy for an expression without quotes.
const QUOTE: &str = "put the whole expression in quotes";

/// Returns the expression in the field of a rule that has `finding`, if YAML reads something else there.
pub(crate) fn misread_rule(document: Document<'_>, finding: &Finding) -> Option<MisreadRule> {
    let text = |start| text_from(document, start);
    as_expression(misread_text(document, finding, text)?)
}

/// The same for a value that begins with a character that cannot start a plain scalar, whether or not it is
/// an expression.
pub(crate) fn refused(document: Document<'_>, finding: &Finding) -> Option<MisreadRule> {
    let is_refused = matches!(finding.code, Code::YamlSyntax | Code::YamlAlias);
    let found = is_refused.then(|| misread_text(document, finding, |start| text_from(document, start)))?;
    found.filter(|found| found.text.starts_with(['*', '&', '@', '%', '`']))
}

/// The text behind `start`, up to [`MOST`] bytes.
fn text_from(document: Document<'_>, start: TextSize) -> String {
    text_at::text_of(document.syntax(), TextRange::new(start, document.range().end.min(start + MOST)))
}

/// Returns `written` with the text of its expression; `None` if it is none.
fn as_expression(written: MisreadRule) -> Option<MisreadRule> {
    if let Some(text) = expression_in_its_quotes(&written.text) {
        let problem = "a quote in this expression ends it, because the same quotes are around it";
        return Some(MisreadRule { text, explanation: (problem, "use the other quotes inside"), ..written });
    }
    let text = expression_in(&written.text)?;
    Some(MisreadRule { text, ..written })
}

/// Returns the expression in `text`, if the quotes around it are also in it.
fn expression_in_its_quotes(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (inner.contains(quote) && !is_expression(text) && is_expression(inner)).then(|| inner.to_owned())
}

/// Returns the expression that `text` is, also if only its opening quote is missing.
fn expression_in(text: &str) -> Option<String> {
    if is_expression(text) {
        return Some(text.to_owned());
    }
    let inner = text.strip_suffix(['\'', '"']).unwrap_or(text);
    let is_double = text.ends_with('"');
    let texts = [inner.to_owned(), inner.replace("''", "'"), text.replace("''", "'")];
    texts.into_iter().find(|one| !(is_double && one.contains("\\\"")) && is_expression(one))
}

/// Returns whether the text is an expression, but not a quoted string, which YAML and CEL both read alike.
fn is_expression(text: &str) -> bool {
    let all = cel::Environment::for_stored_rules().parse_options();
    cel::parse(text, all).1.is_empty() && !is_quoted(text)
}

/// Returns the text in the field of a rule that has `finding`, if YAML reads something else there.
/// `text_from` returns up to [`MOST`] bytes of the text from an offset.
fn misread_text(
    document: Document<'_>,
    finding: &Finding,
    text_from: impl Fn(TextSize) -> String,
) -> Option<MisreadRule> {
    let found = rule_field::rule_entry(document, finding.range.start).filter(RuleEntry::is_expression)?;
    let RuleEntry { entry, in_flow, .. } = found;
    let start = entry.colon()?.range().end;
    let column = (!in_flow).then(|| column_of(document, entry));
    let line_from = |start| Line::new(start, lines(&text_from(start), column));
    let mut line = line_from(start);
    if line.text.is_empty() || line.text.starts_with('\n') {
        let below = below(entry).filter(|below| *below > start)?;
        line = line_from(below);
    }
    let Line { range, text } = if in_flow { line.within_brackets() } else { line };
    let read = entry.value().as_scalar().map(|scalar| scalar.text());
    // The tree may hold the intended text even if YAML rejects it.
    let is_refused = finding.code == Code::YamlSyntax;
    if text.is_empty() || !is_refused && read.is_some_and(|read| is_same(&read, &text)) {
        return None;
    }
    Some(MisreadRule { range, explanation: (explanation(&text), QUOTE), text })
}

/// The column of the key of `entry`.
fn column_of(document: Document<'_>, entry: Entry<'_>) -> usize {
    let key = entry.key_range().start;
    let before = text_at::text_of(document.syntax(), TextRange::new(key.saturating_sub(MOST), key));
    before.len() - before.rfind('\n').map_or(0, |end| end + 1)
}

/// The first line of `text` and its continuation lines, which are indented more than the key at `column`. A
/// blank line or a comment ends them.
fn lines(text: &str, column: Option<usize>) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let indent = text::indentation(line);
        let continues = column.is_some_and(|column| indent > column) && !line.trim().is_empty();
        if end > 0 && (!continues || line.trim_start().starts_with('#')) {
            break;
        }
        end += line.len();
    }
    text.get(..end).unwrap_or(text).trim_end()
}

/// Returns whether `read` is `text` with folded line breaks.
fn is_same(read: &str, text: &str) -> bool {
    read.split_whitespace().eq(text.split_whitespace())
}

/// The start of the value of `entry`, including its tag if there is one.
fn below(entry: Entry<'_>) -> Option<TextSize> {
    let value = entry.value();
    let start = value.node().map(|_| value.range().start);
    let tag = value.tag().map(|tag| tag.range().start);
    start.into_iter().chain(tag).min()
}

/// Replaces the messages of the findings that such rules cause by their cause, once for each rule. Responses
/// of the server remain.
pub(crate) fn explain(document: Document<'_>, findings: &mut Vec<Finding>) {
    // Looking up each of many lines in the tree takes long.
    let text = LazyCell::new(|| document.syntax().text());
    let text_from = |start: TextSize| {
        let rest = text.get(start.saturating_sub(document.range().start) as usize..).unwrap_or_default();
        rest.get(..text::ceil_char_boundary(rest, MOST as usize)).unwrap_or(rest).to_owned()
    };
    let rules = findings.iter_mut().map(|finding| {
        let is_of_rule = CODES.contains(&finding.code);
        let written = is_of_rule.then(|| misread_text(document, finding, text_from)).flatten();
        let misread_rule = as_expression(written?)?;
        let (problem, remedy) = misread_rule.explanation;
        finding.message = Message::new(problem).advise(remedy);
        Some(misread_rule.range)
    });
    let rules: Vec<Option<TextRange>> = rules.collect();
    let best = reporting_findings(&rules, findings);
    let mut answers: HashSet<(Code, TextRange)> = HashSet::new();
    let mut index = 0..;
    findings.retain(|finding| {
        let index = index.next().unwrap_or_default();
        let Some(rule) = rules.get(index).copied().flatten() else { return true };
        let is_reported = best.get(&rule) == Some(&index);
        (is_reported || finding.api_server.is_some()) && answers.insert((finding.code, rule))
    });
}

/// Selects the finding that reports each rule: one that the server reports, otherwise one on the rule rather
/// than on its syntax.
fn reporting_findings(rules: &[Option<TextRange>], findings: &[Finding]) -> HashMap<TextRange, usize> {
    let rank = |finding: &Finding| (finding.api_server.is_none(), finding.code == Code::YamlSyntax);
    let mut found: HashMap<TextRange, (usize, (bool, bool))> = HashMap::new();
    for (index, (rule, finding)) in rules.iter().zip(findings).enumerate() {
        let Some(rule) = rule else { continue };
        let rank = rank(finding);
        let best = found.entry(*rule).or_insert((index, rank));
        if rank < best.1 {
            *best = (index, rank);
        }
    }
    found.into_iter().map(|(rule, (index, _))| (rule, index)).collect()
}

/// Returns whether the text is one quoted string, which YAML and CEL both read as a string.
fn is_quoted(text: &str) -> bool {
    matches!(cel::tokenize(text).as_slice(), [one] if one.kind == cel::TokenKind::String)
}

fn explanation(text: &str) -> &'static str {
    match text.as_bytes().first() {
        Some(b'!') => "YAML reads the leading `!` of this expression as a tag, not as text",
        Some(b'\'' | b'"') => "YAML ends this expression at its second quote, because it begins with a quote",
        Some(b'[' | b'{') => {
            "YAML ends this expression at its closing bracket, because it begins with a bracket"
        }
        Some(b'&') => "YAML reads the leading `&` of this expression as an anchor, not as text",
        Some(b'*') => "YAML reads the leading `*` of this expression as an alias, not as text",
        Some(b'|' | b'>' | b'%' | b'@' | b'`') => "YAML reads no text that begins with this character",
        _ if text.contains(" #") => "YAML reads ` #` in this expression as the start of a comment",
        _ => "YAML reads `: ` in this expression as the end of a key",
    }
}

#[cfg(test)]
mod tests {
    use super::{expression_in, expression_in_its_quotes};

    #[test]
    fn an_expression_without_its_opening_quote_is_recognized() {
        for (text, expression) in [
            ("!has(self.a)", Some("!has(self.a)")),
            ("!has(self.a)'", Some("!has(self.a)")),
            ("!has(self.a)\"", Some("!has(self.a)")),
            ("!has(self.a) || self.b == ''x'''", Some("!has(self.a) || self.b == 'x'")),
            ("!has(self.a) || self.b == ''x''", Some("!has(self.a) || self.b == 'x'")),
            ("self.a == 'x'", Some("self.a == 'x'")),
            ("!has(self.a", None),
        ] {
            assert_eq!(expression_in(text).as_deref(), expression, "{text}");
        }
    }

    #[test]
    fn an_expression_in_the_quotes_that_it_contains_is_recognized() {
        for (text, expression) in [
            ("\"self.a == \"x\"\"", Some("self.a == \"x\"")),
            ("'self.a == 'x''", Some("self.a == 'x'")),
            ("'self.a == 'x' || self.b'", Some("self.a == 'x' || self.b")),
            ("'a' == 'b'", None),
            ("'self.a'", None),
        ] {
            assert_eq!(expression_in_its_quotes(text).as_deref(), expression, "{text}");
        }
    }
}
