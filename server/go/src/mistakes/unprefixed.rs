//! Names without `kubebuilder:` that mean a marker of controller-gen.

use super::combinations::Read;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, bare, is_text};
use super::similar_names::nearest;
use crate::marker::{self, Meaning, Target};
use crate::syntax::MarkerComment;
use crate::version::Version;

/// The prefix of the names of validations.
const VALIDATION: &str = "kubebuilder:validation:";
/// Lowercase keywords of schemas that no generator reads as markers.
const KEYWORDS: [&str; 3] = ["maximum", "minimum", "pattern"];
/// The prefix of names for Kubernetes' own generators.
const OF_KUBERNETES: &str = "k8s:";

/// The minimum length of a name. Shorter names may belong to any tool.
const SHORTEST: usize = 4;

/// The name of the intended marker: `MaxLength=5`, `maxLength=5` and `k8s:optonal`.
pub(super) fn intended_name(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    name: &str,
    target: Target,
) -> Option<String> {
    let is_known = |name: &str| marker::lookup(&format!("+{name}"), target, seen.version).is_some();
    if let Some(rest) = name.strip_prefix(OF_KUBERNETES) {
        // Names of other generators differ in more letters: `k8s:minItems`.
        let near = nearest(name, target, 1).filter(|_| rest.len() > SHORTEST)?;
        // A newer release may know it.
        let is_known = marker::lookup(&format!("+{near}"), target, Version::NEWEST).is_some();
        return (near.starts_with(OF_KUBERNETES) && is_known).then_some(near);
    }
    // `x-kubernetes-list-type` is the keyword that `listType` writes.
    if name.starts_with("x-kubernetes-") {
        let mut all = marker::all(seen.version);
        let sets = |known: &marker::ResolvedMarker| {
            let takes_value = !matches!(known.definition.shape, marker::Shape::Empty);
            known.definition.meaning.keyword() == Some(name) && !known.items && takes_value
        };
        return all.find(|(known, of)| *of == target && sets(known)).map(|(known, _)| known.name());
    }
    // `maxLength` is the keyword of the schema. Lowercase words may belong to any tool.
    let is_keyword = KEYWORDS.contains(&name);
    let is_name = is_keyword || name.len() >= SHORTEST && name.contains(|ch: char| ch.is_ascii_uppercase());
    let has_value = seen.text(comment).get(1 + name.len()..).is_some_and(|rest| rest.starts_with('='));
    let (first, rest) = name.split_at_checked(1).unwrap_or_default();
    let whole = format!("{VALIDATION}{}{rest}", first.to_ascii_uppercase());
    (is_name && has_value && is_known(&whole)).then_some(whole)
}

/// The keyword of a schema with a colon, as in YAML, and the intended name: `minLength: 1`.
pub(super) fn of_schema<'t>(
    (text, name): (&'t str, &'t str),
    target: Target,
    version: Version,
) -> Option<(&'t str, String)> {
    let whole = text.strip_prefix('+')?;
    let rest = whole.get(name.len()..)?;
    let colon = rest.len() - rest.trim_start_matches([':', ' ']).len();
    let has_colon = rest.starts_with(':') && !rest.contains(['=', '"']) && rest.len() > colon;
    // Prose may follow a word with a colon.
    let is_value = !rest.get(colon..).unwrap_or_default().trim_end().contains(' ');
    if !has_colon || !is_value || name.len() < SHORTEST || name.contains(':') {
        return None;
    }
    let known = marker::all(version).filter(|(_, other)| *other == target);
    let mut known = known.map(|(known, _)| known.name());
    let intended = known.find(|known| {
        known.strip_prefix(VALIDATION).is_some_and(|of_schema| {
            let (first, last) = of_schema.split_at_checked(1).unwrap_or_default();
            name.strip_prefix(&*first.to_lowercase()) == Some(last)
        })
    })?;
    Some((whole.get(..name.len() + colon)?, format!("{intended}=")))
}

/// The mistake for the marker `enum` on a text: generators of Kubernetes read it only on types, and
/// controller-gen ignores it.
pub(super) fn of_enum(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    name: &str,
    target: Target,
) -> Option<Mistake> {
    let is_enum = name == "enum" && target == Target::Field;
    let expr = seen.expr_below(comment.comment).filter(|_| is_enum).map(bare)?;
    let mut reads = list.iter().filter_map(|other| Read::of(seen, other));
    if !is_text(expr) || reads.any(|read| read.marker.meaning() == Meaning::Enum) {
        return None;
    }
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let words = advised(
        format!("controller-gen does not know the marker `{name}` and ignores it"),
        format!("write `{VALIDATION}Enum=a;b`"),
    );
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    Some(match seen.text(comment).trim_end() == format!("+{name}") {
        true => mistake.removed(seen, comment.comment, format!("Remove `{name}`"), false),
        false => {
            mistake.replaced(format!("Change `{name}` to `{VALIDATION}Enum`"), format!("{VALIDATION}Enum"))
        }
    })
}

/// The marker with its value that is meant by a validation with `:` before the value: `kubebuilder:format:date`.
pub(super) fn with_colon((text, name): (&str, &str), target: Target, version: Version) -> Option<String> {
    let (word, value) = name.strip_prefix("kubebuilder:")?.split_once(':')?;
    let is_whole = text.trim_end().len() == 1 + name.len();
    if !is_whole || value.contains(':') {
        return None;
    }
    let mut known = marker::all(version).filter(|(_, other)| *other == target).map(|(known, _)| known.name());
    let is_meant =
        |name: &String| name.strip_prefix(VALIDATION).is_some_and(|known| known.eq_ignore_ascii_case(word));
    Some(format!("{}={value}", known.find(is_meant)?))
}
