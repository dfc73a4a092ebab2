//! Changes of the text of a rule: canonical form, and insertions.

use crd::cel::Purpose;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::{Editor, NewValue};
use yaml::scalar::ScalarStyle;
use yaml::{Document, Scalar, ValueKind};

use crate::analysis::caches::Caches;
use crate::analysis::cel::rule_field::{self, RuleEntry, RuleFieldText, rule_entry};
use crate::features::cel::site::{Source, purpose, with_rule};
use crate::{Applicability, Fix};

/// The greatest length of the lines of a formatted rule, in characters, without its indentation.
const WIDTH: usize = 80;

/// Writes the rule at `offset` in canonical form; `None` if it has that form already, or does not parse. Line
/// breaks are inserted only if the rule has a message, because the server requires one then.
pub(crate) fn format(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Option<Fix> {
    let position = rule_field::find(source.tree, offset)?;
    let FormattedExpression { title, text } = formatted(source, offset, Some(WIDTH), caches)?;
    let edits = rewritten(position.document, &Editor::new(position.document), offset, &text)?;
    Some(Fix::new(title, edits, Applicability::Suggested, Vec::new()))
}

/// An expression in canonical form.
#[derive(Clone, Debug)]
pub struct FormattedExpression {
    /// The title for a menu.
    pub title: String,
    /// The expression.
    pub text: String,
}

/// The rule at `offset` in canonical form, in lines of `width` characters if it may have several lines.
pub(crate) fn formatted(
    source: Source<'_>,
    offset: TextSize,
    width: Option<usize>,
    caches: &mut Caches,
) -> Option<FormattedExpression> {
    let position = rule_field::find(source.tree, offset)?;
    let purpose = purpose(position.field)?;
    let in_flow = position.in_flow;
    let RuleFieldText::Scalar(scalar) = position.text else { return None };
    let text = scalar.text();
    let may_break = with_rule(source, &position, caches, |view| {
        let parses = view.inspect(purpose, &text)?.syntax.is_empty();
        parses.then(|| purpose == Purpose::Message || !view.rule.message.trim().is_empty())
    })?;
    let formatted = cel::format::format(&text, width.filter(|_| may_break && !in_flow));
    // The same tokens in the same order are the same expression, even if its verdicts are unknown.
    if formatted == text.trim() || !are_same_words(&text, &formatted) {
        return None;
    }
    let what = if purpose == Purpose::Rule { "this rule" } else { "this expression" };
    Some(FormattedExpression { title: format!("Format {what}"), text: formatted })
}

fn are_same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<Option<String>> {
        let word = |range: TextRange| text.get(range.as_usize()).map(str::to_owned);
        cel::tokenize(text).iter().map(|token| word(token.range)).collect()
    };
    words(one) == words(other)
}

/// The edits that replace the expression at `offset` with `text`, in the style of its scalar if possible.
pub(crate) fn rewritten(
    document: Document<'_>,
    editor: &Editor<'_>,
    offset: TextSize,
    text: &str,
) -> Option<Vec<TextEdit>> {
    let RuleEntry { entry, in_flow, .. } = rule_entry(document, offset)?;
    let ValueKind::Scalar(scalar) = entry.value().kind() else { return None };
    if text.contains('\n') {
        return (!in_flow).then(|| vec![TextEdit::replace(scalar.token().range(), block(scalar, text))]);
    }
    let mut editor = editor.fresh();
    editor.replace(entry.value(), in_style_of(scalar, text));
    editor.finish().ok()
}

/// The edits that replace bytes of the expression at `offset` with texts, in the order of the text. `at`
/// converts ranges of the expression to ranges of the file.
pub(crate) fn changed(
    document: Document<'_>,
    editor: &Editor<'_>,
    offset: TextSize,
    changes: &[(TextRange, String)],
    at: impl Fn(TextRange) -> TextRange,
) -> Option<Vec<TextEdit>> {
    let entry = rule_entry(document, offset)?.entry;
    let ValueKind::Scalar(scalar) = entry.value().kind() else { return None };
    // The lines of a block scalar do not change.
    if scalar.style().is_block() {
        let edit = |(range, text): &(TextRange, String)| TextEdit::replace(at(*range), text.clone());
        return Some(changes.iter().map(edit).collect());
    }
    let mut text = scalar.text().into_owned();
    for (range, new) in changes.iter().rev() {
        text.get(range.as_usize())?;
        text.replace_range(range.as_usize(), new);
    }
    rewritten(document, editor, offset, &text)
}

/// The text as a block scalar below its key.
fn block(scalar: Scalar<'_>, text: &str) -> String {
    let indent = " ".repeat(usize::try_from(scalar.outer_column()).unwrap_or(0) + 2);
    let mut block = "|-".to_owned();
    for line in text.lines() {
        block.push('\n');
        if !line.is_empty() {
            block.push_str(&indent);
        }
        block.push_str(line);
    }
    if scalar.token().text.ends_with('\n') {
        block.push('\n');
    }
    block
}

/// `text` in place of `scalar`, in the same quotes, if any.
pub(crate) fn in_style_of(scalar: Scalar<'_>, text: &str) -> NewValue<'static> {
    let is_plain = text.chars().all(|c| !c.is_control());
    match scalar.style() {
        ScalarStyle::SingleQuoted if is_plain => NewValue::Raw(format!("'{}'", text.replace('\'', "''"))),
        ScalarStyle::DoubleQuoted if is_plain => {
            NewValue::Raw(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
        }
        _ => NewValue::Text(text.to_owned()),
    }
}
