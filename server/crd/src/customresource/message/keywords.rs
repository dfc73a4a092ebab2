//! Messages for values that violate keywords of a schema.

use super::details::{CHECKED, SHOWN, count, counted, last_number, number_type, type_mismatch};
use super::formats::wrong_format;
use super::types::{out_of_range, wrong_type};
use crate::customresource::error::{Facts, ValueError};
use crate::field_path::Segment;
use crate::message::{Message, ProblemClass, shortened};
use crate::report::{ErrorType, SUPPORTED_VALUES};
use crate::schema::Keyword;

/// The message for a value that violates `keyword`. `whole` names the checked value as a whole.
pub(super) fn message(
    error: &ValueError,
    whole: &str,
    keyword: Keyword,
    value: &str,
    detail: &str,
) -> Option<Message> {
    let value = &*shortened(value, SHOWN);
    let subject = &*match error.path.is_empty() {
        true => whole.to_owned(),
        false => error.path.ending(),
    };
    // The server does not print the value if it is too long.
    let shown = match value {
        "" if error.path.is_empty() => whole,
        "" => "the value",
        value => value,
    };
    match keyword {
        Keyword::Required => {
            let name = error.path.last().and_then(Segment::key)?;
            advised(format!("missing required field `{name}`"), format!("add `{name}`"))
        }
        Keyword::Type if detail.starts_with(CHECKED) => {
            Some(out_of_range(error, subject, number_type(detail.strip_prefix(CHECKED)?)))
        }
        Keyword::Type | Keyword::Nullable | Keyword::IntOrString => {
            Some(wrong_type(error, subject, type_mismatch(detail)?))
        }
        Keyword::Format => Some(wrong_format(error, subject, type_mismatch(detail)?.expected, shown)),
        Keyword::Pattern => wrong_pattern(shown, detail),
        Keyword::Enum => unsupported_value(error, value, detail),
        Keyword::Minimum | Keyword::Maximum | Keyword::MultipleOf if rejects_all_numbers(detail) => {
            let name = keyword.as_str();
            let what = if detail.contains("must be positive") { "number" } else { "integer" };
            advised(
                format!("`{name}` in the definition rejects every {what}"),
                "change or remove it in the definition",
            )
        }
        Keyword::Minimum | Keyword::ExclusiveMinimum => below_minimum(shown, detail),
        Keyword::Maximum | Keyword::ExclusiveMaximum => above_maximum(shown, detail),
        Keyword::MultipleOf => {
            let factor = last_number(detail.strip_prefix("should be ")?)?;
            let remedy = match multiples(value, factor) {
                Some((below, above)) => format!("use a multiple such as {below} or {above}"),
                None => format!("use a multiple of {factor}"),
            };
            advised(format!("{shown} is not a multiple of {factor}"), remedy)
        }
        Keyword::MinLength => advised(format!("{shown} is too short"), at_least(count(detail, "character")?)),
        Keyword::MaxLength
        | Keyword::MinItems
        | Keyword::MaxItems
        | Keyword::MinProperties
        | Keyword::MaxProperties => wrong_size(error, keyword, value, detail),
        Keyword::ListType | Keyword::ListMapKeys if error.error == ErrorType::Duplicate => {
            advised(format!("duplicate item {value} in the list"), "remove or change one")
        }
        Keyword::AdditionalProperties => {
            let name = error.bad_value.as_deref()?.trim_matches('"');
            advised(format!("`{name}` is not allowed here"), "remove it")
        }
        keyword if keyword.is_junctor() => junctor(error, subject, keyword, detail),
        _ => None,
    }
}

/// The message with this problem and this remedy.
fn advised(problem: String, remedy: impl Into<String>) -> Option<Message> {
    Some(Message::new(problem).advise(remedy))
}

fn wrong_pattern(shown: &str, detail: &str) -> Option<Message> {
    if detail.contains(", but pattern is invalid: ") {
        return advised(
            "the `pattern` in the definition is invalid, so no value matches it".to_owned(),
            "change the `pattern` in the definition",
        );
    }
    let pattern = detail.strip_prefix("should match '")?.strip_suffix('\'')?;
    let pattern =
        if pattern.contains('`') { String::new() } else { format!(" `{}`", text::start(pattern, SHOWN)) };
    advised(format!("{shown} does not match the pattern{pattern}"), "use a value that matches it")
}

/// The message for a value that `enum` does not list.
fn unsupported_value(error: &ValueError, value: &str, detail: &str) -> Option<Message> {
    let allowed = match &error.facts {
        Some(Facts::Allowed(allowed)) => allowed,
        _ => detail.strip_prefix(SUPPORTED_VALUES).unwrap_or(detail),
    };
    let several = if allowed.contains(", ") { "one of " } else { "" };
    let remedy = format!("use {several}{allowed}");
    let is_quoted = |allowed: &str| value.trim_matches('"') == allowed.trim_matches('`');
    let problem = match value {
        value if value.starts_with('"') && allowed.split(", ").any(is_quoted) => {
            format!("{value} is a string, which the `enum` does not list")
        }
        // The server lists null as a text.
        "null" if detail.contains("\"null\"") => {
            "null is unsupported, even if the `enum` lists it".to_owned()
        }
        value => {
            let message = Message::new(format!("unsupported value {value}"));
            return Some(message.advise(remedy).of_class(ProblemClass::NoAlternative));
        }
    };
    advised(problem, remedy)
}

/// Whether no number fulfils the keyword, according to the server.
fn rejects_all_numbers(detail: &str) -> bool {
    detail.contains(" value must be of type ") || detail.starts_with("factor MultipleOf ")
}

fn below_minimum(shown: &str, detail: &str) -> Option<Message> {
    let limit = last_number(detail)?;
    if detail.contains("or equal") {
        advised(format!("{shown} is less than the minimum {limit}"), format!("use {limit} or more"))
    } else {
        advised(
            format!("{shown} is not above the exclusive minimum {limit}"),
            format!("use more than {limit}"),
        )
    }
}

fn above_maximum(shown: &str, detail: &str) -> Option<Message> {
    let limit = last_number(detail)?;
    if detail.contains("or equal") {
        advised(format!("{shown} exceeds the maximum {limit}"), format!("use {limit} or less"))
    } else {
        advised(
            format!("{shown} is not below the exclusive maximum {limit}"),
            format!("use less than {limit}"),
        )
    }
}

/// The message for a text that is too long, and for a list or an object that is too small or too large. For the latter, `value`
/// is the size.
fn wrong_size(error: &ValueError, keyword: Keyword, value: &str, detail: &str) -> Option<Message> {
    let properties = || Some(counted(last_number(detail)?, "property", "properties"));
    let (problem, remedy) = match keyword {
        Keyword::MaxLength => {
            let most = count(detail, "character")?;
            let length = match &error.facts {
                Some(Facts::Length(length)) => {
                    format!(" ({})", counted(&length.to_string(), "character", "characters"))
                }
                _ => String::new(),
            };
            let subject = if value.is_empty() { "the text" } else { value };
            (format!("{subject} is too long{length}"), format!("use at most {most}"))
        }
        Keyword::MinItems => {
            (format!("the list has too few items ({value})"), at_least(count(detail, "item")?))
        }
        Keyword::MaxItems => {
            (format!("the list has too many items ({value})"), at_most(count(detail, "item")?))
        }
        Keyword::MinProperties => {
            (format!("the object has too few properties ({value})"), at_least(properties()?))
        }
        Keyword::MaxProperties => {
            (format!("the object has too many properties ({value})"), at_most(properties()?))
        }
        _ => return None,
    };
    advised(problem, remedy)
}

fn junctor(error: &ValueError, subject: &str, keyword: Keyword, detail: &str) -> Option<Message> {
    let constraints = match &error.facts {
        Some(Facts::Constraints(constraints)) => Some(&**constraints),
        _ => None,
    };
    let branches = constraints.unwrap_or("them");
    match keyword {
        Keyword::AnyOf => Some(
            Message::new(format!("{subject} matches no schema in `anyOf`"))
                .advise(format!("change it to match one of {branches}"))
                .of_class(ProblemClass::NoAlternative),
        ),
        Keyword::OneOf => {
            let found = detail.split_once(". Found ").map(|(_, found)| found)?;
            let remedy = format!("change it to match exactly one of {branches}");
            match last_number(found) {
                Some(count) => advised(format!("{subject} matches {count} schemas in `oneOf`"), remedy),
                None => advised(format!("{subject} matches no schema in `oneOf`"), remedy)
                    .map(|message| message.of_class(ProblemClass::NoAlternative)),
            }
        }
        Keyword::AllOf => advised(
            format!("{subject} violates a schema in `allOf`"),
            "correct the other errors of this value, which come from that schema",
        ),
        Keyword::Not => {
            let constraints = constraints.map(|known| format!(" ({known})")).unwrap_or_default();
            advised(
                format!("{subject} matches the schema in `not`{constraints}, which excludes it"),
                "change it so that it violates that schema",
            )
        }
        _ => None,
    }
}

/// The multiples of `factor` around `value`, if both are whole numbers.
fn multiples(value: &str, factor: &str) -> Option<(i64, i64)> {
    let (value, factor) = (value.parse::<i64>().ok()?, factor.parse::<i64>().ok()?);
    let below = value.checked_div_euclid(factor)?.checked_mul(factor)?;
    Some((below, below.checked_add(factor)?)).filter(|_| factor > 0)
}

/// The remedy for a minimum count.
fn at_least(counted: String) -> String {
    format!("use at least {counted}")
}

/// The remedy for a maximum count.
fn at_most(counted: String) -> String {
    if counted.starts_with("0 ") { "remove them".to_owned() } else { format!("use at most {counted}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field_path::FieldPath;
    use crate::value::Place;

    fn message_of(keyword: Keyword, bad_value: &str, detail: &str, facts: Option<Facts>) -> Option<String> {
        let error = ValueError {
            error: ErrorType::Invalid,
            field: "v".to_owned(),
            path: FieldPath::of_names(["v"]),
            bad_value: Some(bad_value.to_owned()),
            detail: detail.to_owned(),
            place: Place::Nowhere,
            rule: None,
            facts,
        };
        message(&error, "the value", keyword, bad_value, detail).map(|message| message.to_string())
    }

    fn of_type(expected: &str, type_name: &'static str, shown: &str) -> Option<String> {
        let facts = Facts::Value { type_name, shown: shown.into(), remedy: None };
        message_of(
            Keyword::Type,
            type_name,
            &format!("must be of type {expected}: {type_name:?}"),
            Some(facts),
        )
    }

    #[test]
    fn a_wrong_type_is_reported_with_its_value() {
        let expected = |text: &str| Some(text.to_owned());
        assert_eq!(
            of_type("integer", "number", "5.5"),
            expected("`v` is 5.5, which is not an integer; write a whole number")
        );
        assert_eq!(
            of_type("integer", "string", "\"5\""),
            expected("`v` cannot be a string; remove the quotes")
        );
        assert_eq!(
            of_type("integer", "string", "\"a\""),
            expected("`v` cannot be a string; write an integer")
        );
        assert_eq!(
            of_type("number", "string", "\"1e400\""),
            expected(
                "`v` is too large for a number, so YAML reads it as a string; write a number closer to 0"
            )
        );
        assert_eq!(
            of_type("integer,string", "array", ""),
            expected("`v` cannot be an array; write an integer or a string")
        );
    }

    #[test]
    fn values_of_an_enum_are_yaml() {
        let facts = Some(Facts::Allowed("`1`, `2`".into()));
        let detail = "supported values: \"1\", \"2\"";
        assert_eq!(
            message_of(Keyword::Enum, "\"1\"", detail, facts).as_deref(),
            Some("\"1\" is a string, which the `enum` does not list; use one of `1`, `2`")
        );
    }

    #[test]
    fn null_is_listed_only_if_the_enum_has_it() {
        let allowed = || Some(Facts::Allowed("`a`".into()));
        assert_eq!(
            message_of(Keyword::Enum, "null", "supported values: \"a\"", allowed()).as_deref(),
            Some("unsupported value null; use `a`")
        );
        assert_eq!(
            message_of(Keyword::Enum, "null", "supported values: \"a\", \"null\"", allowed()).as_deref(),
            Some("null is unsupported, even if the `enum` lists it; use `a`")
        );
    }

    #[test]
    fn a_format_of_another_type_names_the_type() {
        let facts = Facts::Value { type_name: "number", shown: "1.5".into(), remedy: None };
        assert_eq!(
            message_of(Keyword::Format, "\"float64\"", "must be of type date: \"float64\"", Some(facts))
                .as_deref(),
            Some("`v` cannot be a number; write a string such as `\"2024-01-01\"`")
        );
        assert_eq!(
            message_of(Keyword::Format, "\"a.b.\"", "must be of type hostname: \"a.b.\"", None).as_deref(),
            Some("\"a.b.\" ends with a dot, which the format `hostname` rejects; remove the dot")
        );
    }

    #[test]
    fn a_junctor_names_short_constraints() {
        let facts = Some(Facts::Constraints("`enum: [a]`".into()));
        assert_eq!(
            message_of(Keyword::Not, "", "\"v\" must not validate the schema (not)", facts).as_deref(),
            Some(
                "`v` matches the schema in `not` (`enum: [a]`), which excludes it; change it so that it violates that schema"
            )
        );
    }

    #[test]
    fn a_multiple_is_near() {
        assert_eq!(multiples("5", "2"), Some((4, 6)));
        assert_eq!(multiples("-5", "2"), Some((-6, -4)));
        assert_eq!(multiples("5", "0"), None);
        assert_eq!(multiples("5.5", "2"), None);
    }
}
