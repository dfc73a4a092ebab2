//! Results that are kept from one analysis to the next, so that the cost of an edit depends on the change.
//!
//! The following holds for all kept results, and nothing else may be relied on:
//!
//! 1. **An answer depends on its key alone**: on a node that never changes ([`ByNode`]), or on a question
//!    that is hashed together with everything that its answer depends on ([`ByInput`]). Any other
//!    dependency is a setting of the [`Store`]; a change of the setting drops the answer ([`Table::clear`]).
//! 2. **An answer may disappear at any time.** It is then computed again with the same result, so a dropped
//!    answer costs time and changes no output. [`Store::forget_at_random`] lets tests verify this.
//! 3. **An answer about a node lives no longer than the node.** A table holds weak references to nodes: it
//!    keeps no tree alive, and no other node can have the same address while the table has the entry.
//! 4. **A table grows to at most twice the entries in use**, or its floor: it is swept once it has twice the
//!    entries that the last sweep left ([`Sweeps`]). A sweep drops answers about nodes that no longer exist,
//!    and answers that were not requested since the previous sweep.
//! 5. **Nothing is shared between threads.** The owner of a store has exclusive access, so there are no locks
//!    and no order of locks. Parallel threads fill one store each ([`Store::new_like`]), and one store absorbs
//!    the others.

mod by_input;
mod by_node;
mod store;
mod sweeps;

pub use by_input::ByInput;
pub use by_node::ByNode;
pub use store::{Store, Table, downcast};
pub use sweeps::Sweeps;
