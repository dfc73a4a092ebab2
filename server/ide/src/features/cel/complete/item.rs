//! A proposal and the edit that it makes.

use std::borrow::Cow;

use text::{TextEdit, TextRange, TextSize};

use crate::features::cel::field_text::{FieldText, InsertedPiece};

/// The kind of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A field of an object.
    Field,
    /// A variable.
    Variable,
    /// A function.
    Function,
    /// A function that is called on a value.
    Method,
    /// A macro.
    Macro,
    /// A value.
    Value,
    /// A word of the language.
    Keyword,
    /// A whole object.
    Object,
    /// A whole expression.
    Expression,
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text in the list.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// Its type or signature, on one line.
    pub detail: String,
    /// The group that is shown beside the label, such as an API version; may be empty.
    pub belongs_to: String,
    /// Its description, as Markdown; may be empty.
    pub documentation: String,
    /// The range to replace, in bytes.
    pub range: TextRange,
    /// The replacement.
    pub text: String,
    /// The replacement as an LSP snippet, if it has places to fill in.
    pub snippet: Option<String>,
    /// The key by which proposals are sorted.
    pub sort: String,
    /// The text that the user types to find it, if it differs from the replacement.
    pub filter: Option<String>,
    /// Whether the editor should request proposals again after it.
    pub suggests_again: bool,
    /// Whether more text can be inserted once more of its name is typed.
    pub is_draft: bool,
    /// An edit before it that moves its line to the right column, or adds a missing character.
    pub indent: Option<TextEdit>,
}

/// The proposals under construction.
pub(super) struct ProposalList<'w> {
    written: &'w FieldText,
    offset: TextSize,
    /// The position of the cursor in the text of the scalar.
    at: usize,
    part: std::ops::Range<usize>,
    /// Whether a parenthesis follows the word.
    pub(super) is_called: bool,
    list: Vec<Completion>,
}

/// A proposal without its edit.
pub(super) struct ProposalDraft<'i> {
    pub(super) kind: CompletionKind,
    /// Lower ranks come first.
    pub(super) rank: u8,
    pub(super) label: &'i str,
    pub(super) detail: String,
    pub(super) documentation: String,
    pub(super) pieces: Vec<InsertedPiece>,
}

impl<'w> ProposalList<'w> {
    pub(super) fn new(written: &'w FieldText, offset: TextSize, at: usize) -> Self {
        Self { written, offset, at, part: at..at, is_called: false, list: Vec::new() }
    }

    /// Makes proposals replace this many bytes before and behind the cursor.
    pub(super) fn replace(&mut self, before: usize, behind: usize) {
        self.part = self.at.saturating_sub(before)..self.at + behind;
    }

    /// Makes proposals replace the whole text.
    pub(super) fn replace_all(&mut self) {
        self.part = 0..self.written.text.len();
    }

    pub(super) fn push(&mut self, item: ProposalDraft<'_>) {
        let is_whole = item.kind == CompletionKind::Expression;
        let text: String = item.pieces.iter().map(InsertedPiece::text).collect();
        let encoded = match self.written.whole_text(&text).filter(|_| is_whole) {
            Some(text) => Some(vec![InsertedPiece::Text(text.into())]),
            None => self.written.encode(&item.pieces, self.part.start),
        };
        let Some(mut pieces) = encoded else { return };
        let range = match self.part.is_empty() {
            true => TextRange::empty(self.offset),
            false => self.written.range(TextRange::new(self.part.start as u32, self.part.end as u32)),
        };
        if self.written.needs_blank(self.offset) {
            pieces.insert(0, InsertedPiece::Text(Cow::Borrowed(" ")));
        }
        let has_stops = pieces.iter().any(InsertedPiece::is_stop);
        let order = self.list.len();
        self.list.push(Completion {
            label: item.label.to_owned(),
            kind: item.kind,
            detail: item.detail,
            documentation: item.documentation,
            range,
            text: plain_text(&pieces),
            snippet: has_stops.then(|| snippet(&pieces)),
            sort: format!("{}{order:04}", item.rank),
            belongs_to: String::new(),
            filter: is_whole.then(|| format!("{} {text}", item.label)),
            suggests_again: false,
            is_draft: false,
            indent: None,
        });
    }

    pub(super) fn finish(mut self) -> Vec<Completion> {
        self.list.sort_by(|one, other| one.sort.cmp(&other.sort));
        self.list
    }
}

/// The text up to the first place to fill in.
pub(crate) fn plain_text(pieces: &[InsertedPiece]) -> String {
    let texts = pieces.iter().map_while(|piece| match piece {
        InsertedPiece::Text(text) => Some(text.as_ref()),
        InsertedPiece::Stop(_) | InsertedPiece::Place(..) => None,
    });
    texts.collect()
}

/// The text as an LSP snippet.
pub(crate) fn snippet(pieces: &[InsertedPiece]) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    let mut stops = 0;
    let mut out = String::new();
    for piece in pieces {
        let number = match piece {
            InsertedPiece::Text(text) => {
                out.push_str(&escaped(text));
                continue;
            }
            InsertedPiece::Stop(_) => {
                stops += 1;
                stops
            }
            InsertedPiece::Place(number, _) => *number,
        };
        match piece.text() {
            "" => out.push_str(&format!("${number}")),
            text => out.push_str(&format!("${{{number}:{}}}", escaped(text))),
        }
    }
    out
}

/// A call of `name` with places for its arguments; only the name if a parenthesis follows already.
pub(super) fn call(name: &'static str, params: &[&'static str], is_called: bool) -> Vec<InsertedPiece> {
    let mut pieces = vec![InsertedPiece::Text(name.into())];
    if is_called {
        return pieces;
    }
    if params.is_empty() {
        pieces.push(InsertedPiece::Text("()".into()));
        return pieces;
    }
    for (at, param) in params.iter().enumerate() {
        pieces.push(InsertedPiece::Text(if at == 0 { "(" } else { ", " }.into()));
        pieces.push(InsertedPiece::Stop((*param).into()));
    }
    pieces.push(InsertedPiece::Text(")".into()));
    pieces
}
