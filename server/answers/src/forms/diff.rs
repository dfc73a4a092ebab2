//! The differences between two texts.

use ide::compat::Difference;
use serde::Serialize;
use text::{PositionEncoding, TextBuffer, TextRange};

/// One change; lines and columns count from 1, columns in characters.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeOutput<'a> {
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    old_file: &'a str,
    old_line: Option<u32>,
    old_column: Option<u32>,
    definition: &'a str,
    version: Option<&'a str>,
    /// Whether the version is alpha, which promises no compatibility. The change counts only with `--alpha`.
    alpha: bool,
    path: &'a str,
    code: &'a str,
    class: &'a str,
    /// The same for all changes that result from one decision.
    cause: &'a str,
    affects: &'a [&'static str],
    ratchets: bool,
    message: &'a str,
}

impl<'a> ChangeOutput<'a> {
    /// A change from the old text to the new one; each text comes with its file name.
    #[must_use]
    pub fn new(
        difference: &'a Difference,
        (file, new): (&'a str, &TextBuffer),
        (old_file, old): (&'a str, &TextBuffer),
    ) -> Self {
        let place = |text: &TextBuffer, range: Option<TextRange>| {
            let at = range.map(|range| text.position(range.start, PositionEncoding::Utf32));
            at.map(|at| (at.line + 1, at.character + 1))
        };
        let (now, before) = (place(new, difference.range), place(old, difference.before));
        Self {
            file,
            line: now.map(|(line, _)| line),
            column: now.map(|(_, column)| column),
            old_file,
            old_line: before.map(|(line, _)| line),
            old_column: before.map(|(_, column)| column),
            definition: &difference.definition,
            version: difference.version.as_deref(),
            alpha: difference.alpha,
            path: &difference.object_path,
            code: difference.code.as_str(),
            class: difference.class.name(),
            cause: &difference.cause,
            affects: &difference.affects,
            ratchets: difference.ratchets,
            message: &difference.message,
        }
    }
}
