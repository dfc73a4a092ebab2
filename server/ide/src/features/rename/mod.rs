//! Renaming a property: where the schema declares it, in the rules and paths of the definition that name it,
//! and in the resources that set it.

mod experimental;
mod schema;
mod shared;
mod steps;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use api::Code;
use crd::object::{CustomResourceDefinition, definitions};
use crd::schema::Keyword;
use crd::{LocatedPart, Segment, path_at};
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Reader, Tree};

use crate::analysis::caches::Caches;
use crate::analysis::kinds::objects;
use crate::analysis::resources::{Resource, View, find};
use crate::analysis::text_at::document_at;
use crate::features::cel::Source;
use crate::features::mentions::mention_at;
use crate::features::resources::{Property, PropertyStep, collect, declared_at, property};
use crate::{File, Settings, Severity};
use schema::DeclaredProperty;
use steps::PathForm;

/// The fields of every object of the API.
const HEAD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The new name of a property.
#[derive(Clone, Debug)]
pub struct Rename {
    property: Property,
    /// The versions in which it is renamed; `None` for all.
    versions: Option<Vec<String>>,
    old: String,
    new: String,
    settings: Settings,
}

/// A property to rename.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameTarget {
    /// The range of its name, in bytes.
    pub range: TextRange,
    /// Its name.
    pub name: String,
}

/// Returns the property that is named at `offset` (in bytes) and its range, or the reason why there is none.
pub(crate) fn target(
    source: Source<'_>,
    view: View<'_>,
    offset: TextSize,
    caches: &Mutex<Caches>,
) -> Result<(RenameTarget, Property), String> {
    let nothing = || "there is no property here; select one in a schema, a rule or a resource".to_owned();
    let in_rule = {
        let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
        crate::features::cel::definition(source, offset, &mut caches)
    };
    let (range, found) = match in_rule {
        Some(named) => (named.name, property(view, named.target.start)),
        None => property_at(view, offset)?.ok_or_else(nothing)?,
    };
    let property = found.ok_or_else(nothing)?;
    let Some(PropertyStep::Field(name)) = property.steps.last() else { return Err(nothing()) };
    if let [PropertyStep::Field(first), ..] = &*property.steps {
        check_not_reserved(first)?;
    }
    Ok((RenameTarget { range, name: name.clone() }, property))
}

fn check_not_reserved(first: &str) -> Result<(), String> {
    match HEAD.contains(&first) {
        true => Err(format!("`{first}` is part of every API object and cannot be renamed")),
        false => Ok(()),
    }
}

type PropertyAt = Option<(TextRange, Option<Property>)>;

/// The property whose key, or whose name in a list of names, is at `offset`.
fn property_at(view: View<'_>, offset: TextSize) -> Result<PropertyAt, String> {
    let Some(document) = document_at(view.tree, offset) else { return Ok(None) };
    let reader = Reader::new(document);
    if let Some(resource) = Resource::at(document, &reader, view.surroundings, offset) {
        let Some(place) = find(resource.value, resource.shape(), offset) else { return Ok(None) };
        if let Some(first) = place.path.segments().first().and_then(Segment::key) {
            check_not_reserved(first)?;
        }
        return Ok(Some((place.range(), property(view, offset))));
    }
    let Some(root) = document.root() else { return Ok(None) };
    let at = path_at(document, offset);
    if at.part == LocatedPart::Key {
        return Ok(Some((crd::locate(root, &at.path, &reader).range, property(view, offset))));
    }
    let named = mention_at(document, &reader, offset);
    Ok(named.map(|named| (named.range, declared_at(document, &reader, offset, &named.property))))
}

/// The ranges where the definition of `property` in `document` names it outside of expressions, alone or in paths.
pub(crate) fn mentions<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
    property: &Property,
) -> Vec<TextRange> {
    let Some(PropertyStep::Field(name)) = property.steps.last() else { return Vec::new() };
    let is_affected =
        |version: Option<&str>| property.version.is_none() || version == property.version.as_deref();
    let mut found = Vec::new();
    for definition in definitions_of(property, document, reader) {
        for declared in DeclaredProperty::all(&definition, &property.steps) {
            if is_affected(declared.version.as_deref()) {
                found.extend(declared.mentions(name, &property.steps));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The definitions in `document` of the kind that has `property`.
fn definitions_of<'r, 't>(
    property: &Property,
    document: Document<'t>,
    reader: &'r Reader<'t>,
) -> Vec<CustomResourceDefinition<'r, 't>> {
    let mut all = definitions(document, reader);
    all.retain(|definition| {
        let name = crate::analysis::catalog::name(definition);
        name.is_some_and(|name| name.group == property.group && name.kind == property.kind)
    });
    all
}

impl Rename {
    /// Renames `property`, which a definition in `tree` declares, to `new`, or returns the reason why this is
    /// impossible.
    pub(crate) fn new(
        property: Property,
        tree: &Tree,
        new: &str,
        settings: &Settings,
    ) -> Result<Self, String> {
        let Some(PropertyStep::Field(old)) = property.steps.last() else {
            return Err("only properties can be renamed".to_owned());
        };
        let old = old.clone();
        if new.trim() != new || new.is_empty() || new.contains(char::is_control) {
            return Err(
                "a name must not be empty, start or end with a space, or contain a line break".to_owned()
            );
        }
        let mut rename =
            Self { property, versions: None, old, new: new.to_owned(), settings: settings.clone() };
        let mut found = false;
        for document in tree.documents() {
            let reader = Reader::new(document);
            for definition in definitions_of(&rename.property, document, &reader) {
                found = true;
                rename.versions = rename.versions_in(&definition);
                rename.check_new_name(&definition)?;
            }
        }
        if found { Ok(rename) } else { Err("the definition of the property was not found".to_owned()) }
    }

    /// The same in one version alone.
    #[must_use]
    pub fn in_version(mut self, version: &str) -> Self {
        self.versions = Some(vec![version.to_owned()]);
        self
    }

    /// Returns the edits of the resources in `text`, sorted and without overlap.
    ///
    /// # Errors Returns the reason for the user if the edits cannot be made.
    pub fn edits_of_resources(&self, text: &str) -> Result<Vec<TextEdit>, String> {
        let tree = Tree::parse(text);
        let mut edits = Vec::new();
        for document in tree.documents() {
            let reader = Reader::new(document);
            let here = self.in_resources(document, &reader)?;
            self.refuse_shared(document, &reader, &here)?;
            edits.extend(here);
        }
        edits.sort_by_key(|edit| edit.range);
        Ok(edits)
    }

    /// Words that every text has in which something must change.
    #[must_use]
    pub fn words(&self) -> [&str; 2] {
        [&self.property.kind, &self.old]
    }

    /// Whether a definition in `text` declares the property.
    #[must_use]
    pub fn is_declared_in(&self, text: &str) -> bool {
        let tree = Tree::parse(text);
        tree.documents()
            .any(|document| !definitions_of(&self.property, document, &Reader::new(document)).is_empty())
    }

    /// Returns the edits of `text`, sorted and without overlap.
    ///
    /// # Errors Returns the reason for the user if the edits cannot be made.
    pub fn edits(&self, text: &str) -> Result<Vec<TextEdit>, String> {
        self.edits_in(&Tree::parse(text), &Arc::default())
    }

    pub(crate) fn edits_in(&self, tree: &Tree, caches: &Mutex<Caches>) -> Result<Vec<TextEdit>, String> {
        let mut edits = Vec::new();
        let mut defines = false;
        for document in tree.documents() {
            let reader = Reader::new(document);
            let definitions = definitions_of(&self.property, document, &reader);
            defines |= !definitions.is_empty();
            let mut here = Vec::new();
            for definition in &definitions {
                self.check_new_name(definition)?;
                let source = Source { tree, settings: &self.settings };
                here.extend(self.in_definition(document, definition, source, caches)?);
            }
            here.extend(self.in_resources(document, &reader)?);
            self.refuse_shared(document, &reader, &here)?;
            edits.extend(here);
        }
        edits.sort_by_key(|edit| edit.range);
        edits.dedup();
        if defines && !edits.is_empty() {
            self.check_findings(tree, &edits)?;
        }
        Ok(edits)
    }

    fn refuse_shared<'t>(
        &self,
        document: Document<'t>,
        reader: &Reader<'t>,
        edits: &[TextEdit],
    ) -> Result<(), String> {
        match shared::is_shared(document, reader, edits) {
            true => Err(format!(
                "`{}` is inside a YAML anchor that several places share; rename it by hand",
                self.old
            )),
            false => Ok(()),
        }
    }

    /// The versions to rename the property in. Without a webhook, the server only changes `apiVersion` on
    /// conversion, so fields whose names differ between versions are lost. With a webhook, each version may
    /// have different names.
    fn versions_in(&self, definition: &CustomResourceDefinition<'_, '_>) -> Option<Vec<String>> {
        let version = self.property.version.clone()?;
        let strategy = definition.field(&["spec", "conversion", "strategy"]);
        let strategy = strategy.and_then(yaml::Value::as_scalar).map(|scalar| scalar.text().into_owned());
        if strategy.as_deref() == Some("Webhook") {
            return Some(vec![version]);
        }
        let all = DeclaredProperty::all(definition, &self.property.steps).into_iter();
        let names = all.filter(|declared| !declared.holders.is_empty()).map(|declared| declared.version);
        names.collect()
    }

    fn is_affected(&self, version: Option<&str>) -> bool {
        match (&self.versions, version) {
            (Some(versions), Some(version)) => versions.iter().any(|one| one == version),
            _ => true,
        }
    }

    /// Returns the reason if `definition` cannot have the new name.
    fn check_new_name(&self, definition: &CustomResourceDefinition<'_, '_>) -> Result<(), String> {
        let Self { old, new, .. } = self;
        for declared in DeclaredProperty::all(definition, &self.property.steps) {
            if !self.is_affected(declared.version.as_deref()) {
                continue;
            }
            let place =
                declared.version.as_deref().map(|name| format!(" of version {name}")).unwrap_or_default();
            for holder in &declared.holders {
                if holder.members(Keyword::Properties).get(new).is_some() {
                    return Err(format!("the schema{place} already has a property `{new}`"));
                }
                let is_object = self.property.steps.len() == 1 || holder.is_true(Keyword::EmbeddedResource);
                if let Some(name) =
                    HEAD.iter().find(|name| is_object && [old, new].contains(&&(**name).to_owned()))
                {
                    return Err(format!("`{name}` is a reserved name of API objects"));
                }
            }
            let is_status = self.property.steps.len() == 1 && [old, new].iter().any(|name| *name == "status");
            if is_status && !declared.holders.is_empty() && declared.has_status {
                return Err(format!("the status subresource{place} requires the name `status`"));
            }
        }
        Ok(())
    }

    fn in_definition<'t>(
        &self,
        document: Document<'t>,
        definition: &CustomResourceDefinition<'_, 't>,
        source: Source<'_>,
        caches: &Mutex<Caches>,
    ) -> Result<Vec<TextEdit>, String> {
        let mut editor = Editor::new(document);
        let mut edits = Vec::new();
        let mut keys = Vec::new();
        let declared = DeclaredProperty::all(definition, &self.property.steps);
        // The paths of gates apply to all versions.
        if declared.iter().all(|declared| self.is_affected(declared.version.as_deref())) {
            let paths = experimental::gate_paths(definition).into_iter();
            edits.extend(
                paths.filter_map(|path| PathForm::JsonPath.renamed(path, &self.property.steps, &self.new)),
            );
        }
        for declared in declared {
            if self.is_affected(declared.version.as_deref()) {
                keys.extend(declared.rename(&self.old, &self.new, &mut editor, &mut edits));
                let steps = &self.property.steps;
                edits.extend(
                    declared
                        .paths
                        .iter()
                        .filter_map(|path| PathForm::JsonPath.renamed(*path, steps, &self.new)),
                );
            }
        }
        edits.extend(editor.finish().map_err(|error| self.refused(&error))?);
        let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
        let named = crate::features::cel::names_of(source, document.range(), &keys, &mut caches);
        if !named.is_empty() {
            let escaped = cel::declarations::escape(&self.new).ok_or_else(|| {
                format!("CEL rules use `{}` and cannot use `{}`; start with a letter, then use letters, digits, `_`, `-`, `.` or `/`", self.old, self.new)
            })?;
            edits.extend(named.into_iter().map(|range| TextEdit::replace(range, escaped.clone())));
        }
        Ok(edits)
    }

    fn in_resources<'t>(&self, document: Document<'t>, reader: &Reader<'t>) -> Result<Vec<TextEdit>, String> {
        let mut editor = Editor::new(document);
        let (mut both, mut some) = (false, false);
        for (_, value, kind) in objects(document, reader) {
            let is_of = (&kind.group, &kind.kind) == (&self.property.group, &self.property.kind);
            if is_of && self.is_affected(Some(&kind.version)) {
                collect(value, &self.property.steps, &mut |holder, entry| {
                    both |= reader.entry(holder, &self.new).is_some();
                    some = true;
                    editor.rename(entry, &self.new);
                    true
                });
            }
        }
        if both {
            return Err(format!("a resource already sets both `{}` and `{}`", self.new, self.old));
        }
        if some { editor.finish().map_err(|error| self.refused(&error)) } else { Ok(Vec::new()) }
    }

    fn refused(&self, error: &yaml::edit::EditError) -> String {
        format!("`{}` cannot be renamed: {error}", self.old)
    }

    /// Checks that `edits` cause no new findings on the definition.
    fn check_findings(&self, tree: &Tree, edits: &[TextEdit]) -> Result<(), String> {
        let text = tree.text();
        let before = File::new(&text, &self.settings);
        let after = File::new(&text::applied(&text, 0, edits), &self.settings);
        let count =
            |file: &File, code: Code| file.findings().iter().filter(|finding| finding.code == code).count();
        let grave = |severity| matches!(severity, Severity::Error | Severity::Warning);
        let worse = after.findings().iter().find(|finding| {
            grave(finding.severity) && count(&after, finding.code) > count(&before, finding.code)
        });
        match worse {
            Some(finding) => {
                Err(format!("with `{}` the definition has an error: {}", self.new, finding.message))
            }
            None => Ok(()),
        }
    }
}
