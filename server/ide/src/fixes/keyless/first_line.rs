//! The first line of an item, which has its dash.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Entry, Reader, Tree};

use super::{STEP, holder};
use crate::Finding;
use crate::analysis::headless_list::HeadlessList;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::missing_key::{fits, shape_at, shape_of};
use crate::analysis::resources::{Member, Shape};
use crate::analysis::values::{newline, own_entry, string};
use crate::fixes::proof::Proof;

/// A text, and an expression of a rule.
const PLACEHOLDER: &str = "'true'";
/// The name for a version without a name.
const FIRST_VERSION: &str = "v1";

/// The lines that begin the first item of the list whose key has `finding`: its name, if it is known, or the dash
/// before its other lines.
pub(super) fn first_line(
    document: Document<'_>,
    root: Shape<'_>,
    text: &str,
    finding: &Finding,
    proof: &mut Proof,
) -> Vec<(String, Vec<TextEdit>)> {
    let Some(list) = HeadlessList::of(document, finding) else { return Vec::new() };
    let item = || {
        let (_, path) = holder(document, list.entry.range().start, list.item.column()?, false)?;
        shape_at(root, &path)?.member(&list.entry.key_text()?)?.shape.item()
    };
    let mut own = list.own_entries();
    let is_field = |item: Shape<'_>, entry: Entry<'_>| {
        entry.key_text().and_then(|key| item.member(&key)).is_some_and(|member| member.is_named)
    };
    let (Some(first), Some(column)) = (own.next(), list.item.column()) else { return Vec::new() };
    if !item().is_some_and(|item| is_field(item, first) && own.all(|entry| is_field(item, entry))) {
        return Vec::new();
    }
    let start = first.range().start;
    let named = (finding.code == Code::DecodeType).then(|| likely_name(list.entry)).flatten().map(|name| {
        let line = format!("{}- name: {name}{}", " ".repeat(column - STEP), newline(text));
        let title = format!("Add `- name: {name}` above this line");
        (title, vec![TextEdit::insert(start - column as TextSize, line)])
    });
    let dash = first.key_text().map(|key| {
        let before = TextRange::new(start - STEP as TextSize, start);
        (format!("Add `-` before `{key}`"), vec![TextEdit::replace(before, "- ")])
    });
    // A complete object becomes the only item by another fix.
    let dash = dash.filter(|(_, edits)| list.next.is_some() || !proof.reduces(finding.code, edits));
    named.into_iter().chain(dash).collect()
}

/// The edit that adds the first line of the item in place of the list that has `finding`, with all missing required
/// texts. It shows the consequences of the lost line, and no fix offers it, because the text of that line is unknown.
pub(in crate::fixes) fn completed_item(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    finding: &Finding,
) -> Option<Vec<TextEdit>> {
    let list = HeadlessList::of(document, finding).filter(|list| list.next.is_some())?;
    let reader = Reader::new(document);
    let root = shape_of(document, &reader, inputs.surroundings)?;
    let column = list.item.column()?;
    let (_, path) = holder(document, list.entry.range().start, column, false)?;
    let item = shape_at(root, &path)?.member(&list.entry.key_text()?)?.shape.item()?;
    let placeholder = Tree::parse(PLACEHOLDER);
    let text = placeholder.documents().next().and_then(Document::root)?;
    let is_missing = |member: &Member<'_>| {
        let is_it = |entry: Entry<'_>| entry.key_text().is_some_and(|key| key == member.name);
        member.required && fits(member.shape, text) && !list.own_entries().any(is_it)
    };
    let missing = item.members().into_iter().filter(is_missing);
    let lines: Vec<String> = missing.map(|member| format!("{}: {PLACEHOLDER}", member.name)).collect();
    if lines.is_empty() {
        return None;
    }
    let between = format!("\n{}", " ".repeat(column));
    let start = list.item.range().start;
    let before = TextRange::new(start.checked_sub(STEP as TextSize)?, start);
    let edit = TextEdit::replace(before, format!("- {}{between}", lines.join(&between)));
    Some(vec![edit])
}

/// Whether `edits` remove the finding with `code` and its consequences. The item may then still miss the field of the
/// lost line, which `Proof::reduces` does not admit.
pub(super) fn restores_item(code: Code, edits: &[TextEdit], proof: &mut Proof) -> bool {
    let removed = proof.removed(edits);
    removed.len() > 1 && removed.iter().any(|(removed, _)| *removed == code)
}

/// The name of the first item of `list`, if it is missing: a version, or a column after the last part of its path.
fn likely_name(list: Entry<'_>) -> Option<String> {
    let item = list.value();
    match &*list.key_text().filter(|_| own_entry(item, "name").is_none())? {
        "versions" => Some(FIRST_VERSION.to_owned()),
        "additionalPrinterColumns" => {
            let path = string(own_entry(item, "jsonPath")?.value())?;
            let last = path.rsplit('.').next()?;
            let is_word = last.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let first = last.chars().next().filter(|_| is_word)?.to_ascii_uppercase();
            Some(format!("{first}{}", last.get(1..)?))
        }
        _ => None,
    }
}
