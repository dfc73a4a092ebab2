//! Layers: the dependencies between the crates, and between the modules of each crate, have no cycles.
//!
//! A module is one that `lib.rs` or `main.rs` declares; a module in `ROOMS` counts as its submodules. Code that needs
//! something from a higher layer moves it down, or gets it as an argument.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use regex::Regex;

/// The crates from the lowest to the highest: each may depend on those before it.
const CRATES: [&str; 12] =
    ["text", "memo", "api", "yaml", "cel", "crd", "cases", "ide", "answers", "go", "lsp", "web"];

/// Modules that only contain other modules.
const ROOMS: [&str; 2] = ["analysis", "features"];

fn server() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The paths in a tree of imports such as `a::{b, c::{self, d as e}}`, each with the name that it gets.
fn paths(tree: &str) -> Vec<(Vec<String>, String)> {
    let tokens = Regex::new(r"\{|\}|,|\*|\w+").unwrap();
    let tokens: Vec<&str> = tokens.find_iter(tree).map(|token| token.as_str()).collect();
    let mut found = Vec::new();
    let mut open: Vec<Vec<String>> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    let finish = |path: &mut Vec<String>, open: &[Vec<String>], found: &mut Vec<_>| {
        if path.len() > open.last().map_or(0, Vec::len) {
            found.push((path.clone(), path.last().cloned().unwrap_or_default()));
        }
        *path = open.last().cloned().unwrap_or_default();
    };
    while let Some(token) = tokens.next() {
        match token {
            "{" => open.push(path.clone()),
            "}" => {
                finish(&mut path, &open, &mut found);
                open.pop();
                path = open.last().cloned().unwrap_or_default();
            }
            "," => finish(&mut path, &open, &mut found),
            "as" => {
                let name = tokens.next().unwrap_or_default().to_owned();
                found.push((path.clone(), name));
                path = open.last().cloned().unwrap_or_default();
            }
            token => path.push(token.to_owned()),
        }
    }
    finish(&mut path, &open, &mut found);
    found
}

/// The code of a file without comments and tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = Regex::new(r"//[^\n]*").unwrap().replace_all(&text, "");
    let end = Regex::new(r"#\[cfg\(test\)\]\s*mod tests \{").unwrap().find(&text).map(|found| found.start());
    text[..end.unwrap_or(text.len())].to_owned()
}

/// The module to which a path from the root of a crate leads.
fn module(path: &[String], rooms: &[&str]) -> String {
    match path {
        [room, module, ..] if rooms.contains(&room.as_str()) => format!("{room}::{module}"),
        [module, ..] => module.clone(),
        [] => String::new(),
    }
}

/// The path of a file as a module.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> =
        path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// The modules of a crate that each module names, with a file that does so. Modules in `rooms` count separately.
fn modules_named(folder: &Path, rooms: &[&str]) -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let files: Vec<(PathBuf, PathBuf)> = sources(folder)
        .into_iter()
        .map(|path| (path.strip_prefix(folder).unwrap().to_owned(), path))
        .collect();
    let is_test = Regex::new(r"(^|/)\w*tests(/|\.rs)").unwrap();
    let modules: BTreeSet<String> = files.iter().map(|(path, _)| module(&parts(path), rooms)).collect();
    let root = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
    let import = Regex::new(r"(?m)^pub(?:\([^)]*\))? use ([^;]+);").unwrap();
    let root = code(&root.unwrap());
    // A name that the root re-exports belongs to its original module.
    let given_on: BTreeMap<String, String> = import
        .captures_iter(&root)
        .flat_map(|import| paths(&import[1]))
        .map(|(mut path, name)| {
            path.retain(|part| part != "crate");
            (name, module(&path, rooms))
        })
        .collect();
    let names = Regex::new(r"\buse ([^;]+);|\b((?:crate|super)(?:::\w+)+)").unwrap();
    let mut named: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for (path, place) in files.iter().filter(|(path, _)| !is_test.is_match(path.to_str().unwrap())) {
        let own = parts(path);
        let text = code(place);
        for found in names.captures_iter(&text) {
            let tree = found.get(1).or_else(|| found.get(2)).unwrap().as_str();
            for (mut used, _) in paths(tree) {
                let mut at = own.clone();
                let is_relative = used.first().is_some_and(|first| first == "super");
                while used.first().is_some_and(|first| first == "super") {
                    used.remove(0);
                    at.pop();
                }
                let is_own = used.first().is_some_and(|first| first == "crate");
                let used = match (is_relative, is_own) {
                    (true, _) => at.into_iter().chain(used).collect::<Vec<_>>(),
                    (_, true) => used.split_off(1),
                    _ => continue,
                };
                let Some(first) = used.first().cloned() else { continue };
                let used = module(&used, rooms);
                let other =
                    if modules.contains(&used) { &used } else { given_on.get(&first).unwrap_or(&used) };
                let own = module(&own, rooms);
                if modules.contains(other) && *other != own && !rooms.contains(&other.as_str()) {
                    named.entry(own).or_default().insert(other.clone(), path.clone());
                }
            }
        }
    }
    for root in ["lib", "main"].iter().chain(rooms) {
        named.remove(*root);
    }
    named
}

/// A cycle of modules that name each other, as a path back to the first of them.
fn cycle(named: &BTreeMap<String, BTreeMap<String, PathBuf>>) -> Option<Vec<String>> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in named.keys() {
        let mut way: Vec<(&str, Vec<&str>)> = vec![(start, below(named, start))];
        while let Some((_, next)) = way.last_mut() {
            let Some(next) = next.pop() else {
                done.extend(way.pop().map(|(name, _)| name));
                continue;
            };
            if let Some(at) = way.iter().position(|(name, _)| *name == next) {
                let cycle = way[at..].iter().map(|(name, _)| *name).chain([next]);
                let cycle: Vec<&str> = cycle.collect();
                let imports = cycle.windows(2).map(|pair| {
                    format!("`{}` names `{}` in {}", pair[0], pair[1], named[pair[0]][pair[1]].display())
                });
                return Some(imports.collect());
            }
            if !done.contains(next) {
                way.push((next, below(named, next)));
            }
        }
    }
    None
}

fn below<'n>(named: &'n BTreeMap<String, BTreeMap<String, PathBuf>>, of: &str) -> Vec<&'n str> {
    named.get(of).into_iter().flat_map(BTreeMap::keys).map(String::as_str).collect()
}

#[test]
fn no_modules_of_a_crate_name_each_other() {
    let cycles: Vec<String> = CRATES
        .iter()
        .flat_map(|name| [&[], &ROOMS[..]].map(|rooms| (name, rooms)))
        .filter_map(|(name, rooms)| {
            Some((name, cycle(&modules_named(&server().join(name).join("src"), rooms))?))
        })
        .map(|(name, cycle)| format!("server/{name}: {}", cycle.join(", ")))
        .collect();
    assert!(cycles.is_empty(), "{}", cycles.join("\n"));
}

#[test]
fn a_crate_names_lower_crates_only() {
    let dependency = Regex::new(r"(?m)^(\w+)\.workspace = true$").unwrap();
    for (at, name) in CRATES.iter().enumerate() {
        let manifest = fs::read_to_string(server().join(name).join("Cargo.toml")).unwrap();
        // Tests may depend on higher crates.
        let ends = manifest.find("[dev-dependencies]").unwrap_or(manifest.len());
        for found in dependency.captures_iter(&manifest[..ends]) {
            let place = CRATES.iter().position(|other| *other == &found[1]);
            assert!(place.is_none_or(|place| place < at), "server/{name} names {}", &found[1]);
        }
    }
}

#[test]
fn a_cycle_of_imports_is_found() {
    let file = PathBuf::from("a.rs");
    let mut named: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for (from, to) in [("a", "b"), ("b", "c"), ("a", "c")] {
        named.entry(from.to_owned()).or_default().insert(to.to_owned(), file.clone());
    }
    assert_eq!(cycle(&named), None);
    named.entry("c".to_owned()).or_default().insert("b".to_owned(), file);
    assert_eq!(
        cycle(&named),
        Some(vec!["`c` names `b` in a.rs".to_owned(), "`b` names `c` in a.rs".to_owned()])
    );
}

#[test]
fn trees_of_imports_are_read() {
    let of = |tree| paths(tree).into_iter().map(|(path, name)| format!("{} as {name}", path.join("::")));
    assert_eq!(of("crate::a::B").collect::<Vec<_>>(), ["crate::a::B as B"]);
    assert_eq!(
        of("crate::{a::{self, B as C}, D}").collect::<Vec<_>>(),
        ["crate::a::self as self", "crate::a::B as C", "crate::D as D"]
    );
}
