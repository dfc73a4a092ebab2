//! Placeholders in definitions: values that are unknown have no findings.

use api::Code;
use text::TextRange;
use yaml::{Document, Scalar, Value, ValueKind};

use crate::Finding;
use crate::analysis::validation_coverage::placeholders::{PlaceholderForm, form_of};

/// The name of a definition consists of its plural and its group.
const OF_NAMES: Code = Code::NamesMetadataName;

/// Removes the findings on placeholders from `findings` on the definitions in `document`, and returns the
/// first of these placeholders.
pub(crate) fn silence(
    document: Document<'_>,
    findings: &mut Vec<Finding>,
) -> Option<(TextRange, PlaceholderForm)> {
    let mut first: Option<(TextRange, PlaceholderForm)> = None;
    // Rules and patterns use such characters for other purposes.
    let is_open = |finding: &Finding| !matches!(finding.code.group(), "cel" | "yaml");
    findings.retain(|finding| {
        let scalar = Some(finding)
            .filter(|finding| is_open(finding))
            .and_then(|finding| scalar_at(document.root()?, finding.range));
        let Some(form) = scalar.and_then(|scalar| form_of(&Scalar::text(scalar), false)) else { return true };
        if first.is_none_or(|(range, _)| finding.range < range) {
            first = Some((finding.range, form));
        }
        false
    });
    if first.is_some() {
        findings.retain(|finding| finding.code != OF_NAMES);
    }
    first
}

/// The scalar, a key or a value, at exactly that range.
fn scalar_at(root: Value<'_>, range: TextRange) -> Option<Scalar<'_>> {
    let mut value = root;
    loop {
        if value.range() == range {
            return value.as_scalar();
        }
        value = match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entry =
                    mapping.entries_touching(range).find(|entry| entry.range().contains_range(range))?;
                if entry.key().range().contains_range(range) { entry.key() } else { entry.value() }
            }
            ValueKind::Sequence(sequence) => {
                let mut items = sequence.items_touching(range);
                items.find(|item| item.value().range().contains_range(range))?.value()
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => return None,
        };
    }
}
