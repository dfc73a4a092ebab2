//! Any scalar of any style: decoding, resolving and mapping stay within bounds.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use yaml::scalar::{Mapping, ScalarStyle, decode, resolve, to_json};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    style: u8,
    outer: i8,
    tag: Option<&'a str>,
    raw: &'a str,
}

const STYLES: [ScalarStyle; 5] = [
    ScalarStyle::Plain,
    ScalarStyle::SingleQuoted,
    ScalarStyle::DoubleQuoted,
    ScalarStyle::Literal,
    ScalarStyle::Folded,
];

fuzz_target!(|input: Input<'_>| {
    let style = STYLES[usize::from(input.style) % STYLES.len()];
    let outer = i32::from(input.outer).max(-1);
    let decoded = decode(style, input.raw, outer);
    let mapping = Mapping::new(style, input.raw, outer);
    for (at, _) in decoded.text.char_indices() {
        let raw = mapping.to_raw(at);
        assert!(input.raw.is_char_boundary(raw), "{at} maps to {raw}");
    }
    if let Ok(resolved) = resolve(decoded.text, style, input.tag) {
        to_json(&resolved);
    }
});
