//! The places of the keywords of a schema node.

use text::{TextRange, TextSize};

use crate::schema::Keyword;

/// The places of a node's keywords, relative to the start of the node.
#[derive(Debug, Default)]
pub struct Places {
    /// The places, in the order of the text.
    pub(super) keywords: Vec<KeywordPlace>,
}

/// The place of a keyword, in bytes from the start of its node.
#[derive(Clone, Copy, Debug)]
pub struct KeywordPlace {
    /// The keyword.
    pub keyword: Keyword,
    /// The key.
    pub key: TextRange,
    /// The value.
    pub value: TextRange,
}

impl Places {
    /// The place of `keyword`, in bytes of the text of the definition, if the node starts at `base`.
    #[must_use]
    pub fn place_of(&self, keyword: Keyword, base: TextSize) -> Option<KeywordPlace> {
        let place = self.keywords.iter().find(|place| place.keyword == keyword)?;
        let (key, value) = (place.key.wrapping_shifted(base), place.value.wrapping_shifted(base));
        Some(KeywordPlace { keyword, key, value })
    }
}
