//! Applies markers to a schema.

use std::sync::Arc;

use super::checks::MarkerRefusal;
use super::collect::PlacedMarker;
use super::generator::{Crash, Generator};
use super::keywords;
use super::make::Context;
use super::model::{MISSING, Schema};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::resolve::ResolvedType;
use crate::json::Json;
use crate::load::Place;
use crate::marker::Meaning;
use crate::syntax::{DeclarationKind, with_kinds};
use crate::version::Change;

/// The order in which markers are applied.
const fn priority(meaning: Meaning, ordered: bool) -> u8 {
    match meaning {
        Meaning::Type | Meaning::IntOrString | Meaning::ListType | Meaning::JsonDefault => 9,
        Meaning::AtMostOneOf => 11,
        Meaning::ExactlyOneOf if !ordered => 11,
        Meaning::ExactlyOneOf => 12,
        Meaning::AtLeastOneOf => 13,
        _ => 10,
    }
}

/// Whether a marker affects a schema.
const fn is_for_schema(meaning: Meaning) -> bool {
    !meaning.is_of_kind()
        && !matches!(
            meaning,
            Meaning::GroupName
                | Meaning::VersionName
                | Meaning::Skip
                | Meaning::Required
                | Meaning::Optional
                | Meaning::Schemaless
        )
}

/// Whether the type of a node, or of its items, is missing.
fn is_missing(schema: &Schema) -> bool {
    let is_missing = |schema: &Schema| schema.causes.iter().any(|cause| cause.keyword == MISSING);
    is_missing(schema) || schema.items.as_deref().is_some_and(is_missing)
}

impl Generator<'_> {
    /// Applies markers, those for items last. Errors are reported at `node`.
    pub(super) fn apply(
        &mut self,
        context: Context<'_>,
        markers: &Arc<Vec<PlacedMarker>>,
        schema: &mut Schema,
        node: Place,
    ) -> Result<(), Crash> {
        let mut sorted: Vec<&PlacedMarker> =
            markers.iter().filter(|marked| is_for_schema(marked.marker.meaning())).collect();
        let ordered = self.has(Change::OneOfOrder);
        sorted.sort_by_key(|marked| {
            (marked.marker.definition.items, priority(marked.marker.meaning(), ordered))
        });
        for marked in sorted {
            let outcome = if !marked.marker.definition.items {
                self.apply_one(context, marked, schema)
            } else if schema.kind == "array" && schema.items.is_some() {
                match schema.items.as_mut() {
                    Some(items) => self.apply_one(context, marked, Arc::make_mut(items)),
                    None => Ok(()),
                }
            } else {
                let name = marked.marker.definition.name();
                let message = format!("must apply {name} to an array value, found {}", schema.kind);
                Err(MarkerRefusal::misplaced("lists", schema, message))
            };
            match outcome {
                Ok(()) => {}
                // It is unknown which markers a missing type accepts.
                Err(MarkerRefusal::With { .. }) if is_missing(schema) => {}
                Err(MarkerRefusal::With { argument, kind, message }) => {
                    let token = argument.map_or_else(|| marked.name(), |argument| marked.value(argument));
                    self.report(Problem::new(ProblemPlace::Place(node), message, kind).at(Some(token)));
                }
                Err(MarkerRefusal::Crash(crash)) => return Err(crash),
            }
        }
        Ok(())
    }

    fn apply_one(
        &mut self,
        context: Context<'_>,
        marked: &PlacedMarker,
        schema: &mut Schema,
    ) -> Result<(), MarkerRefusal> {
        let keyword = if marked.marker.meaning() == Meaning::K8sEnum {
            self.enumerate(context, marked, schema)?;
            Some("enum")
        } else {
            keywords::set(schema, marked, self.options.version)?
        };
        if let Some(keyword) = keyword {
            schema.caused(keyword, marked.place);
        }
        Ok(())
    }

    /// `k8s:enum`: sets the enum to the constants of the type.
    fn enumerate(
        &mut self,
        context: Context<'_>,
        marked: &PlacedMarker,
        schema: &mut Schema,
    ) -> Result<(), MarkerRefusal> {
        let own = context.info.filter(|info| info.markers.iter().any(|marker| marker.place == marked.place));
        let Some(info) = own else {
            let message = "k8s:enum must be set on a type, not a field";
            return Err(MarkerRefusal::marker(ProblemKind::EnumOfField, message));
        };
        let id = super::model::TypeId { package: context.scope.package, name: info.name.clone() };
        let package = self.loader.package(id.package);
        if self.underlying(&id).0 != ResolvedType::Basic("string") {
            let path = package.map_or_else(String::new, |package| package.path.clone());
            let message = format!("enum type must be a string, not {path}.{}", info.name);
            return Err(MarkerRefusal::marker(ProblemKind::Other, message));
        }
        let mut values: Vec<Json> = Vec::new();
        for file_id in package.iter().flat_map(|package| &package.files) {
            let Some(file) = self.loader.file(*file_id) else { continue };
            let constants = file.declarations.iter().filter_map(|declaration| match &declaration.kind {
                DeclarationKind::Const(constants) => Some(constants),
                _ => None,
            });
            for constants in constants {
                for (_, constant) in with_kinds(constants).filter(|(kind, _)| *kind == &*info.name) {
                    for (at, name) in constant.names.iter().enumerate() {
                        match constant.values.get(at) {
                            Some(Some(value)) => values.push(Json::text(value)),
                            Some(None) => {}
                            None => {
                                return Err(MarkerRefusal::Crash(Crash {
                                    place: Some(Place { file: *file_id, span: name.span }),
                                    message: format!(
                                        "controller-gen panics at the constant {} of an enum without a value; write its value",
                                        name.name
                                    ),
                                }));
                            }
                        }
                    }
                }
            }
        }
        values.sort_by_key(Json::encoded);
        if values.is_empty() {
            let message = format!("no enum values found for type {}", info.name);
            return Err(MarkerRefusal::marker(ProblemKind::NoConstants, message));
        }
        "string".clone_into(&mut schema.kind);
        schema.enumeration = values;
        Ok(())
    }
}
