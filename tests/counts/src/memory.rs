//! The number of bytes that each part of the state of an open file takes.

use std::sync::LazyLock;

use ide::{AnalysisBasis, Settings, Surroundings};
use regex::Regex;
use text::TextBuffer;
use yaml::Tree;

use crate::measure::measured;

/// A part of the state, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldMemory {
    /// The name of the part.
    pub kind: String,
    /// Its size in bytes.
    pub bytes: i64,
}

/// The memory of an open file with `text`, by part; memory that two parts share is counted for the first.
#[must_use]
pub fn by_kind(text: &str) -> Vec<HeldMemory> {
    const SOURCE: &str = "file:///a.yaml";
    let mut all = Vec::new();
    let mut add = |kind: &str, bytes: i64| all.push(HeldMemory { kind: kind.to_owned(), bytes });
    let (rope, buffer) = measured(|| TextBuffer::new(text));
    add("text (rope)", rope.held);
    let (tree, parsed) = measured(|| Tree::parse(text));
    drop(parsed);
    add("tree", tree.held);
    let surroundings = Surroundings { source: SOURCE.into(), ..Surroundings::default() };
    let (whole, file) = measured(|| AnalysisBasis::new(text, &Settings::default()).complete(surroundings));
    let (definitions, own) = measured(|| file.definitions(SOURCE, &buffer));
    let surroundings = file.surroundings_with(file.surroundings().clone(), own.clone());
    let (again, file) = measured(|| file.in_surroundings(surroundings));
    let (grouped, shown) = measured(|| file.grouped());
    drop(shown);
    let mut tables: Vec<HeldMemory> = Vec::new();
    for (name, table) in file.take_caches() {
        let (freed, ()) = measured(|| drop(table));
        tables.push(HeldMemory { kind: format!("table {}", short_type_name(name)), bytes: -freed.held });
    }
    tables.sort_by_key(|table| -table.bytes);
    let in_tables: i64 = tables.iter().map(|table| table.bytes).sum();
    all.extend(tables);
    let mut add = |kind: &str, bytes: i64| all.push(HeldMemory { kind: kind.to_owned(), bytes });
    add("findings and reports", whole.held + definitions.held + again.held - tree.held - in_tables);
    add("findings as they are shown", grouped.held);
    all
}

/// The name of a type with one module before each name in it.
fn short_type_name(name: &str) -> String {
    static MODULES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:\w+::)+(\w+::\w+)").unwrap());
    MODULES.replace_all(name, "$1").into_owned()
}
