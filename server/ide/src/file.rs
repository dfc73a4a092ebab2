use std::sync::Arc;

use text::{TextEdit, TextRange, TextSize};

use crate::{Finding, Fix, Settings};

/// The analysis of one text. Cheap to clone.
#[derive(Clone, Debug)]
pub struct File {
    findings: Arc<[Finding]>,
}

/// What hovering over a place shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The key or value that is explained.
    pub range: TextRange,
    /// The explanation.
    pub markdown: String,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A YAML document.
    Document,
    /// A mapping.
    Object,
    /// A sequence.
    List,
    /// A text.
    String,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A null or an empty value.
    Null,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The key, or the object's kind and name.
    pub name: String,
    /// A short text beside the name, such as a schema's type.
    pub detail: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// The whole entry.
    pub range: TextRange,
    /// The key.
    pub selection: TextRange,
    /// The entries within.
    pub children: Vec<Symbol>,
}

/// What a fold holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// An entry, an item, a document.
    Region,
    /// Lines of comments.
    Comment,
}

/// Lines that can be folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From the line that stays to the end of the last line that goes.
    pub range: TextRange,
    /// What it holds.
    pub kind: FoldKind,
}

impl File {
    /// Analyses `text` from scratch.
    #[must_use]
    pub fn new(_text: &str, _settings: &Settings) -> Self {
        Self { findings: Arc::new([]) }
    }

    /// The analysis after one edit; equal to [`File::new`] of the edited text, at the cost of what `edit` touches.
    /// `new_text` reads a range of the text after the edit.
    #[must_use]
    pub fn edited(
        &self,
        _edit: &TextEdit,
        _new_text: &dyn Fn(TextRange) -> String,
        _settings: &Settings,
    ) -> Self {
        self.clone()
    }

    /// All findings, by range, then code.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The fixes for the findings that touch `range`.
    #[must_use]
    pub fn fixes(&self, _range: TextRange) -> Vec<Fix> {
        Vec::new()
    }

    /// One round of all safe fixes that can be applied together: sorted edits without overlap. What they leave
    /// needs another round on the edited text.
    #[must_use]
    pub fn fix_all(&self) -> Vec<TextEdit> {
        Vec::new()
    }

    /// What to show at `offset`.
    #[must_use]
    pub fn hover(&self, _offset: TextSize) -> Option<Hover> {
        None
    }

    /// The outline.
    #[must_use]
    pub fn symbols(&self) -> Vec<Symbol> {
        Vec::new()
    }

    /// The folds, by start.
    #[must_use]
    pub fn folds(&self) -> Vec<Fold> {
        Vec::new()
    }
}
