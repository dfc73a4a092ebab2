//! The schema at one place after repair, shared by all checks that need it.

use std::cell::OnceCell;
use std::sync::Arc;

use text::TextSize;
use yaml::Reader;

use crate::cache::Cache;
use crate::object::SchemaPlace;
use crate::schema::structural::{Structural, repaired};

/// Built on first use: a valid definition never needs it, and the repaired form of an invalid one is not cached.
#[derive(Default)]
pub(crate) struct RepairedSchema(OnceCell<Option<(Arc<Structural>, TextSize)>>);

impl RepairedSchema {
    /// The schema at `place`, and its start, in bytes; `None` if the value is not a schema.
    pub(crate) fn get_or_build<'t>(
        &self,
        place: &SchemaPlace<'t>,
        reader: &Reader<'t>,
        cache: &mut Cache,
    ) -> Option<(Arc<Structural>, TextSize)> {
        self.0.get_or_init(|| repaired(place.value, reader, cache)).clone()
    }
}
