//! Resources that are items of a `List`. The server receives each separately.

use crd::FieldPath;
use text::TextSize;
use yaml::{Document, Tree, Value};

use crate::Finding;

/// Returns the findings of `validate` on the item at `index` of a document with that text. The item is read as a
/// separate document, in the same columns. Items with aliases are skipped, as their text alone is incomplete.
pub(super) fn findings_of_item(
    text: &str,
    item: Value<'_>,
    index: usize,
    validate: impl FnOnce(Document<'_>, Value<'_>) -> Vec<Finding>,
) -> Vec<Finding> {
    if item.node().is_none_or(|node| node.node().flags().aliases) {
        return Vec::new();
    }
    let range = item.range().as_usize();
    let before = text.get(..range.start).unwrap_or_default();
    let column = before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let own = format!("{}{}", " ".repeat(column), text.get(range.clone()).unwrap_or_default());
    let tree = Tree::parse(&own);
    let Some(alone) = tree.documents().next() else { return Vec::new() };
    let Some(root) = alone.root() else { return Vec::new() };
    let shift = (range.start - column) as TextSize;
    let mut findings = validate(alone, root);
    for finding in &mut findings {
        *finding = finding.shifted(shift);
        finding.field_path = FieldPath::of_names(["items"]).index(index).join(finding.field_path.segments());
    }
    findings
}
