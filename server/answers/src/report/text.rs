//! The text of a report, which may be read again when the report is shown: many reports are held until all files are checked.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use ide::Load;
use text::TextBuffer;

/// The text of a report.
#[derive(Clone)]
pub struct ReportText {
    buffer: OnceLock<TextBuffer>,
    load: Option<Load>,
}

impl ReportText {
    /// A text that `load` reads when it is shown. If the file has changed since, places are those of the text that was checked.
    #[must_use]
    pub fn late(load: Load) -> Self {
        Self { buffer: OnceLock::new(), load: Some(load) }
    }
}

impl From<TextBuffer> for ReportText {
    fn from(buffer: TextBuffer) -> Self {
        Self { buffer: OnceLock::from(buffer), load: None }
    }
}

impl Deref for ReportText {
    type Target = TextBuffer;

    fn deref(&self) -> &TextBuffer {
        self.buffer.get_or_init(|| {
            let text = self.load.as_ref().and_then(|load| load()).unwrap_or_default();
            TextBuffer::new(&text)
        })
    }
}

impl fmt::Debug for ReportText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReportText").field("is_held", &self.buffer.get().is_some()).finish()
    }
}
