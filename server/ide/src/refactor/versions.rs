//! Additions of versions, and deprecations of old ones.

use crd::ApiVersion;
use crd::object::Version;
use yaml::edit::{Editor, NewEntry, NewValue, Position};

use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::place;
use crate::analysis::values::{own_entry, raw, string, text};
use crate::analysis::version_name::VersionName;
use crate::migrate::comments::Notes;

/// The longest warning that the server accepts, in bytes.
const LONGEST_WARNING: usize = 256;

pub(super) fn offers(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    if !target.is_at_versions() || target.definition.api_version() != ApiVersion::V1 {
        return Vec::new();
    }
    let mut offers = add(target, editor);
    offers.extend(deprecate(target, editor));
    offers.extend(store(target, editor));
    offers
}

/// Adds the next version as a copy of the stored one.
fn add(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let versions: Vec<Version<'_, '_>> = target.definition.versions().collect();
    let list = target.definition.field(&["spec", "versions"]);
    let stored = versions.iter().find(|version| version.is_true("storage"));
    let (Some(list), Some(stored)) = (list, stored) else { return Vec::new() };
    let (Some(name), Some(mapping)) = (stored.name(), stored.value.as_mapping()) else { return Vec::new() };
    let notes = Notes::of(target.document);
    let is_taken =
        |name: &String| versions.iter().any(|version| version.name().is_some_and(|own| own == name.as_str()));
    let names = next_names(&name).into_iter().filter(|name| !is_taken(name));
    let offer = |new: String| {
        let mut entries: Vec<NewEntry<'_>> = Vec::new();
        for entry in mapping.entries() {
            let mut copy = NewEntry::copy(entry)?;
            match copy.key.as_ref() {
                "name" => copy.value = text(new.as_str()),
                "storage" => copy.value = raw("false"),
                "served" => copy.value = NewValue::yes(),
                "deprecated" | "deprecationWarning" => continue,
                _ if mapping.is_flow() => {}
                _ => copy.comments = notes.comments_around(entry),
            }
            entries.push(copy);
        }
        let version = NewValue::Mapping { entries, flow: mapping.is_flow() };
        Some(Offer {
            title: format!("Add version `{new}` as a copy of `{name}`"),
            kind: RefactoringKind::Rewrite,
            edits: super::edits(editor, |editor| editor.push(list, version)),
            promise: EditGuarantee::NoNewKind,
        })
    };
    names.filter_map(offer).collect()
}

/// The possible successors of the version `name`, such as `v1beta2` and `v1` for `v1beta1`.
fn next_names(name: &str) -> Vec<String> {
    let Some(version) = VersionName::parse(name) else { return vec![format!("{name}-next")] };
    let mut next = version.next().into_iter().map(VersionName::name);
    match version.is_stable() {
        // The copy of a stable version is a stable version of the next major version.
        true => next.next_back().into_iter().collect(),
        false => next.take(2).collect(),
    }
}

/// Makes the version at the place the storage version.
fn store(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Option<Offer> {
    let own = target.version()?;
    let versions: Vec<Version<'_, '_>> = target.definition.versions().collect();
    let version = versions.iter().find(|version| version.value.range() == own.range())?;
    let stored: Vec<_> = versions.iter().filter(|version| version.is_true("storage")).collect();
    if stored.is_empty() || version.is_true("storage") {
        return None;
    }
    let mut entries = vec![(own_entry(own, "storage")?, NewValue::yes())];
    for other in stored {
        entries.push((own_entry(other.value, "storage")?, raw("false")));
    }
    let edits = super::edits(editor, |editor| {
        for (entry, value) in entries {
            editor.replace(entry.value(), value);
        }
    });
    let title = format!("Mark `{}` as the storage version", version.name()?);
    Some(Offer { title, kind: RefactoringKind::Rewrite, edits, promise: EditGuarantee::NoNewKind })
}

/// Marks the version at the place as deprecated, with a warning that names a version to use instead.
fn deprecate(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Option<Offer> {
    let own = target.version()?;
    let versions: Vec<Version<'_, '_>> = target.definition.versions().collect();
    let version = versions.iter().find(|version| version.value.range() == own.range())?;
    if version.is_true("deprecated") {
        return None;
    }
    let name = version.name()?;
    let rank = |name: &str| VersionName::parse(name).map(VersionName::maturity);
    let others = versions.iter().filter(|other| other.is_true("served") && !other.is_true("deprecated"));
    let better = others.filter_map(Version::name).max_by_key(|name| rank(name))?;
    if rank(&better) <= rank(&name) {
        return None;
    }
    let at = |names: &[&str]| target.definition.field(names).and_then(string);
    let (group, kind) = (at(&["spec", "group"])?, at(&["spec", "names", "kind"])?);
    let warning = format!("{group}/{name} {kind} is deprecated; use {group}/{better} {kind}");
    if warning.len() > LONGEST_WARNING {
        return None;
    }
    let mapping = own.as_mapping()?;
    let position = |key: &str| match ["storage", "served", "name"].iter().find_map(|key| own_entry(own, key))
    {
        _ if place::is_sorted(mapping) && mapping.entries().count() > 3 => place::by_name(mapping, key),
        Some(entry) => Position::After(entry),
        None => Position::End,
    };
    let edits = super::edits(editor, |editor| {
        for (key, value) in [("deprecated", NewValue::yes()), ("deprecationWarning", text(warning))] {
            match own_entry(own, key) {
                Some(entry) => editor.replace(entry.value(), value),
                None => editor.insert(own, position(key), NewEntry::new(key, value)),
            }
        }
    });
    let title = format!("Mark `{name}` as deprecated in favour of `{better}`");
    Some(Offer { title, kind: RefactoringKind::Rewrite, edits, promise: EditGuarantee::NothingNew })
}

#[cfg(test)]
mod tests {
    use super::next_names;

    #[test]
    fn versions_follow_each_other() {
        assert_eq!(next_names("v1"), ["v2"]);
        assert_eq!(next_names("v1beta1"), ["v1beta2", "v1"]);
        assert_eq!(next_names("v2alpha9"), ["v2alpha10", "v2beta1"]);
        assert_eq!(next_names("main"), ["main-next"]);
    }
}
