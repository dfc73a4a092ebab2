use std::sync::{Arc, OnceLock};

use text::TextBuffer;
use yaml::Tree;

/// Gives the text of a source anew; none where it is gone.
pub type Load = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// A text that is read and not analysed yet: its definitions may be needed before. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub(crate) text: Arc<str>,
    pub(crate) tree: Tree,
    buffer: Arc<OnceLock<TextBuffer>>,
}

impl Parsed {
    /// Reads `text`.
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

    /// The text, ready for places in it; it is made so when that is asked for first.
    #[must_use]
    pub fn buffer(&self) -> &TextBuffer {
        self.buffer.get_or_init(|| TextBuffer::new(&self.text))
    }
}
