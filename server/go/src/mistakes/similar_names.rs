//! The known marker names that an unknown name may mean.

use super::form::OF_OBJECTS;
use crate::marker::{self, Shape, Target};
use crate::version::Version;

/// Lowercase last parts of names that mean another marker: terms of other languages, keywords of definitions and
/// abbreviations. The parts of the name before them are kept if the result is a known name.
const OTHER_WORDS: [(&str, &str); 41] = [
    ("allowed", "Enum"),
    ("allowedvalues", "Enum"),
    ("enumeration", "Enum"),
    ("values", "Enum"),
    ("anyof", "AtLeastOneOf"),
    ("exactlyone", "ExactlyOneOf"),
    ("atmostone", "AtMostOneOf"),
    ("immutable", "k8s:immutable"),
    ("oneof", "ExactlyOneOf"),
    ("isrequired", "Required"),
    ("itemsmax", "MaxItems"),
    ("itemsmin", "MinItems"),
    ("lengthmax", "MaxLength"),
    ("lengthmin", "MinLength"),
    ("mandatory", "Required"),
    ("notnull", "Required"),
    ("propertiesmax", "MaxProperties"),
    ("propertiesmin", "MinProperties"),
    ("isoptional", "Optional"),
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
    ("match", "Pattern"),
    ("regex", "Pattern"),
    ("regexp", "Pattern"),
    ("xlistmapkey", "listMapKey"),
    ("xlistmapkeys", "listMapKey"),
    ("xlisttype", "listType"),
    ("xmaptype", "mapType"),
    ("cel", "XValidation"),
    ("celvalidation", "XValidation"),
    ("xvalidations", "XValidation"),
];

/// The maximum number of letters in which names differ.
pub(super) const MAX_DISTANCE: usize = 2;

/// A name with other separators between its parts, or in other letters: `kubebuilder/validation:Minimum`.
pub(super) fn normalized(whole: &str, target: Target, version: Version) -> Option<(&str, String)> {
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
pub(super) fn prefixed(whole: &str, target: Target, version: Version) -> Option<(&str, String)> {
    let written =
        whole.split(|ch: char| ch.is_whitespace() || matches!(ch, '(' | '{')).next()?.trim_end_matches(':');
    let is_known =
        |name: &str| OF_OBJECTS.contains(&name) || known_names(target, version).any(|known| known == name);
    let (first, rest) = written.split_once([':', '.'])?;
    let rest = rest.replace('.', ":");
    let intended = match first {
        "kubebuilder" if written.contains('.') => format!("kubebuilder:{rest}"),
        "validation" | "printcolumn" | "subresource" | "pruning" => format!("kubebuilder:{first}:{rest}"),
        // `k8s:validation:` is of the generator of OpenAPI.
        _ if !matches!(first, "kubebuilder" | "k8s") && rest.starts_with("validation:") => {
            format!("kubebuilder:{rest}")
        }
        _ if first != "kubebuilder" && strsim::osa_distance(first, "kubebuilder") <= MAX_DISTANCE => {
            format!("kubebuilder:{rest}")
        }
        _ => return None,
    };
    is_known(&intended).then_some((written, intended))
}

/// The marker that another word for its name means.
pub(super) fn by_other_word(name: &str, target: Target, version: Version) -> Option<String> {
    let (before, last) = name.rsplit_once(':')?;
    let last = last.to_lowercase().replace(['-', '_'], "").replace("xkubernetes", "x");
    let (_, word) = OTHER_WORDS.iter().find(|(other, _)| *other == last)?;
    let known = [format!("{before}:{word}"), (*word).to_owned()];
    known.into_iter().find(|known| marker::lookup(&format!("+{known}"), target, version).is_some())
}

/// The first later release that knows a marker.
pub(super) fn newer(text: &str, target: Target, version: Version) -> Option<Version> {
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
