//! A plan under construction.

use std::collections::HashSet;

use crd::schema::Keyword;

use super::plan::{Change, Plan};
use crate::Applicability;
use crate::analysis::fix::Title;

/// The placeholder for the name of the node in a change. Without it, the name is at the end.
pub(super) const HERE: &str = "{here}";

/// A change to a node, for a title.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum NodeChange {
    /// Adds a part to the node.
    Add(String),
    /// Removes a part of the node.
    Remove(String),
    /// Removes the first text from the second, a part of the node.
    RemoveFrom(String, String),
    /// Another change, as a sentence.
    Change(String),
}

impl NodeChange {
    /// The title of the change for the node called `name`.
    fn title(&self, name: &str) -> Title {
        let here = |text: &str, link: &str| match text.contains(HERE) {
            true => text.replace(HERE, name),
            false => format!("{text} {link} {name}"),
        };
        match self {
            Self::Add(what) => format!("Add {}", here(what, "to")).into(),
            Self::Remove(what) => Title::removal(here(what, "from")),
            Self::RemoveFrom(what, part) => Title::removal(format_args!("{what} from {part} in {name}")),
            Self::Change(sentence) => here(sentence, "in").into(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Draft<'t> {
    pub(super) changes: Vec<Change<'t>>,
    pub(super) paths: Vec<String>,
    /// Whether it is useful only if no other plan repairs the same findings.
    pub(super) is_fallback: bool,
    /// The parts that move out of branches, with the number of branches and the junctor.
    moves: Vec<(String, usize, Keyword)>,
    /// The other changes, each once.
    described: Vec<NodeChange>,
    recorded: HashSet<NodeChange>,
}

impl<'t> Draft<'t> {
    /// Records that `what` moves out of one more branch.
    pub(super) fn record_move(&mut self, what: &str, junctor: Keyword) {
        match self.moves.iter_mut().find(|(other, ..)| other == what) {
            Some((_, count, _)) => *count += 1,
            None => self.moves.push((what.to_owned(), 1, junctor)),
        }
    }

    /// Records a change, once.
    pub(super) fn record(&mut self, change: NodeChange) {
        if self.recorded.insert(change.clone()) {
            self.described.push(change);
        }
    }

    /// Describes all changes as this one.
    pub(super) fn describe_as(&mut self, change: NodeChange) {
        self.moves.clear();
        self.described.clear();
        self.recorded.clear();
        self.record(change);
    }

    /// Adds all of `other`.
    pub(super) fn join(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.paths.extend(other.paths);
        for (what, count, junctor) in other.moves {
            match self.moves.iter_mut().find(|(known, ..)| *known == what) {
                Some((_, known, _)) => *known += count,
                None => self.moves.push((what, count, junctor)),
            }
        }
        other.described.into_iter().for_each(|change| self.record(change));
    }

    /// Whether anything moves out of a branch.
    pub(super) fn has_moves(&self) -> bool {
        self.changes.iter().any(|change| matches!(change, Change::Remove(..)))
    }

    /// The plan for the node called `name`; `None` if it changes nothing.
    pub(super) fn finish(self, name: &str, safe: bool) -> Option<Plan<'t>> {
        if self.changes.is_empty() {
            return None;
        }
        let applicability = if safe { Applicability::Safe } else { Applicability::Suggested };
        Some(Plan {
            title: self.title(name),
            applicability,
            changes: self.changes,
            paths: self.paths,
            is_fallback: self.is_fallback,
        })
    }

    fn title(&self, name: &str) -> Title {
        let more = |count: usize| match count {
            0 => String::new(),
            1 => " (and 1 more change)".to_owned(),
            _ => format!(" (and {count} more changes)"),
        };
        if let [(what, count, junctor), others @ ..] = self.moves.as_slice() {
            let moved =
                |branches: &str| format!("Move {what} from {branches} of `{}` to {name}", junctor.as_str());
            let title = match count {
                1 => moved("a branch"),
                _ => moved(&format!("{count} branches")),
            };
            let note = more(others.len() + self.described.len());
            return Title::from(title).with_pattern_of(moved("branches")).with_note(&note);
        }
        match self.described.as_slice() {
            [change, others @ ..] => change.title(name).with_note(&more(others.len())),
            [] => format!("Repair {name}").into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fix;

    fn title(changes: &[NodeChange]) -> String {
        let mut draft = Draft::default();
        changes.iter().for_each(|change| draft.record(change.clone()));
        draft.title("`port`").as_str().to_owned()
    }

    #[test]
    fn the_pattern_has_no_numbers_of_branches_and_changes() {
        let pattern = |moves: usize, others: &[NodeChange]| {
            let mut draft = Draft::default();
            (0..moves).for_each(|_| draft.record_move("`description`", Keyword::AnyOf));
            others.iter().for_each(|change| draft.record(change.clone()));
            Fix::new(draft.title("`port`"), Vec::new(), Applicability::Suggested, Vec::new()).pattern
        };
        let added = NodeChange::Add("`items`".to_owned());
        assert_eq!(pattern(1, &[]), pattern(2, &[]));
        assert_eq!(pattern(2, &[]), pattern(3, std::slice::from_ref(&added)));
        assert_ne!(pattern(1, &[]), pattern(0, &[added]));
    }

    #[test]
    fn a_title_states_the_place_and_the_number_of_other_changes() {
        let added = NodeChange::Add("`items`".to_owned());
        assert_eq!(title(std::slice::from_ref(&added)), "Add `items` to `port`");
        let removed = NodeChange::Remove("`a`".to_owned());
        assert_eq!(title(&[added, removed]), "Add `items` to `port` (and 1 more change)");
        let any = format!("Replace `type` in {HERE} with `enum` (accepts any value)");
        assert_eq!(
            title(&[NodeChange::Change(any)]),
            "Replace `type` in `port` with `enum` (accepts any value)"
        );
    }
}
