//! Names of types that the package does not declare.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, nearest};
use super::swapped_names;
use super::types::Types;
use crate::schema::is_basic;
use crate::syntax::{Expr, ExprKind, Field, File};

/// The maximum number of wrong letters in a misspelt name: one, and one more for each `LETTERS_PER_MISTYPING` letters.
const MAX_DISTANCE: usize = 2;
const LETTERS_PER_MISTYPING: usize = 5;

/// The predeclared types of Go that are not basic.
const NOT_BASIC: [&str; 3] = ["any", "comparable", "error"];

/// Words for types, each with the types of Go.
const WORDS: [(&str, &[&str]); 9] = [
    ("integer", &["int32", "int64"]),
    ("number", &["int32", "int64"]),
    ("i32", &["int32"]),
    ("i64", &["int64"]),
    ("long", &["int64"]),
    ("boolean", &["bool"]),
    ("str", &["string"]),
    ("text", &["string"]),
    ("varchar", &["string"]),
];

/// The types of Go that a word means.
pub(super) fn meant_types(word: &str) -> &'static [&'static str] {
    let word = word.to_lowercase();
    WORDS.iter().find(|(known, _)| *known == word).map_or(&[], |(_, meant)| meant)
}

/// The maximum number of wrong letters in a name.
pub(super) fn most_wrong_letters(name: &str) -> usize {
    MAX_DISTANCE.min(1 + name.len() / LETTERS_PER_MISTYPING)
}

/// Checks for misspelt types of fields. Other unknown names may be declared in files that are not read.
pub(super) fn check(seen: CheckedFile<'_>, types: &Types<'_>, found: &mut Vec<Mistake>) {
    // The names may come from a package whose names the file imports.
    if seen.file.imports.iter().any(|import| import.name.as_deref() == Some(".")) {
        return;
    }
    for (_, declared) in seen.file.types() {
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        let declares = |name: &str| types.declares(name);
        let is_swapped = |field: &Field| swapped_names::is_swapped(field, &declares);
        let read = fields.iter().filter(|field| declared.parameters.is_empty() && !is_swapped(field));
        for (expr, name) in read.map(|field| &field.expr).filter_map(named) {
            if types.declares(name) || is_basic(name) || NOT_BASIC.contains(&name) {
                continue;
            }
            let of_package = without_dot(seen.file, name);
            let nearest = || nearest(name, types.names(), most_wrong_letters(name)).map(str::to_owned);
            let Some(intended) = of_package.or_else(nearest) else { continue };
            let words = advised(
                format!("the type `{name}` is not declared"),
                format!("write `{intended}`, or declare the type"),
            );
            let mistake = Mistake::new(MistakeKind::Refused, seen.place(expr.span), words).of_go();
            let edits = vec![(mistake.place, intended.clone())];
            found.push(mistake.repaired(format!("Change `{name}` to `{intended}`"), edits, false));
        }
    }
}

/// A type of an imported package whose name lacks the dot: `metav1Condition`.
pub(super) fn without_dot(file: &File, name: &str) -> Option<String> {
    let mut named = file.imports.iter().filter_map(|import| {
        let package = import.name.as_deref().or_else(|| import.path.rsplit('/').next())?;
        let kind = name.strip_prefix(package).filter(|kind| kind.starts_with(char::is_uppercase))?;
        Some(format!("{package}.{kind}"))
    });
    named.next()
}

/// The named type of this package in a type such as `[]*Name`.
fn named(expr: &Expr) -> Option<(&Expr, &str)> {
    match &expr.kind {
        ExprKind::Pointer(inner)
        | ExprKind::Paren(inner)
        | ExprKind::Slice(inner)
        | ExprKind::Array(inner) => named(inner),
        ExprKind::Map(_, values) => named(values),
        ExprKind::Ident(name) => Some((expr, name)),
        _ => None,
    }
}
