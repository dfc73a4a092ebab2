//! Files with the ending `.json` whose text is YAML in braces, but not JSON: a comma before a closing bracket,
//! comments, and words without double quotes. kube-apiserver reads them; other tools and earlier releases of
//! kubectl reject them.

use std::borrow::Cow;

use api::Code;
use crd::Message;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use super::scan::{lenient_tokens, number_in_json};
use super::{HEAD, MOST_BYTES, MOST_SLIPS, is_blank};
use crate::analysis::fix::Title;
use crate::analysis::text_at::text_of;
use crate::{Finding, Severity, Surroundings};

/// The maximum number of characters of a text that a message or a title repeats.
const MOST_SHOWN: usize = 40;

/// The quotes of word processors.
pub(super) const CURLY: [char; 3] = ['“', '”', '„'];

/// A part of the text that is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NonJsonToken {
    kind: LenientToken,
    pub(crate) range: TextRange,
    /// The text of `range`.
    written: String,
    /// The text that JSON has in its place.
    pub(crate) edit: TextEdit,
}

/// A part of a text that is YAML in braces, but not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LenientToken {
    /// From `#` to the end of the line.
    Comment,
    /// Before a closing bracket.
    Comma,
    /// Text in single or curly quotes, or without quotes.
    Text,
    /// With a sign, a zero or a point that JSON does not have there.
    Number,
}

impl NonJsonToken {
    /// Such parts of `document`, if its file has the ending of JSON and the other parts are JSON.
    pub(crate) fn all(document: Document<'_>, surroundings: &Surroundings) -> Vec<Self> {
        let whole = document.range();
        let is_json = surroundings.source.ends_with(".json") && whole.len() <= MOST_BYTES;
        let head =
            || text_of(document.syntax(), TextRange::new(whole.start, whole.end.min(whole.start + HEAD)));
        if !is_json || !head().trim_start_matches(is_blank).starts_with('{') {
            return Vec::new();
        }
        let text = document.syntax().text();
        let tokens = lenient_tokens(&text).unwrap_or_default();
        let at = |offset: usize| whole.start + offset as TextSize;
        let token = |(start, end, kind): (usize, usize, LenientToken)| {
            let written = text.get(start..end)?;
            let range = TextRange::new(at(start), at(end));
            let (replaced, new) = match kind {
                LenientToken::Comma => (range, String::new()),
                LenientToken::Comment => {
                    let before = text.get(..start)?.trim_end_matches([' ', '\t']);
                    let start = if before.ends_with('\n') { before.len() - 1 } else { before.len() };
                    (TextRange::new(at(start), at(end)), String::new())
                }
                LenientToken::Text => (range, in_json(written)?),
                LenientToken::Number => (range, number_in_json(written).to_owned()),
            };
            let edit = TextEdit::replace(replaced, new);
            Some(Self { kind, range, written: written.to_owned(), edit })
        };
        let mut found: Vec<Self> = Vec::new();
        for token in tokens.into_iter().take(2 * MOST_SLIPS).filter_map(token) {
            match found.last_mut() {
                Some(key) if key.is_followed_by(&token, &text, whole.start) => key.add_value(&token),
                _ => found.push(token),
            }
        }
        found.truncate(MOST_SLIPS);
        found
    }

    /// Whether `value` is the value of this key.
    fn is_followed_by(&self, value: &Self, text: &str, start: TextSize) -> bool {
        let between = (self.range.end - start) as usize..(value.range.start - start) as usize;
        text.get(between).is_some_and(|between| between.trim() == ":") && value.kind != LenientToken::Comment
    }

    fn add_value(&mut self, value: &Self) {
        self.range = TextRange::new(self.range.start, value.range.end);
        self.written = format!("{}: {}", self.written, value.written);
        self.edit = TextEdit::replace(self.range, format!("{}: {}", self.edit.new_text, value.edit.new_text));
    }

    pub(crate) fn finding(&self) -> Finding {
        let message = match self.kind {
            LenientToken::Comment => Message::new("JSON has no comments").advise("remove this"),
            LenientToken::Comma => {
                Message::new("JSON has no `,` before a closing bracket").advise("remove it")
            }
            LenientToken::Text | LenientToken::Number => {
                let (written, new) = self.shown();
                Message::new(format!("`{written}` is YAML, but not JSON")).advise(format!("write `{new}`"))
            }
        };
        Finding::of_text(Code::YamlSyntax, Severity::Warning, self.range, message)
    }

    pub(crate) fn title(&self) -> Title {
        match self.kind {
            LenientToken::Comment => Title::removal("the comment"),
            LenientToken::Comma => Title::removal("the extra `,`"),
            LenientToken::Text | LenientToken::Number => {
                let (written, new) = self.shown();
                format!("Replace `{written}` with `{new}`").into()
            }
        }
    }

    /// The written text and its replacement, not longer than a message repeats them.
    fn shown(&self) -> (Cow<'_, str>, Cow<'_, str>) {
        (text::start(&self.written, MOST_SHOWN), text::start(&self.edit.new_text, MOST_SHOWN))
    }
}

/// The value or key `written`, as JSON writes it; `None` if it is an escape that only YAML has.
fn in_json(written: &str) -> Option<String> {
    let single = written.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    if let Some(text) = written.strip_prefix(CURLY).and_then(|text| text.strip_suffix(CURLY)) {
        return Some(format!("\"{text}\"")).filter(|_| !text.contains(['\\', '"']));
    }
    let (text, is_quoted) = match single {
        Some(text) => (text.replace("''", "'"), true),
        None => (written.to_owned(), false),
    };
    let lower = text.to_ascii_lowercase();
    Some(match lower.as_str() {
        "true" | "false" | "null" if !is_quoted => lower,
        _ if !text.contains(['\\', '"']) => format!("\"{text}\""),
        _ => return None,
    })
}
