use std::borrow::Cow;

use crate::scalar::{self, ResolveError, Resolved, ScalarStyle};
use crate::syntax::TokenRef;

/// A scalar with what its reading depends on.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'t> {
    pub(super) token: TokenRef<'t>,
    pub(super) style: ScalarStyle,
    pub(super) tag: Option<TokenRef<'t>>,
    pub(super) outer: i32,
}

impl<'t> Scalar<'t> {
    /// The token behind it: the text as it stands, quotes and block header included.
    #[must_use]
    pub fn token(self) -> TokenRef<'t> {
        self.token
    }

    /// How it is written.
    #[must_use]
    pub fn style(self) -> ScalarStyle {
        self.style
    }

    /// The column from which a block scalar counts its indentation; -1 at the top.
    #[must_use]
    pub fn outer_column(self) -> i32 {
        self.outer
    }

    /// The text that it stands for, without quotes, escapes and folding.
    #[must_use]
    pub fn text(self) -> Cow<'t, str> {
        scalar::decode(self.style, self.token.text, self.outer).text
    }

    /// Calls `visit` with that text, piece by piece, without putting it together.
    pub fn for_each_piece(self, visit: &mut dyn FnMut(&str)) {
        scalar::for_each_piece(self.style, self.token.text, self.outer, visit);
    }

    /// What the API server's decoder makes of it.
    ///
    /// # Errors
    /// Where the server refuses the scalar, as it does `.inf` and bad tags.
    pub fn resolve(self) -> Result<Resolved<'t>, ResolveError> {
        if self.is_own_text() {
            return Ok(Resolved::String(Cow::Borrowed(self.token.text)));
        }
        scalar::resolve(self.text(), self.style, self.tag.map(|tag| tag.text))
    }

    fn is_own_text(self) -> bool {
        self.style == ScalarStyle::Plain && self.tag.is_none() && scalar::is_own_text(self.token.text)
    }

    /// The text, if the API server reads a string here.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        match self.resolve() {
            Ok(Resolved::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether the API server reads a string here. Of most texts for people it costs no look at the text.
    #[must_use]
    pub fn is_string(self) -> bool {
        self.tag.is_none() && (self.style != ScalarStyle::Plain || scalar::is_text(self.token.text))
            || matches!(self.resolve(), Ok(Resolved::String(_)))
    }

    /// Whether the API server's decoder gives up at it, as it does at an unknown escape.
    #[must_use]
    pub fn is_broken(self) -> bool {
        scalar::has_errors(self.style, self.token.text, self.outer)
    }

    /// Whether it is the key `<<` that merges other mappings in.
    #[must_use]
    pub fn is_merge_key(self) -> bool {
        self.token.text.contains("<<")
            && scalar::is_merge_key(&self.text(), self.style, self.tag.map(|tag| tag.text))
    }

    /// The JSON key that it becomes; none for null and what the server refuses.
    #[must_use]
    pub fn key_text(self) -> Option<Cow<'t, str>> {
        if self.is_own_text() {
            return Some(Cow::Borrowed(self.token.text));
        }
        match scalar::resolve_key(self.text(), self.style, self.tag.map(|tag| tag.text)) {
            Ok(Resolved::String(text)) => Some(text),
            Ok(resolved) => scalar::key_text(&resolved).ok().map(|text| Cow::Owned(text.into_owned())),
            Err(_) => None,
        }
    }
}
