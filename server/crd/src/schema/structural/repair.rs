//! Structural schemas as they would be after the repair of their errors.
//!
//! Types and costs of rules and the verdict on defaults depend on the whole schema, so that one property
//! without a type would prevent all of them. A node without a type gets the type that its keywords or its
//! branches imply. If nothing implies a type, or if the text cannot be interpreted, the node is open:
//! everything that refers to it is accepted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use text::TextRange;
use yaml::{Entry, Value};

use super::build::{BuildMode, Builder, Source, cacheable_node};
use super::{Child, Generic, Structural, StructuralOrBool};
use crate::schema::Flags;
use crate::schema::{
    Keyword, Schema, TYPES, assumed, implied_items, is_list_for_object, is_no_resource, is_object_for_list,
};

/// The properties that branches describe, with all descriptions of each.
type Mentions<'t> = BTreeMap<Box<str>, Vec<Entry<'t>>>;

impl<'c, 't> Builder<'c, 't> {
    /// The schema in `value`, after repair.
    pub(super) fn repaired_spine(&mut self, value: Value<'t>) -> Option<Arc<Structural>> {
        let form = self.form;
        if form != BuildMode::Hoisted && self.is_sound(value) {
            self.form = BuildMode::Written;
            let built = self.written_spine(value);
            self.form = form;
            return built;
        }
        let is_root = form == BuildMode::Repaired { at_root: true };
        if is_root {
            self.form = BuildMode::Repaired { at_root: false };
        }
        let built = self.build_repaired(value, is_root);
        self.form = form;
        built
    }

    /// Whether the schema in `value` needs no repair.
    pub(super) fn is_sound(&self, value: Value<'t>) -> bool {
        let node = self.reader.follow(value).and_then(cacheable_node);
        node.is_some_and(|node| {
            !node.flags().errors
                && self.cache.flags(node).is_some_and(|flags| !flags.contains(Flags::UNSOUND))
        })
    }

    fn build_repaired(&mut self, value: Value<'t>, is_root: bool) -> Option<Arc<Structural>> {
        if self.budget.is_spent() {
            return None;
        }
        let Some(schema) = Schema::read(value, self.reader) else { return Some(Arc::new(unknown())) };
        let schema = schema.with_intended_keywords();
        if !self.enter(&schema) {
            return None;
        }
        let source = Source { schema: &schema, base: value.range().start };
        let mut built = self.build_spine(&source);
        let branches = self.branches_of(&schema);
        give_type(&mut built, &schema, &branches, is_root);
        self.complete(&mut built, &source, &branches, is_root);
        self.budget.leave();
        Some(Arc::new(built))
    }

    /// The branches of the junctors of `schema` that hold for valid values, and the branches of these.
    fn branches_of(&mut self, schema: &Schema<'c, 't>) -> Vec<Schema<'c, 't>> {
        let mut branches: Vec<Schema<'c, 't>> = Vec::new();
        let mut pending = vec![schema.clone()];
        while let Some(next) = pending.pop() {
            for item in [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf]
                .into_iter()
                .flat_map(|keyword| next.items(keyword))
            {
                if !self.budget.spend(1) {
                    return branches;
                }
                if let Some(branch) = Schema::read(item.value(), self.reader) {
                    pending.push(branch.clone());
                    branches.push(branch);
                }
            }
        }
        branches
    }

    /// Adds the parts that only branches describe, and records whether there may be unknown parts.
    fn complete(
        &mut self,
        built: &mut Structural,
        source: &Source<'_, 'c, 't>,
        branches: &[Schema<'c, 't>],
        is_root: bool,
    ) {
        let names_no_type =
            !TYPES.contains(&source.schema.string(Keyword::Type).unwrap_or_default().as_ref());
        match &*built.generic.type_name {
            "array" if built.items.is_none() => {
                let items = branches.iter().find_map(|branch| branch.entry(Keyword::Items));
                let described = items.and_then(|entry| self.hoisted(source, entry));
                let described = described.or_else(|| self.only_item(source));
                let by_default = || implied_items(source.schema).map(child_of_type);
                built.items = Some(described.or_else(by_default).unwrap_or_else(unknown_child));
            }
            "object" => {
                // The server requires the parts that junctors of the root describe, and prunes them
                // elsewhere.
                if is_root || names_no_type {
                    self.add_properties(built, source, branches);
                }
                let is_map = matches!(built.additional_properties, Some(StructuralOrBool::Structural(_)));
                // Neither a resource nor an object with properties can also be a map.
                if is_map && (is_root || !built.properties.is_empty()) {
                    built.additional_properties = None;
                }
                built.is_open = is_partial(source.schema);
            }
            "" if !built.extensions.int_or_string && !built.extensions.preserve_unknown_fields => {
                built.is_open = true;
            }
            _ => {}
        }
        built.extensions.preserve_unknown_fields |= built.is_open;
        let below = built.items.iter().chain(built.properties.values());
        built.has_open |= built.is_open || below.into_iter().any(|child| child.node.has_open);
    }

    /// Adds the properties that only branches describe.
    fn add_properties(
        &mut self,
        built: &mut Structural,
        source: &Source<'_, 'c, 't>,
        branches: &[Schema<'c, 't>],
    ) {
        let mut mentions = Mentions::new();
        for (name, entry) in branches.iter().flat_map(|branch| branch.members(Keyword::Properties).entries) {
            if !built.properties.contains_key(name.as_ref()) {
                mentions.entry(name.into()).or_default().push(entry);
            }
        }
        for (name, entries) in mentions {
            let types: BTreeSet<Option<&str>> = entries.iter().map(|entry| self.type_of(*entry)).collect();
            let first = entries.first().filter(|_| types.len() == 1);
            let described = first.and_then(|entry| self.hoisted(source, *entry));
            built.properties.insert(name, described.unwrap_or_else(unknown_child));
        }
    }

    /// The schema of `items`, if it is written as a list with one item.
    fn only_item(&mut self, source: &Source<'_, 'c, 't>) -> Option<Child<Structural>> {
        let entry = source.schema.entry(Keyword::Items)?;
        self.child(source, entry.key_range(), source.schema.only_item()?, Self::build_structural)
    }

    fn type_of(&self, entry: Entry<'t>) -> Option<&'static str> {
        Schema::read(entry.value(), self.reader).and_then(|schema| assumed(&schema))
    }

    /// The schema under `entry` of a branch, as a node outside the junctor.
    fn hoisted(&mut self, source: &Source<'_, 'c, 't>, entry: Entry<'t>) -> Option<Child<Structural>> {
        let form = std::mem::replace(&mut self.form, BuildMode::Hoisted);
        let child = self.child(source, entry.key_range(), entry.value(), Self::build_structural);
        self.form = form;
        child
    }
}

/// Sets the type of `built` after repair; empty if nothing implies one.
fn give_type(built: &mut Structural, schema: &Schema<'_, '_>, branches: &[Schema<'_, '_>], is_root: bool) {
    // Neither an integer nor a string has fields or elements.
    let has_parts =
        [Keyword::Properties, Keyword::Items].iter().any(|keyword| schema.get(*keyword).is_some());
    let written = TYPES.contains(&&*built.generic.type_name);
    // Nor does either have the extensions of an object.
    let is_object = &*built.generic.type_name == "object"
        && (built.extensions.preserve_unknown_fields || built.extensions.embedded_resource);
    built.extensions.int_or_string &= !has_parts && !is_object;
    let is_resource = built.extensions.embedded_resource && !is_no_resource(schema);
    if is_root || is_resource {
        built.generic.type_name = "object".into();
        return;
    }
    // A list without `items` but with properties is an object: repair changes its type.
    if &*built.generic.type_name == "array" && is_object_for_list(schema) {
        built.generic.type_name = "object".into();
        return;
    }
    if is_list_for_object(schema) {
        built.generic.type_name = "array".into();
        return;
    }
    if built.extensions.int_or_string || written {
        return;
    }
    let named = branches.iter().filter_map(|branch| branch.string(Keyword::Type));
    let named: BTreeSet<String> = named.map(std::borrow::Cow::into_owned).collect();
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let own = assumed(schema);
    let of_branches = || branches.iter().find_map(assumed);
    let name = match named.as_slice() {
        _ if schema.get(Keyword::Type).is_some() && own.is_some() => own,
        ["integer", "number"] => Some("number"),
        ["integer", "string"] => {
            built.extensions.int_or_string = true;
            None
        }
        // A value of any type needs no type.
        [] if built.extensions.preserve_unknown_fields => None,
        [] => own.or_else(of_branches),
        [one] => TYPES.into_iter().find(|known| known == one).or(own),
        _ => None,
    };
    built.generic.type_name = name.unwrap_or_default().into();
}

/// Whether `schema` may have properties that cannot be read.
fn is_partial(schema: &Schema<'_, '_>) -> bool {
    let elsewhere = [Keyword::Ref, Keyword::PatternProperties];
    let holds_members = |entry: &Entry<'_>| Value::node(entry.value()).is_some();
    let is_described_elsewhere = || {
        elsewhere.into_iter().any(|keyword| schema.get(keyword).is_some())
            || schema.unknown().iter().any(holds_members)
    };
    schema.members(Keyword::Properties).entries.is_empty() && is_described_elsewhere()
        || schema.get(Keyword::Properties).is_some_and(|value| value.as_mapping().is_none())
        || has_own_errors(schema)
}

/// Whether there is a syntax error in `schema` outside its properties, items and additional properties.
fn has_own_errors(schema: &Schema<'_, '_>) -> bool {
    let Some(node) = schema.value().node().filter(|node| node.node().flags().errors) else { return false };
    let below =
        [Keyword::Items, Keyword::AdditionalProperties].into_iter().filter_map(|keyword| schema.get(keyword));
    let properties = schema.members(Keyword::Properties).entries;
    let properties = properties.iter().map(|(_, entry)| entry.value());
    let mut parts: Vec<TextRange> =
        below.chain(properties).filter_map(Value::node).map(|node| node.range()).collect();
    parts.sort_unstable();
    let mut found = false;
    // Parts do not overlap: only the last part that begins before an error can contain it.
    node.for_each_error(&mut |error| {
        let before = parts.partition_point(|part| part.start <= error.range.start);
        let nearest = before.checked_sub(1).and_then(|at| parts.get(at));
        found |= nearest.is_none_or(|part| part.end < error.range.end);
    });
    found
}

/// A node about which nothing is known.
pub(super) fn unknown() -> Structural {
    let mut schema = Structural { is_open: true, has_open: true, ..Structural::default() };
    schema.extensions.preserve_unknown_fields = true;
    schema
}

/// A child about which nothing is known; its place is the start of the node above.
fn unknown_child() -> Child<Structural> {
    Child { distance: 0, key: TextRange::at(0, 0), node: Arc::new(unknown()) }
}

/// A child of which only the type is known; its place is the start of the node above.
fn child_of_type(name: &'static str) -> Child<Structural> {
    let generic = Generic { type_name: name.into(), ..Generic::default() };
    let schema = Structural { generic, ..Structural::default() };
    Child { distance: 0, key: TextRange::at(0, 0), node: Arc::new(schema) }
}
