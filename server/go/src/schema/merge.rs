//! Merges `allOf` into the schema that contains it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::model::{Additional, Cause, FAILED, Schema};
use crate::version::{Change, Version};

/// Two types that exclude each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) kept: String,
    pub(crate) dropped: String,
    /// The causes of both types.
    pub(crate) causes: Vec<Cause>,
}

/// Merges every `allOf` of schemas. A schema that occurs in many places is merged once.
pub(crate) struct Merger {
    version: Version,
    memo: MergedSchemas,
    /// The number of schemas that may still be merged.
    remaining: usize,
}

/// The maximum number of schemas to merge in one generation. Types that double with each level would take
/// exponential time.
const MOST_MERGED: usize = 300_000;

/// Merged schemas by the address of the original schema. The original is kept so that its address is not reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergedSchemas(HashMap<usize, Arc<SchemaMerge>>);

impl MergedSchemas {
    fn merge_of(&self, schema: &Arc<Schema>) -> Option<Arc<SchemaMerge>> {
        self.0.get(&Arc::as_ptr(schema).addr()).cloned()
    }
}

#[derive(Debug)]
struct SchemaMerge {
    before: Arc<Schema>,
    after: Arc<Schema>,
    conflicts: Vec<Conflict>,
}

impl Merger {
    pub(crate) const fn new(version: Version, known: MergedSchemas) -> Self {
        Self { version, memo: known, remaining: MOST_MERGED }
    }

    /// The merged schemas whose originals are still in use elsewhere.
    pub(super) fn take_merged(&mut self) -> MergedSchemas {
        let mut known = std::mem::take(&mut self.memo);
        known.0.retain(|_, merged| Arc::strong_count(&merged.before) > 1);
        known
    }

    /// Whether the limit was reached, so that schemas were skipped.
    pub(crate) const fn is_exhausted(&self) -> bool {
        self.remaining == 0
    }

    const fn takes_step(&mut self) -> bool {
        self.remaining = self.remaining.saturating_sub(1);
        self.remaining > 0
    }

    /// Merges every `allOf` of a schema, from the top down. Keywords that cannot be merged remain in a new `allOf`.
    pub(crate) fn merge_all(&mut self, schema: &mut Schema, conflicts: &mut Vec<Conflict>) {
        for entry in std::mem::take(&mut schema.all_of) {
            merge(schema, entry, self, conflicts);
        }
        if let Some(items) = &mut schema.items {
            self.merge_shared(items, conflicts);
        }
        for entry in schema.all_of.iter_mut().chain(&mut schema.any_of) {
            self.merge_all(entry, conflicts);
        }
        for property in schema.properties.values_mut() {
            self.merge_shared(property, conflicts);
        }
        if let Some(schema) = schema.additional.as_mut().and_then(|additional| additional.schema.as_mut()) {
            self.merge_shared(schema, conflicts);
        }
    }

    fn merge_shared(&mut self, schema: &mut Arc<Schema>, conflicts: &mut Vec<Conflict>) {
        if schema.inner().next().is_none() {
            return;
        }
        if let Some(known) = self.memo.merge_of(schema) {
            conflicts.extend_from_slice(&known.conflicts);
            *schema = Arc::clone(&known.after);
            return;
        }
        let (mut after, mut found) = (Schema::clone(schema), Vec::new());
        self.merge_all(&mut after, &mut found);
        conflicts.extend_from_slice(&found);
        let before = std::mem::replace(schema, Arc::new(after));
        let address = Arc::as_ptr(&before).addr();
        let merged = SchemaMerge { after: Arc::clone(schema), conflicts: found, before };
        self.memo.0.insert(address, Arc::new(merged));
    }
}

/// The keywords of two schemas that cannot be merged.
#[derive(Default)]
struct UnmergedSchemas {
    into: Schema,
    from: Schema,
    any: bool,
}

impl UnmergedSchemas {
    /// Moves the causes of a keyword along with it.
    fn causes(&mut self, keyword: &'static str, into: &mut Vec<Cause>, from: &[Cause]) {
        self.any = true;
        let moved = |causes: &[Cause]| {
            causes.iter().filter(|cause| cause.keyword == keyword).cloned().collect::<Vec<_>>()
        };
        self.into.causes.extend(moved(into));
        self.from.causes.extend(moved(from));
        into.retain(|cause| cause.keyword != keyword);
    }
}

/// Keeps a value that only one schema has. If both have one, leaves both unmerged.
macro_rules! either {
    ($left:ident, $into:ident, $from:ident, $causes:ident, $field:ident, $keyword:literal) => {
        if let Some(value) = $from.$field.take() {
            match $into.$field.take() {
                None => $into.$field = Some(value),
                Some(own) => {
                    $left.causes($keyword, &mut $into.causes, &$causes);
                    $left.into.$field = Some(own);
                    $left.from.$field = Some(value);
                }
            }
        }
    };
}

/// Like `either`, for values that are empty if they are not set. Equal values are merged.
macro_rules! either_text {
    ($left:ident, $into:ident, $from:ident, $causes:ident, $field:ident, $keyword:literal) => {
        if !$from.$field.is_empty() {
            if $into.$field.is_empty() {
                $into.$field = std::mem::take(&mut $from.$field);
            } else if $into.$field != $from.$field {
                $left.causes($keyword, &mut $into.causes, &$causes);
                $left.into.$field = std::mem::take(&mut $into.$field);
                $left.from.$field = std::mem::take(&mut $from.$field);
            }
        }
    };
}

/// Like `either_text`, for lists. Equal lists are not merged.
macro_rules! either_list {
    ($left:ident, $into:ident, $from:ident, $causes:ident, $field:ident, $keyword:literal) => {
        if !$from.$field.is_empty() {
            if $into.$field.is_empty() {
                $into.$field = std::mem::take(&mut $from.$field);
            } else {
                $left.causes($keyword, &mut $into.causes, &$causes);
                $left.into.$field = std::mem::take(&mut $into.$field);
                $left.from.$field = std::mem::take(&mut $from.$field);
            }
        }
    };
}

fn merge(into: &mut Schema, mut from: Schema, merger: &mut Merger, conflicts: &mut Vec<Conflict>) {
    if !merger.takes_step() {
        return;
    }
    let version = merger.version;
    for entry in std::mem::take(&mut from.all_of) {
        merge(into, entry, merger, conflicts);
    }
    let mut left = UnmergedSchemas::default();
    let causes = std::mem::take(&mut from.causes);
    either!(left, into, from, causes, reference, "$ref");
    merge_kinds(into, &mut from, &causes, conflicts);
    either_text!(left, into, from, causes, format, "format");
    // If a struct is inlined twice, both copies of a default are the same pointer in Go, unlike all other values.
    if same_marker("default", &into.causes, &causes) && into.default == from.default {
        from.default = None;
    }
    either!(left, into, from, causes, default, "default");
    either!(left, into, from, causes, maximum, "maximum");
    either!(left, into, from, causes, minimum, "minimum");
    either!(left, into, from, causes, max_length, "maxLength");
    either!(left, into, from, causes, min_length, "minLength");
    either_text!(left, into, from, causes, pattern, "pattern");
    either!(left, into, from, causes, max_items, "maxItems");
    either!(left, into, from, causes, min_items, "minItems");
    either!(left, into, from, causes, multiple_of, "multipleOf");
    merge_flags(into, &from);
    if version.has(Change::EnumMerge) {
        if into.enumeration.is_empty() {
            into.enumeration = std::mem::take(&mut from.enumeration);
        }
    } else {
        either_list!(left, into, from, causes, enumeration, "enum");
    }
    let keeps_equal = version.has(Change::EqualProperties);
    if !(keeps_equal && into.max_properties == from.max_properties) {
        either!(left, into, from, causes, max_properties, "maxProperties");
    }
    if !(keeps_equal && into.min_properties == from.min_properties) {
        either!(left, into, from, causes, min_properties, "minProperties");
    }
    either!(left, into, from, causes, items, "items");
    either_list!(left, into, from, causes, any_of, "anyOf");
    merge_properties(into, std::mem::take(&mut from.properties), merger, conflicts);
    merge_additional(into, from.additional.take(), merger, conflicts);
    if let Some(kind) = from.map_type.take() {
        into.map_type = Some(kind);
    }
    if version.has(Change::ListTypeOfField) {
        if let Some(kind) = from.list_type.take() {
            into.list_type = Some(kind);
        }
        if !from.list_map_keys.is_empty() {
            into.list_map_keys = std::mem::take(&mut from.list_map_keys);
        }
    } else {
        either!(left, into, from, causes, list_type, "x-kubernetes-list-type");
        either_list!(left, into, from, causes, list_map_keys, "x-kubernetes-list-map-keys");
    }
    if version.has(Change::RulesConcatenated) {
        let own = std::mem::take(&mut into.rules);
        into.rules = from.rules.into_iter().chain(own).collect();
    } else {
        either_list!(left, into, from, causes, rules, "x-kubernetes-validations");
    }
    let moved = |cause: &Cause| left.from.causes.contains(cause);
    into.causes.extend(causes.into_iter().filter(|cause| !moved(cause)));
    if left.any {
        into.all_of.push(left.into);
        into.all_of.push(left.from);
    }
    into.required.append(&mut from.required);
    if !into.required.is_empty() {
        into.required.sort_unstable();
        into.required.dedup();
    }
}

/// Keeps the type of `into`, and notes another type of `from` as a conflict.
fn merge_kinds(into: &mut Schema, from: &mut Schema, causes: &[Cause], conflicts: &mut Vec<Conflict>) {
    if into.kind.is_empty() {
        into.kind = std::mem::take(&mut from.kind);
    } else if !from.kind.is_empty() && into.kind != from.kind {
        conflicts.push(Conflict {
            kept: into.kind.clone(),
            dropped: from.kind.clone(),
            causes: into.causes.iter().chain(causes).cloned().collect(),
        });
        // A value without a name is merged into a struct. Further errors in the fields of the struct follow
        // from this one.
        let place = causes.first().or(into.causes.first()).map(|cause| cause.place);
        if let Some(place) = place.filter(|_| [&into.kind, &from.kind].contains(&&"object".to_owned())) {
            into.caused(FAILED, place);
        }
    }
}

fn merge_flags(into: &mut Schema, from: &Schema) {
    into.exclusive_maximum |= from.exclusive_maximum;
    into.exclusive_minimum |= from.exclusive_minimum;
    into.unique_items |= from.unique_items;
    into.nullable |= from.nullable;
    into.embedded_resource |= from.embedded_resource;
    into.int_or_string |= from.int_or_string;
    into.preserve_unknown |= from.preserve_unknown;
}

fn merge_properties(
    into: &mut Schema,
    from: BTreeMap<Arc<str>, Arc<Schema>>,
    merger: &mut Merger,
    conflicts: &mut Vec<Conflict>,
) {
    for (name, property) in from {
        match into.properties.get_mut(&name) {
            Some(own) => merge(Arc::make_mut(own), Arc::unwrap_or_clone(property), merger, conflicts),
            None => {
                into.properties.insert(name, property);
            }
        }
    }
}

/// Whether a keyword comes from the same marker in both schemas.
fn same_marker(keyword: &str, into: &[Cause], from: &[Cause]) -> bool {
    let last = |causes: &[Cause]| {
        causes.iter().rev().find(|cause| cause.keyword == keyword).map(|cause| cause.place)
    };
    last(into).is_some() && last(into) == last(from)
}

fn merge_additional(
    into: &mut Schema,
    from: Option<Additional>,
    merger: &mut Merger,
    conflicts: &mut Vec<Conflict>,
) {
    let Some(from) = from else { return };
    let Some(own) = &mut into.additional else {
        into.additional = Some(from);
        return;
    };
    if let Some(schema) = from.schema {
        let own = Arc::make_mut(own.schema.get_or_insert_default());
        merge(own, Arc::unwrap_or_clone(schema), merger, conflicts);
    }
}
