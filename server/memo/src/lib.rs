//! What is remembered from one analysis to the next, so that an edit costs what it changes.
//!
//! These hold of everything that is remembered, and nothing else may be relied on:
//!
//! 1. **An answer depends on its key alone**: on a node that never changes ([`ByNode`]), or on a question that is hashed
//!    together with all that its answer rests on ([`ByQuestion`]). Whatever else it depends on is a setting of the [`Store`];
//!    another setting drops it ([`Table::clear`]).
//! 2. **An answer may be gone at any time.** It is then worked out again and is the same, so that forgetting costs time and
//!    changes no output. [`Store::forget_at_random`] lets a test hold an analysis to that.
//! 3. **An answer on a node lives no longer than the node.** A table holds nodes weakly: it keeps no tree alive, and no other
//!    node can have the address while the table knows it.
//! 4. **A table grows no larger than twice what is in use**, or its floor: it is swept once it has twice the entries that the
//!    last sweep left ([`Sweeps`]). Answers on nodes go when the node is gone, answers to questions when nobody asked since
//!    the sweep before.
//! 5. **Nothing here is shared between threads.** Whoever has the store has it for themselves, so that there is no lock whose
//!    order could be wrong. Threads that work side by side fill a store each ([`Store::beside`]), and one absorbs the others.

mod by_node;
mod by_question;
mod store;
mod sweeps;

pub use by_node::ByNode;
pub use by_question::ByQuestion;
pub use store::{Store, Table, downcast};
pub use sweeps::Sweeps;
