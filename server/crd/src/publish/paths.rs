//! The paths for a kind in `/openapi/v3`, in the form that kube-apiserver 1.37 publishes.

use std::sync::LazyLock;

use yaml::Json;

use super::Object;
use super::meta::{META_V1, Names, SCALE, data, text_member};

/// The parameters, by name.
static PARAMETERS: LazyLock<Object> = LazyLock::new(|| data(include_str!("parameters.json")));

const LIST: [&str; 11] = [
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "shardSelector",
    "timeoutSeconds",
    "watch",
];
const WRITE: [&str; 3] = ["dryRun", "fieldManager", "fieldValidation"];
const PATCH: [&str; 4] = ["dryRun", "fieldManager of patch", "fieldValidation", "force"];
const DELETE: [&str; 5] = [
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "propagationPolicy",
];
const PLAIN: [&str; 2] = ["application/json", "application/yaml"];
const PATCHES: [&str; 3] =
    ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];

/// The facts that determine the paths of a kind.
pub(super) struct ServedKind<'n> {
    pub(super) names: &'n Names<'n>,
    pub(super) namespaced: bool,
    pub(super) has_status: bool,
    pub(super) has_scale: bool,
}

/// All paths of the kind.
pub(super) fn paths(of: &ServedKind<'_>) -> Object {
    let Names { group, version, plural, .. } = of.names;
    let whole = format!("/apis/{group}/{version}/{plural}");
    let mut paths = Object::new();
    let mut root = whole.clone();
    if of.namespaced {
        let mut all = of.operation("get", "list", "listForAllNamespaces", "");
        // The path has the parameters instead of its only operation.
        all.remove("parameters");
        let mut parameters: Vec<&str> = [LIST.as_slice(), &["pretty"]].concat();
        parameters.sort_unstable();
        paths.insert(whole, of.path([("get", all)], &parameters));
        root = format!("/apis/{group}/{version}/namespaces/{{namespace}}/{plural}");
    }
    let shared: &[&str] = if of.namespaced { &["namespace", "pretty"] } else { &["pretty"] };
    let operations = [
        ("get", of.operation("get", "list", "list", "")),
        ("post", of.operation("post", "post", "create", "")),
        ("delete", of.operation("delete", "deletecollection", "deletecollection", "")),
    ];
    paths.insert(root.clone(), of.path(operations, shared));
    let shared: Vec<&str> = [&["name"], shared].concat();
    let subresources = [("", true), ("Scale", of.has_scale), ("Status", of.has_status)];
    for (subresource, _) in subresources.into_iter().filter(|(_, is_there)| *is_there) {
        let mut operations = vec![
            ("get", of.operation("get", "get", "read", subresource)),
            ("put", of.operation("put", "put", "replace", subresource)),
            ("patch", of.operation("patch", "patch", "patch", subresource)),
        ];
        let mut path = format!("{root}/{{name}}");
        if subresource.is_empty() {
            operations.push(("delete", of.operation("delete", "delete", "delete", "")));
        } else {
            path = format!("{path}/{}", subresource.to_lowercase());
        }
        paths.insert(path, of.path(operations, &shared));
    }
    paths
}

impl ServedKind<'_> {
    fn path<'o>(&self, operations: impl IntoIterator<Item = (&'o str, Object)>, shared: &[&str]) -> Json {
        let operations = operations.into_iter();
        let mut path: Object =
            operations.map(|(method, operation)| (method.to_owned(), Json::Object(operation))).collect();
        path.insert("parameters".to_owned(), self.parameters(shared));
        Json::Object(path)
    }

    fn parameters(&self, names: &[&str]) -> Json {
        let one = |name: &&str| match *name {
            "name" => {
                let Some(Json::Object(parameter)) = PARAMETERS.get("namespace") else { return None };
                let mut parameter = parameter.clone();
                parameter.extend([text_member("name", "name")]);
                parameter.extend([text_member("description", &format!("name of the {}", self.names.kind))]);
                Some(Json::Object(parameter))
            }
            name => PARAMETERS.get(name).cloned(),
        };
        Json::Array(names.iter().filter_map(one).collect())
    }

    /// One operation. `verb` is the verb in its name; `subresource` is empty, `Status` or `Scale`.
    fn operation(&self, method: &str, action: &str, verb: &str, subresource: &str) -> Object {
        let names = self.names;
        let trimmed = names.group.strip_suffix(".k8s.io").unwrap_or(names.group);
        let tag = format!("{}_{}", operation_id(trimmed, false), operation_id(names.version, false));
        let namespaced = if self.namespaced { "Namespaced" } else { "" };
        let (verb, rest) = match verb {
            "listForAllNamespaces" => ("list", format!("{}ForAllNamespaces", names.kind)),
            verb => (verb, format!("{namespaced}{}{subresource}", names.kind)),
        };
        let (prefix, rest) = match verb {
            "deletecollection" => ("delete", format!("Collection{rest}")),
            verb => (verb, rest),
        };
        let id = [trimmed, names.version, &rest].map(|part| operation_id(part, true)).concat();
        let own = match subresource {
            "Scale" => SCALE.to_owned(),
            _ => names.model(names.kind),
        };
        let status = || format!("{META_V1}.Status");
        let (parameters, body, answer, codes): (&[&str], _, _, &[_]) = match action {
            "list" => (&LIST, None, names.model(names.list_kind), &[]),
            "deletecollection" => (&LIST, None, status(), &[]),
            "post" => (&WRITE, Some(own.clone()), own, &[("201", "Created"), ("202", "Accepted")]),
            "put" => (&WRITE, Some(own.clone()), own, &[("201", "Created")]),
            "patch" => (&PATCH, Some(format!("{META_V1}.Patch")), own, &[]),
            "delete" => (&DELETE, Some(format!("{META_V1}.DeleteOptions")), status(), &[("202", "Accepted")]),
            _ => (&["resourceVersion"], None, own, &[]),
        };
        let mut operation = Object::from([
            ("tags".to_owned(), Json::Array(vec![Json::String(tag)])),
            text_member("description", &self.description(verb, subresource)),
            text_member("operationId", &format!("{prefix}{id}")),
            ("parameters".to_owned(), self.parameters(parameters)),
            ("responses".to_owned(), responses(&answer, codes)),
            text_member("x-kubernetes-action", action),
            ("x-kubernetes-group-version-kind".to_owned(), names.identity(names.kind)),
        ]);
        if let Some(body) = body {
            let types: &[&str] = if method == "patch" { &PATCHES } else { &PLAIN };
            let mut body = Object::from([("content".to_owned(), content(&body, types))]);
            if action != "delete" {
                body.insert("required".to_owned(), Json::Bool(true));
            }
            operation.insert("requestBody".to_owned(), Json::Object(body));
        }
        operation
    }

    fn description(&self, verb: &str, subresource: &str) -> String {
        let kind = self.names.kind;
        let of = if subresource.is_empty() {
            String::new()
        } else {
            format!(" {} of", subresource.to_lowercase())
        };
        match verb {
            "list" => format!("list{of} objects of kind {kind}"),
            "read" | "replace" => format!("{verb}{of} the specified {kind}"),
            "patch" => format!("partially update{of} the specified {kind}"),
            "deletecollection" => format!("delete collection of{of} {kind}"),
            _ => format!("{verb}{of} {}{kind}", article(kind)),
        }
    }
}

/// `a` or `an`; empty for a noun that looks like a plural.
fn article(noun: &str) -> &'static str {
    match noun.chars().next() {
        _ if noun.ends_with('s') && !noun.ends_with("ss") => "",
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'A' | 'E' | 'I' | 'O' | 'U') => "an ",
        _ => "a ",
    }
}

/// `text` without characters that identifiers do not allow; the letter after a removed character is capitalized.
fn operation_id(text: &str, mut capitalize: bool) -> String {
    let mut id = String::new();
    for (at, char) in text.char_indices() {
        if char.is_alphabetic() || char == '_' || (at > 0 && char.is_numeric()) {
            if capitalize {
                id.extend(char.to_uppercase())
            } else {
                id.push(char)
            }
            capitalize = false;
        } else {
            capitalize = true;
        }
    }
    id
}

fn responses(model: &str, further: &[(&str, &str)]) -> Json {
    let mut responses = Object::from([(
        "401".to_owned(),
        Json::Object(Object::from([text_member("description", "Unauthorized")])),
    )]);
    for (code, words) in [("200", "OK")].iter().chain(further) {
        let answer =
            Object::from([text_member("description", words), ("content".to_owned(), content(model, &PLAIN))]);
        responses.insert((*code).to_owned(), Json::Object(answer));
    }
    Json::Object(responses)
}

fn content(model: &str, types: &[&str]) -> Json {
    let reference = Object::from([text_member("$ref", &format!("#/components/schemas/{model}"))]);
    let schema = Json::Object(Object::from([("schema".to_owned(), Json::Object(reference))]));
    Json::Object(types.iter().map(|name| ((*name).to_owned(), schema.clone())).collect())
}
