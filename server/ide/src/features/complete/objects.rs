//! Whole objects, for an empty document.

use std::cmp::Reverse;

use crd::OtherText;

use super::skeleton::{self, InsertionPoint};
use super::{ProposalDraft, ProposalList, Request};
use crate::analysis::kinds::Kind;
use crate::analysis::resources::{Member, SchemaNode, Shape};
use crate::analysis::version_name::VersionName;
use crate::features::cel::{CompletionKind, InsertedPiece};
use crate::features::indent::Layout;

/// The version and kind of definitions.
pub(super) const DEFINITIONS: (&str, &str) = ("apiextensions.k8s.io/v1", "CustomResourceDefinition");
/// The rank, before keys.
const RANK: u8 = 0;
/// The maximum number of kinds whose schemas are read: most kinds of a workspace are never needed.
const MOST_SCHEMAS: usize = 16;

/// Proposes an object of each kind whose name matches `typed`, with its lines indented by `columns`.
pub(super) fn propose(request: &Request<'_, '_>, typed: &str, columns: usize, items: &mut ProposalList<'_>) {
    let mut names: Vec<_> =
        names(request).into_iter().filter(|(_, kind)| matches_letters(kind, typed)).collect();
    // The newest version of a kind comes first.
    names.sort_by_key(|(version, kind)| {
        let own = version.rsplit('/').next().and_then(VersionName::parse);
        (kind.clone(), Reverse(own.map(VersionName::maturity)), version.clone())
    });
    let reads_schemas = names.len() <= MOST_SCHEMAS;
    let is_json = request.is_json_file();
    let column = if is_json { Layout::default().step } else { 0 };
    for (version, kind) in names {
        let is_definition = (&*version, &*kind) == DEFINITIONS;
        let is_draft = !is_definition && !reads_schemas;
        let point =
            InsertionPoint { column, in_flow: is_json, is_json, layout: Layout::default(), draft: None };
        let known = || reads_schemas.then(|| members(request, &version, &kind, point)).flatten();
        let pieces = match is_definition {
            true if is_json => in_json(&version, &kind, None),
            true => definition(),
            false if is_json => in_json(&version, &kind, known()),
            false => in_yaml(&version, &kind, known()),
        };
        let pieces: Vec<InsertedPiece> = pieces.into_iter().map(|piece| indented(piece, columns)).collect();
        let text: String = pieces.iter().map(InsertedPiece::text).collect();
        let item = items.add(ProposalDraft {
            label: kind.clone(),
            kind: CompletionKind::Object,
            rank: RANK,
            detail: String::new(),
            documentation: String::new(),
            pieces,
        });
        if let Some(item) = item {
            item.text = text;
            item.belongs_to = version;
            item.filter = Some(kind);
            item.is_draft = is_draft;
        }
    }
}

fn indented(piece: InsertedPiece, columns: usize) -> InsertedPiece {
    match piece {
        InsertedPiece::Text(text) if columns > 0 => {
            InsertedPiece::Text(text.replace('\n', &format!("\n{:columns$}", "")).into())
        }
        other => other,
    }
}

/// Whether `kind` has the letters of `typed` in their order.
fn matches_letters(kind: &str, typed: &str) -> bool {
    let mut letters = kind.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

/// All known versions and kinds: `example.com/v1` and `Widget`.
pub(super) fn names(request: &Request<'_, '_>) -> Vec<(String, String)> {
    let surroundings = request.view.surroundings;
    let mut names: Vec<_> = surroundings
        .catalog
        .names_in(&surroundings.source)
        .flat_map(|(group, kind, versions)| {
            versions.iter().map(move |version| (format!("{group}/{version}"), kind.to_owned()))
        })
        .collect();
    names.push((DEFINITIONS.0.to_owned(), DEFINITIONS.1.to_owned()));
    names.sort();
    names.dedup();
    names
}

fn type_lines(version: &str, kind: &str) -> Vec<InsertedPiece> {
    vec![
        InsertedPiece::Text(format!("apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: ").into()),
        InsertedPiece::Stop("name".into()),
    ]
}

/// An object of that kind, with `members` if they are known.
fn in_yaml(version: &str, kind: &str, members: Option<Vec<Vec<InsertedPiece>>>) -> Vec<InsertedPiece> {
    let mut pieces = type_lines(version, kind);
    let spec = || vec![vec![InsertedPiece::Text("spec:\n  ".into()), InsertedPiece::Stop("".into())]];
    for member in members.unwrap_or_else(spec) {
        pieces.push(InsertedPiece::Text("\n".into()));
        pieces.extend(member);
    }
    pieces
}

/// The same in JSON.
fn in_json(version: &str, kind: &str, members: Option<Vec<Vec<InsertedPiece>>>) -> Vec<InsertedPiece> {
    let text = |text: &'static str| InsertedPiece::Text(text.into());
    let head = format!(
        "{{\n  \"apiVersion\": \"{version}\",\n  \"kind\": \"{kind}\",\n  \"metadata\": {{\n    \"name\": \""
    );
    let mut pieces =
        vec![InsertedPiece::Text(head.into()), InsertedPiece::Stop("name".into()), text("\"\n  }")];
    let spec = || vec![vec![text("\"spec\": {"), InsertedPiece::Stop("".into()), text("}")]];
    for member in members.unwrap_or_else(spec) {
        pieces.push(text(",\n  "));
        pieces.extend(member);
    }
    pieces.push(text("\n}"));
    pieces
}

/// The required top-level fields of that kind, each key with its value; `None` if the schema is not known.
fn members(
    request: &Request<'_, '_>,
    api_version: &str,
    name: &str,
    point: InsertionPoint<'_>,
) -> Option<Vec<Vec<InsertedPiece>>> {
    let (group, version) = api_version.rsplit_once('/')?;
    let kind = Kind { group: group.to_owned(), version: version.to_owned(), kind: name.to_owned() };
    let surroundings = request.view.surroundings;
    let definition = surroundings.catalog.validating_definition(&kind, &surroundings.source)?;
    let version = definition.definition.versions.iter().find(|one| one.name == kind.version)?;
    let (schema, base) = version.schema.as_ref()?;
    let shape = Shape::Schema(SchemaNode::root(schema, *base, definition.loaded.text.buffer()));
    let is_wanted = |member: &Member<'_>| {
        let is_head = ["apiVersion", "kind", "metadata"].contains(&&*member.name);
        !is_head && (member.required || member.name == "spec")
    };
    let members = shape.members().into_iter().filter(is_wanted);
    Some(members.map(|member| skeleton::entry(shape, &member, point).pieces).collect())
}

/// A definition. It has no errors while its places are filled in letter by letter: each place holds a part of
/// a name that is valid from the first letter.
fn definition() -> Vec<InsertedPiece> {
    let text = |text: &'static str| InsertedPiece::Text(text.into());
    let kind = || InsertedPiece::Place(1, "Example".into());
    let plural = || InsertedPiece::Place(2, "examples".into());
    // The group must always have a dot.
    let group =
        || [InsertedPiece::Place(3, "example".into()), text("."), InsertedPiece::Place(4, "com".into())];
    let mut pieces = vec![
        text("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: "),
        plural(),
        text("."),
    ];
    pieces.extend(group());
    pieces.push(text("\nspec:\n  group: "));
    pieces.extend(group());
    pieces.push(text("\n  scope: Namespaced\n  names:\n    kind: "));
    pieces.push(kind());
    pieces.push(text("\n    plural: "));
    pieces.push(plural());
    pieces.push(text(
        "
  versions:
  - name: v1alpha1
    served: true
    storage: true
    subresources:
      status: {}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              ",
    ));
    pieces.push(InsertedPiece::Place(0, "".into()));
    pieces.push(text(
        "
          status:
            type: object",
    ));
    pieces
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{File, Settings};

    /// The text with `typed` in the first places, and the initial text in the others.
    fn filled(typed: &[&str]) -> String {
        let pieces = definition();
        let fill = |piece: &InsertedPiece| match piece {
            InsertedPiece::Place(number @ 1.., text) => {
                let typed = typed.get(usize::from(*number) - 1);
                typed.map_or_else(|| text.to_string(), |typed| (*typed).to_owned())
            }
            other => other.text().to_owned(),
        };
        pieces.iter().map(fill).collect()
    }

    #[test]
    fn a_definition_has_no_finding_while_it_is_filled_in() {
        let wanted = ["GadgetClass", "gadgetclasses", "acme-corp", "io"];
        let mut seen = 0;
        for place in 0..=wanted.len() {
            let all = wanted.get(place).copied().unwrap_or_default();
            for end in 0..=all.len() {
                let mut typed = wanted[..place].to_vec();
                // Before the first letter is typed, the initial text is still selected.
                typed.extend((end > 0).then(|| &all[..end]));
                let text = filled(&typed);
                let file = File::new(&text, &Settings::default());
                let found: Vec<_> =
                    file.findings().iter().map(|one| (one.code.as_str(), &one.message)).collect();
                // A name may not end with a dash, which makes it invalid while the dash is the last character.
                if !typed.last().is_some_and(|last| last.ends_with('-')) {
                    assert!(found.is_empty(), "{found:?} in {text}");
                }
                seen += 1;
            }
        }
        assert!(seen > 30);
    }
}
