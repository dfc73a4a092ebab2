//! The string literals in source code.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of `folder` with `extension` that are not tests.
pub(crate) fn sources(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let is_test = |path: &PathBuf| {
        let below = path.strip_prefix(folder).unwrap();
        below.iter().any(|part| {
            Path::new(part)
                .file_stem()
                .and_then(|stem| stem.to_str())
                .is_some_and(|stem| stem.ends_with("tests"))
        })
    };
    all_files(folder, extension).into_iter().filter(|path| !is_test(path)).collect()
}

/// The files of `folder` with `extension`.
pub(crate) fn all_files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The string literals of Rust code, without those in the module of unit tests at its end.
pub(crate) fn of_rust(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut literals = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, found) = (&rest[..at], &rest[at..]);
        if found.starts_with("//") {
            rest = found.find('\n').map_or("", |end| &found[end..]);
        } else if let Some(opened) = found.strip_prefix('"') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let is_raw = before[..before.len() - hashes].ends_with('r');
            let end = if is_raw {
                opened.find(&format!("\"{}", "#".repeat(hashes))).map(|end| end + 1)
            } else {
                end_of_escaped(found, '"')
            };
            let Some(end) = end else { break };
            literals.push(joined_lines(&found[1..end]));
            rest = &found[end + 1..];
        } else {
            // A character literal may contain a quote; a lifetime has no closing quote.
            let length = ["'\"'", "'\\\"'", "'/'", "'\\''"].into_iter().find(|char| found.starts_with(char));
            rest = &found[length.map_or(1, str::len)..];
        }
    }
    literals
}

/// The strings in quotes or backquotes of TypeScript code.
pub(crate) fn of_typescript(code: &str) -> Vec<String> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    let code = lines.map(|line| line.split(" // ").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut literals = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find(['\'', '`']) {
        let found = &rest[at..];
        let quote = if found.starts_with('`') { '`' } else { '\'' };
        let Some(end) = end_of_escaped(found, quote) else { break };
        literals.push(found[1..end].to_owned());
        rest = &found[end + 1..];
    }
    literals
}

/// The end of the string that begins with `quote`.
fn end_of_escaped(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if char == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// A literal of several lines in the form that the program sees.
fn joined_lines(literal: &str) -> String {
    let mut lines = literal.split("\\\n");
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| text + line.trim_start())
}

/// The paragraphs of doc comments on fields and variants, which become the help of a command line.
pub(crate) fn doc_comments(code: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in code.lines() {
        match line.trim_start().strip_prefix("///") {
            Some(text) if !text.trim().is_empty() => {
                if let Some(paragraph) = paragraphs.last_mut() {
                    paragraph.push_str(text.trim());
                    paragraph.push(' ');
                }
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

#[test]
fn literals_are_extracted() {
    let code = "let a = \"one\\\n    two\"; // \"no\"\nlet b = '\"'; let c: &'a str = r#\"a \"raw\" text\"#;\nlet d = \"a \\\" b\";";
    assert_eq!(of_rust(code), ["onetwo", "a \"raw\" text", "a \\\" b"]);
    assert_eq!(of_typescript("show('a b', `c ${d}`); // 'no'\n// 'no'"), ["a b", "c ${d}"]);
}

/// The comments of Rust code that fill whole lines, each with the lines that continue it.
pub(crate) fn comments(code: &str) -> Vec<String> {
    let mut comments = Vec::new();
    let mut is_continued = false;
    for line in code.lines() {
        let Some(text) = line.trim_start().strip_prefix("//") else {
            is_continued = false;
            continue;
        };
        let text = text.trim_start_matches(['/', '!']).trim();
        match comments.last_mut().filter(|_| is_continued) {
            Some(comment) => *comment = format!("{comment} {text}"),
            None => comments.push(text.to_owned()),
        }
        is_continued = true;
    }
    comments
}

/// The names that `code` declares: functions, types, modules, constants and variables.
pub(crate) fn declared_names(code: &str) -> Vec<String> {
    const DECLARE: [&str; 10] =
        ["fn", "struct", "enum", "trait", "type", "mod", "const", "static", "let", "mut"];
    let is_in_name = |char: char| char.is_alphanumeric() || char == '_';
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words = lines.flat_map(|line| line.split(|char| !is_in_name(char)).filter(|word| !word.is_empty()));
    let words: Vec<&str> = words.collect();
    let pairs = words.windows(2).filter(|pair| DECLARE.contains(&pair[0]) && !DECLARE.contains(&pair[1]));
    pairs.map(|pair| pair[1].to_owned()).collect()
}

/// The names of the types and traits that Rust code declares: lines with the keyword first or behind `pub`.
pub(crate) fn declared_types(code: &str) -> Vec<String> {
    let declared = |line: &str| {
        let line = line.trim_start();
        let line = match line.strip_prefix("pub") {
            Some(rest) => rest.trim_start_matches(|char| char != ' ').trim_start(),
            None => line,
        };
        let (keyword, rest) = line.split_once(' ')?;
        let name: String = rest.chars().take_while(|char| char.is_alphanumeric()).collect();
        let is_go = rest.contains(" struct {") || keyword == "type" && !rest.contains('=');
        (["struct", "enum", "trait", "type"].contains(&keyword) && !is_go).then_some(name)
    };
    code.lines().filter_map(declared).collect()
}

/// The names of the modules that Rust code declares in other files.
pub(crate) fn declared_modules(code: &str) -> Vec<String> {
    let declared = |line: &str| {
        let (before, rest) = line.split_once("mod ")?;
        let name = rest.strip_suffix(';')?;
        (before.trim_start().is_empty() || before.starts_with("pub")).then(|| name.to_owned())
    };
    code.lines().filter_map(declared).collect()
}

#[test]
fn types_are_extracted() {
    let code = "pub(crate) struct A<'a> {\n    type B = u8;\ntype Go struct {\nenum C {\n// enum D\n";
    assert_eq!(declared_types(code), ["A", "B", "C"]);
    let code = "mod a;\npub(crate) mod b_c;\n// mod d;\nmod e {\n";
    assert_eq!(declared_modules(code), ["a", "b_c"]);
}

/// The words of a name in snake case or camel case, in lower case.
pub(crate) fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_lower = false;
    for char in name.chars() {
        if char == '_' || (char.is_uppercase() && is_lower) {
            words.push(String::new());
        }
        is_lower = char.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| char != '_') {
            word.extend(char.to_lowercase());
        }
    }
    words
}

#[test]
fn names_are_extracted_and_split() {
    let code =
        "// fn no()\npub fn a_long_name(x: u8) { let mut long = 1; }\nstruct GoLong;\nconst MOST: u8 = 1;";
    assert_eq!(declared_names(code), ["a_long_name", "long", "GoLong", "MOST"]);
    assert_eq!(words_of_name("GoLong"), ["go", "long"]);
    assert_eq!(words_of_name("a_long_name"), ["a", "long", "name"]);
    assert_eq!(words_of_name("MOST_LONG"), ["most", "long"]);
}
