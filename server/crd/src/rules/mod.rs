//! Rules of `x-kubernetes-validations`: kube-apiserver's errors when it compiles them and estimates their
//! costs, the costs, and the results for generated values.

mod cost;
mod cost_model;
mod doubtful_rules;
mod gated_rules;
mod lints;
mod price;
mod report;
mod sum;
mod view;

pub use cost::{DefinitionCost, RuleCost, VersionCost, costs};
pub use cost_model::{CostModel, CostedExpression, Size, cost_models};
pub(crate) use gated_rules::hidden_reads;
pub(crate) use report::{MAX_VIOLATIONS, RulesOf, check};
pub use view::{CostFigures, RuleView, rules};
