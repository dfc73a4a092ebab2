//! The order of a definition's versions in discovery and kubectl.

use crd::customresource::by_precedence;
use crd::object::{CustomResourceDefinition, Version};
use text::TextSize;

use crate::analysis::short;

/// The maximum number of characters of a name.
const LONGEST: usize = 80;
/// The maximum number of listed versions.
const MOST: usize = 30;

/// A paragraph on the order, for the field `versions` and the `name` of a version, at `offset`, in bytes.
/// `None` for other fields.
pub(crate) fn order(
    definition: &CustomResourceDefinition<'_, '_>,
    field: &str,
    offset: TextSize,
) -> Option<String> {
    let at = definition.versions().find(|version| names(version, offset));
    let is_list = field == "versions";
    if !is_list && (field != "name" || at.is_none()) {
        return None;
    }
    let own = at.filter(|_| !is_list).and_then(|version| version.name()).map(|name| name.into_owned());
    let mut versions: Vec<(String, bool, bool)> = definition
        .versions()
        .filter_map(|version| {
            Some((version.name()?.into_owned(), version.is_true("served"), version.is_true("storage")))
        })
        .collect();
    versions.sort_by(|(one, ..), (other, ..)| by_precedence(one, other));
    let code = |name: &String| short::code(name, LONGEST);
    let served: Vec<String> =
        versions.iter().filter(|(_, served, _)| *served).map(|(name, ..)| code(name)).collect();
    let mut text = match served.split_first() {
        None => "No version is served.".to_owned(),
        Some((only, [])) => format!("Only {only} is served."),
        Some((first, _)) => {
            let more = served.len().saturating_sub(MOST);
            let listed: Vec<&str> = served.iter().take(MOST).map(String::as_str).collect();
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!(
                "Discovery lists the versions as {}{more}. kubectl uses {first} by default.",
                listed.join(", ")
            )
        }
    };
    if let Some((stored, ..)) = versions.iter().find(|(.., storage)| *storage) {
        text.push_str(&format!(" Objects are stored as {}.", code(stored)));
    }
    if let Some(own) =
        own.as_ref().filter(|own| !versions.iter().any(|(name, served, _)| name == *own && *served))
    {
        text.push_str(&format!(" {} is not served.", code(own)));
    }
    Some(text)
}

/// Whether `offset` is on the `name` of `version`.
fn names(version: &Version<'_, '_>, offset: TextSize) -> bool {
    let entries = version.value.as_mapping().into_iter().flat_map(|own| own.entries());
    let mut names = entries.filter(|entry| entry.key_text().is_some_and(|key| key == "name"));
    names.any(|entry| entry.range().touches(offset))
}
