//! The fields that a rule of a definition reads, according to its text. The result may have more fields than
//! the rule reads, never fewer.

use crd::Segment;
use crd::customresource::fields_read;
use text::{TextBuffer, TextRange};
use yaml::{Reader, Tree, Value};

/// The fields that a rule reads, relative to the value that it validates.
pub(super) struct RuleReads {
    /// The paths of fields, by their names. An empty path means the whole value.
    chains: Vec<Vec<String>>,
    /// The depth, in fields below that value, at which the rule reports its errors.
    pub(super) depth: usize,
}

impl RuleReads {
    /// Returns the fields that the CEL rule at `range` of a definition reads.
    pub(super) fn of_rule(definition: &TextBuffer, range: TextRange) -> Self {
        let text = definition.slice(range).into_owned();
        let everything = Self { chains: vec![Vec::new()], depth: 0 };
        // Further lines keep their columns, so the first line is indented to its column as well.
        let column = column_of(definition, range);
        let tree = Tree::parse(&format!("{}{text}", " ".repeat(column)));
        let Some(document) = tree.documents().next() else { return everything };
        let reader = Reader::new(document);
        let Some(item) = document.root().and_then(Value::as_mapping) else { return everything };
        let of = |key: &str| -> Option<String> {
            let scalar = reader.follow(reader.entry(item, key)?.value())?.as_scalar()?;
            scalar.as_str().map(|text| text.into_owned())
        };
        let Some(rule) = of("rule") else { return everything };
        let depth =
            of("fieldPath").map_or(0, |path| super::response_parts::path(path.trim_start_matches('.')).len());
        Self { chains: chains(&rule), depth }
    }

    /// Whether the rule reads the value at the end of `steps`.
    pub(super) fn reads(&self, steps: &[Segment]) -> bool {
        let names: Vec<&str> = steps.iter().filter_map(Segment::key).collect();
        self.chains.iter().any(|chain| chain.iter().zip(&names).all(|(one, other)| one == other))
    }
}

fn column_of(text: &TextBuffer, range: TextRange) -> usize {
    text.position(range.start, text::PositionEncoding::Utf8).character as usize
}

/// The field paths from `self` and `oldSelf` in an expression.
fn chains(expression: &str) -> Vec<Vec<String>> {
    ["self", "oldSelf"].iter().flat_map(|root| fields_read(root, expression)).collect()
}

#[cfg(test)]
mod tests {
    use crate::analysis::resources::reads::*;

    #[test]
    fn parents_and_children_of_a_read_field_count_as_read() {
        let chains = chains("self.a.b > 1");
        let reads = RuleReads { chains, depth: 0 };
        let of = |names: &[&'static str]| -> bool {
            let steps: Vec<Segment> = names.iter().map(|name| Segment::Name((*name).into())).collect();
            reads.reads(&steps)
        };
        assert_eq!(
            [of(&["a"]), of(&["a", "b", "c"]), of(&["a", "c"]), of(&["d"])],
            [true, true, false, false]
        );
    }

    #[test]
    fn a_rule_is_read_in_its_definition() {
        let text =
            "x:\n  - fieldPath: .a.b\n    message: self.no\n    rule: >-\n      self.a.b >\n      self.c\n";
        let start = text.find("fieldPath").unwrap_or_default() as u32;
        let reads = RuleReads::of_rule(&TextBuffer::new(text), TextRange::new(start, text.len() as u32));
        assert_eq!((reads.chains.len(), reads.depth), (2, 2));
    }
}
