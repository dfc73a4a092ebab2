//! The schemas of types, kept for the next generation: an edit regenerates only the schemas of affected types.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::generator::{Crash, Generator};
use super::merge::MergedSchemas;
use super::model::{Schema, TypeId};
use super::truncate::TruncatedSchemas;
use crate::load::FileId;

/// The results for types without errors, by type.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptTypes {
    results: HashMap<TypeId, KeptType>,
    merged: MergedSchemas,
    pub(super) truncated: TruncatedSchemas,
}

/// The result for one type.
#[derive(Clone, Debug)]
pub(super) struct KeptType {
    schema: Arc<Schema>,
    /// The types that were requested while it was generated, in order. Each may add a package.
    needs: Arc<[TypeId]>,
    /// The flattened schema, unless it depends on the order of types, as in a cycle.
    flat: Option<Arc<Schema>>,
    /// The text from which it was generated; `None` for a known type.
    text: Option<FileId>,
}

/// The events while the schema of a type is generated.
#[derive(Debug, Default)]
pub(super) struct TypeInProgress {
    pub(super) needs: Vec<TypeId>,
    /// The number of problems that were reported for the type itself.
    pub(super) problems: usize,
}

impl KeptTypes {
    /// The results for types whose names are not in `affected`.
    pub(crate) fn without_types(&self, affected: &HashSet<Arc<str>>) -> Self {
        let made = self.results.iter().filter(|(id, _)| !affected.contains(&id.name));
        let made = made.map(|(id, made)| (id.clone(), made.clone()));
        Self { results: made.collect(), merged: self.merged.clone(), truncated: self.truncated.clone() }
    }

    /// The texts from which types were generated, each with these types.
    pub(crate) fn texts(&self) -> HashMap<FileId, Vec<&TypeId>> {
        let with_text = self.results.iter().filter_map(|(id, made)| Some((made.text?, id)));
        let mut texts: HashMap<FileId, Vec<&TypeId>> = HashMap::new();
        with_text.for_each(|(text, id)| texts.entry(text).or_default().push(id));
        texts
    }

    /// The merged schemas.
    pub(super) fn take_merged(&mut self) -> MergedSchemas {
        std::mem::take(&mut self.merged)
    }

    pub(super) fn insert_known(&mut self, id: TypeId, schema: Schema) -> Arc<Schema> {
        let made = self.results.entry(id).or_insert_with(|| KeptType {
            schema: Arc::new(schema),
            needs: Arc::default(),
            flat: None,
            text: None,
        });
        Arc::clone(&made.schema)
    }

    fn flat(&self, id: &TypeId) -> Option<&Arc<Schema>> {
        self.results.get(id)?.flat.as_ref()
    }

    /// Whether a type was generated without errors and does not depend on the order of types.
    pub(crate) fn is_settled(&self, id: &TypeId) -> bool {
        self.flat(id).is_some()
    }

    /// Notes that a type has an error after all.
    pub(super) fn discard(&mut self, id: &TypeId) {
        if let Some(made) = self.results.get_mut(id) {
            made.flat = None;
        }
    }
}

impl Generator<'_> {
    /// The schema of a type that an edit does not affect. Also adds the packages that it needs.
    pub(super) fn kept_schema(&mut self, id: &TypeId) -> Result<Option<Arc<Schema>>, Crash> {
        let Some(made) = self.kept_types.results.get(id).cloned() else { return Ok(None) };
        self.schemas.insert(id.clone(), Arc::clone(&made.schema));
        if let Some(flat) = made.flat {
            self.flat.insert(id.clone(), flat);
        }
        // The requests of these types are not requests of this type.
        self.in_progress.push(TypeInProgress::default());
        for needed in made.needs.iter() {
            self.need_schema(needed)?;
        }
        self.in_progress.pop();
        Ok(Some(made.schema))
    }

    /// Keeps the schema of a type that was generated without errors.
    pub(super) fn keep_schema(
        &mut self,
        id: &TypeId,
        schema: &Arc<Schema>,
        in_progress: TypeInProgress,
        text: FileId,
    ) {
        if in_progress.problems == 0 {
            let (schema, needs) = (Arc::clone(schema), in_progress.needs.into());
            self.kept_types
                .results
                .insert(id.clone(), KeptType { schema, needs, flat: None, text: Some(text) });
        }
    }

    /// Keeps the flattened schema of the type that was flattened last.
    pub(super) fn keep_flat(&mut self, id: TypeId, schema: Arc<Schema>) {
        self.flattening.pop();
        match self.kept_types.results.get_mut(&id) {
            Some(made) if !self.unsettled.contains(&id) => made.flat = Some(Arc::clone(&schema)),
            Some(made) => made.flat = None,
            None => self.discard_open(),
        }
        self.flat.insert(id, schema);
    }

    /// Notes that a flattened type was used. If it is incomplete or not kept, the types that contain it are not kept either.
    pub(super) fn used_flat(&mut self, id: &TypeId) {
        if self.flattening.contains(id) || self.kept_types.flat(id).is_none() {
            self.discard_open();
        }
    }

    /// Notes that the types that are being flattened depend on more than their own types.
    pub(super) fn discard_open(&mut self) {
        self.unsettled.extend(self.flattening.iter().cloned());
    }

    /// The results that the next generation may use.
    pub(crate) fn take_kept(&mut self) -> KeptTypes {
        let KeptTypes { results: made, truncated, .. } = std::mem::take(&mut self.kept_types);
        // A merged schema may be the original of a truncated one.
        KeptTypes { results: made, merged: self.merger.take_merged(), truncated: truncated.in_use() }
    }
}
