//! Placeholder.
use text::TextEdit;
use yaml::Document;
use crate::{Finding, Fix};
pub(crate) fn fixes(_: Document<'_>, _: &[Finding]) -> Vec<Fix> { Vec::new() }
pub(crate) fn fix_all(_: Document<'_>, _: &[Finding]) -> Vec<TextEdit> { Vec::new() }
