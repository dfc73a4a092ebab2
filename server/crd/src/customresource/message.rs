//! What is wrong with a value of a resource or with a default, and what to do about it. The server's own text is beside it in
//! every answer.

use super::admit::NOT_CHECKED;
use super::error::{Rule, ValueError};
use crate::field_path::Segment;
use crate::formats::examples;
use crate::message::Message;
use crate::names::in_words;
use crate::report::{ErrorType, SUPPORTED_VALUES};
use crate::schema::Keyword;

/// The message for an error of the server on a value.
#[must_use]
pub fn message(error: &ValueError) -> Message {
    if error.detail.starts_with(NOT_CHECKED) {
        return Message::new("rules are not checked yet, because the object has other errors")
            .advise("correct those first");
    }
    let detail = match error.rule {
        // The name of a field may hold a blank.
        Some(rule) if rule.keyword != Keyword::Validations => {
            error.detail.rsplit_once(" in body ").map_or(&*error.detail, |(_, detail)| detail)
        }
        _ => plain_detail(&error.detail),
    };
    let value = error.bad_value.as_deref().unwrap_or_default();
    let of_rule = error.rule.and_then(|rule| of_keyword(error, rule, value, detail));
    of_rule
        .or_else(|| of_metadata(error, value, detail))
        .unwrap_or_else(|| as_the_server_says(error, value, detail))
}

/// The message for a finalizer without a domain, of which the server only warns.
#[must_use]
pub fn message_of_finalizer(warning: &str) -> Message {
    let quoted = warning.strip_prefix("metadata.finalizers: ").and_then(|rest| rest.split_once(": prefer "));
    match quoted {
        Some((name, _)) => Message::new(format!("the finalizer {name} can conflict with those of others"))
            .advise("use a domain and a path, such as `example.com/cleanup`"),
        None => Message::new(warning),
    }
}

fn of_keyword(error: &ValueError, rule: Rule, value: &str, detail: &str) -> Option<Message> {
    // The server shows no value that is too long.
    let shown = if value.is_empty() { "the value" } else { value };
    let problem = |problem: String, remedy: String| Some(Message::new(problem).advise(remedy));
    match rule.keyword {
        Keyword::Required => {
            let name = error.path.last().and_then(Segment::key)?;
            problem(format!("missing required field `{name}`"), format!("add `{name}`"))
        }
        // A number that does not fit.
        Keyword::Type if detail.starts_with(CHECKED) => {
            let (wanted, remedy) = match number_type(detail.strip_prefix(CHECKED)?) {
                Some(bits) => (format!("does not fit into {bits} bits"), "write a smaller number"),
                None => ("is not an integer".to_owned(), "write an integer"),
            };
            problem(format!("{} {wanted}", error.path.ending()), remedy.to_owned())
        }
        Keyword::Type | Keyword::Nullable | Keyword::IntOrString => {
            let (expected, actual) = expected_type(detail)?;
            let remedy = match (expected, actual) {
                ("string", "boolean" | "integer" | "number") => "put it in quotes".to_owned(),
                (_, "null") => {
                    let is_item = matches!(error.path.last(), Some(Segment::Index(_)));
                    let what = if is_item { "item" } else { "field" };
                    format!("write {}, or remove the {what}", with_article(expected))
                }
                _ => format!("write {}", with_article(expected)),
            };
            problem(format!("{} cannot be {}", error.path.ending(), with_article(actual)), remedy)
        }
        Keyword::Format => {
            let (format, _) = expected_type(detail)?;
            let remedy = match examples(format).first() {
                Some(example) => format!("write one such as `{example}`"),
                None if ["int32", "int64"].contains(&format) => "write an integer".to_owned(),
                None => "correct it".to_owned(),
            };
            problem(format!("{shown} does not match the format `{format}`"), remedy)
        }
        Keyword::Pattern => {
            let pattern = detail.strip_prefix("should match ")?;
            problem(format!("{shown} does not match {pattern}"), "change it to match".to_owned())
        }
        Keyword::Enum => {
            let allowed = detail.strip_prefix(SUPPORTED_VALUES).unwrap_or(detail);
            let several = if allowed.contains(", ") { "one of " } else { "" };
            problem(format!("unsupported value {value}"), format!("use {several}{allowed}"))
        }
        keyword @ (Keyword::Minimum | Keyword::Maximum | Keyword::MultipleOf)
            if detail.contains(" value must be of type ") || detail.starts_with("factor MultipleOf ") =>
        {
            let problem = format!("the definition has a `{}` that no integer can meet", keyword.as_str());
            Some(Message::new(problem).advise("correct it there"))
        }
        Keyword::Minimum | Keyword::ExclusiveMinimum => {
            let limit = last_number(detail)?;
            match detail.contains("or equal") {
                true => problem(
                    format!("{shown} is less than the minimum {limit}"),
                    format!("use {limit} or more"),
                ),
                false => {
                    problem(format!("{shown} is not greater than {limit}"), format!("use more than {limit}"))
                }
            }
        }
        Keyword::Maximum | Keyword::ExclusiveMaximum => {
            let limit = last_number(detail)?;
            match detail.contains("or equal") {
                true => {
                    problem(format!("{shown} exceeds the maximum {limit}"), format!("use {limit} or less"))
                }
                false => {
                    problem(format!("{shown} is not less than {limit}"), format!("use less than {limit}"))
                }
            }
        }
        Keyword::MultipleOf => {
            let factor = last_number(detail.strip_prefix("should be ")?)?;
            problem(format!("{shown} is not a multiple of {factor}"), format!("use a multiple of {factor}"))
        }
        Keyword::MinLength => {
            let least = count(detail, "character")?;
            problem(format!("{shown} is too short"), format!("use at least {least}"))
        }
        Keyword::MaxLength => {
            let most = count(detail, "character")?;
            problem(
                format!("{} is too long", if value.is_empty() { "the text" } else { value }),
                format!("use at most {most}"),
            )
        }
        Keyword::MinItems => {
            let least = count(detail, "item")?;
            problem(format!("the list has too few items ({value})"), format!("use at least {least}"))
        }
        Keyword::MaxItems => {
            let most = count(detail, "item")?;
            problem(format!("the list has too many items ({value})"), format!("use at most {most}"))
        }
        Keyword::MinProperties => {
            let least = counted(last_number(detail)?, "property", "properties");
            problem(format!("the object has too few properties ({value})"), format!("use at least {least}"))
        }
        Keyword::MaxProperties => {
            let most = counted(last_number(detail)?, "property", "properties");
            problem(format!("the object has too many properties ({value})"), format!("use at most {most}"))
        }
        Keyword::ListType | Keyword::ListMapKeys if error.error == ErrorType::Duplicate => {
            problem(format!("duplicate item {value} in the list"), "remove or change one".to_owned())
        }
        Keyword::ListType | Keyword::ListMapKeys if detail.starts_with("must be an object") => {
            problem(format!("{shown} is not an object"), "write one with the keys of the list".to_owned())
        }
        Keyword::AnyOf => problem(
            "the value matches no schema in `anyOf`".to_owned(),
            "make it match one of them".to_owned(),
        ),
        Keyword::OneOf => {
            let found = detail.split_once(". Found ").map(|(_, found)| found)?;
            let count =
                last_number(found).map_or_else(|| "no schema".to_owned(), |count| format!("{count} schemas"));
            problem(format!("the value matches {count} in `oneOf`"), "make it match exactly one".to_owned())
        }
        Keyword::AllOf => problem(
            "the value does not match each schema in `allOf`".to_owned(),
            "make it match all of them".to_owned(),
        ),
        Keyword::Not => problem(
            "the value matches the schema in `not`".to_owned(),
            "change it so that it does not match".to_owned(),
        ),
        // The author of the definition chose these words.
        Keyword::Validations => Some(Message::new(detail)),
        _ => None,
    }
}

/// The message for names, labels and annotations.
fn of_metadata(error: &ValueError, value: &str, detail: &str) -> Option<Message> {
    if detail == "name or generateName is required" {
        return Some(
            Message::new("the object has no name").advise("add `metadata.name` or `metadata.generateName`"),
        );
    }
    let is_about = |begin: &str| error.path.last().and_then(Segment::key) == Some(begin);
    if is_about("annotations") && detail.starts_with("may not be more than ") {
        let most = last_number(detail)?;
        return Some(
            Message::new(format!("the annotations have more than {most} bytes"))
                .advise("remove or shorten some"),
        );
    }
    in_words(value, detail)
}

/// The message for what is rare.
fn as_the_server_says(error: &ValueError, value: &str, detail: &str) -> Message {
    Message::new(match (error.error, detail.is_empty()) {
        (ErrorType::Required, true) => {
            return Message::new(format!("`{}` is missing", error.path)).advise("add it");
        }
        (_, true) => format!("{}: {value}", error.error.words()),
        _ if detail.starts_with(SUPPORTED_VALUES) => {
            let allowed = detail.strip_prefix(SUPPORTED_VALUES).unwrap_or_default();
            return Message::new(format!("unsupported value {value}"))
                .advise(format!("use one of {allowed}"));
        }
        // Of a field that does not decode the server shows the zero value.
        _ if value.is_empty() || value == "null" || detail.contains("accessor error") => detail.to_owned(),
        // A whole object is not shown.
        _ if value.starts_with(['{', '[']) => detail.to_owned(),
        (_, false) => format!("{value}: {detail}"),
    })
}

/// The server's detail without the name of the field in front of it.
#[must_use]
pub fn plain_detail(detail: &str) -> &str {
    detail.split_once(" in body ").map_or(detail, |(name, rest)| {
        // A text for people may have these words, too.
        if name.contains(' ') { detail } else { rest }
    })
}

/// The types in `must be of type integer: "string"`.
#[must_use]
pub fn expected_type(detail: &str) -> Option<(&str, &str)> {
    let (expected, actual) = detail.strip_prefix("must be of type ")?.split_once(": ")?;
    Some((expected, actual.trim_matches('"')))
}

/// How the server begins where a number is none of its type.
const CHECKED: &str = "Checked value must be of type ";

/// The bits of an integer format in the rest of such a text; none of integers without format.
fn number_type(rest: &str) -> Option<&'static str> {
    let format =
        rest.strip_prefix("integer with format ").or_else(|| rest.strip_prefix("number with format "))?;
    match format.split(' ').next()? {
        "int32" | "float" => Some("32"),
        "int64" => Some("64"),
        _ => None,
    }
}

/// The last number of a text, as it is written.
fn last_number(text: &str) -> Option<&str> {
    text.split(' ').rev().find(|word| word.parse::<f64>().is_ok())
}

/// The last number of a text, with what it counts.
fn count(text: &str, what: &str) -> Option<String> {
    Some(counted(last_number(text)?, what, &format!("{what}s")))
}

fn counted(number: &str, one: &str, many: &str) -> String {
    format!("{number} {}", if number == "1" { one } else { many })
}

fn with_article(types: &str) -> String {
    let one = |name: &str| match name {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    };
    types.split(',').map(one).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use crate::customresource::message::*;

    #[test]
    fn details_lose_the_name_of_the_field() {
        assert_eq!(
            plain_detail("spec.a in body should be at least 2 chars long"),
            "should be at least 2 chars long"
        );
        assert_eq!(plain_detail("must not be in body text"), "must not be in body text");
    }

    #[test]
    fn types_have_articles() {
        let types = expected_type("must be of type integer,string: \"boolean\"");
        let written = types.map(|(expected, actual)| (with_article(expected), with_article(actual)));
        assert_eq!(written, Some(("an integer or a string".to_owned(), "a boolean".to_owned())));
    }

    #[test]
    fn limits_are_the_last_numbers() {
        assert_eq!(last_number("should be greater than or equal to -0.5"), Some("-0.5"));
        assert_eq!(count("may not be more than 1 byte", "character"), Some("1 character".to_owned()));
        assert_eq!(count("should have at least 2 items", "item"), Some("2 items".to_owned()));
        assert_eq!(last_number("none valid"), None);
    }
}
