//! The dash of a further item, on a blank line in the column of the dashes of a list above it.

use text::TextRange;
use yaml::scalar::ScalarStyle;
use yaml::{Reader, Value, ValueKind};

use super::draft::Draft;
use super::skeleton::InsertionPoint;
use super::{ProposalList, Request, values};
use crate::analysis::text_at::{document_at, values_to};
use crate::features::indent::{self, Layout};

/// Proposes a further item of a list, if the cursor is on a blank line below an item, in the column of the dashes.
pub(super) fn propose(request: &Request<'_, '_>, items: &mut ProposalList<'_>) -> Option<()> {
    let (view, probe) = (request.view, request.probe);
    let column = probe.indent();
    if !probe.is_on_blank_line() {
        return None;
    }
    let at = indent::last_above(view, probe.offset)?.end;
    let document = document_at(view.tree, at)?;
    let path: Vec<Value<'_>> = values_to(document, at).collect();
    if path.iter().any(|value| is_outside_of_blocks(*value) && probe.offset < value.range().end) {
        return None;
    }
    let holder = path.windows(2).find_map(|pair| match pair {
        [holder, list] if is_list_in(*list, column) => holder.as_mapping(),
        _ => None,
    });
    let reader = Reader::new(document);
    let key = holder?.entry_before(at)?.key_range().start;
    let list = indent::place_at(view, document, &reader, key)?.member?;
    if probe.is_before_item(column) {
        // A key would separate the following items from their list.
        items.list.clear();
    }
    items.range = TextRange::empty(probe.offset);
    let layout = Layout::of(document, view.tree);
    let draft = Draft::at(request);
    let point = InsertionPoint { column: 0, in_flow: false, is_json: false, layout, draft: Some(&draft) };
    values::item(&list, point, String::new(), items);
    Some(())
}

fn is_list_in(value: Value<'_>, column: usize) -> bool {
    value.as_sequence().is_some_and(|list| !list.is_flow() && list.column() == Some(column))
}

/// Whether lines in `value` do not belong to the block around it: in brackets, braces and quotes.
fn is_outside_of_blocks(value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::Mapping(mapping) => mapping.is_flow(),
        ValueKind::Sequence(list) => list.is_flow(),
        ValueKind::Scalar(scalar) => {
            matches!(scalar.style(), ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
        }
        _ => false,
    }
}
