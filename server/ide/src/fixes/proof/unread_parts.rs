//! The parts of a text that are not checked because of a slip: values of unknown keys, values of the wrong
//! type, lines with a syntax error, and entries that a later duplicate replaces.

use api::Code;
use text::TextRange;
use yaml::{Document, Tree, Value, ValueKind};

use crate::Finding;
use crate::analysis::text_at::{document_at, values_to};
use crate::analysis::values::entry_at;

/// The maximum number of parts.
const MOST: usize = 50;

/// The unchecked parts of a text.
#[derive(Default)]
pub(super) struct UnreadParts {
    parts: Vec<UnreadPart>,
}

struct UnreadPart {
    range: TextRange,
    /// Whether findings on the part's own keys count as hidden. Otherwise, only findings in nested values do,
    /// because those on its own keys may come from a wrong repair.
    is_whole: bool,
    /// The hash of its text.
    hash: u64,
}

/// The part of `document` that is not checked because of `finding`, with a hash of its text; `None` if no
/// findings can be hidden in it.
pub(in crate::fixes) fn unread(document: Document<'_>, finding: &Finding) -> Option<(TextRange, u64)> {
    let part = UnreadPart::of(document, finding)?;
    (part.is_whole || has_depth(document, part.range)).then_some((part.range, part.hash))
}

/// Whether entries of the mapping at `part`, or of the items of the list there, contain mappings or lists.
fn has_depth(document: Document<'_>, part: TextRange) -> bool {
    let Some(value) = values_to(document, part.start + 1).find(|value| value.range() == part) else {
        return false;
    };
    match value.kind() {
        ValueKind::Mapping(mapping) => mapping.entries().any(|entry| is_block(entry.value())),
        ValueKind::Sequence(list) => list.items().any(|item| {
            let inner = item.value().as_mapping().into_iter().flat_map(yaml::Mapping::entries);
            inner.map(yaml::Entry::value).any(is_block)
        }),
        _ => false,
    }
}

impl UnreadPart {
    /// The part that is not checked because of `finding`.
    fn of(document: Document<'_>, finding: &Finding) -> Option<Self> {
        match finding.code {
            Code::YamlDuplicateKey => {
                let earlier = finding.related.first().filter(|related| related.elsewhere.is_none())?;
                let (_, entry) = entry_at(document, earlier.range)?;
                Some(Self { range: entry.range(), is_whole: true, hash: entry.syntax().node().hash() })
            }
            Code::YamlSyntax => {
                let lines = outermost_at(document, finding.range).or_else(|| below(document, finding.range));
                Self::of_value(lines?)
            }
            Code::DecodeUnknownField | Code::ResourceUnknownField | Code::DecodeType | Code::ResourceType => {
                // The first key of a mapping begins where the mapping does, which is checked.
                let is_key = entry_at(document, finding.range).is_some();
                let itself = || outermost_at(document, finding.range).filter(|_| !is_key);
                Self::of_value(below(document, finding.range).or_else(itself)?)
            }
            _ => None,
        }
    }

    fn of_value(value: Value<'_>) -> Option<Self> {
        let hash = value.node()?.node().hash();
        Some(Self { range: value.range(), is_whole: false, hash })
    }
}

impl UnreadParts {
    /// The parts of the text of `tree` that are not checked because of `findings`.
    pub(super) fn of(tree: &Tree, findings: &[Finding]) -> Self {
        let part = |finding: &Finding| UnreadPart::of(document_at(tree, finding.range.start)?, finding);
        let parts = findings.iter().filter_map(part);
        Self { parts: parts.take(MOST).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether `place` in the text of `tree` is in a part that is not checked.
    pub(super) fn contains(&self, tree: &Tree, place: TextRange) -> bool {
        let mut around = self.parts.iter().filter(|part| part.range.contains_range(place));
        around.any(|part| part.is_whole || is_deep(tree, part.range, place))
    }
}

/// Whether `place` is in a mapping or list that is nested in the value at `part`.
fn is_deep(tree: &Tree, part: TextRange, place: TextRange) -> bool {
    let Some(document) = document_at(tree, place.start) else { return false };
    let mut inner = values_to(document, place.start + 1).skip_while(|value| value.range() != part);
    // The items of a list belong to the list itself, so only values in them are nested.
    let heads = inner.next().map_or(0, |value| usize::from(value.as_sequence().is_some()));
    inner.skip(heads).any(|value| is_block(value) && value.range().contains_range(place))
}

/// The value of the entry with the key at `key`, if it is a mapping or a list.
fn below(document: Document<'_>, key: TextRange) -> Option<Value<'_>> {
    let mut entries = values_to(document, key.start + 1)
        .filter_map(|value| value.as_mapping()?.entry_before(key.start + 1));
    let entry = entries.find(|entry| entry.key_range().start == key.start)?;
    Some(entry.value()).filter(|value| is_block(*value))
}

/// The outermost mapping or list that begins where `range` does.
fn outermost_at(document: Document<'_>, range: TextRange) -> Option<Value<'_>> {
    values_to(document, range.start + 1).find(|value| value.range().start == range.start && is_block(*value))
}

fn is_block(value: Value<'_>) -> bool {
    matches!(value.kind(), ValueKind::Mapping(_) | ValueKind::Sequence(_))
}
