//! The OpenAPI documents that kube-apiserver publishes for a definition (`pkg/controller/openapi/builder`),
//! and the conversion back.

mod experiments;
mod meta;
mod paths;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod v2;

use std::collections::BTreeMap;

use yaml::{Document, Json, Reader};

use crate::experimental::Experiments;
use crate::gates::FeatureGates;
use crate::object::{CustomResourceDefinition, definitions};
use crate::verdict::is_structural;
use crate::{AnswerKind, ApiVersion, Cache, Completeness, Options, Segment, check};
use experiments::EnabledProposals;
use meta::Names;
use paths::{ServedKind, paths};
pub use read::{DescribedKind, described_kinds};

/// The members of a JSON object.
pub(crate) type Object = BTreeMap<String, Json>;

/// The form in which a schema is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedForm {
    /// `/openapi/v3`: the whole schema.
    V3,
    /// `/openapi/v2`: without the keywords that this format and old clients do not support.
    V2,
    /// Only the structure, as server-side apply needs it: no value validations.
    Skeleton,
}

/// The published documents of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedDefinition {
    /// `metadata.name`; may be empty.
    pub name: String,
    /// `spec.group`.
    pub group: String,
    /// One for each served version.
    pub versions: Vec<PublishedVersion>,
}

/// The published document of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedVersion {
    /// The version's name.
    pub name: String,
    /// The name of the schema of the kind itself in `schemas`.
    pub model: String,
    /// All schemas by name: those of the kind, of its list, and of the types that every API uses.
    pub schemas: BTreeMap<String, Json>,
    /// The paths, as `/openapi/v3` has them.
    pub paths: BTreeMap<String, Json>,
}

/// Publishes the definitions in `document`, with the additions of the enabled proposals.
///
/// # Errors
/// The server's error if it cannot read the document.
pub fn published(
    document: Document<'_>,
    form: PublishedForm,
    options: &Options,
    experiments: Experiments,
    cache: &mut Cache,
) -> Result<Vec<PublishedDefinition>, String> {
    let reader = Reader::new(document);
    let all = definitions(document, &reader);
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let json = yaml::decode(document).map_err(|error| error.to_string())?.json;
    let report = check(document, options, cache);
    if report.origin != Completeness::Whole {
        return Ok(Vec::new());
    }
    let answers = report.findings.into_iter().filter_map(|finding| finding.api_server);
    if let Some(error) = answers.into_iter().find(|answer| answer.kind == AnswerKind::DecodeError) {
        return Err(error.detail);
    }
    let one = |definition| {
        let tried = EnabledProposals::of(|| FeatureGates::read(definition), experiments);
        publish_form(definition, &json, form, tried, options, cache)
    };
    Ok(all.iter().filter_map(one).collect())
}

fn publish_form(
    definition: &CustomResourceDefinition<'_, '_>,
    document: &Json,
    form: PublishedForm,
    tried: EnabledProposals,
    options: &Options,
    cache: &mut Cache,
) -> Option<PublishedDefinition> {
    let steps = definition.path().segments().iter();
    let json = steps.into_iter().try_fold(document, |json, step| match (step, json) {
        (Segment::Index(index), Json::Array(items)) => items.get(*index),
        (step, Json::Object(members)) => members.get(step.key()?),
        _ => None,
    });
    let spec = object(member(object(json)?, "spec"))?;
    let group = text(spec, "group");
    let structural = is_structural(definition, options, cache);
    let is_beta = definition.api_version() == ApiVersion::V1Beta1;
    let (preserves, is_namespaced) = (!definition.prunes(), definition.is_namespaced());
    let whole =
        SharedParts { spec, group: &group, preserves, is_namespaced, is_beta, form, proposals: tried };
    let listed = array(spec, "versions").iter().map(|version| object(Some(version)));
    let versions = listed.enumerate().filter_map(|(index, version)| {
        let version = version?;
        let is_served = member(version, "served") == Some(&Json::Bool(true));
        is_served.then(|| whole.version(version, structural(index)))
    });
    let mut versions: Vec<PublishedVersion> = versions.collect();
    // `spec.version` of v1beta1 is equivalent to a list of one version.
    if let (true, [], Some(Json::String(name))) = (is_beta, array(spec, "versions"), member(spec, "version"))
    {
        let only = Object::from([("name".to_owned(), Json::String(name.clone()))]);
        versions.push(whole.version(&only, structural(0)));
    }
    let metadata = object(json).and_then(|json| object(member(json, "metadata")));
    let name = metadata.map(|metadata| text(metadata, "name")).unwrap_or_default();
    Some(PublishedDefinition { name, group, versions })
}

/// The parts that all versions of a definition have in common.
struct SharedParts<'j> {
    spec: &'j Object,
    group: &'j str,
    /// `preserveUnknownFields`
    preserves: bool,
    is_namespaced: bool,
    is_beta: bool,
    form: PublishedForm,
    proposals: EnabledProposals,
}

impl SharedParts<'_> {
    fn version(&self, version: &Object, is_structural: bool) -> PublishedVersion {
        let of_kind = object(member(self.spec, "names"));
        let of_kind = |name| of_kind.map(|names| text(names, name)).unwrap_or_default();
        let kind = of_kind("kind");
        let list_kind = Some(of_kind("listKind")).filter(|name| !name.is_empty());
        let names = Names {
            group: self.group,
            version: &text(version, "name"),
            list_kind: &list_kind.unwrap_or_else(|| format!("{kind}List")),
            kind: &kind,
            plural: &of_kind("plural"),
        };
        let schema = self.own_or_shared(version, "schema", "validation");
        let schema = object(schema.and_then(|schema| member(schema, "openAPIV3Schema")));
        let schema = schema.filter(|schema| is_structural && !schema::has_unknown_types(schema));
        let mut kind = self.kind(schema);
        let mut list = names.list(self.form);
        for (schema, kind) in [(&mut kind, names.kind), (&mut list, names.list_kind)] {
            let identity = Json::Array(vec![names.identity(kind)]);
            schema.insert("x-kubernetes-group-version-kind".to_owned(), identity);
            if let Some(fields) = selectable_fields(version) {
                schema.insert("x-kubernetes-selectable-fields".to_owned(), fields);
            }
        }
        let subresources = self.own_or_shared(version, "subresources", "subresources");
        let has = |name| subresources.is_some_and(|them| member(them, name).is_some());
        let scales = has("scale");
        let namespaced = self.is_namespaced;
        let served = ServedKind { names: &names, namespaced, has_status: has("status"), has_scale: scales };
        let paths = paths(&served);
        let mut schemas = meta::schemas(scales, self.form);
        let model = names.model(names.kind);
        schemas.insert(model.clone(), Json::Object(kind));
        schemas.insert(names.model(names.list_kind), Json::Object(list));
        PublishedVersion { name: names.version.to_owned(), model, schemas, paths }
    }

    /// A field of the version, or in v1beta1 the field that applies to all versions.
    fn own_or_shared<'v>(&'v self, version: &'v Object, own: &str, shared: &str) -> Option<&'v Object> {
        let shared = || object(member(self.spec, shared)).filter(|_| self.is_beta);
        object(member(version, own)).or_else(shared)
    }

    /// The schema of the kind; without a schema in the definition, an object with any fields.
    fn kind(&self, schema: Option<&Object>) -> Object {
        let anything = || Object::from([("type".to_owned(), Json::String("object".to_owned()))]);
        let Some(schema) = schema else { return anything() };
        let preserves = self.preserves
            || member(schema, "x-kubernetes-preserve-unknown-fields") == Some(&Json::Bool(true));
        // Clients of v2 would reject all undeclared fields.
        if self.form == PublishedForm::V2 && preserves {
            return anything();
        }
        let has_validations = self.form != PublishedForm::Skeleton;
        let mut published = schema::structural_node(schema, has_validations);
        self.proposals.add(schema, &mut published, has_validations);
        if self.form == PublishedForm::V2 {
            v2::weaken(&mut published);
        }
        let properties =
            published.entry("properties".to_owned()).or_insert_with(|| Json::Object(Object::new()));
        if let Json::Object(properties) = properties {
            meta::add_own(properties, self.form);
        }
        meta::add_embedded(&mut published, self.form);
        if self.form == PublishedForm::V2 {
            v2::drop_defaults(&mut published);
        }
        published
    }
}

fn selectable_fields(version: &Object) -> Option<Json> {
    let fields = array(version, "selectableFields");
    let field = |field: &Json| {
        let path = object(Some(field)).map(|field| text(field, "jsonPath")).unwrap_or_default();
        let path = path.strip_prefix('.').unwrap_or(&path).to_owned();
        Json::Object(Object::from([("fieldPath".to_owned(), Json::String(path))]))
    };
    (!fields.is_empty()).then(|| Json::Array(fields.iter().map(field).collect()))
}

// ---- reading what decodes

/// The value of a field; null is treated as absent.
fn member<'j>(object: &'j Object, name: &str) -> Option<&'j Json> {
    object.get(name).filter(|value| **value != Json::Null)
}

fn object(json: Option<&Json>) -> Option<&Object> {
    match json {
        Some(Json::Object(object)) => Some(object),
        _ => None,
    }
}

fn array<'j>(object: &'j Object, name: &str) -> &'j [Json] {
    match member(object, name) {
        Some(Json::Array(items)) => items,
        _ => &[],
    }
}

fn text(object: &Object, name: &str) -> String {
    match member(object, name) {
        Some(Json::String(text)) => text.clone(),
        _ => String::new(),
    }
}
