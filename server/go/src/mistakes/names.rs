//! Marker names that controller-gen does not know at their places.

use super::above::{above_type, type_below};
use super::form::form;
use super::kinds::embeds_meta;
use super::lookalikes;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, beginning, with_article, written_name};
use super::position::{ABOVE_PACKAGE, above_package, is_commented_out};
use super::unknown_name::UnknownName;
use crate::marker::{self, Target};
use crate::syntax::MarkerComment;

/// The mistake in the name of a marker among the markers of one declaration.
pub(super) fn check(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    target: Target,
    has_group: bool,
) -> Option<Mistake> {
    // A marker above a type or a field applies to it, even if it belongs to commented-out code.
    if comment.read.is_some() || target == Target::Package && is_commented_out(seen, comment.comment) {
        return None;
    }
    if let Some(mistake) = lookalikes::check(seen, comment, target) {
        return Some(mistake);
    }
    form(seen, comment, target)
        .map(|mistake| match mistake.intended_name {
            Some(_) => mistake,
            None => mistake.with_intended_name(beginning(written_name(seen.text(comment)).trim_start())),
        })
        .or_else(|| check_other_targets(seen, comment, target, has_group))
        .or_else(|| UnknownName::of(seen, (comment, list), target).mistake())
}

/// Checks for a name that is known for another target.
fn check_other_targets(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    target: Target,
    has_group: bool,
) -> Option<Mistake> {
    let text = seen.text(comment);
    let name = beginning(written_name(text));
    let lookup = |target| marker::lookup(text, target, seen.version);
    let known: Vec<Target> = [Target::Type, Target::Field, Target::Package]
        .into_iter()
        .filter(|other| lookup(*other).is_some())
        .collect();
    let first = *known.first()?;
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    if first == Target::Package && known.len() == 1 && !name.contains(':') {
        let words = advised(format!("`{name}` is a marker of the package"), ABOVE_PACKAGE);
        // Other tools read it on types.
        let is_lost = target == Target::Field || !has_group;
        let mistake = is_lost.then(|| Mistake::new(MistakeKind::Target, place, words))?;
        return Some(above_package(seen, (text, comment.comment), has_group, mistake));
    }
    if target == Target::Package {
        let what = if known.contains(&Target::Field) { "field or type" } else { "type" };
        let words = advised(
            format!("`{name}` belongs to no {what} here, so controller-gen ignores it"),
            "move it directly above one",
        );
        let mistake = Mistake::new(MistakeKind::Position, place, words);
        return Some(match type_below(seen, (text, comment.comment)) {
            Some((of, edits)) => mistake.repaired(format!("Move `{name}` above {of}"), edits, false),
            None => mistake,
        });
    }
    let words = advised(
        format!(
            "`{name}` is a marker of {}, and has no effect on {}",
            with_article(first),
            with_article(target)
        ),
        "move or remove it",
    );
    let found = Mistake::new(MistakeKind::Target, place, words);
    // These words also occur as prose above types.
    let is_prose = matches!(name, "optional" | "required" | "default" | "k8s:optional" | "k8s:required");
    let of_kind = lookup(Target::Type).filter(|known| known.definition.meaning.is_of_kind());
    let declared = seen.file.types().map(|(_, declared)| declared);
    let mut kinds = declared.filter(|declared| embeds_meta(&declared.expr));
    let kind = of_kind.and_then(|_| kinds.find(|kind| kind.expr.span.contains(comment.comment)));
    let to_kind = kind.and_then(|kind| Some((kind, above_type(seen, (text, comment.comment), kind)?)));
    let found = match to_kind {
        Some((kind, edits)) => {
            found.repaired(format!("Move `{name}` above {}", kind.name.name), edits, false)
        }
        None => found.removed(seen, comment.comment, format!("Remove `{name}`"), false),
    };
    Some(if is_prose { found.hint() } else { found })
}
