//! A proposal and the edit that it makes.

use std::borrow::Cow;

use text::{TextEdit, TextRange, TextSize};

use crate::features::cel::written::{Piece, Written};

/// What a proposal is.
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
    /// What is shown in the list.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type or signature, on one line.
    pub detail: String,
    /// What it belongs to, shown beside the label; may be empty.
    pub belongs_to: String,
    /// What it is, as Markdown; may be empty.
    pub documentation: String,
    /// What is replaced, in bytes.
    pub range: TextRange,
    /// What it is replaced by.
    pub text: String,
    /// The same as an LSP snippet, where there is something to fill in.
    pub snippet: Option<String>,
    /// Proposals are shown in the order of these.
    pub sort: String,
    /// What is typed to find it, where that is not what is inserted.
    pub filter: Option<String>,
    /// Whether there are proposals for what follows it.
    pub goes_on: bool,
    /// Whether there is more to insert once more of its name is typed.
    pub is_draft: bool,
    /// The edit before it that moves its line to the column where it belongs, or adds what is missing there.
    pub indent: Option<TextEdit>,
}

/// Proposals in the making.
pub(super) struct Items<'w> {
    written: &'w Written,
    offset: TextSize,
    /// The cursor in the text of the scalar.
    at: usize,
    part: std::ops::Range<usize>,
    /// Whether parentheses stand behind the word already.
    pub(super) is_called: bool,
    list: Vec<Completion>,
}

/// A proposal without its edit.
pub(super) struct Item<'i> {
    pub(super) kind: CompletionKind,
    /// Smaller ones come first.
    pub(super) rank: u8,
    pub(super) label: &'i str,
    pub(super) detail: String,
    pub(super) documentation: String,
    pub(super) pieces: Vec<Piece>,
}

impl<'w> Items<'w> {
    pub(super) fn new(written: &'w Written, offset: TextSize, at: usize) -> Self {
        Self { written, offset, at, part: at..at, is_called: false, list: Vec::new() }
    }

    /// Proposals stand in for so many bytes before and behind the cursor.
    pub(super) fn replace(&mut self, before: usize, behind: usize) {
        self.part = self.at.saturating_sub(before)..self.at + behind;
    }

    /// Proposals stand in for the whole text.
    pub(super) fn replace_all(&mut self) {
        self.part = 0..self.written.text.len();
    }

    pub(super) fn push(&mut self, item: Item<'_>) {
        let is_whole = item.kind == CompletionKind::Expression;
        let text: String = item.pieces.iter().map(Piece::text).collect();
        let encoded = match self.written.whole_text(&text).filter(|_| is_whole) {
            Some(text) => Some(vec![Piece::Text(text.into())]),
            None => self.written.encode(&item.pieces, self.part.start),
        };
        let Some(mut pieces) = encoded else { return };
        let range = match self.part.is_empty() {
            true => TextRange::empty(self.offset),
            false => self.written.range(TextRange::new(self.part.start as u32, self.part.end as u32)),
        };
        if self.written.needs_blank(self.offset) {
            pieces.insert(0, Piece::Text(Cow::Borrowed(" ")));
        }
        let has_stops = pieces.iter().any(Piece::is_stop);
        let order = self.list.len();
        self.list.push(Completion {
            label: item.label.to_owned(),
            kind: item.kind,
            detail: item.detail,
            documentation: item.documentation,
            range,
            text: plain(&pieces),
            snippet: has_stops.then(|| snippet(&pieces)),
            sort: format!("{}{order:04}", item.rank),
            belongs_to: String::new(),
            filter: is_whole.then(|| format!("{} {text}", item.label)),
            goes_on: false,
            is_draft: false,
            indent: None,
        });
    }

    pub(super) fn finish(mut self) -> Vec<Completion> {
        self.list.sort_by(|one, other| one.sort.cmp(&other.sort));
        self.list
    }
}

/// The text up to the first place that is to be filled in.
pub(crate) fn plain(pieces: &[Piece]) -> String {
    let texts = pieces.iter().map_while(|piece| match piece {
        Piece::Text(text) => Some(text.as_ref()),
        Piece::Stop(_) | Piece::Place(..) => None,
    });
    texts.collect()
}

/// The text as an LSP snippet.
pub(crate) fn snippet(pieces: &[Piece]) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    let mut stops = 0;
    let mut out = String::new();
    for piece in pieces {
        let number = match piece {
            Piece::Text(text) => {
                out.push_str(&escaped(text));
                continue;
            }
            Piece::Stop(_) => {
                stops += 1;
                stops
            }
            Piece::Place(number, _) => *number,
        };
        match piece.text() {
            "" => out.push_str(&format!("${number}")),
            text => out.push_str(&format!("${{{number}:{}}}", escaped(text))),
        }
    }
    out
}

/// A call of `name` with what is to be filled in; only the name where parentheses stand there already.
pub(super) fn call(name: &'static str, params: &[&'static str], is_called: bool) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(name.into())];
    if is_called {
        return pieces;
    }
    if params.is_empty() {
        pieces.push(Piece::Text("()".into()));
        return pieces;
    }
    for (at, param) in params.iter().enumerate() {
        pieces.push(Piece::Text(if at == 0 { "(" } else { ", " }.into()));
        pieces.push(Piece::Stop((*param).into()));
    }
    pieces.push(Piece::Text(")".into()));
    pieces
}
