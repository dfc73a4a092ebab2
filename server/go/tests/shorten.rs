//! Two texts of one definition have the same changes after most of their common parts are replaced.
#![allow(clippy::unwrap_used)]

use go::edits::{NodeChange, changes, shortened};
use go::json::Json;
use proptest::prelude::*;

fn json_of(text: &str) -> Option<Json> {
    let tree = yaml::Tree::parse(text);
    Json::decoded(&yaml::decode(tree.documents().next()?).ok()?.json.to_string()).ok()
}

fn changes_between(before: &str, after: &str) -> Option<Vec<NodeChange>> {
    let (before, after) = shortened(before, after);
    Some(changes(&json_of(&before)?, &json_of(&after)?))
}

/// A schema of some depth, with long values, lists and texts.
fn definition(properties: usize) -> String {
    let mut text = "spec:\n  versions:\n  - name: v1\n    schema:\n      properties:\n".to_owned();
    for at in 0..properties {
        text.push_str(&format!("        p{at}:\n          description: |-\n"));
        (0..9).for_each(|line| text.push_str(&format!("            line {line}: of p{at}\n")));
        text.push_str("          enum:\n");
        (0..9).for_each(|value| text.push_str(&format!("          - v{value}\n")));
        text.push_str("          properties:\n");
        (0..9)
            .for_each(|inner| text.push_str(&format!("            i{inner}:\n              type: string\n")));
        text.push_str("          required:\n          - i1\n          x-kubernetes-validations:\n");
        (0..9).for_each(|rule| {
            text.push_str(&format!("          - message: m{rule}\n            rule: self.i{rule}\n"))
        });
    }
    text
}

#[test]
fn text_far_from_a_change_is_not_read() {
    let before = definition(50);
    let after = before.replacen("rule: self.i3", "rule: has(self.i3)", 1);
    let (short, _) = shortened(&before, &after);
    assert!(short.lines().count() < 120, "{short}");
    let found = changes_between(&before, &after).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path.last().unwrap(), "rule");
    assert_eq!(changes_between(&before, &before), Some(Vec::new()));
}

/// Lines that continue a changed text are not read as another value.
#[test]
fn text_far_from_a_change_of_a_text_with_several_lines_is_not_read() {
    let text = definition(50).replace("rule: self.i3\n", "rule: 'self.i3 > 0\n              : true'\n");
    let after = text.replacen("rule: 'self.i3", "rule: 'self.j3", 1);
    let (short, _) = shortened(&text, &after);
    assert!(short.lines().count() < 120, "{} lines", short.lines().count());
    let found = changes_between(&text, &after).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].after, Some(Json::text("self.j3 > 0 : true")));
}

proptest! {
    /// Lines are removed, doubled or changed: the changes are those of the full texts.
    #[test]
    fn the_changes_equal_those_of_the_complete_texts(
        edits in prop::collection::vec((0..200usize, 0..5usize), 1..4),
    ) {
        let before = definition(3);
        let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
        for (at, what) in edits {
            let at = at % lines.len();
            let line = lines[at].clone();
            match what {
                0 => { lines.remove(at); }
                1 => lines.insert(at, line),
                2 => lines.insert(at, line.replace(|ch: char| ch.is_ascii_digit(), "x")),
                3 => lines[at] = line + "x",
                _ => lines.insert(at, format!("{}zz: 1", " ".repeat(line.len() - line.trim_start().len()))),
            }
        }
        let after: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let whole = json_of(&after).map(|after| changes(&json_of(&before).unwrap(), &after));
        prop_assert_eq!(changes_between(&before, &after), whole, "{}", after);
    }
}
