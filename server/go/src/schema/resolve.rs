//! Resolves the names in type expressions as Go's type checker does.

use std::collections::HashSet;

use super::generator::Generator;
use super::model::TypeId;
use crate::load::{FileId, Loader, PackageId, Place};
use crate::syntax::{EncodingMethod, Expr, ExprKind, File};

/// The meaning of a type expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResolvedType {
    /// Unknown.
    Invalid,
    /// A basic type.
    Basic(&'static str),
    /// `error`.
    Error,
    /// `any`, `comparable`.
    Interface,
    /// A declared type.
    Named(TypeId),
    /// An alias of a type.
    Alias(TypeId),
    /// A type parameter.
    Parameter(String),
    /// A type literal.
    Composite(Composite),
}

/// Type literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Composite {
    Pointer,
    Slice,
    Array,
    Map,
    Struct,
    Interface,
    Func,
    Chan,
}

impl Composite {
    /// The name of Go's type for it.
    pub(crate) const fn go_name(self) -> &'static str {
        match self {
            Self::Pointer => "*types.Pointer",
            Self::Slice => "*types.Slice",
            Self::Array => "*types.Array",
            Self::Map => "*types.Map",
            Self::Struct => "*types.Struct",
            Self::Interface => "*types.Interface",
            Self::Func => "*types.Signature",
            Self::Chan => "*types.Chan",
        }
    }
}

const BASIC: [&str; 21] = [
    "bool",
    "string",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
    "byte",
    "rune",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "Pointer",
    "untyped nil",
];

/// The maximum length of a chain of names. Longer chains are cycles.
const MAX_CHAIN: usize = 64;

/// Whether a name is that of a basic type.
pub(crate) fn is_basic(name: &str) -> bool {
    BASIC.contains(&name)
}

/// The JSON types from which Go decodes a basic type, the usual one first.
#[must_use]
pub fn json_types(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "string" => &["string"],
        "bool" => &["boolean"],
        "float32" | "float64" => &["number", "integer"],
        "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32" | "uint64"
        | "byte" | "rune" => &["integer", "number"],
        _ => return None,
    })
}

/// The scope of the names in a type expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) package: PackageId,
    pub(crate) id: FileId,
    pub(crate) file: &'a File,
    pub(crate) parameters: &'a [String],
}

impl Generator<'_> {
    /// Resolves a type expression.
    pub(crate) fn resolve(&mut self, scope: Scope<'_>, expr: &Expr) -> ResolvedType {
        match &expr.kind {
            ExprKind::Ident(name) => self.resolve_name(scope, name),
            ExprKind::Qualified(package, name) => self.resolve_qualified(scope, package, name),
            ExprKind::Paren(inner) => self.resolve(scope, inner),
            ExprKind::Instance(inner, _) => self.resolve(scope, inner),
            ExprKind::Pointer(_) => ResolvedType::Composite(Composite::Pointer),
            ExprKind::Slice(_) => ResolvedType::Composite(Composite::Slice),
            ExprKind::Array(_) => ResolvedType::Composite(Composite::Array),
            ExprKind::Map(..) => ResolvedType::Composite(Composite::Map),
            ExprKind::Struct(_) => ResolvedType::Composite(Composite::Struct),
            ExprKind::Interface(..) => ResolvedType::Composite(Composite::Interface),
            ExprKind::Func => ResolvedType::Composite(Composite::Func),
            ExprKind::Chan => ResolvedType::Composite(Composite::Chan),
            ExprKind::Other => ResolvedType::Invalid,
        }
    }

    fn resolve_name(&mut self, scope: Scope<'_>, name: &str) -> ResolvedType {
        if scope.parameters.iter().any(|parameter| parameter == name) {
            return ResolvedType::Parameter(name.to_owned());
        }
        if let Some(found) = self.declared_in(scope.package, name) {
            return found;
        }
        for import in scope.file.imports.iter().filter(|import| import.name.as_deref() == Some(".")) {
            if let Some(package) = self.visible_import(scope, &import.path, import.span)
                && let Some(found) = self.declared_in(package, name)
            {
                return found;
            }
        }
        match name {
            "error" => ResolvedType::Error,
            "any" | "comparable" => ResolvedType::Interface,
            name => BASIC
                .iter()
                .take(19)
                .find(|basic| **basic == name)
                .map_or(ResolvedType::Invalid, |basic| ResolvedType::Basic(basic)),
        }
    }

    fn declared_in(&self, package: PackageId, name: &str) -> Option<ResolvedType> {
        let found = self.loader.package(package)?;
        if !found.is_sound {
            return None;
        }
        let at = *found.types.get(name)?;
        let file = self.loader.file(at.file)?;
        let id = TypeId { package, name: name.into() };
        Some(if Loader::declared(&file, at)?.is_alias {
            ResolvedType::Alias(id)
        } else {
            ResolvedType::Named(id)
        })
    }

    fn resolve_qualified(&mut self, scope: Scope<'_>, package: &str, name: &str) -> ResolvedType {
        let Some((path, span)) = self.import_named(scope, package) else { return ResolvedType::Invalid };
        if path == "unsafe" && name == "Pointer" {
            return ResolvedType::Basic("Pointer");
        }
        let Some(package) = self.visible_import(scope, &path, span) else { return ResolvedType::Invalid };
        self.declared_in(package, name).unwrap_or(ResolvedType::Invalid)
    }

    /// The import that a name refers to in a file.
    pub(super) fn import_named(
        &mut self,
        scope: Scope<'_>,
        name: &str,
    ) -> Option<(String, crate::syntax::Span)> {
        let imports = &scope.file.imports;
        if let Some(import) = imports.iter().find(|import| import.name.as_deref() == Some(name)) {
            return Some((import.path.clone(), import.span));
        }
        let unnamed = || imports.iter().filter(|import| import.name.is_none());
        // Usually, the last part of the path is the name of the package.
        let (likely, others): (Vec<_>, Vec<_>) = unnamed().partition(|import| looks_like(&import.path, name));
        let has_name = |generator: &mut Self, path: &str, span| {
            let found = generator.imported(scope, path, span)?;
            Some(generator.loader.package(found)?.name == name)
        };
        for import in &likely {
            if has_name(self, &import.path, import.span).is_none_or(|has| has) {
                return Some((import.path.clone(), import.span));
            }
        }
        for import in &others {
            if has_name(self, &import.path, import.span) == Some(true) {
                return Some((import.path.clone(), import.span));
            }
        }
        // The name of a package that is not there may be any.
        let mut missing =
            others.iter().filter(|import| self.imported(scope, &import.path, import.span).is_none());
        missing.next().map(|import| (import.path.clone(), import.span))
    }

    pub(super) fn imported(
        &mut self,
        scope: Scope<'_>,
        path: &str,
        span: crate::syntax::Span,
    ) -> Option<PackageId> {
        let package = self.loader.package(scope.package)?;
        self.loader.import(&package, path, Place { file: scope.id, span })
    }

    /// An imported package, if its declarations were known when the importing package was checked.
    fn visible_import(
        &mut self,
        scope: Scope<'_>,
        path: &str,
        span: crate::syntax::Span,
    ) -> Option<PackageId> {
        let found = self.imported(scope, path, span)?;
        self.visible.get(&scope.package)?.contains(&found).then_some(found)
    }

    /// The type that an alias refers to, through all further aliases.
    pub(super) fn unaliased(&mut self, id: &TypeId) -> ResolvedType {
        let mut current = ResolvedType::Alias(id.clone());
        for _ in 0..MAX_CHAIN {
            let ResolvedType::Alias(id) = &current else { return current };
            current = self.right_side(&id.clone());
        }
        ResolvedType::Invalid
    }

    /// The type on the right side of a declaration.
    pub(super) fn right_side(&mut self, id: &TypeId) -> ResolvedType {
        self.with_declaration(id, |generator, scope, expr| generator.resolve(scope, expr))
            .unwrap_or(ResolvedType::Invalid)
    }

    /// Calls `look` with the declaration of a type.
    pub(super) fn with_declaration<T>(
        &mut self,
        id: &TypeId,
        look: impl FnOnce(&mut Self, Scope<'_>, &Expr) -> T,
    ) -> Option<T> {
        let at = *self.loader.package(id.package)?.types.get(&id.name)?;
        let file = self.declaration_file(at)?;
        let declared = Loader::declared(&file, at)?;
        let scope = Scope { package: id.package, id: at.file, file: &file, parameters: &declared.parameters };
        Some(look(self, scope, &declared.expr))
    }

    /// The underlying type of a declared type, and the declared type whose right side it is.
    pub(super) fn underlying(&mut self, id: &TypeId) -> (ResolvedType, TypeId) {
        let mut current = id.clone();
        for _ in 0..MAX_CHAIN {
            match self.right_side(&current) {
                ResolvedType::Named(next) | ResolvedType::Alias(next) => current = next,
                found => return (found, current),
            }
        }
        (ResolvedType::Invalid, current)
    }

    /// Whether a type has the method that an encoding needs, directly or through embedding.
    pub(super) fn implements(&mut self, resolved: &ResolvedType, encoding: EncodingMethod) -> bool {
        let resolved = match resolved {
            ResolvedType::Alias(id) => self.unaliased(id),
            other => other.clone(),
        };
        match resolved {
            ResolvedType::Invalid => true,
            ResolvedType::Named(id) => {
                let (underlying, written) = self.underlying(&id);
                underlying == ResolvedType::Invalid
                    || self.has_method(&id, encoding)
                    || underlying == ResolvedType::Composite(Composite::Struct)
                        && self.embeds_invalid(&written, &mut HashSet::new())
            }
            _ => false,
        }
    }

    fn has_method(&mut self, id: &TypeId, encoding: EncodingMethod) -> bool {
        let mut seen: HashSet<TypeId> = HashSet::new();
        let mut level = vec![id.clone()];
        while !level.is_empty() {
            let mut count = 0;
            let mut below = Vec::new();
            for id in level {
                if !seen.insert(id.clone()) {
                    continue;
                }
                let Some(package) = self.loader.package(id.package) else { continue };
                if package.marshalers.contains(&(id.name.clone(), encoding)) {
                    count += 1;
                    continue;
                }
                let (_, written) = self.underlying(&id);
                let embedded = self.embedded(&written);
                if self.interface_has(&written, encoding) {
                    count += 1;
                    continue;
                }
                for found in embedded {
                    let found = match found {
                        ResolvedType::Alias(id) => self.unaliased(&id),
                        other => other,
                    };
                    if let ResolvedType::Named(id) = found {
                        below.push(id);
                    }
                }
            }
            if count > 0 {
                return count == 1;
            }
            level = below;
        }
        false
    }

    fn interface_has(&mut self, id: &TypeId, encoding: EncodingMethod) -> bool {
        let found = self.with_declaration(id, |_, _, expr| match &expr.kind {
            ExprKind::Interface(methods, _) => methods.iter().any(|method| method == encoding.method()),
            _ => false,
        });
        found == Some(true)
    }

    /// The types of the embedded fields of a struct, without pointers.
    fn embedded(&mut self, id: &TypeId) -> Vec<ResolvedType> {
        let found = self.with_declaration(id, |generator, scope, expr| {
            let ExprKind::Struct(fields) = &expr.kind else { return Vec::new() };
            let embedded = fields.iter().filter(|field| field.names.is_empty());
            let types = embedded.map(|field| match &field.expr.kind {
                ExprKind::Pointer(inner) => generator.resolve(scope, inner),
                _ => generator.resolve(scope, &field.expr),
            });
            types.collect()
        });
        found.unwrap_or_default()
    }

    /// Whether a struct embeds an unknown type, directly or indirectly.
    fn embeds_invalid(&mut self, id: &TypeId, seen: &mut HashSet<TypeId>) -> bool {
        if !seen.insert(id.clone()) {
            return false;
        }
        let embedded = self.with_declaration(id, |generator, scope, expr| {
            let ExprKind::Struct(fields) = &expr.kind else { return Vec::new() };
            let embedded = fields
                .iter()
                .filter(|field| field.names.is_empty() && !matches!(field.expr.kind, ExprKind::Pointer(_)));
            embedded.map(|field| generator.resolve(scope, &field.expr)).collect::<Vec<_>>()
        });
        for found in embedded.into_iter().flatten() {
            let found = match found {
                ResolvedType::Alias(id) => self.unaliased(&id),
                other => other,
            };
            match found {
                ResolvedType::Invalid => return true,
                ResolvedType::Named(id) => {
                    let (_, written) = self.underlying(&id);
                    if self.embeds_invalid(&written, seen) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

/// Whether the last part of an import path may be the name of the package.
pub(super) fn looks_like(path: &str, name: &str) -> bool {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or("");
    let is_version =
        last.strip_prefix('v').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    last == name
        || is_version && parts.next() == Some(name)
        || last.split('.').next() == Some(name)
        || last.strip_prefix("go-") == Some(name)
}
