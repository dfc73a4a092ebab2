//! Moves the fields that v1beta1 has once for all versions into each version, and writes down the defaults of
//! v1beta1.

use crd::object::definitions;
use crd::reading::is_null;
use text::TextEdit;
use yaml::edit::{Comments, Editor, NewEntry, NewValue, Position};
use yaml::{Document, Entry, Mapping, Reader, Value};

use super::comments::Notes;
use super::{Refusal, is_beta};
use crate::analysis::place;
use crate::analysis::values::{are_same, own_entry, raw, string, text};

/// The fields that v1beta1 may have once, with their names in a version of v1, in their usual order.
pub(super) const SHARED: [(&str, &str); 4] = [
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
    ("selectableFields", "selectableFields"),
    ("validation", "schema"),
];

/// Moves the fields, and returns notes for a person. `policies` has for each definition whether it kept
/// unknown fields.
pub(super) fn step(
    document: Document<'_>,
    reader: &Reader<'_>,
    policies: &[Option<bool>],
) -> Result<(Vec<TextEdit>, Vec<String>), Refusal> {
    let notes = Notes::of(document);
    let mut editor = Editor::new(document);
    let mut messages = Vec::new();
    for (definition, policy) in definitions(document, reader).into_iter().zip(policies) {
        let Some(kept) = policy.filter(|_| is_beta(&definition)) else { continue };
        let spec = own_entry(definition.value(), "spec").map(|entry| entry.value());
        let spec = spec.and_then(|spec| Some((spec, spec.as_mapping()?)));
        let Some((spec, mapping)) = spec else { return Err(Refusal::Unclear("it has no `spec`")) };
        let sorted = place::is_sorted(mapping);
        let mut work = Restructuring { kept, spec, sorted, notes: &notes, editor: &mut editor };
        work.versions(&mut messages)?;
        work.write_defaults();
        work.conversion(&mut messages);
    }
    Ok((editor.finish()?, messages))
}

struct Restructuring<'w, 't> {
    /// Whether unknown fields were kept.
    kept: bool,
    spec: Value<'t>,
    /// Whether the keys of `spec` are in alphabetical order, as in generated definitions.
    sorted: bool,
    notes: &'w Notes,
    editor: &'w mut Editor<'t>,
}

impl<'t> Restructuring<'_, 't> {
    fn own(&self, key: &str) -> Option<Entry<'t>> {
        own_entry(self.spec, key)
    }

    /// The value of `key`, if it is not null.
    fn set(&self, key: &str) -> Option<Value<'t>> {
        self.own(key).map(|entry| entry.value()).filter(|value| !is_null(*value))
    }

    fn versions(&mut self, messages: &mut Vec<String>) -> Result<(), Refusal> {
        let list = self.set("versions").and_then(|value| Some((value, value.as_sequence()?)));
        match list.filter(|(_, list)| list.items().next().is_some()) {
            Some((value, list)) => {
                let items: Vec<Value<'t>> = list.items().map(|item| item.value()).collect();
                self.extend(value, list.is_flow(), &items, messages)?;
            }
            None => self.make_list(messages)?,
        }
        for (shared, key) in SHARED {
            if let Some(entry) = self.own(shared) {
                self.refuse_loss(shared, key, entry)?;
                self.editor.remove(self.spec, entry, Comments::Drop);
            }
        }
        Ok(())
    }

    /// Returns an error if the field of `spec` would be lost because each version has a different value.
    fn refuse_loss(&self, shared: &'static str, key: &str, entry: Entry<'t>) -> Result<(), Refusal> {
        let versions = self.set("versions").and_then(Value::as_sequence);
        let own = |item: yaml::Item<'t>| own_entry(item.value(), key).map(|own| own.value());
        let mut items = versions.into_iter().flat_map(yaml::Sequence::items).map(own).peekable();
        let is_lost = items.peek().is_some() && !is_null(entry.value()) && {
            items.all(|own| own.is_some_and(|own| !is_null(own) && !are_same(own, entry.value())))
        };
        if is_lost {
            return Err(Refusal::Twice { shared, key: key.to_owned() });
        }
        Ok(())
    }

    /// Makes a list of versions from the single named one.
    fn make_list(&mut self, messages: &mut Vec<String>) -> Result<(), Refusal> {
        let version = self.own("version").filter(|entry| string(entry.value()).is_some());
        let Some(version) = version else {
            return Err(Refusal::Unclear("it has neither `version` nor `versions`"));
        };
        let mut entries = vec![
            NewEntry::new("name", NewValue::Copy(version.value())),
            NewEntry::new("served", NewValue::yes()),
            NewEntry::new("storage", NewValue::yes()),
        ];
        entries.extend(self.additions(None, messages));
        if self.sorted {
            entries.sort_by(|one, other| one.key.cmp(&other.key));
        }
        let items = vec![NewValue::Mapping { entries, flow: false }];
        let mut list = NewEntry::new("versions", NewValue::Sequence { items, flow: false });
        list.comments = self.notes.comments_around(version);
        if let Some(empty) = self.own("versions") {
            self.editor.remove(self.spec, empty, Comments::Keep);
        }
        let position = self.position("versions", Position::After(version));
        self.editor.insert(self.spec, position, list);
        self.editor.remove(self.spec, version, Comments::Drop);
        Ok(())
    }

    /// Adds the fields that `spec` has for all versions to each version.
    fn extend(
        &mut self,
        list: Value<'t>,
        in_brackets: bool,
        items: &[Value<'t>],
        messages: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let on_lines = self.spec.as_mapping().is_some_and(|spec| !spec.is_flow());
        let mut versions: Vec<(Value<'t>, Mapping<'t>, Vec<NewEntry<'t>>)> = Vec::new();
        for item in items {
            let Some(mapping) = item.as_mapping() else {
                return Err(Refusal::Unclear("an item of `versions` is not a version"));
            };
            versions.push((*item, mapping, self.additions(Some(*item), messages)));
        }
        let all_at_once = in_brackets && on_lines && versions.iter().any(|(_, _, added)| !added.is_empty());
        let mut written = Vec::new();
        for (value, mapping, mut added) in versions {
            let sorted = self.sorted && place::is_sorted(mapping);
            if sorted {
                added.sort_by(|one, other| one.key.cmp(&other.key));
            }
            // Complete schemas in braces on one line are not readable.
            if on_lines && mapping.is_flow() && (all_at_once || !added.is_empty()) {
                let own = mapping.entries().filter(|entry| !is_null(entry.value())).map(NewEntry::copy);
                let own: Option<Vec<NewEntry<'t>>> = own.collect();
                let Some(mut entries) = own else {
                    return Err(Refusal::Unclear("a key of a version is not a string"));
                };
                entries.extend(added);
                let version = NewValue::Mapping { entries, flow: false };
                match all_at_once {
                    true => written.push(version),
                    false => self.editor.replace(value, version),
                }
                continue;
            }
            for entry in added {
                if let Some(null) = own_entry(value, &entry.key) {
                    self.editor.remove(value, null, Comments::Keep);
                }
                let position = if sorted { place::by_name(mapping, &entry.key) } else { Position::End };
                self.editor.insert(value, position, entry);
            }
        }
        if all_at_once {
            self.editor.replace(list, NewValue::Sequence { items: written, flow: false });
        }
        if let Some(version) = self.own("version") {
            self.editor.remove(self.spec, version, Comments::Keep);
        }
        Ok(())
    }

    /// The fields that a version does not have but `spec` has for all, and the schema that v1 requires.
    fn additions(&self, version: Option<Value<'t>>, messages: &mut Vec<String>) -> Vec<NewEntry<'t>> {
        let has = |key| {
            let own = version.and_then(|version| own_entry(version, key));
            own.is_some_and(|entry| !is_null(entry.value()))
        };
        let mut added = Vec::new();
        for (shared, key) in SHARED {
            let Some(entry) = self.own(shared).filter(|entry| !is_null(entry.value()) && !has(key)) else {
                continue;
            };
            if key == "schema" && !holds_schema(entry.value()) {
                continue;
            }
            let mut addition = NewEntry::new(key, NewValue::Copy(entry.value()));
            addition.comments = self.notes.comments_around(entry);
            added.push(addition);
        }
        if !has("schema") && !added.iter().any(|entry| entry.key == "schema") {
            let name = match version {
                Some(version) => own_entry(version, "name"),
                None => self.own("version"),
            };
            let name = name.and_then(|entry| string(entry.value())).unwrap_or_default();
            messages.push(format!("`{name}` had no schema; v1 requires one, which now accepts any object"));
            added.push(NewEntry::new("schema", any_object_schema()));
        }
        added
    }

    /// Writes the defaults that v1beta1 has and v1 does not.
    fn write_defaults(&mut self) {
        let anchor = self.own("group").map_or(Position::Start, Position::After);
        match self.own("scope") {
            // The server treats an empty string as missing.
            Some(entry) if is_empty_text(entry.value()) => {
                self.editor.replace(entry.value(), text("Namespaced"));
            }
            Some(entry) if !is_null(entry.value()) => {}
            null => {
                if let Some(null) = null {
                    self.editor.remove(self.spec, null, Comments::Keep);
                }
                let position = self.position("scope", anchor);
                self.editor.insert(self.spec, position, NewEntry::new("scope", text("Namespaced")));
            }
        }
        if !self.kept {
            return;
        }
        match self.own("preserveUnknownFields") {
            Some(entry) => self.editor.replace(entry.value(), raw("false")),
            None => {
                let position = self.own("scope").map_or(anchor, Position::After);
                let position = self.position("preserveUnknownFields", position);
                self.editor.insert(self.spec, position, NewEntry::new("preserveUnknownFields", raw("false")));
            }
        }
    }

    /// Moves the fields that v1 has in `webhook`.
    fn conversion(&mut self, messages: &mut Vec<String>) {
        let Some(conversion) = self.set("conversion") else { return };
        if own_entry(conversion, "webhook").is_some() {
            return;
        }
        let fields = [
            ("conversionReviewVersions", "conversionReviewVersions"),
            ("webhookClientConfig", "clientConfig"),
        ];
        let mut entries = Vec::new();
        for (old, new) in fields {
            let Some(entry) = own_entry(conversion, old) else { continue };
            self.editor.remove(conversion, entry, Comments::Drop);
            let mut moved = NewEntry::new(new, NewValue::Copy(entry.value()));
            moved.comments = self.notes.comments_around(entry);
            entries.push(moved);
        }
        let strategy = own_entry(conversion, "strategy").and_then(|entry| string(entry.value()));
        if strategy.as_deref() == Some("Webhook") && own_entry(conversion, fields[0].0).is_none() {
            // The default of v1beta1: it is not known whether the webhook supports more.
            let items = vec![raw("v1beta1")];
            entries.insert(0, NewEntry::new(fields[0].1, NewValue::Sequence { items, flow: true }));
            messages.push(
                "`conversionReviewVersions: [v1beta1]` is the default of v1beta1; add `v1` before it once the \
                 webhook supports it"
                    .to_owned(),
            );
        }
        if !entries.is_empty() {
            let webhook = NewEntry::new("webhook", NewValue::Mapping { entries, flow: false });
            self.editor.insert(conversion, Position::End, webhook);
        }
    }

    /// The position of `key` in `spec`.
    fn position(&self, key: &str, otherwise: Position<'t>) -> Position<'t> {
        match self.spec.as_mapping().filter(|_| self.sorted) {
            Some(mapping) => place::by_name(mapping, key),
            None => otherwise,
        }
    }
}

fn is_empty_text(value: Value<'_>) -> bool {
    value.as_scalar().and_then(|scalar| scalar.as_str()).is_some_and(|text| text.is_empty())
}

fn holds_schema(validation: Value<'_>) -> bool {
    own_entry(validation, "openAPIV3Schema").is_some_and(|entry| !is_null(entry.value()))
}

/// A schema that accepts any object and keeps all its fields.
fn any_object_schema<'t>() -> NewValue<'t> {
    let entries = vec![
        NewEntry::new("type", text("object")),
        NewEntry::new("x-kubernetes-preserve-unknown-fields", NewValue::yes()),
    ];
    let schema = NewEntry::new("openAPIV3Schema", NewValue::Mapping { entries, flow: false });
    NewValue::Mapping { entries: vec![schema], flow: false }
}
