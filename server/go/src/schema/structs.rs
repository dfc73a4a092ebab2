//! Converts structs: each field becomes a property, or is inlined.

use std::sync::Arc;

use super::collect::{FieldInfo, PlacedMarker, TypeInfo, has_marker};
use super::generator::{Crash, Generator};
use super::make::Context;
use super::model::{FAILED, Rule, SCHEMALESS, Schema};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::required_fields::{RequiredReason, one_of_fields};
use crate::load::Place;
use crate::marker::Meaning;
use crate::strings::quoted;
use crate::syntax::{Expr, ExprKind, Field, is_malformed, names_json};
use crate::version::Change;

/// The value of `json` in the tag of a field.
struct JsonTag<'a> {
    name: &'a str,
    may_be_omitted: bool,
    is_inline: bool,
}

impl Generator<'_> {
    pub(super) fn structure(&mut self, context: Context<'_>, expr: &Expr) -> Result<Schema, Crash> {
        let mut schema = Schema::of("object");
        let place = context.place(expr);
        schema.caused("", place);
        let Some(info) = context.info else { return self.unnamed_struct(place).map(|()| schema) };
        let ExprKind::Struct(fields) = &expr.kind else { return Ok(schema) };
        let exclusive = match one_of_fields(info) {
            Ok(fields) => fields,
            Err(message) => {
                let problem = Problem::new(ProblemPlace::Place(place), message, ProblemKind::Other);
                self.report(problem.at(exclusive_marker(info)));
                schema.caused(FAILED, place);
                return Ok(schema);
            }
        };
        let package_optional = self
            .package_markers
            .get(&context.scope.package)
            .is_some_and(|markers| has_marker(markers, Meaning::Optional));
        let mut immutable: Vec<(&str, Place)> = Vec::new();
        for field in &info.fields {
            let Some(declared) = fields.get(field.number) else { continue };
            if self.is_ignored(field) {
                continue;
            }
            let Some(tag) = &field.tag else {
                self.report_missing_tag(info, field, declared);
                continue;
            };
            if tag == "-" {
                continue;
            }
            let tag = self.json_tag(tag);
            match self.required(field, package_optional, !tag.is_inline && !tag.may_be_omitted) {
                RequiredReason::No => {}
                reason if exclusive.iter().any(|other| other == tag.name) => {
                    let token = field.tag_place.or_else(|| exclusive_marker(info));
                    let problem = self.required_in_union(tag.name, reason, place);
                    self.report(problem.at(token));
                    schema.caused(FAILED, place);
                    return Ok(schema);
                }
                _ => schema.required.push(tag.name.to_owned()),
            }
            let property = self.property(context, field, declared)?;
            if tag.is_inline {
                schema.all_of.push(property);
                continue;
            }
            if has_marker(&field.markers, Meaning::Immutable) {
                let marker = field.marker(Meaning::Immutable);
                immutable.push((tag.name, marker.map_or(field.place, |marked| marked.place)));
            }
            schema.properties.insert(tag.name.into(), Arc::new(property));
        }
        if self.has(Change::SortedRequired) {
            schema.required.sort_unstable();
        }
        let optional =
            immutable.into_iter().filter(|(name, _)| !schema.required.iter().any(|one| one == name));
        schema.rules.extend(optional.map(|(name, place)| unset_rule(name, place)));
        Ok(schema)
    }

    /// Reports a struct without a name, or fails as the older releases do.
    fn unnamed_struct(&mut self, place: Place) -> Result<(), Crash> {
        if !self.has(Change::InlineStructError) {
            return Err(Crash {
                place: Some(place),
                message: "controller-gen panics at an unnamed struct; declare a type".to_owned(),
            });
        }
        let message = "inline struct types are not supported, use a named type instead".to_owned();
        self.error(place, ProblemKind::Other, message);
        Ok(())
    }

    /// Whether the options exclude a field.
    fn is_ignored(&self, field: &FieldInfo) -> bool {
        let is_exported = field.name.chars().next().is_some_and(char::is_uppercase);
        !field.name.is_empty() && self.options.ignore_unexported_fields && !is_exported
    }

    fn report_missing_tag(&mut self, info: &TypeInfo, field: &FieldInfo, declared: &Field) {
        let (name, kind) = (quoted(&field.name), quoted(&info.name));
        let message = format!("encountered struct field {name} without JSON tag in type {kind}");
        let written = declared.tag.as_ref();
        let is_of_go = written.is_some_and(|tag| is_malformed(&tag.text));
        let spot = ProblemPlace::Place(field.place);
        let tag = written.filter(|tag| names_json(&tag.text));
        let token = tag.map(|tag| Place { file: field.place.file, span: tag.span });
        self.report(Problem::new(spot, message, ProblemKind::Untagged).at(token).of_go(is_of_go));
    }

    fn json_tag<'a>(&self, tag: &'a str) -> JsonTag<'a> {
        let mut parts = tag.split(',');
        let name = parts.next().unwrap_or("");
        let options: Vec<&str> = parts.collect();
        let may_be_omitted =
            options.contains(&"omitempty") || self.has(Change::OmitZero) && options.contains(&"omitzero");
        JsonTag { name, may_be_omitted, is_inline: options.contains(&"inline") || name.is_empty() }
    }

    /// The problem for a field that is required, although a marker of the type at `place` makes it a part of a union.
    fn required_in_union(&self, name: &str, reason: RequiredReason, place: Place) -> Problem {
        let is_marked = matches!(reason, RequiredReason::Marked);
        let remedy = match reason {
            RequiredReason::Marked => "cannot be marked as required",
            _ if self.has(Change::OmitZero) => "must have omitempty or omitzero tag",
            _ => "must have omitempty tag",
        };
        let message = format!("field {name} is part of OneOf constraint and {remedy}");
        let kind = ProblemKind::InUnion { name: name.to_owned(), is_marked };
        Problem::new(ProblemPlace::Place(place), message, kind)
    }

    /// The schema of a field, with the markers above it.
    fn property(
        &mut self,
        context: Context<'_>,
        field: &FieldInfo,
        declared: &Field,
    ) -> Result<Schema, Crash> {
        let mut property = if has_marker(&field.markers, Meaning::Schemaless) {
            Schema::default()
        } else {
            self.type_schema(context.inner(), &declared.expr)?
        };
        property.description.clone_from(&field.doc);
        self.apply(context, &field.markers, &mut property, field.place)?;
        if let Some(marked) = field.marker(Meaning::Schemaless) {
            property.caused(SCHEMALESS, marked.name());
        }
        property.caused("properties", field.tag_place.unwrap_or(field.place));
        Ok(property)
    }
}

/// The first marker that lists fields of a union.
fn exclusive_marker(info: &TypeInfo) -> Option<Place> {
    let is_it = |meaning: Meaning| {
        matches!(meaning, Meaning::AtMostOneOf | Meaning::ExactlyOneOf | Meaning::AtLeastOneOf)
    };
    info.markers.iter().find(|marked| is_it(marked.marker.meaning())).map(PlacedMarker::name)
}

/// The rule that an optional immutable field cannot be removed.
fn unset_rule(name: &str, place: Place) -> Rule {
    Rule {
        rule: format!("!has(oldSelf.{name}) || has(self.{name})"),
        message: format!("field {name} is immutable once set"),
        message_expression: String::new(),
        reason: String::new(),
        field_path: String::new(),
        optional_old_self: None,
        place: Some(place),
    }
}
