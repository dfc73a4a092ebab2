//! The field of a rule that an offset lies in.

use text::{TextRange, TextSize};
use yaml::{Document, Entry, Scalar, Tree, Value, ValueKind};

/// The fields of a rule whose values an editor helps with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleField {
    Rule,
    MessageExpression,
    FieldPath,
    Reason,
}

/// A field of a rule.
pub(super) struct Spot<'t> {
    pub(super) document: Document<'t>,
    pub(super) field: RuleField,
    /// Behind the colon, in bytes.
    pub(super) behind_colon: TextSize,
    /// The mapping that the rule is.
    pub(super) rule: TextRange,
    /// The value; none where nothing is written yet.
    pub(super) scalar: Option<Scalar<'t>>,
    /// Whether it stands within brackets or braces.
    pub(super) in_flow: bool,
    /// Whether the offset is on the key.
    pub(super) on_key: bool,
}

/// The field of a rule at `offset` (in bytes): on its key, in its value or on the blanks behind it. Goes down in a loop.
pub(super) fn find(tree: &Tree, offset: TextSize) -> Option<Spot<'_>> {
    let document = crate::features::document_at(tree, offset)?;
    let mut value = document.root()?;
    let mut in_flow = false;
    // Whether the list of rules is entered.
    let mut around = false;
    loop {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                in_flow |= mapping.is_flow();
                let entry = mapping.entries().rfind(|entry| entry.range().start <= offset)?;
                if around && let Some(field) = rule_field(entry) {
                    return spot(document, field, entry, value.range(), in_flow, offset);
                }
                if entry.key_range().touches(offset) {
                    return None;
                }
                around = entry.key_text().as_deref() == Some("x-kubernetes-validations");
                value = entry.value();
            }
            ValueKind::Sequence(sequence) => {
                in_flow |= sequence.is_flow();
                value = sequence.items().take_while(|item| item.range().start <= offset).last()?.value();
            }
            _ => return None,
        }
    }
}

fn rule_field(entry: Entry<'_>) -> Option<RuleField> {
    Some(match entry.key_text()?.as_ref() {
        "rule" => RuleField::Rule,
        "messageExpression" => RuleField::MessageExpression,
        "fieldPath" => RuleField::FieldPath,
        "reason" => RuleField::Reason,
        _ => return None,
    })
}

fn spot<'t>(
    document: Document<'t>,
    field: RuleField,
    entry: Entry<'t>,
    rule: TextRange,
    in_flow: bool,
    offset: TextSize,
) -> Option<Spot<'t>> {
    let key = entry.key_range();
    let behind_colon = entry.colon()?.range().end;
    let on_key = key.touches(offset);
    let scalar = match entry.value().kind() {
        ValueKind::Scalar(scalar) => Some(scalar),
        ValueKind::Absent => None,
        _ => return None,
    };
    let range = Value::range(entry.value());
    let is_in = on_key || scalar.is_none() || offset >= range.start;
    (is_in && (on_key || offset >= behind_colon)).then_some(Spot {
        document,
        field,
        behind_colon,
        rule,
        scalar,
        in_flow,
        on_key,
    })
}
