//! Go's formatting of values.

use std::fmt::Write;

/// `%q` of a string: in double quotes, with Go's escapes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' '..='~' => out.push(character),
            '\0'..='\u{7f}' => drop(write!(out, "\\x{:02x}", u32::from(character))),
            _ if is_printable(character) => out.push(character),
            _ if u32::from(character) < 0x1_0000 => drop(write!(out, "\\u{:04x}", u32::from(character))),
            _ => drop(write!(out, "\\U{:08x}", u32::from(character))),
        }
    }
    out.push('"');
    out
}

/// Whether Go prints `character` without an escape. This uses the standard library's debug output, which
/// differs from Go only for characters that are newer than either's Unicode version.
fn is_printable(character: char) -> bool {
    // The preceding letter prevents the escaping of combining marks.
    let text: String = ['a', character].into_iter().collect();
    text.escape_debug().count() == 2
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(quoted("a\"b\\c\n\u{1}\u{7f}"), r#""a\"b\\c\n\x01\x7f""#);
        assert_eq!(
            quoted("größe\u{301} \u{a0}\u{200b}\u{e0001}"),
            "\"größe\u{301} \\u00a0\\u200b\\U000e0001\""
        );
    }
}
