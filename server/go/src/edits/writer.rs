//! Edits of single markers.

use std::ops::Range;
use std::path::PathBuf;

use super::marker_values;
use super::owner::Owner;
use crate::generate::Outcome;
use crate::json::Json;
use crate::load::Place;
use crate::marker::{self, Marker, ResolvedMarker, Shape, Target};

/// An edit of a Go file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceEdit {
    /// The file.
    pub path: PathBuf,
    /// The range of bytes to replace.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Where to add new markers of a field with a named type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// On the field.
    Field,
    /// On its type, if the named packages declare it.
    Type,
}

pub(super) struct Writer<'o> {
    pub(super) outcome: &'o Outcome,
    pub(super) preference: Preference,
    pub(super) edits: Vec<SourceEdit>,
    /// The old and the new name of a field, if the edit renames it.
    pub(super) renamed: Option<(String, String)>,
}

impl Writer<'_> {
    /// Removes the markers of elements that no longer exist.
    pub(super) fn removed(
        &mut self,
        before: &[Json],
        after: &[Json],
        places: &[Place],
    ) -> Result<(), String> {
        if before.len() != places.len() || after.len() >= before.len() {
            return Err("no marker sets this value".to_owned());
        }
        let mut kept = after.iter().peekable();
        for (element, place) in before.iter().zip(places) {
            if kept.peek() == Some(&element) {
                kept.next();
            } else {
                self.remove(*place)?;
            }
        }
        if kept.next().is_none() { Ok(()) } else { Err("the elements differ".to_owned()) }
    }

    /// Adds or removes a marker without arguments.
    pub(super) fn switch(
        &mut self,
        place: Option<Place>,
        kind: Place,
        name: &str,
        is_on: bool,
    ) -> Result<(), String> {
        match (place, is_on) {
            (Some(place), false) => self.remove(place),
            (None, true) => {
                let owner = Owner::kind(self.outcome, kind)?;
                self.insert(&owner, name)
            }
            _ => Err(format!("`{name}` does not set this value")),
        }
    }

    pub(super) fn argument_or_marker(
        &mut self,
        place: Option<Place>,
        kind: Place,
        marker: &str,
        name: &str,
        after: Option<&Json>,
    ) -> Result<(), String> {
        if let Some(place) = place {
            return self.argument(place, name, after);
        }
        let owner = Owner::kind(self.outcome, kind)?;
        let known = marker::lookup(&format!("+{marker}"), Target::Type, self.outcome.version);
        let kind = known.and_then(|known| kind_of(known, name));
        let value = kind.zip(after).and_then(|(kind, after)| marker_values::argument(kind, after, None));
        let value = value.ok_or_else(|| format!("no argument of `{marker}` sets this value"))?;
        self.insert(&owner, &format!("{marker}:{name}={value}"))
    }

    /// Sets, adds or removes an argument of a marker. The value after `=` has an empty name.
    pub(super) fn argument(&mut self, place: Place, name: &str, after: Option<&Json>) -> Result<(), String> {
        let text = self.text(place).to_owned();
        let marker = read(&text).ok_or_else(|| "the marker cannot be parsed".to_owned())?;
        if name.is_empty() && matches!(marker.definition.definition.shape, Shape::Arguments(_) | Shape::Empty)
        {
            return Err(format!("`{}` sets this value; change it by hand", marker.definition.name()));
        }
        let value = marker.argument(name);
        let before = value.and_then(|value| text.get(value.range.clone()));
        let Some(after) = after else {
            let Some(value) = value else { return Err("the argument does not exist".to_owned()) };
            let range =
                argument_with_comma(&text, value.range.clone()).or_else(|| only_argument(&marker, name));
            let range = range.ok_or_else(|| "the argument is required".to_owned())?;
            return self.replace(place, range, String::new());
        };
        let new = if name.is_empty() {
            marker_values::marker_value(marker.definition.definition.shape, after, before)
        } else {
            let kind = kind_of(marker.definition, name)
                .ok_or_else(|| format!("the marker has no argument `{name}`"))?;
            marker_values::argument(kind, after, before)
        };
        let new = new.ok_or_else(|| format!("no marker can express {}", after.encoded()))?;
        match value {
            Some(value) => self.replace(place, value.range.clone(), new),
            None if name.is_empty() => Err("the marker has no value".to_owned()),
            None => {
                let separator = if text.contains('=') { "," } else { ":" };
                self.replace(place, text.len()..text.len(), format!("{separator}{name}={new}"))
            }
        }
    }

    /// Replaces the old name with the new one in a marker whose value is a list of names. Returns whether it is such a
    /// marker.
    pub(super) fn renamed_in_list(&mut self, place: Place) -> Result<bool, String> {
        let Some((new, found)) = self.old_names(place) else { return Ok(false) };
        for range in found {
            self.replace(place, range, new.clone())?;
        }
        Ok(true)
    }

    /// Replaces the old name in a value that contains it once. The rest of the value stays unchanged.
    pub(super) fn renamed_once(&mut self, place: Place) -> Result<bool, String> {
        let Some((new, found)) = self.old_names(place) else { return Ok(false) };
        let [range] = found.as_slice() else { return Ok(false) };
        self.replace(place, range.clone(), new)?;
        Ok(true)
    }

    /// The new name, and the positions of the old name as a word in the value of a marker without arguments, counted
    /// from the `+`.
    fn old_names(&self, place: Place) -> Option<(String, Vec<Range<usize>>)> {
        let (old, new) = self.renamed.as_ref()?;
        let text = self.text(place);
        let marker = read(text)?;
        if matches!(marker.definition.definition.shape, Shape::Arguments(_)) {
            return None;
        }
        let value = marker.argument("")?.range.clone();
        let names = marker::names_in(text.get(value.clone())?, old);
        let found = names.map(|at| value.start + at..value.start + at + old.len()).collect();
        Some((new.clone(), found))
    }

    pub(super) fn text(&self, place: Place) -> &str {
        let place = self.outcome.current_place(place);
        self.outcome.source(place.file).map_or("", |file| file.slice(place.span))
    }

    /// Replaces bytes of a marker, counted from the `+`.
    pub(super) fn replace(&mut self, place: Place, range: Range<usize>, text: String) -> Result<(), String> {
        let place = self.outcome.current_place(place);
        let start = place.span.start as usize;
        self.push(place, start + range.start..start + range.end, text)
    }

    /// Removes the line of a marker.
    pub(super) fn remove(&mut self, place: Place) -> Result<(), String> {
        let place = self.outcome.current_place(place);
        let file = self.outcome.source(place.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let before = file.text.get(..place.span.start as usize).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let is_alone = before.get(start..).is_some_and(|line| line.trim().trim_start_matches('/').is_empty());
        let rest = file.text.get(place.span.end as usize..).unwrap_or("");
        let end = rest.find('\n').map_or(file.text.len(), |at| place.span.end as usize + at + 1);
        if is_alone {
            self.push(place, start..end, String::new())
        } else {
            Err("the marker is not alone on its line".to_owned())
        }
    }

    pub(super) fn insert(&mut self, owner: &Owner, marker: &str) -> Result<(), String> {
        let (place, text) = owner.line(self.outcome, marker)?;
        let range = place.span.range();
        // Insertions at the same place are merged into one edit.
        if let Some(path) = self.outcome.source(place.file).map(|file| &file.path)
            && let Some(edit) = self
                .edits
                .iter_mut()
                .find(|edit| edit.path == *path && edit.range == range && range.is_empty())
        {
            edit.text = with_line(&edit.text, &text);
            return Ok(());
        }
        self.push(place, range, text)
    }

    /// Sets the group of a kind's package, above the package clause of the kind's file.
    pub(super) fn group(&mut self, kind: Place, group: &str) -> Result<(), String> {
        let kind = self.outcome.current_place(kind);
        let file = self.outcome.source(kind.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let start = file.package_start as usize;
        self.push(kind, start..start, format!("// +groupName={group}\n"))
    }

    pub(super) fn push(&mut self, place: Place, range: Range<usize>, text: String) -> Result<(), String> {
        let file = self.outcome.source(place.file).ok_or_else(|| "the file does not exist".to_owned())?;
        if !self.outcome.roots.contains(&place.file) {
            return Err(format!("{} is in another package", file.path.display()));
        }
        self.edits.push(SourceEdit { path: file.path.clone(), range, text: file.with_line_ends(text) });
        Ok(())
    }
}

pub(super) fn kind_of(known: ResolvedMarker, name: &str) -> Option<crate::marker::ArgumentType> {
    match known.definition.shape {
        Shape::Arguments(arguments) => arguments.iter().find(|one| one.name == name).map(|one| one.kind),
        _ => None,
    }
}

/// Parses a marker for any target.
pub(super) fn read(text: &str) -> Option<Marker> {
    let newest = crate::version::Version::NEWEST;
    let targets = [Target::Field, Target::Type, Target::Package];
    let known = targets.into_iter().find_map(|target| marker::lookup(text, target, newest))?;
    Some(marker::parse(text, known, newest).0)
}

/// The bytes of an optional argument that is the only one of its marker, with the `:` before it.
fn only_argument(marker: &Marker, name: &str) -> Option<Range<usize>> {
    let Shape::Arguments(arguments) = marker.definition.definition.shape else { return None };
    let is_optional = arguments.iter().any(|argument| argument.name == name && argument.optional);
    let [(_, value)] = marker.arguments.as_slice() else { return None };
    is_optional.then(|| 1 + marker.definition.name().len()..value.range.end)
}

/// Adds a line to the new lines of a place. If several uses of a type set the same upper bound, only the lowest is kept.
fn with_line(lines: &str, new: &str) -> String {
    let Some((name, bound)) = bound_of(new) else { return format!("{lines}{new}") };
    let own = |line: &&str| bound_of(line).is_some_and(|(other, _)| other == name);
    match lines.split_inclusive('\n').find(own).and_then(|line| Some((line, bound_of(line)?.1))) {
        Some((_, least)) if least <= bound => lines.to_owned(),
        Some((line, _)) => lines.replace(line, new),
        None => format!("{lines}{new}"),
    }
}

/// The name and the number of an upper bound.
fn bound_of(line: &str) -> Option<(&str, u64)> {
    let (name, bound) = line.trim().split_once('=')?;
    name.contains(":Max").then_some(())?;
    Some((name, bound.parse().ok()?))
}

/// The bytes of an argument with its name and the adjacent comma; `None` if it is the only argument.
fn argument_with_comma(text: &str, value: Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..value.start)?.trim_end().strip_suffix('=')?.trim_end();
    let name_len = before.len() - before.trim_end_matches(|ch: char| ch.is_ascii_alphanumeric()).len();
    let start = before.len() - name_len;
    let head = text.get(..start)?.trim_end();
    if let Some(head) = head.strip_suffix(',') {
        return Some(head.len()..value.end);
    }
    let rest = text.get(value.end..)?;
    let comma = rest.len() - rest.trim_start().len();
    rest.trim_start().starts_with(',').then(|| start..value.end + comma + 1)
}
