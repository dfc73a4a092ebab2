//! Properties that Kubernetes APIs use, each with its schema.

mod table;

use api::FieldType;
use yaml::{Json, Value, ValueKind};

use super::skeleton::InsertionPoint;
use super::{ProposalDraft, ProposalList};
use crate::analysis::resources::{ResourcePlace, Shape, Target};
use crate::features::cel::{CompletionKind, InsertedPiece};
use table::{IDIOMS, Idiom, ObjectPart};

/// Sorted after properties that are declared elsewhere.
const RANK: u8 = 4;
/// The indentation of keys below a key in the table, in columns.
const WRITTEN_STEP: usize = 2;

/// Proposes properties for the `properties` at `place`, except those in `known`.
pub(super) fn propose(
    place: &ResourcePlace<'_, '_>,
    known: &[&str],
    point: InsertionPoint<'_>,
    items: &mut ProposalList<'_>,
) {
    // In braces, YAML has no usual layout.
    let Some(part) = part(place).filter(|_| !point.in_flow || point.is_json) else { return };
    let fitting = IDIOMS.iter().filter(|idiom| idiom.parts.contains(&part) && !known.contains(&idiom.name));
    for idiom in fitting {
        let item = items.add(ProposalDraft {
            label: idiom.name.to_owned(),
            kind: CompletionKind::Field,
            rank: RANK,
            detail: detail(idiom),
            documentation: format!("{}\n\n```yaml\n{}\n```", idiom.documentation, idiom.schema),
            pieces: pieces(idiom, point),
        });
        // The user types the name, not the schema.
        if let Some(item) = item.filter(|_| point.is_json) {
            item.filter = Some(format!("\"{}\"", idiom.name));
        }
    }
}

/// The part of an object that the `properties` at `place` describe; `None` if they belong to no schema.
fn part(place: &ResourcePlace<'_, '_>) -> Option<ObjectPart> {
    let is_map = matches!(place.shape, Shape::Api(FieldType::Map(schema)) if schema.is_schema());
    let mut path: Vec<&str> = place.path.segments().iter().filter_map(|step| step.key()).collect();
    if matches!(place.target, Target::Key(_)) {
        path.pop();
    }
    let [above @ .., "properties"] = &*path else { return None };
    let parents = above.iter().rev().take_while(|name| **name != "openAPIV3Schema");
    let parents: Vec<&str> = parents.copied().collect();
    let part = match &*parents {
        [] => ObjectPart::Root,
        [.., "status", "properties"] => ObjectPart::Status,
        _ => ObjectPart::Spec,
    };
    is_map.then_some(part)
}

fn detail(idiom: &Idiom) -> String {
    let ty = idiom.schema.lines().find_map(|line| line.strip_prefix("type: "));
    ty.unwrap_or("int-or-string").to_owned()
}

/// The property with its schema below it, indented for `point`; in JSON on the same line.
fn pieces(idiom: &Idiom, point: InsertionPoint<'_>) -> Vec<InsertedPiece> {
    if point.is_json {
        let tree = yaml::Tree::parse(idiom.schema);
        let schema = tree.documents().find_map(|document| document.root()).map(json).unwrap_or_default();
        let text = format!("\"{}\": {schema}", idiom.name);
        return vec![InsertedPiece::Text(text.into()), InsertedPiece::Stop("".into())];
    }
    let line_at = |steps: usize, line: &str| {
        format!("\n{:width$}{line}", "", width = point.column + steps * point.layout.step)
    };
    let mut text = format!("{}:", idiom.name);
    for line in idiom.schema.lines() {
        let inner = line.trim_start_matches(' ');
        text.push_str(&line_at(1 + (line.len() - inner.len()) / WRITTEN_STEP, inner));
    }
    if idiom.schema.ends_with(':') {
        text.push_str(&line_at(2, ""));
    }
    vec![InsertedPiece::Text(text.into()), InsertedPiece::Stop("".into())]
}

/// `value` as JSON on one line.
fn json(value: Value<'_>) -> String {
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            let member = |entry: yaml::Entry<'_>| {
                let name = entry.key_text().unwrap_or_default().into_owned();
                format!("{}: {}", Json::String(name), json(entry.value()))
            };
            format!("{{{}}}", mapping.entries().map(member).collect::<Vec<_>>().join(", "))
        }
        ValueKind::Sequence(list) => {
            format!("[{}]", list.items().map(|item| json(item.value())).collect::<Vec<_>>().join(", "))
        }
        ValueKind::Scalar(scalar) => match scalar.as_str() {
            Some(text) => Json::String(text.into_owned()).to_string(),
            None => scalar.text().into_owned(),
        },
        ValueKind::Alias(_) | ValueKind::Absent => "{}".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::features::indent::Layout;
    use crate::{File, Settings};

    /// Each idiom is a property without findings.
    #[test]
    fn each_idiom_is_without_findings() {
        let mut all = Vec::new();
        for idiom in IDIOMS {
            for part in idiom.parts {
                let text = definition(*part, idiom);
                let file = File::new(&text, &Settings::default());
                let found = file.findings().iter();
                all.extend(found.map(|one| format!("{} {part:?}: {} {}", idiom.name, one.code, one.message)));
            }
        }
        assert_eq!(all, [""; 0]);
    }

    fn definition(part: ObjectPart, idiom: &Idiom) -> String {
        let head = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
";
        let (parent, column) = match part {
            ObjectPart::Root => ("", 10),
            ObjectPart::Spec => ("          spec:\n            type: object\n            properties:\n", 14),
            ObjectPart::Status => {
                ("          status:\n            type: object\n            properties:\n", 14)
            }
        };
        let point =
            InsertionPoint { column, in_flow: false, is_json: false, layout: Layout::default(), draft: None };
        let pieces = pieces(idiom, point);
        let text: String = pieces.iter().map(InsertedPiece::text).collect();
        format!("{head}{parent}{:column$}{text}\n", "")
    }
}
