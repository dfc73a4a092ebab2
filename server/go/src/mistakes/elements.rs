//! Markers for the values or keys of a map, or for the items of inner lists, which controller-gen does not support; and
//! types for these elements.

use super::above::above_type;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, bare};
use crate::edits::field_at;
use crate::generate::Outcome;
use crate::load::Place;
use crate::marker::{self, Target};
use crate::syntax::{Expr, ExprKind, MarkerComment, Span};

const VALIDATION: &str = "kubebuilder:validation:";
const ITEMS: &str = "kubebuilder:validation:items:";

/// Lowercase parts of marker names with which people mean the elements of a list or a map.
const OF_ELEMENTS: [&str; 9] =
    ["values", "value", "additionalproperties", "elements", "element", "item", "items", "mapvalues", "each"];
const OF_KEYS: [&str; 4] = ["keys", "key", "mapkeys", "propertynames"];

/// Go types from which a type of the project can be declared.
const BUILTIN: [&str; 8] = ["string", "bool", "int", "int32", "int64", "uint32", "float32", "float64"];

/// The mistake if the name of a marker mentions elements or keys: `kubebuilder:validation:values:MaxLength`.
pub(super) fn check(seen: CheckedFile<'_>, comment: &MarkerComment, name: &str) -> Option<Mistake> {
    let (part, last) = name.strip_prefix(VALIDATION)?.split_once(':')?;
    let last = last.rsplit(':').next().unwrap_or(last);
    let part = part.to_lowercase();
    let expr = bare(seen.expr_below(comment.comment)?);
    let is_of_keys = OF_KEYS.contains(&part.as_str());
    let is_known = marker::lookup(&format!("+{ITEMS}{last}"), Target::Field, seen.version).is_some();
    if !is_known || !is_of_keys && !OF_ELEMENTS.contains(&part.as_str()) {
        return None;
    }
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let found = |what: &str, remedy: &str| {
        let problem = format!("controller-gen ignores `{name}`, because no marker applies to {what}");
        Mistake::new(MistakeKind::Unknown, place, advised(problem, remedy))
    };
    let removed =
        |mistake: Mistake| mistake.removed(seen, comment.comment, format!("Remove `{name}`"), false);
    let (what, inner) = match &expr.kind {
        ExprKind::Map(..) if is_of_keys => {
            return Some(removed(found("the keys of a map", "check them with a rule")));
        }
        ExprKind::Map(_, inner) => ("the values of a map", bare(inner)),
        ExprKind::Slice(inner) | ExprKind::Array(inner) if !is_of_keys => match &bare(inner).kind {
            ExprKind::Slice(inner) | ExprKind::Array(inner) if name.matches(":items:").count() > 0 => {
                ("the items of inner lists", bare(inner))
            }
            _ => return None,
        },
        _ => return None,
    };
    let text = format!("+{VALIDATION}{last}{}", seen.text(comment).get(1 + name.len()..).unwrap_or(""));
    let mistake = found(what, "write the marker above a named type for them");
    Some(match above_elements(seen, (&text, comment.comment), inner) {
        Some((title, edits)) => mistake.repaired(title, edits, false),
        None => removed(mistake),
    })
}

impl Outcome {
    /// Adds the fix that declares a separate type for an anonymous struct.
    pub(super) fn with_type(&self, mistake: Mistake, written: &str) -> Mistake {
        let Place { file: id, span } = mistake.place;
        let Some(file) = self.source(id) else { return mistake };
        let holder = file.types().find(|(_, declared)| declared.expr.span.contains(span));
        let field = field_at(file, span.start).and_then(|(field, _)| field.names.first());
        let (Some((declaration, declared)), Some(field)) = (holder, field) else { return mistake };
        let new = format!("{}{}", declared.name.name.trim_end_matches("Spec"), field.name);
        if file.types().any(|(_, other)| *other.name.name == *new) {
            return mistake;
        }
        let end = declaration.span.end;
        let body = written.replace("\n\t", "\n");
        let text = format!("\n\n// {new} is {} of {}.\ntype {new} {body}", field.name, declared.name.name);
        let edits =
            vec![(mistake.place, new.clone()), (Place { file: id, span: Span { start: end, end } }, text)];
        mistake.repaired(format!("Declare the type {new}"), edits, false)
    }
}

/// The edits that move a marker above the type of elements. If the elements have a basic type, the edits
/// declare a new type.
pub(super) fn above_elements(
    seen: CheckedFile<'_>,
    (text, comment): (&str, Span),
    inner: &Expr,
) -> Option<(String, Vec<(Place, String)>)> {
    let ExprKind::Ident(name) = &inner.kind else { return None };
    let named = |name: &str| {
        seen.file.types().map(|(_, declared)| declared).find(|declared| *declared.name.name == *name)
    };
    if let Some(declared) = named(name) {
        let edits = above_type(seen, (text, comment), declared)?;
        return Some((format!("Move the marker above {name}"), edits));
    }
    if !BUILTIN.contains(&&**name) {
        return None;
    }
    let (declaration, declared) =
        seen.file.types().find(|(_, declared)| declared.expr.span.contains(comment))?;
    let ExprKind::Struct(fields) = &declared.expr.kind else { return None };
    let field = fields.iter().find(|field| field.spec.span.start > comment.start)?.names.first()?;
    let new = format!("{}Value", field.name);
    if named(&new).is_some() {
        return None;
    }
    let end = declaration.span.end;
    let declared = format!(
        "\n\n// {new} is a value of {} in {}.\n// {}\ntype {new} {name}",
        field.name,
        declared.name.name,
        text.trim_end()
    );
    let edits = vec![
        (seen.line_of(comment), String::new()),
        (seen.place(inner.span), new.clone()),
        (seen.place(Span { start: end, end }), declared),
    ];
    Some((format!("Declare the type {new} with the marker"), edits))
}
