//! The CEL fields in the text of definitions, for findings and fixes.

pub(crate) mod line;
pub(crate) mod misread_rule;
pub(crate) mod rule_field;
