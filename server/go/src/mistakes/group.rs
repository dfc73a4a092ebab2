//! The group and the version of a package: compares its markers with the registration in its Go code.

use std::collections::HashMap;

use super::combinations::Read;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::marker::Meaning;
use crate::strings::unquoted;
use crate::syntax::{DeclarationKind, FileMarkers, Span};

/// A file, with its markers.
type FileWithMarkers<'f> = (CheckedFile<'f>, std::sync::Arc<FileMarkers>);

/// The variables in which packages keep their group and version.
const VARIABLES: [&str; 2] = ["GroupVersion", "SchemeGroupVersion"];

/// The start of the value of such a variable.
const LITERAL: &str = "GroupVersion{";

/// Checks the files of a package in order.
pub(super) fn check(files: &[FileWithMarkers<'_>], found: &mut Vec<Mistake>) {
    let first = |meaning: Meaning| {
        let mut reads = files.iter().flat_map(|(seen, associated)| of_package(*seen, associated, meaning));
        reads.next().map(|read| read.marker.text("").to_owned())
    };
    let Some(group) = first(Meaning::GroupName) else { return };
    several(files, &group, found);
    let Some((seen, _)) = files.first() else { return };
    let version = first(Meaning::VersionName).unwrap_or_else(|| seen.file.package.name.to_string());
    let constants = constants(files);
    for (seen, _) in files {
        registered(*seen, (&group, &version), &constants, found);
    }
}

fn of_package<'f>(
    seen: CheckedFile<'f>,
    associated: &'f FileMarkers,
    meaning: Meaning,
) -> impl Iterator<Item = Read<'f>> {
    let reads = associated.package.iter().filter_map(move |comment| Read::of(seen, comment));
    reads.filter(move |read| read.marker.meaning() == meaning)
}

/// Checks for other groups in later files. The group in the first file applies.
fn several(files: &[FileWithMarkers<'_>], group: &str, found: &mut Vec<Mistake>) {
    let mut winner: Option<&CheckedFile<'_>> = None;
    for (seen, associated) in files {
        let mut reads = of_package(*seen, associated, Meaning::GroupName).peekable();
        let Some(first) = winner else {
            winner = reads.peek().is_some().then_some(seen);
            continue;
        };
        let file = first.file.path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        for read in reads.filter(|read| read.marker.text("") != group) {
            let words =
                advised(format!("`groupName={group}` in {file} overrides this one"), "remove one of the two");
            let mistake = Mistake::new(MistakeKind::Overridden, read.place(*seen), words);
            let title = "Remove `groupName`, which has no effect".to_owned();
            found.push(mistake.removed(*seen, read.comment.comment, title, false));
        }
    }
}

/// The texts of constants without a type, by name.
fn constants<'f>(files: &'f [FileWithMarkers<'f>]) -> HashMap<&'f str, &'f str> {
    let declarations = files.iter().flat_map(|(seen, _)| &seen.file.declarations);
    let constants = declarations.flat_map(|declaration| match &declaration.kind {
        DeclarationKind::Const(constants) => constants.as_slice(),
        _ => &[],
    });
    let named = constants.flat_map(|constant| constant.names.iter().zip(&constant.values));
    named.filter_map(|(name, value)| Some((&*name.name, value.as_deref()?))).collect()
}

/// Checks the group and the version that the clients of the package request.
fn registered(
    seen: CheckedFile<'_>,
    (group, version): (&str, &str),
    constants: &HashMap<&str, &str>,
    found: &mut Vec<Mistake>,
) {
    for declaration in &seen.file.declarations {
        let text = seen.file.slice(declaration.span);
        if !matches!(declaration.kind, DeclarationKind::Other(_)) || !text.starts_with("var") {
            continue;
        }
        for (at, _) in text.match_indices(LITERAL).filter(|(at, _)| is_variable(text, *at)) {
            let literal = at + LITERAL.len();
            for (key, wanted) in [("Group", group), ("Version", version)] {
                let Some((at, written)) = value_of(text.get(literal..).unwrap_or(""), key) else { continue };
                let constant = || constants.get(written).map(|text| (*text).to_owned());
                let value = unquoted(written).or_else(constant).filter(|text| text != wanted);
                let Some(value) = value else { continue };
                // An invalid name has a finding at the marker.
                if !is_name(wanted) {
                    continue;
                }
                let start = declaration.span.start + (literal + at) as u32;
                let place = seen.place(Span { start, end: start + written.len() as u32 });
                let what = key.to_lowercase();
                let words = advised(
                    format!(
                        "clients of this package ask for the {what} `{value}`, but the definition has `{wanted}`"
                    ),
                    format!("write the same {what} in both"),
                );
                found.push(Mistake::new(MistakeKind::Value, place, words));
            }
        }
    }
}

/// Whether a text may be a group or a version.
fn is_name(text: &str) -> bool {
    let is_letter = |ch: char| ch.is_ascii_lowercase() || ch.is_ascii_digit() || matches!(ch, '-' | '.');
    text.starts_with(|ch: char| ch.is_ascii_lowercase()) && text.chars().all(is_letter)
}

/// Whether a value in a declaration is the value of a variable for the group and version.
fn is_variable(text: &str, at: usize) -> bool {
    let line = text.get(..at).unwrap_or("").rsplit('\n').next().unwrap_or("").trim_start();
    let line = line.strip_prefix("var").map_or(line, str::trim_start);
    VARIABLES
        .iter()
        .any(|name| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '\t', '='])))
}

/// The value of a key in a struct literal, and its start.
fn value_of<'t>(literal: &'t str, key: &str) -> Option<(usize, &'t str)> {
    let inner = literal.get(..literal.find('}')?)?;
    let at = inner.find(&format!("{key}:"))? + key.len() + 1;
    let rest = inner.get(at..)?;
    let blanks = rest.len() - rest.trim_start().len();
    let written = rest.split([',', '\n']).next()?.trim();
    Some((at + blanks, written))
}
