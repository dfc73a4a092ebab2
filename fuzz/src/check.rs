//! Any text after the head of a definition: findings, fixes and features stay within the text, and fixing terminates.

use ide::{File, Settings};
use text::TextRange;

use super::pieces;

const HEAD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: a.b\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n";

pub fn run(data: &[u8]) {
    let (schema, _) = pieces(data);
    let settings = Settings::default();
    let mut text = format!("{HEAD}{schema}");
    for _ in 0..4 {
        let file = File::new(&text, &settings);
        for finding in file.findings() {
            assert!(text.get(finding.range.as_usize()).is_some(), "{finding:?}");
        }
        let _ = file.fixes(TextRange::new(0, text.len() as u32));
        let _ = file.outline(text::PositionEncoding::Utf16, 1_000);
        let _ = file.folds(text::PositionEncoding::Utf16);
        for offset in (0..text.len() as u32).step_by(7) {
            let _ = file.hover(offset);
        }
        let edits = file.fix_all();
        assert!(edits.is_sorted_by(|one, other| one.range.end <= other.range.start), "{edits:?}");
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        if edits.is_empty() {
            break;
        }
    }
}
