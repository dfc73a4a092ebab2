//! Tags of fields.

use std::ops::{Not as _, Range};

use super::{Span, Tag};
use crate::strings::unquoted;

impl Tag {
    /// Whether it is a raw string, in which positions of the text and the file correspond.
    #[must_use]
    pub fn is_raw(&self) -> bool {
        (self.span.end - self.span.start) as usize == self.text.len() + 2
    }

    /// The position of a part of its text, if it is a raw string.
    #[must_use]
    pub fn part(&self, start: usize, len: usize) -> Span {
        let start = self.span.start + 1 + start as u32;
        Span { start, end: (start + len as u32).min(self.span.end) }
    }
}

/// The value of the key `json` in a tag, as `reflect.StructTag` finds it, and its range in the tag's text, in bytes.
#[must_use]
pub fn json_tag(tag: &str) -> Option<(String, Range<usize>)> {
    let (_, quoted) = pairs(tag).map_while(Result::ok).find(|(name, _)| *name == "json")?;
    let value = unquoted(tag.get(quoted.clone())?)?;
    Some((value, quoted.start + 1..quoted.end - 1))
}

/// Whether a tag contains anything but keys with values and blanks between them, which gopls reports.
#[must_use]
pub fn is_malformed(tag: &str) -> bool {
    pairs(tag).any(|pair| {
        pair.is_ok_and(|(name, quoted)| {
            let before = quoted.start.checked_sub(name.len() + 1).and_then(|start| tag.get(..start));
            before.is_some_and(|before| before.is_empty() || before.ends_with(' '))
        })
        .not()
    })
}

/// A separator instead of a blank before a key of a tag, and the key: Go reads both as the key.
#[must_use]
pub fn mark_between(tag: &str) -> Option<(Range<usize>, &str)> {
    pairs(tag).map_while(Result::ok).find_map(|(name, quoted)| {
        let key = name.trim_start_matches([',', ';', '|']);
        let start = quoted.start.checked_sub(1 + name.len())?;
        (start > 0 && !key.is_empty() && key.len() < name.len())
            .then(|| (start..start + name.len() - key.len(), key))
    })
}

/// The second key `json` with its value. Go reads only the first one.
#[must_use]
pub fn second_json(tag: &str) -> Option<Range<usize>> {
    let mut of_json = pairs(tag).map_while(Result::ok).filter(|(name, _)| *name == "json");
    let (name, quoted) = of_json.nth(1)?;
    Some(quoted.start.checked_sub(1 + name.len())?..quoted.end)
}

/// Whether `json` is in a key of a tag, or in malformed text that is meant as one.
#[must_use]
pub fn names_json(tag: &str) -> bool {
    let contains = |text: &str| text.as_bytes().windows(KEY.len()).any(|part| part.eq_ignore_ascii_case(KEY));
    let mut end = 0;
    pairs(tag).any(|pair| match pair {
        Ok((name, quoted)) => {
            end = quoted.end;
            contains(name)
        }
        Err(MalformedTag) => contains(tag.get(end..).unwrap_or_default()),
    })
}

const KEY: &[u8] = b"json";

/// Text that is not a key with a quoted value.
struct MalformedTag;

/// The keys of a tag, each with the bytes of its value including the quotes. Malformed text ends the sequence.
fn pairs(tag: &str) -> impl Iterator<Item = Result<(&str, Range<usize>), MalformedTag>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = tag.get(at..).unwrap_or("").trim_start_matches(' ');
        if rest.is_empty() {
            return None;
        }
        let start = tag.len() - rest.len();
        let pair = pair(rest);
        at = pair.as_ref().map_or(tag.len(), |(_, quoted)| start + quoted.end);
        let pair = pair.map(|(name, quoted)| (name, start + quoted.start..start + quoted.end));
        Some(pair.ok_or(MalformedTag))
    })
}

/// The key at the start of a text, and the bytes of its quoted value.
fn pair(text: &str) -> Option<(&str, Range<usize>)> {
    let name_len =
        text.bytes().take_while(|byte| *byte > b' ' && !matches!(byte, b':' | b'"' | 0x7f)).count();
    let name = text.get(..name_len).filter(|name| !name.is_empty())?;
    let quoted = text.get(name_len..)?.strip_prefix(':').filter(|quoted| quoted.starts_with('"'))?;
    let mut escaped = false;
    let end = quoted.bytes().enumerate().skip(1).find_map(|(end, byte)| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends.then_some(end)
    })?;
    let start = name_len + 1;
    Some((name, start..start + end + 1))
}

#[cfg(test)]
mod tests {
    use super::{is_malformed, json_tag, mark_between, names_json, second_json};

    #[test]
    fn the_key_is_found_among_others() {
        let tag = r#"yaml:"x" json:"a,omitempty" protobuf:"1""#;
        let (value, range) = json_tag(tag).unwrap_or_default();
        assert_eq!((&*value, &tag[range]), ("a,omitempty", "a,omitempty"));
        assert_eq!(json_tag("json: \"a\""), None);
        assert_eq!(json_tag(""), None);
    }

    #[test]
    fn unread_marks_and_keys_are_found() {
        for (tag, range, key) in
            [(r#"json:"a",yaml:"b""#, 8..9, "yaml"), (r#"yaml:"b";json:"a""#, 8..9, "json")]
        {
            assert_eq!(mark_between(tag), Some((range, key)), "{tag}");
        }
        for tag in [r#"json:"a" yaml:"b""#, r#"json:"a,b""#, r#",json:"a""#, "json:\"a\","] {
            assert_eq!(mark_between(tag), None, "{tag}");
        }
        assert_eq!(second_json(r#"json:"a" json:"b""#), Some(9..17));
        assert_eq!(second_json(r#"json:"a" yaml:"b""#), None);
    }

    #[test]
    fn the_value_of_another_key_does_not_name_json() {
        for tag in ["json", "json:a", "JSON:\"a\"", "yaml:\"a\",json:\"b\"", "yaml:\"a\" json=\"b\""] {
            assert!(names_json(tag), "{tag}");
        }
        for tag in ["", "yaml:\"json-fields,omitempty\"", "yaml:\"json\" toml:\"a\""] {
            assert!(!names_json(tag), "{tag}");
        }
    }

    #[test]
    fn a_tag_is_malformed_from_its_first_mistake_on() {
        for tag in ["json:a", "json: \"a\"", "json:\"a", "json", "yaml:\"a\",json:\"b\"", ":\"a\""] {
            assert!(is_malformed(tag), "{tag}");
        }
        for tag in ["", " ", "json:\"a\"", "yaml:\"a\"  json:\"b\" "] {
            assert!(!is_malformed(tag), "{tag}");
        }
    }
}
