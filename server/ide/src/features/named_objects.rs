//! The named objects of a workspace: definitions, their versions and properties, and resources.

use crd::object::{CustomResourceDefinition, definitions};
use crd::schema::{Keyword, Schema};
use text::TextRange;
use yaml::{Document, Reader, Tree, Value};

use crate::Catalog;
use crate::analysis::kinds::{Kind, objects};

/// The maximum number of schemas that are searched for properties, and their maximum depth.
const MOST_SCHEMAS: usize = 50_000;
const DEEPEST: usize = 64;

/// A named object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedObject {
    /// The name: a kind, a kind with its version, or that of a resource.
    pub name: String,
    /// Its container: a group, or for a resource its kind, with its namespace in parentheses.
    pub container: String,
    /// Its kind.
    pub kind: NamedKind,
    /// The range of the name, in bytes.
    pub range: TextRange,
}

/// The kind of a named object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamedKind {
    /// A definition, by its kind.
    Definition,
    /// A version of a definition.
    Version,
    /// A resource whose kind is defined.
    Resource,
    /// A property that a version declares.
    Property,
}

/// The words that a user types to find a name. The letters of each word must occur in the name or in its
/// container, in order, possibly with others between them, in upper or lower case.
#[derive(Clone, Debug)]
pub struct Query {
    words: Vec<String>,
}

impl Query {
    /// The minimum number of letters for which properties are searched.
    pub const LETTERS_OF_PROPERTY: usize = 3;

    /// The words of `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { words: text.split_whitespace().map(str::to_lowercase).collect() }
    }

    /// The number of letters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.chars().count()).sum()
    }

    /// Whether it has no word; then it finds everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Its words, in lower case.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The same without words that are version names, such as `v1beta1`.
    fn without_versions(&self) -> Self {
        let is_version = |word: &str| {
            word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()))
        };
        Self { words: self.words.iter().filter(|word| !is_version(word)).cloned().collect() }
    }

    /// Whether it finds `name` in `container`.
    #[must_use]
    pub fn finds(&self, name: &str, container: &str) -> bool {
        let text = format!("{name} {container}").to_lowercase();
        self.words.iter().all(|word| {
            let mut letters = text.chars();
            word.chars().all(|wanted| letters.any(|letter| letter == wanted))
        })
    }

    /// Whether it finds a property with that name and container. As there are many properties, the letters
    /// must be consecutive.
    fn finds_property(&self, name: &str, container: &str) -> bool {
        let (name, container) = (name.to_lowercase(), container.to_lowercase());
        let is_there = |word: &String| name.contains(word.as_str()) || container.contains(word.as_str());
        let is_named = self.words.iter().any(|word| name.contains(word.as_str()));
        self.len() >= Self::LETTERS_OF_PROPERTY && is_named && self.words.iter().all(is_there)
    }

    /// Whether `name` begins with the first word, as most wanted names do.
    #[must_use]
    pub fn begins(&self, name: &str) -> bool {
        self.words.first().is_some_and(|word| name.to_lowercase().starts_with(word.as_str()))
    }
}

impl Catalog {
    /// The sources with definitions or versions that `query` finds, without those of servers.
    pub fn sources_with<'c>(&'c self, query: &'c Query) -> impl Iterator<Item = &'c str> {
        // The catalog lacks the versions that are not served.
        let without_version = query.without_versions();
        self.written_sources()
            .filter(move |(_, definitions)| {
                definitions.names().any(|(group, kind, _)| without_version.finds(kind, group))
            })
            .map(|(source, _)| source)
    }
}

/// The objects that `query` finds in `text`, in the order of the text. Only resources whose kinds are in
/// `catalog` are found.
#[must_use]
pub fn find_named(text: &str, catalog: &Catalog, query: &Query) -> Vec<NamedObject> {
    let tree = Tree::parse(text);
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in &definitions(document, &reader) {
            add_definition(definition, &mut all);
        }
        add_resources(document, &reader, catalog, &mut all);
    }
    all.retain(|one| query.finds(&one.name, &one.container));
    if query.len() >= Query::LETTERS_OF_PROPERTY {
        for document in tree.documents() {
            let reader = Reader::new(document);
            for definition in &definitions(document, &reader) {
                add_properties(definition, query, &mut all);
            }
        }
    }
    all
}

/// A schema to be visited: its path, its value and its depth.
type PendingSchema<'t> = (String, Value<'t>, usize);

/// Adds the properties of all versions that `query` finds.
fn add_properties<'t>(
    definition: &CustomResourceDefinition<'_, 't>,
    query: &Query,
    all: &mut Vec<NamedObject>,
) {
    let text = |names: &[&str]| Some(definition.field(names)?.as_scalar()?.as_str()?.into_owned());
    let Some(kind) = text(&["spec", "names", "kind"]) else { return };
    let versions: Vec<Option<String>> =
        definition.versions().map(|version| version.name().map(|name| name.into_owned())).collect();
    let mut seen = 0;
    for place in definition.schemas() {
        let version = place.version.and_then(|index| versions.get(index)?.clone()).unwrap_or_default();
        let mut pending: Vec<PendingSchema<'t>> = vec![(String::new(), place.value, 0)];
        while let Some((path, value, depth)) = pending.pop() {
            // Aliases are skipped, as their values may contain themselves.
            let schema =
                (depth < DEEPEST && seen < MOST_SCHEMAS).then(|| Schema::read(value, definition.reader()));
            let Some(schema) = schema.flatten() else { continue };
            seen += 1;
            for keyword in [Keyword::Items, Keyword::AdditionalProperties] {
                pending.extend(schema.get(keyword).map(|below| (path.clone(), below, depth + 1)));
            }
            for (name, entry) in schema.members(Keyword::Properties).entries {
                let path = format!("{path}.{name}");
                let container = version_name(&kind, &version) + " " + &path;
                if query.finds_property(&name, &container) {
                    all.push(NamedObject {
                        name: name.to_string(),
                        container,
                        kind: NamedKind::Property,
                        range: entry.key_range(),
                    });
                }
                pending.push((path, entry.value(), depth + 1));
            }
        }
    }
}

fn version_name(kind: &str, version: &str) -> String {
    format!("{kind} {version}")
}

fn add_definition(definition: &CustomResourceDefinition<'_, '_>, all: &mut Vec<NamedObject>) {
    let text = |names: &[&str]| {
        let value = definition.field(names)?;
        Some((value.as_scalar()?.as_str()?.into_owned(), value.range()))
    };
    let (Some((group, _)), Some((kind, range))) =
        (text(&["spec", "group"]), text(&["spec", "names", "kind"]))
    else {
        return;
    };
    for version in definition.versions() {
        let (Some(name), Some(value)) = (version.name(), version.member("name")) else { continue };
        all.push(NamedObject {
            name: version_name(&kind, &name),
            container: group.clone(),
            kind: NamedKind::Version,
            range: value.range(),
        });
    }
    all.push(NamedObject { name: kind, container: group, kind: NamedKind::Definition, range });
}

fn add_resources(document: Document<'_>, reader: &Reader<'_>, catalog: &Catalog, all: &mut Vec<NamedObject>) {
    for (_, object, Kind { group, kind, .. }) in objects(document, reader) {
        if !catalog.knows(&group, &kind) {
            continue;
        }
        let text = |name| {
            let metadata = reader.entry(object.as_mapping()?, "metadata")?.value();
            let value = reader.entry(reader.follow(metadata)?.as_mapping()?, name)?.value();
            let text = reader.follow(value).and_then(Value::as_scalar)?.as_str()?.into_owned();
            Some((text, value.range()))
        };
        let Some((name, range)) = text("name") else { continue };
        let namespace = text("namespace").map(|(namespace, _)| format!(" ({namespace})")).unwrap_or_default();
        let container = format!("{kind}.{group}{namespace}");
        all.push(NamedObject { name, container, kind: NamedKind::Resource, range });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;

    use crate::features::named_objects::{NamedKind, NamedObject, Query, find_named};
    use crate::{Catalog, Definitions};

    const TEXT: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gizmos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gizmo, plural: gizmos}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: example.com/v1
kind: Gizmo
metadata: {name: left-pad, namespace: tools}
---
apiVersion: v1
kind: List
items:
- {apiVersion: example.com/v1, kind: Gizmo, metadata: {name: right-pad}}
- {apiVersion: other.example.com/v1, kind: Gizmo, metadata: {name: other-pad}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: left-pad}
";

    fn found_names(query: &str) -> Vec<(String, String, NamedKind)> {
        let source: Arc<str> = "/a.yaml".into();
        let definitions = Definitions::read(&source, TEXT, Definitions::load_kept(TEXT));
        let catalog = Catalog::default().with([(Arc::clone(&source), definitions)]);
        let query = Query::new(query);
        let found = find_named(TEXT, &catalog, &query);
        for one in &found {
            let written = TEXT.get(one.range.as_usize()).unwrap();
            assert!(one.name.ends_with(written), "{one:?} stands at `{written}`");
        }
        let has_definition = found.iter().any(|one| one.kind != NamedKind::Resource);
        assert_eq!(catalog.sources_with(&query).next().is_some(), has_definition);
        found
            .into_iter()
            .map(|NamedObject { name, container, kind: what, .. }| (name, container, what))
            .collect()
    }

    fn names(query: &str) -> Vec<String> {
        found_names(query).into_iter().map(|(name, ..)| name).collect()
    }

    #[test]
    fn definitions_versions_and_resources_have_names() {
        let one = |name: &str, container: &str, what| (name.to_owned(), container.to_owned(), what);
        assert_eq!(
            found_names(""),
            [
                one("Gizmo v1", "example.com", NamedKind::Version),
                one("Gizmo v1beta1", "example.com", NamedKind::Version),
                one("Gizmo", "example.com", NamedKind::Definition),
                one("left-pad", "Gizmo.example.com (tools)", NamedKind::Resource),
                one("right-pad", "Gizmo.example.com", NamedKind::Resource),
            ]
        );
    }

    #[test]
    fn a_query_has_letters_of_the_name_in_their_order() {
        assert_eq!(names("LFTPD"), ["left-pad"]);
        assert_eq!(names("gizmo v1b"), ["Gizmo v1beta1"]);
        assert_eq!(names("tools"), ["left-pad"]);
        assert_eq!(names("tfel"), Vec::<String>::new());
    }
}
