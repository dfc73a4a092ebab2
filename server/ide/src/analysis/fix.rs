use std::fmt::Display;

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

/// The kind of a fix, on which its place among the fixes for a finding and its title in Go depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixKind {
    /// Gives a key, or the references to it, the name that was probably meant.
    Rename,
    /// Removes text that the author may want to keep.
    Removal,
    /// Removes lines that do not belong to the document, such as the fences of Markdown.
    RemovalOfForeignLines,
    /// Declares a name that is used.
    Declaration,
    /// Widens the format of an integer to `int64`.
    WiderInteger,
    /// All other fixes, and those of Go, whose order does not depend on their kind.
    Other,
}

/// The title of a fix, which derives from its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    kind: FixKind,
    text: String,
}

impl Title {
    /// `Rename` and `names`: the old and the new one.
    pub(crate) fn rename(names: impl Display) -> Self {
        Self { kind: FixKind::Rename, text: format!("Rename {names}") }
    }

    /// `Remove` and `what`.
    pub(crate) fn removal(what: impl Display) -> Self {
        Self { kind: FixKind::Removal, text: format!("Remove {what}") }
    }

    /// `Remove` and `lines`, which do not belong to the document.
    pub(crate) fn removal_of_foreign_lines(lines: impl Display) -> Self {
        Self { kind: FixKind::RemovalOfForeignLines, ..Self::removal(lines) }
    }

    /// `Declare` and `name`.
    pub(crate) fn declaration(name: impl Display) -> Self {
        Self { kind: FixKind::Declaration, text: format!("Declare {name}") }
    }

    /// The title of the fix that widens the format of an integer.
    pub(crate) fn wider_integer(text: &str) -> Self {
        Self { kind: FixKind::WiderInteger, text: text.to_owned() }
    }

    /// The same title with `end` after it.
    pub(crate) fn with_end(self, end: &str) -> Self {
        Self { text: self.text + end, ..self }
    }

    /// The text for a menu.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<String> for Title {
    fn from(text: String) -> Self {
        Self { kind: FixKind::Other, text }
    }
}

impl From<&str> for Title {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// An edit that repairs one or more findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title for a menu: the change and, if necessary, its effect.
    pub title: String,
    /// Its kind, from which the title derives.
    pub kind: FixKind,
    /// The edits, in bytes of the current text, sorted and without overlap.
    pub edits: Vec<TextEdit>,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The codes and ranges of the findings that it repairs.
    pub repairs: Vec<(Code, TextRange)>,
}

impl Fix {
    pub(crate) fn new(
        title: impl Into<Title>,
        edits: Vec<TextEdit>,
        applicability: Applicability,
        repairs: Vec<(Code, TextRange)>,
    ) -> Self {
        let Title { kind, text } = title.into();
        Self { title: text, kind, edits, applicability, repairs }
    }

    /// A fix for the user to choose, which repairs the finding of that code and range.
    pub(crate) fn suggested(
        title: impl Into<Title>,
        edits: Vec<TextEdit>,
        code: Code,
        range: TextRange,
    ) -> Self {
        Self::new(title, edits, Applicability::Suggested, vec![(code, range)])
    }
}
