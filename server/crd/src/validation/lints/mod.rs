//! Lints outside the schemas: names, versions, columns, subresources and the webhook.

mod cells;
mod columns;
mod path;
mod scale;
mod unset;
mod versions;
mod webhook;

pub use cells::{Mismatch, column_mismatch, column_type};
pub use webhook::{ServiceUrl, service_of_url};

use super::findings::Findings;
use super::internal::{InternalDefinition, ServerValue};
use crate::object::Node;
use crate::report::ApiVersion;
use crate::schema::Schema;

/// Checks everything except the schemas themselves.
pub(super) fn check(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    versions::check(internal, findings);
    unset::check(internal, findings);
    webhook::check(internal, findings);
    let path = if internal.api_version == ApiVersion::V1 { "jsonPath" } else { "JSONPath" };
    // If nothing is pruned, fields need no declaration.
    let is_pruned = !internal.preserves();
    for home in internal.columns() {
        let schema = schema_of(internal, &home).filter(|_| is_pruned);
        columns::check(&home, path, schema.as_ref(), findings);
    }
    for home in internal.subresources().into_iter().filter(|_| is_pruned) {
        if let Some(schema) = schema_of(internal, &home) {
            scale::check(&home, &schema, findings);
        }
    }
}

/// The schema to which the paths at `home` refer.
fn schema_of<'r, 't>(
    internal: &InternalDefinition<'r, 't>,
    home: &ServerValue<'r, 't>,
) -> Option<Schema<'r, 't>> {
    let own = schema_in(&internal.schema_holder(home));
    let is_beta = internal.api_version == ApiVersion::V1Beta1;
    own.or_else(|| schema_in(&internal.spec.child("validation")).filter(|_| is_beta))
}

/// The schema in `holder`, which is a `schema` or `validation`.
fn schema_in<'r, 't>(holder: &Node<'r, 't>) -> Option<Schema<'r, 't>> {
    let node = holder.child("openAPIV3Schema");
    Schema::read(node.value()?, node.reader())
}
