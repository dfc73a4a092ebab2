//! The arguments of controller-gen's command line, which are markers without `+`.

use super::definition::{Argument, ArgumentType, Definition, Meaning, ResolvedMarker, Shape, Target};
use super::{Data, Marker};
use crate::version::{Change, Version};

/// A list of package patterns.
static PATHS: Definition = Definition {
    name: "paths",
    targets: &[Target::Package],
    meaning: Meaning::Metadata,
    shape: Shape::Value(ArgumentType::Texts),
    since: None,
};

const fn argument(name: &'static str, kind: ArgumentType, since: Option<Change>) -> Argument {
    Argument { name, kind, optional: true, since }
}

static ARGUMENTS: [Argument; 9] = [
    argument("allowDangerousTypes", ArgumentType::Bool, None),
    argument("ignoreUnexportedFields", ArgumentType::Bool, None),
    argument("maxDescLen", ArgumentType::Int, None),
    argument("generateEmbeddedObjectMeta", ArgumentType::Bool, None),
    argument("crdVersions", ArgumentType::Texts, None),
    argument("headerFile", ArgumentType::Text, None),
    argument("year", ArgumentType::Text, None),
    argument(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        ArgumentType::Bool,
        Some(Change::PreserveUnknownOption),
    ),
    argument("omitToolVersion", ArgumentType::Bool, Some(Change::OmitToolVersion)),
];

static GENERATOR: Definition = Definition {
    name: "crd",
    targets: &[Target::Package],
    meaning: Meaning::Metadata,
    shape: Shape::Arguments(&ARGUMENTS),
    since: None,
};

fn read(word: &str, definition: &'static Definition, version: Version) -> Result<Marker, Vec<String>> {
    let text = format!("+{word}");
    let (marker, refusals) = super::parse(&text, ResolvedMarker { definition, items: false }, version);
    if refusals.is_empty() { Ok(marker) } else { Err(refusals.iter().map(super::Refusal::printed).collect()) }
}

/// The options of the word `crd` or `crd:…`.
///
/// # Errors
///
/// The error that controller-gen reports for the word.
pub fn crd(word: &str, version: Version) -> Result<Marker, Vec<String>> {
    read(word, &GENERATOR, version)
}

/// The patterns of the word `paths=…`.
///
/// # Errors
///
/// The error that controller-gen reports for the word.
pub fn paths(word: &str, version: Version) -> Result<Vec<String>, Vec<String>> {
    Ok(read(word, &PATHS, version)?.texts(""))
}

/// The integer value of an option.
#[must_use]
pub fn int(marker: &Marker, name: &str) -> Option<i64> {
    match marker.argument(name).map(|value| &value.data) {
        Some(Data::Int(number)) => Some(*number),
        _ => None,
    }
}

/// The boolean value of an option.
#[must_use]
pub fn flag(marker: &Marker, name: &str) -> Option<bool> {
    match marker.argument(name).map(|value| &value.data) {
        Some(Data::Bool(flag)) => Some(*flag),
        _ => None,
    }
}
