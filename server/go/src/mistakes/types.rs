//! The types of a package with their markers, as the checks of markers need them.

use std::collections::{HashMap, HashSet};

use super::combinations::Read;
use super::mistake::CheckedFile;
use crate::load::Place;
use crate::marker::Meaning;
use crate::schema::json_types;
use crate::syntax::{
    DeclarationKind, Expr, ExprKind, Field, FileMarkers, MarkerComment, TypeDeclaration, integers, with_kinds,
};

/// The types of a package by name.
#[derive(Default)]
pub(super) struct Types<'f> {
    by_name: HashMap<&'f str, (CheckedFile<'f>, &'f TypeDeclaration, &'f [MarkerComment])>,
    /// The types with their own encoding.
    encoded: HashSet<&'f str>,
    /// The string constants by their type, with names and values.
    constants: HashMap<&'f str, Vec<(&'f str, &'f str)>>,
    /// The integer constants by their type.
    integers: HashMap<&'f str, Vec<(&'f str, i64)>>,
}

/// The kind of values of a basic type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BasicKind {
    Text,
    Integer,
    Bool,
}

impl BasicKind {
    /// The name for several values.
    pub(super) const fn several(self) -> &'static str {
        match self {
            Self::Text => "strings",
            Self::Integer => "integers",
            Self::Bool => "booleans",
        }
    }
}

/// The maximum number of names that lead to a basic type.
const MAX_STEPS: usize = 8;

impl<'f> Types<'f> {
    pub(super) fn add(&mut self, seen: CheckedFile<'f>, associated: &'f FileMarkers) {
        for (_, declared) in seen.file.types() {
            let markers = associated.types.get(declared.name.span.start).unwrap_or_default();
            self.by_name.insert(&declared.name.name, (seen, declared, markers));
        }
        self.encoded.extend(seen.file.marshalers.iter().map(|marshaler| &*marshaler.receiver));
        for declaration in &seen.file.declarations {
            let DeclarationKind::Const(constants) = &declaration.kind else { continue };
            for (kind, name, value) in integers(constants) {
                self.integers.entry(kind).or_default().push((name, value));
            }
            for (kind, constant) in with_kinds(constants) {
                let named = constant.names.iter().zip(&constant.values);
                let texts = named.filter_map(|(name, value)| Some((&*name.name, value.as_deref()?)));
                self.constants.entry(kind).or_default().extend(texts);
            }
        }
    }

    /// Whether a type of the package is a struct.
    pub(super) fn is_struct(&self, name: &str) -> bool {
        self.by_name
            .get(name)
            .is_some_and(|(_, declared, _)| matches!(declared.expr.kind, ExprKind::Struct(_)))
    }

    /// Whether a type of the package has its own encoding.
    pub(super) fn is_encoded(&self, name: &str) -> bool {
        self.encoded.contains(name)
    }

    /// Whether the package declares a type with this name.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The names of the types that the package declares, sorted.
    pub(super) fn names(&self) -> Vec<&'f str> {
        let mut names: Vec<&str> = self.by_name.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The struct type of a field in the package, with its fields; `None` if it has its own encoding.
    pub(super) fn fields(&self, expr: &Expr) -> Option<(&'f str, &'f [Field])> {
        let (_, declared, _) = self.own(expr)?;
        match &declared.expr.kind {
            ExprKind::Struct(fields) if !self.is_encoded(&declared.name.name) => {
                Some((&declared.name.name, fields))
            }
            _ => None,
        }
    }

    /// The constants of a type of the package: their names and values, in the order of the text.
    pub(super) fn constants(&self, name: &str) -> &[(&'f str, &'f str)] {
        self.constants.get(name).map_or(&[], Vec::as_slice)
    }

    /// The integer constants of a type.
    pub(super) fn integers(&self, name: &str) -> &[(&'f str, i64)] {
        self.integers.get(name).map_or(&[], Vec::as_slice)
    }

    /// The kind of values of a type that is based on a basic type, if Go decodes it as such.
    pub(super) fn basic(&self, expr: &Expr) -> Option<BasicKind> {
        self.builtin(expr).and_then(values_of)
    }

    /// The name of the basic type on which a type is based, if Go decodes it as such.
    pub(super) fn builtin<'e>(&'e self, expr: &'e Expr) -> Option<&'e str> {
        let mut expr = expr;
        for _ in 0..MAX_STEPS {
            match &expr.kind {
                ExprKind::Pointer(inner) => expr = inner,
                ExprKind::Ident(name) => match self.by_name.get(&**name) {
                    Some(_) if self.encoded.contains(&**name) => return None,
                    Some((_, declared, _)) => expr = &declared.expr,
                    None => return Some(name),
                },
                _ => return None,
            }
        }
        None
    }

    /// The type of the items, if Go decodes the type as a list.
    pub(super) fn items<'e>(&'e self, expr: &'e Expr) -> Option<&'e Expr> {
        let mut expr = expr;
        for _ in 0..MAX_STEPS {
            match &expr.kind {
                ExprKind::Pointer(inner) => expr = inner,
                ExprKind::Slice(items) | ExprKind::Array(items) => return Some(items),
                ExprKind::Ident(name) if !self.encoded.contains(&**name) => {
                    expr = &self.by_name.get(&**name)?.1.expr;
                }
                _ => return None,
            }
        }
        None
    }

    /// The type of a field in the package, with its markers.
    pub(super) fn own(
        &self,
        expr: &Expr,
    ) -> Option<&(CheckedFile<'f>, &'f TypeDeclaration, &'f [MarkerComment])> {
        match &expr.kind {
            ExprKind::Pointer(inner) => self.own(inner),
            ExprKind::Ident(name) => self.by_name.get(&**name),
            _ => None,
        }
    }
}

/// The kind of values of a basic type.
fn values_of(name: &str) -> Option<BasicKind> {
    match json_types(name)? {
        ["string"] => Some(BasicKind::Text),
        ["boolean"] => Some(BasicKind::Bool),
        ["integer", ..] => Some(BasicKind::Integer),
        _ => None,
    }
}

/// The markers of a type or of a field.
pub(super) struct MarkedDeclaration<'f> {
    pub(super) markers: &'f [MarkerComment],
    /// The type declaration; `None` for a field.
    pub(super) declared: Option<&'f TypeDeclaration>,
    /// The type of the field, or the right side of the declaration.
    pub(super) expr: &'f Expr,
}

/// The types and the fields of structs with markers, in the order of the text.
pub(super) fn marked<'f>(
    seen: CheckedFile<'f>,
    associated: &'f FileMarkers,
) -> impl Iterator<Item = MarkedDeclaration<'f>> {
    seen.file.types().flat_map(|(_, declared)| {
        let fields = match &declared.expr.kind {
            ExprKind::Struct(fields) => fields.as_slice(),
            _ => &[],
        };
        let of_type = associated.types.get(declared.name.span.start);
        let of_type = of_type.map(|markers| MarkedDeclaration {
            markers,
            declared: Some(declared),
            expr: &declared.expr,
        });
        let of_fields = fields.iter().filter_map(|field| {
            let markers = associated.fields.get(field.spec.span.start)?;
            Some(MarkedDeclaration { markers, declared: None, expr: &field.expr })
        });
        of_type.into_iter().chain(of_fields)
    })
}

/// Whether a marker in effect has one of some meanings.
pub(super) fn has_marker(list: &[MarkerComment], is_intended: fn(Meaning) -> bool) -> bool {
    let mut read = list.iter().filter_map(|comment| comment.read.as_deref());
    read.any(|read| is_intended(read.marker.meaning()))
}

pub(super) fn reads<'f>(seen: CheckedFile<'f>, list: &'f [MarkerComment]) -> Vec<Read<'f>> {
    let known = list.iter().filter_map(|comment| Read::of(seen, comment));
    known.filter(|read| !read.marker.definition.items).collect()
}

/// The place of the value after `=`.
pub(super) fn value_place(seen: CheckedFile<'_>, read: &Read<'_>) -> Place {
    let value = read.marker.argument("");
    value.map_or_else(|| read.place(seen), |value| seen.place_in_marker(read.comment, value.range.clone()))
}
