use std::sync::{Arc, Mutex};

use yaml::Tree;

use crate::Definitions;
use crate::document::Caches;

/// A text that is read and not analysed yet: its definitions may be needed before. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub(crate) text: Arc<str>,
    pub(crate) tree: Tree,
    /// Shared by its definitions and its analysis.
    pub(crate) caches: Arc<Mutex<Caches>>,
}

impl Parsed {
    /// Reads `text`.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Self { tree: Tree::parse(&text), text, caches: Arc::default() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The definitions in this text, for the source of that name; none where there are none.
    #[must_use]
    pub fn definitions(&self, source: &str) -> Option<Definitions> {
        Definitions::of_parsed(source, self)
    }
}
