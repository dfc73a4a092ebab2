//! Changes of definitions for people: changes with the same cause share a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ide::compat::{ChangeSeverity, Difference};
use text::{PositionEncoding, TextBuffer};

/// The maximum number of fields that are named for one cause.
const MOST_NAMED: usize = 3;

/// Two texts that are compared, with their names.
pub(super) struct Texts<'t> {
    pub(super) new: (&'t str, &'t TextBuffer),
    pub(super) old: (&'t str, &'t TextBuffer),
}

impl<'t> Texts<'t> {
    /// The place of a change: the file, the line and the column, both from 1. A removed part has its old place.
    pub(super) fn place(&self, difference: &Difference) -> (&'t str, u32, u32) {
        let place = |(path, text): (&'t str, &TextBuffer), offset| {
            let at = text.position(offset, PositionEncoding::Utf32);
            (path, at.line + 1, at.character + 1)
        };
        match (difference.range, difference.before) {
            (Some(now), _) => place(self.new, now.start),
            (None, Some(before)) => place(self.old, before.start),
            (None, None) => (self.old.0, 1, 1),
        }
    }
}

/// Adds `differences` to `out` as lines below the names of their definitions, the most severe first. With `each`, they are not
/// grouped.
pub(super) fn write(differences: &[&Difference], texts: &Texts<'_>, each: bool, out: &mut String) {
    let mut definitions: Vec<&str> = Vec::new();
    for difference in differences {
        if definitions.last() != Some(&difference.definition.as_str()) {
            definitions.push(&difference.definition);
        }
    }
    for definition in definitions {
        out.extend([definition, "\n"]);
        let of_definition = differences.iter().copied().filter(|one| one.definition == definition);
        let mut groups = grouped(of_definition, each);
        // Changes of the same class stay in the order of the text.
        groups.sort_by_key(|group| group.first().map(|first| first.class));
        groups.iter().for_each(|group| line(group, texts, out));
    }
}

/// The changes grouped by cause, in the order of the first change of each group.
fn grouped<'d>(differences: impl Iterator<Item = &'d Difference>, each: bool) -> Vec<Vec<&'d Difference>> {
    let mut groups: Vec<Vec<&Difference>> = Vec::new();
    let mut places = BTreeMap::new();
    for difference in differences {
        let cause = (difference.version.as_deref(), difference.code, difference.class, &*difference.cause);
        let place = if each { groups.len() } else { *places.entry(cause).or_insert(groups.len()) };
        match groups.get_mut(place) {
            Some(group) => group.push(difference),
            None => groups.push(vec![difference]),
        }
    }
    groups
}

fn line(group: &[&Difference], texts: &Texts<'_>, out: &mut String) {
    let Some(first) = group.first() else { return };
    let (path, line, column) = texts.place(first);
    let affects = match first.affects[..] {
        [] => String::new(),
        _ => format!(" (affects {})", first.affects.join(", ")),
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "  {:<8}  {path}:{line}:{column}: {}{affects} [{}]",
        first.class.name(),
        message(first, group),
        first.code
    );
}

/// The common message of the changes in `group`, which begins with `first`.
fn message(first: &Difference, group: &[&Difference]) -> String {
    if group.len() == 1 {
        return first.message.clone();
    }
    let name = |one: &&Difference| match one.object_path.as_str() {
        "" => "`the object`".to_owned(),
        path => format!("`{path}`"),
    };
    let named: Vec<String> = group.iter().take(MOST_NAMED).map(name).collect();
    let more = match group.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let version = first.version.as_deref().map(|version| format!(" in {version}")).unwrap_or_default();
    format!("{}{more}{version}: {}", named.join(", "), first.cause)
}

/// The number of changes of each class, in words.
pub(super) fn counts<'d>(differences: impl Iterator<Item = &'d Difference> + Clone) -> String {
    let count = |class| differences.clone().filter(|difference| difference.class == class).count();
    let (breaking, risky, safe) =
        (count(ChangeSeverity::Breaking), count(ChangeSeverity::Risky), count(ChangeSeverity::Safe));
    format!("{breaking} breaking, {risky} risky, {safe} safe changes")
}
