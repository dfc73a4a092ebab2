//! Scalars: from the source text of one scalar to the value the API server makes of it.
//!
//! Two steps, each a pure function. [`decode`] removes quotes, escapes, folds and indentation, and
//! [`OffsetMap`] relates the bytes before and after. [`resolve`] then determines the type of the decoded text,
//! and [`to_json`] and [`key_text`] convert the result to JSON.
//!
//! The API server reads YAML with `sigs.k8s.io/yaml` over go-yaml v2, which implements YAML 1.1 with
//! deviations. Where that differs from YAML 1.2, go-yaml takes precedence: `y` is a boolean, `0o7` and `07`
//! are octal, a NEL breaks a line, `"\/"` is an error.

mod base64;
mod block;
mod breaks;
mod decode;
mod float;
mod json;
mod key;
mod mapping;
mod number;
mod quoted;
mod resolve;
mod tag;
mod timestamp;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use decode::{DecodedScalar, ScalarError, ScalarStyle, decode, for_each_piece, has_errors};
pub use json::to_json;
pub use key::{KeyError, go_quote, go_syntax, is_merge_key, is_printable, key_text};
pub use mapping::OffsetMap;
pub use resolve::{ResolveError, ResolvedScalar, resolve, resolve_key};
pub(crate) use resolve::{is_own_text, is_string_on_line, is_text};
pub(crate) use tag::unescape as unescape_tag;
