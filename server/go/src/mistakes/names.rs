//! Marker names that controller-gen does not know at their places.

use super::above::{above_type, type_below};
use super::elements;
use super::form::{OF_OBJECTS, form};
use super::kinds::embeds_meta;
use super::mistake::{
    CheckedFile, Mistake, MistakeKind, MistakeText, advised, beginning, with_article, written_name,
};
use super::position::{ABOVE_PACKAGE, above_package, is_commented_out};
use super::synonyms;
use super::{combinations, methods, others, unprefixed};
use crate::load::Place;
use crate::marker::{self, Meaning, Shape, Target};
use crate::syntax::MarkerComment;
use crate::version::Version;

/// The parts after `kubebuilder:` that belong to controller-gen's generator `crd`.
const OURS: [&str; 15] = [
    "validation",
    "printcolumn",
    "resource",
    "subresource",
    "default",
    "title",
    "example",
    "externalDocs",
    "metadata",
    "selectablefield",
    "pruning",
    "storageversion",
    "unservedversion",
    "deprecatedversion",
    "skipversion",
];

/// The prefix of arguments of rules.
const RULE: &str = "kubebuilder:validation:XValidation:";

/// The parts after `kubebuilder:` that belong to other generators and tools.
const OTHERS: [&str; 8] =
    ["object", "rbac", "webhook", "webhookconfiguration", "ac", "scaffold", "docs-gen", "doc"];

/// Names without `kubebuilder:` that other tools know, although they resemble names of controller-gen.
const OF_OTHER_TOOLS: [&str; 2] = ["listMapKeys", "mapKeys"];

/// Names that mean `listMapKey` on a list of type `map` without a key.
const KEY_WORDS: [&str; 4] = ["listKey", "listKeys", "mapKey", "mapKeys"];

/// Lowercase last parts of names that mean another marker: terms of other languages, keywords of definitions and
/// abbreviations. The parts of the name before them are kept if the result is a known name.
const OTHER_WORDS: [(&str, &str); 25] = [
    ("anyof", "AtLeastOneOf"),
    ("exactlyone", "ExactlyOneOf"),
    ("atmostone", "AtMostOneOf"),
    ("immutable", "k8s:immutable"),
    ("oneof", "ExactlyOneOf"),
    ("max", "Maximum"),
    ("maximumitems", "MaxItems"),
    ("maximumlength", "MaxLength"),
    ("maximumproperties", "MaxProperties"),
    ("maxlen", "MaxLength"),
    ("maxvalue", "Maximum"),
    ("min", "Minimum"),
    ("minimumitems", "MinItems"),
    ("minimumlength", "MinLength"),
    ("minimumproperties", "MinProperties"),
    ("minlen", "MinLength"),
    ("minvalue", "Minimum"),
    ("regex", "Pattern"),
    ("regexp", "Pattern"),
    ("xlistmapkey", "listMapKey"),
    ("xlistmapkeys", "listMapKey"),
    ("xlisttype", "listType"),
    ("xmaptype", "mapType"),
    ("cel", "XValidation"),
    ("xvalidations", "XValidation"),
];

/// The maximum number of letters in which names differ.
const MAX_DISTANCE: usize = 2;

/// The minimum length of a name without `kubebuilder:`. Shorter names may mean anything.
const SHORTEST: usize = 7;

/// The minimum length of a part that is compared with other generators. A shorter part may belong to an
/// unknown generator.
const SHORTEST_OTHER: usize = 4;

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
    form(seen, comment, target)
        .map(|mistake| match mistake.intended_name {
            Some(_) => mistake,
            None => mistake.with_intended_name(beginning(written_name(seen.text(comment)).trim_start())),
        })
        .or_else(|| check_other_targets(seen, comment, target, has_group))
        .or_else(|| unknown(seen, (comment, list), target))
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

/// Checks for a name that is known for no target.
fn unknown(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    target: Target,
) -> Option<Mistake> {
    let text = seen.text(comment);
    let name = beginning(written_name(text));
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let new_mistake = |words: MistakeText| Mistake::new(MistakeKind::Unknown, place, words);
    let ignored_problem =
        |written: &str| format!("controller-gen does not know the marker `{written}` and ignores it");
    let change_name = |problem: String, written: &str, intended: String| {
        let place = seen.place_in_marker(comment, 1..1 + written.len());
        let value = text.get(1 + written.len()..).unwrap_or("").trim_end();
        let reads = || list.iter().filter_map(|other| combinations::Read::of(seen, other));
        let argument = intended.strip_prefix("kubebuilder:resource:");
        // A second marker would reset the settings of the first one.
        let of_resource = |read: &combinations::Read<'_>| read.marker.meaning() == Meaning::Resource;
        if let (Some(argument), Some(other)) = (argument, reads().rfind(of_resource)) {
            return Some(merged(seen, comment, (place, problem), &format!("{argument}{value}"), &other));
        }
        if let Some(argument) = intended.strip_prefix(RULE).filter(|argument| *argument != "rule") {
            return Some(of_rule(seen, (comment, list), (place, problem), (argument, value)));
        }
        let mistake =
            Mistake::new(MistakeKind::Unknown, place, advised(problem, format!("write `{intended}`")));
        let mistake = mistake.with_intended_name(&intended);
        // A version of the type in another package may have such a marker.
        let is_safe = argument.is_none();
        let change =
            |intended: String| (format!("Change `{written}` to `{intended}`"), vec![(place, intended)]);
        // It is unknown whether all of the fields may be omitted.
        if written.ends_with(":OneOf") {
            let (title, edits) = change(intended.replace("Exactly", "AtMost"));
            let (exactly, of_exactly) = change(intended);
            return Some(mistake.repaired(exactly, of_exactly, false).or_repaired(title, edits));
        }
        let (title, edits) = change(intended);
        Some(mistake.repaired(title, edits, is_safe))
    };
    if let Some(since) = newer(text, target, seen.version) {
        let version = seen.version;
        return Some(new_mistake(advised(
            format!("controller-gen {version} does not know `{name}`, {since} does"),
            "update controller-gen",
        )));
    }
    if name == OF_OTHER_TOOLS[0]
        && let Some(mistake) = repeats_key(seen, (comment, list), place)
    {
        return Some(mistake);
    }
    if let Some(mistake) = elements::check(seen, comment, name) {
        return Some(mistake);
    }
    if let Some((written, intended)) = normalized(written_name(text), target, seen.version) {
        return change_name(ignored_problem(written), written, intended);
    }
    if let Some((written, intended)) = prefixed(written_name(text), target, seen.version) {
        return change_name(ignored_problem(written), written, intended);
    }
    let Some(below) = name.strip_prefix("kubebuilder:") else {
        if let Some(mistake) = synonyms::check(seen, (comment, list), name, target) {
            return Some(mistake);
        }
        if let Some(intended) = unprefixed::intended_name(seen, comment, name, target) {
            return change_name(ignored_problem(name), name, intended);
        }
        if let Some(mistake) = unprefixed::of_enum(seen, (comment, list), name, target) {
            return Some(mistake);
        }
        if KEY_WORDS.contains(&name) && is_map_without_key(seen, list) {
            return change_name(ignored_problem(name), name, "listMapKey".to_owned());
        }
        if let Some(mistake) = others::check(seen, comment, name) {
            return Some(mistake);
        }
        // Names of one word belong to other tools unless they are similar to known names.
        let is_of_map = name == OF_OTHER_TOOLS[0] && is_map_without_key(seen, list);
        if name.contains(':') || name.len() < SHORTEST || OF_OTHER_TOOLS.contains(&name) && !is_of_map {
            return None;
        }
        return change_name(ignored_problem(name), name, nearest(name, target, 1)?);
    };
    let second = below.split(':').next().unwrap_or("");
    if name == "kubebuilder:object" {
        return change_name(unknown_problem(name), name, OF_OBJECTS[1].to_owned());
    }
    // `scale` needs arguments.
    if text.trim_end() == "+kubebuilder:subresource" && target == Target::Type {
        return change_name(ignored_problem(name), name, format!("{name}:status"));
    }
    if OF_OBJECTS.contains(&name) {
        return methods::check(seen, comment, name, target);
    }
    if OTHERS.contains(&second) && (second != "object" || OF_OBJECTS.contains(&name)) {
        return None;
    }
    if let Some(intended) = of_other(second) {
        let rest = below.get(second.len()..).unwrap_or("");
        let intended = match (intended, rest) {
            ("object", "") => OF_OBJECTS[1].to_owned(),
            _ => format!("kubebuilder:{intended}{rest}"),
        };
        return change_name(unknown_problem(name), name, intended);
    }
    if let Some(intended) = unprefixed::with_colon((text, name), target, seen.version) {
        return change_name(unknown_problem(name), name, intended);
    }
    let known = by_other_word(name, target, seen.version).or_else(|| nearest(name, target, MAX_DISTANCE));
    if known.is_none()
        && let Some(mistake) = synonyms::check(seen, (comment, list), name, target)
    {
        return Some(mistake);
    }
    match known {
        Some(nearest) => change_name(ignored_problem(name), name, nearest),
        None if OURS.contains(&second) => {
            Some(removable(seen, comment, new_mistake(advised(ignored_problem(name), CORRECT)), name))
        }
        // A name with further parts may belong to a generator of the project.
        None if !below.contains(':') => {
            Some(removable(seen, comment, new_mistake(advised(unknown_problem(name), CORRECT)), name).hint())
        }
        None => None,
    }
}

/// The mistake for an argument that is written as a separate marker beside the marker that takes it.
fn merged(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    (place, problem): (Place, String),
    argument: &str,
    other: &combinations::Read<'_>,
) -> Mistake {
    let words = advised(problem, format!("add `{argument}` to the other `{}`", other.name()));
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    let name = argument.split('=').next().unwrap_or(argument);
    if other.marker.argument(name).is_some() {
        return mistake.with_related(other.place(seen), format!("it has `{name}` already"));
    }
    let edits = combinations::merged(seen, comment, argument, other);
    mistake.repaired(format!("Add `{argument}` to `{}`", other.name()), edits, true)
}

/// The mistake for a key under another name, beside the marker that names the key for controller-gen.
fn repeats_key(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    place: Place,
) -> Option<Mistake> {
    let (name, value) = seen.text(comment).trim_start_matches('+').split_once('=')?;
    let is_same = |read: &combinations::Read<'_>| {
        read.marker.meaning() == Meaning::ListMapKey && read.marker.text("") == value.trim()
    };
    let other = list.iter().filter_map(|other| combinations::Read::of(seen, other)).find(is_same)?;
    let words = advised(
        format!("controller-gen ignores `{name}`, and `{}` names the key", other.name()),
        "remove it",
    );
    let mistake = Mistake::new(MistakeKind::Unknown, place, words).hint();
    Some(
        removable(seen, comment, mistake, name)
            .with_related(other.place(seen), "this one has the effect".to_owned()),
    )
}

/// Whether the markers of a declaration make a list a map, but name no key.
fn is_map_without_key(seen: CheckedFile<'_>, list: &[MarkerComment]) -> bool {
    let reads = || list.iter().filter_map(|other| combinations::Read::of(seen, other));
    let is_map = |read: &combinations::Read<'_>| {
        read.marker.meaning() == Meaning::ListType && read.marker.text("") == "map"
    };
    reads().any(|read| is_map(&read)) && !reads().any(|read| read.marker.meaning() == Meaning::ListMapKey)
}

/// The mistake for an argument of a rule that is written as a separate marker. It belongs to the preceding rule.
fn of_rule(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    (place, problem): (Place, String),
    (argument, value): (&str, &str),
) -> Mistake {
    let before = list.iter().take_while(|other| other.span != comment.span);
    let rule = before.filter_map(|other| Some((other, rule_in(seen, other)?))).last();
    let (name, whole) = (RULE.trim_end_matches(':'), format!("{argument}{value}"));
    let words = advised(problem, format!("write `{argument}` as an argument of `{name}`"));
    let mistake = Mistake::new(MistakeKind::Unknown, place, words);
    let Some((rule, renamed)) = rule else { return mistake };
    let has_it =
        combinations::Read::of(seen, rule).is_some_and(|read| read.marker.argument(argument).is_some());
    if has_it {
        return mistake;
    }
    let end = seen.text(rule).trim_end().len();
    let mut edits = vec![
        (seen.line_of(comment.comment), String::new()),
        (seen.place_in_marker(rule, end..end), format!(",{whole}")),
    ];
    edits.extend(renamed);
    mistake.repaired(format!("Add `{argument}` to the rule before it"), edits, false)
}

/// `Some` if a marker is a rule or is meant as one, with the edit that turns it into a rule if necessary.
fn rule_in(seen: CheckedFile<'_>, comment: &MarkerComment) -> Option<Option<(Place, String)>> {
    if let Some(read) = combinations::Read::of(seen, comment) {
        return (read.marker.meaning() == Meaning::Validation).then_some(None);
    }
    let name = beginning(written_name(seen.text(comment)));
    let intended = nearest(name, Target::Field, MAX_DISTANCE)?;
    let is_rule = comment.read.is_none() && intended.strip_prefix(RULE) == Some("rule");
    is_rule.then(|| Some((seen.place_in_marker(comment, 1..1 + name.len()), intended)))
}

/// The remedy for a name that resembles no known name.
const CORRECT: &str = "correct the name, or remove the marker";

fn removable(seen: CheckedFile<'_>, comment: &MarkerComment, mistake: Mistake, name: &str) -> Mistake {
    mistake.removed(seen, comment.comment, format!("Remove `{name}`"), false)
}

fn unknown_problem(name: &str) -> String {
    format!("no generator knows the marker `{name}`, so it has no effect")
}

/// The part after `kubebuilder:` of another generator that a misspelt part means.
fn of_other(second: &str) -> Option<&'static str> {
    let is_intended = |other: &&&str| {
        !OURS.contains(&second) && second.len() >= SHORTEST_OTHER && strsim::osa_distance(second, other) == 1
    };
    OTHERS.iter().find(is_intended).copied()
}

/// A name with other separators between its parts, or in other letters: `kubebuilder/validation:Minimum`.
fn normalized(whole: &str, target: Target, version: Version) -> Option<(&str, String)> {
    let written = whole.split(|ch: char| ch.is_whitespace() || matches!(ch, '(' | '{')).next()?;
    let written = written.trim_end_matches(':');
    let lower = written.to_lowercase();
    if !lower.starts_with("kubebuilder")
        || written.starts_with("kubebuilder:") && !lower.contains(['/', '-', '_'])
    {
        return None;
    }
    // A colon may be missing.
    let plain = |name: &str| name.to_lowercase().replace(['/', '-', '_', '.', ':'], "");
    let own = plain(written);
    let mut intended = known_names(target, version).filter(|name| name != written && plain(name) == own);
    Some((written, intended.next()?))
}

/// The known names for a target, alone and with each of their arguments.
fn known_names(target: Target, version: Version) -> impl Iterator<Item = String> {
    let known = marker::all(version).filter(move |(_, other)| *other == target);
    known.flat_map(|(known, _)| with_arguments(known))
}

/// The name of a marker with each of its arguments, then alone.
fn with_arguments(known: marker::ResolvedMarker) -> Vec<String> {
    let arguments = match known.definition.shape {
        Shape::Arguments(arguments) => arguments,
        _ => &[],
    };
    let name = known.name();
    let mut names: Vec<String> = arguments.iter().map(|one| format!("{name}:{}", one.name)).collect();
    names.push(name);
    names
}

/// A name with a missing or misspelt first part, or with a dot between its parts; and the known name.
fn prefixed(whole: &str, target: Target, version: Version) -> Option<(&str, String)> {
    let written =
        whole.split(|ch: char| ch.is_whitespace() || matches!(ch, '(' | '{')).next()?.trim_end_matches(':');
    let is_known =
        |name: &str| OF_OBJECTS.contains(&name) || known_names(target, version).any(|known| known == name);
    let (first, rest) = written.split_once([':', '.'])?;
    let rest = rest.replace('.', ":");
    let intended = match first {
        "kubebuilder" if written.contains('.') => format!("kubebuilder:{rest}"),
        "validation" | "printcolumn" | "subresource" | "pruning" => format!("kubebuilder:{first}:{rest}"),
        _ if first != "kubebuilder" && strsim::osa_distance(first, "kubebuilder") <= MAX_DISTANCE => {
            format!("kubebuilder:{rest}")
        }
        _ => return None,
    };
    is_known(&intended).then_some((written, intended))
}

/// The marker that another word for its name means.
fn by_other_word(name: &str, target: Target, version: Version) -> Option<String> {
    let (before, last) = name.rsplit_once(':')?;
    let last = last.to_lowercase().replace(['-', '_'], "").replace("xkubernetes", "x");
    let (_, word) = OTHER_WORDS.iter().find(|(other, _)| *other == last)?;
    let known = [format!("{before}:{word}"), (*word).to_owned()];
    known.into_iter().find(|known| marker::lookup(&format!("+{known}"), target, version).is_some())
}

/// The first later release that knows a marker.
fn newer(text: &str, target: Target, version: Version) -> Option<Version> {
    let mut minors = version.minor + 1..=Version::NEWEST.minor;
    minors.find_map(|minor| {
        let later = Version::new(minor, 0);
        marker::lookup(text, target, later).map(|_| later)
    })
}

/// The known name that a name means: equal except for capitals, with the same last part, or similar. The name may include
/// arguments.
pub(super) fn nearest(name: &str, target: Target, most: usize) -> Option<String> {
    let lower = name.to_lowercase();
    let last = |name: &str| name.rsplit(':').next().unwrap_or("").to_lowercase();
    let is_ours = name.starts_with("kubebuilder:");
    let of_items = name.split(':').filter(|part| *part == "items").count();
    let candidates =
        marker::all(Version::NEWEST).filter(|(_, other)| *other == target).flat_map(|(known, _)| {
            let names = with_arguments(known);
            names.into_iter().map(move |name| (name, known.items))
        });
    let others = OF_OBJECTS.into_iter().filter(|_| target != Target::Field);
    let candidates = candidates.chain(others.map(|name| (name.to_owned(), false)));
    let ranked = candidates.map(|(candidate, items)| {
        // The edit distance is at least the difference of the lengths.
        let is_near = lower.chars().count().abs_diff(candidate.len()) <= most;
        let distance = is_near.then(|| strsim::osa_distance(&lower, &candidate.to_lowercase()));
        let rank = if let Some(distance) = distance.filter(|distance| *distance <= most) {
            distance
        } else if is_ours
            && last(&candidate) == last(name)
            && usize::from(items) == of_items
            && candidate.starts_with("kubebuilder:")
        {
            most + 1
        } else if is_ours && of_items == 0 && last(name) == candidate.to_lowercase() {
            // Markers of one word have no prefix.
            most + 2
        } else if is_ours && candidate == format!("{lower}version") {
            most + 3
        } else {
            usize::MAX
        };
        (rank, candidate)
    });
    ranked.min().filter(|(rank, _)| *rank < usize::MAX).map(|(_, candidate)| candidate)
}
