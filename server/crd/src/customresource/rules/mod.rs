//! Rules of `x-kubernetes-validations` evaluated on values (`pkg/apiserver/schema/cel`), with the server's texts and
//! limits.
//!
//! The programs are kept with the schema nodes that have the rules: after an edit of a definition, only the
//! programs of the changed nodes and of the nodes above them are compiled again.

mod data;
mod evaluate;
mod expressions;
mod node_rules;
mod observation;
mod program;
mod reads;
mod trace;
mod trial;

pub(crate) use evaluate::{BUDGET, RulesOn, evaluate, uncompiled};
pub use observation::{PartSeen, RuleObserver, watch_rules, watch_rules_of_part};
pub use reads::fields_read;
pub use trace::{Trace, TracedExpression, TracedPart, trace};
pub use trial::RuleResult;
pub(crate) use trial::{CompiledRule, other_rules_reject};
