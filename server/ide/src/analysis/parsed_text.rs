use std::sync::{Arc, OnceLock};

use text::TextBuffer;
use yaml::Tree;

/// Reads the text of a source again; `None` if the source no longer exists.
pub type Load = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// A text that is parsed but not analysed yet, for uses of its definitions before that. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ParsedText {
    pub(crate) text: Arc<str>,
    pub(crate) tree: Tree,
    buffer: Arc<OnceLock<TextBuffer>>,
}

impl ParsedText {
    /// Parses `text`.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        Self { tree: Tree::parse(&text), text, buffer: Arc::default() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as a buffer for positions; built on first use.
    #[must_use]
    pub fn buffer(&self) -> &TextBuffer {
        self.buffer.get_or_init(|| TextBuffer::new(&self.text))
    }
}
