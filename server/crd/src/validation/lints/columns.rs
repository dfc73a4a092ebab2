//! Printer columns that show nothing, or another value than that of the field.

use api::Code;
use text::TextRange;

use super::super::findings::Findings;
use super::super::internal::ServerValue;
use super::cells::mismatch_at;
use super::path::{Target, follow};
use crate::jsonpath;
use crate::message::Message;
use crate::object::Node;
use crate::reading::part_of;
use crate::schema::Schema;

/// Checks the columns at `home`, whose field `path_name` refers to `schema`.
pub(super) fn check(
    home: &ServerValue<'_, '_>,
    path_name: &'static str,
    schema: Option<&Schema<'_, '_>>,
    findings: &mut Findings<'_>,
) {
    for column in home.node.items() {
        let node = column.child(path_name);
        let path = node.text();
        // The server rejects a path that does not start with a dot.
        if path.starts_with('.') {
            check_column(&column, &node, &path, schema, findings);
        }
    }
}

fn check_column(
    column: &Node<'_, '_>,
    node: &Node<'_, '_>,
    path: &str,
    schema: Option<&Schema<'_, '_>>,
    findings: &mut Findings<'_>,
) {
    let steps = match jsonpath::parse(path) {
        Ok(Some(steps)) => steps,
        Ok(None) => return,
        Err(error) => {
            let range = range_of(node, error.range.clone());
            return findings.lint(Code::LintColumnJsonPath, range, node, syntax(&error.to_string()));
        }
    };
    if let Some(found) = jsonpath::unusable(path) {
        let written = path.get(found.range.clone()).unwrap_or_default();
        let problem =
            format!("`{written}` in this filter is not {}, so the column stays empty", found.expected_kind);
        let message = Message::new(problem).advise(format!("write `{}`", found.better));
        return findings.lint(Code::LintColumnPath, range_of(node, found.range), node, message);
    }
    let Some(schema) = schema else { return };
    let target = follow(schema, steps.iter().map(|located| &located.step));
    if let Target::Missing { step, fault } = target {
        let range = steps.get(step).map_or(node.range(), |located| range_of(node, located.range.clone()));
        return findings.lint(Code::LintColumnPath, range, node, fault.message("the column stays empty"));
    }
    let ty = column.child("type");
    if let Some(found) = mismatch_at(&target, &ty.text()) {
        findings.lint(Code::LintColumnType, ty.range(), &ty, found.message);
    }
}

/// The problems and remedies by the start of the library's error; `{}` is the rest of the error.
const FAULTS: [(&str, &str, &str); 10] = [
    ("unterminated filter", "the filter in this path is not closed", "end it with `)]`"),
    ("unclosed array expect ]", "the filter in this path is not closed", "end it with `)]`"),
    ("unterminated array", "the `[` in this path is not closed", "add `]`"),
    ("unterminated quoted string", "a quote in this path is not closed", "close it"),
    ("unclosed action", "the path has a line break, or a backslash at its end", "remove it"),
    ("unrecognized character", "this character is not allowed in a path", "remove it"),
    ("invalid multiple recursive descent", "the path repeats `..`", "write `..` once"),
    ("cannot parse number ", "`{}` in this path is not a number", "remove it"),
    ("unquote string ", "a text in this path has an unsupported escape", "remove the backslash"),
    ("invalid array index ", "`{}` is not an index", "write a number, `*`, or a field as `['name']`"),
];

/// The message for a path that the library rejects with `words`.
fn syntax(words: &str) -> Message {
    let fault = FAULTS.iter().find_map(|(start, problem, remedy)| {
        Some((problem.replace("{}", words.strip_prefix(start)?), *remedy))
    });
    // `array index - is not a number`.
    let (problem, remedy) = fault
        .unwrap_or_else(|| ("an index in this path is not a number".to_owned(), "write a number, or `*`"));
    let effect = "`kubectl get` shows no additional column of the version";
    Message::new(format!("{problem}, so {effect}")).advise(remedy)
}

/// The range of the bytes `part` of the text of `node`.
fn range_of(node: &Node<'_, '_>, part: std::ops::Range<usize>) -> TextRange {
    let scalar = node.value().and_then(yaml::Value::as_scalar);
    scalar.map_or(node.range(), |scalar| part_of(scalar, part))
}
