//! Maps positions in a text to paths of values, and back: for definitions that are generated from other files.

use std::ops::Range;

use text::{TextRange, TextSize};
use yaml::scalar::OffsetMap;
use yaml::{Scalar, Tree, Value, ValueKind};

/// A value at a position in a text.
#[derive(Clone, Debug)]
pub struct PlaceOf {
    /// The start of its document.
    pub document: TextSize,
    /// The keys and indexes from the root of the document.
    pub steps: Vec<String>,
    /// Its key, if it has one.
    pub key: Option<TextRange>,
    /// The whole value.
    pub value: TextRange,
    /// Its text, if it is a scalar.
    pub scalar: Option<ScalarText>,
}

/// The text of a scalar, and the position of its bytes.
#[derive(Clone, Debug)]
pub struct ScalarText {
    /// The text.
    pub text: String,
    start: TextSize,
    mapping: OffsetMap,
}

impl ScalarText {
    pub(crate) fn of(scalar: Scalar<'_>) -> Self {
        let token = scalar.token();
        let mapping = OffsetMap::new(scalar.style(), token.text, scalar.outer_column());
        Self { text: scalar.text().into_owned(), start: token.range().start, mapping }
    }

    /// The offset in the file of the byte `at` of the text.
    #[must_use]
    pub fn to_file(&self, at: usize) -> TextSize {
        let raw = if at == 0 || at < self.text.len() {
            self.mapping.to_raw(at)
        } else {
            // The end of the last character, not of the scalar's closing quote.
            self.mapping.raw_range(at - 1..at).end
        };
        self.start + TextSize::try_from(raw).unwrap_or(TextSize::MAX)
    }

    /// The bytes of the text that are in `range` of the file.
    #[must_use]
    pub fn to_text(&self, range: TextRange) -> Range<usize> {
        let at = |offset: TextSize| {
            let raw = offset.saturating_sub(self.start) as usize;
            self.mapping.to_decoded(raw).min(self.text.len())
        };
        let start = at(range.start);
        start..at(range.end).max(start)
    }
}

/// The innermost value at `offset`, or the one whose key is there.
pub(crate) fn place_at(tree: &Tree, offset: TextSize) -> Option<PlaceOf> {
    let document = tree.documents().find(|document| document.range().touches(offset))?;
    let mut place = PlaceOf {
        document: document.range().start,
        steps: Vec::new(),
        key: None,
        value: document.range(),
        scalar: None,
    };
    let mut value = document.root()?;
    loop {
        place.value = value.range();
        place.scalar = value.as_scalar().map(ScalarText::of);
        let at = TextRange::empty(offset);
        let next = match value.kind() {
            ValueKind::Mapping(mapping) => mapping.entries_touching(at).last().map(|entry| {
                (entry.key_text().unwrap_or_default().into_owned(), Some(entry.key_range()), entry.value())
            }),
            ValueKind::Sequence(sequence) => {
                let items = sequence.items().enumerate().filter(|(_, item)| item.range().touches(offset));
                items.last().map(|(index, item)| (index.to_string(), None, item.value()))
            }
            _ => None,
        };
        let Some((step, key, inner)) = next else { return Some(place) };
        place.steps.push(step);
        let is_on_key = key.is_some_and(|key| key.touches(offset));
        place.key = key;
        value = inner;
        if is_on_key {
            place.value = value.range();
            place.scalar = value.as_scalar().map(ScalarText::of);
            return Some(place);
        }
    }
}

/// The value at the end of `steps` in the document around the byte `document`.
pub(crate) fn place_of(tree: &Tree, document: TextSize, steps: &[&str]) -> Option<PlaceOf> {
    let is_it = |range: TextRange| range.start <= document && document < range.end;
    let found = tree.documents().find(|one| is_it(one.range()))?;
    let mut value = found.root()?;
    let mut key = None;
    for step in steps {
        (key, value) = below(value, step)?;
    }
    Some(PlaceOf {
        document,
        steps: steps.iter().map(|step| (*step).to_owned()).collect(),
        key,
        value: value.range(),
        scalar: value.as_scalar().map(ScalarText::of),
    })
}

fn below<'t>(value: Value<'t>, step: &str) -> Option<(Option<TextRange>, Value<'t>)> {
    if let Some(mapping) = value.as_mapping() {
        let entry = mapping.entries().find(|entry| entry.key_text().is_some_and(|key| key == step))?;
        return Some((Some(entry.key_range()), entry.value()));
    }
    let item = value.as_sequence()?.items().nth(step.parse().ok()?)?;
    Some((None, item.value()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The starts of the documents in a text.
    fn documents(tree: &Tree) -> Vec<TextSize> {
        let all = tree.documents().filter(|document| !document.is_blank());
        all.map(|document| document.range().start).collect()
    }

    const TEXT: &str = "---\na:\n  b:\n  - rule: 'it''s'\n    long: one\n      two\n---\nc: d\n";

    #[test]
    fn a_place_has_its_path_and_a_path_its_place() {
        let tree = Tree::parse(TEXT);
        let starts = documents(&tree);
        assert_eq!(starts.len(), 2);
        let at = TextSize::try_from(TEXT.find("it''s").unwrap()).unwrap();
        let found = place_at(&tree, at).unwrap();
        assert_eq!((found.document, found.steps.join(".")), (starts[0], "a.b.0.rule".to_owned()));
        let back = place_of(&tree, starts[0], &["a", "b", "0", "rule"]).unwrap();
        assert_eq!((back.value, back.key), (found.value, found.key));
        assert!(place_of(&tree, starts[1], &["a"]).is_none());
        let key = place_at(&tree, TextSize::try_from(TEXT.find("b:").unwrap()).unwrap()).unwrap();
        assert_eq!(key.steps, ["a", "b"]);
    }

    #[test]
    fn bytes_of_a_scalar_map_to_the_file_and_back() {
        let tree = Tree::parse(TEXT);
        let scalar = |path: &[&str]| place_of(&tree, documents(&tree)[0], path).unwrap().scalar.unwrap();
        let rule = scalar(&["a", "b", "0", "rule"]);
        assert_eq!(rule.text, "it's");
        let start = rule.to_file(3);
        assert_eq!(&TEXT[start as usize..=start as usize], "s");
        assert_eq!(rule.to_text(TextRange::new(start, rule.to_file(4))), 3..4);
        let long = scalar(&["a", "b", "0", "long"]);
        assert_eq!((long.text.as_str(), &TEXT[long.to_file(4) as usize..][..3]), ("one two", "two"));
    }
}
