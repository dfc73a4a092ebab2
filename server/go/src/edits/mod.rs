//! Translates a change of a definition back to Go: what to write so that the changed definition is generated.
//!
//! One translation serves all fixes of definitions: the table of markers has the marker that sets each keyword. The caller
//! verifies the edits by generating again.

mod change;
mod marker_values;
mod metadata;
mod owner;
mod rules;
mod shorten;
mod tag;
mod version;
mod writer;

use crate::generate::{GeneratedFile, Outcome};
use crate::json::Json;
use crate::load::Place;
use crate::marker::{Shape, names_in};
use crate::schema::Schema;

pub use change::{NodeChange, changes};
pub use shorten::shortened;
pub use tag::{JsonName, PropertyOf};
pub use writer::{Preference, SourceEdit};

pub(crate) use owner::field_at;

use owner::Owner;
use version::whole_list;
use writer::Writer;

impl Outcome {
    /// The edits with which `product` changes as `changes` describes.
    ///
    /// # Errors
    ///
    /// No marker can express a change, or the change is in a file that is not the user's.
    pub fn edits(
        &self,
        product: &str,
        changes: &[NodeChange],
        preference: Preference,
    ) -> Result<Vec<SourceEdit>, String> {
        let writer = Writer { outcome: self, preference, edits: Vec::new(), renamed: None };
        let edits = writer.changes(product, changes)?;
        if edits.is_empty() {
            return Err("no Go code sets this value".to_owned());
        }
        self.in_order(edits)
    }

    /// Edits in the order of their places, without duplicates.
    ///
    /// # Errors
    ///
    /// Two edits change the same bytes.
    pub fn in_order(&self, mut edits: Vec<SourceEdit>) -> Result<Vec<SourceEdit>, String> {
        edits.sort_by(|one, other| {
            (&one.path, one.range.start, one.range.end).cmp(&(
                &other.path,
                other.range.start,
                other.range.end,
            ))
        });
        edits.dedup();
        let overlap = edits.windows(2).find_map(|pair| match pair {
            [one, other] => (one.path == other.path && one.range.end > other.range.start).then_some(one),
            _ => None,
        });
        match overlap {
            Some(edit) => Err(format!("two of its changes are in {}; make them by hand", self.line_of(edit))),
            None => Ok(edits),
        }
    }

    /// The file and the line of an edit.
    fn line_of(&self, edit: &SourceEdit) -> String {
        let file = self.source_at(&edit.path);
        let line = file.map_or(1, |file| file.position(edit.range.start as u32).0);
        let name = edit.path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        format!("the marker in {name}:{line}")
    }
}

/// The name of the Go type of a definition.
fn kind_of(file: &GeneratedFile) -> Result<Place, String> {
    file.definition.places.first().copied().ok_or_else(|| "the kind has no Go type".to_owned())
}

impl Writer<'_> {
    /// The edits for all changes of a definition.
    fn changes(mut self, product: &str, changes: &[NodeChange]) -> Result<Vec<SourceEdit>, String> {
        let file = self.outcome.files.iter().find(|file| file.name == product);
        let file = file.ok_or_else(|| "the definition is not generated".to_owned())?;
        for change in changes {
            self.change(file, change, changes)?;
        }
        Ok(self.edits)
    }

    fn change(
        &mut self,
        file: &GeneratedFile,
        change: &NodeChange,
        all: &[NodeChange],
    ) -> Result<(), String> {
        let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
        let definition = &file.definition;
        match path.as_slice() {
            ["spec", "versions", at, rest @ ..] => {
                let version = at.parse().ok().and_then(|at: usize| definition.versions.get(at));
                let version = version.ok_or_else(|| "no Go package has this version".to_owned())?;
                match rest {
                    ["schema", "openAPIV3Schema", rest @ ..] => {
                        let owner = Owner::kind(self.outcome, version.place)?;
                        self.schema(&version.schema, owner, rest, change)
                    }
                    rest => self.version(version, rest, change),
                }
            }
            // The name follows from the plural and the group.
            ["metadata", "name"]
                if all.iter().any(|other| other.path.first().is_some_and(|first| first == "spec")) =>
            {
                Ok(())
            }
            ["spec", "group"] => {
                let cause = definition.causes.iter().find(|cause| cause.keyword == "group");
                match (cause, definition.places.first(), &change.after) {
                    (Some(cause), ..) => self.argument(cause.place, "", change.after.as_ref()),
                    (None, Some(kind), Some(Json::Text(group))) => self.group(*kind, group),
                    _ => Err("no `+groupName` sets the group".to_owned()),
                }
            }
            ["spec", key @ ("scope" | "names"), rest @ ..] => {
                let name = match (*key, rest) {
                    ("scope", []) => "scope",
                    (_, ["plural"]) => "path",
                    (_, ["singular"]) => "singular",
                    (_, ["shortNames", ..]) => "shortName",
                    (_, ["categories", ..]) => "categories",
                    _ => return Err("the name of the type sets this value; rename the type".to_owned()),
                };
                let value = whole_list(file, change, rest)?;
                // Each version has its own markers: the last marker with the argument applies, or else the last marker.
                let causes = definition.causes.iter().rev().filter(|cause| cause.keyword == "names");
                let places: Vec<Place> = causes.map(|cause| cause.place).collect();
                let has_it = |place: &&Place| names_in(self.text(**place), name).next().is_some();
                let cause = places.iter().find(has_it).or(places.first()).copied();
                let kind = kind_of(file)?;
                self.argument_or_marker(cause, kind, "kubebuilder:resource", name, value.as_ref())
            }
            ["metadata", which @ ("annotations" | "labels")] => self.metadata(file, which, change),
            _ => Err("no marker sets this value".to_owned()),
        }
    }

    fn schema(
        &mut self,
        schema: &Schema,
        owner: Owner,
        path: &[&str],
        change: &NodeChange,
    ) -> Result<(), String> {
        let no_node = || "no Go type corresponds to this part of the schema".to_owned();
        match path {
            ["properties", name] => {
                let inner = schema.property(name).ok_or_else(no_node)?;
                let owner = owner.field(self.outcome, inner)?;
                self.without_schema(&owner, change.after.as_ref())
            }
            ["properties", name, rest @ ..] => {
                let inner = schema.property(name).ok_or_else(no_node)?;
                let owner = owner.field(self.outcome, inner)?;
                self.schema(inner, owner, rest, change)
            }
            ["items", rest @ ..] if !rest.is_empty() => {
                let inner = schema.items.as_deref().ok_or_else(no_node)?;
                self.schema(inner, owner.element(self.outcome)?, rest, change)
            }
            ["additionalProperties", rest @ ..] if !rest.is_empty() => {
                let inner = schema.additional().ok_or_else(no_node)?;
                self.schema(inner, owner.element(self.outcome)?, rest, change)
            }
            ["allOf", at, rest @ ..] if !rest.is_empty() => {
                let inner =
                    at.parse().ok().and_then(|at: usize| schema.all_of.get(at)).ok_or_else(no_node)?;
                self.schema(inner, owner, rest, change)
            }
            ["x-kubernetes-validations", rest @ ..] => self.rules(schema, &owner, rest, change),
            ["required"] => self.required(schema, &owner, change),
            ["x-kubernetes-list-map-keys"] => self.list_map_keys(schema, &owner, change),
            [keyword] => self.keyword(schema, &owner, keyword, change.after.as_ref()),
            _ => Err("no marker sets this value".to_owned()),
        }
    }

    /// Allows any value for a field, in place of the schema of its Go type.
    fn without_schema(&mut self, owner: &Owner, after: Option<&Json>) -> Result<(), String> {
        let Some(Json::Map(after)) = after.filter(|_| self.preference == Preference::Field) else {
            return Err("no marker sets this value".to_owned());
        };
        self.insert(owner, "kubebuilder:validation:Schemaless")?;
        after
            .iter()
            .try_for_each(|(keyword, value)| self.keyword(&Schema::default(), owner, keyword, Some(value)))
    }

    /// Sets or removes a keyword that one marker sets.
    fn keyword(
        &mut self,
        schema: &Schema,
        owner: &Owner,
        keyword: &str,
        after: Option<&Json>,
    ) -> Result<(), String> {
        if keyword == "description" {
            return Err("the description comes from the comment of the field; change the comment".to_owned());
        }
        let set = schema.causes.iter().rev().find(|cause| cause.keyword == keyword).map(|cause| cause.place);
        // A flag that is `false` is not written, unlike a value that is `false`.
        let is_value = matches!(keyword, "default" | "example");
        let after = after.filter(|after| is_value || **after != Json::Bool(false));
        match (set, after) {
            (Some(place), None) => self.remove(place),
            (Some(place), Some(after)) => {
                // A default or an example contains the name as a key.
                if self.renamed_once(place)? { Ok(()) } else { self.argument(place, "", Some(after)) }
            }
            (None, None) => Err(format!("the Go type sets `{keyword}`; no marker does")),
            (None, Some(Json::Text(format))) if keyword == "format" && format == "int64" => {
                let place =
                    owner.short_integer(self.outcome).ok_or_else(|| "its Go type is not int32".to_owned())?;
                self.push(place, place.span.range(), format.clone())
            }
            (None, Some(after)) => {
                let owner = match self.preference {
                    Preference::Field => owner.clone(),
                    Preference::Type => owner.named_type(self.outcome)?,
                };
                if keyword == "type"
                    && let Some(decoded) = owner.decoded(self.outcome)
                    && !matches!(after, Json::Text(wanted) if decoded.contains(&&**wanted))
                {
                    return Err(format!("Go decodes only values of type `{}` there", decoded.join("` or `")));
                }
                let known = owner
                    .marker(self.outcome, keyword)
                    .ok_or_else(|| format!("no marker sets `{keyword}` there"))?;
                let name = known.name();
                let text = match known.definition.shape {
                    Shape::Empty => name,
                    shape => {
                        let value = marker_values::marker_value(shape, after, None);
                        format!(
                            "{name}={}",
                            value.ok_or_else(|| format!("no marker can express {}", after.encoded()))?
                        )
                    }
                };
                self.insert(&owner, &text)
            }
        }
    }
}
