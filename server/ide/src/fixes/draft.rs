//! A plan under construction.

use std::collections::HashSet;

use crd::schema::Keyword;

use super::plan::{Change, Plan};
use crate::Applicability;

/// The placeholder for the name of the node in a sentence. Without it, the name is at the end.
pub(super) const HERE: &str = "{here}";

#[derive(Clone, Debug, Default)]
pub(super) struct Draft<'t> {
    pub(super) changes: Vec<Change<'t>>,
    pub(super) paths: Vec<String>,
    /// Whether it is useful only if no other plan repairs the same findings.
    pub(super) is_fallback: bool,
    /// The parts that move out of branches, with the number of branches and the junctor.
    moves: Vec<(String, usize, Keyword)>,
    /// The other changes, as sentences, each once.
    sentences: Vec<String>,
    recorded: HashSet<String>,
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
    pub(super) fn record(&mut self, sentence: String) {
        if self.recorded.insert(sentence.clone()) {
            self.sentences.push(sentence);
        }
    }

    /// Describes all changes with this sentence.
    pub(super) fn describe_as(&mut self, sentence: String) {
        self.moves.clear();
        self.sentences.clear();
        self.recorded.clear();
        self.record(sentence);
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
        other.sentences.into_iter().for_each(|sentence| self.record(sentence));
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

    fn title(&self, name: &str) -> String {
        let more = |count: usize| match count {
            0 => String::new(),
            1 => " (and 1 more change)".to_owned(),
            _ => format!(" (and {count} more changes)"),
        };
        if let [(what, count, junctor), others @ ..] = self.moves.as_slice() {
            let branches = if *count == 1 { "a branch".to_owned() } else { format!("{count} branches") };
            let of = junctor.as_str();
            let rest = more(others.len() + self.sentences.len());
            return format!("Move {what} from {branches} of `{of}` to {name}{rest}");
        }
        match self.sentences.as_slice() {
            [sentence, others @ ..] if sentence.contains(HERE) => {
                format!("{}{}", sentence.replace(HERE, name), more(others.len()))
            }
            [sentence, others @ ..] => {
                let link = match sentence.split(' ').next() {
                    Some("Add") => "to",
                    Some("Remove") if !sentence.contains(" from ") => "from",
                    _ => "in",
                };
                format!("{sentence} {link} {name}{}", more(others.len()))
            }
            [] => format!("Repair {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(sentences: &[&str]) -> String {
        let mut draft = Draft::default();
        sentences.iter().for_each(|sentence| draft.record((*sentence).to_owned()));
        draft.title("`port`")
    }

    #[test]
    fn a_title_states_the_place_and_the_number_of_other_changes() {
        assert_eq!(title(&["Add `items`"]), "Add `items` to `port`");
        assert_eq!(title(&["Add `items`", "Remove `a`"]), "Add `items` to `port` (and 1 more change)");
        let any = format!("Replace `type` in {HERE} with `enum` (accepts any value)");
        assert_eq!(title(&[&any]), "Replace `type` in `port` with `enum` (accepts any value)");
    }
}
