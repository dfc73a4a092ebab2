//! Renames a field in JSON: the name in its tag, and the properties that have their name from the tag.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::change::NodeChange;
use super::owner::field_at;
use super::writer::{Preference, SourceEdit, Writer};
use crate::generate::Outcome;
use crate::load::Place;
use crate::schema::Schema;
use crate::syntax::json_tag;

/// The name in a field's tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonName {
    /// The file.
    pub path: PathBuf,
    /// The range of bytes.
    pub range: Range<usize>,
    /// The name.
    pub name: String,
    place: Place,
}

/// A property of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyOf {
    /// The version that contains it.
    pub version: String,
    /// The keys and indexes from the root of the definition.
    pub steps: Vec<String>,
}

impl Outcome {
    /// The name in the tag that contains a byte of a file of the named packages; `None` if the tag is not a raw string, or if
    /// the byte is not in the name.
    #[must_use]
    pub fn json_name_at(&self, path: &Path, offset: usize) -> Option<JsonName> {
        let at = u32::try_from(offset).ok()?;
        let file_of = |id| self.source(id).filter(|file| file.path == *path);
        let id = self.roots.iter().copied().find(|id| file_of(*id).is_some())?;
        let file = file_of(id)?;
        let (field, _) = field_at(file, at)?;
        let tag = field.tag.as_ref().filter(|tag| tag.is_raw() && field.names.len() < 2)?;
        let (value, range) = json_tag(&tag.text)?;
        let name = value.split(',').next().filter(|name| !matches!(*name, "" | "-"))?;
        let span = tag.part(range.start, name.len());
        let is_here = span.start <= at && at <= span.end && file.slice(span) == name;
        is_here.then(|| JsonName {
            path: path.to_owned(),
            range: span.range(),
            name: name.to_owned(),
            place: Place { file: id, span },
        })
    }

    /// The properties of a definition that have their name from a tag.
    #[must_use]
    pub fn properties_named_by(&self, product: &str, name: &JsonName) -> Vec<PropertyOf> {
        let mut found = Vec::new();
        let Some(file) = self.files.iter().find(|file| file.name == product) else { return found };
        for (number, version) in file.definition.versions.iter().enumerate() {
            let number = number.to_string();
            let mut steps: Vec<String> =
                ["spec", "versions", &number, "schema", "openAPIV3Schema"].map(str::to_owned).into();
            self.named_within(&version.schema, name, &mut steps, &mut |steps| {
                found.push(PropertyOf { version: version.name.clone(), steps: steps.to_vec() });
            });
        }
        found
    }

    fn named_within(
        &self,
        schema: &Schema,
        name: &JsonName,
        steps: &mut Vec<String>,
        take: &mut dyn FnMut(&[String]),
    ) {
        let is_it = |schema: &Schema| {
            let cause = schema.causes.iter().rev().find(|cause| cause.keyword == "properties");
            cause.is_some_and(|cause| {
                let place = self.current_place(cause.place);
                place.file == name.place.file && place.span.start == name.place.span.start
            })
        };
        let mut within = |schema: &Schema, more: &[&str]| {
            let above = steps.len();
            steps.extend(more.iter().map(|step| (*step).to_owned()));
            if more.len() > 1 && is_it(schema) {
                take(steps);
            }
            self.named_within(schema, name, steps, take);
            steps.truncate(above);
        };
        for (property, schema) in &schema.properties {
            within(schema, &["properties", property]);
        }
        if let Some(items) = &schema.items {
            within(items, &["items"]);
        }
        if let Some(values) = schema.additional() {
            within(values, &["additionalProperties"]);
        }
    }

    /// The edits that rename the field of `name` to `new`. `changes` are the further changes of a definition, beside the
    /// property itself.
    ///
    /// # Errors
    ///
    /// The same as those of [`Outcome::edits`].
    pub fn renamed(
        &self,
        product: &str,
        name: &JsonName,
        new: &str,
        changes: &[NodeChange],
    ) -> Result<Vec<SourceEdit>, String> {
        let renamed = Some((name.name.clone(), new.to_owned()));
        let mut writer = Writer { outcome: self, preference: Preference::Field, edits: Vec::new(), renamed };
        writer.push(name.place, name.range.clone(), new.to_owned())?;
        writer.changes(product, changes)
    }
}
