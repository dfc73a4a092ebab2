use std::sync::{Arc, OnceLock};

use crd::object::holds_action;
use text::TextBuffer;
use yaml::{Reader, Tree};

use crate::surroundings::objects;
use crate::{Catalog, Choice, Definitions};

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

    /// Which definitions of `catalog` judge the resources in this text, the source of that name; one for each resource.
    #[must_use]
    pub fn choices(&self, catalog: &Catalog, source: &str) -> Vec<Choice> {
        let documents = self.tree.documents().filter(|document| !holds_action(*document));
        let choices = documents.flat_map(|document| {
            let objects = objects(document, &Reader::new(document)).into_iter();
            objects.filter_map(|(_, _, kind)| catalog.choice(&kind, source)).collect::<Vec<_>>()
        });
        choices.collect()
    }

    /// The definitions in this text, for the source of that name; none where there are none.
    #[must_use]
    pub fn definitions(&self, source: &str) -> Option<Definitions> {
        Definitions::of_parsed(source, self)
    }
}
