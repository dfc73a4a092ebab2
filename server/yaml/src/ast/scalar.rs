use std::borrow::Cow;

use crate::scalar::{self, ResolveError, ResolvedScalar, ScalarStyle};
use crate::syntax::TokenRef;

/// A scalar with everything that its interpretation depends on.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'t> {
    pub(super) token: TokenRef<'t>,
    pub(super) style: ScalarStyle,
    pub(super) tag: Option<TokenRef<'t>>,
    pub(super) outer: i32,
}

impl<'t> Scalar<'t> {
    /// The token of the scalar: the source text, with quotes and block header.
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

    /// The value of the scalar as text, without quotes, escapes and folding.
    #[must_use]
    pub fn text(self) -> Cow<'t, str> {
        scalar::decode(self.style, self.token.text, self.outer).text
    }

    /// Calls `visit` with each piece of that text, without allocating the whole.
    pub fn for_each_piece(self, visit: &mut dyn FnMut(&str)) {
        scalar::for_each_piece(self.style, self.token.text, self.outer, visit);
    }

    /// The value that the API server's decoder reads.
    ///
    /// # Errors
    /// If the server rejects the scalar, such as `.inf` or an unsupported tag.
    pub fn resolve(self) -> Result<ResolvedScalar<'t>, ResolveError> {
        if self.is_own_text() {
            return Ok(ResolvedScalar::String(Cow::Borrowed(self.token.text)));
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
            Ok(ResolvedScalar::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether the API server reads a string here. For most prose, the text need not be resolved.
    #[must_use]
    pub fn is_string(self) -> bool {
        self.tag.is_none() && (self.style != ScalarStyle::Plain || scalar::is_text(self.token.text))
            || matches!(self.resolve(), Ok(ResolvedScalar::String(_)))
    }

    /// Whether the API server's decoder fails at the scalar, for example at an unknown escape.
    #[must_use]
    pub fn is_broken(self) -> bool {
        scalar::has_errors(self.style, self.token.text, self.outer)
    }

    /// Whether the scalar is the key `<<`, which merges other mappings.
    #[must_use]
    pub fn is_merge_key(self) -> bool {
        self.token.text.contains("<<")
            && scalar::is_merge_key(&self.text(), self.style, self.tag.map(|tag| tag.text))
    }

    /// The JSON key that the scalar becomes; `None` for null and for a scalar that the server rejects.
    #[must_use]
    pub fn key_text(self) -> Option<Cow<'t, str>> {
        if self.is_own_text() {
            return Some(Cow::Borrowed(self.token.text));
        }
        match scalar::resolve_key(self.text(), self.style, self.tag.map(|tag| tag.text)) {
            Ok(ResolvedScalar::String(text)) => Some(text),
            Ok(resolved) => scalar::key_text(&resolved).ok().map(|text| Cow::Owned(text.into_owned())),
            Err(_) => None,
        }
    }
}
