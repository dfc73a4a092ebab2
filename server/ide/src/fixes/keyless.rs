//! Fixes for lines whose key is missing: a block below a value, a list among keys, or keys among those of
//! another object. They add a key of the API whose value the lines can be.

mod block;
mod first_line;

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree, Value, ValueKind};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::missing_key::{Step, fits, shape_at, shape_of};
use crate::analysis::resources::Shape;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::values::{entry_at, own_entry};
use crate::{Finding, Fix};
use block::Block;
pub(super) use first_line::completed_item;
use first_line::{first_line, restores_item};

const CODES: [Code; 5] = [
    Code::YamlSyntax,
    Code::DecodeUnknownField,
    Code::ResourceUnknownField,
    Code::DecodeType,
    Code::ResourceType,
];
/// The largest block that is read, in bytes.
const MOST: TextSize = 100_000;
/// The number of columns by which nested keys are indented.
const STEP: usize = 2;
/// The maximum number of keys that are tried for a value.
const MOST_KEYS: usize = 12;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, reader, .. } = *request;
    let mut wanted = request.with_codes(&CODES).peekable();
    if wanted.peek().is_none() {
        return Vec::new();
    }
    let Some(root) = shape_of(document, reader, request.surroundings()) else { return Vec::new() };
    let text = document.syntax().text();
    let offers = wanted.filter_map(|finding| {
        if let Some(fix) = scalar_without_key(document, root, &text, finding, proof) {
            return Some(fix);
        }
        let here = || Block::at(document, root, &text, finding.range.start, 0);
        let tried = match finding.code {
            Code::YamlSyntax => {
                let block = here()
                    .or_else(|| Block::at(document, root, &text, next_line(document, finding.range.end)?, 0));
                let further = || Block::at(document, root, &text, finding.range.start, STEP);
                block
                    .map(|block| block.candidates())
                    .filter(|tried| !tried.is_empty())
                    .or_else(|| Some(further()?.candidates()))?
            }
            Code::DecodeType | Code::ResourceType => first_line(document, root, &text, finding, proof),
            _ => match Block::block_at(document, root, &text, finding.range) {
                Some(block) => block.candidates(),
                None => here().filter(|_| is_first_unknown(document, root, finding.range))?.candidates(),
            },
        };
        let is_of_type = matches!(finding.code, Code::DecodeType | Code::ResourceType);
        let mut tried = tried.into_iter();
        let (title, edits) = tried.find(|(_, edits)| {
            proof.reduces(finding.code, edits) || is_of_type && restores_item(finding.code, edits, proof)
        })?;
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    });
    offers.collect()
}

/// Adds the key of a value on its own line, with or without its colon: the only field that can have the value, or
/// that leaves the fewest findings.
fn scalar_without_key(
    document: Document<'_>,
    root: Shape<'_>,
    text: &str,
    finding: &Finding,
    proof: &mut Proof,
) -> Option<Fix> {
    let start = (finding.code == Code::YamlSyntax).then_some(finding.range.start)?;
    let (before, behind) = text.split_at_checked(start.checked_sub(document.range().start)? as usize)?;
    let line = behind.lines().next()?.trim_end();
    let own = before.get(before.rfind('\n')? + 1..).filter(|indent| indent.trim().is_empty())?.len();
    let value = line.strip_prefix(':').unwrap_or(line).trim_start();
    let is_word = value.starts_with(|first: char| first.is_ascii_alphabetic())
        && value.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter));
    let (holder, path) = holder(document, start, own + 1, false)?;
    if !is_word || holder.as_mapping()?.column()? != own {
        return None;
    }
    let members = shape_at(root, &path)?.members();
    // A word may also be a key without its value.
    if line == value && members.iter().any(|member| member.name == value) {
        return None;
    }
    let tree = Tree::parse(value);
    let scalar = tree.documents().next().and_then(Document::root)?;
    let free = members.into_iter().filter(|member| {
        member.is_named && own_entry(holder, &member.name).is_none() && fits(member.shape, scalar)
    });
    let mut left: Vec<(usize, Fix)> = Vec::new();
    for member in free.take(MOST_KEYS) {
        let title = format!("Add `{}:` before `{value}`", member.name);
        let length = (line.len() - value.len()) as TextSize;
        let edit = TextEdit::replace(TextRange::at(start, length), format!("{}: ", member.name));
        let fix = Fix::suggested(title, vec![edit], finding.code, finding.range);
        if let Some(count) = proof.all_remaining(&fix.edits) {
            left.push((count, fix));
        }
    }
    left.sort_by_key(|(count, _)| *count);
    let is_only = left.len() < 2 || left.first().map(|one| one.0) < left.get(1).map(|one| one.0);
    left.into_iter().next().map(|(_, fix)| fix).filter(|_| is_only)
}

/// Whether the key at `range` is the first one that does not belong to its object: later ones belong to the
/// same block.
fn is_first_unknown(document: Document<'_>, root: Shape<'_>, range: TextRange) -> bool {
    let before = || {
        let (mapping, entry) = entry_at(document, range)?;
        let (own, start) = (mapping.as_mapping()?.column()?, entry.range().start);
        let (_, path) = holder(document, start, own + 1, false)?;
        let before = mapping.as_mapping()?.entry_before(start.checked_sub(1)?)?;
        Some(shape_at(root, &path)?.member(&before.key_text()?).is_some())
    };
    before().unwrap_or_default()
}

/// The beginning of the text on the line after the one of `at`.
fn next_line(document: Document<'_>, at: TextSize) -> Option<TextSize> {
    let rest = text_of(document.syntax(), TextRange::new(at, document.range().end.min(at + MOST)));
    let (line, behind) = rest.split_once('\n')?;
    let blank = text::indentation(behind);
    Some(at + (line.len() + 1 + blank) as TextSize)
}

/// The innermost mapping before `start` whose keys are to the left of the column `own`, with the path to it.
/// The dashes of a list may be in the column of the keys.
fn holder<'t>(
    document: Document<'t>,
    start: TextSize,
    own: usize,
    is_list: bool,
) -> Option<(Value<'t>, Vec<Step>)> {
    let (mut path, mut found) = (Vec::new(), None);
    for value in values_to(document, start) {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let is_left = |column| column < own || is_list && column == own;
                if mapping.column().is_some_and(is_left) {
                    found = Some((value, path.len()));
                }
                let key = mapping.entry_before(start).and_then(yaml::Entry::key_text);
                let Some(key) = key else { break };
                path.push(Step::Name(key.into_owned()));
            }
            ValueKind::Sequence(_) => path.push(Step::Index),
            _ => break,
        }
    }
    let (value, length) = found?;
    path.truncate(length);
    Some((value, path))
}

#[cfg(test)]
mod tests;
