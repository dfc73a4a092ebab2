//! The parts that all published schemas have in common: the types of `meta/v1` and `autoscaling/v1`, as
//! kube-apiserver 1.37 publishes them, and the fields that it adds to every kind.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use yaml::{Json, Tree};

use super::{Object, PublishedForm, array, v2};

/// The types, by name, as `/openapi/v3` has them.
static META: LazyLock<Object> = LazyLock::new(|| data(include_str!("meta.json")));

/// The JSON object of a data file.
pub(super) fn data(text: &str) -> Object {
    let tree = Tree::parse(text);
    match tree.documents().next().map(yaml::decode) {
        Some(Ok(yaml::DecodedDocument { json: Json::Object(members), .. })) => members,
        _ => Object::new(),
    }
}

pub(super) const META_V1: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";
/// The type of the scale endpoint.
pub(super) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";
const AUTOSCALING_V1: &str = "io.k8s.api.autoscaling.v1";
const STANDARD_METADATA: &str = "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
const STANDARD_LIST_METADATA: &str = "Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const EMBEDDED_API_VERSION: &str = "apiVersion defines the versioned schema of this representation of an object. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const EMBEDDED_KIND: &str = "kind is a string value representing the type of this object. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/// The schemas that every API refers to; those of the scale endpoint only if `scales` is set.
pub(super) fn schemas(scales: bool, form: PublishedForm) -> BTreeMap<String, Json> {
    let wanted = META.iter().filter(|(name, _)| scales || !name.starts_with(AUTOSCALING_V1));
    wanted
        .map(|(name, schema)| {
            let mut schema = schema.clone();
            if let (PublishedForm::V2, Json::Object(schema)) = (form, &mut schema) {
                to_v2(schema);
            }
            (name.clone(), schema)
        })
        .collect()
}

/// In v2, a description is allowed beside a reference, and there are no defaults.
fn to_v2(schema: &mut Object) {
    schema.remove("default");
    if let [Json::Object(reference)] = array(schema, "allOf") {
        let reference = reference.clone();
        schema.remove("allOf");
        schema.extend(reference);
    }
    if let Some(Json::String(reference)) = schema.get_mut("$ref") {
        *reference = reference.replace("#/components/schemas/", "#/definitions/");
    }
    v2::children(schema).for_each(to_v2);
}

/// The name of the schema of `kind`: the reversed group, the version and the kind.
pub(super) fn model(group: &str, version: &str, kind: &str) -> String {
    let mut group: Vec<&str> = group.split('.').collect();
    group.reverse();
    format!("{}.{version}.{kind}", group.join("."))
}

/// The names of a kind.
pub(super) struct Names<'n> {
    pub(super) group: &'n str,
    pub(super) version: &'n str,
    pub(super) kind: &'n str,
    pub(super) list_kind: &'n str,
    pub(super) plural: &'n str,
}

impl Names<'_> {
    /// The name of the schema of `kind`: the reversed group, the version and the kind.
    pub(super) fn model(&self, kind: &str) -> String {
        model(self.group, self.version, kind)
    }

    /// `x-kubernetes-group-version-kind`
    pub(super) fn identity(&self, kind: &str) -> Json {
        let names = [("group", self.group), ("version", self.version), ("kind", kind)];
        let names = names.map(|(key, name)| (key.to_owned(), Json::String(name.to_owned())));
        Json::Object(names.into())
    }

    /// The schema of the list of the kind.
    pub(super) fn list(&self, form: PublishedForm) -> Object {
        let items = described(
            Object::from([
                text_member("type", "array"),
                ("items".to_owned(), Json::Object(reference(&self.model(self.kind), form))),
            ]),
            &format!(
                "List of {}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md",
                self.plural
            ),
        );
        let mut properties = Object::from([
            ("items".to_owned(), items),
            ("metadata".to_owned(), metadata("ListMeta", STANDARD_LIST_METADATA, form)),
        ]);
        add_type(&mut properties);
        Object::from([
            text_member("type", "object"),
            text_member("description", &format!("{} is a list of {}", self.list_kind, self.kind)),
            ("required".to_owned(), Json::Array(vec![Json::String("items".to_owned())])),
            ("properties".to_owned(), Json::Object(properties)),
        ])
    }
}

/// Adds the fields that all kinds have, in place of those that the schema declares with these names.
pub(super) fn add_own(properties: &mut Object, form: PublishedForm) {
    properties.insert("metadata".to_owned(), metadata("ObjectMeta", STANDARD_METADATA, form));
    add_type(properties);
}

/// Adds `apiVersion` and `kind`, with the descriptions of the API's types.
fn add_type(properties: &mut Object) {
    let Some(Json::Object(options)) = META.get(&format!("{META_V1}.DeleteOptions")) else { return };
    let Some(Json::Object(known)) = options.get("properties") else { return };
    let fields = ["apiVersion", "kind"].into_iter().filter_map(|name| known.get_key_value(name));
    properties.extend(fields.map(|(name, schema)| (name.clone(), schema.clone())));
}

/// Adds the same fields to each embedded resource, here and below; `apiVersion` and `kind` are required.
pub(super) fn add_embedded(schema: &mut Object, form: PublishedForm) {
    v2::children(schema).for_each(|below| add_embedded(below, form));
    let is_true = |name| schema.get(name) == Some(&Json::Bool(true));
    let is_open = form == PublishedForm::V2 && is_true("x-kubernetes-preserve-unknown-fields");
    if !is_true("x-kubernetes-embedded-resource") || is_open {
        return;
    }
    let properties = schema.entry("properties".to_owned()).or_insert_with(|| Json::Object(Object::new()));
    if let Json::Object(properties) = properties {
        let string = |words| described(Object::from([text_member("type", "string")]), words);
        properties.insert("apiVersion".to_owned(), string(EMBEDDED_API_VERSION));
        properties.insert("kind".to_owned(), string(EMBEDDED_KIND));
        properties.insert("metadata".to_owned(), metadata("ObjectMeta", STANDARD_METADATA, form));
    }
    let mut required = array(schema, "required").to_vec();
    for name in ["kind", "apiVersion"].map(|name| Json::String(name.to_owned())) {
        if !required.contains(&name) {
            required.push(name);
        }
    }
    schema.insert("required".to_owned(), Json::Array(required));
}

fn metadata(type_name: &str, description: &str, form: PublishedForm) -> Json {
    let reference = reference(&format!("{META_V1}.{type_name}"), form);
    // In v3, nothing is allowed beside a reference.
    let holder = match form {
        PublishedForm::V2 => reference,
        PublishedForm::V3 | PublishedForm::Skeleton => {
            Object::from([("allOf".to_owned(), Json::Array(vec![Json::Object(reference)]))])
        }
    };
    described(holder, description)
}

fn reference(model: &str, form: PublishedForm) -> Object {
    let prefix = if form == PublishedForm::V2 { "#/definitions/" } else { "#/components/schemas/" };
    Object::from([text_member("$ref", &format!("{prefix}{model}"))])
}

fn described(mut schema: Object, words: &str) -> Json {
    schema.extend([text_member("description", words)]);
    Json::Object(schema)
}

/// A member whose value is a string.
pub(super) fn text_member(key: &str, text: &str) -> (String, Json) {
    (key.to_owned(), Json::String(text.to_owned()))
}
