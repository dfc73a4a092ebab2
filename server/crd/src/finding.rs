//! Findings: the results of checks, from the check to the protocol.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use api::{Code, Severity};
use text::{TextBuffer, TextRange, TextSize};

use crate::field_path::FieldPath;
use crate::message::Message;
use crate::report::{Completeness, DocumentKind, ServerError};

/// A finding on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that was violated.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The problem and the remedy, for a user.
    pub message: Message,
    /// The range of the finding, in bytes of the file: a forbidden key, a wrong value, or the key of an
    /// object with a missing field.
    pub range: TextRange,
    /// The path as the user wrote it; the root if there is none, as for a syntax error.
    pub field_path: FieldPath,
    /// The server's error, if kube-apiserver reports it on create.
    pub api_server: Option<ServerError>,
    /// Places that explain the finding.
    pub related: Vec<RelatedInformation>,
}

impl Finding {
    /// A finding on the text itself: it has no path, and kube-apiserver does not report it.
    #[must_use]
    pub fn of_text(code: Code, severity: Severity, range: TextRange, message: Message) -> Self {
        Self {
            code,
            severity,
            message,
            range,
            field_path: FieldPath::root(),
            api_server: None,
            related: Vec::new(),
        }
    }

    /// The message and, on a separate line, kube-apiserver's error as kubectl prints it, unless the message
    /// contains it. A long error is [cut](text::cut).
    #[must_use]
    pub fn with_answer(&self) -> String {
        let message = self.message.to_string();
        let answer = self.api_server.as_ref().map(ServerError::message);
        match answer.filter(|answer| !message.contains(answer.as_str())) {
            Some(answer) => format!("{message}\nkube-apiserver: {}", text::cut(&answer)),
            None => message,
        }
    }

    /// Shortens long lists, which many findings may repeat. The server's error is not shortened.
    pub fn cut(&mut self) {
        self.message.cut();
        for related in &mut self.related {
            if let Cow::Owned(short) = text::cut(&related.message) {
                related.message = short;
            }
        }
    }

    /// The finding moved `by` bytes towards the end.
    #[must_use]
    pub fn shifted(&self, by: TextSize) -> Self {
        self.moved(|range| range.shifted(by))
    }

    /// The finding with the ranges in its text replaced by those that `to` returns.
    #[must_use]
    pub fn moved(&self, to: impl Fn(TextRange) -> TextRange) -> Self {
        let mut moved = self.clone();
        moved.range = to(self.range);
        for related in moved.related.iter_mut().filter(|related| related.elsewhere.is_none()) {
            related.range = to(related.range);
        }
        moved
    }
}

/// A related place of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedInformation {
    /// The place, in bytes of the same text, or of `elsewhere`.
    pub range: TextRange,
    /// Its relation to the finding.
    pub message: String,
    /// The text that contains the place, if it is not the text of the finding.
    pub elsewhere: Option<OtherSource>,
}

impl RelatedInformation {
    /// A place in the same text.
    #[must_use]
    pub fn here(range: TextRange, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), elsewhere: None }
    }
}

/// A place in a source.
#[derive(Clone, Debug)]
pub struct SourcePlace {
    /// The name of the source.
    pub source: Arc<str>,
    /// The text of the source.
    pub buffer: TextBuffer,
    /// The range in the text.
    pub range: TextRange,
}

/// A text that is already read, or is read when a place in it is requested.
pub trait OtherText: Send + Sync {
    /// The text, prepared for looking up positions.
    fn buffer(&self) -> &TextBuffer;

    /// The place from which `range` is generated, if the text is generated from others.
    fn origin(&self, range: TextRange) -> Option<SourcePlace> {
        let _ = range;
        None
    }

    /// Whether the text is generated from others.
    fn is_made(&self) -> bool {
        false
    }
}

/// Another text. Two are equal if they have the same source.
#[derive(Clone)]
pub struct OtherSource {
    /// The name of the source.
    pub source: Arc<str>,
    text: Arc<dyn OtherText>,
}

impl OtherSource {
    /// The text of `source`.
    #[must_use]
    pub fn new(source: Arc<str>, text: Arc<dyn OtherText>) -> Self {
        Self { source, text }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &TextBuffer {
        self.text.buffer()
    }

    /// The place from which `range` is generated, if the text is generated; see [`OtherText::origin`].
    #[must_use]
    pub fn origin(&self, range: TextRange) -> Option<SourcePlace> {
        self.text.origin(range)
    }

    /// Whether the text is generated from another one, which [`Self::origin`] returns.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.text.is_made()
    }
}

impl fmt::Debug for OtherSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere").field("source", &self.source).finish_non_exhaustive()
    }
}

impl PartialEq for OtherSource {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for OtherSource {}

/// The verdict on one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentReport {
    /// By range, then code.
    pub findings: Vec<Finding>,
    /// Whether the document is whole; others have no findings.
    pub origin: Completeness,
    /// The kind of the document.
    pub kind: DocumentKind,
    /// Whether some findings are not listed.
    pub truncated: bool,
}
