//! Lines that are written as another language or another tool writes them: with a line number, a bullet, another
//! separator, quotes around more than the value, or brackets. Each has a few rewrites as YAML, of which a proof
//! chooses one.

use std::ops::Range;

/// The bullets and dashes that are written for the `-` of an item.
const BULLETS: [&str; 11] = ["* ", "+ ", "– ", "— ", "• ", "-- ", "_ ", "- - ", "-. ", "> ", "= "];
/// The separators that are written for `:`, each before those that begin it.
const SEPARATORS: [&str; 15] =
    [": :", "::", ":=", "=:", "=>", "->", ":,", ":;", ";:", ".:", "：", "==", "- ", ". ", ", "];
/// Values that are written before the block of a key.
const BEFORE_BLOCKS: [&str; 11] = ["{", "[", "|", ">", "-", "{}", "[]", "null", "~", "\"\"", "''"];
/// The maximum number of digits of a line number.
const MOST_DIGITS: usize = 5;

/// A rewrite: the bytes of the line that it replaces, and their replacement.
pub(super) type Rewrite = (Range<usize>, String);

/// The rewrites of `line`, the likeliest first; `below` is the next line that is not blank.
pub(super) fn rewrites(line: &str, below: Option<&str>) -> Vec<Rewrite> {
    let line = line.trim_end();
    let start = text::indentation(line);
    let Some(content) = line.get(start..).filter(|content| !content.is_empty() && !content.starts_with('#'))
    else {
        return Vec::new();
    };
    let mut rewrites = without_number(line);
    let in_content = |(range, new): Rewrite| (range.start + start..range.end + start, new);
    let dash = if content.starts_with("- ") { 2 } else { 0 };
    let entry = content.get(dash..).unwrap_or_default();
    let in_entry = |(range, new): Rewrite| in_content((range.start + dash..range.end + dash, new));
    let is_above_block = below.is_some_and(|below| {
        let column = text::indentation(below);
        column > start || column == start && below.trim_start().starts_with("- ")
    });
    rewrites.extend(bullet(content).map(in_content));
    rewrites.extend(separator(entry).map(in_entry));
    rewrites.extend(before_block(entry).filter(|_| is_above_block).map(in_entry));
    rewrites.extend(without_quotes(entry).map(in_entry));
    rewrites.extend(without_brackets(entry).map(in_entry));
    rewrites.extend(other_bracket(entry).map(in_entry));
    rewrites.extend(without_dash(entry, below, start).filter(|_| dash == 0).map(in_content));
    rewrites
}

/// Removes the number of the line, alone or with the blank behind it.
fn without_number(line: &str) -> Vec<Rewrite> {
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = line.get(digits..).unwrap_or_default();
    let text = rest.strip_prefix([':', '|', '.', ')']).unwrap_or(rest);
    if !(1..=MOST_DIGITS).contains(&digits) || !text.starts_with(' ') || text.trim().is_empty() {
        return Vec::new();
    }
    let end = line.len() - text.len();
    vec![(0..end + 1, String::new()), (0..end, String::new())]
}

/// Replaces a bullet or a number with a dash.
fn bullet(content: &str) -> Option<Rewrite> {
    let written = BULLETS.iter().find(|bullet| content.starts_with(**bullet)).map(|bullet| bullet.len());
    let number = || {
        let digits = content.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let text = digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") "))?;
        (digits.len() < content.len()).then_some(content.len() - text.len())
    };
    Some((0..written.or_else(number)?, "- ".to_owned()))
}

/// Replaces another separator behind a key with `:`.
fn separator(entry: &str) -> Option<Rewrite> {
    let is_of_key = |letter: char| letter.is_ascii_alphanumeric() || "-_./$".contains(letter);
    let word = entry.len() - entry.trim_start_matches(is_of_key).len();
    let key = entry.get(..word)?;
    let key = match key.trim_end_matches(['.', '-', '_']) {
        // The arrow of another language begins with a dash.
        name if entry.get(word..)?.starts_with('>') => name,
        _ => key.strip_suffix(['.', '-', '_']).unwrap_or(key),
    };
    let rest = entry.get(key.len()..)?;
    let written = rest.trim_start();
    let is_sign = |sign: &&&str| written.starts_with(**sign) || written == sign.trim_end();
    let sign = SEPARATORS.iter().find(is_sign)?;
    let value = written.get(sign.len().min(written.len())..)?.trim_start();
    if key.is_empty() || !key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return None;
    }
    let new = if value.is_empty() { ":" } else { ": " };
    Some((key.len()..entry.len() - value.len(), new.to_owned()))
}

/// Removes a value or a bracket before a block.
fn before_block(entry: &str) -> Option<Rewrite> {
    let (key, value) = entry.split_once(": ")?;
    BEFORE_BLOCKS.contains(&value.trim()).then(|| (key.len() + 1..entry.len(), String::new()))
}

/// Removes quotes that are not those of a value.
fn without_quotes(entry: &str) -> Option<Rewrite> {
    let is_quote = |letter: char| matches!(letter, '"' | '\'' | '`');
    let quotes = entry.chars().filter(|letter| is_quote(*letter)).count();
    let text: String = entry.chars().filter(|letter| !is_quote(*letter)).collect();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./$: ".contains(letter);
    let is_odd = ['"', '\'', '`'].iter().any(|quote| entry.matches(*quote).count() % 2 == 1);
    let is_around_key = entry.starts_with(is_quote);
    let is_behind = entry.ends_with("\"\"") || entry.ends_with("''");
    // Text in Markdown has backquotes around some of its words.
    let is_word = entry.contains(": `") && entry.ends_with('`') && entry.split_whitespace().count() == 2;
    let is_wrong = is_around_key || is_behind || is_word || is_odd && !entry.contains('`');
    let signs: Vec<char> = entry.chars().collect();
    let is_apostrophe = |around: &[char]| matches!(around, [a, sign, b] if is_quote(*sign) && a.is_alphanumeric() && b.is_alphanumeric());
    if signs.windows(3).any(is_apostrophe) {
        return None;
    }
    let is_line = text.trim_end().ends_with(':') || text.contains(": ") || !text.contains(' ');
    (quotes > 0 && is_wrong && is_line && !text.is_empty() && text.chars().all(is_plain))
        .then_some((0..entry.len(), text))
}

/// Removes the braces around an entry, or the comma behind it.
fn without_brackets(entry: &str) -> Option<Rewrite> {
    let inner = entry.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    if let Some(inner) = inner.filter(|inner| !inner.contains(['{', '[', ','])) {
        return Some((0..entry.len(), inner.trim().to_owned()));
    }
    let is_entry = entry.starts_with('"') && entry.contains(':');
    (is_entry && entry.ends_with([',', ';'])).then(|| (entry.len() - 1..entry.len(), String::new()))
}

/// Replaces another bracket at the end of a value in braces or brackets.
fn other_bracket(entry: &str) -> Option<Rewrite> {
    let (_, value) = entry.split_once(": ")?;
    let (opening, closing) = match value.trim_start().chars().next()? {
        '{' => ('{', '}'),
        '[' => ('[', ']'),
        _ => return None,
    };
    let is_open = value.matches(opening).count() == value.matches(closing).count() + 1;
    let end = entry.len() - 1;
    (is_open && entry.ends_with([')', ']', '}', '>'])).then(|| (end..end + 1, closing.to_string()))
}

/// Adds the dash of an item whose other keys are below it.
fn without_dash(entry: &str, below: Option<&str>, start: usize) -> Option<Rewrite> {
    let has_value =
        entry.split_once(": ").is_some_and(|(key, value)| !key.contains(' ') && !value.is_empty());
    let is_above = below.is_some_and(|below| text::indentation(below) == start + 2 && below.contains(':'));
    (has_value && is_above).then(|| (0..0, "- ".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::rewrites;

    #[test]
    fn a_line_of_another_language_is_rewritten_as_yaml() {
        for (line, below, right) in [
            ("12:     kind: a", "", "    kind: a"),
            ("7     kind:", "", "    kind:"),
            ("114|   - name: a", "", "  - name: a"),
            ("  1. a", "", "  - a"),
            ("  -- name: a", "", "  - name: a"),
            ("  _ name: a", "", "  - name: a"),
            ("  kind:: a", "", "  kind: a"),
            ("  kind := a", "", "  kind: a"),
            ("  kind -> a", "", "  kind: a"),
            ("  kind=> a", "", "  kind: a"),
            ("  subresources. {}", "", "  subresources: {}"),
            ("  properties.", "    a: {}", "  properties:"),
            ("  - kind:, a", "", "  - kind: a"),
            ("  items: {", "    type: object", "  items:"),
            ("  items: -", "    type: object", "  items:"),
            ("  enum: []", "  - a", "  enum:"),
            ("  \"kind: a\"", "", "  kind: a"),
            ("  'properties\":", "", "  properties:"),
            ("  type: 'string\"", "", "  type: string"),
            ("  \"type\": \"string\",", "", "  \"type\": \"string\""),
            ("  {maxLength: 3}", "", "  maxLength: 3"),
            ("  items: {type: string)", "", "  items: {type: string}"),
            ("  enum: [A, B}", "", "  enum: [A, B]"),
            ("  name: a", "    kind: b", "  - name: a"),
        ] {
            let rewritten = rewrites(line, Some(below).filter(|below| !below.is_empty()));
            let texts: Vec<String> = rewritten
                .into_iter()
                .map(|(range, new)| {
                    let mut text = line.to_owned();
                    text.replace_range(range, &new);
                    text
                })
                .collect();
            assert!(texts.iter().any(|text| text == right), "{line}: {texts:?}");
        }
        for line in ["  kind: a", "  name: \"a b\"", "- a", "# 1. a", "", "  url: https://a", "  a: '1'"] {
            assert_eq!(rewrites(line, None), [], "{line}");
        }
    }
}
