//! The schema at one place as it would be after repair, for all who judge by it.

use std::cell::OnceCell;
use std::sync::Arc;

use text::TextSize;
use yaml::Reader;

use crate::cache::Cache;
use crate::object::SchemaPlace;
use crate::schema::structural::{Structural, repaired};

/// Built when it is first asked for: a sound definition never needs it, and what is built of a broken one is not kept.
#[derive(Default)]
pub(crate) struct Repaired(OnceCell<Option<(Arc<Structural>, TextSize)>>);

impl Repaired {
    /// The schema at `place`, and where it starts, in bytes; none where that is no schema at all.
    pub(crate) fn of<'t>(
        &self,
        place: &SchemaPlace<'t>,
        reader: &Reader<'t>,
        cache: &mut Cache,
    ) -> Option<(Arc<Structural>, TextSize)> {
        self.0.get_or_init(|| repaired(place.value, reader, cache)).clone()
    }
}
