//! Schemas of maps.

use std::sync::Arc;

use super::generator::{Crash, Generator};
use super::make::Context;
use super::model::{Additional, Schema};
use super::problem::{Problem, ProblemKind, ProblemPlace};
use super::resolve::{Composite, ResolvedType};
use crate::syntax::{EncodingMethod, Expr, ExprKind};
use crate::version::Change;

impl Generator<'_> {
    pub(super) fn map(&mut self, context: Context<'_>, key: &Expr, value: &Expr) -> Result<Schema, Crash> {
        if let Some(refused) = self.refused_key(context, key) {
            let allowed = if self.has(Change::TextMarshalerKeys) {
                "map keys must be strings or implement encoding.TextMarshaler"
            } else {
                "map keys must be strings"
            };
            let (spot, message) =
                (ProblemPlace::Place(context.place(key)), format!("{allowed}, not {refused}"));
            let is_of_go = self.is_no_key(context, key);
            self.report(Problem::new(spot, message, ProblemKind::MapKey).of_go(is_of_go));
            return Ok(Schema::default());
        }
        let inner = context.inner();
        let mut schema = match &value.kind {
            ExprKind::Ident(name) => self.make_named_type(inner, value, name)?,
            ExprKind::Qualified(package, name) => self.qualified(inner, value, package, name)?,
            ExprKind::Slice(item) => self.list(inner, item, true)?,
            ExprKind::Array(item) => self.list(inner, item, false)?,
            ExprKind::Pointer(_) | ExprKind::Map(..) => self.type_schema(inner, value)?,
            ExprKind::Interface(..) if self.has(Change::InterfaceErrors) => {
                self.error(
                    context.place(value),
                    ProblemKind::NoJson,
                    "interface type is not supported as map value in CRD schemas; consider using an explicit type or \
                     apiextensionsv1.JSON instead"
                        .to_owned(),
                );
                return Ok(Schema::default());
            }
            other => {
                self.error(
                    context.place(value),
                    ProblemKind::NoJson,
                    format!("not a supported map value type: {}", other.go_name()),
                );
                return Ok(Schema::default());
            }
        };
        if !schema.causes.iter().any(|cause| cause.keyword.is_empty()) {
            schema.caused("", context.place(value));
        }
        self.note_failure(&mut schema, context.place(value));
        Ok(Schema { additional: Some(Additional { schema: Some(Arc::new(schema)) }), ..Schema::of("object") })
    }

    /// The type of a key that maps do not support.
    fn refused_key(&mut self, context: Context<'_>, key: &Expr) -> Option<String> {
        let mut resolved = self.resolve(context.scope, key);
        if let ResolvedType::Alias(id) = &resolved
            && !self.has(Change::AliasRightSide)
        {
            resolved = self.unaliased(id);
        }
        let shown = match &resolved {
            ResolvedType::Invalid | ResolvedType::Basic("string") => return None,
            ResolvedType::Basic(name) => (*name).to_owned(),
            ResolvedType::Named(id) => match self.underlying(id) {
                (ResolvedType::Basic("string") | ResolvedType::Invalid, _) => return None,
                (ResolvedType::Basic(name), _) => name.to_owned(),
                (_, written) => self
                    .with_declaration(&written, |_, scope, expr| one_line(scope.file.slice(expr.span)))
                    .unwrap_or_default(),
            },
            ResolvedType::Alias(id) => {
                let package =
                    self.loader.package(id.package).map_or_else(String::new, |package| package.path.clone());
                format!("{package}.{}", id.name)
            }
            _ => context.scope.file.slice(key.span).to_owned(),
        };
        if self.has(Change::TextMarshalerKeys) && self.implements(&resolved, EncodingMethod::Text) {
            return None;
        }
        Some(shown)
    }

    /// Whether Go also rejects a type for keys of maps, because its values cannot be compared.
    fn is_no_key(&mut self, context: Context<'_>, key: &Expr) -> bool {
        let underlying = match self.resolve(context.scope, key) {
            ResolvedType::Named(id) | ResolvedType::Alias(id) => self.underlying(&id).0,
            other => other,
        };
        matches!(underlying, ResolvedType::Composite(Composite::Slice | Composite::Map | Composite::Func))
    }
}

/// A type literal as printed by Go.
fn one_line(text: &str) -> String {
    let fields: Vec<String> =
        text.split(['\n', ';']).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let joined = fields.into_iter().filter(|field| !field.is_empty()).collect::<Vec<_>>().join("; ");
    joined.replace("struct {; ", "struct{").replace("; }", "}").replace("{ ", "{").replace(" }", "}")
}
