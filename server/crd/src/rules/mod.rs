//! Rules of `x-kubernetes-validations`: kube-apiserver's errors when it compiles them and estimates their
//! costs, the costs, and the results for generated values.

mod cost;
mod hidden;
mod lints;
mod price;
mod report;
mod sum;
mod trial;
mod trials;
mod view;

pub use cost::{DefinitionCost, RuleCost, VersionCost, costs};
pub(crate) use hidden::hidden_reads;
pub(crate) use report::{MAX_VIOLATIONS, RulesOf, check};
pub use trial::{CostModel, CostedExpression, Size, trials};
pub use view::{CostFigures, RuleView, rules};
