//! Functions that parse the details of the server's errors.

/// The server's detail without the leading name of the field.
#[must_use]
pub fn plain_detail(detail: &str) -> &str {
    detail.split_once(" in body ").map_or(detail, |(name, rest)| {
        // An author's message may also contain these words.
        if name.contains(' ') { detail } else { rest }
    })
}

/// The types in the server's error on a value of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeMismatch<'d> {
    /// The type or format of the schema; two types have a comma between them.
    pub expected: &'d str,
    /// The type of the value.
    pub actual: &'d str,
}

/// The types in `must be of type integer: "string"`.
#[must_use]
pub fn type_mismatch(detail: &str) -> Option<TypeMismatch<'_>> {
    let (expected, actual) = detail.strip_prefix("must be of type ")?.split_once(": ")?;
    Some(TypeMismatch { expected, actual: actual.trim_matches('"') })
}

/// The beginning of the server's detail for a number that is not valid for its type.
pub(super) const CHECKED: &str = "Checked value must be of type ";

/// The number of bits of the format in the rest of such a detail; `None` for integers without a format.
pub(super) fn number_type(rest: &str) -> Option<&'static str> {
    let format =
        rest.strip_prefix("integer with format ").or_else(|| rest.strip_prefix("number with format "))?;
    match format.split(' ').next()? {
        "int32" | "float" => Some("32"),
        "int64" => Some("64"),
        _ => None,
    }
}

/// The last number in a text, as written.
pub(super) fn last_number(text: &str) -> Option<&str> {
    text.split(' ').rev().find(|word| word.parse::<f64>().is_ok())
}

/// The last number in a text, with its unit `what`.
pub(super) fn count(text: &str, what: &str) -> Option<String> {
    Some(counted(last_number(text)?, what, &format!("{what}s")))
}

pub(super) fn counted(number: &str, one: &str, many: &str) -> String {
    format!("{number} {}", if number == "1" { one } else { many })
}

/// The maximum length of a value, a rule or a pattern in a message, in characters.
pub(super) const SHOWN: usize = 60;

pub(crate) fn with_article(types: &str) -> String {
    let one = |name: &str| match name {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    };
    types.split(',').map(one).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use crate::customresource::message::details::*;

    #[test]
    fn details_omit_the_name_of_the_field() {
        assert_eq!(
            plain_detail("spec.a in body should be at least 2 chars long"),
            "should be at least 2 chars long"
        );
        assert_eq!(plain_detail("must not be in body text"), "must not be in body text");
    }

    #[test]
    fn types_have_articles() {
        let types = type_mismatch("must be of type integer,string: \"boolean\"");
        let written = types.map(|types| (with_article(types.expected), with_article(types.actual)));
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
