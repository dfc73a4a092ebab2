use std::sync::{Arc, Mutex};

use text::TextBuffer;
use yaml::Tree;

use crate::Definitions;
use crate::document::Caches;

/// A text that is read and not analysed yet: its definitions may be needed before. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub(crate) tree: Tree,
    /// Shared by its definitions and its analysis.
    pub(crate) caches: Arc<Mutex<Caches>>,
}

impl Parsed {
    /// Reads `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { tree: Tree::parse(text), caches: Arc::default() }
    }

    /// The definitions in this text, `text`, for the source of that name; none where there are none.
    #[must_use]
    pub fn definitions(&self, source: &str, text: &TextBuffer) -> Option<Definitions> {
        Definitions::of_buffer(source, text, &self.tree, &self.caches)
    }
}
