//! Unknown markers that mean other markers: `NonEmpty`, `Range=1..5`, `immutable`.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, bare, is_list, is_text, written_name};
use crate::marker::{self, Target};
use crate::strings;
use crate::syntax::{ExprKind, MarkerComment};

/// The prefix of the names of validations.
const VALIDATION: &str = "kubebuilder:validation:";
/// The usual name for the marker of an immutable value.
const IMMUTABLE: &str = "immutable";
/// Immutability in CEL.
const UNCHANGED: &str = "self == oldSelf";

/// The maximum number of characters of a marker to show.
const SHOWN: usize = 60;

/// The mistake for a name that resembles no known name but has a known meaning.
pub(super) fn check(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    name: &str,
    target: Target,
) -> Option<Mistake> {
    let last = name.strip_prefix(VALIDATION).or_else(|| {
        let bare = name.strip_prefix("kubebuilder:").unwrap_or(name);
        (bare == IMMUTABLE).then_some(bare)
    })?;
    let last = last.to_lowercase().replace(['_', '-'], "");
    let expr = seen.expr_below(comment.comment).map(bare)?;
    let is_map = matches!(expr.kind, ExprKind::Map(..));
    let size = match () {
        () if is_list(expr) => Some("Items"),
        () if is_map => Some("Properties"),
        () if is_text(expr) => Some("Length"),
        () => None,
    };
    let marker = seen.text(comment).trim_end();
    let value = marker.get(1 + written_name(marker).len()..).unwrap_or("").trim_start_matches('=').trim();
    let (least, most) = bounds(value).unwrap_or((None, None));
    let between = |suffix: &str, (low, high): (&str, &str)| {
        let low = least.map(|least| format!("{VALIDATION}{low}{suffix}={least}"));
        let high = most.map(|most| format!("{VALIDATION}{high}{suffix}={most}"));
        low.into_iter().chain(high).collect::<Vec<_>>()
    };
    let intended = match &*last {
        "nonempty" | "notempty" | "notblank" | "nonblank" => vec![format!("{VALIDATION}Min{}=1", size?)],
        "range" | "between" => between("imum", ("Min", "Max")),
        "length" | "len" | "size" => between(size?, ("Min", "Max")),
        IMMUTABLE => return immutable(seen, (comment, list), name, target),
        "readonly" => return Some(read_only(seen, comment, name)),
        _ => return None,
    };
    let (first, rest) = intended.split_first()?;
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let all: Vec<String> = intended.iter().map(|marker| format!("`{marker}`")).collect();
    let words = advised(ignored_problem(name), format!("write {}", all.join(" and ")));
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    let Some(indent) = seen.indent_of(comment.comment) else {
        return Some(mistake);
    };
    let lines: String = rest.iter().map(|marker| format!("\n{indent}// +{marker}")).collect();
    let edits = vec![(seen.place_in_marker(comment, 1..marker.len()), format!("{first}{lines}"))];
    let written = text::start(marker.trim_start_matches('+'), SHOWN);
    let title = format!("Change `{written}` to {}", all.join(" and "));
    Some(mistake.repaired(title, edits, false))
}

/// The mistake for a value that must not change after it is set. Other tools may know the word itself.
fn immutable(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    name: &str,
    target: Target,
) -> Option<Mistake> {
    if list.iter().any(|other| seen.text(other).contains("oldSelf")) || target == Target::Package {
        return None;
    }
    let has_marker = marker::lookup("+k8s:immutable", target, seen.version).is_some();
    let intended = match has_marker {
        true => "k8s:immutable".to_owned(),
        false => format!("{VALIDATION}XValidation:rule={}", strings::quoted(UNCHANGED)),
    };
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let words = advised(ignored_problem(name), format!("write `{intended}`"));
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    let end = seen.text(comment).trim_end().len();
    let edits = vec![(seen.place_in_marker(comment, 1..end), intended.clone())];
    let mistake = mistake.repaired(format!("Change `{name}` to `{intended}`"), edits, false);
    Some(if name == IMMUTABLE { mistake.hint() } else { mistake })
}

/// The mistake for a field that only the server writes, which no schema can express.
fn read_only(seen: CheckedFile<'_>, comment: &MarkerComment, name: &str) -> Mistake {
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let words = advised(
        format!("no marker makes a field read-only, so `{name}` has no effect"),
        "move the field to the status, or add the rule `self == oldSelf`",
    );
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    mistake.removed(seen, comment.comment, format!("Remove `{name}`"), false)
}

fn ignored_problem(name: &str) -> String {
    format!("controller-gen does not know the marker `{name}` and ignores it")
}

/// The two numbers of `1..5`, `[1, 5]`, `1-5` and similar texts. One may be missing; a single number is both.
fn bounds(value: &str) -> Option<(Option<&str>, Option<&str>)> {
    let inner = value.trim_matches(['"', '[', ']', '(', ')', '{', '}']).trim();
    let is_number = |text: &str| strings::parse_float(text).is_ok();
    if is_number(inner) {
        return Some((Some(inner), Some(inner)));
    }
    let separators = ["...", "..", ",", ";", ":", "~", " to ", "-"].into_iter();
    let mut pairs = separators.filter_map(|separator| inner.split_once(separator));
    pairs.find_map(|(low, high)| {
        let (low, high) = (low.trim(), high.trim());
        let is_bound = |text: &str| text.is_empty() || is_number(text);
        let some = |text| Some(text).filter(|text: &&str| !text.is_empty());
        (is_bound(low) && is_bound(high) && low.len() + high.len() > 0).then(|| (some(low), some(high)))
    })
}
