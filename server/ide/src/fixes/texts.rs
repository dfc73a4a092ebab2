//! Moves `title` and `description` from branches to the node.

use crd::schema::Keyword;
use yaml::ValueKind;
use yaml::edit::{NewEntry, NewValue};

use super::draft::{Draft, NodeChange};
use super::node::Node;
use super::occurrence::{Occurrence, covers};
use super::plan::Change;

const TEXTS: [Keyword; 2] = [Keyword::Title, Keyword::Description];

/// The maximum number of values of `enum` that identify a branch.
const MAX_NAMES: usize = 5;

/// Moves the texts of the branches to the node if it has none; otherwise converts them to comments.
pub(super) fn plan<'r, 't>(node: &Node<'r, 't>, safe: &mut Draft<'t>, suggested: &mut Vec<Draft<'t>>) {
    let described: Vec<&Occurrence<'r, 't>> = node
        .occurrences
        .iter()
        .filter(|other| TEXTS.iter().any(|keyword| has_keyword(other, *keyword)))
        .collect();
    if described.is_empty() {
        return;
    }
    let rest: Vec<Keyword> =
        TEXTS.into_iter().filter(|keyword| !hoisted(node, *keyword, &described, safe)).collect();
    if rest.is_empty() {
        return;
    }
    if rest.contains(&Keyword::Description) && !has_text(node) {
        return folded(node, &rest, &described, safe);
    }
    commented(&rest, &described, safe, suggested);
}

fn has_text(node: &Node<'_, '_>) -> bool {
    node.schema.string(Keyword::Description).is_some_and(|text| !text.is_empty())
}

fn has_keyword(occurrence: &Occurrence<'_, '_>, keyword: Keyword) -> bool {
    occurrence.schema.string(keyword).is_some_and(|text| !text.is_empty())
}

/// Moves `keyword` to the node if all branches with it have the same text, which is about the whole node.
/// Returns whether no branch has the keyword any more.
fn hoisted<'r, 't>(
    node: &Node<'r, 't>,
    keyword: Keyword,
    described: &[&Occurrence<'r, 't>],
    draft: &mut Draft<'t>,
) -> bool {
    let with_keyword: Vec<&Occurrence<'r, 't>> =
        described.iter().copied().filter(|occurrence| has_keyword(occurrence, keyword)).collect();
    let Some(first) = with_keyword.first() else { return true };
    let text = first.schema.string(keyword);
    if with_keyword.iter().any(|other| other.schema.string(keyword) != text) {
        return false;
    }
    let own = node.schema.string(keyword).filter(|own| !own.is_empty());
    let of_field = node.occurrences.iter().all(|occurrence| !occurrence.direct);
    match own {
        Some(own) if Some(&own) == text.as_ref() => {}
        None if of_field || covers(with_keyword.iter().copied()) => match node.schema.entry(keyword) {
            Some(entry) => {
                let Some(written) = first.schema.entry(keyword) else { return false };
                draft.changes.push(Change::Replace(entry.value(), NewValue::Copy(written.value())));
            }
            None => {
                let Some(copy) = first.schema.entry(keyword).and_then(NewEntry::copy) else { return false };
                draft.changes.push(Change::Insert(node.value(), copy));
            }
        },
        _ => return false,
    }
    for occurrence in with_keyword {
        Node::remove_from_branch(draft, occurrence, keyword);
        draft.record_move(&format!("`{}`", keyword.as_str()), occurrence.junctor);
    }
    true
}

/// Combines the texts of all branches into one description.
fn folded<'r, 't>(
    node: &Node<'r, 't>,
    keywords: &[Keyword],
    described: &[&Occurrence<'r, 't>],
    draft: &mut Draft<'t>,
) {
    let mut lines: Vec<String> = Vec::new();
    for occurrence in
        described.iter().filter(|other| keywords.iter().any(|keyword| has_keyword(other, *keyword)))
    {
        let line = line_of(occurrence, keywords);
        if !lines.contains(&line) {
            lines.push(line);
        }
        for keyword in keywords.iter().filter(|keyword| has_keyword(occurrence, **keyword)) {
            Node::remove_from_branch(draft, occurrence, *keyword);
            draft.record_move(&format!("`{}`", keyword.as_str()), occurrence.junctor);
        }
    }
    let text = match (lines.as_slice(), described) {
        ([_], [only, ..])
            if only.schema.string(Keyword::Description).as_deref() == lines.first().map(String::as_str) =>
        {
            // Keeps the original form.
            only.schema.entry(Keyword::Description).map(|entry| NewValue::Copy(entry.value()))
        }
        ([line], _) => Some(NewValue::Text(line.clone())),
        _ => {
            let items = lines.iter().map(|line| format!("- {}", line.replace('\n', "\n  ")));
            Some(NewValue::Text(items.collect::<Vec<_>>().join("\n")))
        }
    };
    if let Some(text) = text {
        node.add(draft, Keyword::Description, text);
    }
}

/// The description of a branch, after its title or the values that it is about.
fn line_of(occurrence: &Occurrence<'_, '_>, keywords: &[Keyword]) -> String {
    let text_of = |keyword: Keyword| {
        let text = occurrence.schema.string(keyword).filter(|_| keywords.contains(&keyword));
        text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let head = text_of(Keyword::Title).or_else(|| values_of(occurrence));
    match (head, text_of(Keyword::Description)) {
        (Some(head), Some(text)) => format!("{head}: {text}"),
        (Some(head), None) => head,
        (None, text) => text.unwrap_or_default(),
    }
}

fn values_of(occurrence: &Occurrence<'_, '_>) -> Option<String> {
    let mut values = Vec::new();
    for item in occurrence.schema.items(Keyword::Enum) {
        match item.value().kind() {
            ValueKind::Scalar(scalar) if values.len() < MAX_NAMES => values.push(scalar.text().into_owned()),
            _ => return None,
        }
    }
    (!values.is_empty()).then(|| values.join(", "))
}

/// Converts the texts to comments on their branches. Between braces, comments are not possible, so the texts
/// are removed.
fn commented<'r, 't>(
    keywords: &[Keyword],
    described: &[&Occurrence<'r, 't>],
    safe: &mut Draft<'t>,
    suggested: &mut Vec<Draft<'t>>,
) {
    let mut dropped = Draft::default();
    for occurrence in described {
        for keyword in keywords {
            let entry = occurrence.schema.entry(*keyword).filter(|_| has_keyword(occurrence, *keyword));
            let (Some(entry), Some(text)) = (entry, occurrence.schema.string(*keyword)) else { continue };
            let branches = format!("the branches of `{}`", occurrence.junctor.as_str());
            let path = occurrence.path.child(keyword.as_str()).to_string();
            if occurrence.schema.value().as_mapping().is_some_and(yaml::Mapping::is_flow) {
                dropped.changes.push(Change::Remove(occurrence.schema.value(), entry));
                dropped.paths.push(path);
                dropped.record(NodeChange::RemoveFrom(format!("`{}`", keyword.as_str()), branches.clone()));
            } else {
                let lines = text.trim().lines().map(str::to_owned).collect();
                safe.changes.push(Change::Comment(occurrence.schema.value(), entry, lines));
                safe.paths.push(path);
                safe.record(NodeChange::Change(format!(
                    "Convert `{}` of {branches} to comments",
                    keyword.as_str()
                )));
            }
        }
    }
    suggested.push(dropped);
}
