//! The declarations of a property in schemas, and all places of the definition that name it, except
//! expressions.

use crd::object::{CustomResourceDefinition, SchemaPlace};
use crd::schema::{Keyword, Schema};
use text::{TextEdit, TextRange};
use yaml::edit::{Editor, NewValue};
use yaml::scalar::ScalarStyle;
use yaml::{Reader, Scalar, Value};

use crate::features::rename::experimental::rename_in_unions;
use crate::features::rename::steps::{PathForm, edit};
use crate::features::resources::{PropertyStep, collect};

/// A property in the schema of one version.
pub(super) struct DeclaredProperty<'r, 't, 's> {
    /// `None` for a schema of all versions.
    pub(super) version: Option<String>,
    /// Whether the version has the status subresource.
    pub(super) has_status: bool,
    /// The schemas that declare the property, including branches of junctors.
    pub(super) holders: Vec<Schema<'r, 't>>,
    /// The schemas above these, each with the steps from there to the property.
    above: Vec<(Schema<'r, 't>, &'s [PropertyStep])>,
    /// Paths of columns, selectable fields and subresources that apply to the schema.
    pub(super) paths: Vec<Scalar<'t>>,
}

impl<'r, 't, 's> DeclaredProperty<'r, 't, 's> {
    /// The property at the end of `steps` in each schema of `definition`.
    pub(super) fn all(definition: &CustomResourceDefinition<'r, 't>, steps: &'s [PropertyStep]) -> Vec<Self> {
        definition.schemas().iter().filter_map(|place| Self::of(definition, place, steps)).collect()
    }

    fn of(
        definition: &CustomResourceDefinition<'r, 't>,
        place: &SchemaPlace<'t>,
        steps: &'s [PropertyStep],
    ) -> Option<Self> {
        let reader = definition.reader();
        let version = definition.versions().find(|version| Some(version.index) == place.version);
        let mut declared = Self {
            version: version.and_then(|version| version.name()).map(|name| name.into_owned()),
            has_status: version.is_some_and(|version| version.has_status()),
            holders: Vec::new(),
            above: Vec::new(),
            paths: Vec::new(),
        };
        declared.walk(Schema::read(reader.follow(place.value)?, reader)?, steps);
        let parts = |of: Option<Value<'t>>, name: &str| of.and_then(|of| member(of, name, reader));
        let of_version = version.map(|version| version.value);
        let of_all = definition.field(&["spec"]);
        for holder in [of_version, of_all] {
            for (list, key) in [
                ("additionalPrinterColumns", "jsonPath"),
                ("additionalPrinterColumns", "JSONPath"),
                ("selectableFields", "jsonPath"),
            ] {
                let items = parts(holder, list).and_then(Value::as_sequence);
                let items = items.into_iter().flat_map(yaml::Sequence::items);
                let paths = items.filter_map(|item| member(item.value(), key, reader)?.as_scalar());
                declared.paths.extend(paths);
            }
            let scale = parts(parts(holder, "subresources"), "scale");
            for key in ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"] {
                declared.paths.extend(parts(scale, key).and_then(Value::as_scalar));
            }
        }
        Some(declared)
    }

    /// The recursion is as deep as the schema.
    fn walk(&mut self, schema: Schema<'r, 't>, steps: &'s [PropertyStep]) {
        let Some((step, rest)) = steps.split_first() else { return };
        for keyword in Keyword::BRANCHING {
            for item in schema.items(keyword) {
                if let Some(branch) = Schema::read(item.value(), schema.reader()) {
                    self.walk(branch, steps);
                }
            }
        }
        if let Some(branch) = schema.schema(Keyword::Not) {
            self.walk(branch, steps);
        }
        let below = match step {
            PropertyStep::Field(name) => {
                let property = schema.members(Keyword::Properties).get(name);
                if rest.is_empty() && property.is_some() {
                    self.holders.push(schema.clone());
                }
                property.and_then(|entry| Schema::read(entry.value(), schema.reader()))
            }
            PropertyStep::AnyItem => schema.schema(Keyword::Items),
            PropertyStep::AnyKey => schema.schema(Keyword::AdditionalProperties),
        };
        if let Some(below) = below.filter(|_| !rest.is_empty()) {
            self.walk(below, rest);
        }
        self.above.push((schema, steps));
    }

    /// Renames the property from `old` to `new` in its declarations, lists of names, values and `fieldPath`s.
    /// Returns its keys.
    pub(super) fn rename(
        &self,
        old: &str,
        new: &str,
        editor: &mut Editor<'t>,
        edits: &mut Vec<TextEdit>,
    ) -> Vec<TextRange> {
        let mut keys = Vec::new();
        for holder in &self.holders {
            if let Some(entry) = holder.members(Keyword::Properties).get(old) {
                editor.rename(entry, new);
                keys.push(entry.key_range());
            }
        }
        for (schema, steps) in &self.above {
            if let [PropertyStep::Field(_)] = steps {
                rename_in_unions(schema, old, new, editor, edits);
            }
            for item in list_of_names(steps).into_iter().flat_map(|keyword| schema.items(keyword)) {
                match item.value().as_scalar().filter(|scalar| scalar.text() == old) {
                    Some(scalar) if scalar.style() == ScalarStyle::Plain => {
                        editor.replace(item.value(), NewValue::Text(new.to_owned()));
                    }
                    Some(scalar) => edits.push(edit(scalar, 0..old.len(), new)),
                    None => {}
                }
            }
            let values =
                [Keyword::Default, Keyword::Example].into_iter().filter_map(|keyword| schema.get(keyword));
            for value in values.chain(schema.items(Keyword::Enum).map(|item| item.value())) {
                collect(value, steps, &mut |_, entry| {
                    editor.rename(entry, new);
                    true
                });
            }
            let paths = field_paths(schema);
            edits.extend(paths.filter_map(|path| PathForm::FieldPath.renamed(path, steps, new)));
        }
        keys
    }
}

impl DeclaredProperty<'_, '_, '_> {
    /// The ranges in lists of names and paths that name the property at the end of `steps`.
    pub(super) fn mentions(&self, name: &str, steps: &[PropertyStep]) -> Vec<TextRange> {
        let mut found = Vec::new();
        for (schema, steps) in &self.above {
            let items = list_of_names(steps).into_iter().flat_map(|keyword| schema.items(keyword));
            let named = items.filter(|item| item.value().as_scalar().is_some_and(|item| item.text() == name));
            found.extend(named.map(|item| item.value().range()));
            let paths = field_paths(schema);
            found.extend(paths.filter_map(|path| PathForm::FieldPath.name(path, steps, name)));
        }
        let paths = self.paths.iter();
        found.extend(paths.filter_map(|path| PathForm::JsonPath.name(*path, steps, name)));
        found
    }
}

/// The `fieldPath`s of the rules of a schema.
fn field_paths<'t>(schema: &Schema<'_, 't>) -> impl Iterator<Item = Scalar<'t>> {
    let rules = schema.items(Keyword::Validations);
    rules.filter_map(|rule| member(rule.value(), "fieldPath", schema.reader())?.as_scalar())
}

/// The list in a schema with the name at the end of `steps`, which start at that schema.
fn list_of_names(steps: &[PropertyStep]) -> Option<Keyword> {
    match steps {
        [PropertyStep::Field(_)] => Some(Keyword::Required),
        [PropertyStep::AnyItem, PropertyStep::Field(_)] => Some(Keyword::ListMapKeys),
        _ => None,
    }
}

pub(super) fn member<'t>(value: Value<'t>, name: &str, reader: &Reader<'t>) -> Option<Value<'t>> {
    reader.follow(reader.entry(reader.follow(value)?.as_mapping()?, name)?.value())
}
