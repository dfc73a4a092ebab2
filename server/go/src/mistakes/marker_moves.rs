//! Markers on a field that belong to its type or to the items of its list, and keys of a list that is not a map.

use super::above::above_type;
use super::combinations::Read;
use super::elements::above_elements;
use super::mistake::{CheckedFile, Mistake, bare, written_name};
use super::tags::is_builtin;
use crate::generate::Outcome;
use crate::load::Place;
use crate::marker::{self, Meaning, Target};
use crate::schema::json_types;
use crate::syntax::{Expr, ExprKind, File, Span, TypeDeclaration};

/// The prefix of validation markers, and the part after it for items.
const VALIDATION: &str = "kubebuilder:validation:";
const ITEMS: &str = "items:";

/// The comment that contains a place: its text and its span.
pub(super) fn comment_around(file: &File, span: Span) -> Option<(&str, Span)> {
    let before = file.slice(Span { start: 0, end: span.start });
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let comment = start + before.get(start..)?.find("//")?;
    let written = file.text.get(comment..)?.lines().next()?.trim_end();
    Some((written, Span { start: comment as u32, end: (comment + written.len()) as u32 }))
}

impl Outcome {
    /// The mistake for a marker on a value that it does not apply to, with a fix that moves it to a place
    /// where it applies.
    pub(super) fn moved(&self, mistake: Mistake, applies_to: &str) -> Option<Mistake> {
        let Place { file: id, span } = mistake.place;
        let file = self.source(id)?;
        let seen = CheckedFile::all(id, file, self.version);
        let (written, comment) = comment_around(file, span)?;
        let marker = written.trim_start_matches('/').trim_start().strip_prefix('+')?;
        let expr = bare(seen.expr_below(comment)?);
        let whole = expr;
        let (of_items, expr) = match &expr.kind {
            ExprKind::Slice(items) | ExprKind::Array(items) => (true, bare(items)),
            _ => (false, expr),
        };
        let name = written_name(marker);
        if of_items && fits(expr, applies_to) {
            return self.on_items(mistake, name);
        }
        let without_items = name.strip_prefix(VALIDATION).and_then(|keyword| keyword.strip_prefix(ITEMS));
        if let ExprKind::Map(_, values) = &expr.kind
            && (without_items.is_some() || fits(bare(values), applies_to))
        {
            let (_, rest) = marker.split_at(name.len());
            let keyword = without_items.or_else(|| name.strip_prefix(VALIDATION))?;
            let text = format!("+{VALIDATION}{keyword}{rest}");
            let (title, edits) = above_elements(seen, (&text, comment), bare(values))?;
            let remedy = Some("remove it, or write it above a type of the values".to_owned());
            return Some(Mistake { remedy, ..mistake }.repaired(title, edits, false));
        }
        if let Some(mistake) = self.by_kind(&mistake, name, whole) {
            return Some(mistake);
        }
        if let Some(keyword) = without_items.filter(|_| !of_items && is_builtin(expr)) {
            let better = format!("{VALIDATION}{keyword}");
            let start = mistake.place.span.start + VALIDATION.len() as u32;
            let gone = Span { start, end: start + ITEMS.len() as u32 };
            let edits = vec![(Place { span: gone, ..mistake.place }, String::new())];
            let mistake = Mistake { remedy: Some(format!("write `{better}`")), ..mistake };
            return Some(mistake.repaired(format!("Change to `{better}`"), edits, false));
        }
        let ExprKind::Ident(name) = &expr.kind else { return None };
        let declared =
            file.types().map(|(_, declared)| declared).find(|declared| declared.name.name == *name)?;
        if !fits(&declared.expr, applies_to) {
            return None;
        }
        self.on_type(mistake, (seen, marker, comment), declared)
    }

    /// Adds the fix that uses the corresponding marker for values of this kind.
    fn by_kind(&self, mistake: &Mistake, name: &str, expr: &Expr) -> Option<Mistake> {
        let (side, of) = name.strip_prefix(VALIDATION)?.split_at_checked(3)?;
        let better = match (of, &expr.kind) {
            ("Items" | "Length", ExprKind::Map(..)) => "Properties",
            ("Properties" | "Length", ExprKind::Slice(_) | ExprKind::Array(_)) => "Items",
            ("Items" | "Properties", ExprKind::Ident(of)) if &**of == "string" => "Length",
            _ => return None,
        };
        let better = format!("{VALIDATION}{side}{better}");
        let edits = vec![(mistake.place, better.clone())];
        let mistake = Mistake { remedy: Some(format!("write `{better}`")), ..mistake.clone() };
        matches!(side, "Min" | "Max").then(|| mistake.repaired(format!("Change to `{better}`"), edits, false))
    }

    /// Adds the fix that uses the same marker for the items of the list.
    fn on_items(&self, mistake: Mistake, name: &str) -> Option<Mistake> {
        let keyword = name.strip_prefix(VALIDATION)?;
        let better = format!("{VALIDATION}{ITEMS}{keyword}");
        let is_known = |target| marker::lookup(&format!("+{better}"), target, self.version).is_some();
        is_known(Target::Field).then_some(())?;
        let start = mistake.place.span.start + VALIDATION.len() as u32;
        let edit = (Place { span: Span { start, end: start }, ..mistake.place }, ITEMS.to_owned());
        let mistake = Mistake { remedy: Some(format!("write `{better}` for the items")), ..mistake };
        Some(mistake.repaired(format!("Change to `{better}`"), vec![edit], false))
    }

    /// Adds the fix that moves the marker to the declaration of the type.
    fn on_type(
        &self,
        mistake: Mistake,
        (seen, marker, comment): (CheckedFile<'_>, &str, Span),
        declared: &TypeDeclaration,
    ) -> Option<Mistake> {
        let name = written_name(marker);
        marker::lookup(&format!("+{marker}"), Target::Type, self.version)?;
        let edits = above_type(seen, (&format!("+{marker}"), comment), declared)?;
        let of = &declared.name.name;
        let problem = format!(
            "`{name}` belongs on the declaration of `{of}`, because controller-gen does not look into it here"
        );
        let mistake = Mistake { problem, remedy: Some("move it there".to_owned()), ..mistake };
        Some(mistake.repaired(format!("Move `{name}` to the type `{of}`"), edits, false))
    }

    /// Adds the fixes for a key of a list whose type is not `map`.
    pub(super) fn with_list_type(&self, mistake: Mistake) -> Mistake {
        let Place { file: id, span } = mistake.place;
        let Some(file) = self.source(id) else { return mistake };
        let Some((_, comment)) = comment_around(file, span) else { return mistake };
        let seen = CheckedFile::all(id, file, self.version);
        let expr = seen.expr_below(comment).map(bare);
        let title = || format!("Remove `{}`", file.slice(span));
        if let Some(ExprKind::Slice(items) | ExprKind::Array(items)) = expr.map(|expr| &expr.kind)
            && is_builtin(bare(items))
        {
            let mistake = Mistake { remedy: Some("remove it".to_owned()), ..mistake };
            return mistake.removed(seen, comment, title(), false);
        }
        let associated = file.associated(self.version);
        let lists = associated.fields.iter().chain(associated.types.iter()).map(|(_, list)| list);
        let mut beside = lists.filter(|list| list.iter().any(|one| one.comment == comment)).flatten();
        let list_type = beside
            .find_map(|one| Read::of(seen, one).filter(|read| read.marker.meaning() == Meaning::ListType));
        let value = list_type.as_ref().and_then(|read| Some((read, read.marker.argument("")?)));
        if let Some((read, value)) = value {
            let place = seen.place_in_marker(read.comment, value.range.clone());
            let problem = format!(
                "`{}` applies only to lists of type `map`, not of type `{}`",
                file.slice(span),
                read.marker.text("")
            );
            let remedy = Some(format!("write `{}=map`, or remove the key", read.name()));
            // In a list of objects with a key, the type of the list is probably wrong.
            let mistake = Mistake { place, problem, remedy, ..mistake };
            return mistake
                .or_repaired(
                    "Change the type of the list to `map`".to_owned(),
                    vec![(place, "map".to_owned())],
                )
                .or_removed(seen, comment, title());
        }
        let Some(indent) = seen.indent_of(comment) else { return mistake };
        let at = seen.place(Span { start: comment.start, end: comment.start });
        mistake
            .or_repaired("Add `listType=map`".to_owned(), vec![(at, format!("// +listType=map\n{indent}"))])
            .or_removed(seen, comment, title())
    }
}

/// Whether markers for such values apply to a type.
fn fits(expr: &Expr, applies_to: &str) -> bool {
    match (&expr.kind, applies_to) {
        (ExprKind::Struct(_) | ExprKind::Map(..), "objects and maps") => true,
        (ExprKind::Slice(_) | ExprKind::Array(_), "lists") => true,
        (ExprKind::Ident(name), "strings") => &**name == "string",
        (ExprKind::Ident(name), "numbers") => {
            json_types(name).is_some_and(|types| types.contains(&"integer") || types.contains(&"number"))
        }
        _ => false,
    }
}
