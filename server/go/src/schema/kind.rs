//! Recognizes kinds.

use super::generator::Generator;
use super::model::TypeId;
use super::resolve::ResolvedType;
use crate::load::{Loader, TypeAt};
use crate::syntax::ExprKind;

/// The package of the types that a kind embeds.
const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";

impl Generator<'_> {
    /// Whether a type has an embedded field.
    pub(crate) fn embeds(&self, at: TypeAt) -> bool {
        let file = self.loader.file(at.file);
        let declared = file.as_ref().and_then(|file| Loader::declared(file, at));
        declared.is_some_and(|declared| {
            let ExprKind::Struct(fields) = &declared.expr.kind else { return false };
            fields.iter().any(|field| field.names.is_empty())
        })
    }

    /// Whether a type embeds `TypeMeta` and whether it embeds `ObjectMeta`, both by value.
    pub(crate) fn embedded_meta(&mut self, id: &TypeId) -> (bool, bool) {
        let embedded = self.with_declaration(id, |generator, scope, expr| {
            let ExprKind::Struct(fields) = &expr.kind else { return Vec::new() };
            let embedded = fields.iter().filter(|field| field.names.is_empty());
            embedded.map(|field| generator.resolve(scope, &field.expr)).collect::<Vec<_>>()
        });
        let mut found = (false, false);
        for resolved in embedded.into_iter().flatten() {
            let ResolvedType::Named(id) = resolved else { continue };
            if self.loader.package(id.package).is_some_and(|package| package.path == META) {
                found.0 |= &*id.name == "TypeMeta";
                found.1 |= &*id.name == "ObjectMeta";
            }
        }
        found
    }
}
