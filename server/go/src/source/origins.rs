//! The places in Go that cause a value of a definition.

use super::{Origin, OriginKind, nth, value_at};
use crate::definition::{DefinedVersion, Definition};
use crate::generate::Outcome;
use crate::load::{FileId, Place};
use crate::marker::{self, Marker, QuotedValue, Target};
use crate::schema::{Cause, SCHEMALESS, Schema};
use crate::syntax::File;
use crate::version::Version;

/// Finds the origins of the nodes of a definition.
pub(super) struct OriginFinder<'o> {
    pub(super) outcome: &'o Outcome,
}

impl OriginFinder<'_> {
    pub(super) fn source(&self, id: FileId) -> Option<&File> {
        self.outcome.source(id)
    }

    pub(super) fn origin(&self, place: Place, token: OriginKind) -> Option<Origin> {
        let place = self.outcome.current_place(place);
        let (path, range) = (self.source(place.file)?.path.clone(), place.span.range());
        let is_own = self.outcome.loaded_packages().is_own(&path);
        Some(Origin { path, range: range.clone(), whole: range, token, is_own })
    }

    /// The marker at a place, with the range of an argument or of the part of its value that `steps` lead to.
    pub(super) fn annotation(&self, place: Place, argument: &str, steps: &[&str]) -> Option<Origin> {
        let place = self.outcome.current_place(place);
        let text = self.source(place.file)?.slice(place.span);
        let marker = [Target::Field, Target::Type, Target::Package]
            .into_iter()
            .find_map(|target| marker::lookup(text, target, Version::NEWEST))
            .map(|known| marker::parse(text, known, Version::NEWEST).0);
        let mut origin = self.origin(place, OriginKind::Annotation)?;
        let value = |marker: &Marker| {
            let value = marker.argument(argument)?;
            Some(value_at(value, steps).range.clone())
        };
        if let Some(range) = marker.as_ref().and_then(value) {
            origin.range = origin.whole.start + range.start..origin.whole.start + range.end;
        }
        Some(origin)
    }

    pub(super) fn of_definition(&self, definition: &Definition, path: &[&str], origins: &mut Vec<Origin>) {
        let first = if path.first() == Some(&"metadata") { 2 } else { 3 };
        let steps = path.get(first..).unwrap_or_default();
        let (keyword, argument) = match path {
            ["spec", "group", ..] => ("group", ""),
            ["spec", "names", name, ..] => ("names", if *name == "plural" { "path" } else { *name }),
            ["metadata", "name"] => ("names", "path"),
            ["spec", "scope"] => ("names", "scope"),
            ["metadata", which, ..] => ("metadata", *which),
            _ => return,
        };
        let argument = if argument == "shortNames" { "shortName" } else { argument };
        for cause in definition.causes.iter().rev().filter(|cause| cause.keyword == keyword) {
            let origin = self.annotation(cause.place, argument, steps);
            // A name that the marker does not set comes from the kind. Another marker may set the annotation or the label.
            let gives = |origin: &Origin| match (keyword, path) {
                ("names", _) => origin.range != origin.whole,
                ("metadata", [_, _, key, ..]) => {
                    let value = QuotedValue::read(self.outcome.text_of(origin)).text;
                    origin.range != origin.whole && value.contains(&format!("{key}="))
                }
                _ => true,
            };
            origins.extend(origin.filter(gives));
        }
    }

    pub(super) fn of_version(&self, version: &DefinedVersion, path: &[&str], origins: &mut Vec<Origin>) {
        let index = |index: &&str| index.parse::<usize>().ok();
        match path {
            ["schema", "openAPIV3Schema", rest @ ..] => self.of_schema(&version.schema, rest, origins),
            ["additionalPrinterColumns", at, rest @ ..] => {
                let column = index(at).and_then(|at| version.columns.get(at));
                let argument = match rest.first() {
                    Some(&"jsonPath") => "JSONPath",
                    Some(name) => name,
                    None => "name",
                };
                origins.extend(column.and_then(|(_, place)| self.annotation(*place, argument, &[])));
            }
            ["selectableFields", at, ..] => {
                let field = index(at).and_then(|at| version.selectable.get(at));
                origins.extend(field.and_then(|(_, place)| self.annotation(*place, "JSONPath", &[])));
            }
            [keyword, rest @ ..] => {
                let argument = match rest {
                    ["scale", "specReplicasPath"] => "specpath",
                    ["scale", "statusReplicasPath"] => "statuspath",
                    ["scale", "labelSelectorPath"] => "selectorpath",
                    _ if *keyword == "deprecationWarning" => "warning",
                    _ => "",
                };
                let keyword = match (*keyword, rest) {
                    ("deprecationWarning", _) => "deprecated",
                    ("subresources", ["scale", ..]) => "scale",
                    (keyword, _) => keyword,
                };
                for cause in version.causes.iter().rev().filter(|cause| cause.keyword == keyword) {
                    origins.extend(self.annotation(cause.place, argument, &[]));
                }
            }
            [] => {}
        }
    }

    pub(super) fn of_schema(&self, schema: &Schema, path: &[&str], origins: &mut Vec<Origin>) {
        let (inner, rest) = match path {
            ["properties", name, rest @ ..] => (schema.property(name), rest),
            ["items", rest @ ..] => (schema.items.as_deref(), rest),
            ["additionalProperties", rest @ ..] => (schema.additional(), rest),
            ["allOf", at, rest @ ..] => (nth(&schema.all_of, at), rest),
            ["anyOf", at, rest @ ..] => (nth(&schema.any_of, at), rest),
            path => {
                self.of_keyword(schema, path, origins);
                self.of_node(&schema.causes, origins);
                return;
            }
        };
        match inner {
            Some(inner) => {
                self.of_schema(inner, rest, origins);
                // Items and values of maps have no names, and a node in another module exists because of a field of ours.
                if !origins.iter().any(|origin| origin.token == OriginKind::Name && origin.is_own) {
                    self.of_node(&schema.causes, origins);
                }
            }
            None => self.of_node(&schema.causes, origins),
        }
    }

    /// Adds the field and the type from which a node comes.
    pub(super) fn of_node(&self, causes: &[Cause], origins: &mut Vec<Origin>) {
        // In a merged schema, the cause of the field is the last one.
        let name = causes.iter().rev().find(|cause| cause.keyword == "properties");
        let kind = causes.iter().rev().find(|cause| cause.keyword.is_empty());
        let found =
            [name.map(|cause| (cause, OriginKind::Name)), kind.map(|cause| (cause, OriginKind::Type))];
        origins
            .extend(found.into_iter().flatten().filter_map(|(cause, token)| self.origin(cause.place, token)));
    }

    pub(super) fn of_keyword(&self, schema: &Schema, path: &[&str], origins: &mut Vec<Origin>) {
        match path {
            ["x-kubernetes-validations", at, rest @ ..] => {
                let rule = at.parse::<usize>().ok().and_then(|at| schema.rules.get(at));
                let argument = rest.first().copied().unwrap_or("rule");
                origins.extend(rule.and_then(|rule| self.annotation(rule.place?, argument, &[])));
            }
            ["required", at, ..] => {
                let name = at.parse::<usize>().ok().and_then(|at| schema.required.get(at));
                let property = name.and_then(|name| schema.property(name));
                if let Some(property) = property {
                    self.of_node(&property.causes, origins);
                }
            }
            ["externalDocs", argument] => self.markers(schema, "externalDocs", (argument, &[]), origins),
            ["type", ..] => {
                self.markers(schema, "type", ("", &[]), origins);
                self.markers(schema, SCHEMALESS, ("", &[]), origins);
                let kind = schema.causes.iter().rev().find(|cause| cause.keyword.is_empty());
                origins.extend(kind.and_then(|cause| self.origin(cause.place, OriginKind::Type)));
            }
            ["x-kubernetes-list-map-keys", at] => {
                self.markers(schema, "x-kubernetes-list-map-keys", ("", &[]), origins);
                // Each key has its own marker.
                let key = at.parse::<usize>().ok().and_then(|at| schema.list_map_keys.get(at));
                let is_key = |origin: &Origin| {
                    key.is_some_and(|key| QuotedValue::read(self.outcome.text_of(origin)).text == *key)
                };
                origins.sort_by_key(|origin| !is_key(origin));
            }
            [keyword, steps @ ..] => {
                self.markers(schema, keyword, ("", steps), origins);
                // If the keys of a list are missing, the origin is the marker that sets the list type.
                if origins.is_empty() && *keyword == "x-kubernetes-list-map-keys" {
                    self.markers(schema, "x-kubernetes-list-type", ("", &[]), origins);
                }
            }
            [] => {}
        }
    }

    /// Adds the markers that set a keyword: the marker of the field before that of its type.
    pub(super) fn markers(
        &self,
        schema: &Schema,
        keyword: &str,
        (argument, steps): (&str, &[&str]),
        origins: &mut Vec<Origin>,
    ) {
        for cause in schema.causes.iter().rev().filter(|cause| cause.keyword == keyword) {
            origins.extend(self.annotation(cause.place, argument, steps));
        }
    }
}
