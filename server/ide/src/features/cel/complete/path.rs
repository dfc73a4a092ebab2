//! The steps of a `fieldPath`.

use std::ops::Range;

use crd::cel::SchemaNode;
use crd::rules::RuleView;
use yaml::Tree;

use crate::features::cel::complete::item::{CompletionKind, ProposalDraft, ProposalList};
use crate::features::cel::field_text::InsertedPiece;
use crate::features::cel::wording::declared_name;
use crate::features::hover;

/// Proposes the properties of the value that the steps before the last one lead to.
pub(super) fn complete(tree: &Tree, view: &RuleView<'_>, before: &str, items: &mut ProposalList<'_>) {
    let start = before.rfind(['.', '[']).unwrap_or(0);
    let Some(node) = view.itself().and_then(|itself| follow(itself, before.get(..start)?)) else { return };
    items.replace(before.len() - start, 0);
    let required = &node.schema.value_validation.required;
    for (name, child) in &node.schema.properties {
        let step = step(name);
        let is_required = required.iter().any(|(required, _)| required == name);
        let escaped = cel::declarations::escape(name);
        let below = escaped.and_then(|name| node.field(&name));
        let of = below
            .map_or_else(|| child.node.generic.type_name.to_string(), |node| declared_name(node.decl_type));
        items.push(ProposalDraft {
            kind: CompletionKind::Field,
            rank: 0,
            label: &step,
            detail: if is_required { format!("{of}, required") } else { of },
            documentation: hover::schema_text(tree, child.key.shifted(node.base).start).unwrap_or_default(),
            pieces: vec![InsertedPiece::Text(step.clone().into())],
        });
    }
}

/// The schema node at the end of `path`; `None` if there is none.
fn follow<'s>(itself: SchemaNode<'s>, path: &str) -> Option<SchemaNode<'s>> {
    steps(path)?.into_iter().try_fold(itself, |node, (name, _)| {
        if node.schema.properties.contains_key(name) {
            return node.field(&cel::declarations::escape(name)?);
        }
        node.element().filter(|_| &*node.schema.generic.type_name == "object")
    })
}

/// The names in `path`, each with the byte range of its step; `None` if `path` is malformed.
pub(crate) fn steps(path: &str) -> Option<Vec<(&str, Range<usize>)>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let start = path.len() - rest.len();
        let name;
        if let Some(quoted) = rest.strip_prefix("['") {
            (name, rest) = quoted.split_once("']")?;
        } else {
            let behind = rest.strip_prefix('.')?;
            let end = behind.find(['.', '[']).unwrap_or(behind.len());
            (name, rest) = behind.split_at_checked(end)?;
        }
        steps.push((name, start..path.len() - rest.len()));
    }
    Some(steps)
}

/// `.name`, or `['name']` if the name is empty or has special characters.
pub(crate) fn step(name: &str) -> String {
    match name.contains(['.', '[', ']', '\'']) || name.is_empty() {
        true => format!("['{}']", name.replace('\\', "\\\\").replace('\'', "\\'")),
        false => format!(".{name}"),
    }
}
