//! The JSONPath of `kubectl` and of printer columns, as `k8s.io/client-go/util/jsonpath` parses it.

mod filter;
mod parser;

use std::fmt;
use std::ops::Range;

pub use filter::Unusable;
use parser::{TemplatePart, parse_braced};

/// The start of a filter.
const OPENING: &str = "[?(";

/// A step with its range in the path, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedStep {
    /// The step.
    pub step: PathStep,
    /// Its text.
    pub range: Range<usize>,
}

/// A step from a value to other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// `.name` or `['name']`.
    Field(String),
    /// `[0]`, `[1:3]` or `[*]`: elements of a list.
    Elements,
    /// `[?(...)]`: the elements of a list that match, with the compared field, if it is a single field.
    Filter(Option<String>),
    /// `.*`.
    Wildcard,
    /// `..`.
    Recursive,
    /// `[0,'name']`, numbers, strings and other words.
    Other,
}

/// A syntax error of a path; displays as the library's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    message: String,
    /// The range of the error, in bytes of the path.
    pub range: Range<usize>,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// The intended path of a text without a leading dot; the text may have quotes or braces around it, or begin
/// with `$`.
#[must_use]
pub fn intended_path(text: &str) -> Option<String> {
    let mut bare = text.trim();
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('{', '}')] {
        bare = bare.strip_prefix(open).and_then(|bare| bare.strip_suffix(close)).unwrap_or(bare).trim();
    }
    let bare = bare.trim_start_matches(['{', '$', '@']);
    let bare =
        ["self.", "this.", "object."].into_iter().find_map(|root| bare.strip_prefix(root)).unwrap_or(bare);
    // Other programs separate the fields of a path with `/`.
    let with_dots =
        bare.strip_prefix('/').filter(|rest| !rest.contains('.')).map(|rest| rest.replace('/', "."));
    let bare = with_dots.as_deref().unwrap_or(bare);
    let path = if bare.starts_with('.') { bare.to_owned() } else { format!(".{bare}") };
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || ".[]@?()=!<>&|*:,-_/\\'\"".contains(ch);
    // A filter may contain blanks, other steps are then prose.
    let is_plain = |ch: char| is_plain(ch) || ch == ' ' && path.contains("[?(");
    let begins = path.chars().nth(1).is_some_and(|ch| ch.is_ascii_alphabetic());
    let is_path = begins && path.chars().all(is_plain) && matches!(parse(&path), Ok(Some(_)));
    is_path.then_some(path)
}

/// The part of a filter in `path` that the library reads but cannot evaluate, so that the path finds nothing.
#[must_use]
pub fn unusable(path: &str) -> Option<Unusable> {
    let steps = parse(path).ok()??;
    let mut filters = steps.iter().filter(|located| matches!(located.step, PathStep::Filter(_)));
    filters.find_map(|located| {
        let filter = path.get(located.range.clone())?.strip_prefix(OPENING)?.strip_suffix(")]")?;
        let Unusable { range, better, expected_kind: what } = filter::unusable(filter)?;
        let start = located.range.start + OPENING.len();
        Some(Unusable { range: start + range.start..start + range.end, better, expected_kind: what })
    })
}

/// The steps of `path`, which has no braces around it; `None` if a brace within ends it early.
pub fn parse(path: &str) -> Result<Option<Vec<LocatedStep>>, SyntaxError> {
    let parts = parse_braced(path).map_err(|mut error| {
        // The brace that was added before the path is not a part of it.
        let inner = |at: usize| at.saturating_sub(1).min(path.len());
        error.range = inner(error.range.start)..inner(error.range.end);
        error
    })?;
    let mut parts = parts.into_iter();
    let (Some(TemplatePart::Action(mut steps)), None) = (parts.next(), parts.next()) else { return Ok(None) };
    for step in &mut steps {
        step.range = step.range.start.saturating_sub(1)..step.range.end.saturating_sub(1);
    }
    Ok(Some(steps))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use super::*;

    fn steps(path: &str) -> Vec<PathStep> {
        parse(path).expect("a path").expect("one action").into_iter().map(|located| located.step).collect()
    }

    fn field(name: &str) -> PathStep {
        PathStep::Field(name.to_owned())
    }

    #[test]
    fn steps_lead_to_fields_and_elements() {
        for (path, expected) in [
            (".spec.size", vec![field("spec"), field("size")]),
            ("$.spec", vec![field("spec")]),
            ("['spec'].size", vec![field("spec"), field("size")]),
            (
                r".metadata.labels.example\.com/x",
                vec![field("metadata"), field("labels"), field("example.com/x")],
            ),
            (".a[0].b", vec![field("a"), PathStep::Elements, field("b")]),
            (".a[*]", vec![field("a"), PathStep::Elements]),
            (".a[-1:]", vec![field("a"), PathStep::Elements]),
            (".a.*", vec![field("a"), PathStep::Wildcard]),
            ("..name", vec![PathStep::Recursive, field("name")]),
            (".a[0,'b']", vec![field("a"), PathStep::Other]),
            (
                r#".c[?(@.type=="Ready")].status"#,
                vec![field("c"), PathStep::Filter(Some("type".to_owned())), field("status")],
            ),
            (".c[?(@.type)]", vec![field("c"), PathStep::Filter(Some("type".to_owned()))]),
            (".c[?(@[0]==1)]", vec![field("c"), PathStep::Filter(None)]),
        ] {
            assert_eq!(steps(path), expected, "{path}");
        }
    }

    /// The library's messages for the same paths.
    #[test]
    fn errors_are_those_of_the_library() {
        for (path, expected, at) in [
            (".a[0", "unterminated array", 2..4),
            (".a[x]", "invalid array index x", 2..5),
            (".a[-]", "array index - is not a number", 2..5),
            (".a[?(@.b==1)", "unclosed array expect ]", 2..12),
            (".a[?(@.b==\"x)]", "unterminated filter", 2..14),
            (".a#", "", 0..0),
            (".a[#]", "invalid array index #", 2..5),
            (".a ]", "unrecognized character in action: U+005D ']'", 3..4),
            ("....a", "invalid multiple recursive descent", 2..4),
            (".a\n", "unclosed action", 2..3),
        ] {
            match parse(path) {
                Ok(_) => assert_eq!(expected, "", "{path}"),
                Err(error) => assert_eq!((error.to_string().as_str(), error.range), (expected, at), "{path}"),
            }
        }
    }

    #[test]
    fn a_brace_ends_the_path_early() {
        assert_eq!(parse(".a}b{.c"), Ok(None));
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "", "[", "[?(", "[?([?(@", "\\", "'\\", "é[é", "[,,,]", "[?()]", "[?(=)]", "{", "}}", "..", "-",
            "1.2.3",
        ] {
            let _ = parse(text);
        }
        assert!(parse(&"[?(".repeat(10_000)).is_err());
        assert!(parse(&".a".repeat(10_000)).is_ok());
    }

    #[test]
    fn paths_in_quotes_and_braces_are_known() {
        for text in ["spec.a", " .spec.a", "'.spec.a'", "`spec.a`", "{.spec.a}", "$.spec.a", "\"{$.spec.a}\""]
        {
            assert_eq!(super::intended_path(text).as_deref(), Some(".spec.a"), "{text}");
        }
        let filtered = "status.conditions[?(@.type == \"Ready\")].status";
        assert_eq!(super::intended_path(filtered), Some(format!(".{filtered}")));
        assert_eq!(super::intended_path("/spec/a").as_deref(), Some(".spec.a"));
        for text in ["", "{", "some words", "'a", "[0]", "{.a}{.b}"] {
            assert_eq!(super::intended_path(text), None, "{text}");
        }
    }
}
