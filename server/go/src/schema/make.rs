//! Converts type expressions to schemas with unresolved references.

use std::sync::Arc;

use super::collect::{PlacedMarker, TypeInfo, has_marker};
use super::generator::{Crash, Generator};
use super::model::{FAILED, MISSING, Reference, Rule, SCHEMALESS, Schema, TypeId};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::required::{RequiredReason, one_of_fields};
use super::resolve::{Composite, ResolvedType, Scope};
use crate::load::{Loader, Place};
use crate::marker::Meaning;
use crate::strings::quoted;
use crate::syntax::{EncodingMethod, Expr, ExprKind, is_malformed, names_json};
use crate::version::Change;

/// The maximum depth of nested types.
const MAX_DEPTH: usize = 100;

/// The context of a type expression: the scope of its names, and the type whose body it is.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) scope: Scope<'a>,
    /// The declared type, unless the expression is only a part of its body.
    pub(super) info: Option<&'a TypeInfo>,
    depth: usize,
}

impl<'a> Context<'a> {
    /// The context of a part of the body.
    pub(super) const fn inner(self) -> Self {
        Self { info: None, depth: self.depth + 1, ..self }
    }

    pub(super) const fn place(self, expr: &Expr) -> Place {
        Place { file: self.scope.id, span: expr.span }
    }
}

const INTERFACE: &str = "interface type is not supported in CRD schemas; consider using an explicit type or apiextensionsv1.JSON instead";

impl Generator<'_> {
    /// The schema of a declared type.
    pub(super) fn info_schema(&mut self, id: &TypeId, info: &Arc<TypeInfo>) -> Result<Schema, Crash> {
        self.info_schema_at(id, info, 0)
    }

    fn info_schema_at(&mut self, id: &TypeId, info: &Arc<TypeInfo>, depth: usize) -> Result<Schema, Crash> {
        let Some(file) = self.declaration_file(info.at) else { return Ok(Schema::default()) };
        let Some(declared) = Loader::declared(&file, info.at) else { return Ok(Schema::default()) };
        let scope =
            Scope { package: id.package, id: info.at.file, file: &file, parameters: &declared.parameters };
        let context = Context { scope, info: Some(info), depth };
        let own =
            if declared.is_alias { ResolvedType::Alias(id.clone()) } else { ResolvedType::Named(id.clone()) };
        let place = context.place(&declared.expr);
        if self.implements(&own, EncodingMethod::Json) {
            let mut schema = Schema::default();
            schema.caused("", place);
            self.apply(context, &info.markers, &mut schema, place)?;
            if !schema.kind.is_empty() {
                return Ok(schema);
            }
        } else if self.has(Change::TextMarshaler) && self.implements(&own, EncodingMethod::Text) {
            let mut schema = Schema::of("string");
            schema.caused("", place);
            self.apply(context, &info.markers, &mut schema, place)?;
            if schema.kind != "string" {
                let kind = quoted(&schema.kind);
                self.error(
                    place,
                    ProblemKind::Other,
                    format!(
                        "\"{}\" implements encoding.TextMarshaler but schema type is not string: {kind}",
                        info.name
                    ),
                );
            }
            return Ok(schema);
        }
        self.type_schema(context, &declared.expr)
    }

    pub(super) fn type_schema(&mut self, context: Context<'_>, expr: &Expr) -> Result<Schema, Crash> {
        let mut schema = self.schema_of(context, expr)?;
        self.note_failure(&mut schema, context.place(expr));
        Ok(schema)
    }

    /// Notes that a schema is empty because of an error in the type at `place`.
    pub(super) fn note_failure(&self, schema: &mut Schema, place: Place) {
        let is_within = |spot: &ProblemPlace| match spot {
            ProblemPlace::Place(other) => place.contains(*other),
            ProblemPlace::Package(_) | ProblemPlace::Nowhere => false,
        };
        // Errors of markers have a token.
        if schema.kind.is_empty()
            && schema.reference.is_none()
            && self.problems.iter().any(|problem| problem.token.is_none() && is_within(&problem.spot))
        {
            schema.caused(FAILED, place);
        }
    }

    fn schema_of(&mut self, context: Context<'_>, expr: &Expr) -> Result<Schema, Crash> {
        let place = context.place(expr);
        if context.depth > MAX_DEPTH {
            self.error(place, ProblemKind::Other, "type is nested too deeply".to_owned());
            return Ok(Schema::default());
        }
        let mut schema = match &expr.kind {
            ExprKind::Ident(name) => self.make_named_type(context, expr, name)?,
            ExprKind::Qualified(package, name) => self.qualified(context, expr, package, name)?,
            ExprKind::Slice(item) => self.list(context, item, true)?,
            ExprKind::Array(item) => self.list(context, item, false)?,
            ExprKind::Map(key, value) => self.map(context, key, value)?,
            ExprKind::Pointer(inner) => self.type_schema(context.inner(), inner)?,
            ExprKind::Struct(_) => self.structure(context, expr)?,
            ExprKind::Interface(..) if self.has(Change::InterfaceErrors) => {
                self.error(place, ProblemKind::NoJson, INTERFACE.to_owned());
                return Ok(Schema::default());
            }
            other => {
                let message = format!("unsupported AST kind {}", other.go_name());
                self.error(place, ProblemKind::NoJson, message);
                return Ok(Schema::default());
            }
        };
        if !schema.causes.iter().any(|cause| cause.keyword.is_empty()) {
            schema.caused("", place);
        }
        schema.description = context.info.map_or_else(String::new, |info| info.doc.clone());
        if let Some(info) = context.info {
            self.apply(context, &info.markers, &mut schema, place)?;
        }
        Ok(schema)
    }

    /// A name without a package: a basic type, a type of this package, or one of a package that is imported with `.`.
    pub(super) fn make_named_type(
        &mut self,
        context: Context<'_>,
        expr: &Expr,
        name: &str,
    ) -> Result<Schema, Crash> {
        let place = context.place(expr);
        let resolved = self.resolve(context.scope, expr);
        let (resolved, is_alias) = match resolved {
            ResolvedType::Alias(id) => {
                let right = self.right_side(&id);
                if right == ResolvedType::Invalid && self.is_alias_of_missing(&id, 0) {
                    let mut schema = Schema::default();
                    schema.caused(MISSING, place);
                    return Ok(schema);
                }
                (right, true)
            }
            other => (other, false),
        };
        match resolved {
            ResolvedType::Invalid => {
                self.report(undeclared(place, name).of_go(true));
                Ok(Schema::default())
            }
            ResolvedType::Basic(basic) => {
                let mut schema = self.basic(place, basic);
                if is_alias {
                    let id = TypeId { package: context.scope.package, name: name.into() };
                    self.need_schema(&id)?;
                    schema.reference = Some(Box::new(Reference { path: None, id }));
                }
                Ok(schema)
            }
            ResolvedType::Interface | ResolvedType::Composite(Composite::Interface) => {
                if !self.has(Change::InterfaceErrors) {
                    let message = format!(
                        "controller-gen panics at the interface {name}; use a type that has a schema"
                    );
                    return Err(Crash { place: Some(place), message });
                }
                self.error(
                    place,
                    ProblemKind::NoJson,
                    format!(
                        "cannot generate schema for {name}; interface type is not supported in CRD schemas, consider using an \
                         explicit type or apiextensionsv1.JSON instead"
                    ),
                );
                Ok(Schema::default())
            }
            ResolvedType::Composite(composite) => {
                let message = format!("unsupported type {} for identifier {name}", composite.go_name());
                self.error(place, ProblemKind::NoJson, message);
                Ok(Schema::default())
            }
            ResolvedType::Error => Err(Crash {
                place: Some(place),
                message: "controller-gen panics at a field of type error; use a string or a struct"
                    .to_owned(),
            }),
            ResolvedType::Parameter(name) => {
                let id = TypeId { package: context.scope.package, name: name.into() };
                self.need_schema(&id)?;
                Ok(Schema { reference: Some(Box::new(Reference { path: None, id })), ..Schema::default() })
            }
            ResolvedType::Named(id) | ResolvedType::Alias(id) => self.reference(context, place, id),
        }
    }

    /// A reference to a declared type, with the type that is known before the reference is resolved.
    fn reference(&mut self, context: Context<'_>, place: Place, id: TypeId) -> Result<Schema, Crash> {
        let is_local = id.package == context.scope.package;
        let path =
            if is_local { None } else { self.loader.package(id.package).map(|package| package.path.clone()) };
        self.need_schema(&id)?;
        let mut schema =
            Schema { reference: Some(Box::new(Reference { path, id: id.clone() })), ..Schema::default() };
        match self.underlying(&id).0 {
            ResolvedType::Composite(Composite::Slice) if self.has(Change::CollectionReferenceType) => {
                "array".clone_into(&mut schema.kind);
            }
            ResolvedType::Composite(Composite::Map) if self.has(Change::CollectionReferenceType) => {
                "object".clone_into(&mut schema.kind);
            }
            ResolvedType::Basic(_) if self.has(Change::BasicReferenceType) => {
                let own = TypeId { package: context.scope.package, name: id.name.clone() };
                let Some(info) = self.info(&own) else {
                    return Err(Crash {
                        place: Some(place),
                        message: format!(
                            "controller-gen panics at the type {} of a package that is imported with `.`; import the package \
                             by a name",
                            id.name
                        ),
                    });
                };
                if context.depth > MAX_DEPTH {
                    return Ok(schema);
                }
                let named = self.info_schema_at(&own, &info, context.depth + 1)?;
                schema.kind = named.kind;
                schema.format = named.format;
            }
            _ => {}
        }
        Ok(schema)
    }

    pub(super) fn qualified(
        &mut self,
        context: Context<'_>,
        expr: &Expr,
        package: &str,
        name: &str,
    ) -> Result<Schema, Crash> {
        let place = context.place(expr);
        let id = match self.resolve(context.scope, expr) {
            ResolvedType::Named(id) | ResolvedType::Alias(id) => id,
            other => {
                let is_missing = self.is_missing(context.scope, package);
                let problem = undeclared(place, &format!("{package}.{name}"));
                match other {
                    // A missing module is reported once, at its import.
                    _ if is_missing => {}
                    other => self.report(problem.of_go(other == ResolvedType::Invalid)),
                }
                let mut schema = Schema::default();
                if is_missing {
                    schema.caused(MISSING, place);
                }
                return Ok(schema);
            }
        };
        let path = self.loader.package(id.package).map(|package| package.path.clone());
        self.need_schema(&id)?;
        let mut schema =
            Schema { reference: Some(Box::new(Reference { path, id: id.clone() })), ..Schema::default() };
        if self.has(Change::CollectionReferenceType) {
            match self.underlying(&id).0 {
                ResolvedType::Composite(Composite::Slice) => "array".clone_into(&mut schema.kind),
                ResolvedType::Composite(Composite::Map) => "object".clone_into(&mut schema.kind),
                _ => {}
            }
        }
        Ok(schema)
    }

    /// Whether a name refers to a missing import.
    fn is_missing(&mut self, scope: Scope<'_>, package: &str) -> bool {
        let Some((path, span)) = self.import_named(scope, package) else { return false };
        // The import notes that the package is missing.
        self.imported(scope, &path, span);
        self.loader.missing().iter().any(|missing| missing.import == path)
            || self.loader.may_lack_types(&path)
    }

    /// Whether a declared type is another name for a type of a missing module.
    fn is_alias_of_missing(&mut self, id: &TypeId, depth: usize) -> bool {
        let found = self.with_declaration(id, |generator, scope, expr| match &expr.kind {
            ExprKind::Qualified(package, _) => (generator.is_missing(scope, package), None),
            ExprKind::Ident(_) => (false, Some(generator.resolve(scope, expr))),
            _ => (false, None),
        });
        match found {
            Some((false, Some(ResolvedType::Alias(next) | ResolvedType::Named(next))))
                if depth < MAX_DEPTH =>
            {
                self.is_alias_of_missing(&next, depth + 1)
            }
            Some((is_missing, _)) => is_missing,
            None => false,
        }
    }

    fn basic(&mut self, place: Place, name: &str) -> Schema {
        let (kind, format) = match name {
            "bool" => ("boolean", ""),
            "string" => ("string", ""),
            "int32" | "rune" | "uint32" => ("integer", "int32"),
            "int64" | "uint64" => ("integer", "int64"),
            "int" | "int8" | "int16" | "uint" | "uint8" | "byte" | "uint16" | "uintptr" => ("integer", ""),
            "float32" | "float64" if self.options.allow_dangerous_types => ("number", ""),
            "float32" | "float64" => {
                self.error(
                    place,
                    ProblemKind::Float,
                    "found float, the usage of which is highly discouraged, as support for them varies across languages. Please \
                     consider serializing your float as string instead. If you are really sure you want to use them, re-run \
                     with crd:allowDangerousTypes=true"
                        .to_owned(),
                );
                ("", "")
            }
            other => {
                self.error(place, ProblemKind::NoJson, format!("unsupported type {}", quoted(other)));
                ("", "")
            }
        };
        Schema { format: format.to_owned(), ..Schema::of(kind) }
    }

    pub(super) fn list(
        &mut self,
        context: Context<'_>,
        item: &Expr,
        is_slice: bool,
    ) -> Result<Schema, Crash> {
        if is_slice && self.resolve(context.scope, item) == ResolvedType::Basic("byte") {
            return Ok(Schema { format: "byte".to_owned(), ..Schema::of("string") });
        }
        let items = self.type_schema(context.inner(), item)?;
        Ok(Schema { items: Some(Arc::new(items)), ..Schema::of("array") })
    }

    fn structure(&mut self, context: Context<'_>, expr: &Expr) -> Result<Schema, Crash> {
        let mut schema = Schema::of("object");
        let place = context.place(expr);
        schema.caused("", place);
        let Some(info) = context.info else {
            if !self.has(Change::InlineStructError) {
                return Err(Crash {
                    place: Some(place),
                    message: "controller-gen panics at an unnamed struct; declare a type".to_owned(),
                });
            }
            let message = "inline struct types are not supported, use a named type instead".to_owned();
            self.error(place, ProblemKind::Other, message);
            return Ok(schema);
        };
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
        let mut immutable: Vec<(String, Place)> = Vec::new();
        for field in &info.fields {
            let Some(declared) = fields.get(field.number) else { continue };
            let is_exported = field.name.chars().next().is_some_and(char::is_uppercase);
            if !field.name.is_empty() && self.options.ignore_unexported_fields && !is_exported {
                continue;
            }
            let Some(tag) = &field.tag else {
                let (name, kind) = (quoted(&field.name), quoted(&info.name));
                let message = format!("encountered struct field {name} without JSON tag in type {kind}");
                let written = declared.tag.as_ref();
                let is_of_go = written.is_some_and(|tag| is_malformed(&tag.text));
                let spot = ProblemPlace::Place(field.place);
                let tag = written.filter(|tag| names_json(&tag.text));
                let token = tag.map(|tag| Place { file: field.place.file, span: tag.span });
                self.report(Problem::new(spot, message, ProblemKind::Untagged).at(token).of_go(is_of_go));
                continue;
            };
            if tag == "-" {
                continue;
            }
            let mut parts = tag.split(',');
            let name = parts.next().unwrap_or("");
            let options: Vec<&str> = parts.collect();
            let omits =
                options.contains(&"omitempty") || self.has(Change::OmitZero) && options.contains(&"omitzero");
            let inline = options.contains(&"inline") || name.is_empty();
            match self.required(field, package_optional, !inline && !omits) {
                RequiredReason::No => {}
                found if exclusive.iter().any(|other| other == name) => {
                    let reason = match found {
                        RequiredReason::Marked => "cannot be marked as required",
                        _ if self.has(Change::OmitZero) => "must have omitempty or omitzero tag",
                        _ => "must have omitempty tag",
                    };
                    let message = format!("field {name} is part of OneOf constraint and {reason}");
                    let token = field.tag_place.or_else(|| exclusive_marker(info));
                    let is_marked = matches!(found, RequiredReason::Marked);
                    let kind = ProblemKind::InUnion { name: name.to_owned(), is_marked };
                    self.report(Problem::new(ProblemPlace::Place(place), message, kind).at(token));
                    schema.caused(FAILED, place);
                    return Ok(schema);
                }
                _ => schema.required.push(name.to_owned()),
            }
            let mut property = if has_marker(&field.markers, Meaning::Schemaless) {
                Schema::default()
            } else {
                self.type_schema(context.inner(), &declared.expr)?
            };
            property.description.clone_from(&field.doc);
            self.apply(context, &field.markers, &mut property, field.place)?;
            let schemaless = field.markers.iter().find(|one| one.marker.meaning() == Meaning::Schemaless);
            if let Some(marked) = schemaless {
                property.caused(SCHEMALESS, marked.name());
            }
            property.caused("properties", field.tag_place.unwrap_or(field.place));
            if inline {
                schema.all_of.push(property);
                continue;
            }
            if has_marker(&field.markers, Meaning::Immutable) {
                let marker =
                    field.markers.iter().find(|marked| marked.marker.meaning() == Meaning::Immutable);
                immutable.push((name.to_owned(), marker.map_or(field.place, |marked| marked.place)));
            }
            schema.properties.insert(name.into(), Arc::new(property));
        }
        if self.has(Change::SortedRequired) {
            schema.required.sort_unstable();
        }
        for (name, place) in immutable {
            if !schema.required.contains(&name) {
                schema.rules.push(Rule {
                    rule: format!("!has(oldSelf.{name}) || has(self.{name})"),
                    message: format!("field {name} is immutable once set"),
                    message_expression: String::new(),
                    reason: String::new(),
                    field_path: String::new(),
                    optional_old_self: None,
                    place: Some(place),
                });
            }
        }
        Ok(schema)
    }
}

/// The first marker that lists fields of a union.
fn exclusive_marker(info: &TypeInfo) -> Option<Place> {
    let is_it = |meaning: Meaning| {
        matches!(meaning, Meaning::AtMostOneOf | Meaning::ExactlyOneOf | Meaning::AtLeastOneOf)
    };
    info.markers.iter().find(|marked| is_it(marked.marker.meaning())).map(PlacedMarker::name)
}

/// The problem for a name that is not declared.
fn undeclared(place: Place, name: &str) -> Problem {
    let message = format!("unknown type {name}");
    Problem::new(ProblemPlace::Place(place), message, ProblemKind::UnknownType(name.to_owned()))
}
