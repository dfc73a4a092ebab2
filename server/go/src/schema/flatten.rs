//! Replaces references to types with the schemas of the types.

use std::sync::Arc;

use super::generator::{Crash, Generator};
use super::model::{FAILED, RECURSIVE, Reference, Schema, TypeId};
use super::problem::{Problem, ProblemKind};
use crate::load::{PackageId, Place};

/// The maximum depth of nested schemas.
const MAX_DEPTH: usize = 400;

/// The maximum number of schemas to copy in one generation, for inlined types.
const MOST_COPIED: usize = 300_000;

impl Generator<'_> {
    /// The schema of a type with its references resolved.
    pub(super) fn flat_type(&mut self, id: &TypeId) -> Result<Option<Arc<Schema>>, Crash> {
        if let Some(schema) = self.flat.get(id) {
            return Ok(Some(schema.clone()));
        }
        let Some(schema) = self.unflattened(id)? else {
            let problem = self.no_schema(id.package, id);
            self.report(problem);
            return Ok(None);
        };
        // Resolving the reference has cached the schema.
        if let Some(schema) = self.flat.get(id) {
            return Ok(Some(schema.clone()));
        }
        let mut schema = Schema::clone(&schema);
        self.flattening.push(id.clone());
        self.flatten(&mut schema, id, 0)?;
        let schema = Arc::new(schema);
        self.keep_flat(id.clone(), schema.clone());
        Ok(Some(schema))
    }

    fn unflattened(&mut self, id: &TypeId) -> Result<Option<Arc<Schema>>, Crash> {
        self.need_schema(id)
    }

    /// The error that ends a generation whose types repeat each other excessively.
    pub(super) fn too_large(&self, place: Option<Place>) -> Crash {
        let message =
            "the schemas are too large, because types repeat each other; nest or inline fewer types";
        Crash { place, message: message.to_owned() }
    }

    /// The problem if a package refers to a type without a schema.
    fn no_schema(&self, package: PackageId, id: &TypeId) -> Problem {
        let name = self.type_text(id);
        let message = format!("unable to locate schema for type {name}");
        Problem::new(self.spot_of(package), message, ProblemKind::NoSchema(name))
    }

    /// Resolves the references in a schema of the package of `within`.
    fn flatten(&mut self, schema: &mut Schema, within: &TypeId, depth: usize) -> Result<(), Crash> {
        if depth > MAX_DEPTH {
            self.discard_open();
            return Ok(());
        }
        // The types that the node refers to, the innermost last, each with the node that refers to it.
        let mut chain: Vec<(TypeId, Schema)> = Vec::new();
        let mut seen: Vec<String> = schema.reference.iter().map(|reference| reference.link()).collect();
        let mut current = within.clone();
        while let Some(reference) = schema.reference.clone() {
            let Reference { id, .. } = *reference;
            if let Some(cached) = self.flat.get(&id).cloned() {
                self.used_flat(&id);
                self.copied += copies(&cached);
                if self.copied > MOST_COPIED {
                    return Err(self.too_large(schema.causes.first().map(|cause| cause.place)));
                }
                let place = schema.causes.first().map(|cause| cause.place);
                let own = std::mem::take(schema);
                *schema = preserved(Schema::clone(&cached), own);
                if let Some(place) = place.filter(|_| self.flattening.contains(&id)) {
                    schema.caused(RECURSIVE, place);
                }
                self.finish(schema, chain);
                return Ok(());
            }
            let Some(found) = self.unflattened(&id)? else {
                let place = schema.causes.first().map(|cause| cause.place);
                let problem = self.no_schema(current.package, &id).at(place);
                self.report(problem);
                // Further errors of the node follow from this one.
                if let Some(place) = place {
                    schema.caused(FAILED, place);
                }
                self.discard_open();
                self.finish(schema, chain);
                return Ok(());
            };
            let own = std::mem::replace(schema, Schema::clone(&found));
            // While the type is being flattened, references to it get an empty schema.
            self.flat.insert(id.clone(), Arc::default());
            self.flattening.push(id.clone());
            current = id.clone();
            chain.push((id, own));
            let Some(link) = schema.reference.as_ref().map(|reference| reference.link()) else { break };
            if seen.contains(&link) {
                self.discard_open();
                break;
            }
            seen.push(link);
        }
        if let Some(items) = &mut schema.items {
            self.flatten_shared(items, &current, depth + 1)?;
        }
        for entry in schema.all_of.iter_mut().chain(&mut schema.any_of) {
            self.flatten(entry, &current, depth + 1)?;
        }
        for property in schema.properties.values_mut() {
            self.flatten_shared(property, &current, depth + 1)?;
        }
        if let Some(schema) = schema.additional.as_mut().and_then(|additional| additional.schema.as_mut()) {
            self.flatten_shared(schema, &current, depth + 1)?;
        }
        self.finish(schema, chain);
        Ok(())
    }

    fn flatten_shared(
        &mut self,
        schema: &mut Arc<Schema>,
        within: &TypeId,
        depth: usize,
    ) -> Result<(), Crash> {
        if refers(schema) { self.flatten(Arc::make_mut(schema), within, depth) } else { Ok(()) }
    }

    /// Caches the types of a chain, and combines each type with the node that refers to it.
    fn finish(&mut self, schema: &mut Schema, chain: Vec<(TypeId, Schema)>) {
        for (id, own) in chain.into_iter().rev() {
            self.copied += copies(schema);
            self.keep_flat(id, Arc::new(schema.clone()));
            let made = std::mem::take(schema);
            *schema = preserved(made, own);
        }
    }
}

/// The number of schemas that a copy of a schema copies. The others are shared.
fn copies(schema: &Schema) -> usize {
    1 + schema.all_of.iter().chain(&schema.any_of).map(copies).sum::<usize>()
}

/// Whether a schema contains a reference.
fn refers(schema: &Schema) -> bool {
    schema.reference.is_some() || schema.inner().any(refers)
}

/// Combines the schema of a type with the node that refers to it. Texts of the node take precedence over
/// those of the type.
fn preserved(made: Schema, mut own: Schema) -> Schema {
    own.reference = None;
    let text = |own: &mut String, made: &str| {
        let own = std::mem::take(own);
        if own.is_empty() { made.to_owned() } else { own }
    };
    Schema {
        description: text(&mut own.description, &made.description),
        title: text(&mut own.title, &made.title),
        external_docs: own.external_docs.take().or_else(|| made.external_docs.clone()),
        example: own.example.take().or_else(|| made.example.clone()),
        all_of: vec![made, own],
        ..Schema::default()
    }
}
