//! The texts of Go files that the places of a definition refer to.

use std::collections::HashSet;

use super::{DefinedVersion, Definition};
use crate::load::FileId;
use crate::schema::{Cause, Schema};

impl Definition {
    /// The texts of Go files that its places refer to, without duplicates.
    pub(crate) fn texts(&self) -> Vec<FileId> {
        let mut texts = Texts::default();
        texts.file_ids.extend(self.places.iter().map(|place| place.file));
        texts.causes(&self.causes);
        self.versions.iter().for_each(|version| texts.version(version));
        texts.file_ids.into_iter().collect()
    }
}

#[derive(Default)]
struct Texts {
    file_ids: HashSet<FileId>,
    /// The addresses of the schemas that have been visited.
    visited: HashSet<usize>,
}

impl Texts {
    fn causes(&mut self, causes: &[Cause]) {
        self.file_ids.extend(causes.iter().map(|cause| cause.place.file));
    }

    fn version(&mut self, version: &DefinedVersion) {
        self.file_ids.insert(version.place.file);
        self.causes(&version.causes);
        let places = version.columns.iter().map(|(_, place)| place);
        let places = places.chain(version.selectable.iter().map(|(_, place)| place));
        self.file_ids.extend(places.map(|place| place.file));
        self.schema(&version.schema);
    }

    fn schema(&mut self, schema: &Schema) {
        if !self.visited.insert(std::ptr::from_ref(schema).addr()) {
            return;
        }
        self.causes(&schema.causes);
        self.file_ids.extend(schema.rules.iter().filter_map(|rule| rule.place).map(|place| place.file));
        schema.inner().for_each(|inner| self.schema(inner));
    }
}
