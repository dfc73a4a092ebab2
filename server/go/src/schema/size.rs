//! The size of a schema when it is written.

use std::collections::HashMap;
use std::sync::Arc;

use super::model::Schema;

/// The maximum number of schemas in a schema that is written. Types that double with each level would take unlimited memory,
/// and no API server stores such a large object.
pub(crate) const MAX_SCHEMAS: usize = 250_000;

/// The number of schemas in a schema, including itself. Shared schemas count in each place.
pub(crate) fn size_of(schema: &Schema) -> usize {
    SchemaSizes::default().memoized_size(schema)
}

/// The sizes of shared schemas.
#[derive(Default)]
struct SchemaSizes(HashMap<*const Schema, usize>);

impl SchemaSizes {
    fn memoized_size(&mut self, schema: &Schema) -> usize {
        let additional = schema.additional.iter().filter_map(|additional| additional.schema.as_ref());
        let shared = schema.properties.values().chain(&schema.items).chain(additional);
        let size = shared.fold(1, |size: usize, inner| size.saturating_add(self.of_shared(inner)));
        let own = schema.all_of.iter().chain(&schema.any_of);
        own.fold(size, |size, inner| size.saturating_add(self.memoized_size(inner)))
    }

    fn of_shared(&mut self, schema: &Arc<Schema>) -> usize {
        if let Some(known) = self.0.get(&Arc::as_ptr(schema)) {
            return *known;
        }
        let size = self.memoized_size(schema);
        self.0.insert(Arc::as_ptr(schema), size);
        size
    }
}
