use std::sync::{Arc, OnceLock};

use crd::{OtherSource, OtherText, SourcePlace};
use text::{TextBuffer, TextRange};

use crate::{Load, ParsedText};

/// A text for looking up positions, or the means to read it.
#[derive(Clone)]
pub(crate) enum SourceText {
    Buffer(TextBuffer),
    Parsed(ParsedText),
    /// Read again when it is needed.
    OnDemand(Load, Arc<OnceLock<TextBuffer>>),
    /// Generated from other texts.
    Generated(Arc<dyn OtherText>),
}

impl SourceText {
    /// The text as a part of `source`, for findings.
    pub(crate) fn into_other_source(self, source: &Arc<str>) -> OtherSource {
        OtherSource::new(Arc::clone(source), Arc::new(self))
    }
}

impl std::fmt::Debug for SourceText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceText").finish_non_exhaustive()
    }
}

impl OtherText for SourceText {
    fn buffer(&self) -> &TextBuffer {
        match self {
            Self::Buffer(buffer) => buffer,
            Self::Parsed(parsed) => parsed.buffer(),
            Self::OnDemand(load, buffer) => {
                buffer.get_or_init(|| TextBuffer::new(&load().unwrap_or_default()))
            }
            Self::Generated(generated) => generated.buffer(),
        }
    }

    fn origin(&self, range: TextRange) -> Option<SourcePlace> {
        if let Self::Generated(generated) = self { generated.origin(range) } else { None }
    }

    fn is_made(&self) -> bool {
        matches!(self, Self::Generated(_))
    }
}
