//! Converts type expressions to schemas with unresolved references.

use std::sync::Arc;

use super::collect::TypeInfo;
use super::generator::{Crash, Generator};
use super::model::{FAILED, MISSING, Reference, Schema, TypeId};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::resolve::{Composite, ResolvedType, Scope};
use crate::load::{Loader, Place};
use crate::strings::quoted;
use crate::syntax::{EncodingMethod, Expr, ExprKind};
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
            && self.problems.iter().any(|problem| problem.token.is_none() && is_within(&problem.place))
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
}

/// The problem for a name that is not declared.
fn undeclared(place: Place, name: &str) -> Problem {
    let message = format!("unknown type {name}");
    Problem::new(ProblemPlace::Place(place), message, ProblemKind::UnknownType(name.to_owned()))
}
