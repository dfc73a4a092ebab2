//! A Go file as far as schemas need it: its types with fields, tags and comments, each with its position.
//!
//! Bodies of functions are ignored.

mod association;
mod by_place;
mod comments;
mod condensed;
mod constants;
mod declared_items;
mod first_error;
mod lexer;
mod names;
mod read;
mod regions;
mod reparse;
mod tag;
mod tokens;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub use association::{FileMarkers, MarkerComment, Read};
pub use by_place::ByPlace;
pub(crate) use comments::marker_text;
pub use constants::Integer;
pub(crate) use constants::integers;
pub use declared_items::DeclaredItem;
pub(crate) use first_error::{Expectation, FirstError, declaration_end, first_error};
use names::Names;
pub use read::Reader;
pub(crate) use regions::Regions;
pub(crate) use reparse::Edit;
pub use reparse::{common_end, common_start};
pub use tag::{is_malformed, json_tag, mark_between, names_json, second_json};
pub(crate) use tokens::{GoToken, TokenKind};

use crate::version::Version;

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The span as a range.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it contains all bytes of another span.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A name, and its position.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Its position.
    pub span: Span,
}

/// A file.
#[derive(Debug)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its whole text.
    pub text: String,
    /// The name in the package clause.
    pub package: Ident,
    /// The start of the package clause.
    pub package_start: u32,
    /// Its imports.
    pub imports: Vec<Import>,
    /// Its declarations, in the order of the text.
    pub declarations: Vec<Arc<Declaration>>,
    /// Methods that decide how a type is encoded.
    pub marshalers: Vec<Marshaler>,
    /// Its comments outside of functions.
    pub comments: Vec<Span>,
    /// The groups of its comments.
    pub groups: Vec<Group>,
    /// Comments in functions and in the values of variables that look like markers.
    pub unread: Vec<Span>,
    /// Its syntax errors.
    pub errors: Vec<SyntaxError>,
    /// The start of each line.
    lines: Vec<u32>,
    /// Data derived from the file.
    derived: DerivedData,
}

/// Data that is derived from a file on first use. It depends only on the file.
#[derive(Debug, Default)]
struct DerivedData {
    /// For the first release that was requested.
    associated: OnceLock<(Version, Arc<FileMarkers>)>,
    regions: OnceLock<Arc<Regions>>,
    names: OnceLock<Names>,
    /// The state before an edit.
    earlier: Option<reparse::ReusableParts>,
}

/// Comments without blank lines or code between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The range of comment numbers.
    pub comments: Range<usize>,
    /// The span of all its comments.
    pub span: Span,
    /// Whether code precedes them on their line.
    pub trailing: bool,
}

/// A syntax error.
#[derive(Clone, Debug)]
pub struct SyntaxError {
    /// Its position.
    pub span: Span,
    /// The problem.
    pub message: String,
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its explicit name, which may be `.` or `_`.
    pub name: Option<String>,
    /// The path.
    pub path: String,
    /// The position of the path.
    pub span: Span,
}

impl Import {
    /// Whether a file refers to the package by this name: its explicit name, or the last part of its path.
    pub(crate) fn is_named(&self, package: &str) -> bool {
        let last = || self.path.rsplit('/').next().unwrap_or(&self.path);
        self.name.as_deref().unwrap_or_else(last) == package
    }
}

/// A top-level declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its kind.
    pub kind: DeclarationKind,
    /// Its span, without comments.
    pub span: Span,
    /// The group of its documentation.
    pub doc: Option<usize>,
}

/// Kinds of declarations.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// `import`, `var`: the positions of the declared items.
    Other(Vec<Spec>),
    /// `const`.
    Const(Vec<Constant>),
    /// `type`, and whether it has parentheses.
    Type(Vec<TypeDeclaration>, bool),
    /// `func`.
    Func,
}

/// An item of a declaration.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its span, without comments.
    pub span: Span,
    /// The group of its documentation.
    pub doc: Option<usize>,
    /// The group of comments after it.
    pub comment: Option<usize>,
}

/// Constants that are declared together.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its position.
    pub spec: Spec,
    /// Their names.
    pub names: Vec<Ident>,
    /// The name of their type, if it has no package.
    pub kind: Option<String>,
    /// For each value, its text if it is a single string literal.
    pub values: Vec<Option<String>>,
    /// For each value, its integer if it does not depend on another constant.
    pub integers: Vec<Option<Integer>>,
}

/// Constants that are declared together, each with the name of its type. Constants without a type are omitted.
pub(crate) fn with_kinds(constants: &[Constant]) -> impl Iterator<Item = (&str, &Constant)> {
    let mut kind: Option<&str> = None;
    constants.iter().filter_map(move |constant| {
        // A constant without a type and values repeats the previous ones.
        if constant.kind.is_some() || !constant.values.is_empty() {
            kind = constant.kind.as_deref();
        }
        Some((kind?, constant))
    })
}

/// A type declaration.
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// Its position.
    pub spec: Spec,
    /// Its name.
    pub name: Ident,
    /// Whether it is an alias.
    pub is_alias: bool,
    /// The names of its type parameters.
    pub parameters: Vec<String>,
    /// Its right side.
    pub expr: Expr,
}

/// A type expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its position.
    pub span: Span,
    /// Its kind.
    pub kind: ExprKind,
}

/// Kinds of type expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Arc<str>),
    /// A name in another package, by the name of its import.
    Qualified(Arc<str>, Arc<str>),
    /// `*T`.
    Pointer(Box<Expr>),
    /// `[]T`.
    Slice(Box<Expr>),
    /// `[N]T`.
    Array(Box<Expr>),
    /// `map[K]V`.
    Map(Box<Expr>, Box<Expr>),
    /// `struct { … }`.
    Struct(Vec<Field>),
    /// `interface { … }`: the names of its methods, and the types that it embeds.
    Interface(Vec<String>, Vec<Expr>),
    /// `(T)`.
    Paren(Box<Expr>),
    /// `T[A]`, or with several arguments.
    Instance(Box<Expr>, Vec<Expr>),
    /// `func(…)`.
    Func,
    /// `chan T`.
    Chan,
    /// Anything else.
    Other,
}

/// A type without pointers and parentheses around it.
pub(crate) fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Pointer(inner) | ExprKind::Paren(inner) => bare(inner),
        _ => expr,
    }
}

impl ExprKind {
    /// The name of its node in Go's syntax tree.
    #[must_use]
    pub const fn go_name(&self) -> &'static str {
        match self {
            Self::Ident(_) => "*ast.Ident",
            Self::Qualified(..) => "*ast.SelectorExpr",
            Self::Pointer(_) => "*ast.StarExpr",
            Self::Slice(_) | Self::Array(_) => "*ast.ArrayType",
            Self::Map(..) => "*ast.MapType",
            Self::Struct(_) => "*ast.StructType",
            Self::Interface(..) => "*ast.InterfaceType",
            Self::Paren(_) => "*ast.ParenExpr",
            Self::Instance(_, arguments) if arguments.len() > 1 => "*ast.IndexListExpr",
            Self::Instance(..) => "*ast.IndexExpr",
            Self::Func => "*ast.FuncType",
            Self::Chan => "*ast.ChanType",
            Self::Other => "*ast.BadExpr",
        }
    }
}

/// A field, or several fields of one type.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its position, with its tag.
    pub spec: Spec,
    /// Its names; empty if it is embedded.
    pub names: Vec<Ident>,
    /// Its type.
    pub expr: Expr,
    /// Its tag.
    pub tag: Option<Tag>,
}

/// The tag of a field.
#[derive(Clone, Debug)]
pub struct Tag {
    /// Its text, without quotes and escapes.
    pub text: Arc<str>,
    /// Its position, with its quotes.
    pub span: Span,
}

/// The way a type is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingMethod {
    /// By `MarshalJSON`.
    Json,
    /// By `MarshalText`.
    Text,
}

impl EncodingMethod {
    /// The name of the method.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Json => "MarshalJSON",
            Self::Text => "MarshalText",
        }
    }
}

/// A method that decides how a type is encoded.
#[derive(Clone, Debug)]
pub struct Marshaler {
    /// The name of the type.
    pub receiver: Arc<str>,
    /// The method.
    pub encoding: EncodingMethod,
}

impl File {
    /// The text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// `text` with the line ends of the file, for insertion into the file.
    #[must_use]
    pub fn with_line_ends(&self, text: String) -> String {
        let ends_with_return = self
            .text
            .find('\n')
            .is_some_and(|end| self.text.get(..end).is_some_and(|line| line.ends_with('\r')));
        match ends_with_return && text.contains('\n') {
            true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            false => text,
        }
    }

    /// The line and the column of a byte, both from 1; the column counts bytes.
    #[must_use]
    pub fn position(&self, at: u32) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(0);
        (line.max(1), (at - start) as usize + 1)
    }

    /// The types that the file declares.
    pub fn types(&self) -> impl Iterator<Item = (&Declaration, &TypeDeclaration)> {
        self.declarations.iter().map(|declaration| &**declaration).flat_map(|declaration| {
            let types = match &declaration.kind {
                DeclarationKind::Type(types, _) => types.as_slice(),
                _ => &[],
            };
            types.iter().map(move |declared| (declaration, declared))
        })
    }

    /// A comment with its comment marks, without a carriage return at its end.
    #[must_use]
    pub fn comment(&self, number: usize) -> &str {
        self.comments.get(number).map_or("", |span| self.slice(*span).trim_end_matches('\r'))
    }
}
