//! Consequences of a slip: the findings that disappear when it is repaired.
//!
//! A missing colon or a deleted line moves keys to wrong places, which causes many findings. No table can
//! list them, but a repair of the slip shows them.

mod cached;
mod hidden_fixes;
mod joint_repair;

use std::collections::HashMap;

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Value, ValueKind};

use super::proof::{self, Budget, HiddenFindings, Proof, unread};
use super::{CorrectedDocument, fixes_with, keyless, moved_lines, unnamed_schema};
use crate::analysis::caches::SharedCaches;
use crate::analysis::headless_list::HeadlessList;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::misspelt_property;
use crate::analysis::second_item::second_items;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unfinished::{is_of_missing_key, is_of_storage, is_of_undeclared_path, owners};
use crate::analysis::unnamed_schema::is_keyword_as_property;
use crate::analysis::values::{own_entry, string};
use crate::{Finding, Fix, FixKind, Severity};
use cached::cached_or;
pub(super) use hidden_fixes::hidden_fixes;
use joint_repair::SlipRepair;

/// The largest document that is examined: this runs after each keystroke, and a check takes time in
/// proportion to the document.
const MOST_BYTES: TextSize = 500_000;
/// The maximum number of slips that are repaired for one answer.
const MOST_SLIPS: usize = 4;
/// If there are more slips than this number, at most this number of one rank precede the others.
const MOST_OF_RANK: usize = 2;
/// The largest document in which lines in a wrong column are searched: many moves are tried.
const MOST_BYTES_OF_MOVES: TextSize = 100_000;
/// The maximum number of findings at which lines in a wrong column are searched.
const MOST_MOVES: usize = 4;
/// The maximum number of findings in a document whose causes are searched.
const MOST_FINDINGS: usize = 200;
/// The maximum number of hidden findings that are reported for one slip.
const MOST_HIDDEN: usize = 20;
/// The number of bytes of a line with a tab that are searched for the next line.
const LONGEST_LINE: TextSize = 1_000;
/// The number of bytes at the end in which the last line must begin.
const END: TextSize = 4_000;

/// The number of owners of the entries in a version: `spec`, `versions` and its item.
const OWNERS_OF_VERSION: usize = 3;

/// The rank of values of a wrong type as causes.
const OF_TYPE: u8 = 4;

/// For each finding of a document, the index of the slip that causes it, or `None`. Empty if no finding
/// causes another.
type Causes = Vec<Option<usize>>;

/// The effects of slips on the findings of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consequences {
    pub(crate) causes: Causes,
    /// The findings in parts that are not checked because of slips. They are not among the document's
    /// findings.
    pub(crate) hidden: Vec<Finding>,
}

/// The cause of each of `findings`, which are all findings of `document`, and the findings that slips hide.
pub(crate) fn consequences(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
) -> Consequences {
    find_consequences(document, inputs, findings, caches, RequestedResults::Causes)
}

/// The findings that slips hide. Repairs are tried only if a part of the document is not checked.
pub(crate) fn hidden(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
) -> Vec<Finding> {
    find_consequences(document, inputs, findings, caches, RequestedResults::Hidden).hidden
}

/// The results that a caller needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestedResults {
    /// The causes, and the hidden findings.
    Causes,
    /// Only the hidden findings.
    Hidden,
}

fn find_consequences(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
    wanted: RequestedResults,
) -> Consequences {
    if let Some(corrected) = CorrectedDocument::of(document, inputs.surroundings, findings, caches)
        && let Some(document) = corrected.repaired().tree.documents().next()
    {
        let repaired = corrected.repaired();
        let findings: Vec<Finding> =
            findings.iter().map(|finding| repaired.finding_in_repaired(finding)).collect();
        let mut found = find_consequences(document, inputs, &findings, caches, wanted);
        for finding in &mut found.hidden {
            *finding = repaired.finding_in_file(finding);
        }
        return found;
    }
    let is_small = document.range().len() <= MOST_BYTES && findings.len() <= MOST_FINDINGS;
    let wrong = findings.iter().filter(|one| is_wrong(one)).count();
    if !is_small || wrong == 0 {
        return Consequences::default();
    }
    let parts: Vec<(TextRange, u64)> =
        findings.iter().filter_map(|finding| unread(document, finding)).collect();
    let hides = || findings.iter().any(|one| is_wrong(one) && may_hide_findings(document, one));
    if parts.is_empty() && (wrong == 1 || wanted == RequestedResults::Hidden && !hides()) {
        return Consequences::default();
    }
    let slips = slips(document, findings);
    let mut found = match slips.is_empty() {
        true => Consequences { causes: vec![None; findings.len()], hidden: Vec::new() },
        false => cached_or(document, (findings, &parts), caches, || {
            consequences_of(document, inputs, findings, slips, caches)
        }),
    };
    let causes = &mut found.causes;
    if let Some((cause, awaited)) = open_end(document, findings) {
        for index in awaited.into_iter().filter(|index| *index != cause) {
            if let Some(own) = causes.get_mut(index).filter(|own| own.is_none()) {
                *own = Some(cause);
            }
        }
    }
    let of_items = second_items(document, findings).into_iter().flat_map(|item| {
        let first = item.duplicates.first().copied();
        item.duplicates.into_iter().skip(1).filter_map(move |index| Some((first?, index)))
    });
    let others = misspelt_property::uses(findings).into_iter().chain(lines_with_tabs(document, findings));
    for (cause, index) in without_alias(document, findings).into_iter().chain(of_items).chain(others) {
        if let Some(own) = causes.get_mut(index).filter(|own| own.is_none()) {
            *own = Some(cause);
        }
    }
    // A finding must not follow from a consequence, so chains of causes are cut.
    for index in 0..causes.len() {
        if let Some(cause) = causes.get(index).copied().flatten()
            && causes.get(cause).copied().flatten().is_some()
            && let Some(own) = causes.get_mut(index)
        {
            *own = None;
        }
    }
    found
}

/// Whether the repair of a slip may uncover findings on other slips, even if the whole document is checked: it gives the
/// text below it another place in the structure. A value on one line has no text below it, unless it is in block style.
fn may_hide_findings(document: Document<'_>, slip: &Finding) -> bool {
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

/// The slips with a repair.
#[derive(Default)]
struct RepairedSlips {
    /// Those that are wrong values.
    values: Vec<usize>,
    others: Vec<usize>,
}

/// The causes and the hidden findings that repairs of `slips` show.
fn consequences_of(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    slips: Vec<usize>,
    caches: &SharedCaches,
) -> Consequences {
    let mut hidden: Vec<Finding> = Vec::new();
    let mut report_hidden = |hidden_findings| {
        let is_new =
            |one: &Finding| !hidden.iter().any(|other| (other.code, other.range) == (one.code, one.range));
        let found = independent(hidden_findings, inputs, caches).into_iter();
        let new: Vec<Finding> = found.filter(is_new).take(MOST_HIDDEN).collect();
        hidden.extend(new);
    };
    let (mut causes, repaired) = causes_of(document, inputs, findings, slips, caches, &mut report_hidden);
    add_causes_of_moves(document, inputs, findings, (&mut causes, repaired), caches, &mut report_hidden);
    Consequences { causes, hidden }
}

/// The cause of each of `findings` that repairs of `slips` show, and the repaired slips. Calls `report_hidden` with
/// the findings that each repaired slip hides.
fn causes_of(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    slips: Vec<usize>,
    caches: &SharedCaches,
    report_hidden: &mut dyn FnMut(HiddenFindings),
) -> (Causes, RepairedSlips) {
    let mut causes = vec![None; findings.len()];
    let mut repaired = RepairedSlips::default();
    let mut repairs: Vec<SlipRepair> = Vec::new();
    let budget = Budget::of_keystroke();
    let mut proof = Proof::new(document, inputs, &budget, caches);
    let mut tried = 0;
    for slip in slips {
        let is_explained = causes.get(slip).is_some_and(Option::is_some);
        let Some(finding) = findings.get(slip).filter(|_| !is_explained) else { continue };
        tried += 1;
        if tried > MOST_SLIPS {
            break;
        }
        // The searches for one slip must not prevent the repair of another.
        proof.renew(&Budget::of_keystroke());
        let Some(edits) = repair(document, inputs, finding, &mut proof) else { continue };
        let effects = proof.effects_of_repair(&edits);
        if moved_lines::changes_value(finding, &edits) {
            repaired.values.push(slip);
        } else if effects.removed.contains(&(finding.code, finding.range)) {
            repaired.others.push(slip);
        }
        // A finding on removed text is no consequence, unless the text is only this value.
        let has_lines = |edit: &&TextEdit| text_of(document.syntax(), edit.range).trim().contains('\n');
        let removed = || edits.iter().filter(|edit| edit.new_text.is_empty()).filter(has_lines);
        let is_removed = |other: &Finding| removed().any(|edit| edit.range.contains_range(other.range));
        let is_gone = |other: &Finding| effects.removed.contains(&(other.code, other.range));
        for (index, other) in findings.iter().enumerate() {
            // What follows from a consequence of this slip follows from the slip.
            let is_open = match causes.get(index).copied().flatten() {
                None => true,
                Some(cause) => cause != slip && findings.get(cause).is_some_and(is_gone),
            };
            let follows = index != slip
                && is_open
                && !(finding.code == Code::YamlDuplicateKey && is_removed(other))
                && may_follow(other, finding)
                && is_gone(other);
            if let Some(cause) = causes.get_mut(index).filter(|_| follows) {
                *cause = Some(slip);
            }
        }
        report_hidden(effects.hidden);
        repairs.push((slip, edits));
    }
    joint_repair::add_causes(findings, &repairs, &mut causes, &mut proof);
    (causes, repaired)
}

/// Adds the causes that moves of lines into another column, or removals of pasted lines, show: of the findings
/// that a move removes, the one that is nearest to the lines causes the others. No moves are tried for slips that
/// are wrong values, and slips with another repair come last.
fn add_causes_of_moves(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    (causes, RepairedSlips { values: mut tried, others }): (&mut Causes, RepairedSlips),
    caches: &SharedCaches,
    report_hidden: &mut dyn FnMut(HiddenFindings),
) {
    if document.range().len() > MOST_BYTES_OF_MOVES {
        return;
    }
    let budget = Budget::of_moves();
    let mut proof = Proof::new(document, inputs, &budget, caches);
    let least = findings.iter().filter(|one| is_wrong(one)).count().saturating_sub(1);
    for _ in 0..MOST_MOVES {
        let mut roots: Vec<(usize, &Finding)> = findings.iter().enumerate().collect();
        roots.retain(|(index, one)| is_wrong(one) && causes.get(*index) == Some(&None));
        if roots.len() < 2 {
            return;
        }
        let next =
            roots.iter().filter(|(index, one)| moved_lines::shows_lines(one.code) && !tried.contains(index));
        let Some((root, finding)) = next
            .min_by_key(|(index, one)| (others.contains(index), one.code.group() != "yaml", one.range.start))
        else {
            return;
        };
        tried.push(*root);
        let Some(best) = moved_lines::best(document, finding, least, &mut proof) else { continue };
        let effects = proof.effects_of_repair(&best.edits);
        let is_removed = |one: &Finding| effects.removed.contains(&(one.code, one.range));
        let removed = || roots.iter().filter(|(_, one)| is_removed(one));
        let distance = |one: &Finding| {
            let start = one.range.start;
            best.lines.start.saturating_sub(start).max(start.saturating_sub(best.lines.end))
        };
        // Only there is the move offered.
        let is_offered = |one: &Finding| moved_lines::shows_lines(one.code);
        let nearest = removed().min_by_key(|(_, one)| (!is_offered(one), distance(one), one.range.start));
        let is_shown = removed().count() > 1 && best.is_shown_by(removed().map(|(_, one)| *one));
        let Some((nearest, _)) = nearest.filter(|_| is_shown) else { continue };
        for (index, other) in findings.iter().enumerate().filter(|(index, _)| index != nearest) {
            let Some(own) = causes.get(index).copied() else { continue };
            let follows = match own {
                Some(cause) => findings.get(cause).is_some_and(is_removed),
                None => is_wrong(other) && is_removed(other),
            };
            if let Some(cause) = causes.get_mut(index).filter(|_| follows) {
                *cause = Some(*nearest);
            }
        }
        report_hidden(effects.hidden);
    }
}

/// The hidden findings that no other finding causes.
fn independent(hidden: HiddenFindings, inputs: DocumentInputs<'_>, caches: &SharedCaches) -> Vec<Finding> {
    let HiddenFindings { after, findings } = hidden;
    let is_alone = |all: &[Finding]| all.iter().filter(|one| is_wrong(one)).count() < 2;
    let document = after
        .as_ref()
        .filter(|(_, all)| !is_alone(all))
        .and_then(|(tree, all)| Some((tree.documents().next()?, all)));
    let Some((document, all)) = document else {
        return findings.into_iter().map(|(_, finding)| finding).collect();
    };
    let slips = slips(document, all);
    let (causes, _) = causes_of(document, inputs, all, slips, caches, &mut |_| ());
    let is_first = |index: usize| causes.get(index).is_none_or(Option::is_none);
    findings.into_iter().filter(|(index, _)| is_first(*index)).map(|(_, finding)| finding).collect()
}

/// Whether a finding is more than a remark.
fn is_wrong(finding: &Finding) -> bool {
    finding.severity <= Severity::Warning
}

/// The findings that may cause others, the likeliest first.
fn slips(document: Document<'_>, findings: &[Finding]) -> Vec<usize> {
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
        _ => return None,
    })
}

/// Whether an unknown key begins with a character before the indentation of its line.
fn has_prefix(finding: &Finding) -> bool {
    let last = finding.field_path.segments().last().and_then(|last| last.key());
    last.is_some_and(|key| key.contains("  "))
}

/// The likeliest repair of a slip that removes nothing.
fn repair(
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

/// Whether `other` can be a consequence. Each tab is a separate slip, although one fix replaces all tabs. A
/// definition with missing parts looks like a partial definition.
fn may_follow(other: &Finding, slip: &Finding) -> bool {
    let may_follow = is_wrong(other) || other.code == Code::DefinitionPartial;
    // If a repair removes an alias, its `*` was the mistake, not a consequence.
    let is_alias = other.code == Code::YamlAlias && slip.code.group() != "yaml";
    may_follow && !is_alias && (other.code != slip.code || slip.code != Code::YamlTabIndentation)
}

/// The findings on keys that are missing because their value is an unknown alias: each with the index of the
/// finding on the alias before it.
fn without_alias(document: Document<'_>, findings: &[Finding]) -> Vec<(usize, usize)> {
    let aliases = findings.iter().enumerate().filter(|(_, finding)| finding.code == Code::YamlAlias);
    let mut pairs = Vec::new();
    for (cause, alias) in aliases.take(MOST_SLIPS) {
        let around = values_to(document, alias.range.start).filter_map(Value::as_mapping);
        let entry = around.filter_map(|mapping| mapping.entry_before(alias.range.start)).last();
        let owners = owners(document, alias.range.start);
        let (Some(key), [.., owner, _]) = (entry.and_then(yaml::Entry::key_text), &*owners) else { continue };
        let is_it = |finding: &Finding| {
            let last = finding.field_path.segments().last().and_then(|last| last.key());
            is_of_missing_key(finding.code) && finding.range == *owner && last == Some(&*key)
        };
        let missing = findings.iter().enumerate().filter(|(_, finding)| is_it(finding));
        pairs.extend(missing.map(|(index, _)| (cause, index)));
    }
    pairs
}

/// The findings on lines that are indented with tabs directly below another such line: each with the index of the first
/// of them.
fn lines_with_tabs(document: Document<'_>, findings: &[Finding]) -> Vec<(usize, usize)> {
    let tabs = findings.iter().enumerate().filter(|(_, finding)| finding.code == Code::YamlTabIndentation);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut first: Option<(usize, TextSize)> = None;
    for (index, tab) in tabs {
        let start = tab.range.start;
        let is_next = |(_, end): &(usize, TextSize)| {
            let between = start.checked_sub(*end).filter(|length| *length <= LONGEST_LINE);
            between.is_some_and(|_| {
                text_of(document.syntax(), TextRange::new(*end, start)).matches('\n').count() == 1
            })
        };
        let cause = first.filter(is_next).map(|(cause, _)| cause);
        pairs.extend(cause.map(|cause| (cause, index)));
        first = Some((cause.unwrap_or(index), tab.range.end));
    }
    pairs
}

/// For a document whose last line is being typed: the finding on that line, and the findings about text after
/// it.
fn open_end(document: Document<'_>, findings: &[Finding]) -> Option<(usize, Vec<usize>)> {
    let whole = document.range();
    let start = whole.end.saturating_sub(END).max(whole.start);
    let text = text_of(document.syntax(), TextRange::new(start, whole.end));
    let written = text.trim_end();
    let line = written.rfind('\n')? + 1;
    let indent = written.get(line..)?.len() - written.get(line..)?.trim_start_matches([' ', '-']).len();
    let (line, content, end) =
        (start + line as TextSize, start + (line + indent) as TextSize, start + written.len() as TextSize);
    let owners = owners(document, content);
    let last = values_to(document, end).last()?;
    let is_on_line = |finding: &Finding| finding.range.start >= line && is_wrong(finding);
    let is_open = |finding: &Finding| match finding.code {
        Code::YamlSyntax => finding.range.end >= end,
        Code::DecodeType | Code::ResourceType => last.as_scalar().is_some(),
        _ => matches!(last.kind(), ValueKind::Absent),
    };
    let on_line = findings.iter().rposition(|finding| is_on_line(finding) && is_open(finding));
    let cause = on_line.or_else(|| {
        let innermost = owners.last().filter(|_| matches!(last.kind(), ValueKind::Absent))?;
        findings.iter().rposition(|finding| finding.range == *innermost && is_wrong(finding))
    })?;
    let object = document.root()?;
    let (root, is_nameless) = (object.range().start, !has_parts_of_name(object));
    // The next lines can only declare fields in the schema of the last version.
    let may_declare = |finding: &Finding| {
        let is_of_version =
            finding.field_path.segments().get(1).is_some_and(|at| at.key() == Some("versions"));
        let shared = if is_of_version { OWNERS_OF_VERSION } else { 1 };
        let around = self::owners(document, finding.range.start);
        around.get(..shared).is_some_and(|around| owners.starts_with(around))
    };
    let is_awaited = |finding: &Finding| {
        is_of_undeclared_path(finding.code) && may_declare(finding)
            || is_nameless && finding.code == Code::NamesMetadataName
            || is_of_missing_key(finding.code)
                && (is_of_storage(finding.code)
                    || finding.range.start == root
                    || owners.contains(&finding.range))
    };
    let awaited = findings.iter().enumerate().filter(|(_, finding)| is_awaited(finding));
    Some((cause, awaited.map(|(index, _)| index).collect()))
}

/// Whether a definition has the parts of its name.
fn has_parts_of_name(object: Value<'_>) -> bool {
    let has = |path: &[&str]| {
        let value = path.iter().try_fold(object, |value, key| Some(own_entry(value, key)?.value()));
        value.and_then(string).is_some()
    };
    has(&["spec", "group"]) && has(&["spec", "names", "plural"])
}

#[cfg(test)]
mod several_slips;
#[cfg(test)]
mod tests;
