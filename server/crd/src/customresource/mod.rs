//! Decodes, prunes, defaults and validates custom resources like kube-apiserver, with the structural schema of
//! their version.

mod admit;
mod correlation;
mod default;
mod error;
mod failed_rule;
mod listtype;
mod message;
pub(crate) mod objectmeta;
mod precedence;
mod prune;
mod rules;
mod scale;
#[cfg(test)]
mod tests;
mod update;
mod validate;
mod validate_defaults;
mod version;

pub use admit::{Admission, StrictError, admit, admit_part, admit_value};
pub use default::{fill_defaults, prune_nulls};
pub(crate) use error::error_text;
pub use error::{Facts, NOT_CHECKED, Rule, ValueError};
pub use failed_rule::{DisplayedValue, FailedRule, Failure, ReadValue};
pub use listtype::validate_list_types;
pub use message::{
    TypeMismatch, message, message_of_finalizer, message_of_unchanged, plain_detail, type_mismatch,
};
pub use precedence::by_precedence;
pub use prune::{PrunedField, prune};
pub(crate) use rules::{CompiledRule, other_rules_reject};
pub use rules::{
    PartSeen, RuleObserver, RuleResult, Trace, TracedExpression, TracedPart, fields_read, trace, watch_rules,
    watch_rules_of_part,
};
pub use update::{
    Endpoint, ReplacedObject, admit_read_update, admit_update, admit_value_update, convert_value, read_value,
};
pub(crate) use validate::admits;
pub use validate::{SchemaForm, ValidationOptions, ValidationResult, validate};
pub use validate_defaults::{DefaultsOf, FineDefaults, validate_defaults};
pub use version::{ResourceVersion, Scale};
