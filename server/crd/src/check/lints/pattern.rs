//! Patterns in the syntax of another language.

use api::Code;

use super::super::outcome::Builder;
use super::lint;
use crate::schema::{Keyword, PatternSlip, Schema, pattern_slip};

const CODE: Code = Code::LintPattern;

/// Checks the pattern of `schema`.
pub(super) fn check(schema: &Schema<'_, '_>, out: &mut Builder) {
    let Some(value) = schema.get(Keyword::Pattern) else { return };
    let Some(pattern) = schema.string(Keyword::Pattern) else { return };
    let Some((slip, _)) = pattern_slip(&pattern) else { return };
    let (words, advice) = match slip {
        PatternSlip::Slashes => (
            "no text matches `pattern`, because its slashes are outside `^` and `$`".to_owned(),
            "remove the slashes around the expression".to_owned(),
        ),
        PatternSlip::Escaped(sign) if !sign.is_ascii_alphabetic() => (
            format!("`\\\\{sign}` in `pattern` matches a backslash, as all backslashes are written twice"),
            format!("write `\\{sign}`"),
        ),
        PatternSlip::Escaped(class) => (
            format!("`\\\\{class}` in `pattern` matches a backslash and the letter `{class}`"),
            format!("write `\\{class}`"),
        ),
    };
    out.push(lint(CODE, out.place_of(value.range()), Keyword::Pattern, words).advise(advice));
}
