//! Shortcuts: faster ways to compute an answer than the way that defines it.
//!
//! Each shortcut can be disabled, so that tests show that it changes no answer, and measurements show its
//! gain. A program with debug assertions disables the shortcuts that the variable `CRD_LS_WITHOUT` names when
//! the program starts: names separated by commas, or `all`. A release program uses all shortcuts, and the
//! test for them costs nothing. Results that an analysis keeps are not listed here: `memo` states their
//! rules, and tests drop answers at random.

/// A faster way to compute an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shortcut {
    /// The first bytes of a plain scalar show that it is a string equal to its source (`yaml::scalar`).
    PlainText,
    /// A block whose text occurred before is not parsed again (`yaml` parser, `repeat`).
    RepeatedBlocks,
    /// An edit within one entry parses only that entry (`yaml` parser, `unit`).
    EntryEdit,
    /// The schemas of versions differ in their upper levels, or have the same text, so they need not be
    /// hashed (`crd::object`).
    SameSchemas,
    /// A file with only definitions is checked before other files are read, and its tree is dropped
    /// (`CheckedSource`).
    SettledDefinitions,
    /// A file is not parsed for objects of a kind that does not occur after the word `kind` (`lsp` kinds).
    KindWords,
    /// A document with distinct plain keys decodes without an error, so no JSON is created to find one
    /// (`yaml::decode`).
    StrictDecoding,
}

impl Shortcut {
    /// All shortcuts.
    pub const ALL: [Self; 7] = [
        Self::PlainText,
        Self::RepeatedBlocks,
        Self::EntryEdit,
        Self::SameSchemas,
        Self::SettledDefinitions,
        Self::KindWords,
        Self::StrictDecoding,
    ];

    /// The name in `CRD_LS_WITHOUT`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlainText => "plain-text",
            Self::RepeatedBlocks => "repeated-blocks",
            Self::EntryEdit => "entry-edit",
            Self::SameSchemas => "same-schemas",
            Self::SettledDefinitions => "settled-definitions",
            Self::KindWords => "kind-words",
            Self::StrictDecoding => "strict-decoding",
        }
    }

    /// Whether the shortcut is enabled.
    #[must_use]
    #[inline]
    pub fn is_on(self) -> bool {
        #[cfg(debug_assertions)]
        return !switch::is_off(self);
        #[cfg(not(debug_assertions))]
        return true;
    }
}

#[cfg(debug_assertions)]
mod switch {
    use std::sync::LazyLock;

    use super::Shortcut;

    /// A bit for each disabled shortcut. Read once: a change at run time would invalidate comparisons.
    static OFF: LazyLock<u16> = LazyLock::new(|| {
        let named = std::env::var("CRD_LS_WITHOUT").unwrap_or_else(|_| String::new());
        let is_named = |one: &Shortcut| named.split(',').any(|name| name == "all" || name == one.name());
        Shortcut::ALL.into_iter().filter(is_named).map(|one| 1 << one as u16).sum()
    });

    pub(super) fn is_off(one: Shortcut) -> bool {
        *OFF & (1 << one as u16) != 0
    }
}
