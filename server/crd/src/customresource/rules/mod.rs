//! Rules of `x-kubernetes-validations` evaluated on values (`pkg/apiserver/schema/cel`), with the server's texts and
//! limits.
//!
//! The programs stay with the schema nodes whose rules they are: an edit of a definition makes only those anew that
//! stand above it.

mod data;
mod evaluate;
mod expressions;
mod program;
mod reads;
mod ready;
mod trace;
mod trial;
mod watched;

pub(crate) use evaluate::{BUDGET, RulesOn, evaluate, uncompiled};
pub use reads::fields_read;
pub use trace::{Trace, Traced, TracedPart, trace};
pub use trial::Answer;
pub(crate) use trial::{Trial, others_refuse};
pub use watched::{PartSeen, Watch, watch_rules, watch_rules_of_part};
