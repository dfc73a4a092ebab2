//! Places of a generation in the current texts of the Go files.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crd::{OtherText, SourcePlace};
use ide::{OtherSource, RelatedInformation};
use text::{TextBuffer, TextRange};

use super::{GeneratedDefinitions, Shift};

/// The text of a Go file.
struct SourceText(TextBuffer);

impl OtherText for SourceText {
    fn buffer(&self) -> &TextBuffer {
        &self.0
    }
}

/// The current text of a Go file.
struct CurrentText {
    /// The name of the file in messages.
    name: Arc<str>,
    buffer: TextBuffer,
    /// The shift from the text of the generation.
    shift: Shift,
}

/// Finds places of Go. Each text is read once.
pub(crate) struct GoLocator<'g> {
    generated: &'g GeneratedDefinitions,
    /// Returns the text of an open file.
    open: &'g dyn Fn(&Path) -> Option<TextBuffer>,
    /// Returns the name of a file in messages.
    display_name: &'g dyn Fn(&Path) -> String,
    texts: RefCell<BTreeMap<PathBuf, CurrentText>>,
}

impl<'g> GoLocator<'g> {
    pub(crate) fn new(
        generated: &'g GeneratedDefinitions,
        open: &'g dyn Fn(&Path) -> Option<TextBuffer>,
        shown: &'g dyn Fn(&Path) -> String,
    ) -> Self {
        Self { generated, open, display_name: shown, texts: RefCell::default() }
    }

    /// The place of `range` in the current text of the Go file at `path`.
    pub(crate) fn locate(&self, path: &Path, range: TextRange) -> Option<SourcePlace> {
        let mut known = self.texts.borrow_mut();
        if !known.contains_key(path) {
            known.insert(path.to_owned(), self.read(path)?);
        }
        let CurrentText { name, buffer, shift } = known.get(path)?;
        Some(SourcePlace { source: Arc::clone(name), buffer: buffer.clone(), range: shift.range(range)? })
    }

    fn read(&self, path: &Path) -> Option<CurrentText> {
        let source = self.generated.outcome.source_at(path)?;
        let (buffer, now) = match (self.open)(path) {
            Some(open) => (open.clone(), Cow::Owned(open.to_string())),
            None => (TextBuffer::new(&source.text), Cow::Borrowed(&*source.text)),
        };
        let shift = Shift::between(&source.text, &now);
        Some(CurrentText { name: (self.display_name)(path).into(), buffer, shift })
    }

    /// A Go token as the related information of a finding, with the message `what`.
    pub(crate) fn related(&self, path: &Path, range: TextRange, what: &str) -> Option<RelatedInformation> {
        let SourcePlace { source, buffer, range } = self.locate(path, range)?;
        let elsewhere = Some(OtherSource::new(source, Arc::new(SourceText(buffer))));
        Some(RelatedInformation { range, message: what.to_owned(), elsewhere })
    }
}
