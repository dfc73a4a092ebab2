//! Changes of definitions for people: those of one cause are one line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ide::compat::{Class, Difference};
use text::{PositionEncoding, TextBuffer};

/// So many fields of one cause are named.
const MOST_NAMED: usize = 3;

/// Two texts that are compared, with their names.
pub(super) struct Texts<'t> {
    pub(super) new: (&'t str, &'t TextBuffer),
    pub(super) old: (&'t str, &'t TextBuffer),
}

impl<'t> Texts<'t> {
    /// Where a change is: the file, the line and the column, both from 1. What is gone is where it was.
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

/// Adds `differences` to `out` as lines below the names of their definitions, the worst first. With `each` they are not put
/// together.
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
        // Those of one class stay in the order of the text.
        groups.sort_by_key(|group| group.first().map(|first| first.class));
        groups.iter().for_each(|group| line(group, texts, out));
    }
}

/// The changes of one cause side by side, in the order in which the first of each comes.
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

/// What the changes of `group`, of which `first` is one, have in common.
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

/// How many changes there are of each class, as words.
pub(super) fn counts<'d>(differences: impl Iterator<Item = &'d Difference> + Clone) -> String {
    let count = |class| differences.clone().filter(|difference| difference.class == class).count();
    let (breaking, risky, safe) = (count(Class::Breaking), count(Class::Risky), count(Class::Safe));
    format!("{breaking} breaking, {risky} risky, {safe} safe changes")
}
