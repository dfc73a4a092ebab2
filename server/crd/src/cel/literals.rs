//! Strings in rules that compile but are wrong: values that an enum does not have, and strings that a
//! function rejects.

use cel::ast::{ExprId, ExprKind, Function, Literal};
use cel::possible::ExcludedText;
use text::TextRange;

use super::compile::InspectedExpression;
use super::corrections::{better, nearest, quoted_like};
use crate::message::Message;

/// The maximum number of enum values that a message names.
const MOST_NAMED: usize = 4;

/// A string in a rule that no value of the other operand equals, or that the function around it rejects.
#[derive(Clone, Debug)]
pub struct WrongLiteral {
    /// The range of the string with its quotes, in bytes of the rule.
    pub range: TextRange,
    /// The intended string, in the same quotes, if it can be determined.
    pub intended: Option<String>,
    reason: MismatchReason,
}

#[derive(Clone, Debug)]
enum MismatchReason {
    /// The values of the enum.
    NoValue(Vec<Box<str>>),
    /// The function, the kind of string that it needs, and an example.
    Rejected(&'static str, &'static str, &'static str),
}

/// Functions of one string whose argument the server does not check in advance: the kind of string that they
/// need, with an example.
const FUNCTIONS: [(&str, &str, &str); 5] = [
    ("cidr", "an IP range", "10.0.0.0/8"),
    ("ip", "an IP address", "10.0.0.1"),
    ("quantity", "a quantity", "10Mi"),
    ("semver", "a version", "1.2.3"),
    ("url", "a URL", "https://example.com/path"),
];

/// The wrong strings of the rule `text`; `excluded_texts` are the strings compared only with fields that never have
/// that value.
pub(crate) fn wrong(
    text: &str,
    inspected: &InspectedExpression,
    excluded_texts: &[ExcludedText],
) -> Vec<WrongLiteral> {
    let ast = &inspected.ast;
    let mut found: Vec<WrongLiteral> =
        excluded_texts.iter().filter_map(|one| no_value(text, inspected, one)).collect();
    found.extend(ast.exprs().filter_map(|(_, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Named(name), target: None, args } => match ast.list(*args) {
            [arg] => rejected(text, inspected, ast.name(*name), *arg),
            _ => None,
        },
        _ => None,
    }));
    found.sort_by_key(|one| one.range);
    found.dedup_by_key(|one| one.range);
    found
}

fn no_value(
    text: &str,
    inspected: &InspectedExpression,
    excluded_texts: &ExcludedText,
) -> Option<WrongLiteral> {
    let written = literal(inspected, excluded_texts.literal)?;
    // A program gets the empty string from a field that is not set.
    if written.is_empty() {
        return None;
    }
    let range = inspected.ast.expr(excluded_texts.literal).range;
    let near = nearest(written, excluded_texts.possible_texts.iter().map(|known| &**known));
    let intended = near.and_then(|near| quoted_like(text.get(range.as_usize())?, written, near));
    Some(WrongLiteral {
        range,
        intended,
        reason: MismatchReason::NoValue(excluded_texts.possible_texts.clone()),
    })
}

fn rejected(
    text: &str,
    inspected: &InspectedExpression,
    function: &str,
    arg: ExprId,
) -> Option<WrongLiteral> {
    let written = literal(inspected, arg)?;
    let (name, what, example) = FUNCTIONS.iter().find(|(name, ..)| *name == function)?;
    if cel::value::accepts(name, written) != Some(false) {
        return None;
    }
    let range = inspected.ast.expr(arg).range;
    let intended =
        better(name, written).and_then(|new| quoted_like(text.get(range.as_usize())?, written, &new));
    Some(WrongLiteral { range, intended, reason: MismatchReason::Rejected(name, what, example) })
}

fn literal(inspected: &InspectedExpression, id: ExprId) -> Option<&str> {
    match inspected.ast.kind(id) {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

impl WrongLiteral {
    /// The message for the string; `text` is the rule.
    pub(crate) fn message(&self, text: &str) -> Message {
        let written = text.get(self.range.as_usize()).unwrap_or_default();
        let write = self.intended.as_ref().map(|intended| format!("write `{intended}`"));
        match &self.reason {
            MismatchReason::NoValue(known) => {
                let problem = format!("`{written}` is not in the `enum` of the field, so no value equals it");
                let named: Vec<String> =
                    known.iter().take(MOST_NAMED).map(|one| format!("`{one}`")).collect();
                let rest = if known.len() > MOST_NAMED { " or another value of the `enum`" } else { "" };
                Message::new(problem)
                    .advise(write.unwrap_or_else(|| format!("use {}{rest}", named.join(", "))))
            }
            MismatchReason::Rejected(function, what, example) => {
                let problem = format!("`{written}` is not {what}, so `{function}` always fails");
                Message::new(problem)
                    .advise(write.unwrap_or_else(|| format!("use a value such as `'{example}'`")))
            }
        }
    }
}
