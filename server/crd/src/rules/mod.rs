//! Rules of `x-kubernetes-validations`: what kube-apiserver says of them when it compiles and prices them, what they cost,
//! and what trying them on generated values shows.

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
pub use trial::{Priced, Size, Trial, trials};
pub use view::{Figures, RuleView, rules};
