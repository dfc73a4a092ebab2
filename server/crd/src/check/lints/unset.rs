//! Keywords of a schema without a value.

use api::Code;
use yaml::ValueKind;

use super::super::outcome::Builder;
use super::lint;
use crate::schema::{Keyword, Schema};

/// The keywords whose absence is an error where they are needed.
const REQUIRED: [Keyword; 5] = [
    Keyword::Type,
    Keyword::Items,
    Keyword::IntOrString,
    Keyword::ListMapKeys,
    Keyword::PreserveUnknownFields,
];

/// Checks the keywords of `schema`, except the last one: its value may be about to be typed.
pub(super) fn check(schema: &Schema<'_, '_>, out: &mut Builder) {
    let last = schema.entries().last().map(|(keyword, _)| keyword);
    for (keyword, entry) in schema.entries().filter(|(keyword, _)| !REQUIRED.contains(keyword)) {
        if Some(keyword) != last && matches!(entry.value().kind(), ValueKind::Absent) {
            let problem = format!("`{}` has no value, so kube-apiserver ignores it", keyword.as_str());
            let place = out.place_of(entry.key_range());
            out.push(
                lint(Code::LintUnsetKeyword, place, keyword, problem)
                    .advise("add the value, or remove the key"),
            );
        }
    }
}
