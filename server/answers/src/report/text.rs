//! The text of a report. It may be read again when the report is shown, because many reports are held until
//! all files are checked.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use ide::Load;
use text::TextBuffer;

/// The text of a report.
#[derive(Clone)]
pub struct ReportText(ReportedText);

#[derive(Clone)]
enum ReportedText {
    Text(TextBuffer),
    Late(Load, LateTexts),
}

/// The cache of texts that are read when they are shown. It holds the last text, because a report is shown
/// finding by finding.
#[derive(Clone, Default)]
pub struct LateTexts {
    last: Arc<Mutex<Option<(Load, TextBuffer)>>>,
}

impl LateTexts {
    /// A text that `load` reads when it is shown. If the file has changed since the check, places refer to
    /// the checked text.
    #[must_use]
    pub fn text(&self, load: Load) -> ReportText {
        ReportText(ReportedText::Late(load, self.clone()))
    }

    fn read(&self, load: &Load) -> TextBuffer {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((of, text)) if Arc::ptr_eq(of, load) => text.clone(),
            _ => {
                let text = TextBuffer::new(&load().unwrap_or_default());
                *last = Some((Arc::clone(load), text.clone()));
                text
            }
        }
    }
}

impl ReportText {
    /// The text.
    #[must_use]
    pub fn get(&self) -> TextBuffer {
        match &self.0 {
            ReportedText::Text(text) => text.clone(),
            ReportedText::Late(load, texts) => texts.read(load),
        }
    }
}

impl From<TextBuffer> for ReportText {
    fn from(text: TextBuffer) -> Self {
        Self(ReportedText::Text(text))
    }
}

impl fmt::Debug for ReportText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReportText").field("is_held", &matches!(self.0, ReportedText::Text(_))).finish()
    }
}

impl fmt::Debug for LateTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LateTexts").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_late_text_is_read_once_and_dropped_with_the_next_report() {
        let reads = Arc::new(AtomicUsize::new(0));
        let load = |text: &'static str| -> Load {
            let reads = Arc::clone(&reads);
            Arc::new(move || {
                reads.fetch_add(1, Ordering::Relaxed);
                Some(text.to_owned())
            })
        };
        let texts = LateTexts::default();
        let (a, b) = (texts.text(load("a")), texts.text(load("b")));
        let shown = [&a, &a, &b, &b, &a].map(|report| report.get().to_string());
        assert_eq!(shown, ["a", "a", "b", "b", "a"]);
        assert_eq!(reads.load(Ordering::Relaxed), 3);
    }
}
