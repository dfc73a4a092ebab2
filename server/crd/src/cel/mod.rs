//! Rules of `x-kubernetes-validations`: what their schema declares to CEL, what kube-apiserver says of them when it
//! compiles and prices them (checks 138 to 146), and what they cost.
//!
//! An expression is compiled once for each declared type: results hang on its text, a hash of the type and the
//! environment, so that a keystroke compiles only what it changed.

mod by_facts;
mod compile;
mod cost;
mod declare;
mod excess;
mod facts;
mod hidden;
mod lints;
mod meant;
mod presence;
mod promise;
mod report;
mod rule;
mod stored;
mod trial;
mod trials;
mod types;
mod view;
mod walk;
mod words;

pub use ::cel::cost::{EXPRESSION_LIMIT, SCHEMA_LIMIT};
pub(crate) use compile::{Expression, Memo, Runnable};
pub use compile::{Inspected, Purpose};
pub use cost::{DefinitionCost, RuleCost, VersionCost, costs};
pub use declare::{Declared, declared};
pub(crate) use declare::{DeclaredCell, types_its_metadata};
pub use excess::Unbounded;
pub(crate) use hidden::hidden_reads;
pub use meant::{Correction, Meaning, Suggestion, nearest};
pub(crate) use report::{MAX_VIOLATIONS, RulesOf, check};
pub(crate) use rule::detail;
pub(crate) use stored::StoredTexts;
pub use trial::{Priced, Size, Trial, trials};
pub use types::DeclaredTypes;
pub use view::{Figures, RuleView, SchemaNode, rules};
pub use words::{cost_words, grouped, is_unbounded, issue_range, sum_words};
