//! Answers on expressions that depend on the schema's facts about the values that they read. They are kept as
//! long as these facts do not change.

use crate::Cache;
use std::cell::RefCell;

use cel::possible::{FactSource, KnownValue, Path, ValueStep};
use memo::ByInput;
use rustc_hash::FxHashMap;

use super::facts::facts_at;
use crate::cel::SchemaNode;

#[derive(Debug)]
struct CachedResult<T> {
    value: T,
    /// The facts of the schema that the answer depends on.
    facts: Vec<(Path, KnownValue)>,
    /// The accepted values (`Structural::admits`) of the last node that had these facts.
    admits: u64,
}

impl Cache {
    /// Returns the answer to the question with that hash about values of `node`; `find` computes it if it is
    /// missing. The hash includes the type of `node`.
    pub(crate) fn by_facts<T: Clone + Send + 'static>(
        &mut self,
        question: u64,
        node: SchemaNode<'_>,
        find: impl FnOnce(&FactSource<'_>) -> T,
    ) -> T {
        let admits = node.schema.admits();
        if let Some(answer) = self.table::<ByInput<CachedResult<T>>>().get_mut(question)
            && (answer.admits == admits
                || answer.facts.iter().all(|(path, fact)| facts_at(node, path) == *fact))
        {
            answer.admits = admits;
            return answer.value.clone();
        }
        self.count_computed();
        let asked: RefCell<FxHashMap<Path, KnownValue>> = RefCell::default();
        let value = find(&|path: &[ValueStep]| {
            if let Some(fact) = asked.borrow().get(path) {
                return fact.clone();
            }
            let fact = facts_at(node, path);
            asked.borrow_mut().insert(path.to_vec(), fact.clone());
            fact
        });
        let facts = asked.into_inner().into_iter().collect();
        self.table::<ByInput<CachedResult<T>>>()
            .insert(question, CachedResult { value: value.clone(), facts, admits });
        value
    }
}
