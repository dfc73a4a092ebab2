//! Printer columns that show nothing, or something else than the field holds.

use api::Code;
use text::TextRange;

use super::super::findings::Findings;
use super::super::internal::Home;
use super::cells::mismatch_at;
use super::path::{Target, follow};
use crate::jsonpath;
use crate::message::Message;
use crate::object::Node;
use crate::reading::part_of;
use crate::schema::Schema;

/// Looks at the columns at `home`, whose field `path_name` leads into `schema`.
pub(super) fn check(
    home: &Home<'_, '_>,
    path_name: &'static str,
    schema: Option<&Schema<'_, '_>>,
    findings: &mut Findings<'_>,
) {
    for column in home.node.items() {
        let node = column.child(path_name);
        let path = node.text();
        // What does not begin with a dot is refused.
        if path.starts_with('.') {
            check_column(&column, (&node, &path), schema, findings);
        }
    }
}

fn check_column(
    column: &Node<'_, '_>,
    (node, path): (&Node<'_, '_>, &str),
    schema: Option<&Schema<'_, '_>>,
    findings: &mut Findings<'_>,
) {
    let steps = match jsonpath::parse(path) {
        Ok(Some(steps)) => steps,
        Ok(None) => return,
        Err(error) => {
            let range = range_of(node, error.range.clone());
            let words =
                format!("{error}: kube-apiserver cannot parse this path and shows no column of the version");
            let message = Message::new(words).advise("correct the path");
            return findings.lint(Code::LintColumnJsonPath, range, node, message);
        }
    };
    let Some(schema) = schema else { return };
    let target = follow(schema, steps.iter().map(|located| &located.step));
    if let Target::Missing { step, words } = target {
        let range = steps.get(step).map_or(node.range(), |located| range_of(node, located.range.clone()));
        return findings.lint(Code::LintColumnPath, range, node, words.about("this column stays empty"));
    }
    let ty = column.child("type");
    if let Some(found) = mismatch_at(&target, &ty.text()) {
        findings.lint(Code::LintColumnType, ty.range(), &ty, found.message);
    }
}

/// Where the bytes `part` of the text of `node` stand.
fn range_of(node: &Node<'_, '_>, part: std::ops::Range<usize>) -> TextRange {
    let scalar = node.value().and_then(yaml::Value::as_scalar);
    scalar.map_or(node.range(), |scalar| part_of(scalar, part))
}
