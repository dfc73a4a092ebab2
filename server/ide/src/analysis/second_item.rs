//! Items of a list without their first line: their other keys continue the item above, where they are
//! duplicates.

use api::Code;
use crd::Message;
use text::TextRange;
use yaml::{Document, Entry, Value};

use crate::Finding;
use crate::analysis::text_at::values_to;

/// The maximum number of duplicates of one document that are examined.
const MOST: usize = 40;

/// Such an item.
pub(crate) struct SecondItem<'t> {
    /// The list of the item.
    pub(crate) list: Value<'t>,
    /// The first of its keys.
    pub(crate) first: Entry<'t>,
    /// The indexes of the findings on its duplicate keys; the first one is about `first`.
    pub(crate) duplicates: Vec<usize>,
}

/// The second items that `findings`, all of `document`, show: a key that is repeated alone was written twice.
pub(crate) fn second_items<'t>(document: Document<'t>, findings: &[Finding]) -> Vec<SecondItem<'t>> {
    let mut items: Vec<(TextRange, SecondItem<'t>)> = Vec::new();
    let duplicates = findings.iter().enumerate().filter(|(_, one)| one.code == Code::YamlDuplicateKey);
    for (index, finding) in duplicates.take(MOST) {
        let Some(ItemInLines { item, list, entry: first }) = item_with(document, finding.range) else {
            continue;
        };
        match items.iter_mut().find(|(range, _)| *range == item.range()) {
            Some((_, known)) => known.duplicates.push(index),
            None => items.push((item.range(), SecondItem { list, first, duplicates: vec![index] })),
        }
    }
    let items = items.into_iter().map(|(_, item)| item);
    items.filter(|item| item.duplicates.len() > 1).collect()
}

/// States where the second item begins in place of its first duplicate key.
pub(crate) fn explain(document: Document<'_>, findings: &mut [Finding]) {
    for item in second_items(document, findings) {
        let key = item.first.key_text().unwrap_or_default();
        let first = item.duplicates.first().and_then(|index| findings.get_mut(*index));
        if let Some(finding) = first {
            let message = Message::new(format!("a second item begins at `{key}`"))
                .advise("add its first line with `- ` above this line");
            finding.message = Message { note: std::mem::take(&mut finding.message.note), ..message };
        }
    }
}

/// An item of a block list, with one of its entries.
struct ItemInLines<'t> {
    item: Value<'t>,
    list: Value<'t>,
    entry: Entry<'t>,
}

/// The item that has the key at `range`.
fn item_with(document: Document<'_>, range: TextRange) -> Option<ItemInLines<'_>> {
    let above: Vec<Value<'_>> = values_to(document, range.start + 1).collect();
    let is_of = |entry: &Entry<'_>| entry.key_range() == range;
    let (at, entry) = above.iter().enumerate().find_map(|(at, value)| {
        let entry = value.as_mapping()?.entry_before(range.start + 1).filter(is_of)?;
        Some((at, entry))
    })?;
    let (item, list) = (*above.get(at)?, *above.get(at.checked_sub(1)?)?);
    let is_in_lines = list.as_sequence().is_some_and(|list| !list.is_flow())
        && item.as_mapping().is_some_and(|item| !item.is_flow());
    is_in_lines.then_some(ItemInLines { item, list, entry })
}
