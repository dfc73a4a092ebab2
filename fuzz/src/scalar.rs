//! Any scalar of any style: decoding, resolving and mapping stay within bounds.

use yaml::scalar::{OffsetMap, ScalarStyle, decode, resolve, to_json};

use super::{head, pieces};

const STYLES: [ScalarStyle; 5] = [
    ScalarStyle::Plain,
    ScalarStyle::SingleQuoted,
    ScalarStyle::DoubleQuoted,
    ScalarStyle::Literal,
    ScalarStyle::Folded,
];

/// A piece contains the column of the enclosing block plus one, and a tag. Every style is tried with each piece.
pub fn run(data: &[u8]) {
    let (raw, readings) = pieces(data);
    let none: &[u8] = &[];
    for piece in std::iter::once(none).chain(readings) {
        let ([outer], tag) = head(piece);
        let outer = outer as i32 - 1;
        for style in STYLES {
            let decoded = decode(style, &raw, outer);
            let mapping = OffsetMap::new(style, &raw, outer);
            for (at, _) in decoded.text.char_indices() {
                let at_raw = mapping.to_raw(at);
                assert!(raw.is_char_boundary(at_raw), "{at} maps to {at_raw}");
            }
            let tag = (!tag.is_empty()).then_some(tag.as_ref());
            if let Ok(resolved) = resolve(decoded.text, style, tag) {
                let _ = to_json(&resolved);
            }
        }
    }
}
