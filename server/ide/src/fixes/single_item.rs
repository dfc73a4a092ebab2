//! The fix for an object that is the only item of a list: removes the dash.

use api::Code;
use text::{TextEdit, TextRange};
use yaml::{Document, Mapping, Sequence, Value};

use super::extra::without_dash;
use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::text_at::values_to;
use crate::{Finding, Fix};

const CODES: [Code; 3] = [Code::DecodeType, Code::ResourceType, Code::ResourceDecode];
/// The maximum number of findings with fixes in one answer.
const MOST: usize = 10;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let mut fix = |finding: &Finding| {
        let list = list_at(document, finding.range)?;
        let mut items = list.items();
        let (item, None) = (items.next()?, items.next()) else { return None };
        item.value().as_mapping().filter(|mapping| !mapping.is_flow() && !is_pair(*mapping))?;
        // Other keys of the object need spaces in place of the dash.
        let offers = without_dash(document, item.range().start).into_iter();
        let held = offers.filter(|(_, edits)| proof.reduces(finding.code, edits)).collect::<Vec<_>>();
        let left = |edits: &[TextEdit], proof: &mut Proof| proof.remaining(edits).unwrap_or(usize::MAX);
        let (title, edits) = held.into_iter().min_by_key(|(_, edits)| left(edits, proof))?;
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    };
    request.with_codes(&CODES).take(MOST).filter_map(&mut fix).collect()
}

/// Whether an item consists of a name and a value, as in lists of variables.
fn is_pair(item: Mapping<'_>) -> bool {
    let mut keys: Vec<_> = item.entries().filter_map(yaml::Entry::key_text).collect();
    keys.sort_unstable();
    matches!(&*keys, [name, value] if (name == "name" || name == "key") && value == "value")
}

/// The list of lines whose key or value is at `range`.
fn list_at(document: Document<'_>, range: TextRange) -> Option<Sequence<'_>> {
    let entries = values_to(document, range.start + 1)
        .filter_map(|value: Value<'_>| value.as_mapping()?.entry_before(range.start + 1));
    let is_here =
        |entry: &yaml::Entry<'_>| entry.key_range() == range || entry.value().range().start == range.start;
    let mut lists = entries.filter(is_here).filter_map(|entry| entry.value().as_sequence());
    lists.find(|list| !list.is_flow())
}
