use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use api::Code;
use text::{TextBuffer, TextEdit, TextRange, TextSize};

use crate::{Load, Parsed};

pub use crd::{AnswerKind, ErrorType, ServerError, Severity};

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

/// Another text.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// The name of the source.
    pub source: Arc<str>,
    text: OtherText,
}

/// A text that is ready for places in it, or will be.
#[derive(Clone)]
pub(crate) enum OtherText {
    Buffer(TextBuffer),
    Parsed(Parsed),
    /// Read anew.
    Late(Load, Arc<OnceLock<TextBuffer>>),
}

impl std::fmt::Debug for OtherText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OtherText").finish_non_exhaustive()
    }
}

impl OtherText {
    pub(crate) fn buffer(&self) -> &TextBuffer {
        match self {
            Self::Buffer(buffer) => buffer,
            Self::Parsed(parsed) => parsed.buffer(),
            Self::Late(load, buffer) => buffer.get_or_init(|| TextBuffer::new(&load().unwrap_or_default())),
        }
    }
}

impl Elsewhere {
    pub(crate) fn new(source: Arc<str>, text: OtherText) -> Self {
        Self { source, text }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &TextBuffer {
        self.text.buffer()
    }
}

impl PartialEq for Elsewhere {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Elsewhere {}

/// One thing to say about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The registered code, such as `structural/type-required`.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, for a person.
    pub message: String,
    /// Where, in bytes of the file.
    pub range: TextRange,
    /// The place as the user wrote it, such as `spec.versions[0].schema.openAPIV3Schema.type`; empty where
    /// there is none, as for a syntax error.
    pub field_path: String,
    /// Present exactly when kube-apiserver would say this on create.
    pub api_server: Option<ServerError>,
    /// Places that explain the finding.
    pub related: Vec<Related>,
}

impl Finding {
    /// Shortens what would repeat a long list in each of many findings. What the server says stays whole.
    pub(crate) fn cut(&mut self) {
        if let Cow::Owned(short) = crate::cut(&self.message) {
            self.message = short;
        }
        for related in &mut self.related {
            if let Cow::Owned(short) = crate::cut(&related.message) {
                related.message = short;
            }
        }
    }

    /// The message, and on a line of its own what kube-apiserver reports in the words that kubectl prints, unless the
    /// message has them. A long answer is [`cut`](crate::cut()).
    #[must_use]
    pub fn with_answer(&self) -> Cow<'_, str> {
        let answer = self.api_server.as_ref().map(ServerError::message);
        match answer.filter(|answer| !self.message.contains(answer.as_str())) {
            Some(answer) => Cow::Owned(format!("{}\nkube-apiserver: {}", self.message, crate::cut(&answer))),
            None => Cow::Borrowed(&self.message),
        }
    }

    /// The finding moved `by` bytes towards the end.
    pub(crate) fn shifted(&self, by: TextSize) -> Self {
        let mut shifted = self.clone();
        shifted.range = self.range.shifted(by);
        for related in shifted.related.iter_mut().filter(|related| related.elsewhere.is_none()) {
            related.range = related.range.shifted(by);
        }
        shifted
    }
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// Keeps the meaning that the author intended; fix-all and `--fix` apply it.
    Safe,
    /// Changes meaning or needs a choice; offered, never automatic.
    Suggested,
}

/// An edit that repairs one or more findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edit does, for a menu.
    pub title: String,
    /// The edits, in bytes of the text as it stands, sorted and without overlap.
    pub edits: Vec<TextEdit>,
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The codes and ranges of the findings that it repairs.
    pub repairs: Vec<(Code, TextRange)>,
}

impl Fix {
    /// One for a person to choose, which repairs the finding of that code and range.
    pub(crate) fn suggested(
        title: impl Into<String>,
        edits: Vec<TextEdit>,
        code: Code,
        range: TextRange,
    ) -> Self {
        Self {
            title: title.into(),
            edits,
            applicability: Applicability::Suggested,
            repairs: vec![(code, range)],
        }
    }
}
