//! Checks of lists whose type is `map`, and of their keys (checks 119 to 128).

use std::borrow::Cow;

use api::Code;
use rustc_hash::{FxHashMap, FxHashSet};
use text::TextRange;
use yaml::Value;

use super::Stage;
use super::lists::{List, MapKey};
use super::outcome::{Builder, NodeFinding, name};
use super::structural::quoted_type;
use crate::field_path::Segment;
use crate::printed::{json_strings, schemas};
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::zero::is_empty;
use crate::schema::{Keyword, Schema, TypeName};

impl<'r, 't> List<'_, 'r, 't> {
    /// Checks 119 to 125.
    pub(super) fn check_map(&self, out: &mut Builder) {
        if self.schema.get(Keyword::ListMapKeys).is_none_or(is_empty) {
            let place = match self.schema.key_range(Keyword::ListMapKeys) {
                Some(range) => out.place_of(range),
                None => self.key_place(Keyword::ListType, out),
            };
            let finding = NodeFinding::new(
                Stage::Schema,
                Code::SchemaListMapKeysRequired,
                ErrorType::Required,
                place,
                vec![name(Keyword::ListMapKeys)],
                "must not be empty if x-kubernetes-list-type is map",
            );
            let finding =
                finding.with_problem("`x-kubernetes-list-type: map` requires `x-kubernetes-list-map-keys`");
            self.push(finding.advise("name the properties that identify an item"), out);
        }
        match &self.items {
            Some(items) => self.check_map_items(items, Stage::Schema, out),
            None => {
                self.check_no_items(out);
                let only = self.schema.only_item();
                if let Some(only) = only.and_then(|only| Schema::read(only, self.schema.reader())) {
                    self.check_map_items(&only, Stage::Skipped, out);
                }
            }
        }
    }

    /// Checks 120 and 121.
    fn check_no_items(&self, out: &mut Builder) {
        let written = self.schema.get(Keyword::Items);
        let (code, error, detail, problem, advice) = match written {
            None => (
                Code::SchemaListMapItemsRequired,
                ErrorType::Required,
                "must have a schema if x-kubernetes-list-type is map",
                "`x-kubernetes-list-type: map` requires `items`",
                "add an object schema that declares the keys",
            ),
            // For the server, a text is not a schema. Texts occur while a key is being typed.
            Some(items) => (
                Code::SchemaListMapItemsSingle,
                ErrorType::Invalid,
                "must only have a single schema if x-kubernetes-list-type is map",
                match items.as_scalar() {
                    Some(_) => "`items` must be a schema",
                    None => "`items` of a list of type `map` cannot be a list of schemas",
                },
                "write one object schema that declares the keys",
            ),
        };
        let place = self.key_place(Keyword::Items, out);
        let finding = NodeFinding::new(Stage::Schema, code, error, place, vec![name(Keyword::Items)], detail);
        let written = written.map(|items| schemas(items, self.schema.reader()));
        let finding = finding.printing(written.unwrap_or_default());
        self.push(finding.with_problem(problem).advise(advice), out);
    }

    /// Checks 122 to 125.
    fn check_map_items(&self, items: &Schema<'r, 't>, stage: Stage, out: &mut Builder) {
        let ty = items.type_name();
        if ty == TypeName::Unreadable {
            return;
        }
        if !ty.is("object") {
            let finding = NodeFinding::new(
                stage,
                Code::SchemaListMapItemsObject,
                ErrorType::Invalid,
                self.place_in_items(items, Keyword::Type, out),
                vec![name(Keyword::Items), name(Keyword::Type)],
                "must be object if parent array's x-kubernetes-list-type is map",
            );
            let finding = finding.with_problem("the items of a list of type `map` must be objects");
            let advice = "set `type: object`, or, for scalars, `x-kubernetes-list-type: set`";
            return self.push(finding.advise(advice).printing(quoted_type(&ty)), out);
        }
        let properties = Properties::of(items, self.keys.len());
        let mut seen = FxHashSet::default();
        for key in &self.keys {
            match properties.get(&key.text) {
                Some(property) => self.check_key_type(key, &property, stage, out),
                None => self.push(self.wrong_key(key, UNKNOWN, stage, out), out),
            }
            if !seen.insert(key.text.as_ref()) {
                self.push(self.wrong_key(key, REPEATED, stage, out), out);
            }
        }
    }

    /// Check 123.
    fn check_key_type(&self, key: &MapKey<'t>, property: &Property<'r, 't>, stage: Stage, out: &mut Builder) {
        let ty = property.schema.type_name();
        if !ty.is("array") && !ty.is("object") {
            return;
        }
        let place = property.schema.get(Keyword::Type).map_or(property.key, Value::range);
        let finding = NodeFinding::new(
            stage,
            Code::SchemaListMapKeyScalar,
            ErrorType::Invalid,
            out.place_of(place),
            key.tail(Keyword::Type),
            "must be a scalar type if parent array's x-kubernetes-list-type is map",
        );
        // The server prints the type of the items, not that of the property.
        let finding = finding.with_problem(format!("the list map key `{}` must be a scalar", key.text));
        let finding = finding.advise("use a string, a number, an integer or a boolean as the key");
        let finding = finding.printing(r#""object""#);
        out.push(finding.relate(Some(out.place_of(key.range)), "the key"));
    }

    fn wrong_key(&self, key: &MapKey<'t>, words: KeyWords, stage: Stage, out: &Builder) -> NodeFinding {
        let (code, detail, problem, advice) = words;
        let (problem, advice) = if key.text.is_empty() { EMPTY } else { (problem, advice) };
        let tail = vec![name(Keyword::ListMapKeys)];
        let keys = json_strings(self.keys.iter().map(|key| key.text.as_ref()));
        let finding =
            NodeFinding::new(stage, code, ErrorType::Invalid, out.place_of(key.range), tail, detail);
        finding.with_problem(problem.replace("{key}", &key.text)).advise(advice).printing(keys)
    }

    /// Checks 126 to 128.
    pub(super) fn check_map_keys_set(&self, out: &mut Builder) {
        let (Some(items), Some(list_type)) = (&self.items, &self.list_type) else { return };
        if !self.has_list_type("set") && !self.has_list_type("map") {
            return;
        }
        if items.is_true(Keyword::Nullable) {
            let finding = NodeFinding::new(
                Stage::MapKeys,
                Code::SchemaListItemsNullable,
                ErrorType::Forbidden,
                out.at_or_owner(items.key_range(Keyword::Nullable)),
                vec![name(Keyword::Items), name(Keyword::Nullable)],
                format!("cannot be nullable when x-kubernetes-list-type is {}", list_type.text),
            );
            self.push(finding.advise("remove `nullable`"), out);
        }
        if self.has_list_type("map") {
            self.check_key_presence(items, out);
        }
    }

    /// Checks 127 and 128.
    fn check_key_presence(&self, items: &Schema<'r, 't>, out: &mut Builder) {
        let properties = Properties::of(items, self.keys.len());
        let reader = items.reader();
        let text = |item: yaml::Item<'t>| reader.follow(item.value())?.as_scalar()?.as_str();
        let required: FxHashSet<Cow<'t, str>> = items.items(Keyword::Required).filter_map(text).collect();
        for key in &self.keys {
            let Some(property) = properties.get(&key.text) else { continue };
            let the_key = Some(out.place_of(key.range));
            if !required.contains(key.text.as_ref()) && property.schema.get(Keyword::Default).is_none() {
                let finding = NodeFinding::new(
                    Stage::MapKeys,
                    Code::SchemaListMapKeyDefault,
                    ErrorType::Required,
                    out.place_of(property.key),
                    key.tail(Keyword::Default),
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
                );
                let problem = format!("the list map key `{}` is not required and has no default", key.text);
                let finding = finding.with_problem(problem).advise("add it to `required` of the items");
                out.push(finding.relate(the_key, "the key"));
            }
            if property.schema.is_true(Keyword::Nullable) {
                let place = property.schema.key_range(Keyword::Nullable).unwrap_or(property.key);
                let finding = NodeFinding::new(
                    Stage::MapKeys,
                    Code::SchemaListMapKeyNullable,
                    ErrorType::Forbidden,
                    out.place_of(place),
                    key.tail(Keyword::Nullable),
                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
                );
                let finding =
                    finding.with_problem(format!("the list map key `{}` cannot be nullable", key.text));
                out.push(finding.advise("remove `nullable: true`").relate(the_key, "the key"));
            }
        }
    }
}

/// The code, the server's detail, our problem with the placeholder `{key}`, and the remedy.
type KeyWords = (Code, &'static str, &'static str, &'static str);

/// Check 124.
const UNKNOWN: KeyWords = (
    Code::SchemaListMapKeyUnknown,
    "entries must all be names of item properties",
    "the list map key `{key}` is not a property of the items",
    "declare it under `properties` of the items, or correct its name",
);
/// Check 125.
const REPEATED: KeyWords = (
    Code::SchemaListMapKeyDuplicate,
    "must not contain duplicate entries",
    "`x-kubernetes-list-map-keys` contains `{key}` twice",
    "remove one",
);

/// The problem of a key without a name, and the remedy.
const EMPTY: (&str, &str) =
    ("an item of `x-kubernetes-list-map-keys` is empty", "write the name of a property of the items");

impl MapKey<'_> {
    /// The path from the list to `keyword` of the key's property.
    fn tail(&self, keyword: Keyword) -> Vec<Segment> {
        let property = Segment::Key(self.text.as_ref().into());
        vec![name(Keyword::Items), name(Keyword::Properties), property, name(keyword)]
    }
}

/// A property of the items.
struct Property<'r, 't> {
    key: TextRange,
    schema: Schema<'r, 't>,
}

/// The properties of the items, with a hash table for many lookups.
struct Properties<'r, 't> {
    reader: &'r yaml::Reader<'t>,
    members: Members<'t>,
    table: Option<FxHashMap<Cow<'t, str>, yaml::Entry<'t>>>,
}

impl<'r, 't> Properties<'r, 't> {
    fn of(items: &Schema<'r, 't>, questions: usize) -> Self {
        let members = items.members(Keyword::Properties);
        let table = (questions > 4).then(|| members.entries.iter().cloned().collect());
        Self { reader: items.reader(), members, table }
    }

    fn get(&self, name: &str) -> Option<Property<'r, 't>> {
        let entry = match &self.table {
            Some(table) => table.get(name).copied(),
            None => self.members.get(name),
        }?;
        Some(Property { key: entry.key_range(), schema: Schema::read(entry.value(), self.reader)? })
    }
}
