//! The messages for an expression that does not compile: the problem, and the remedy.
//!
//! The server's messages come from a parser generator and name overloads and tokens. They appear only in the
//! server's answer; findings have the messages of this module.

mod syntax;
mod types;

pub(crate) use types::{COMPARE, with_article};

use cel::{Issue, IssueCode};
use text::TextRange;

use super::compile::{Expression, InspectedExpression, Purpose};
use super::corrections;
use crate::message::{CompileStep, Message};

/// The maximum length of a part of an expression in a message, in characters.
const SHOWN: usize = 40;

/// The message for one issue.
#[derive(Debug)]
pub(crate) struct IssueMessage {
    /// The index of the issue.
    pub(crate) issue: usize,
    /// The range of the error, if the parser stopped at another place.
    pub(crate) part: Option<TextRange>,
    pub(crate) message: Message,
}

/// The maximum number of issues of one expression that are reported.
const MOST: usize = 10;

/// The messages for the first issues of an expression, in their order.
///
/// After the first syntax error, the parser guesses how the text continues: the errors that it reports then
/// follow from the first.
pub(super) fn issue_messages(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    issues: &[Issue],
) -> Vec<IssueMessage> {
    if let Some(whole) = message_for_whole(expression, issues) {
        return vec![whole];
    }
    let is_broken = issues.iter().any(is_of_broken_text);
    let first = issues.iter().position(is_of_text);
    let is_reported = |at: usize, issue: &Issue| {
        !is_broken || Some(at) == first || !is_of_text(issue) && issue.code != IssueCode::Macro
    };
    let text = syntax::Text::new(expression.text);
    let reported = issues.iter().enumerate().filter(|(at, issue)| is_reported(*at, issue));
    let macros = types::unknown_macros(inspected, issues);
    // CEL reads a name with `-` as a subtraction, and reports both parts as undefined.
    let mut names = Vec::new();
    let reported = reported.filter(|(_, issue)| {
        let is_variable = issue.code == IssueCode::Undeclared
            && macros.iter().any(|one| one.declares(issue.range, expression.text));
        if is_variable {
            return false;
        }
        let is_part = names.iter().any(|name: &TextRange| name.contains_range(issue.range));
        names.extend(types::whole_name(expression, inspected, issue));
        !is_part
    });
    reported
        .take(MOST)
        .map(|(at, issue)| IssueMessage {
            issue: at,
            part: text.part(issue).or_else(|| corrections::with_dashes(inspected, expression.text, issue)),
            message: issue_message(expression, inspected, &text, issue),
        })
        .collect()
}

const fn is_of_broken_text(issue: &Issue) -> bool {
    matches!(issue.code, IssueCode::Lexical | IssueCode::Syntax)
}

const fn is_of_text(issue: &Issue) -> bool {
    is_of_broken_text(issue) || matches!(issue.code, IssueCode::ReservedWord)
}

/// The one message for an expression in which all issues have the same cause.
fn message_for_whole(expression: &Expression<'_>, issues: &[Issue]) -> Option<IssueMessage> {
    // After an escape that CEL does not have, CEL reads another text than the author intended.
    let is_lexical = issues.first().is_some_and(|issue| issue.code == IssueCode::Lexical);
    let (issue, message) = if is_lexical && corrections::raw(expression.text).is_some() {
        let message = Message::new("the string has an escape that CEL does not have");
        (0, message.advise("write `\\` twice, or a raw string such as `r'\\d'`"))
    } else if expression.purpose == Purpose::Message
        && issues.iter().any(is_of_broken_text)
        && corrections::is_prose(expression.text)
    {
        let message = Message::new("`messageExpression` is a text, not an expression");
        (issues.iter().position(is_of_text).unwrap_or_default(), message.advise("move it to `message`"))
    } else {
        return None;
    };
    Some(IssueMessage { issue, part: None, message: Message { step: Some(CompileStep::Syntax), ..message } })
}

/// The message for one issue, with the step of the compilation that finds it.
fn issue_message(
    expression: &Expression<'_>,
    inspected: &InspectedExpression,
    text: &syntax::Text<'_>,
    issue: &Issue,
) -> Message {
    let suggestion = match issue.code {
        IssueCode::Macro => corrections::suggestion(expression, inspected, issue),
        _ => None,
    };
    let words = match issue.code.is_syntax() {
        true if let Some(suggestion) = suggestion => {
            text.message(issue).map(|words| words.advise(format!("write `has({})`", suggestion.name)))
        }
        true => text.message(issue),
        false => types::message(expression, inspected, issue),
    };
    let mut message = words.unwrap_or_else(|| Message::new(issue.message.replace(" (in container '')", "")));
    message.step = Some(step(issue.code));
    message
}

/// The step of the compilation that finds an issue.
const fn step(code: IssueCode) -> CompileStep {
    match code {
        _ if code.is_syntax() => CompileStep::Syntax,
        IssueCode::Undeclared => CompileStep::Names,
        _ => CompileStep::Types,
    }
}

/// A part of an expression as a message shows it: on one line, at most [`SHOWN`] characters.
fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}`", text::start(&line, SHOWN))
}
