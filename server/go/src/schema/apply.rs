//! Applies markers to a schema.

use std::sync::Arc;

use super::checks::{
    MarkerRefusal, at_least_one, bound, external_docs, flag, int, list, numeric, object, one_of, one_word,
    rule, simple_rule, text,
};
use super::collect::PlacedMarker;
use super::generator::{Crash, Generator};
use super::make::Context;
use super::model::{MISSING, Schema};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::resolve::ResolvedType;
use crate::json::Json;
use crate::load::Place;
use crate::marker::{Data, Meaning};
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
        sorted.sort_by_key(|marked| (marked.marker.known.items, priority(marked.marker.meaning(), ordered)));
        for marked in sorted {
            let outcome = if !marked.marker.known.items {
                self.apply_one(context, marked, schema)
            } else if schema.kind == "array" && schema.items.is_some() {
                match schema.items.as_mut() {
                    Some(items) => self.apply_one(context, marked, Arc::make_mut(items)),
                    None => Ok(()),
                }
            } else {
                let name = marked.marker.known.name();
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

    #[allow(clippy::too_many_lines, reason = "one arm for each marker")]
    fn apply_one(
        &mut self,
        context: Context<'_>,
        marked: &PlacedMarker,
        schema: &mut Schema,
    ) -> Result<(), MarkerRefusal> {
        let marker = &marked.marker;
        let textual = self.has(Change::TextualValue);
        let keyword = match marker.meaning() {
            Meaning::Maximum => {
                schema.maximum = Some(bound(schema, marker, "maximum")?);
                "maximum"
            }
            Meaning::Minimum => {
                schema.minimum = Some(bound(schema, marker, "minimum")?);
                "minimum"
            }
            Meaning::MultipleOf => {
                schema.multiple_of = Some(bound(schema, marker, "multipleof")?);
                "multipleOf"
            }
            Meaning::ExclusiveMaximum => {
                numeric(schema, "exclusivemaximum")?;
                schema.exclusive_maximum = flag(marker);
                "exclusiveMaximum"
            }
            Meaning::ExclusiveMinimum => {
                numeric(schema, "exclusiveminimum")?;
                schema.exclusive_minimum = flag(marker);
                "exclusiveMinimum"
            }
            Meaning::MaxLength => {
                text(schema, "maxlength", textual)?;
                schema.max_length = int(marker);
                "maxLength"
            }
            Meaning::MinLength => {
                text(schema, "minlength", textual)?;
                schema.min_length = int(marker);
                "minLength"
            }
            Meaning::Pattern => {
                text(schema, "pattern", textual)?;
                marker.text("").clone_into(&mut schema.pattern);
                "pattern"
            }
            Meaning::MaxItems => {
                list(schema, "must apply maxitem to an array")?;
                schema.max_items = int(marker);
                "maxItems"
            }
            Meaning::MinItems => {
                list(schema, "must apply minitems to an array")?;
                schema.min_items = int(marker);
                "minItems"
            }
            Meaning::UniqueItems => {
                list(schema, "must apply uniqueitems to an array")?;
                schema.unique_items = flag(marker);
                "uniqueItems"
            }
            Meaning::MinProperties => {
                object(schema, "must apply minproperties to an object")?;
                schema.min_properties = int(marker);
                "minProperties"
            }
            Meaning::MaxProperties => {
                object(schema, "must apply maxproperties to an object")?;
                schema.max_properties = int(marker);
                "maxProperties"
            }
            Meaning::Enum => {
                schema.enumeration = match marker.argument("").map(|value| &value.data) {
                    Some(Data::List(items)) => {
                        items.iter().filter_map(crate::marker::Value::to_json).collect()
                    }
                    _ => Vec::new(),
                };
                "enum"
            }
            Meaning::Format => {
                marker.text("").clone_into(&mut schema.format);
                "format"
            }
            Meaning::Type => {
                marker.text("").clone_into(&mut schema.kind);
                "type"
            }
            Meaning::Nullable => {
                schema.nullable = true;
                "nullable"
            }
            Meaning::Default => {
                let value = marker.argument("").and_then(crate::marker::Value::to_json);
                let is_empty = matches!(&value, Some(Json::Map(entries)) if entries.is_empty());
                schema.default =
                    if is_empty && schema.kind == "array" { Some(Json::List(Vec::new())) } else { value };
                "default"
            }
            Meaning::JsonDefault => {
                match marker.argument("").and_then(|value| value.to_json()) {
                    None | Some(Json::Null) => return Ok(()),
                    value => schema.default = value,
                }
                "default"
            }
            Meaning::Example => {
                schema.example = marker.argument("").and_then(crate::marker::Value::to_json);
                "example"
            }
            Meaning::Title => {
                if let Some(value) = marker.argument("") {
                    let Data::Text(title) = &value.data else {
                        let message = format!("expected string, got {}", value.go_type());
                        return Err(MarkerRefusal::value("", ProblemKind::Other, message));
                    };
                    schema.title.clone_from(title);
                }
                "title"
            }
            Meaning::ExternalDocs => {
                external_docs(schema, marker)?;
                "externalDocs"
            }
            Meaning::PreserveUnknownFields => {
                schema.preserve_unknown = true;
                "x-kubernetes-preserve-unknown-fields"
            }
            Meaning::EmbeddedResource => {
                schema.embedded_resource = true;
                "x-kubernetes-embedded-resource"
            }
            Meaning::IntOrString => {
                schema.int_or_string = true;
                "x-kubernetes-int-or-string"
            }
            Meaning::Validation => {
                schema.rules.push(rule(marked)?);
                "x-kubernetes-validations"
            }
            Meaning::Immutable => {
                schema.rules.push(simple_rule(
                    marked,
                    "self == oldSelf".to_owned(),
                    "field is immutable".to_owned(),
                ));
                "x-kubernetes-validations"
            }
            Meaning::AtMostOneOf | Meaning::ExactlyOneOf | Meaning::AtLeastOneOf => {
                schema.rules.extend(one_of(marked, self.has(Change::OneOfSum)));
                "x-kubernetes-validations"
            }
            Meaning::K8sEnum => {
                self.enumerate(context, marked, schema)?;
                "enum"
            }
            Meaning::K8sRequired => {
                if self.has(Change::K8sRequiredBounds) {
                    at_least_one(schema);
                }
                return Ok(());
            }
            Meaning::ListType => {
                list(schema, format!("must apply listType to an array, found {}", schema.kind))?;
                schema.list_type = Some(one_word(
                    marker,
                    &["map", "set", "atomic"],
                    "ListType must be either \"map\", \"set\" or \"atomic\"",
                )?);
                "x-kubernetes-list-type"
            }
            Meaning::ListMapKey => {
                list(schema, format!("must apply listMapKey to an array, found {}", schema.kind))?;
                if schema.list_type.as_deref() != Some("map") {
                    let message = "must apply listMapKey to an associative-list";
                    return Err(MarkerRefusal::marker(ProblemKind::NoListMap, message));
                }
                let key = marker.text("").to_owned();
                if !self.has(Change::K8sListType) || !schema.list_map_keys.contains(&key) {
                    schema.list_map_keys.push(key);
                }
                "x-kubernetes-list-map-keys"
            }
            Meaning::MapType => {
                object(schema, "must apply mapType to an object")?;
                let message = "MapType must be either \"granular\" or \"atomic\"";
                schema.map_type = Some(one_word(marker, &["granular", "atomic"], message)?);
                "x-kubernetes-map-type"
            }
            Meaning::StructType => {
                if !schema.kind.is_empty() {
                    let message = "must apply structType to an object; either explicitly set or defaulted through an empty schema type";
                    object(schema, message)?;
                }
                let message = "StructType must be either \"granular\" or \"atomic\"";
                schema.map_type = Some(one_word(marker, &["granular", "atomic"], message)?);
                "x-kubernetes-map-type"
            }
            _ => return Ok(()),
        };
        schema.caused(keyword, marked.place);
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
