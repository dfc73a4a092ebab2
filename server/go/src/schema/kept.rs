//! The schemas of types, kept for the next generation: an edit makes those of the types that it touches.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::generator::{Crash, Generator};
use super::merge::MergedSchemas;
use super::model::{Schema, TypeId};
use super::truncate::TruncatedSchemas;
use crate::load::FileId;

/// What was made of types without an error, by type.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptTypes {
    made: HashMap<TypeId, Made>,
    merged: MergedSchemas,
    pub(super) truncated: TruncatedSchemas,
}

/// What was made of one type.
#[derive(Clone, Debug)]
pub(super) struct Made {
    schema: Arc<Schema>,
    /// The types that were asked for while it was made, in order. Each may bring in a package.
    needs: Arc<[TypeId]>,
    /// Without references, unless that depends on which types came first, as in a circle.
    flat: Option<Arc<Schema>>,
    /// The text that it was made of; none of a type that is known.
    text: Option<FileId>,
}

/// What happens while the schema of a type is made.
#[derive(Debug, Default)]
pub(super) struct Making {
    pub(super) needs: Vec<TypeId>,
    /// How many problems were reported of the type itself.
    pub(super) problems: usize,
}

impl KeptTypes {
    /// Those of the types that have none of the names in `affected`.
    pub(crate) fn without(&self, affected: &HashSet<Arc<str>>) -> Self {
        let made = self.made.iter().filter(|(id, _)| !affected.contains(&id.name));
        let made = made.map(|(id, made)| (id.clone(), made.clone()));
        Self { made: made.collect(), merged: self.merged.clone(), truncated: self.truncated.clone() }
    }

    /// The texts that the types were made of, each with those types.
    pub(crate) fn texts(&self) -> HashMap<FileId, Vec<&TypeId>> {
        let with_text = self.made.iter().filter_map(|(id, made)| Some((made.text?, id)));
        let mut texts: HashMap<FileId, Vec<&TypeId>> = HashMap::new();
        with_text.for_each(|(text, id)| texts.entry(text).or_default().push(id));
        texts
    }

    /// The schemas that were merged.
    pub(super) fn take_merged(&mut self) -> MergedSchemas {
        std::mem::take(&mut self.merged)
    }

    pub(super) fn insert_known(&mut self, id: TypeId, schema: Schema) -> Arc<Schema> {
        let made = self.made.entry(id).or_insert_with(|| Made {
            schema: Arc::new(schema),
            needs: Arc::default(),
            flat: None,
            text: None,
        });
        Arc::clone(&made.schema)
    }

    fn flat(&self, id: &TypeId) -> Option<&Arc<Schema>> {
        self.made.get(id)?.flat.as_ref()
    }

    /// Whether all of a type was made without an error, and would be made the same way whichever types come first.
    pub(crate) fn is_settled(&self, id: &TypeId) -> bool {
        self.flat(id).is_some()
    }

    /// Notes that a type was not made without an error after all.
    pub(super) fn unsettle(&mut self, id: &TypeId) {
        if let Some(made) = self.made.get_mut(id) {
            made.flat = None;
        }
    }
}

impl Generator<'_> {
    /// The schema of a type that an edit left alone, with the packages that it brings in.
    pub(super) fn kept_schema(&mut self, id: &TypeId) -> Result<Option<Arc<Schema>>, Crash> {
        let Some(made) = self.kept.made.get(id).cloned() else { return Ok(None) };
        self.schemas.insert(id.clone(), Arc::clone(&made.schema));
        if let Some(flat) = made.flat {
            self.flat.insert(id.clone(), flat);
        }
        // What these ask for is nothing that the type asks for.
        self.making.push(Making::default());
        for needed in made.needs.iter() {
            self.need_schema(needed)?;
        }
        self.making.pop();
        Ok(Some(made.schema))
    }

    /// Keeps the schema of a type, if it was made without an error.
    pub(super) fn keep_schema(&mut self, id: &TypeId, schema: &Arc<Schema>, making: Making, text: FileId) {
        if making.problems == 0 {
            let (schema, needs) = (Arc::clone(schema), making.needs.into());
            self.kept.made.insert(id.clone(), Made { schema, needs, flat: None, text: Some(text) });
        }
    }

    /// Keeps the schema of the type that was flattened last, without references.
    pub(super) fn keep_flat(&mut self, id: TypeId, schema: Arc<Schema>) {
        self.flattening.pop();
        match self.kept.made.get_mut(&id) {
            Some(made) if !self.unsettled.contains(&id) => made.flat = Some(Arc::clone(&schema)),
            Some(made) => made.flat = None,
            None => self.unsettle(),
        }
        self.flat.insert(id, schema);
    }

    /// Notes that a type was found without references: one that is not complete, or is not kept, leaves all that hold it so.
    pub(super) fn used_flat(&mut self, id: &TypeId) {
        if self.flattening.contains(id) || self.kept.flat(id).is_none() {
            self.unsettle();
        }
    }

    /// Notes that what is being flattened depends on more than its types.
    pub(super) fn unsettle(&mut self) {
        self.unsettled.extend(self.flattening.iter().cloned());
    }

    /// What the next generation may use.
    pub(crate) fn take_kept(&mut self) -> KeptTypes {
        let KeptTypes { made, truncated, .. } = std::mem::take(&mut self.kept);
        // What was merged may be what was cut.
        KeptTypes { made, merged: self.merger.take_merged(), truncated: truncated.in_use() }
    }
}
