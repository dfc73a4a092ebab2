//! Shortcuts: ways to an answer that are quicker than the one that defines it.
//!
//! Each can be left out. So tests show that it changes no answer, and measurements show what it saves. A program with debug
//! assertions leaves out what the variable `CRD_LS_WITHOUT` names when the program starts: names with commas between them,
//! or `all`. A release program takes all shortcuts, and asking costs nothing. What an analysis remembers is not listed here:
//! `memo` states its rule, and tests forget answers at random.

/// A quicker way to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shortcut {
    /// A plain scalar is a string to the letter by the look of its first bytes (`yaml::scalar`).
    PlainText,
    /// An edit within one entry parses that entry alone (`yaml` parser, `unit`).
    EntryEdit,
    /// The schemas of versions differ in their upper levels, or are the same text, so that they need not be hashed
    /// (`crd::object`).
    SameSchemas,
    /// A file that holds only definitions is checked before other files are read, and its tree is dropped
    /// (`ide::Settled`).
    SettledDefinitions,
    /// A file is not parsed for objects of a kind that it does not name behind the word `kind` (`lsp` kinds).
    KindWords,
    /// A document of plain keys that differ decodes without an error, so that no JSON is made to find one (`yaml::decode`).
    StrictDecoding,
}

impl Shortcut {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::PlainText,
        Self::EntryEdit,
        Self::SameSchemas,
        Self::SettledDefinitions,
        Self::KindWords,
        Self::StrictDecoding,
    ];

    /// Its name in `CRD_LS_WITHOUT`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlainText => "plain-text",
            Self::EntryEdit => "entry-edit",
            Self::SameSchemas => "same-schemas",
            Self::SettledDefinitions => "settled-definitions",
            Self::KindWords => "kind-words",
            Self::StrictDecoding => "strict-decoding",
        }
    }

    /// Whether it is taken.
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

    /// A bit for each that is left out. Read once, as a program that changes its ways in between would prove nothing.
    static OFF: LazyLock<u16> = LazyLock::new(|| {
        let named = std::env::var("CRD_LS_WITHOUT").unwrap_or_else(|_| String::new());
        let is_named = |one: &Shortcut| named.split(',').any(|name| name == "all" || name == one.name());
        Shortcut::ALL.into_iter().filter(is_named).map(|one| 1 << one as u16).sum()
    });

    pub(super) fn is_off(one: Shortcut) -> bool {
        *OFF & (1 << one as u16) != 0
    }
}
