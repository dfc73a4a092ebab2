//! The steps of a `fieldPath`.

use crd::cel::{RuleView, SchemaNode};
use yaml::Tree;

use super::item::{CompletionKind, Item, Items};
use crate::cel::words::declared_name;
use crate::cel::written::Piece;
use crate::features;

/// Proposes the properties of what the steps before the last one lead to.
pub(super) fn complete(tree: &Tree, view: &RuleView<'_>, before: &str, items: &mut Items<'_>) {
    let start = before.rfind(['.', '[']).unwrap_or(0);
    let Some(node) = view.itself().and_then(|itself| follow(itself, before.get(..start)?)) else { return };
    items.replace(before.len() - start, 0);
    let required = &node.schema.value_validation.required;
    for (name, child) in &node.schema.properties {
        let step = step(name);
        let is_required = required.iter().any(|(required, _)| required == name);
        let escaped = cel::declarations::escape(name);
        let below = escaped.and_then(|name| node.field(&name));
        let of =
            below.map_or_else(|| child.node.generic.type_name.to_string(), |node| declared_name(node.of));
        items.push(Item {
            kind: CompletionKind::Field,
            rank: 0,
            label: &step,
            detail: if is_required { format!("{of}, required") } else { of },
            documentation: features::schema_text(tree, child.key.shifted(node.base).start)
                .unwrap_or_default(),
            pieces: vec![Piece::Text(step.clone().into())],
        });
    }
}

/// Where the steps in `path` lead; none where they lead nowhere.
fn follow<'s>(itself: SchemaNode<'s>, path: &str) -> Option<SchemaNode<'s>> {
    let mut node = itself;
    let mut rest = path;
    while !rest.is_empty() {
        let name;
        if let Some(quoted) = rest.strip_prefix("['") {
            (name, rest) = quoted.split_once("']")?;
        } else {
            let behind = rest.strip_prefix('.')?;
            let end = behind.find(['.', '[']).unwrap_or(behind.len());
            (name, rest) = behind.split_at_checked(end)?;
        }
        node = match node.schema.properties.contains_key(name) {
            true => node.field(&cel::declarations::escape(name)?)?,
            false => node.element().filter(|_| &*node.schema.generic.type_name == "object")?,
        };
    }
    Some(node)
}

/// `.name`, or `['name']` where a name with special characters asks for it.
fn step(name: &str) -> String {
    match name.contains(['.', '[', ']', '\'']) || name.is_empty() {
        true => format!("['{}']", name.replace('\\', "\\\\").replace('\'', "\\'")),
        false => format!(".{name}"),
    }
}
