//! The time for large or hostile texts. The limits are far above the usual times, so that they also hold on
//! slow machines and in builds without optimisation.

use std::time::Duration;

use cpu_time::ThreadTime;
use text::PositionEncoding;
use yaml::Tree;

use super::definition;
use crate::{File, Settings, features};

#[path = "../../../../../tests/support/generated.rs"]
mod generated;

/// Checks the time for the outline and the folds, and the time for hovers at up to 100 places.
#[track_caller]
fn check(text: &str) {
    let tree = Tree::parse(text);
    let encoding = PositionEncoding::Utf16;
    let file = File::new(text, &Settings::default());
    let start = ThreadTime::now();
    let symbols = features::outline(&file, encoding, 10_000).0.len();
    let after_symbols = start.elapsed();
    let folds: usize = features::folded(&file, encoding).iter().map(|one| one.content.len()).sum();
    let all = start.elapsed();
    let hovers = (0..text.len()).step_by(text.len() / 100 + 1);
    let answered =
        hovers.filter(|offset| crate::features::hover::hover(&tree, *offset as u32).is_some()).count();
    let hovering = start.elapsed() - all;
    let figures = format!(
        "{} bytes: {symbols} documents in {after_symbols:?}, {folds} folds in {:?}, 100 hovers ({answered} answered) in {hovering:?}",
        text.len(),
        all - after_symbols
    );
    assert!(all < Duration::from_secs(5) && hovering < Duration::from_secs(5), "{figures}");
}

#[test]
fn a_bundle_of_75_000_lines() {
    check(&generated::bundle(75_000));
}

#[test]
fn many_properties_side_by_side() {
    let properties: String = (0..50_000).map(|number| format!("  p{number}: {{type: string}}\n")).collect();
    check(&definition(&format!("type: object\nproperties:\n{properties}")));
}

#[test]
fn one_property_within_another() {
    let nested: String =
        (0..90).map(|depth| format!("{0}properties:\n{0} p:\n", " ".repeat(2 * depth))).collect();
    check(&definition(&nested));
    check(&definition(&format!("items: {}", "{items: ".repeat(100_000))));
    let blocks: String = (0..395).map(|depth| format!("{}p:\n", " ".repeat(depth))).collect();
    let lists: String = (0..130)
        .map(|depth| format!("{0}p:\n{0}- q: 1\n{0}  p:\n{0}  - r:\n", "   ".repeat(depth)))
        .collect();
    for block in [blocks, lists] {
        check(&format!("{block}{}{}{}", " ".repeat(398), "{p: [".repeat(99), "]}".repeat(99)));
    }
    check(&"[".repeat(100_000));
    check(&"- ".repeat(100_000));
}

#[test]
fn aliases_that_multiply() {
    let mut schema = "type: object\nproperties:\n  l0: &l0 {type: string}\n".to_owned();
    for level in 1..60 {
        let below = level - 1;
        schema.push_str(&format!(
            "  l{level}: &l{level} {{<<: [*l{below}, *l{below}, *l{below}], items: *l{below}, type: array, additionalProperties: *l{below}, default: [*l{below}, *l{below}]}}\n"
        ));
    }
    check(&definition(&schema));
}

#[test]
fn many_aliases_of_one_large_mapping() {
    let keys: String = (0..20_000).map(|number| format!("    x{number}: y\n")).collect();
    let aliases: String =
        (0..20_000).map(|number| format!("  p{number}: {{<<: *big, items: *big}}\n")).collect();
    check(&definition(&format!("type: object\nproperties:\n  big: &big\n{keys}{aliases}")));
}

#[test]
fn one_line_without_end() {
    check(&definition(&format!("description: {}\n", "word ".repeat(400_000))));
    check(&format!("a: [{}]{}\n# x", "{b: [\n], c: d}, ".repeat(20_000), " ".repeat(100_000)));
}
