//! Answers on expressions that rest on what the schema says of the values that they read, kept for as long as it says the
//! same.

use std::cell::RefCell;

use cel::possible::{Known, Path, Source, Step};
use rustc_hash::FxHashMap;

use super::facts::known;
use super::view::SchemaNode;

/// Answers by a hash of the question.
#[derive(Debug)]
pub(super) struct ByFacts<T> {
    answers: FxHashMap<u64, Answer<T>>,
    worked_out: usize,
}

#[derive(Debug)]
struct Answer<T> {
    is: T,
    /// What the schema said of the values that were asked for.
    facts: Vec<(Path, Known)>,
    /// The round of the last use.
    used: u32,
}

impl<T> Default for ByFacts<T> {
    fn default() -> Self {
        Self { answers: FxHashMap::default(), worked_out: 0 }
    }
}

impl<T: Copy> ByFacts<T> {
    /// The answer to the question with that hash about values of `node`; `find` looks for it.
    pub(super) fn get(
        &mut self,
        question: u64,
        round: u32,
        node: SchemaNode<'_>,
        find: impl FnOnce(&Source<'_>) -> T,
    ) -> T {
        if let Some(answer) = self.answers.get_mut(&question)
            && answer.facts.iter().all(|(path, fact)| known(node, path) == *fact)
        {
            answer.used = round;
            return answer.is;
        }
        self.worked_out += 1;
        let asked: RefCell<FxHashMap<Path, Known>> = RefCell::default();
        let is = find(&|path: &[Step]| {
            if let Some(fact) = asked.borrow().get(path) {
                return fact.clone();
            }
            let fact = known(node, path);
            asked.borrow_mut().insert(path.to_vec(), fact.clone());
            fact
        });
        let facts = asked.into_inner().into_iter().collect();
        self.answers.insert(question, Answer { is, facts, used: round });
        is
    }

    pub(super) fn len(&self) -> usize {
        self.answers.len()
    }

    /// How many answers were looked for.
    pub(super) const fn worked_out(&self) -> usize {
        self.worked_out
    }

    /// Drops what was not used since the round `since`.
    pub(super) fn sweep(&mut self, since: u32) {
        self.answers.retain(|_, answer| answer.used >= since);
    }
}
