//! Lints of schema nodes: definitions that kube-apiserver accepts, and that do not have the effect that they suggest.

mod bounds;
mod conventions;
mod empty_objects;
mod lists;
mod misplaced;
mod misspelt;
mod pattern;
mod range;
mod repeated;
mod required_properties;
mod style;
mod types;
mod unset;

use api::Code;

use super::outcome::{Builder, NodeFinding, Place, name};
use super::{Context, MetaRole, Stage};
use crate::Options;
use crate::reading::Budget;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema, TypeName};

pub(crate) use required_properties::REQUIRED_UNDEFINED;

/// Checks `schema`, whose type is `ty`.
pub(crate) fn check<'t>(
    schema: &Schema<'_, 't>,
    ty: &TypeName<'t>,
    properties: &Members<'t>,
    context: Context,
    options: &Options,
    budget: &mut Budget,
    out: &mut Builder,
) {
    let ty = match ty {
        TypeName::Named(name) => Some(name.as_ref()),
        TypeName::Missing | TypeName::Unreadable => None,
    };
    bounds::check(schema, ty, out);
    pattern::check(schema, out);
    repeated::check(schema, out);
    unset::check(schema, out);
    if !context.position.is_spine() {
        return;
    }
    types::check(schema, ty, out);
    if ty == Some("integer") && schema.has_any(Keyword::Minimum.bit() | Keyword::Maximum.bit()) {
        range::check(schema, options.optional_lints, out);
    }
    // The schema prunes no fields within metadata.
    if context.meta != MetaRole::Outside {
        return;
    }
    empty_objects::check(schema, properties, context.position, out);
    misplaced::check(properties, out);
    misspelt::check(properties, context.position, out);
    required_properties::check(schema, ty, properties, context.position, budget, out);
    if options.optional_lints != Default::default() {
        lists::check(schema, ty, options.optional_lints, out);
        style::check(schema, ty, properties, options.optional_lints, out);
        conventions::check(schema, ty, properties, context.position, options.optional_lints, out);
    }
}

/// A finding of a lint at `place` for `keyword` of the node.
fn lint(code: Code, place: Place, keyword: Keyword, words: String) -> NodeFinding {
    NodeFinding::new(Stage::Lint, code, ErrorType::Invalid, place, vec![name(keyword)], words)
}
