//! Patterns in the syntax of other languages, and their corrections.

/// The flags that JavaScript allows after the last slash.
const FLAGS: [char; 7] = ['d', 'g', 'i', 'm', 's', 'u', 'y'];

/// The classes of characters that a backslash and a letter name.
const CLASSES: [char; 6] = ['d', 'D', 's', 'S', 'w', 'W'];

/// The foreign syntax of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternSlip {
    /// Between slashes, as in JavaScript, with which it never matches.
    Slashes,
    /// With two backslashes before the letter of a class that has a quantifier.
    Escaped(char),
}

/// The foreign syntax of a pattern, and the intended pattern.
#[must_use]
pub fn pattern_slip(pattern: &str) -> Option<(PatternSlip, String)> {
    if let Some(inner) = between_slashes(pattern) {
        return Some((PatternSlip::Slashes, inner));
    }
    let mut classes = escaped_classes(pattern);
    if let Some(all) = doubled_backslashes(pattern) {
        classes = all;
    }
    let (_, class) = classes.first()?;
    let mut intended = pattern.to_owned();
    for (at, _) in classes.iter().rev() {
        intended.remove(*at);
    }
    Some((PatternSlip::Escaped(*class), intended))
}

/// The expression between slashes, if the first slash precedes `^` or the last one follows `$`.
fn between_slashes(pattern: &str) -> Option<String> {
    let (inner, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let ends = inner.ends_with('$') && !inner.ends_with("\\$");
    let is_between = inner.starts_with('^') || ends;
    if !is_between || !flags.chars().all(|flag| FLAGS.contains(&flag)) {
        return None;
    }
    let ignores_case = if flags.contains('i') { "(?i)" } else { "" };
    Some(format!("{ignores_case}{}", inner.replace("\\/", "/")))
}

/// The positions of two backslashes before the letter of a class with a quantifier, and the letter.
fn escaped_classes(pattern: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut chars = pattern.char_indices();
    while let Some((at, char)) = chars.next() {
        if char != '\\' {
            continue;
        }
        let mut after = chars.clone().map(|(_, char)| char);
        if let (Some('\\'), Some(class), Some('+' | '*' | '{')) = (after.next(), after.next(), after.next())
            && CLASSES.contains(&class)
        {
            found.push((at, class));
        }
        chars.next();
    }
    found
}

/// The backslashes of a pattern, each with the character behind it, if all of them are written twice, as in a text in double
/// quotes. One of them precedes a repeated class or a dot outside of brackets, so that they cannot be meant as backslashes.
fn doubled_backslashes(pattern: &str) -> Option<Vec<(usize, char)>> {
    const ESCAPED: &str = ".+*?()|^$-/{}";
    let (mut found, mut is_certain, mut in_brackets) = (Vec::new(), false, false);
    let mut chars = pattern.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        match char {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            '\\' => {
                chars.next_if(|(_, second)| *second == '\\')?;
                let (_, escaped) = *chars.peek()?;
                let is_class = CLASSES.contains(&escaped);
                let is_escape = is_class || ESCAPED.contains(escaped);
                is_escape.then_some(())?;
                chars.next();
                let is_repeated = matches!(chars.peek(), Some((_, '+' | '*' | '{')));
                is_certain |= !in_brackets && (is_class && is_repeated || escaped == '.');
                found.push((at, escaped));
            }
            _ => {}
        }
    }
    is_certain.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::pattern_slip;

    #[test]
    fn patterns_of_other_languages_become_re2_patterns() {
        for (written, intended) in [
            ("/^a$/", Some("^a$")),
            ("/^[a-z]+$/i", Some("(?i)^[a-z]+$")),
            (r"/^a\/b/", Some("^a/b")),
            ("/a$/", Some("a$")),
            (r"^\\d+\\w*$", Some(r"^\d+\w*$")),
            (r"^([0-9]+(\\.[0-9]+)?(s|m))$", Some(r"^([0-9]+(\.[0-9]+)?(s|m))$")),
            (r"^[\\w.-]+\\.\\d+$", Some(r"^[\w.-]+\.\d+$")),
            (r"^[^\\]+\\.x$", None),
            ("/a/", None),
            ("^/a/$", None),
            (r"/a\$/", None),
            ("/^a$/b", None),
            (r"^C:\\data$", None),
            (r"^\d+\\$", None),
        ] {
            assert_eq!(pattern_slip(written).map(|(_, intended)| intended).as_deref(), intended, "{written}");
        }
    }
}
