//! Tags of fields.

use crate::strings::unquoted;

/// The value of the key `json` in a tag, as `reflect.StructTag` finds it, with where it stands in the tag's text, in bytes.
#[must_use]
pub fn json_tag(tag: &str) -> Option<(String, std::ops::Range<usize>)> {
    let mut at = 0;
    loop {
        let rest = tag.get(at..)?;
        at += rest.len() - rest.trim_start_matches(' ').len();
        let rest = tag.get(at..)?;
        let name_len =
            rest.bytes().take_while(|byte| *byte > b' ' && !matches!(byte, b':' | b'"' | 0x7f)).count();
        let name = rest.get(..name_len)?;
        if name.is_empty() || !rest.get(name_len..)?.starts_with(":\"") {
            return None;
        }
        let quoted_start = at + name_len + 1;
        let quoted = tag.get(quoted_start..)?;
        let mut escaped = false;
        let end = quoted.bytes().enumerate().skip(1).find_map(|(end, byte)| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends.then_some(end)
        })?;
        if name == "json" {
            let value = unquoted(quoted.get(..=end)?)?;
            return Some((value, quoted_start + 1..quoted_start + end));
        }
        at = quoted_start + end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::json_tag;

    #[test]
    fn the_key_is_found_among_others() {
        let tag = r#"yaml:"x" json:"a,omitempty" protobuf:"1""#;
        let (value, range) = json_tag(tag).unwrap_or_default();
        assert_eq!((&*value, &tag[range]), ("a,omitempty", "a,omitempty"));
        assert_eq!(json_tag("json: \"a\""), None);
        assert_eq!(json_tag(""), None);
    }
}
