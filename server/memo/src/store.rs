//! All tables of one owner.

use std::any::{Any, TypeId, type_name};

/// A table of answers. The store clears, sweeps and counts it without knowledge of its contents.
pub trait Table: Any + Send {
    /// The number of answers.
    fn len(&self) -> usize;

    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the answers that depend on the settings, which have changed.
    fn clear(&mut self);

    /// Drops unused entries, if a sweep is due.
    fn sweep(&mut self);

    /// Drops each answer for which `is_forgotten` returns true.
    fn forget(&mut self, is_forgotten: &mut dyn FnMut() -> bool);

    /// Takes the answers of `other`, a table of the same type; a table of another type is ignored.
    fn absorb(&mut self, other: Box<dyn Table>);
}

/// `table` as a value of that type.
#[doc(hidden)]
#[must_use]
pub fn downcast<T: Table>(table: Box<dyn Table>) -> Option<Box<T>> {
    let table: Box<dyn Any> = table;
    table.downcast().ok()
}

/// Implements `Table` for a type by delegation to one of its fields, which is a table.
#[macro_export]
macro_rules! table_of {
    ($type:ty, $field:ident) => {
        impl $crate::Table for $type {
            fn len(&self) -> usize {
                $crate::Table::len(&self.$field)
            }

            fn clear(&mut self) {
                $crate::Table::clear(&mut self.$field);
            }

            fn sweep(&mut self) {
                $crate::Table::sweep(&mut self.$field);
            }

            fn forget(&mut self, is_forgotten: &mut dyn FnMut() -> bool) {
                $crate::Table::forget(&mut self.$field, is_forgotten);
            }

            fn absorb(&mut self, other: Box<dyn $crate::Table>) {
                if let Some(other) = $crate::downcast::<Self>(other) {
                    $crate::Table::absorb(&mut self.$field, Box::new(other.$field));
                }
            }
        }
    };
}

/// Computes the name of a table's type on demand.
type Name = fn() -> &'static str;

/// Tables by their type. Each user of the store declares its own table type; the store knows none of them.
#[derive(Default)]
pub struct Store {
    tables: Vec<(TypeId, Name, Box<dyn Table>)>,
    /// In tests, the state of the random number generator.
    forgetful: Option<u64>,
}

impl Store {
    /// The table of this type, if it exists.
    #[must_use]
    pub fn get<T: Table>(&self) -> Option<&T> {
        let (_, _, table) = self.tables.iter().find(|(id, ..)| *id == TypeId::of::<T>())?;
        let table: &dyn Any = &**table;
        table.downcast_ref()
    }

    /// The table of this type.
    pub fn table<T: Table + Default>(&mut self) -> &mut T {
        let at = match self.tables.iter().position(|(id, ..)| *id == TypeId::of::<T>()) {
            Some(at) => at,
            None => {
                self.tables.push((TypeId::of::<T>(), type_name::<T>, Box::<T>::default()));
                self.tables.len() - 1
            }
        };
        if self.forgetful.is_some() {
            self.forget(at);
        }
        let table: &mut dyn Any = &mut *self.tables[at].2;
        match table.downcast_mut() {
            Some(table) => table,
            // The type id matches, so the table has this type.
            None => unreachable!("a table under the name of another type"),
        }
    }

    /// An empty store that drops answers at random if this store does.
    #[must_use]
    pub fn new_like(&self) -> Self {
        Self { tables: Vec::new(), forgetful: self.forgetful }
    }

    /// Takes the answers of `other`.
    pub fn merge(&mut self, mut other: Self) {
        if other.len() > self.len() {
            std::mem::swap(&mut self.tables, &mut other.tables);
        }
        for (id, name, table) in other.tables {
            match self.tables.iter_mut().find(|(own, ..)| *own == id) {
                Some((.., own)) => own.absorb(table),
                None => self.tables.push((id, name, table)),
            }
        }
    }

    /// The number of answers in all tables.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.iter().map(|(.., table)| table.len()).sum()
    }

    /// Whether there is no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops the answers that depend on the settings.
    pub fn clear(&mut self) {
        self.tables.iter_mut().for_each(|(.., table)| table.clear());
    }

    /// Drops unused entries of each table whose sweep is due.
    pub fn sweep(&mut self) {
        self.tables.iter_mut().for_each(|(.., table)| table.sweep());
    }

    /// Removes and returns all tables, each with the name of its type. For tests that measure them.
    pub fn take_apart(&mut self) -> Vec<(&'static str, Box<dyn Table>)> {
        std::mem::take(&mut self.tables).into_iter().map(|(_, name, table)| (name(), table)).collect()
    }

    /// From now on, drops random answers between any two questions, with random numbers from `seed`. For
    /// tests: the output of an analysis must not change.
    pub fn forget_at_random(&mut self, seed: u64) {
        self.forgetful = Some(seed);
    }

    /// Drops a third of the answers before one in eight questions.
    fn forget(&mut self, at: usize) {
        let Self { tables, forgetful: Some(state) } = self else { return };
        if random(state).is_multiple_of(8) {
            tables[at].2.forget(&mut || random(state).is_multiple_of(3));
        }
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Store({})", self.len())
    }
}

/// The next random number after `state` (SplitMix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Store;
    use crate::{ByInput, ByNode};

    #[derive(Default)]
    struct Lengths {
        known: ByNode<u8, usize>,
    }

    table_of!(Lengths, known);

    #[test]
    fn each_type_has_its_table() {
        let (mut store, node) = (Store::default(), Arc::new(1));
        assert!(store.get::<Lengths>().is_none());
        store.table::<Lengths>().known.insert(&node, 10);
        store.table::<ByInput<usize>>().insert(1, 20);
        assert_eq!(store.table::<Lengths>().known.get(&node), Some(&10));
        assert_eq!(store.table::<ByInput<usize>>().get(1), Some(&20));
        store.clear();
        assert_eq!(store.table::<Lengths>().known.get(&node), None, "it rests on the settings");
        assert_eq!(store.table::<ByInput<usize>>().get(1), Some(&20), "its question holds all");
    }

    #[test]
    fn a_store_absorbs_the_answers_of_another() {
        let (mut store, one, other) = (Store::default(), Arc::new(1), Arc::new(2));
        store.table::<Lengths>().known.insert(&one, 10);
        let mut second = store.new_like();
        assert!(second.is_empty());
        second.table::<Lengths>().known.insert(&other, 20);
        second.table::<ByInput<usize>>().insert(1, 30);
        store.merge(second);
        let lengths = &store.table::<Lengths>().known;
        assert_eq!((lengths.get(&one), lengths.get(&other)), (Some(&10), Some(&20)));
        assert_eq!(store.table::<ByInput<usize>>().get(1), Some(&30));
    }

    #[test]
    fn a_forgetful_store_drops_answers() {
        let mut store = Store::default();
        store.forget_at_random(7);
        for question in 0..100 {
            store.table::<ByInput<usize>>().insert(question, 1);
        }
        assert!((1..90).contains(&store.len()), "{}", store.len());
    }
}
