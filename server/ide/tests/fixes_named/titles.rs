//! The titles in the code: all string literals with the form of a title, and those after a function or a variant
//! that adds the verb.

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

/// The functions of `Title` and the variants of `NodeChange` that add a verb, with the verb.
const VERBS: [(&str, &str); 7] = [
    ("rename", "Rename"),
    ("removal", "Remove"),
    ("removal_of_foreign_lines", "Remove"),
    ("declaration", "Declare"),
    ("Add", "Add"),
    ("Remove", "Remove"),
    ("RemoveFrom", "Remove"),
];

/// The types of these functions and variants.
const TYPES: [&str; 2] = ["Title", "NodeChange"];

/// Texts that look like titles but are not: text for a schema, the title of a plan without changes, and the forms in
/// which `NodeChange` writes its own texts.
const NO_TITLES: [&str; 5] =
    ["TODO: describe {}", "Repair {}", "Add {}", "Remove from", "Remove {} from {} in {}"];

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
    // The last two identifiers: the type and the function or variant.
    let mut path = [String::new(), String::new()];
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let [of, name] = &path;
                let verb =
                    VERBS.iter().find(|(function, _)| TYPES.contains(&of.as_str()) && function == name);
                match verb {
                    Some((_, verb)) => titles.extend(with_verb(verb, name, group.stream())),
                    None => literals(group.stream(), titles),
                }
                path = Default::default();
            }
            TokenTree::Literal(literal) => titles.extend(title(&literal)),
            TokenTree::Ident(name) => {
                path.swap(0, 1);
                path[1] = name.to_string();
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' => {}
            TokenTree::Punct(_) => path = Default::default(),
        }
    }
}

/// The title that `function` makes of `arguments`.
fn with_verb(verb: &str, function: &str, arguments: TokenStream) -> Option<Title> {
    let mut texts = Vec::new();
    all_texts(arguments, &mut texts);
    let mut texts = texts.into_iter();
    let what = texts.next()?;
    let part = if function == "RemoveFrom" {
        format!(" from {}", texts.next().unwrap_or_else(|| "{}".to_owned()))
    } else {
        String::new()
    };
    Some(Title(format!("{verb} {what}{part}")))
}

/// The string literals in `tokens`, with placeholders `{}`.
fn all_texts(tokens: TokenStream, texts: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => all_texts(group.stream(), texts),
            TokenTree::Literal(literal) => texts.extend(text(&literal)),
            _ => {}
        }
    }
}

/// The literal as a title, if it looks like one: it begins with a capital and has several words.
fn title(literal: &Literal) -> Option<Title> {
    let text = text(literal)?;
    (text.starts_with(|char: char| char.is_ascii_uppercase()) && text.contains(' ')).then_some(Title(text))
}

/// The text of a string literal with placeholders `{}`.
fn text(literal: &Literal) -> Option<String> {
    let text = literal.to_string();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut result = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                // A continued line.
                Some('\n') => while chars.next_if(|char| char.is_whitespace()).is_some() {},
                escaped => result.extend(escaped),
            },
            '{' if chars.next_if_eq(&'{').is_some() => result.push('{'),
            '}' => {
                chars.next();
                result.push('}');
            }
            '{' => {
                while chars.next_if(|char| *char != '}').is_some() {}
                chars.next();
                result.push_str("{}");
            }
            char => result.push(char),
        }
    }
    Some(result)
}
