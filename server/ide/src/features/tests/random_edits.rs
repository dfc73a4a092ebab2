//! Random edits: no text causes a panic, and the answers are consistent.

use text::TextRange;
use yaml::Tree;

use super::folds::all_folds;
use crate::Symbol;
use crate::features::symbols::symbol;

const FIXTURES: [&str; 4] = [
    include_str!("../../../../../fixtures/first-light/widgets.yaml"),
    include_str!("../../../../../fixtures/editors/union.yaml"),
    include_str!("../../../../../fixtures/documents/litmus-6-int-or-string-all-of.yaml"),
    "%YAML 1.1\n---\r\n- &a {ключ: [*a, \"\\x41\", 'it''s'], ? b : !!str |2-\r\n   text\r\n\r\n...\n# 🙂\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n<<: [{spec: {}}, *x]\nspec: &s\n  versions:\n  - &v {name: v1, schema: {openAPIV3Schema: {items: [*v, {properties: {🙂: *s}}], default: {a: {b: *v}}}}}\n  - <<: *v\n    schema: *s\n",
];

/// Texts to insert: all that could change the meaning of the text around them.
const TYPED: [&str; 24] = [
    "\"", "'", "\n", "\r\n", "\t", " ", ":", ": ", "- ", "? ", "# ", "|", ">+2\n", "[", "]", "{", "}", ",",
    "&a ", "*a", "<<: *a\n", "---\n", "...\n", "🙂",
];

/// Random numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        text::floor_char_boundary(text, self.below(text.len() + 1))
    }

    fn edit(&mut self, text: &mut String) {
        let (one, other) = (self.boundary(text), self.boundary(text));
        match self.below(4) {
            0 => text.replace_range(
                one..text::ceil_char_boundary(text, (one + self.below(12)).min(text.len())),
                "",
            ),
            1 => {
                let moved = text[one.min(other)..one.max(other)].chars().take(80).collect::<String>();
                text.insert_str(one, &moved);
            }
            _ => text.insert_str(one, TYPED[self.below(TYPED.len())]),
        }
    }
}

fn check(text: &str) {
    let tree = Tree::parse(text);
    for offset in 0..text.len() as u32 + 3 {
        if let Some(hover) = crate::features::hover::hover(&tree, offset) {
            assert!(
                hover.range.touches(offset) && hover.range.end as usize <= text.len(),
                "{offset} in\n{text}"
            );
            assert!(
                text.get(hover.range.as_usize()).is_some() && !hover.markdown.is_empty(),
                "{offset} in\n{text}"
            );
        }
    }
    for symbol in tree.documents().map(symbol) {
        check_symbol(&symbol, text);
    }
    let folds = all_folds(&tree);
    assert!(
        folds.is_sorted_by_key(|fold| (fold.range.start, std::cmp::Reverse(fold.range.end))),
        "{folds:?} in\n{text}"
    );
    for fold in &folds {
        let folded = text.get(fold.range.as_usize()).expect("within the text, at characters");
        assert!(folded.starts_with(['\n', '\r', ' ', '\t']), "{folded:?} in\n{text}");
    }
    for pair in folds.windows(2) {
        assert_ne!(pair[0].range, pair[1].range, "in\n{text}");
    }
}

fn check_symbol(symbol: &Symbol<TextRange>, text: &str) {
    assert!(text.get(symbol.range.as_usize()).is_some(), "{symbol:?} in\n{text}");
    assert!(symbol.range.contains_range(symbol.selection), "{symbol:?} in\n{text}");
    for child in &symbol.children {
        assert!(!child.name.trim().is_empty(), "{child:?} in\n{text}");
        assert!(symbol.range.contains_range(child.range), "{child:?} of {symbol:?} in\n{text}");
        check_symbol(child, text);
    }
}

#[test]
fn the_fixtures_as_they_are() {
    FIXTURES.iter().for_each(|text| check(text));
}

#[test]
fn the_fixtures_cut_anywhere() {
    for text in FIXTURES {
        for end in (0..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
            check(&text[..end]);
        }
    }
}

#[test]
fn the_fixtures_after_random_edits() {
    let mut random = Random(0x5eed_cafe);
    for round in 0..160 {
        let mut text = FIXTURES[round % FIXTURES.len()].to_owned();
        for _ in 0..1 + random.below(6) {
            random.edit(&mut text);
            check(&text);
        }
    }
}
