//! Messages for CEL rules that a value violates: rules that are false, and rules whose evaluation ends with an error.

use super::evaluation;
use super::values::{code, in_brackets, values};
use crate::customresource::error::{Facts, ValueError};
use crate::customresource::failed_rule::Failure;
use crate::message::Message;

/// The message for a rule. `detail` is the server's text, for errors without further facts.
pub(super) fn message(error: &ValueError, detail: &str) -> Message {
    let Some(Facts::Rule(failed)) = &error.facts else { return unknown(detail) };
    let rule = code(&failed.expression);
    match &failed.failure {
        // The author of the definition wrote this message.
        Failure::False(Some(author)) => {
            Message { note: in_brackets(&values(failed)), ..Message::new(&**author) }
        }
        Failure::False(None) => {
            Message::new(format!("the rule {rule} is false{}", in_brackets(&values(failed))))
        }
        Failure::Error(text) => evaluation::message(failed, &rule, text),
        Failure::NotCompiled => {
            Message::new(format!("the rule {rule} does not compile, so kube-apiserver rejects every value"))
                .advise("correct the rule in the definition")
        }
        Failure::Stopped { is_message } => {
            let of = if *is_message { "`messageExpression` of " } else { "" };
            Message::new(format!("kube-apiserver reaches the cost limit at {of}the rule {rule} and stops"))
                .advise("shorten the lists and texts of the object")
        }
    }
}

/// The message for errors without a rule: the schema has no type, or the total cost of the rules is too high.
fn unknown(detail: &str) -> Message {
    if detail.starts_with("rule compiler initialization error: ") {
        return Message::new("CEL cannot determine the type of this value, so its rules do not compile")
            .advise("add a `type` to its schema in the definition");
    }
    match detail {
        "" => Message::new("a rule of the definition is false"),
        detail => Message::new(detail),
    }
}

/// The message of a warning: `message` is that of the error for `field`, which is unchanged.
#[must_use]
pub fn message_of_unchanged(message: &str, field: &str) -> Message {
    let problem = match message.strip_prefix("failed rule: ") {
        Some(rule) => format!("the rule {} is false", code(rule)),
        None if message.is_empty() => "a rule of the definition is false".to_owned(),
        None => message.to_owned(),
    };
    Message::new(problem)
        .advise(format!("correct `{field}`, which kube-apiserver accepts only while it is unchanged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_states_its_duration() {
        assert_eq!(
            message_of_unchanged("failed rule: self > 1", "spec.a").to_string(),
            "the rule `self > 1` is false; correct `spec.a`, which kube-apiserver accepts only while it is unchanged"
        );
    }
}
