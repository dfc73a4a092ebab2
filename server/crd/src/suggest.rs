//! Suggestions for fields that do not exist.

/// The one of `names` whose spelling is closest to `name`, if it is close enough, with the number of letters
/// that differ; case is ignored.
#[must_use]
pub fn closest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<(&'n str, usize)> {
    // Names of more than a hundred bytes are not typing errors.
    if name.len() > 100 {
        return None;
    }
    let lower = name.to_lowercase();
    let distances = names.map(|field| (strsim::osa_distance(&field.to_lowercase(), &lower), field));
    let (distance, field) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= field.len().min(name.len()) / 3).then_some((field, distance))
}

/// The closest of `names`, unless one of its words is a different word: `finishedRunners` is not a
/// misspelling of `failedRunners`.
#[must_use]
pub fn closest_in_words<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let (field, _) = closest(name, names)?;
    let (own, others) = (in_words(name), in_words(field));
    let is_near = |(one, other): (&String, &String)| {
        strsim::osa_distance(one, other) <= (one.len().min(other.len()) / 3).max(1)
    };
    let has_same = own.len() != others.len() || own.iter().zip(&others).all(is_near);
    (own.len() < 2 || has_same).then_some(field)
}

/// The field of the metadata of objects that a name means: one of the `known` ones that is similar, or the time of creation under
/// a name that other APIs give to it.
#[must_use]
pub fn meta_field<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let plain = name.to_lowercase().replace(['_', '-'], "");
    let names = ["age", "created", "createdat", "createtime", "creation", "creationdate", "creationtime"];
    let of_creation = || names.contains(&&*plain).then_some("creationTimestamp");
    closest_in_words(name, known).or_else(of_creation)
}

/// The number of letters in which two names differ; `None` if they are too long to compare. Two swapped
/// letters count as one.
#[must_use]
pub fn slips(one: &str, other: &str) -> Option<usize> {
    (one.len().max(other.len()) <= 100).then(|| strsim::osa_distance(one, other))
}

/// The fields of objects at their root.
const ROOT_FIELDS: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

/// The field at the root of objects from which `name` differs in one letter or in the case of letters. A plural
/// is another name.
#[must_use]
pub fn root_field(name: &str) -> Option<&'static str> {
    if ROOT_FIELDS.contains(&name) {
        return None;
    }
    let is_slip = |field: &&&str| {
        let is_plural = name.strip_suffix('s') == Some(**field);
        !is_plural && (name.eq_ignore_ascii_case(field) || slips(name, field) == Some(1))
    };
    ROOT_FIELDS.iter().find(is_slip).copied()
}

/// The minimum number of letters that two names of different words have in common.
const LEAST_COMMON: usize = 4;
/// The length of the longest name, in bytes, and the number of names that are compared word by word.
const LONGEST_NAME: usize = 100;
const MOST_NAMES: usize = 500;

/// The maximum number of letters in which the name of an extension may differ from the intended one.
const MOST_SLIPS: usize = 3;

/// Like [`closest`], for fields of the API, whose names consist of words: `x-kubernetes-map-keys` has more
/// letters in common with `x-kubernetes-map-type`, but means `x-kubernetes-list-map-keys`.
#[must_use]
pub fn nearest_field<'n>(
    name: &str,
    fields: impl Iterator<Item = &'n str> + Clone,
) -> Option<(&'n str, usize)> {
    of_same_words(name, fields.clone()).or_else(|| {
        // The prefix that all extensions share does not indicate the intended name.
        closest(name, fields).filter(|(field, distance)| !field.starts_with("x-") || *distance <= MOST_SLIPS)
    })
}

/// The only one of `names` that has the words of `name` in this order and others, or only some of
/// them: `certificateRefs` for `refs`. Of several, the one whose number of words is closest.
pub fn with_words<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let (own, written) = (in_words(name), name.to_lowercase());
    let has = |all: &[String], part: &[String]| {
        part.iter().map(String::len).sum::<usize>() >= LEAST_COMMON
            && all.windows(part.len()).any(|words| words == part)
    };
    let begins = |all: &str, part: &str| part.len() >= LEAST_COMMON && all.starts_with(part);
    let alike = names.take(MOST_NAMES).filter_map(|other| {
        let words = in_words(other);
        let is_like = has(&words, &own) || has(&own, &words) || begins(&other.to_lowercase(), &written);
        is_like.then(|| (words.len().abs_diff(own.len()), other))
    });
    let mut found: Vec<(usize, &str)> = alike.collect();
    found.sort_unstable();
    match found.as_slice() {
        [(least, _), (next, _), ..] if least == next => None,
        [(_, only), ..] => Some(only),
        [] => None,
    }
}

/// The one of `fields` that consists of the words of `name`, possibly with a few others, with the number of
/// letters that differ; `None` if several fit equally well.
fn of_same_words<'n>(name: &str, fields: impl Iterator<Item = &'n str>) -> Option<(&'n str, usize)> {
    if name.len() > 100 {
        return None;
    }
    let (own, is_extension) = (words_of_name(name), name.starts_with("x-"));
    let differing = |field: &str| {
        let others = words_of_name(field);
        let shared = own.iter().filter(|word| others.contains(word)).count();
        let is_part = shared > 0 && shared == own.len().min(others.len());
        let count = own.len() + others.len() - 2 * shared.min(others.len());
        // One common word is significant between extensions, but not otherwise.
        let suffices = match field.starts_with("x-") {
            true => count == 0 || shared >= 2 || is_extension,
            false => !is_extension && (count == 0 || shared >= 2),
        };
        (is_part && suffices).then_some(count)
    };
    let mut found: Vec<(usize, &str)> = fields.filter_map(|field| Some((differing(field)?, field))).collect();
    found.sort_by_key(|(count, _)| *count);
    match found.as_slice() {
        [(least, _), (next, _), ..] if least == next => None,
        [(_, field), ..] => Some((field, strsim::osa_distance(&field.to_lowercase(), &name.to_lowercase()))),
        [] => None,
    }
}

/// The words of a name in lower case and in the singular, without the prefix that all extensions have.
fn words_of_name(name: &str) -> Vec<String> {
    let mut words = in_words(name);
    words.retain(|word| !matches!(word.as_str(), "" | "x" | "kubernetes"));
    for word in &mut words {
        word.truncate(word.trim_end_matches('s').len());
    }
    words.sort();
    words.dedup();
    words
}

/// The words of a name in lower case.
fn in_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_lower = false;
    for char in name.chars() {
        match char {
            char if !char.is_alphanumeric() => words.push(String::new()),
            char if char.is_uppercase() && is_lower || words.is_empty() => {
                words.push(char.to_lowercase().collect());
            }
            char => words.last_mut().into_iter().for_each(|word| word.extend(char.to_lowercase())),
        }
        is_lower = char.is_lowercase();
    }
    words
}

/// A suggestion for `name`, as the end of a sentence; empty if no name is close.
pub(crate) fn did_you_mean<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    match closest(name, names) {
        Some((near, _)) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use api::JSON_SCHEMA_PROPS;

    use super::*;

    #[test]
    fn the_time_of_creation_has_other_names_elsewhere() {
        let known = ["name", "creationTimestamp"];
        for name in ["createdAt", "creation_time", "Created", "creationTimeStamp"] {
            assert_eq!(super::meta_field(name, known.into_iter()), Some("creationTimestamp"), "{name}");
        }
        assert_eq!(super::meta_field("owner", known.into_iter()), None);
    }

    #[test]
    fn misspellings_and_wrong_case_are_recognized() {
        let nearest = |name| nearest_field(name, JSON_SCHEMA_PROPS.fields.iter().map(|field| field.name));
        for (name, field) in [
            ("desciption", "description"),
            ("MaxLength", "maxLength"),
            ("x-kubernetes-preserve-unknown-field", "x-kubernetes-preserve-unknown-fields"),
        ] {
            assert_eq!(nearest(name).map(|(field, _)| field), Some(field), "{name}");
        }
        assert_eq!(nearest("foo"), None);
    }

    #[test]
    fn a_different_word_is_not_a_misspelling() {
        let nearest =
            |name| closest_in_words(name, ["failedEphemeralRunners", "size", "readyReplicas"].into_iter());
        assert_eq!(nearest("finishedEphemeralRunners"), None);
        assert_eq!(nearest("failedEpehmeralRunner"), Some("failedEphemeralRunners"));
        assert_eq!(nearest("readyreplica"), Some("readyReplicas"));
        assert_eq!(nearest("siez"), Some("size"));
    }

    #[test]
    fn names_with_the_same_words_are_recognized() {
        let names = || JSON_SCHEMA_PROPS.fields.iter().map(|field| field.name);
        for (name, field) in [
            ("x-kubernetes-map-keys", "x-kubernetes-list-map-keys"),
            ("x-kubernetes-preserve-unknown", "x-kubernetes-preserve-unknown-fields"),
            ("preserveUnknownFields", "x-kubernetes-preserve-unknown-fields"),
            ("x-preserve-unknown-fields", "x-kubernetes-preserve-unknown-fields"),
            ("listMapKeys", "x-kubernetes-list-map-keys"),
            ("listType", "x-kubernetes-list-type"),
            ("intOrString", "x-kubernetes-int-or-string"),
            ("x-kubernetes-cel-validations", "x-kubernetes-validations"),
            ("validations", "x-kubernetes-validations"),
            ("x-kubernetes-embedded", "x-kubernetes-embedded-resource"),
        ] {
            assert_eq!(nearest_field(name, names()).map(|(field, _)| field), Some(field), "{name}");
        }
        for name in ["x-kubernetes-type", "keys", "map", "resource", "x-go-type", "x", "", "replicas", "of"] {
            assert_eq!(nearest_field(name, names()), None, "{name}");
        }
    }
}
