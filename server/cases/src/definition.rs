//! A definition that cases are run against.

use api::KubernetesVersion;
use crd::Cache;
use crd::customresource::ResourceVersion;
use crd::value::Value;
use yaml::{Document, Json, Reader, Tree};

use crate::suite::CaseFormat;

/// The parts of a definition that cases need.
#[derive(Debug)]
pub struct Definition {
    /// `metadata.name`.
    pub name: String,
    /// Its annotations.
    pub annotations: Vec<(String, String)>,
    /// All versions, including those that are not served.
    pub versions: Vec<ResourceVersion>,
    /// The server's reasons to reject the definition; empty if it accepts the definition.
    pub errors: Vec<String>,
    /// The server's errors about the cost of rules: a server of an earlier release may accept the definition.
    pub cost_errors: Vec<String>,
    /// The whole object, for patches.
    pub object: Json,
}

impl Definition {
    /// The definitions in a text.
    #[must_use]
    pub fn all(text: &str, server: KubernetesVersion) -> Vec<Self> {
        let tree = Tree::parse(text);
        tree.documents().flat_map(|document| of_document(document, server)).collect()
    }

    /// The definition in an object.
    #[must_use]
    pub fn of_json(object: &Json, server: KubernetesVersion) -> Option<Self> {
        Self::all(&object.to_string(), server).pop()
    }

    /// The reason why cases of that form cannot run. OpenShift's cases are for releases that estimate lower
    /// costs of rules.
    #[must_use]
    pub fn rejection(&self, form: CaseFormat) -> Vec<&str> {
        let cost = self.cost_errors.iter().filter(|_| form == CaseFormat::Own);
        self.errors.iter().chain(cost).map(String::as_str).collect()
    }

    /// The versions in which objects may be stored: those of the status, otherwise the storage version.
    #[must_use]
    pub fn stored_versions(&self) -> Vec<String> {
        let listed = self.object.get("status").and_then(|status| status.get("storedVersions"));
        let listed: Vec<String> = match listed {
            Some(Json::Array(items)) => items.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        if !listed.is_empty() {
            return listed;
        }
        let storage = self.versions.iter().filter(|version| version.storage);
        storage.map(|version| version.name.clone()).collect()
    }

    /// The value of an annotation.
    #[must_use]
    pub fn annotation(&self, name: &str) -> Option<&str> {
        self.annotations.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn of_document(document: Document<'_>, server: KubernetesVersion) -> Vec<Definition> {
    let reader = Reader::new(document);
    let found = crd::object::definitions(document, &reader);
    if found.is_empty() {
        return Vec::new();
    }
    let mut cache = Cache::default();
    let options = crd::Options { kubernetes_version: server, ..crd::Options::default() };
    let report = crd::check(document, &options, &mut cache);
    let answers = report.findings.iter().filter_map(|finding| finding.api_server.as_ref());
    let answers =
        answers.filter(|answer| matches!(answer.kind, crd::AnswerKind::Error | crd::AnswerKind::DecodeError));
    let (cost_errors, errors): (Vec<String>, Vec<String>) =
        answers.map(crd::ServerError::message).partition(|message| message.contains("estimated rule cost"));
    let one = |definition: &crd::object::CustomResourceDefinition<'_, '_>| {
        let object = Value::read(definition.value(), &reader);
        let annotations = object.get("metadata").and_then(|metadata| metadata.get("annotations"));
        let annotations = annotations.and_then(Value::as_map).into_iter().flatten();
        Definition {
            name: definition.name().unwrap_or_default().into_owned(),
            annotations: annotations
                .filter_map(|(key, member)| Some((key.to_string(), member.value.as_str()?.to_owned())))
                .collect(),
            versions: ResourceVersion::all(definition, &reader, &mut cache),
            errors: errors.clone(),
            cost_errors: cost_errors.clone(),
            object: object.to_json(),
        }
    };
    found.iter().map(one).collect()
}
