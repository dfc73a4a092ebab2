//! The titles in the code: all string literals with the form of a title.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Literal, TokenStream, TokenTree};

/// The places in the code that make titles.
const PLACES: [&str; 7] = [
    "fixes",
    "refactor",
    "migrate",
    "features/resources/defaults.rs",
    "analysis/compat/restore.rs",
    "analysis/unidentified.rs",
    "analysis/separated.rs",
];

/// Literals that look like titles but are not: text for a schema, and the title of a plan without changes.
const NO_TITLES: [&str; 2] = ["TODO: describe {}", "Repair {}"];

/// A title with placeholders `{}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Title(pub(crate) String);

impl Title {
    /// Whether `title` begins with this title.
    pub(crate) fn begins(&self, title: &str) -> bool {
        let mut pieces = self.0.split("{}");
        let Some(mut rest) = pieces.next().and_then(|first| title.strip_prefix(first)) else { return false };
        for piece in pieces {
            let Some(at) = rest.find(piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        true
    }

    /// The length of the fixed text.
    fn weight(&self) -> usize {
        self.0.replace("{}", "").len()
    }

    /// The most specific of `titles` for `title`.
    pub(crate) fn most_specific<'a>(titles: &'a [Self], title: &str) -> Option<&'a Self> {
        titles.iter().filter(|one| one.begins(title)).max_by_key(|one| one.weight())
    }
}

/// All titles in the code.
pub(crate) fn titles() -> Vec<Title> {
    let mut titles = Vec::new();
    for place in PLACES {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(place), &mut |text| {
            let code = text.split("#[cfg(test)]").next().unwrap();
            literals(code.parse().unwrap(), &mut titles);
        });
    }
    titles.sort();
    titles.dedup();
    assert!(NO_TITLES.iter().all(|text| titles.contains(&Title((*text).to_owned()))));
    titles.retain(|title| !NO_TITLES.contains(&title.0.as_str()));
    titles
}

fn files(path: &PathBuf, read: &mut impl FnMut(&str)) {
    if path.is_file() {
        return read(&fs::read_to_string(path).unwrap());
    }
    // Unit tests in a separate file are as little part of the code as those at the end of a file.
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    for entry in entries.filter(|entry| !entry.ends_with("tests.rs")) {
        files(&entry, read);
    }
}

fn literals(tokens: TokenStream, titles: &mut Vec<Title>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => literals(group.stream(), titles),
            TokenTree::Literal(literal) => titles.extend(title(&literal)),
            _ => {}
        }
    }
}

/// The literal as a title, if it looks like one: it begins with a capital and has several words.
fn title(literal: &Literal) -> Option<Title> {
    let text = literal.to_string();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    if !text.starts_with(|char: char| char.is_ascii_uppercase()) || !text.contains(' ') {
        return None;
    }
    let mut title = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                // A continued line.
                Some('\n') => while chars.next_if(|char| char.is_whitespace()).is_some() {},
                escaped => title.extend(escaped),
            },
            '{' if chars.next_if_eq(&'{').is_some() => title.push('{'),
            '}' => {
                chars.next();
                title.push('}');
            }
            '{' => {
                while chars.next_if(|char| *char != '}').is_some() {}
                chars.next();
                title.push_str("{}");
            }
            char => title.push(char),
        }
    }
    Some(Title(title))
}
