//! Links out of a text: from the kind of a resource to its definition, and addresses in definitions.

use crd::object::definitions;
use text::{TextRange, TextSize};
use yaml::{Entry, Reader, Value, ValueKind};

use crate::OtherSource;
use crate::analysis::resources::place::{Resource, View};

/// The maximum number of links in a text.
const MOST: usize = 1_000;

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    /// The range of the link's text, in bytes.
    pub range: TextRange,
    /// The target of the link.
    pub target: LinkTarget,
}

/// The target of a link.
#[derive(Clone, Debug)]
pub enum LinkTarget {
    /// A range in another text, in bytes.
    Text(OtherSource, TextRange),
    /// A web address.
    Address(String),
}

pub(crate) fn links(view: View<'_>) -> Vec<Link> {
    let mut links = Vec::new();
    for document in view.tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            addresses(definition.value(), &mut links);
        }
        for resource in Resource::all(document, &reader, view.surroundings, |_| true) {
            let Some(kind) = resource.value.as_mapping().and_then(|object| reader.entry(object, "kind"))
            else {
                continue;
            };
            let definition = &resource.definition;
            let target = LinkTarget::Text(definition.other_source(), definition.known.kind_range);
            links.push(Link { range: kind.value().range(), target });
        }
        if links.len() >= MOST {
            break;
        }
    }
    links.truncate(MOST);
    links
}

/// Addresses in descriptions and in `externalDocs`. It descends in a loop.
fn addresses(root: Value<'_>, links: &mut Vec<Link>) {
    let mut pending = vec![root];
    while let Some(value) = pending.pop() {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                for entry in mapping.entries().rev() {
                    pending.push(entry.value());
                    in_prose(entry, links);
                }
            }
            ValueKind::Sequence(sequence) => pending.extend(sequence.items().rev().map(|item| item.value())),
            _ => {}
        }
    }
    links.sort_by_key(|link| link.range.start);
}

fn in_prose(entry: Entry<'_>, links: &mut Vec<Link>) {
    if !matches!(entry.key_text().as_deref(), Some("description" | "url")) {
        return;
    }
    let Some(scalar) = entry.value().as_scalar() else { return };
    let text = scalar.token().text;
    for (at, _) in text.match_indices("http") {
        let rest = text.get(at..).unwrap_or_default();
        if !rest.starts_with("https://") && !rest.starts_with("http://") {
            continue;
        }
        let ends = |char: char| {
            char.is_whitespace() || matches!(char, '"' | '\'' | '<' | '>' | '`' | ')' | ']' | '}')
        };
        let address = rest.split(ends).next().unwrap_or_default().trim_end_matches(['.', ',', ';', ':']);
        let range = TextRange::at(scalar.token().start + at as TextSize, address.len() as TextSize);
        links.push(Link { range, target: LinkTarget::Address(address.to_owned()) });
    }
}
