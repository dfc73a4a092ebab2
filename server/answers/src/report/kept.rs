//! Texts of which a few lines are shown once all files are checked.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};
use text::TextBuffer;

/// Shorter texts, in bytes, are not worth it.
const WORTH_BYTES: usize = 64 * 1024;

/// The text of a report. It can be packed, which takes a tenth of the memory, until somebody reads it: a check of many files
/// keeps the texts of all that have findings.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Set where `open` may not be.
    packed: Option<Arc<[u8]>>,
    open: OnceLock<TextBuffer>,
}

impl Kept {
    /// The text, packed.
    #[must_use]
    pub fn packed(text: &str) -> Self {
        if text.len() < WORTH_BYTES {
            return TextBuffer::new(text).into();
        }
        Self { packed: Some(compress_prepend_size(text.as_bytes()).into()), open: OnceLock::new() }
    }

    /// The text.
    #[must_use]
    pub fn into_buffer(self) -> TextBuffer {
        (*self).clone()
    }
}

impl Deref for Kept {
    type Target = TextBuffer;

    fn deref(&self) -> &TextBuffer {
        self.open.get_or_init(|| {
            // What was packed above can be read, and is text.
            let bytes = self.packed.as_deref().map(decompress_size_prepended);
            let text = bytes.and_then(Result::ok).and_then(|bytes| String::from_utf8(bytes).ok());
            TextBuffer::new(text.as_deref().unwrap_or_default())
        })
    }
}

impl From<TextBuffer> for Kept {
    fn from(text: TextBuffer) -> Self {
        Self { packed: None, open: OnceLock::from(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_it_was_and_takes_less_until_it_is_read() {
        for lines in [0, 1, 1_000, 100_000] {
            let text: String = (0..lines).map(|line| format!("  description: Grüße {line}\r\n")).collect();
            let kept = Kept::packed(&text);
            let packed = kept.packed.as_ref().map(|bytes| bytes.len());
            assert_eq!(packed.is_some(), text.len() >= WORTH_BYTES, "{lines}");
            assert!(packed.is_none_or(|packed| packed < text.len() / 2), "{packed:?} of {}", text.len());
            assert_eq!(kept.open.get().is_some(), packed.is_none());
            assert_eq!(kept.to_string(), text);
            assert_eq!(kept.into_buffer(), TextBuffer::new(&text));
        }
    }
}
