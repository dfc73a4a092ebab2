use std::fmt::Write;

use yaml::Tree;

use super::definition;
use crate::{Symbol, features};

/// The outline of `text`, one symbol a line: name, detail, and what is selected where that differs from the name.
fn outline(text: &str) -> String {
    let mut out = String::new();
    print(&features::symbols(&Tree::parse(text)), text, 0, &mut out);
    out
}

fn print(symbols: &[Symbol], text: &str, depth: usize, out: &mut String) {
    for symbol in symbols {
        let Symbol { name, detail, kind, selection, .. } = symbol;
        let selected = &text[selection.as_usize()];
        let pad = "  ".repeat(depth);
        let detail = if detail.is_empty() { String::new() } else { format!(" = {detail}") };
        let selected = if selected == name { String::new() } else { format!(" @{selected:?}") };
        writeln!(out, "{pad}{name}{detail} ({kind:?}){selected}").expect("a string");
        print(&symbol.children, text, depth + 1, out);
    }
}

#[test]
fn x() {
    println!(
        "{}",
        outline(&definition(
            "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      ports: {type: array, items: {type: object, properties: {name: {type: string}}}}\n    anyOf:\n    - required: [a]\n    - type: string\nx-kubernetes-validations:\n- rule: self.a\n"
        ))
    );
    println!("{}", outline(&std::fs::read_to_string("../../fixtures/first-light/widgets.yaml").unwrap()));
}
