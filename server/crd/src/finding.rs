//! A finding: what a check says, from the check to the protocol.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use api::{Code, Severity};
use text::{TextBuffer, TextRange, TextSize};

use crate::field_path::FieldPath;
use crate::message::Message;
use crate::report::{DocumentKind, Origin, ServerError};

/// One thing to say about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that says it.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, and what to do, for a person.
    pub message: Message,
    /// The token that is wrong, in bytes of the file: a forbidden key, a bad value, the key of what lacks something.
    pub range: TextRange,
    /// The place as the user wrote it; the root where there is none, as for a syntax error.
    pub field_path: FieldPath,
    /// Present exactly when kube-apiserver reports this on create.
    pub api_server: Option<ServerError>,
    /// Places that explain the finding.
    pub related: Vec<Related>,
}

impl Finding {
    /// The message, and on a line of its own what kube-apiserver reports in the words that kubectl prints, unless the
    /// message has them. A long answer is [cut](text::cut).
    #[must_use]
    pub fn with_answer(&self) -> String {
        let message = self.message.to_string();
        let answer = self.api_server.as_ref().map(ServerError::message);
        match answer.filter(|answer| !message.contains(answer.as_str())) {
            Some(answer) => format!("{message}\nkube-apiserver: {}", text::cut(&answer)),
            None => message,
        }
    }

    /// Shortens what would repeat a long list in each of many findings. What the server says stays whole.
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
        let mut shifted = self.clone();
        shifted.range = self.range.shifted(by);
        for related in shifted.related.iter_mut().filter(|related| related.elsewhere.is_none()) {
            related.range = related.range.shifted(by);
        }
        shifted
    }
}

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place, in bytes of the same text, or of `elsewhere`.
    pub range: TextRange,
    /// What it has to do with the finding.
    pub message: String,
    /// The text that the place is in, where it is another one.
    pub elsewhere: Option<Elsewhere>,
}

impl Related {
    /// A place in the same text.
    #[must_use]
    pub fn here(range: TextRange, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), elsewhere: None }
    }
}

/// A text that is read, or will be once a place in it is asked for.
pub trait OtherText: Send + Sync {
    /// The text, ready for places in it.
    fn buffer(&self) -> &TextBuffer;

    /// What `range` is made of, where the text is made of others: the name of that source, its text, and the place in it.
    fn origin(&self, range: TextRange) -> Option<(Arc<str>, TextBuffer, TextRange)> {
        let _ = range;
        None
    }

    /// Whether the text is made of others.
    fn is_made(&self) -> bool {
        false
    }
}

/// Another text. Two are equal when they are of the same source.
#[derive(Clone)]
pub struct Elsewhere {
    /// The name of the source.
    pub source: Arc<str>,
    text: Arc<dyn OtherText>,
}

impl Elsewhere {
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

    /// What `range` of it is made of, where it is made of another text; see [`OtherText::origin`].
    #[must_use]
    pub fn origin(&self, range: TextRange) -> Option<(Arc<str>, TextBuffer, TextRange)> {
        self.text.origin(range)
    }

    /// Whether its text is made of another one, to which [`Self::origin`] leads.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.text.is_made()
    }
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere").field("source", &self.source).finish_non_exhaustive()
    }
}

impl PartialEq for Elsewhere {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Elsewhere {}

/// The verdict on one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentReport {
    /// By range, then code.
    pub findings: Vec<Finding>,
    /// Whether the document is whole; others have no findings.
    pub origin: Origin,
    /// What it holds.
    pub kind: DocumentKind,
    /// Whether there are more findings than are listed.
    pub truncated: bool,
}
