//! The defaults that the server will add, beside the object that lacks them.

use text::{TextRange, TextSize};
use yaml::{Reader, Tree, Value, ValueKind};

use crate::Hint;
use crate::analysis::resources::place::{Resource, View};
use crate::analysis::resources::shape::Shape;
use crate::analysis::text_at::line_of;
use crate::features::resources::explain::{default, flow, truncated};

/// The maximum number of defaults in one hint.
const MOST_NAMED: usize = 3;
/// The maximum number of characters of a default in a hint.
const LONGEST: usize = 30;
/// The maximum number of hints.
const MOST: usize = 500;

/// The defaults of the objects in resources that start within `range`, by position.
pub(crate) fn hints(view: View<'_>, range: TextRange) -> Vec<Hint> {
    let mut hints = Vec::new();
    for document in view.tree.documents().filter(|document| document.range().overlaps(range)) {
        let reader = Reader::new(document);
        let is_near = |value: Value<'_>| value.range().overlaps(range);
        for resource in Resource::all(document, &reader, view.surroundings, is_near) {
            // A separate stack, as text may be nested to any depth.
            let start = resource.value.range().start;
            let mut pending = vec![(resource.value, resource.shape(), start)];
            while let Some((value, shape, anchor)) = pending.pop() {
                if hints.len() >= MOST || !value.range().overlaps(range) {
                    continue;
                }
                match value.kind() {
                    ValueKind::Mapping(mapping) => {
                        let known = reader.entries(mapping);
                        let is_missing = |name: &str| {
                            !known.iter().any(|(key, _)| key == name) && !resource.drops(value, name)
                        };
                        hints.extend(hint(view.tree, shape, anchor, is_missing));
                        for entry in mapping.entries() {
                            let member = entry.key_text().and_then(|key| shape.member(&key));
                            let Some(member) = member else { continue };
                            let flow = mapping.is_flow() || entry.value().is_flow();
                            let anchor = if flow { entry.value().range().end } else { entry.key_range().end };
                            pending.push((entry.value(), member.shape, anchor));
                        }
                    }
                    ValueKind::Sequence(sequence) => {
                        let Some(shape) = shape.item() else { continue };
                        for item in sequence.items() {
                            let range = item.value().range();
                            let anchor = if item.value().is_flow() { range.end } else { range.start };
                            pending.push((item.value(), shape, anchor));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    hints.retain(|hint| range.touches(hint.offset));
    hints.sort_by_key(|hint| hint.offset);
    hints
}

/// The defaults that an object of that shape gets, as a hint at the end of the line of `anchor`.
fn hint(tree: &Tree, shape: Shape<'_>, anchor: TextSize, is_missing: impl Fn(&str) -> bool) -> Option<Hint> {
    let node = shape.schema().filter(|node| node.schema.has_defaults)?;
    let missing = node.schema.properties.iter().filter(|(name, _)| is_missing(name));
    let defaults: Vec<String> = missing
        .filter_map(|(name, child)| Some(format!("{name}: {}", flow(default(node.at(child))?))))
        .collect();
    if defaults.is_empty() {
        return None;
    }
    let line = line_of(tree.root(), TextRange::new(anchor, tree.len()));
    let mut named: Vec<String> =
        defaults.iter().take(MOST_NAMED).map(|one| truncated(one, LONGEST)).collect();
    if defaults.len() > MOST_NAMED {
        named.push(format!("{} more", defaults.len() - MOST_NAMED));
    }
    Some(Hint {
        offset: anchor + line.trim_end().len() as TextSize,
        label: format!("by default {}", named.join(", ")),
        tooltip: format!("kube-apiserver fills in:\n\n```yaml\n{}\n```", defaults.join("\n")),
    })
}
