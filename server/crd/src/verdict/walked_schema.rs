//! A schema after the walk over its nodes, for the checks that follow the walk.

use std::cell::OnceCell;
use std::sync::Arc;

use text::TextSize;
use yaml::Reader;

use crate::Options;
use crate::cache::Cache;
use crate::check::Outcome;
use crate::object::SchemaPlace;
use crate::schema::structural::{self, Structural};

/// A structural schema, and its start in bytes.
pub(super) type StructuralAt = (Arc<Structural>, TextSize);

/// A schema with the outcome of the walk over its nodes.
pub(super) struct WalkedSchema<'a, 't> {
    pub(super) place: &'a SchemaPlace<'t>,
    pub(super) outcome: &'a Outcome,
    pub(super) options: &'a Options,
    reader: &'a Reader<'t>,
    /// Built on first use: a valid definition never needs it, and the repaired form of an invalid one is not cached.
    repaired: OnceCell<Option<StructuralAt>>,
}

impl<'a, 't> WalkedSchema<'a, 't> {
    pub(super) const fn new(
        place: &'a SchemaPlace<'t>,
        outcome: &'a Outcome,
        reader: &'a Reader<'t>,
        options: &'a Options,
    ) -> Self {
        Self { place, outcome, options, reader, repaired: OnceCell::new() }
    }

    /// The schema as it is written; `None` if the value is not a schema.
    pub(super) fn written(&self, cache: &mut Cache) -> Option<StructuralAt> {
        structural::structural(self.place.value, self.reader, cache)
    }

    /// The schema after the repair of its errors; `None` if the value is not a schema.
    pub(super) fn repaired(&self, cache: &mut Cache) -> Option<StructuralAt> {
        let build = || structural::repaired(self.place.value, self.reader, cache);
        self.repaired.get_or_init(build).clone()
    }
}
