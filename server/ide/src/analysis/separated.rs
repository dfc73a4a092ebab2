//! The fix for a line whose separator is missing or wrong.

use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use crate::analysis::separator::Separator;

/// The title and the edit that separate the key or the dash of the line at `range` from the text after it.
pub(crate) fn fix(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
    Some(fix_of(&Separator::at(document, range)?, range.start))
}

/// The title and the edit for the separator of the text at `start`.
pub(crate) fn fix_of(separator: &Separator, start: TextSize) -> (String, Vec<TextEdit>) {
    let title = match separator {
        Separator::Colon(key) => format!("Add a space after `{key}`"),
        Separator::Dash => "Add a space after `-`".to_owned(),
        Separator::Sign(name, sign, ..) => format!("Replace `{sign}` with `:` after `{name}`"),
        Separator::Word(name) | Separator::Blank(name) => format!("Add `:` after `{name}`"),
    };
    let (part, new) = separator.change();
    let part = TextRange::new(part.start as TextSize, part.end as TextSize).shifted(start);
    (title, vec![TextEdit::replace(part, new.to_owned())])
}
