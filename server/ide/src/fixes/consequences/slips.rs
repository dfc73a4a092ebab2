//! The findings that may cause others, and their repairs.

use std::collections::HashMap;

use api::Code;
use text::TextEdit;
use yaml::{Document, Value, ValueKind};

use super::MOST_SLIPS;
use crate::analysis::headless_list::HeadlessList;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unnamed_schema::is_keyword_as_property;
use crate::fixes::proof::{self, Proof};
use crate::fixes::{fixes_with, keyless, unnamed_schema};
use crate::{Finding, Fix, FixKind, Severity};

/// If there are more slips than this number, at most this number of one rank precede the others.
const MOST_OF_RANK: usize = 2;
/// The rank of values of a wrong type as causes.
const OF_TYPE: u8 = 4;

/// Whether a finding is more than a remark.
pub(super) fn is_wrong(finding: &Finding) -> bool {
    finding.severity <= Severity::Warning
}

/// The findings that may cause others, the likeliest first.
pub(super) fn slips(document: Document<'_>, findings: &[Finding]) -> Vec<usize> {
    let wrong = findings.iter().enumerate().filter(|(_, finding)| is_wrong(finding));
    let mut slips: Vec<(u8, usize)> =
        wrong.filter_map(|(index, finding)| Some((rank(finding)?, index))).collect();
    // An item without its first line precedes the errors at the dashes of the next ones.
    let is_broken = document.syntax().node().flags().errors;
    let of_type = slips.iter_mut().filter(|(rank, _)| is_broken && *rank == OF_TYPE).take(MOST_SLIPS);
    for (rank, index) in of_type {
        let list = findings.get(*index).and_then(|finding| HeadlessList::of(document, finding));
        if list.is_some_and(|list| list.next.is_some()) {
            *rank = 0;
        }
    }
    slips.sort_unstable();
    // Of many slips of one rank, the first causes the others, or another slip causes them all.
    if slips.len() > MOST_SLIPS {
        let mut seen = HashMap::<u8, usize>::new();
        slips.sort_by_cached_key(|(rank, _)| {
            let count = seen.entry(*rank).or_default();
            *count += 1;
            *count > MOST_OF_RANK
        });
    }
    slips.into_iter().map(|(_, index)| index).collect()
}

/// The rank of a finding as a cause; lower ranks cause higher ones.
fn rank(finding: &Finding) -> Option<u8> {
    Some(match finding.code {
        // It precedes the finding on the line below, which it leaves without a block.
        Code::DecodeType if is_keyword_as_property(finding) => 0,
        Code::DecodeUnknownField | Code::ResourceUnknownField if has_prefix(finding) => 0,
        Code::DefinitionNotServed | Code::YamlUnclosed | Code::YamlTabIndentation | Code::YamlAlias => 0,
        Code::YamlSyntax | Code::YamlDuplicateKey | Code::YamlStraySign => 1,
        Code::DecodeUnknownField | Code::ResourceUnknownField => 2,
        Code::LintRequiredUndefined | Code::LintMisspeltProperty | Code::DefaultsUnknownFields => 2,
        Code::SchemaTypeUnsupported => 3,
        Code::DecodeType | Code::ResourceType => OF_TYPE,
        Code::StructuralTypeRequired => 5,
        // Several checks refuse one value.
        Code::DefaultsSchema | Code::SpecGroupDot | Code::SchemaItemsArray | Code::SchemaListMapKeysType => 6,
        _ => return None,
    })
}

/// Whether an unknown key begins with a character before the indentation of its line.
fn has_prefix(finding: &Finding) -> bool {
    let last = finding.field_path.segments().last().and_then(|last| last.key());
    last.is_some_and(|key| key.contains("  "))
}

/// Whether `other` can be a consequence. Each tab is a separate slip, although one fix replaces all tabs. A
/// definition with missing parts looks like a partial definition.
pub(super) fn may_follow(other: &Finding, slip: &Finding) -> bool {
    let may_follow = is_wrong(other) || other.code == Code::DefinitionPartial;
    // If a repair removes an alias, its `*` was the mistake, not a consequence.
    let is_alias = other.code == Code::YamlAlias && slip.code.group() != "yaml";
    may_follow && !is_alias && (other.code != slip.code || slip.code != Code::YamlTabIndentation)
}

/// Whether the repair of a slip may uncover findings on other slips, even if the whole document is checked: it gives the
/// text below it another place in the structure. A value on one line has no text below it, unless it is in block style.
pub(super) fn may_hide_findings(document: Document<'_>, slip: &Finding) -> bool {
    let is_on_one_line = || !text_of(document.syntax(), slip.range).contains('\n');
    let is_block = |value: Value<'_>| match value.kind() {
        ValueKind::Mapping(mapping) => !mapping.is_flow(),
        ValueKind::Sequence(list) => !list.is_flow(),
        _ => false,
    };
    let holds_block = || {
        let mut below =
            values_to(document, slip.range.start).filter(|value| slip.range.contains_range(value.range()));
        below.any(is_block)
    };
    let is_of_value = matches!(slip.code, Code::DecodeType | Code::ResourceType);
    proof::changes_structure(slip.code) && !(is_of_value && is_on_one_line() && !holds_block())
}

/// The likeliest repair of a slip that removes nothing.
pub(super) fn repair(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    slip: &Finding,
    proof: &mut Proof,
) -> Option<Vec<TextEdit>> {
    if let Some(edits) = keyless::completed_item(document, inputs, slip) {
        return Some(edits);
    }
    let fixes = fixes_with(document, inputs, std::slice::from_ref(slip), slip.range, proof);
    let repairs = |fix: &Fix| fix.repairs.contains(&(slip.code, slip.range));
    // A migration also rewrites places with other errors.
    let is_small = |fix: &Fix| {
        let is_here = |edit: &TextEdit| slip.range.contains_range(edit.range);
        slip.code != Code::DefinitionNotServed || fix.edits.iter().all(is_here)
    };
    let (removals, others): (Vec<Fix>, Vec<Fix>) = fixes
        .into_iter()
        .filter(|fix| repairs(fix) && is_small(fix))
        .partition(|fix| fix.kind == FixKind::Removal);
    let unnamed = || unnamed_schema::unnamed(document, slip);
    // Of two values of one key, one must go; the first fix keeps the one with which less is wrong.
    let removal = || removals.into_iter().next().filter(|_| slip.code == Code::YamlDuplicateKey);
    let other = others.into_iter().next().map(|fix| fix.edits);
    other.or_else(unnamed).or_else(|| Some(removal()?.edits))
}
