//! The repair of one schema node.

use std::collections::BTreeSet;

use crd::FieldPath;
use crd::schema::{Keyword, Schema, TYPES, TypeName, implied, is_no_resource};
use yaml::edit::{NewEntry, NewValue};
use yaml::{Reader, Value};

use super::draft::{Draft, HERE, NodeChange};
use super::occurrence::{Occurrence, covers};
use super::plan::{Change, Plan};
use super::tidy::OpenedBranches;
use super::{additional, keywords, mixed_types, open, skeleton, texts, union};

/// The position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Root,
    Field,
    Item,
}

/// A schema node outside of all junctors, with the parts of junctors that concern it.
pub(super) struct Node<'r, 't> {
    pub(super) name: String,
    pub(super) schema: Schema<'r, 't>,
    pub(super) path: FieldPath,
    pub(super) level: Level,
    /// The type, for a field that every resource has.
    pub(super) forced: Option<&'static str>,
    pub(super) occurrences: Vec<Occurrence<'r, 't>>,
    pub(super) reader: &'r Reader<'t>,
}

/// The types that are offered for a node without any information.
pub(super) const LIKELY_TYPES: [&str; 2] = ["string", "object"];
/// The types to offer in addition, unless the rules use the node as one of [`LIKELY_TYPES`].
pub(super) const OTHER_TYPES: [&str; 3] = ["integer", "boolean", "number"];

impl<'r, 't> Node<'r, 't> {
    /// The possible plans: at most one safe plan, and suggestions.
    pub(super) fn plans(&self) -> Vec<Plan<'t>> {
        if let Some(drafts) = mixed_types::plans(self) {
            return drafts.into_iter().filter_map(|draft| draft.finish(&self.name, false)).collect();
        }
        let mut safe = Draft::default();
        let mut suggested = Vec::new();
        self.types(&mut safe, &mut suggested);
        texts::plan(self, &mut safe, &mut suggested);
        keywords::plan(self, &mut safe, &mut suggested);
        additional::plan(self, &mut suggested);
        skeleton::plan(self, &mut safe, &mut suggested);
        self.metadata_in_branches(&mut safe, &mut suggested);
        self.repair_own_keywords(&mut safe, &mut suggested);
        let mut plans: Vec<Plan<'t>> = safe.finish(&self.name, true).into_iter().collect();
        plans.extend(suggested.into_iter().filter_map(|draft: Draft<'t>| draft.finish(&self.name, false)));
        plans
    }

    /// Collects the replacements of `additionalProperties: false` in the branches on the node.
    pub(super) fn collect_opened(&self, opened: &mut OpenedBranches<'t>) {
        let is_object = match self.schema.type_name() {
            TypeName::Named(name) => name == "object",
            _ => {
                self.is_only_type("object")
                    && self.occurrences.iter().any(|other| other.type_name().is_some())
            }
        };
        if !is_object {
            return;
        }
        // A branch cannot list the fields that every resource has.
        if self.level == Level::Root || self.schema.is_true(Keyword::EmbeddedResource) {
            return;
        }
        let closed =
            |other: &Occurrence<'r, 't>| other.schema.boolean(Keyword::AdditionalProperties) == Some(false);
        if !self.occurrences.iter().any(closed) {
            return;
        }
        let own = self.schema.members(Keyword::Properties).entries;
        let own = own.into_iter().map(|(name, _)| name.into_owned());
        let names: Vec<String> = own.chain(skeleton::names(&self.occurrences)).collect();
        opened.extend(
            self.occurrences.iter().filter_map(|other| open::forbid_undeclared(&other.schema, &names)),
        );
    }

    /// The mapping of the node, the target of new entries.
    pub(super) fn value(&self) -> Value<'t> {
        self.schema.value()
    }

    pub(super) fn path_of(&self, keyword: Keyword) -> String {
        self.path.child(keyword.as_str()).to_string()
    }

    /// Adds `keyword` to the node.
    pub(super) fn add(&self, draft: &mut Draft<'t>, keyword: Keyword, value: NewValue<'t>) {
        draft.changes.push(match self.schema.entry(keyword) {
            // The existing value has no effect: null, `false`, an empty text.
            Some(entry) => Change::Replace(entry.value(), value),
            None => Change::Insert(self.value(), NewEntry::new(keyword.as_str(), value)),
        });
    }

    /// Removes `keyword` from the branch `from`.
    pub(super) fn remove_from_branch(draft: &mut Draft<'t>, from: &Occurrence<'r, 't>, keyword: Keyword) {
        if let Some(entry) = from.schema.entry(keyword) {
            draft.changes.push(Change::Remove(from.schema.value(), entry));
            draft.paths.push(from.path.child(keyword.as_str()).to_string());
        }
    }

    /// Removes the type `name` from a branch of a node that gets the type `target`.
    pub(super) fn remove_type_from_branch(
        draft: &mut Draft<'t>,
        from: &Occurrence<'r, 't>,
        name: &str,
        target: &str,
    ) {
        Self::remove_from_branch(draft, from, Keyword::Type);
        if name != target && from.schema.get(Keyword::MultipleOf).is_none() {
            // The restriction to integers, which `number` does not have.
            let whole = NewEntry::new("multipleOf", NewValue::Raw("1".to_owned()));
            draft.changes.push(Change::Insert(from.schema.value(), whole));
        }
    }

    fn types(&self, safe: &mut Draft<'t>, suggested: &mut Vec<Draft<'t>>) {
        let own = match self.schema.type_name() {
            TypeName::Named(name) => Some(name.into_owned()),
            TypeName::Missing => None,
            TypeName::Unreadable => return,
        };
        let pattern = union::pattern_paths(&self.schema, &self.path);
        let named: Vec<(String, &Occurrence<'r, 't>)> = self
            .occurrences
            .iter()
            .filter(|occurrence| !pattern.contains(&occurrence.path))
            .filter_map(|occurrence| Some((occurrence.type_name()?, occurrence)))
            .collect();
        let wanted: BTreeSet<&str> = named
            .iter()
            .filter(|(_, occurrence)| !occurrence.is_negated())
            .map(|(name, _)| name.as_str())
            .collect();
        let either: BTreeSet<&str> = BTreeSet::from(["integer", "string"]);
        if self.schema.is_true(Keyword::IntOrString) && !self.is_object_after_all() {
            if wanted.is_subset(&either) && !wanted.is_empty() {
                union::plan(self, &named, safe, suggested);
            }
            return;
        }
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let target = match (self.forced.or(own.as_deref()), wanted.as_slice()) {
            (Some(own), [wanted]) if own == *wanted => own,
            (None, [wanted]) if TYPES.contains(wanted) => wanted,
            (None, ["integer", "number"]) => "number",
            (None, ["integer", "string"]) => return union::plan(self, &named, safe, suggested),
            (_, []) => {
                return self.missing_type(&named, own.as_deref(), !pattern.is_empty(), safe, suggested);
            }
            (None, _) => return suggested.extend(self.any_value(&named)),
            _ => return,
        };
        let same = |name: &str| name == target || (target == "number" && name == "integer");
        let mut guess = Draft::default();
        let all = &mut *safe;
        let safe = if own.is_some() || self.is_only_type(target) { all } else { &mut guess };
        for (name, occurrence) in named.iter().filter(|(name, _)| same(name)) {
            Self::remove_type_from_branch(safe, occurrence, name, target);
            safe.record_move(&format!("`type: {target}`"), occurrence.junctor);
        }
        if own.is_none() {
            self.add(safe, Keyword::Type, NewValue::Text(target.to_owned()));
            safe.paths.push(self.path_of(Keyword::Type));
        }
        suggested.push(guess);
    }

    /// The repair if the branches name types that no schema can combine: accept any value.
    fn any_value(&self, named: &[(String, &Occurrence<'r, 't>)]) -> Option<Draft<'t>> {
        if named.iter().any(|(_, occurrence)| occurrence.is_negated()) {
            return None;
        }
        let mut draft = Draft::default();
        for (_, occurrence) in named {
            Self::remove_from_branch(&mut draft, occurrence, Keyword::Type);
        }
        if !self.schema.is_true(Keyword::PreserveUnknownFields) {
            self.add(&mut draft, Keyword::PreserveUnknownFields, NewValue::yes());
        }
        draft.paths.push(self.path_of(Keyword::Type));
        draft.record(NodeChange::Change(format!(
            "Replace `type` in {HERE} with `x-kubernetes-preserve-unknown-fields: true` (accepts any value)"
        )));
        Some(draft)
    }

    /// Whether the branches permit no other type than `target`: every valid object matches a branch that
    /// names or implies it, and no branch names or implies another. For a field, one branch that names its
    /// type is enough.
    fn is_only_type(&self, target: &str) -> bool {
        if self.forced == Some(target) || self.level == Level::Root {
            return true;
        }
        let agrees = |name: &str| name == target || (target == "number" && name == "integer");
        let type_of = |schema: &Schema<'r, 't>| match schema.type_name() {
            TypeName::Named(name) => Some(name.into_owned()),
            _ => implied(schema).map(|inferred| inferred.name.to_owned()),
        };
        let positive = || self.occurrences.iter().filter(|occurrence| !occurrence.is_negated());
        let others = positive().map(|occurrence| &occurrence.schema).chain([&self.schema]);
        if others.filter_map(type_of).any(|name| !agrees(&name)) {
            return false;
        }
        let with_type = || positive().filter(|occurrence| type_of(&occurrence.schema).is_some());
        implied(&self.schema).is_some()
            || with_type().any(|occurrence| !occurrence.direct)
            || covers(with_type())
    }

    /// Repairs a node for which no branch names a type; its own keywords may imply one.
    fn missing_type(
        &self,
        named: &[(String, &Occurrence<'r, 't>)],
        own: Option<&str>,
        has_pattern: bool,
        safe: &mut Draft<'t>,
        suggested: &mut Vec<Draft<'t>>,
    ) {
        let loose = self.schema.is_true(Keyword::PreserveUnknownFields);
        let embedded = self.schema.is_true(Keyword::EmbeddedResource);
        if embedded && self.level != Level::Root && is_no_resource(&self.schema) {
            suggested.extend(self.without_embedded());
            return;
        }
        let expected = match self.level {
            Level::Root => Some("object"),
            _ if embedded => Some("object"),
            _ => self.forced,
        };
        match (own, expected) {
            (Some(own), Some(expected)) if own != expected => {
                // The value may not be a resource.
                if embedded && self.level != Level::Root {
                    suggested.extend(self.without_embedded());
                }
                self.change_type(safe, own, expected);
            }
            (Some(own), _) => {
                // Below a `not`, the node's own type has no effect.
                for (_, occurrence) in named.iter().filter(|(name, _)| name == own) {
                    Self::remove_from_branch(safe, occurrence, Keyword::Type);
                    safe.record(NodeChange::RemoveFrom(format!("`type: {own}`"), "`not`".to_owned()));
                }
            }
            (None, _) if loose && !embedded && self.forced.is_none() => {}
            (None, Some(expected)) => self.add_type(safe, expected),
            (None, None) if has_pattern => {
                self.add(safe, Keyword::IntOrString, NewValue::yes());
                safe.record(NodeChange::Add("`x-kubernetes-int-or-string: true`".to_owned()));
                safe.paths.push(self.path_of(Keyword::Type));
            }
            (None, None) => {
                let schemas =
                    std::iter::once(&self.schema).chain(self.occurrences.iter().map(|other| &other.schema));
                match schemas.filter_map(implied).max_by_key(|inferred| inferred.is_certain) {
                    Some(inferred) if inferred.is_certain => self.add_type(safe, inferred.name),
                    Some(inferred) => self.suggest_type(suggested, inferred.name, false),
                    None => {
                        LIKELY_TYPES.iter().for_each(|name| self.suggest_type(suggested, name, false));
                        OTHER_TYPES.iter().for_each(|name| self.suggest_type(suggested, name, true));
                    }
                }
            }
        }
    }

    /// Changes the type, and removes the keywords for lists if the type was `array`.
    fn change_type(&self, safe: &mut Draft<'t>, own: &str, expected: &str) {
        if let Some(entry) = self.schema.entry(Keyword::Type) {
            safe.changes.push(Change::Replace(entry.value(), NewValue::Text(expected.to_owned())));
            safe.record(NodeChange::Change(format!("Change `type: {own}` to `type: {expected}`")));
            safe.paths.push(self.path_of(Keyword::Type));
        }
        for keyword in [Keyword::ListType, Keyword::ListMapKeys] {
            if let Some(entry) = self.schema.entry(keyword).filter(|_| own == "array") {
                safe.changes.push(Change::Remove(self.value(), entry));
                safe.record(NodeChange::Remove(format!("`{}`", keyword.as_str())));
            }
        }
    }

    /// The repair if the value is not a resource: removes `x-kubernetes-embedded-resource`.
    fn without_embedded(&self) -> Option<Draft<'t>> {
        let entry = self.schema.entry(Keyword::EmbeddedResource)?;
        let mut draft = Draft::default();
        draft.changes.push(Change::Remove(self.value(), entry));
        draft.record(NodeChange::Remove("`x-kubernetes-embedded-resource`".to_owned()));
        draft.paths.extend([Keyword::Type, Keyword::Properties].map(|keyword| self.path_of(keyword)));
        Some(draft)
    }

    fn add_type(&self, draft: &mut Draft<'t>, name: &str) {
        self.add(draft, Keyword::Type, NewValue::Text(name.to_owned()));
        draft.record(NodeChange::Add(format!("`type: {name}`")));
        draft.paths.push(self.path_of(Keyword::Type));
    }

    fn suggest_type(&self, suggested: &mut Vec<Draft<'t>>, name: &str, is_fallback: bool) {
        let mut draft = Draft::default();
        draft.is_fallback = is_fallback;
        self.add_type(&mut draft, name);
        suggested.push(draft);
    }

    /// The server validates `metadata` itself and forbids junctors on it. Removal from a branch that has
    /// alternatives makes that branch accept more values.
    fn metadata_in_branches(&self, safe: &mut Draft<'t>, suggested: &mut Vec<Draft<'t>>) {
        let mut choice = Draft::default();
        for occurrence in &self.occurrences {
            let safe = if occurrence.is_unconditional() { &mut *safe } else { &mut choice };
            let members = occurrence.schema.members(Keyword::Properties);
            let Some(entry) = members.get("metadata") else { continue };
            let Some(properties) = occurrence.schema.get(Keyword::Properties) else { continue };
            match occurrence.schema.entry(Keyword::Properties).filter(|_| members.entries.len() == 1) {
                Some(all) => safe.changes.push(Change::Remove(occurrence.schema.value(), all)),
                None => safe.changes.push(Change::Remove(properties, entry)),
            }
            let key = |path: &FieldPath| path.child("properties").key("metadata").to_string();
            safe.paths.push(key(&occurrence.path));
            safe.paths.push(key(&self.path));
            safe.record(NodeChange::RemoveFrom(
                "`metadata`".to_owned(),
                format!("`{}`", occurrence.junctor.as_str()),
            ));
        }
        suggested.push(choice);
    }

    /// Whether all keywords except for `x-kubernetes-int-or-string` indicate an object.
    fn is_object_after_all(&self) -> bool {
        let is_object = match self.schema.type_name() {
            _ if self.level == Level::Root => true,
            TypeName::Named(name) => name == "object",
            TypeName::Missing => !self.schema.members(Keyword::Properties).entries.is_empty(),
            TypeName::Unreadable => false,
        };
        let marks = [Keyword::PreserveUnknownFields, Keyword::EmbeddedResource];
        is_object && marks.into_iter().any(|keyword| self.schema.is_true(keyword))
    }

    /// Repairs the node's own keywords.
    fn repair_own_keywords(&self, safe: &mut Draft<'t>, suggested: &mut Vec<Draft<'t>>) {
        let embedded = self.schema.is_true(Keyword::EmbeddedResource);
        if self.schema.is_true(Keyword::IntOrString) {
            if self.is_object_after_all() {
                suggested.push(self.object_after_all());
            } else if embedded {
                suggested.push(self.without_keyword(Keyword::EmbeddedResource));
            } else if self.schema.is_true(Keyword::PreserveUnknownFields) {
                self.drop_keyword(safe, Keyword::PreserveUnknownFields);
            }
        }
        if self.schema.get(Keyword::AdditionalProperties).is_some() {
            let is_root = self.level == Level::Root;
            if is_root && self.schema.boolean(Keyword::AdditionalProperties) == Some(false) {
                self.drop_keyword(safe, Keyword::AdditionalProperties);
            } else if is_root || embedded {
                suggested.push(self.without_keyword(Keyword::AdditionalProperties));
            }
        }
        let loose = self.schema.is_true(Keyword::PreserveUnknownFields);
        let has_fields = !self.schema.members(Keyword::Properties).entries.is_empty();
        if embedded && !loose && !has_fields && !is_no_resource(&self.schema) {
            let mut draft = Draft::default();
            self.add(&mut draft, Keyword::PreserveUnknownFields, NewValue::yes());
            draft.record(NodeChange::Add("`x-kubernetes-preserve-unknown-fields: true`".to_owned()));
            draft.paths.push(self.path_of(Keyword::Properties));
            suggested.push(draft);
        }
        if self.level == Level::Root {
            self.restricted_metadata(safe);
        }
    }

    /// Removes `keyword` in `draft`, if the node has it.
    fn drop_keyword(&self, draft: &mut Draft<'t>, keyword: Keyword) {
        if let Some(entry) = self.schema.entry(keyword) {
            draft.changes.push(Change::Remove(self.value(), entry));
            draft.record(NodeChange::Remove(format!("`{}`", keyword.as_str())));
            draft.paths.push(self.path_of(keyword));
        }
    }

    /// The draft that only removes `keyword`.
    fn without_keyword(&self, keyword: Keyword) -> Draft<'t> {
        let mut draft = Draft::default();
        self.drop_keyword(&mut draft, keyword);
        draft
    }

    /// The draft for an object with `x-kubernetes-int-or-string`.
    fn object_after_all(&self) -> Draft<'t> {
        let mut draft = self.without_keyword(Keyword::IntOrString);
        let marks = [Keyword::PreserveUnknownFields, Keyword::EmbeddedResource];
        draft.paths.extend(marks.map(|keyword| self.path_of(keyword)));
        match self.schema.entry(Keyword::Type) {
            None => self.add_type(&mut draft, "object"),
            // The type of the root must be `object`.
            Some(entry) if self.schema.string(Keyword::Type).as_deref() != Some("object") => {
                draft.changes.push(Change::Replace(entry.value(), NewValue::Text("object".to_owned())));
                draft.paths.push(self.path_of(Keyword::Type));
            }
            Some(_) => {}
        }
        draft
    }

    /// Removes forbidden restrictions: for the root's `metadata`, only `name` and `generateName` may have
    /// some.
    fn restricted_metadata(&self, safe: &mut Draft<'t>) {
        let Some(entry) = self.schema.members(Keyword::Properties).get("metadata") else { return };
        let Some(metadata) = Schema::read(entry.value(), self.reader) else { return };
        let mut dropped = Vec::new();
        for (keyword, entry) in metadata.entries() {
            match keyword {
                Keyword::Type | Keyword::Default => {}
                Keyword::Properties => {
                    let Some(properties) = metadata.get(Keyword::Properties) else { continue };
                    let members = metadata.members(Keyword::Properties).entries;
                    let others =
                        members.into_iter().filter(|(name, _)| name != "name" && name != "generateName");
                    dropped.extend(others.map(|(name, entry)| (properties, entry, name.into_owned())));
                }
                _ => dropped.push((metadata.value(), entry, keyword.as_str().to_owned())),
            }
        }
        for (from, entry, name) in dropped {
            safe.changes.push(Change::Remove(from, entry));
            safe.record(NodeChange::RemoveFrom(format!("`{name}`"), "`metadata`".to_owned()));
            safe.paths.push(self.path.child("properties").key("metadata").to_string());
        }
    }
}
