//! Definitions that are generated from another source, and the way back to it.
//!
//! The interface is the same for all sources. A client that reports a finding on a generated node asks for the node's
//! origins and shows the finding there. Go is the only source today ([`Outcome`]); `docs/architecture.md` describes the
//! results of kube-rs and fabric8.

mod origins;
mod rule_types;

use std::ops::Range;
use std::path::{Path, PathBuf};

use origins::OriginFinder;

use crate::generate::{GeneratedFile, Outcome};
use crate::json::Json;
use crate::load::{FileId, Place};
use crate::marker::{Data, Value};
use crate::schema::{Cause, FAILED, MISSING, RECURSIVE, Schema};
use crate::syntax::Span;

/// A generated file.
#[derive(Clone, Copy, Debug)]
pub struct Product<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its text.
    pub text: &'s str,
}

/// The kind of an origin's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginKind {
    /// The name under which a field is encoded.
    Name,
    /// The type of a field, or the right side of a type declaration.
    Type,
    /// An annotation that sets the keyword; in Go, a marker.
    Annotation,
    /// The declaration of the kind.
    Kind,
}

/// A token of the source that a node of a definition comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub path: PathBuf,
    /// The bytes of the token; for an annotation, the bytes of the relevant value.
    pub range: Range<usize>,
    /// The bytes of the token; for an annotation, the bytes of the whole annotation.
    pub whole: Range<usize>,
    /// The kind of token.
    pub token: OriginKind,
    /// Whether it is in a main module and not in a dependency.
    pub is_own: bool,
}

/// A source from which definitions are generated.
pub trait Source {
    /// The generated files.
    fn products(&self) -> Vec<Product<'_>>;

    /// The tokens that a node comes from, the closest first. `path` has the keys and indexes from the root of the definition
    /// to the node, such as `spec`, `versions`, `0`, `name`.
    fn origins(&self, product: &str, path: &[&str]) -> Vec<Origin>;

    /// Whether all types of a node are known, including those above and below it. Findings on other nodes are unreliable:
    /// they may follow from a missing type.
    fn are_types_known(&self, product: &str, path: &[&str]) -> bool;
}

impl Source for Outcome {
    fn products(&self) -> Vec<Product<'_>> {
        self.files.iter().map(|file| Product { name: &file.name, text: &file.text }).collect()
    }

    fn origins(&self, product: &str, path: &[&str]) -> Vec<Origin> {
        let Some(file) = self.files.iter().find(|file| file.name == product) else { return Vec::new() };
        let finder = OriginFinder { outcome: self };
        let mut origins = Vec::new();
        let kind = match path {
            ["spec", "versions", index, rest @ ..] => {
                let version = index.parse().ok().and_then(|index: usize| file.definition.versions.get(index));
                let Some(version) = version else { return origins };
                finder.of_version(version, rest, &mut origins);
                Some(version.place)
            }
            path => {
                finder.of_definition(&file.definition, path, &mut origins);
                file.definition.places.first().copied()
            }
        };
        origins.extend(kind.and_then(|place| finder.origin(place, OriginKind::Kind)));
        origins
    }

    fn are_types_known(&self, product: &str, path: &[&str]) -> bool {
        let Some(file) = self.files.iter().find(|file| file.name == product) else { return true };
        let versions = &file.definition.versions;
        // Few definitions lack a type.
        let is_complete = !misses_any_type(file);
        match path {
            ["spec", "versions", index, rest @ ..] => {
                let version = index.parse().ok().and_then(|index: usize| versions.get(index));
                version.is_none_or(|version| match rest {
                    ["name" | "served" | "storage" | "deprecated" | "deprecationWarning"] => true,
                    ["additionalPrinterColumns", column, ..] if !is_complete => {
                        let column = column.parse().ok().and_then(|at: usize| version.columns.get(at));
                        let path = column.and_then(|(fields, _)| fields.get("jsonPath"));
                        matches!(path, Some(Json::Text(path)) if has_known_types(&version.schema, path))
                    }
                    ["subresources", "scale", which] if !is_complete => {
                        let scale = version.subresources.as_ref().and_then(|all| all.scale.as_ref());
                        let path = scale.and_then(|(spec, status, selector)| match *which {
                            "specReplicasPath" => Some(spec),
                            "statusReplicasPath" => Some(status),
                            _ => selector.as_ref(),
                        });
                        path.is_some_and(|path| has_known_types(&version.schema, path))
                    }
                    ["schema", "openAPIV3Schema", rest @ ..]
                        if !is_complete && rule_types::reads_only_known(&version.schema, rest) =>
                    {
                        !has_failed(&version.schema, rest)
                    }
                    ["schema", "openAPIV3Schema", rest @ ..] => {
                        (is_complete || !has_missing_type(&version.schema, rest))
                            && !has_failed(&version.schema, rest)
                    }
                    _ => is_complete || !has_missing_type(&version.schema, &[]),
                })
            }
            ["spec", "group" | "names" | "scope", ..] => true,
            _ => is_complete,
        }
    }
}

/// Whether a definition lacks a type, determined once.
fn misses_any_type(file: &GeneratedFile) -> bool {
    let versions = &file.definition.versions;
    *file
        .has_missing_type
        .get_or_init(|| versions.iter().any(|version| has_missing_type(&version.schema, &[])))
}

/// Whether all types along the path of a column are known. Parts after a bracket are not examined.
fn has_known_types(schema: &Schema, path: &str) -> bool {
    let is_missing = |schema: &Schema| schema.causes.iter().any(|cause| cause.keyword == MISSING);
    let mut at = schema;
    for step in path.trim_matches(['{', '}']).split('.').filter(|step| !step.is_empty()) {
        let name = step.split('[').next().unwrap_or(step);
        match at.property(name) {
            _ if is_missing(at) => return false,
            Some(inner) if step.contains('[') => return !has_missing_type(inner, &[]),
            Some(inner) => at = inner,
            // The field does not exist, unless it comes from `allOf` or from a map.
            None => return at.all_of.is_empty() && at.additional().is_none(),
        }
    }
    !is_missing(at)
}

fn nth<'s>(schemas: &'s [Schema], at: &str) -> Option<&'s Schema> {
    schemas.get(at.parse::<usize>().ok()?)
}

/// Whether a type is missing along the path to a node, or in the node.
fn has_missing_type(schema: &Schema, path: &[&str]) -> bool {
    if schema.causes.iter().any(|cause| cause.keyword == MISSING) {
        return true;
    }
    let nth = |schemas: &'_ [Schema], at: &str, rest: &[&str]| {
        nth(schemas, at).is_some_and(|schema| has_missing_type(schema, rest))
    };
    match path {
        ["properties", name, rest @ ..] => {
            schema.property(name).is_some_and(|inner| has_missing_type(inner, rest))
        }
        ["items", rest @ ..] => schema.items.as_deref().is_some_and(|inner| has_missing_type(inner, rest)),
        ["additionalProperties", rest @ ..] => {
            schema.additional().is_some_and(|inner| has_missing_type(inner, rest))
        }
        ["allOf", at, rest @ ..] => nth(&schema.all_of, at, rest),
        ["anyOf", at, rest @ ..] => nth(&schema.any_of, at, rest),
        _ => schema.inner().any(|inner| has_missing_type(inner, &[])),
    }
}

impl GeneratedFile {
    /// Whether a type of the definition is missing, because a module is missing.
    #[must_use]
    pub fn has_missing_types(&self) -> bool {
        misses_any_type(self)
    }
}

impl Outcome {
    /// Whether no definition lacks a type. Modules may still be missing if only other packages need them.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.files.is_empty() && !self.files.iter().any(misses_any_type)
    }

    /// Whether a field with this name, at a node or below it, has an empty schema because of an error in its type, may be a
    /// field of an inlined type with an error, or has an error in its tag. A path outside of the schemas means the whole schema
    /// of its version.
    #[must_use]
    pub fn has_failed_field(&self, product: &str, path: &[&str], name: &str) -> bool {
        let Some(file) = self.files.iter().find(|file| file.name == product) else { return false };
        let (index, rest) = match path {
            ["spec", "versions", index, "schema", "openAPIV3Schema", rest @ ..] => (index, rest),
            ["spec", "versions", index, ..] => (index, &[] as &[&str]),
            _ => return false,
        };
        let version = index.parse().ok().and_then(|index: usize| file.definition.versions.get(index));
        let node = version.and_then(|version| nodes_along(&version.schema, rest).last());
        node.is_some_and(|node| {
            !self.problems.is_empty() && has_failed_field(node, name)
                || self.misnamed_fields(name).any(|field| self.is_within(node, field))
        })
    }

    /// Whether the Go type of a node, or of a node below it, contains a place.
    fn is_within(&self, node: &Schema, place: Place) -> bool {
        node.causes.iter().any(|cause| self.current_place(cause.place).contains(self.current_place(place)))
            || node.inner().any(|inner| self.is_within(inner, place))
    }

    /// The recursive field that contains a node, if the node is empty because a type contains itself; `None` for other
    /// nodes.
    #[must_use]
    pub fn recursive_field(&self, product: &str, path: &[&str]) -> Option<RecursiveField> {
        let file = self.files.iter().find(|file| file.name == product)?;
        let ["spec", "versions", index, "schema", "openAPIV3Schema", rest @ ..] = path else { return None };
        let version = index.parse().ok().and_then(|index: usize| file.definition.versions.get(index))?;
        let node = nodes_along(&version.schema, rest).last()?;
        node.causes.iter().any(|cause| cause.keyword == RECURSIVE).then_some(())?;
        let below = below_field(rest)?;
        let is_list = path.get(path.len() - below).is_some_and(|step| *step == "items");
        Some(RecursiveField { steps: path.len() - below, is_list })
    }
}

/// Whether a node, or a node below it, has such a field or inlines such a type.
fn has_failed_field(schema: &Schema, name: &str) -> bool {
    let failed = |node: &Schema| node.causes.iter().any(|cause| cause.keyword == FAILED);
    failed(schema) && !schema.properties.is_empty()
        || schema.all_of.iter().any(failed)
        || schema.property(name).is_some_and(failed)
        || schema.inner().any(|inner| has_failed_field(inner, name))
}

/// A field whose type contains itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecursiveField {
    /// The number of path steps that lead to it.
    pub steps: usize,
    /// Whether it is a list.
    pub is_list: bool,
}

/// The number of steps after the last property of a path in a schema.
fn below_field(path: &[&str]) -> Option<usize> {
    let (mut rest, mut below) = (path, None);
    loop {
        rest = match rest {
            ["properties", _, rest @ ..] => {
                below = Some(rest.len());
                rest
            }
            ["items" | "additionalProperties", rest @ ..] | ["allOf", _, rest @ ..] => rest,
            _ => return below,
        };
    }
}

/// The nodes along a path in a schema, starting with the schema itself.
fn nodes_along<'s>(schema: &'s Schema, path: &[&str]) -> impl Iterator<Item = &'s Schema> {
    std::iter::successors(Some((schema, path)), |(schema, path)| {
        let (inner, rest) = match path {
            ["properties", name, rest @ ..] => (schema.property(name), rest),
            ["items", rest @ ..] => (schema.items.as_deref(), rest),
            ["additionalProperties", rest @ ..] => (schema.additional(), rest),
            ["allOf", at, rest @ ..] => (nth(&schema.all_of, at), rest),
            _ => return None,
        };
        Some((inner?, rest))
    })
    .map(|(schema, _)| schema)
}

/// Whether a node, or one above it, is empty because of an error in its type, which is reported there. The keys of a list
/// depend on its items.
fn has_failed(schema: &Schema, path: &[&str]) -> bool {
    let failed = |node: &Schema| node.causes.iter().any(|cause| cause.keyword == FAILED);
    let items = || nodes_along(schema, path).last().and_then(|list| list.items.as_deref());
    nodes_along(schema, path).any(failed)
        || path.contains(&"x-kubernetes-list-map-keys") && items().is_some_and(failed)
}

/// The value that keys and indexes lead to within a value, as far as it has a separate place.
fn value_at<'v>(value: &'v Value, steps: &[&str]) -> &'v Value {
    let [step, rest @ ..] = steps else { return value };
    let inner = match &value.data {
        Data::List(items) => {
            // Annotations and labels are a list of pairs.
            let is_it = |item: &&Value| matches!(&item.data, Data::Text(pair) if pair.split_once('=').is_some_and(|(key, _)| key == *step));
            let at = step.parse::<usize>().ok().and_then(|at| items.get(at));
            at.or_else(|| items.iter().rfind(is_it))
        }
        Data::Map(entries) => entries.iter().rfind(|(key, _)| key == step).map(|(_, value)| value),
        _ => None,
    };
    inner.map_or(value, |inner| value_at(inner, rest))
}

impl Outcome {
    /// The file at a path.
    #[must_use]
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.loaded_packages().files.matching(|file| file.path == path).into_iter().next().map(|(id, _)| id)
    }

    /// Whether a file belongs to one of the main modules.
    #[must_use]
    pub fn is_own(&self, file: FileId) -> bool {
        self.source(file).is_some_and(|source| self.loaded_packages().is_own(&source.path))
    }

    /// The token in a main module that leads to a type of another module. `place` is within that type.
    #[must_use]
    pub fn leading_to(&self, place: Place) -> Option<Place> {
        let is_it = |cause: &Cause| {
            matches!(cause.keyword, "" | FAILED) && self.current_place(cause.place).contains(place)
        };
        self.files.iter().find_map(|file| {
            let steps = file.definition.node_of(&is_it)?;
            let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
            let own = self.origins(&file.name, &steps).into_iter().find(|origin| origin.is_own)?;
            let id = self.file_at(&own.path)?;
            let source = self.source(id)?;
            let at = |at: usize| u32::try_from(at).ok();
            let token = Span { start: at(own.range.start)?, end: at(own.range.end)? };
            Some(Place { file: id, span: source.type_of_field(token).unwrap_or(token) })
        })
    }

    /// The text of an origin.
    #[must_use]
    pub fn text_of(&self, origin: &Origin) -> &str {
        self.source_at(&origin.path).and_then(|file| file.text.get(origin.range.clone())).unwrap_or("")
    }
}
