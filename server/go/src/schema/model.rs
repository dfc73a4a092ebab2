//! A schema during generation, with its places in Go.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::json::{AsJson, Json};
use crate::load::{PackageId, Place};

/// A type, by its package and name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId {
    /// The package.
    pub package: PackageId,
    /// The name.
    pub name: Arc<str>,
}

/// A reference to the schema of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The path of the package; `None` for the package of the schema.
    pub path: Option<String>,
    /// The type.
    pub id: TypeId,
}

impl Reference {
    /// The text of `$ref`.
    #[must_use]
    pub fn link(&self) -> String {
        match &self.path {
            None => format!("#/definitions/{}", self.id.name),
            Some(path) => format!("#/definitions/{}~0{}", path.replace('/', "~1"), self.id.name),
        }
    }
}

/// Replaces the keyword if the type of a node is in a missing module.
pub const MISSING: &str = "missing";

/// Replaces the keyword if controller-gen reports an error in the type and generates an empty schema.
pub const FAILED: &str = "failed";

/// Replaces the keyword if a type contains itself and controller-gen generates an empty schema.
pub const RECURSIVE: &str = "recursive";

/// Replaces the keyword for the marker that removes the schema of its type.
pub const SCHEMALESS: &str = "schemaless";

/// The cause of a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The keyword; empty for the node itself.
    pub keyword: &'static str,
    /// The token in Go.
    pub place: Place,
}

/// The values that a map or an object may contain beside its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Additional {
    /// Their schema; `None` for any value.
    pub schema: Option<Arc<Schema>>,
}

/// A rule in CEL.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The expression.
    pub rule: String,
    /// The message if the rule is violated.
    pub message: String,
    /// An expression for the message.
    pub message_expression: String,
    /// The machine-readable reason.
    pub reason: String,
    /// The field to report.
    pub field_path: String,
    /// Whether `oldSelf` is optional.
    pub optional_old_self: Option<bool>,
    /// The marker that sets the rule.
    pub place: Option<Place>,
}

/// A link to documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalDocs {
    /// The address.
    pub url: String,
    /// The description.
    pub description: String,
}

/// A schema. Empty texts are not set. Schemas of types that occur in many places are shared.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the keywords")]
pub struct Schema {
    pub reference: Option<Box<Reference>>,
    pub description: String,
    pub kind: String,
    pub format: String,
    pub title: String,
    pub default: Option<Json>,
    pub maximum: Option<f64>,
    pub exclusive_maximum: bool,
    pub minimum: Option<f64>,
    pub exclusive_minimum: bool,
    pub max_length: Option<i64>,
    pub min_length: Option<i64>,
    pub pattern: String,
    pub max_items: Option<i64>,
    pub min_items: Option<i64>,
    pub unique_items: bool,
    pub multiple_of: Option<f64>,
    pub enumeration: Vec<Json>,
    pub max_properties: Option<i64>,
    pub min_properties: Option<i64>,
    pub required: Vec<String>,
    pub items: Option<Arc<Schema>>,
    pub all_of: Vec<Schema>,
    pub any_of: Vec<Schema>,
    pub properties: BTreeMap<Arc<str>, Arc<Schema>>,
    pub additional: Option<Additional>,
    pub external_docs: Option<Box<ExternalDocs>>,
    pub example: Option<Json>,
    pub nullable: bool,
    pub preserve_unknown: bool,
    pub embedded_resource: bool,
    pub int_or_string: bool,
    pub list_map_keys: Vec<String>,
    pub list_type: Option<String>,
    pub map_type: Option<String>,
    pub rules: Vec<Rule>,
    /// The causes of all keywords.
    pub causes: Vec<Cause>,
}

impl Schema {
    /// The schema of a property.
    pub(crate) fn property(&self, name: &str) -> Option<&Self> {
        self.properties.get(name).map(|property| &**property)
    }

    /// The schema of values beside the properties.
    pub(crate) fn additional(&self) -> Option<&Self> {
        self.additional.as_ref().and_then(|additional| additional.schema.as_deref())
    }

    /// The direct subschemas.
    pub(crate) fn inner(&self) -> impl Iterator<Item = &Self> {
        let properties = self.properties.values().map(|property| &**property);
        let single = self.items.as_deref().into_iter().chain(self.additional());
        properties.chain(single).chain(&self.all_of).chain(&self.any_of)
    }

    /// A schema with a type.
    #[must_use]
    pub fn of(kind: &str) -> Self {
        Self { kind: kind.to_owned(), ..Self::default() }
    }

    /// Notes the cause of a keyword.
    pub fn caused(&mut self, keyword: &'static str, place: Place) {
        self.causes.push(Cause { keyword, place });
    }

    /// The schema as JSON, in the form of apiextensions.k8s.io/v1.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut keywords = BTreeMap::new();
        self.add_scalars(&mut keywords);
        self.add_lists_and_schemas(&mut keywords);
        Json::Map(keywords)
    }

    fn add_scalars(&self, keywords: &mut BTreeMap<String, Json>) {
        let mut put = |key: &str, value: Json| {
            keywords.insert(key.to_owned(), value);
        };
        if let Some(reference) = &self.reference {
            put("$ref", Json::Text(reference.link()));
        }
        for (key, text) in [
            ("description", &self.description),
            ("type", &self.kind),
            ("format", &self.format),
            ("title", &self.title),
            ("pattern", &self.pattern),
        ] {
            if !text.is_empty() {
                put(key, Json::text(text));
            }
        }
        for (key, value) in [("default", &self.default), ("example", &self.example)] {
            if let Some(value) = value {
                put(key, value.clone());
            }
        }
        for (key, number) in
            [("maximum", self.maximum), ("minimum", self.minimum), ("multipleOf", self.multiple_of)]
        {
            if let Some(number) = number {
                put(key, Json::from_float(number));
            }
        }
        for (key, number) in [
            ("maxLength", self.max_length),
            ("minLength", self.min_length),
            ("maxItems", self.max_items),
            ("minItems", self.min_items),
            ("maxProperties", self.max_properties),
            ("minProperties", self.min_properties),
        ] {
            if let Some(number) = number {
                put(key, Json::Int(number));
            }
        }
        for (key, flag) in [
            ("exclusiveMaximum", self.exclusive_maximum),
            ("exclusiveMinimum", self.exclusive_minimum),
            ("uniqueItems", self.unique_items),
            ("nullable", self.nullable),
            ("x-kubernetes-preserve-unknown-fields", self.preserve_unknown),
            ("x-kubernetes-embedded-resource", self.embedded_resource),
            ("x-kubernetes-int-or-string", self.int_or_string),
        ] {
            if flag {
                put(key, Json::Bool(true));
            }
        }
        for (key, text) in
            [("x-kubernetes-list-type", &self.list_type), ("x-kubernetes-map-type", &self.map_type)]
        {
            if let Some(text) = text {
                put(key, Json::text(text));
            }
        }
    }

    fn add_lists_and_schemas(&self, keywords: &mut BTreeMap<String, Json>) {
        let mut put = |key: &str, value: Json| {
            keywords.insert(key.to_owned(), value);
        };
        let texts = |texts: &[String]| Json::List(texts.iter().map(|text| Json::text(text)).collect());
        if !self.enumeration.is_empty() {
            put("enum", Json::List(self.enumeration.clone()));
        }
        if !self.required.is_empty() {
            put("required", texts(&self.required));
        }
        if !self.list_map_keys.is_empty() {
            put("x-kubernetes-list-map-keys", texts(&self.list_map_keys));
        }
        if let Some(items) = &self.items {
            put("items", Json::shared(items));
        }
        for (key, schemas) in [("allOf", &self.all_of), ("anyOf", &self.any_of)] {
            if !schemas.is_empty() {
                put(key, Json::List(schemas.iter().map(Self::to_json).collect()));
            }
        }
        if !self.properties.is_empty() {
            let properties =
                self.properties.iter().map(|(name, schema)| (name.to_string(), Json::shared(schema)));
            put("properties", Json::Map(properties.collect()));
        }
        if let Some(additional) = &self.additional {
            let schema = additional.schema.as_ref();
            let schema = schema.map_or(Json::Bool(true), Json::shared);
            put("additionalProperties", schema);
        }
        if let Some(docs) = &self.external_docs {
            let mut value = BTreeMap::new();
            for (key, text) in [("url", &docs.url), ("description", &docs.description)] {
                if !text.is_empty() {
                    value.insert(key.to_owned(), Json::text(text));
                }
            }
            put("externalDocs", Json::Map(value));
        }
        if !self.rules.is_empty() {
            put("x-kubernetes-validations", Json::List(self.rules.iter().map(Rule::to_json).collect()));
        }
    }
}

impl AsJson for Schema {
    fn json(&self) -> Json {
        self.to_json()
    }
}

impl Rule {
    fn to_json(&self) -> Json {
        let mut out = BTreeMap::new();
        out.insert("rule".to_owned(), Json::text(&self.rule));
        for (key, text) in [
            ("message", &self.message),
            ("messageExpression", &self.message_expression),
            ("reason", &self.reason),
            ("fieldPath", &self.field_path),
        ] {
            if !text.is_empty() {
                out.insert(key.to_owned(), Json::text(text));
            }
        }
        if let Some(flag) = self.optional_old_self {
            out.insert("optionalOldSelf".to_owned(), Json::Bool(flag));
        }
        Json::Map(out)
    }
}
