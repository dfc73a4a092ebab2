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

/// The title of a fix, which derives from its kind. Names and values of the text are in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    kind: FixKind,
    text: String,
    /// The text from which the pattern is made, if it differs from the title.
    general: Option<String>,
}

impl Title {
    const fn of(kind: FixKind, text: String) -> Self {
        Self { kind, text, general: None }
    }

    /// `Rename` and `names`: the old and the new one.
    pub(crate) fn rename(names: impl Display) -> Self {
        Self::of(FixKind::Rename, format!("Rename {names}"))
    }

    /// `Remove` and `what`.
    pub(crate) fn removal(what: impl Display) -> Self {
        Self::of(FixKind::Removal, format!("Remove {what}"))
    }

    /// `Remove` and `lines`, which do not belong to the document.
    pub(crate) fn removal_of_foreign_lines(lines: impl Display) -> Self {
        Self { kind: FixKind::RemovalOfForeignLines, ..Self::removal(lines) }
    }

    /// `Declare` and `name`.
    pub(crate) fn declaration(name: impl Display) -> Self {
        Self::of(FixKind::Declaration, format!("Declare {name}"))
    }

    /// The title of the fix that widens the format of an integer.
    pub(crate) fn wider_integer(text: &str) -> Self {
        Self::of(FixKind::WiderInteger, text.to_owned())
    }

    /// The same title with `end` after it.
    pub(crate) fn with_end(self, end: &str) -> Self {
        Self { text: self.text + end, general: self.general.map(|general| general + end), ..self }
    }

    /// The same title with the pattern of `general`: the wording of the title depends on its place.
    pub(crate) fn with_pattern_of(self, general: String) -> Self {
        Self { general: Some(general), ..self }
    }

    /// The same title with `note` after it, which is not a part of the pattern.
    pub(crate) fn with_note(self, note: &str) -> Self {
        let general = Some(self.general.unwrap_or_else(|| self.text.clone()));
        Self { text: self.text + note, general, ..self }
    }

    /// The text for a menu.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<String> for Title {
    fn from(text: String) -> Self {
        Self::of(FixKind::Other, text)
    }
}

impl From<&str> for Title {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// The repair that a fix makes, independent of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixPattern {
    /// The words of the title, without numbers and without code.
    words: String,
    /// For each code in the title the entry that it writes, such as `type: string`, without numbers.
    entries: Vec<Option<String>>,
}

impl FixPattern {
    fn of(title: &str) -> Self {
        let without_numbers =
            |text: &str| text.chars().filter(|char| !char.is_ascii_digit()).collect::<String>();
        let parts = || title.split('`').enumerate();
        let words =
            parts().map(|(index, part)| if index % 2 == 0 { without_numbers(part) } else { "``".to_owned() });
        let code = parts().filter(|(index, _)| index % 2 == 1);
        let entries = code.map(|(_, part)| part.contains(": ").then(|| without_numbers(part)));
        Self { words: words.collect(), entries: entries.collect() }
    }
}

/// An edit that repairs one or more findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title for a menu: the change and, if necessary, its effect.
    pub title: String,
    /// Its kind, from which the title derives.
    pub kind: FixKind,
    /// The repair, independent of its place.
    pub pattern: FixPattern,
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
        let Title { kind, text, general } = title.into();
        let pattern = FixPattern::of(general.as_deref().unwrap_or(&text));
        Self { title: text, kind, pattern, edits, applicability, repairs }
    }

    /// Whether `other` makes the same repair, perhaps at another place. Suggestions that write different entries do not: a person
    /// chooses among them.
    pub(crate) fn makes_same_repair(&self, other: &Self) -> bool {
        self.applicability == other.applicability
            && self.pattern.words == other.pattern.words
            && (self.applicability == Applicability::Safe || self.pattern.entries == other.pattern.entries)
    }

    /// A fix of [`FixKind::Other`], from outside of this crate.
    #[must_use]
    pub fn with_title(
        title: String,
        edits: Vec<TextEdit>,
        applicability: Applicability,
        repairs: Vec<(Code, TextRange)>,
    ) -> Self {
        Self::new(title, edits, applicability, repairs)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_same_repair(applicability: Applicability, one: &str, other: &str) -> bool {
        let fix = |title: &str| Fix::new(title, Vec::new(), applicability, Vec::new());
        fix(one).makes_same_repair(&fix(other))
    }

    #[test]
    fn titles_that_differ_in_names_and_numbers_are_of_one_repair() {
        for (one, other) in [
            ("Add `type: string` to `a`", "Add `type: string` to `b`"),
            ("Move `a` to the right by 2 columns", "Move `b` to the right by 4 columns"),
            ("Remove `a`, which the schema does not have", "Remove `b`, which the schema does not have"),
        ] {
            assert!(is_same_repair(Applicability::Suggested, one, other), "{one} / {other}");
        }
        let (text, object) = ("Add `type: string` to `a`", "Add `type: object` to `b`");
        assert!(!is_same_repair(Applicability::Suggested, text, object), "one has to choose");
        assert!(is_same_repair(Applicability::Safe, text, object), "there is nothing to choose");
    }
}
