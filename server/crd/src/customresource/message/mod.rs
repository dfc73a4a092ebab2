//! Messages for values of resources and for defaults: the problem and the remedy. Every answer also has the
//! server's text.

mod details;
mod evaluation;
mod formats;
mod keywords;
mod rules;
mod types;
mod values;

pub(crate) use details::with_article;
pub use details::{TypeMismatch, plain_detail, type_mismatch};
pub use rules::message_of_unchanged;

use super::error::{Facts, NOT_CHECKED, ValueError};
use crate::field_path::Segment;
use crate::message::{Message, ProblemClass};
use crate::names::{API_VERSION, add_to_owner, in_words, subject_of};
use crate::report::{ErrorType, SUPPORTED_VALUES};
use crate::schema::Keyword;
use details::last_number;

/// The message for an error of the server on a value.
#[must_use]
pub fn message(error: &ValueError) -> Message {
    message_about(error, "the value")
}

/// The message for an error of the server on a default, or on a value in it.
pub(crate) fn message_of_default(error: &ValueError) -> Message {
    message_about(error, "`default`")
}

/// The message for `error`, in which `whole` names the checked value as a whole.
fn message_about(error: &ValueError, whole: &str) -> Message {
    if error.detail.starts_with(NOT_CHECKED) {
        return Message::new("kube-apiserver does not evaluate CEL rules while the object has other errors")
            .advise("correct those first");
    }
    if let Some(Facts::Message(message)) = &error.facts {
        return (**message).clone();
    }
    let detail = match error.rule {
        // The name of a field may contain a space.
        Some(rule) if rule.keyword != Keyword::Validations => {
            error.detail.rsplit_once(" in body ").map_or(&*error.detail, |(_, detail)| detail)
        }
        _ => plain_detail(&error.detail),
    };
    let value = error.bad_value.as_deref().unwrap_or_default();
    let keyword = error.rule.map(|rule| rule.keyword);
    // `x-kubernetes-int-or-string` is a type without `type`.
    let keyword = keyword.or_else(|| detail.starts_with("must be of type ").then_some(Keyword::Type));
    let of_rule = keyword.and_then(|keyword| match keyword {
        Keyword::Validations => Some(rules::message(error, detail)),
        keyword => keywords::message(error, whole, keyword, value, detail),
    });
    of_rule
        .or_else(|| of_metadata(error, value, detail))
        .unwrap_or_else(|| server_message(error, value, detail))
}

/// The message for a finalizer without a domain or a path, about which the server only warns.
#[must_use]
pub fn message_of_finalizer(warning: &str) -> Message {
    let quoted = warning.strip_prefix("metadata.finalizers: ").and_then(|rest| rest.split_once(": prefer "));
    match quoted {
        Some((name, _)) => {
            let missing_part = if name.contains('.') { "path" } else { "domain" };
            Message::new(format!("the finalizer {name} has no {missing_part} and can conflict with others"))
                .advise("use a domain and a name, such as `example.com/cleanup`")
        }
        None => Message::new(warning),
    }
}

/// The message for names, labels, annotations and the type of a resource.
fn of_metadata(error: &ValueError, value: &str, detail: &str) -> Option<Message> {
    if detail == "name or generateName is required" {
        return Some(
            Message::new("the object has no name").advise("add `metadata.name` or `metadata.generateName`"),
        );
    }
    let own = error.path.last().and_then(Segment::key).unwrap_or_default();
    let thing = match error.path.is_empty() {
        true => subject_of(&error.field, detail),
        false => subject_of(&error.path.to_string(), detail),
    };
    if own == "annotations"
        && (detail.starts_with("may not be more than ") || detail.starts_with("must have at most "))
    {
        let most = last_number(detail)?;
        return Some(
            Message::new(format!("the annotations have more than {most} bytes"))
                .advise("remove or shorten some"),
        );
    }
    let path = &error.path;
    match (own, detail) {
        ("apiVersion", detail) if detail.starts_with("unexpected GroupVersion string: ") => {
            Some(Message::new(format!("`apiVersion` {value} has more than one `/`")).advise(API_VERSION))
        }
        ("apiVersion" | "kind", "must not be empty" | "")
            if matches!(error.error, ErrorType::Invalid | ErrorType::Required)
                && !path.to_string().contains("ownerReferences[") =>
        {
            let what = if error.error == ErrorType::Invalid { "empty" } else { "missing" };
            let (verb, example) = match own {
                "kind" => ("kind", "`Pod`"),
                _ => ("version", "`v1`"),
            };
            Some(
                Message::new(format!("`{path}` is {what}"))
                    .advise(format!("write a {verb} such as {example}")),
            )
        }
        ("generation", "must be greater than or equal to 0") => {
            Some(Message::new(format!("`generation` {value} is negative")).advise("remove it"))
        }
        ("generation", "must not be decremented") => Some(
            Message::new(format!("`generation` {value} is less than the stored value")).advise("remove it"),
        ),
        ("name" | "uid" | "kind" | "apiVersion", "must not be empty")
            if path.to_string().contains("ownerReferences[") =>
        {
            let problem = format!("`{own}` of the owner is missing or empty");
            Some(Message::new(problem).advise(add_to_owner(own)))
        }
        ("operation", detail) if detail.starts_with(SUPPORTED_VALUES) => {
            let words = if value.is_empty() || value == "null" {
                "`operation` is missing".to_owned()
            } else {
                format!("unsupported `operation` {value}")
            };
            Some(Message::new(words).advise("use `Apply` or `Update`"))
        }
        _ => in_words(&thing, value, detail),
    }
}

/// The message for rare errors, in the server's form.
fn server_message(error: &ValueError, value: &str, detail: &str) -> Message {
    Message::new(match (error.error, detail.is_empty()) {
        (ErrorType::Required, true) => {
            return Message::new(format!("`{}` is missing", error.path)).advise("add it");
        }
        (_, true) => format!("{}: {value}", error.error.description()),
        _ if detail.starts_with(SUPPORTED_VALUES) => {
            let allowed = detail.strip_prefix(SUPPORTED_VALUES).unwrap_or_default();
            return Message::new(format!("unsupported value {value}"))
                .advise(format!("use one of {allowed}"))
                .of_class(ProblemClass::NoAlternative);
        }
        // For a field that it cannot decode, the server prints the zero value.
        _ if value.is_empty() || value == "null" => detail.to_owned(),
        // Objects and lists are omitted.
        _ if value.starts_with(['{', '[']) => detail.to_owned(),
        (_, false) => format!("{value}: {detail}"),
    })
}
