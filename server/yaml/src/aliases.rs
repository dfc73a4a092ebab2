//! Aliases that the API server's decoder rejects: unknown aliases, aliases within their own anchor, and too
//! many aliases.

use text::TextRange;

use crate::ast::{Document, Value, ValueKind};
use crate::reader::Reader;

/// Why the decoder rejects an alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AliasProblem {
    /// No such anchor precedes the alias.
    Unknown(String),
    /// The alias is inside the value that its anchor names.
    Cycle(String),
    /// Following all aliases makes the document far larger than its text.
    Excessive,
}

impl std::fmt::Display for AliasProblem {
    /// The decoder's own words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown anchor '{name}' referenced"),
            Self::Cycle(name) => write!(f, "anchor '{name}' value contains itself"),
            Self::Excessive => f.write_str("document contains excessive aliasing"),
        }
    }
}

/// The aliases of `document` that the decoder rejects. Free if the document has no aliases, and bounded in
/// time if aliases multiply.
#[must_use]
pub fn alias_problems(document: Document<'_>) -> Vec<(TextRange, AliasProblem)> {
    let Some(root) = document.root().filter(|_| document.syntax().node().flags().aliases) else {
        return Vec::new();
    };
    let reader = Reader::new(document);
    let mut problems = Vec::new();
    let mut pending = vec![root];
    while let Some(value) = pending.pop() {
        if let ValueKind::Alias(token) = value.kind() {
            let name = || token.text.trim_start_matches('*').to_owned();
            match reader.anchor(token) {
                Some(target) if target.range().contains_range(token.range()) => {
                    problems.push((token.range(), AliasProblem::Cycle(name())));
                }
                Some(_) => {}
                None if token.text.len() > 1 => problems.push((token.range(), AliasProblem::Unknown(name()))),
                // The missing name is a syntax error.
                None => {}
            }
        }
        children(value, &mut pending);
    }
    if problems.is_empty() {
        problems.extend(excess(root, &reader).map(|range| (range, AliasProblem::Excessive)));
    }
    problems
}

/// The alias at which go-yaml fails: it counts the values that it decodes, and how many of them are below an alias.
fn excess<'t>(root: Value<'t>, reader: &Reader<'t>) -> Option<TextRange> {
    let mut pending = vec![(root, None)];
    let mut found = Vec::new();
    let (mut decoded, mut aliased) = (0_u32, 0_u32);
    while let Some((value, below)) = pending.pop() {
        decoded += 1;
        aliased += u32::from(below.is_some());
        let many = aliased > 100 && decoded > 1_000;
        if many && f64::from(aliased) / f64::from(decoded) > allowed_share(decoded) {
            return below;
        }
        if let ValueKind::Alias(token) = value.kind() {
            let target = reader.anchor(token).filter(|target| !target.range().contains_range(token.range()));
            pending.extend(target.map(|target| (target, Some(below.unwrap_or(token.range())))));
        }
        children(value, &mut found);
        pending.extend(found.drain(..).rev().map(|child| (child, below)));
    }
    None
}

/// The share of values below aliases that go-yaml allows: 99 % of up to 400,000, 10 % of 4,000,000 and more.
fn allowed_share(decoded: u32) -> f64 {
    const FEW: f64 = 400_000.0;
    const MANY: f64 = 4_000_000.0;
    let over = (f64::from(decoded) - FEW) / (MANY - FEW);
    0.99 - 0.89 * over.clamp(0.0, 1.0)
}

fn children<'t>(value: Value<'t>, into: &mut Vec<Value<'t>>) {
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            into.extend(mapping.entries().flat_map(|entry| [entry.key(), entry.value()]));
        }
        ValueKind::Sequence(sequence) => into.extend(sequence.items().map(|item| item.value())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{Tree, alias_problems};

    fn problems(text: &str) -> Vec<String> {
        let tree = Tree::parse(text);
        let problems = tree.documents().flat_map(alias_problems);
        problems.map(|(range, problem)| format!("{}: {problem}", &text[range.as_usize()])).collect()
    }

    #[test]
    fn an_alias_needs_an_anchor_before_it() {
        assert_eq!(problems("a: *b\nb: &b 1\n"), ["*b: unknown anchor 'b' referenced"]);
        assert_eq!(problems("b: &b 1\na: *b\n"), Vec::<String>::new());
    }

    #[test]
    fn an_anchor_ends_with_its_document() {
        assert_eq!(problems("b: &b 1\n---\na: *b\n"), ["*b: unknown anchor 'b' referenced"]);
    }

    #[test]
    fn a_value_cannot_contain_itself() {
        assert_eq!(problems("a: &a\n  b: [*a]\n"), ["*a: anchor 'a' value contains itself"]);
    }

    #[test]
    fn an_alias_bomb_is_one_problem() {
        let mut text = "x0: &x0 {a: b}\n".to_owned();
        for level in 1..30 {
            let before = format!("*x{}, ", level - 1).repeat(9);
            text.push_str(&format!("x{level}: &x{level} [{before}]\n"));
        }
        assert_eq!(problems(&text).len(), 1);
        assert!(problems(&text)[0].ends_with("document contains excessive aliasing"));
    }

    #[test]
    fn a_hundred_uses_of_one_anchor_are_fine() {
        let text = format!("a: &a {{b: c}}\n{}", "x: *a\n".repeat(100));
        assert_eq!(problems(&text), Vec::<String>::new());
    }
}
