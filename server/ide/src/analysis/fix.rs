use api::Code;
use text::{TextEdit, TextRange};

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// Keeps the meaning that the author intended; fix-all and `--fix` apply it.
    Safe,
    /// Changes meaning or needs a choice; offered, never automatic.
    Suggested,
}

/// An edit that repairs one or more findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title for a menu: the change and, if necessary, its effect.
    pub title: String,
    /// The edits, in bytes of the current text, sorted and without overlap.
    pub edits: Vec<TextEdit>,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The codes and ranges of the findings that it repairs.
    pub repairs: Vec<(Code, TextRange)>,
}

impl Fix {
    /// A fix for the user to choose, which repairs the finding of that code and range.
    pub(crate) fn suggested(
        title: impl Into<String>,
        edits: Vec<TextEdit>,
        code: Code,
        range: TextRange,
    ) -> Self {
        Self {
            title: title.into(),
            edits,
            applicability: Applicability::Suggested,
            repairs: vec![(code, range)],
        }
    }
}
