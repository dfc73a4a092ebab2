//! Prints objects of the server's internal types, whose fields have no names in JSON: the server prints the
//! names of the Go fields, in their order, with zero values.

use yaml::{Reader, Value, ValueKind};

use super::{MAX_SHOWN, json_string, shortened};
use crate::reading::{is_null, members};
use crate::value::scalar_json;

/// A field of a Go type.
struct Field {
    /// The name in Go, and the name in YAML.
    names: [&'static str; 2],
    of: Type,
}

/// The type of a field.
#[derive(Clone, Copy)]
enum Type {
    Text,
    /// A pointer to a string, for optional fields.
    OptionalText,
    Flag,
    /// A number; zero if it is absent.
    Number,
    /// A boolean, a number or any JSON; null if it is absent.
    Any,
    /// A list of any JSON.
    List,
    Struct(&'static [Field]),
    Structs(&'static [Field]),
    StructsByName(&'static [Field]),
    SchemaOrSchemas,
    SchemaOrBool,
    SchemasOrTextsByName,
    /// An object without fields.
    Empty,
}

const fn field(go: &'static str, yaml: &'static str, of: Type) -> Field {
    Field { names: [go, yaml], of }
}

static SCHEMA: [Field; 44] = [
    field("ID", "id", Type::Text),
    field("Schema", "$schema", Type::Text),
    field("Ref", "$ref", Type::OptionalText),
    field("Description", "description", Type::Text),
    field("Type", "type", Type::Text),
    field("Nullable", "nullable", Type::Flag),
    field("Format", "format", Type::Text),
    field("Title", "title", Type::Text),
    field("Default", "default", Type::Any),
    field("Maximum", "maximum", Type::Any),
    field("ExclusiveMaximum", "exclusiveMaximum", Type::Flag),
    field("Minimum", "minimum", Type::Any),
    field("ExclusiveMinimum", "exclusiveMinimum", Type::Flag),
    field("MaxLength", "maxLength", Type::Any),
    field("MinLength", "minLength", Type::Any),
    field("Pattern", "pattern", Type::Text),
    field("MaxItems", "maxItems", Type::Any),
    field("MinItems", "minItems", Type::Any),
    field("UniqueItems", "uniqueItems", Type::Flag),
    field("MultipleOf", "multipleOf", Type::Any),
    field("Enum", "enum", Type::List),
    field("MaxProperties", "maxProperties", Type::Any),
    field("MinProperties", "minProperties", Type::Any),
    field("Required", "required", Type::List),
    field("Items", "items", Type::SchemaOrSchemas),
    field("AllOf", "allOf", Type::Structs(&SCHEMA)),
    field("OneOf", "oneOf", Type::Structs(&SCHEMA)),
    field("AnyOf", "anyOf", Type::Structs(&SCHEMA)),
    field("Not", "not", Type::Struct(&SCHEMA)),
    field("Properties", "properties", Type::StructsByName(&SCHEMA)),
    field("AdditionalProperties", "additionalProperties", Type::SchemaOrBool),
    field("PatternProperties", "patternProperties", Type::StructsByName(&SCHEMA)),
    field("Dependencies", "dependencies", Type::SchemasOrTextsByName),
    field("AdditionalItems", "additionalItems", Type::SchemaOrBool),
    field("Definitions", "definitions", Type::StructsByName(&SCHEMA)),
    field("ExternalDocs", "externalDocs", Type::Struct(&EXTERNAL_DOCS)),
    field("Example", "example", Type::Any),
    field("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", Type::Any),
    field("XEmbeddedResource", "x-kubernetes-embedded-resource", Type::Flag),
    field("XIntOrString", "x-kubernetes-int-or-string", Type::Flag),
    field("XListMapKeys", "x-kubernetes-list-map-keys", Type::List),
    field("XListType", "x-kubernetes-list-type", Type::OptionalText),
    field("XMapType", "x-kubernetes-map-type", Type::OptionalText),
    field("XValidations", "x-kubernetes-validations", Type::Structs(&RULE)),
];

static EXTERNAL_DOCS: [Field; 2] =
    [field("Description", "description", Type::Text), field("URL", "url", Type::Text)];

static RULE: [Field; 6] = [
    field("Rule", "rule", Type::Text),
    field("Message", "message", Type::Text),
    field("MessageExpression", "messageExpression", Type::Text),
    field("Reason", "reason", Type::OptionalText),
    field("FieldPath", "fieldPath", Type::Text),
    field("OptionalOldSelf", "optionalOldSelf", Type::Any),
];

static VERSION: [Field; 9] = [
    field("Name", "name", Type::Text),
    field("Served", "served", Type::Flag),
    field("Storage", "storage", Type::Flag),
    field("Deprecated", "deprecated", Type::Flag),
    field("DeprecationWarning", "deprecationWarning", Type::OptionalText),
    field("Schema", "schema", Type::Struct(&VALIDATION)),
    field("Subresources", "subresources", Type::Struct(&SUBRESOURCES)),
    field("AdditionalPrinterColumns", "additionalPrinterColumns", Type::Structs(&COLUMN)),
    field("SelectableFields", "selectableFields", Type::Structs(&SELECTABLE_FIELD)),
];

static VALIDATION: [Field; 1] = [field("OpenAPIV3Schema", "openAPIV3Schema", Type::Struct(&SCHEMA))];

static SUBRESOURCES: [Field; 2] =
    [field("Status", "status", Type::Empty), field("Scale", "scale", Type::Struct(&SCALE))];

static SCALE: [Field; 3] = [
    field("SpecReplicasPath", "specReplicasPath", Type::Text),
    field("StatusReplicasPath", "statusReplicasPath", Type::Text),
    field("LabelSelectorPath", "labelSelectorPath", Type::OptionalText),
];

static COLUMN: [Field; 6] = [
    field("Name", "name", Type::Text),
    field("Type", "type", Type::Text),
    field("Format", "format", Type::Text),
    field("Description", "description", Type::Text),
    field("Priority", "priority", Type::Number),
    // `JSONPath` in v1beta1.
    field("JSONPath", "jsonPath", Type::Text),
];

static SELECTABLE_FIELD: [Field; 1] = [field("JSONPath", "jsonPath", Type::Text)];

/// Prints a schema.
pub(crate) fn schema(value: Value<'_>, reader: &Reader<'_>) -> String {
    let mut printer = Printer { reader, hidden: &[], out: String::new() };
    printer.object(&SCHEMA, Some(value));
    shortened(printer.out)
}

/// Prints the value of `items`, if it is a list of schemas.
pub(crate) fn schemas(value: Value<'_>, reader: &Reader<'_>) -> String {
    let mut printer = Printer { reader, hidden: &[], out: String::new() };
    printer.value(Type::SchemaOrSchemas, Some(value));
    shortened(printer.out)
}

/// Prints the versions of a definition without the fields `hidden`, which the server moves elsewhere.
pub(crate) fn versions(value: Value<'_>, hidden: &[&str], reader: &Reader<'_>) -> String {
    let mut printer = Printer { reader, hidden, out: String::new() };
    printer.value(Type::Structs(&VERSION), Some(value));
    shortened(printer.out)
}

/// Prints a version of which only the name is set.
pub(crate) fn version_of_name(name: &str) -> String {
    let name = json_string(name);
    shortened(format!(
        r#"[{{"Name":{name},"Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}}]"#
    ))
}

struct Printer<'p, 't> {
    reader: &'p Reader<'t>,
    /// Fields of versions that are not printed.
    hidden: &'p [&'p str],
    out: String,
}

impl<'t> Printer<'_, 't> {
    fn is_full(&self) -> bool {
        self.out.len() > MAX_SHOWN
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn value(&mut self, of: Type, value: Option<Value<'t>>) {
        let value = value.and_then(|value| self.reader.follow(value)).filter(|value| !is_null(*value));
        match (of, value) {
            (Type::Text, value) => self.text(value),
            (Type::Flag, value) => {
                self.push(match value.map(|value| scalar_json(value).to_string()).as_deref() {
                    Some("true") => "true",
                    _ => "false",
                })
            }
            (Type::Number, None) => self.push("0"),
            (_, None) => self.push("null"),
            (Type::OptionalText, value) => self.text(value),
            (Type::Number | Type::Any | Type::List, Some(value)) => self.print_json(value),
            (Type::Struct(fields), value) => self.object(fields, value),
            (Type::Structs(fields), Some(value)) => {
                self.list(value, |printer, item| printer.object(fields, item))
            }
            (Type::StructsByName(fields), Some(value)) => {
                self.map(value, |printer, member| printer.object(fields, Some(member)));
            }
            (Type::SchemaOrSchemas, Some(value)) => match value.as_sequence() {
                Some(sequence) if sequence.items().next().is_some() => {
                    self.print_within(r#"{"Schema":null,"JSONSchemas":"#, Type::Structs(&SCHEMA), value, "}");
                }
                None if value.as_mapping().is_some() => {
                    self.print_within(
                        r#"{"Schema":"#,
                        Type::Struct(&SCHEMA),
                        value,
                        r#","JSONSchemas":null}"#,
                    );
                }
                // The decoder drops all other values.
                _ => self.push(r#"{"Schema":null,"JSONSchemas":null}"#),
            },
            (Type::SchemaOrBool, Some(value)) => match value.as_mapping() {
                Some(_) => {
                    self.print_within(r#"{"Allows":true,"Schema":"#, Type::Struct(&SCHEMA), value, "}")
                }
                None => self.print_within(r#"{"Allows":"#, Type::Flag, value, r#","Schema":null}"#),
            },
            (Type::SchemasOrTextsByName, Some(value)) => {
                self.map(value, |printer, member| match member.as_sequence() {
                    Some(_) => printer.print_within(r#"{"Schema":null,"Property":"#, Type::List, member, "}"),
                    None => printer.print_within(
                        r#"{"Schema":"#,
                        Type::Struct(&SCHEMA),
                        member,
                        r#","Property":null}"#,
                    ),
                })
            }
            (Type::Empty, Some(_)) => self.push("{}"),
        }
    }

    fn print_within(&mut self, before: &str, of: Type, value: Value<'t>, after: &str) {
        self.push(before);
        self.value(of, Some(value));
        self.push(after);
    }

    fn text(&mut self, value: Option<Value<'t>>) {
        let text = value.and_then(Value::as_scalar).and_then(yaml::Scalar::as_str).unwrap_or_default();
        self.push(&json_string(&text));
    }

    fn object(&mut self, fields: &'static [Field], value: Option<Value<'t>>) {
        let value = value.and_then(|value| self.reader.follow(value));
        let known = value
            .and_then(Value::as_mapping)
            .map(|mapping| members(mapping, self.reader))
            .unwrap_or_default();
        for (at, Field { names: [go, yaml], of }) in fields.iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.push(if at == 0 { "{\"" } else { ",\"" });
            self.push(go);
            self.push("\":");
            let is_hidden = std::ptr::eq(fields, &VERSION) && self.hidden.contains(yaml);
            let entry = known.get(yaml).or_else(|| known.get(go)).filter(|_| !is_hidden);
            self.value(*of, entry.map(yaml::Entry::value));
        }
        self.push("}");
    }

    fn list(&mut self, value: Value<'t>, mut item: impl FnMut(&mut Self, Option<Value<'t>>)) {
        self.push("[");
        let items = value.as_sequence().into_iter().flat_map(yaml::Sequence::items);
        for (at, one) in items.enumerate() {
            if self.is_full() {
                return;
            }
            self.push(if at == 0 { "" } else { "," });
            item(self, Some(one.value()));
        }
        self.push("]");
    }

    /// Prints the members of a map in the order of their names.
    fn map(&mut self, value: Value<'t>, mut member: impl FnMut(&mut Self, Value<'t>)) {
        let known = value.as_mapping().map(|mapping| members(mapping, self.reader)).unwrap_or_default();
        let mut entries = known.entries;
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.push("{");
        for (at, (name, entry)) in entries.into_iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.push(if at == 0 { "" } else { "," });
            self.push(&json_string(&name));
            self.push(":");
            member(self, entry.value());
        }
        self.push("}");
    }

    /// Prints any JSON.
    fn print_json(&mut self, value: Value<'t>) {
        let Some(value) = self.reader.follow(value) else { return self.push("null") };
        match value.kind() {
            ValueKind::Mapping(_) => self.map(value, Self::print_json),
            ValueKind::Sequence(_) => self.list(value, |printer, item| match item {
                Some(item) => printer.print_json(item),
                None => printer.push("null"),
            }),
            _ => self.push(&scalar_json(value).to_string()),
        }
    }
}
