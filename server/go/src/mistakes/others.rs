//! Misspelt markers of generators other than controller-gen: for clients, deep copies and OpenAPI, and of the operator SDK.
//! Names that are not similar to a known one are ignored.

use super::mistake::{CheckedFile, Mistake, MistakeKind, nearest, written_name};
use crate::syntax::MarkerComment;

/// The markers of these generators. A name in this list is never reported.
const NAMES: [&str; 52] = [
    "genclient",
    "genclient:method",
    "genclient:noStatus",
    "genclient:noVerbs",
    "genclient:nonNamespaced",
    "genclient:onlyVerbs",
    "genclient:readonly",
    "genclient:skipVerbs",
    "k8s:applyconfiguration-gen",
    "k8s:client-gen",
    "k8s:conversion-fn",
    "k8s:conversion-gen",
    "k8s:conversion-gen-external-types",
    "k8s:deepcopy-gen",
    "k8s:deepcopy-gen:interfaces",
    "k8s:deepcopy-gen:nonpointer-interfaces",
    "k8s:default-gen",
    "k8s:defaulter-gen",
    "k8s:defaulter-gen-input",
    "k8s:informer-gen",
    "k8s:isSubresource",
    "k8s:lister-gen",
    "k8s:openapi-gen",
    "k8s:openapi-gen:x-kubernetes-list-map-keys",
    "k8s:openapi-model-package",
    "k8s:prerelease-lifecycle-gen",
    "k8s:prerelease-lifecycle-gen:deprecated",
    "k8s:prerelease-lifecycle-gen:introduced",
    "k8s:prerelease-lifecycle-gen:removed",
    "k8s:prerelease-lifecycle-gen:replacement",
    "k8s:protobuf-gen",
    "k8s:register-gen",
    "k8s:set-gen",
    "k8s:subresource",
    "k8s:supportsSubresource",
    "k8s:validation-gen",
    "k8s:validation-gen-input",
    "k8s:validation-gen-nolint",
    "k8s:validation-gen-scheme-registry",
    "k8s:validation:enum",
    "k8s:validation:format",
    "k8s:validation:maxItems",
    "k8s:validation:maxLength",
    "k8s:validation:maximum",
    "k8s:validation:minItems",
    "k8s:validation:minLength",
    "k8s:validation:minimum",
    "k8s:validation:pattern",
    "patchMergeKey",
    "patchStrategy",
    "protobuf.options.marshal",
    "unionDiscriminator",
];

/// The minimum length of a name. Shorter names may belong to any tool.
const SHORTEST: usize = 9;

/// The maximum number of letters in which a misspelt name differs.
const MAX_DISTANCE: usize = 2;

/// The marker of the operator SDK that describes fields for consoles, and the prefix of its markers.
const CONSOLE: &str = "operator-sdk:csv:customresourcedefinitions";
const OF_SDK: &str = "operator-sdk:csv:";

/// Its arguments.
const CONSOLE_ARGUMENTS: [&str; 6] =
    ["type", "displayName", "description", "order", "resources", "xDescriptors"];

/// The minimum length of an argument's name.
const SHORTEST_ARGUMENT: usize = 4;

/// The mistake in the marker of another generator; `name` is the part before `=`.
pub(super) fn check(seen: CheckedFile<'_>, comment: &MarkerComment, name: &str) -> Option<Mistake> {
    if name.starts_with(OF_SDK) {
        return of_console(seen, comment);
    }
    if name.len() < SHORTEST || NAMES.contains(&name) {
        return None;
    }
    let intended = nearest(name, NAMES, MAX_DISTANCE)?;
    Some(misspelt_name(seen, comment, (1, name), intended, format!("no generator knows the marker `{name}`")))
}

/// The mistake in the marker for consoles, or in one of its arguments.
fn of_console(seen: CheckedFile<'_>, comment: &MarkerComment) -> Option<Mistake> {
    let text = seen.text(comment).trim_start_matches('+');
    let name = written_name(text);
    let (name, at) = match name.match_indices(':').nth(2) {
        Some((end, _)) => (name.get(..end)?, end),
        None => (name, name.len()),
    };
    if name != CONSOLE {
        let intended = nearest(name, [CONSOLE], MAX_DISTANCE)?;
        let problem = format!("the operator SDK does not know the marker `{name}`");
        return Some(misspelt_name(seen, comment, (1, name), intended, problem));
    }
    arguments(text.get(at + 1..)?).find_map(|(start, argument)| {
        if argument.len() < SHORTEST_ARGUMENT || CONSOLE_ARGUMENTS.contains(&argument) {
            return None;
        }
        let intended = nearest(argument, CONSOLE_ARGUMENTS, MAX_DISTANCE)?;
        let problem = format!("`{CONSOLE}` has no argument `{argument}`");
        Some(misspelt_name(seen, comment, (2 + at + start, argument), intended, problem))
    })
}

/// The names of arguments with their offsets: the words before each `=` outside quotes and braces.
fn arguments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    let mut marks = text.char_indices();
    std::iter::from_fn(move || {
        marks.find_map(|(at, mark)| {
            match (quote, mark) {
                (Some(open), mark) => quote = Some(open).filter(|open| *open != mark),
                (None, '"' | '`') => quote = Some(mark),
                (None, '{') => depth += 1,
                (None, '}') => depth = depth.saturating_sub(1),
                (None, ',') if depth == 0 => start = at + 1,
                (None, '=') if depth == 0 => return Some((start, text.get(start..at)?)),
                _ => {}
            }
            None
        })
    })
}

/// The mistake for a misspelt name at an offset from the `+`.
fn misspelt_name(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    (at, written): (usize, &str),
    intended: &str,
    problem: String,
) -> Mistake {
    let place = seen.place_in_marker(comment, at..at + written.len());
    Mistake::replaced_word(MistakeKind::Unknown, place, problem, (written, intended))
}
