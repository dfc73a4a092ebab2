//! Plurals of kinds, as formed by the library that controller-gen uses.
//!
//! The tables beside this file are those of github.com/gobuffalo/flect v1.0.3 (MIT, Copyright (c) 2019 Mark Bates).

const WORDS: &str = include_str!("words.tsv");
const ENDINGS: &str = include_str!("endings.tsv");
const ACRONYMS: &str = include_str!("acronyms.txt");

/// A word with an irregular plural.
struct Word {
    singular: &'static str,
    plural: &'static str,
    other: &'static str,
    /// Its plural does not lead back to this singular.
    one_way: bool,
    /// It does not apply at the end of another word.
    alone: bool,
}

fn rows(table: &'static str) -> impl DoubleEndedIterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

fn irregular_words() -> impl DoubleEndedIterator<Item = Word> {
    rows(WORDS).filter_map(|row| {
        let mut columns = row.split('\t');
        let (singular, plural, other) = (columns.next()?, columns.next()?, columns.next()?);
        let flags = columns.next()?;
        Some(Word { singular, plural, other, one_way: flags.contains('u'), alone: flags.contains('x') })
    })
}

fn is_acronym(text: &str) -> bool {
    let upper = text.to_uppercase();
    rows(ACRONYMS).any(|acronym| acronym == upper)
}

/// The default plural of a kind in controller-gen, in lowercase: `Policy` becomes `policies`.
#[must_use]
pub fn of_kind(kind: &str) -> String {
    pluralized(kind).to_lowercase()
}

fn pluralized(name: &str) -> String {
    let Some(last) = last_part(name) else { return String::new() };
    let singular = |word: &str| irregular_words().find(|known| known.singular == word);
    let is_plural = |word: &str| {
        irregular_words().any(|known| !known.one_way && (known.plural == word || known.other == word))
    };
    if let Some(word) = singular(name) {
        return word.plural.to_owned();
    }
    let lower = last.to_lowercase();
    if is_plural(name) || is_plural(&lower) {
        return name.to_owned();
    }
    let replaced = |by: &str| format!("{}{by}", name.strip_suffix(&*last).unwrap_or(name));
    if let Some(word) = singular(&lower) {
        return replaced(&if last.starts_with(char::is_uppercase) {
            text::capitalized(word.plural)
        } else {
            word.plural.to_owned()
        });
    }
    let endings = rows(ENDINGS).filter_map(|row| row.split_once('\t'));
    let rules = irregular_words()
        .rev()
        .filter(|word| !word.alone)
        .map(|word| (word.singular, word.plural))
        .chain(endings);
    for (ending, plural) in rules {
        if last.ends_with(plural) {
            return replaced(&last);
        }
        if let Some(stem) = last.strip_suffix(ending) {
            return replaced(&format!("{stem}{plural}"));
        }
    }
    if lower.ends_with('s') { name.to_owned() } else { format!("{name}s") }
}

/// The last word of a name in camel case; acronyms are in uppercase.
fn last_part(name: &str) -> Option<String> {
    if is_acronym(name) {
        return Some(name.to_uppercase());
    }
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    let mut was_upper = false;
    for ch in name.chars() {
        let begins = ch.is_uppercase() && (!was_upper || is_acronym(&part)) || is_blank(ch);
        if begins {
            add(&mut parts, &part);
            part.clear();
        }
        part.push(ch);
        was_upper = ch.is_uppercase();
    }
    add(&mut parts, &part);
    parts.pop()
}

fn is_blank(ch: char) -> bool {
    ch.is_whitespace() || matches!(ch, '_' | ':' | '-' | '/')
}

fn add(parts: &mut Vec<String>, part: &str) {
    let part = part.trim_matches(is_blank);
    if part.is_empty() {
        return;
    }
    parts.push(if is_acronym(part) { part.to_uppercase() } else { part.to_owned() });
}

#[cfg(test)]
mod tests {
    use super::of_kind;

    #[test]
    fn the_last_word_determines_the_plural() {
        assert_eq!(of_kind("Thing"), "things");
        assert_eq!(of_kind("NetworkPolicy"), "networkpolicies");
        assert_eq!(of_kind("DatabaseStatus"), "databasestatuses");
        assert_eq!(of_kind("BookIndex"), "bookindices");
        assert_eq!(of_kind("German"), "germen");
    }
}
