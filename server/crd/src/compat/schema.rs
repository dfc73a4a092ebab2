//! Changes between the schemas of one version.

use std::sync::Arc;

use api::Code;
use text::{TextRange, TextSize};

use super::AffectedParty::{Readers, StoredObjects, Writers};
use super::ChangeSeverity::{Breaking, Risky, Safe};
use super::node_paths::{NodePaths, SchemaWalk};
use super::unchanged_nodes::UnchangedNodes;
use super::{AffectedParty, Change, ChangeSeverity, rules, values};
use crate::schema::structural::{Child, Extensions, Structural, StructuralOrBool};
use crate::schema::{Keyword, TYPES};

/// Affected by the rejection of values that were valid.
pub(super) const REJECTED: &[AffectedParty] = &[StoredObjects, Writers];

/// A schema node, with its position and its key, in bytes of its text.
#[derive(Clone, Copy)]
pub(super) struct SchemaAt<'s> {
    pub(super) schema: &'s Arc<Structural>,
    pub(super) base: TextSize,
    pub(super) key: TextRange,
    /// Whether the server drops a null here instead of rejecting it.
    pub(super) drops_null: bool,
}

impl<'s> SchemaAt<'s> {
    pub(super) fn below(self, child: &'s Child<Structural>) -> Self {
        let key = child.key.wrapping_shifted(self.base);
        Self { schema: &child.node, base: child.base(self.base), key, drops_null: false }
    }

    fn property(self, name: &str, child: &'s Child<Structural>) -> Self {
        let required = &self.schema.value_validation.required;
        let is_required = required.iter().any(|(other, _)| **other == *name);
        Self { drops_null: !is_required || child.node.generic.default.is_some(), ..self.below(child) }
    }

    /// The key of `keyword`.
    fn place(self, keyword: Keyword) -> Option<TextRange> {
        self.schema.places.place_of(keyword, self.base).map(|place| place.key)
    }

    fn additional(self) -> Option<Self> {
        match &self.schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => Some(Self { drops_null: true, ..self.below(child) }),
            _ => None,
        }
    }

    /// Whether undeclared fields are kept.
    pub(super) fn keeps_unknown(self) -> bool {
        let additional = matches!(
            self.schema.additional_properties,
            Some(StructuralOrBool::Bool(true) | StructuralOrBool::Structural(_))
        );
        self.schema.extensions.preserve_unknown_fields || additional
    }
}

/// A change of a node.
pub(super) struct NodeChange {
    pub(super) code: Code,
    pub(super) class: ChangeSeverity,
    pub(super) affects: &'static [AffectedParty],
    pub(super) text: String,
    /// The keyword that the change is about.
    pub(super) keyword: Option<Keyword>,
    pub(super) ratchets: bool,
}

impl NodeChange {
    /// A change of `keyword` that also applies to unchanged stored values.
    const fn new(
        code: Code,
        class: ChangeSeverity,
        affects: &'static [AffectedParty],
        keyword: Keyword,
        text: String,
    ) -> Self {
        Self { code, class, affects, text, keyword: Some(keyword), ratchets: false }
    }

    /// The server now prunes fields that `keyword` kept.
    fn pruned(text: &str, keyword: Keyword) -> Self {
        Self::new(Code::CompatFieldRemoved, Breaking, REJECTED, keyword, text.to_owned())
    }
}

/// A walk through both schemas at once.
pub(super) struct SchemaComparison<'w> {
    pub(super) version: &'w str,
    pub(super) unchanged: &'w mut UnchangedNodes,
    pub(super) changes: &'w mut Vec<Change>,
    /// The paths to the new node.
    pub(super) paths: NodePaths,
}

impl SchemaWalk for SchemaComparison<'_> {
    fn paths(&mut self) -> &mut NodePaths {
        &mut self.paths
    }
}

impl SchemaComparison<'_> {
    pub(super) fn report(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>, change: NodeChange) {
        let NodeChange { code, class, affects, text, keyword, ratchets } = change;
        let now = keyword.and_then(|keyword| new.place(keyword));
        let field_path = match (keyword, now) {
            (Some(keyword), Some(_)) => self.paths.field.child(keyword.as_str()),
            _ => self.paths.field.clone(),
        };
        let object = if self.paths.is_root() { "the object" } else { self.paths.object.as_str() };
        self.changes.push(Change {
            code,
            class,
            affects,
            message: format!("`{object}` in {}: {text}", self.version),
            cause: text,
            version: Some(self.version.to_owned()),
            object_path: self.paths.object.clone(),
            range: now.unwrap_or(new.key),
            field_path,
            before: Some(keyword.and_then(|keyword| old.place(keyword)).unwrap_or(old.key)),
            ratchets,
        });
    }

    pub(super) fn node(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        let is_root = self.paths.is_root();
        // Texts that share nodes have the same schema if the nodes are identical.
        let is_same = Arc::ptr_eq(old.schema, new.schema) && old.drops_null == new.drops_null;
        if is_same || self.unchanged.knows(old, new, is_root) {
            return;
        }
        let count = self.changes.len();
        self.differences(old, new);
        if self.changes.len() == count {
            self.unchanged.record(old, new, is_root);
        }
    }

    fn differences(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        if !self.types(old, new) {
            return;
        }
        self.nullability(old, new);
        self.default(old, new);
        self.list_type(old, new);
        self.map_type(old, new);
        self.embedding(old, new);
        values::compare(self, old, new);
        rules::compare(self, old, new);
        self.fields(old, new);
        if let (Some(before), Some(now)) = (&old.schema.items, &new.schema.items) {
            let (before, now) = (old.below(before), new.below(now));
            self.descend(Keyword::Items, None, "[*]", |walk| walk.node(before, now));
        }
    }

    /// Compares the types; returns whether the nodes below can be compared.
    fn types(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) -> bool {
        let name = |of: SchemaAt<'_>| -> String {
            match &*of.schema.generic.type_name {
                _ if of.schema.extensions.int_or_string => "int-or-string".to_owned(),
                name => name.to_owned(),
            }
        };
        let (before, now) = (name(old), name(new));
        if before == now {
            return true;
        }
        // While an author is typing a schema or its type, the type is invalid: that is a separate error.
        let is_type = |name: &str| matches!(name, "" | "int-or-string") || TYPES.contains(&name);
        if !is_type(&before) || !is_type(&now) || new.schema.is_open {
            return false;
        }
        let is_wider = matches!(
            (before.as_str(), now.as_str()),
            (_, "") | ("integer", "number") | ("integer" | "string", "int-or-string")
        );
        let (class, affects): (_, &[AffectedParty]) =
            if is_wider { (Risky, &[Readers]) } else { (Breaking, &[StoredObjects, Writers, Readers]) };
        let of = |name: &str| if name.is_empty() { "any type".to_owned() } else { format!("`{name}`") };
        let what = match is_wider {
            true => "clients may receive values that they do not expect",
            false => "values that were valid are now rejected",
        };
        let text = format!("the type changed from {} to {}; {what}", of(&before), of(&now));
        let keyword = if new.schema.extensions.int_or_string { Keyword::IntOrString } else { Keyword::Type };
        let change = NodeChange {
            code: Code::CompatTypeChanged,
            class,
            affects,
            text,
            keyword: Some(keyword),
            ratchets: !is_wider,
        };
        self.report(old, new, change);
        is_wider
    }

    fn nullability(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        let (before, now) = (&old.schema.generic, &new.schema.generic);
        if before.nullable && !now.nullable {
            let (class, effect) = match (&now.default, new.drops_null) {
                (Some(_), true) => (Risky, "null is now replaced by the default"),
                (None, true) => (Risky, "null is now pruned"),
                (_, false) => (Breaking, "null is now rejected"),
            };
            let text = format!("`nullable` was removed; {effect}");
            let change =
                NodeChange::new(Code::CompatNullableWithdrawn, class, REJECTED, Keyword::Nullable, text);
            self.report(old, new, NodeChange { ratchets: true, ..change });
        }
        if !before.nullable && now.nullable {
            let text = "`nullable` was added; clients may receive null, which was pruned or rejected before"
                .to_owned();
            let change =
                NodeChange::new(Code::CompatNullableAdded, Risky, &[Readers], Keyword::Nullable, text);
            self.report(old, new, change);
        }
    }

    fn default(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        let text = match (&old.schema.generic.default, &new.schema.generic.default) {
            (Some(before), None) => {
                format!("the default {} was removed; the field may now be absent", before.to_json())
            }
            (Some(before), Some(now)) if before != now => format!(
                "the default changed from {} to {}; objects stored with the former one keep it",
                before.to_json(),
                now.to_json()
            ),
            (None, Some(now)) => {
                format!("the default {} was added; objects that omit the field now have it", now.to_json())
            }
            _ => return,
        };
        let affects = &[StoredObjects, Writers, Readers];
        self.report(
            old,
            new,
            NodeChange::new(Code::CompatDefaultChanged, Risky, affects, Keyword::Default, text),
        );
    }

    fn list_type(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        let list_type = |of: &Extensions| of.list_type.clone().unwrap_or_else(|| "atomic".into());
        let (before, now) = (&old.schema.extensions, &new.schema.extensions);
        let (was, is) = (list_type(before), list_type(now));
        let code = Code::CompatListTypeChanged;
        if was != is {
            let (class, affects, effect): (_, &[AffectedParty], _) = match &*is {
                "atomic" => {
                    (Risky, &[Writers], "clients that apply part of the list now replace the whole list")
                }
                _ => (Breaking, REJECTED, "lists with duplicate items are rejected"),
            };
            let text = format!("the list type changed from `{was}` to `{is}`; {effect}");
            self.report(old, new, NodeChange::new(code, class, affects, Keyword::ListType, text));
        } else if before.list_map_keys != now.list_map_keys && &*is == "map" {
            let text = format!(
                "the list keys changed from {} to {}; items that differ only in a former key are rejected",
                before.list_map_keys.join(", "),
                now.list_map_keys.join(", ")
            );
            self.report(old, new, NodeChange::new(code, Breaking, REJECTED, Keyword::ListMapKeys, text));
        }
    }

    fn map_type(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        let map_type = |of: &Extensions| of.map_type.clone().unwrap_or_else(|| "granular".into());
        let (was, is) = (map_type(&old.schema.extensions), map_type(&new.schema.extensions));
        if was != is {
            let text =
                format!("the map type changed from `{was}` to `{is}`; server-side apply merges differently");
            let change =
                NodeChange::new(Code::CompatListTypeChanged, Risky, &[Writers], Keyword::MapType, text);
            self.report(old, new, change);
        }
    }

    fn embedding(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        if !old.schema.extensions.embedded_resource && new.schema.extensions.embedded_resource {
            let text = "values must now be complete objects with `apiVersion`, `kind` and valid `metadata`"
                .to_owned();
            let keyword = Keyword::EmbeddedResource;
            self.report(
                old,
                new,
                NodeChange::new(Code::CompatTypeChanged, Breaking, REJECTED, keyword, text),
            );
        }
    }

    fn fields(&mut self, old: SchemaAt<'_>, new: SchemaAt<'_>) {
        if old.schema.extensions.preserve_unknown_fields && !new.keeps_unknown() {
            let pruned = "undeclared fields are now pruned";
            self.report(old, new, NodeChange::pruned(pruned, Keyword::PreserveUnknownFields));
        }
        let additional = new.additional();
        for (name, before) in &old.schema.properties {
            let before = old.property(name, before);
            let step = format!(".{name}");
            match (new.schema.properties.get(name), additional) {
                (Some(now), _) => {
                    let now = new.property(name, now);
                    self.descend(Keyword::Properties, Some(name), &step, |walk| walk.node(before, now));
                }
                (None, Some(now)) => {
                    self.descend(Keyword::AdditionalProperties, None, &step, |walk| walk.node(before, now));
                }
                (None, None) => self.report_removed(name, before, new),
            }
        }
        for (name, now) in &new.schema.properties {
            if !old.schema.properties.contains_key(name) {
                self.report_added(name, old, new.below(now), new);
            }
        }
        match (old.additional(), additional) {
            (Some(before), Some(now)) => {
                self.descend(Keyword::AdditionalProperties, None, "[*]", |walk| walk.node(before, now));
            }
            (Some(_), None) if !new.keeps_unknown() => {
                let pruned = "arbitrary keys are now pruned";
                self.report(old, new, NodeChange::pruned(pruned, Keyword::AdditionalProperties));
            }
            _ => {}
        }
    }

    /// Compares a property that was removed.
    fn report_removed(&mut self, name: &str, before: SchemaAt<'_>, new: SchemaAt<'_>) {
        // Every object has these, even if its schema does not declare them.
        let is_object = self.paths.is_root() || new.schema.extensions.embedded_resource;
        if is_object && matches!(name, "apiVersion" | "kind" | "metadata") {
            return;
        }
        let (class, what) = match new.keeps_unknown() {
            true => (Risky, "is no longer declared; its values are kept without validation"),
            false => (Breaking, "was removed; kube-apiserver prunes its stored and new values"),
        };
        let change = NodeChange {
            code: Code::CompatFieldRemoved,
            class,
            affects: &[StoredObjects, Writers, Readers],
            text: format!("the field {what}"),
            keyword: None,
            ratchets: false,
        };
        let range = new.place(Keyword::Properties).map_or(new.key, |range| TextRange {
            start: range.start,
            end: range.start.saturating_add(Keyword::Properties.as_str().len() as TextSize),
        });
        let length = self.paths.object.len();
        self.paths.object.push('.');
        self.paths.object.push_str(name);
        self.report(before, SchemaAt { key: range, ..new }, change);
        self.paths.object.truncate(length);
    }

    /// Compares a property that was added.
    fn report_added(&mut self, name: &str, old: SchemaAt<'_>, now: SchemaAt<'_>, new: SchemaAt<'_>) {
        let was_kept = old.keeps_unknown();
        let is_required = new.schema.value_validation.required.iter().any(|(other, _)| **other == *name);
        // If it is required, the change is reported at `required`.
        if is_required && now.schema.generic.default.is_none() && !was_kept {
            return;
        }
        let (class, affects, text): (_, &[AffectedParty], _) = match was_kept {
            true => (
                Risky,
                REJECTED,
                "the field is now declared; values that were kept without validation may be rejected",
            ),
            false => (Safe, &[], "the field was added"),
        };
        let step = format!(".{name}");
        let change = NodeChange {
            code: Code::CompatFieldAdded,
            class,
            affects,
            text: text.to_owned(),
            keyword: None,
            ratchets: false,
        };
        self.descend(Keyword::Properties, Some(name), &step, |walk| walk.report(old, now, change));
        if let Some(change) = self.changes.last_mut() {
            change.before = None;
        }
    }
}
