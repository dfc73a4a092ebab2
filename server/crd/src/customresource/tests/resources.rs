//! Compares results for custom resources with the server's answers: errors, dropped fields, stored objects.

use std::collections::BTreeMap;

use api::KubernetesVersion;
use serde_json::Value as Json;
use suites::Case;
use yaml::{Document, Reader, Tree};

use crate::Cache;
use crate::customresource::{Admission, ResourceVersion, admit, admit_update};
use crate::object::definitions;

/// Cases that are not equal, and why.
const UNEQUAL: [(&str, &str); 0] = [];

pub(super) fn versions(text: &str) -> Vec<ResourceVersion> {
    let tree = Tree::parse(text);
    let mut cache = Cache::default();
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for definition in definitions(document, &reader) {
            all.extend(ResourceVersion::all(&definition, &reader, &mut cache));
        }
    }
    all
}

pub(super) fn text_of(document: Document<'_>, name: &str) -> String {
    let reader = Reader::new(document);
    let object = document.root().and_then(yaml::Value::as_mapping);
    let value = object.and_then(|object| reader.entry(object, name)).map(yaml::Entry::value);
    value.and_then(yaml::Value::as_scalar).and_then(yaml::Scalar::as_str).unwrap_or_default().into_owned()
}

fn strings(json: &Json) -> Vec<String> {
    let mut all: Vec<String> =
        json.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    all.sort();
    all
}

/// Whether two JSON values are equal in Go, where `1e3` and `1000` are.
fn are_equal_in_go(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_equal_in_go(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| are_equal_in_go(one, other)))
        }
        (one, other) => one == other,
    }
}

/// The difference from the server's answer.
pub(super) fn difference(ours: &Admission, server: &Json) -> Option<String> {
    let decode: Vec<String> = ours.decode_error.iter().cloned().collect();
    if decode != strings(&server["decodeErrors"]) {
        return Some(format!("decode: server {} ours {decode:?}", server["decodeErrors"]));
    }
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    let strict = sorted(ours.strict_errors.iter().map(|error| error.text.clone()).collect());
    if strict != strings(&server["strictErrors"]) {
        return Some(format!("strict: server {} ours {strict:?}", server["strictErrors"]));
    }
    let servers = server["errors"].as_array().unwrap().iter().map(|error| {
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        [text("type"), text("field"), text("detail"), text("message")].join(" | ")
    });
    let ours_errors = ours.errors.iter().map(|error| {
        let answer = error.server_error();
        [answer.type_name().to_owned(), answer.field, answer.detail, error.message()].join(" | ")
    });
    let mut servers: Vec<String> = sorted(servers.collect());
    let mut mine: Vec<String> = sorted(ours_errors.collect());
    // The text of an answer has each error once.
    servers.dedup();
    mine.dedup();
    // We keep only the beginning of long values.
    let is_same = |mine: &String, server: &String| match mine.split_once('…') {
        Some((begin, end)) if mine.len() > 1_000 => server.starts_with(begin) && server.ends_with(end),
        _ => mine == server,
    };
    if mine.len() != servers.len() || !mine.iter().zip(&servers).all(|(mine, server)| is_same(mine, server)) {
        return Some(format!("errors:\n    server {servers:#?}\n    ours {mine:#?}"));
    }
    if sorted(ours.warnings.clone()) != strings(&server["warnings"]) {
        return Some(format!("warnings: server {} ours {:?}", server["warnings"], ours.warnings));
    }
    let object = ours.object.as_ref().map(|object| object.to_json().to_string());
    let object: Json = object.map_or(Json::Null, |object| serde_json::from_str(&object).unwrap());
    (!are_equal_in_go(&object, &server["defaulted"]))
        .then(|| format!("object: server {} ours {object}", server["defaulted"]))
}

/// A syntax error of the decoder without its line number: our errors have a range instead.
fn without_line(error: &str) -> String {
    match error.strip_prefix("yaml: line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, text)) => format!("yaml: {text}"),
        None => error.to_owned(),
    }
}

/// The release that the second line of a case names.
pub(super) fn release(text: &str) -> KubernetesVersion {
    let line = text.lines().nth(1).unwrap_or_default();
    let minor = line.strip_prefix("# kubernetes-version: 1.").and_then(|minor| minor.trim().parse().ok());
    minor.map_or(KubernetesVersion::NEWEST, |minor| KubernetesVersion { minor })
}

#[test]
fn resources_get_the_servers_answers() {
    let shown = unequal(versions);
    let names: Vec<&str> = shown.keys().map(String::as_str).collect();
    assert_eq!(names, UNEQUAL.map(|(name, _)| name), "{shown:#?}");
}

/// The cases whose result differs from the server's answer, with the definition as `versions` reads it.
pub(super) fn unequal(versions: fn(&str) -> Vec<ResourceVersion>) -> BTreeMap<String, String> {
    let cases = suites::cases(&suites::fixtures().join("cr")).unwrap();
    let mut equal = BTreeMap::<String, usize>::new();
    let mut unequal = BTreeMap::new();
    for case in &cases {
        let group = case.name.split('-').nth(1).unwrap_or_default().to_owned();
        match compare(case, versions) {
            None => *equal.entry(group).or_default() += 1,
            Some(difference) => {
                unequal.insert(case.name.clone(), difference);
            }
        }
    }
    eprintln!("{} cases: equal {equal:?}", cases.len());
    assert!(cases.len() >= 647, "only {} cases", cases.len());
    unequal
}

/// The documents that Kubernetes clients see in a file: content after `...` is not a separate document.
pub(super) fn own_documents<'t>(tree: &'t Tree, text: &str) -> Vec<Document<'t>> {
    let is_own = |(at, document): &(usize, Document<'_>)| {
        let text = text.get(document.range().as_usize()).unwrap_or_default();
        document.root().is_some() && (*at == 0 || text.starts_with("---"))
    };
    tree.documents().enumerate().filter(is_own).map(|(_, document)| document).collect()
}

/// The difference in a case.
fn compare(case: &Case, versions: fn(&str) -> Vec<ResourceVersion>) -> Option<String> {
    let part = |part| case.part(part).map(|text| text.as_utf8().unwrap());
    let text = part("cr").unwrap();
    let stored = Tree::parse(part("old").unwrap_or_default());
    let versions = versions(part("crd").unwrap());
    let tree = Tree::parse(text);
    let documents = own_documents(&tree, text);
    let answers = case.server.as_deref().unwrap();
    let answers: Vec<Json> =
        serde_json::Deserializer::from_str(answers).into_iter().map(Result::unwrap).collect();
    if documents.len() != answers.len() {
        return Some(format!("{} documents, {} answers", documents.len(), answers.len()));
    }
    for (document, answer) in documents.into_iter().zip(&answers) {
        let kind = (text_of(document, "apiVersion"), text_of(document, "kind"));
        let version = versions.iter().find(|version| version.served && version.is_of(&kind.0, &kind.1));
        if version.is_some() != (answer["matched"] == true) {
            return Some(format!("matched: server {}", answer["matched"]));
        }
        let Some(version) = version else {
            let error = yaml::decode(document).err().map(|error| error.to_string());
            let server = strings(&answer["decodeErrors"]).first().map(|error| without_line(error));
            if error != server {
                return Some(format!("decode: server {server:?} ours {error:?}"));
            }
            continue;
        };
        let stored = stored.documents().find(|stored| identity(*stored) == identity(document));
        let ours = match stored {
            Some(stored) => admit_update(document, stored, version, release(text)),
            None => admit(document, version, release(text)),
        };
        if let Some(difference) = difference(&ours, answer) {
            return Some(difference);
        }
    }
    None
}

/// The identity of a resource.
pub(super) fn identity(document: Document<'_>) -> [String; 3] {
    let reader = Reader::new(document);
    let object = document.root().and_then(yaml::Value::as_mapping);
    let metadata = object.and_then(|object| reader.entry(object, "metadata"));
    let metadata = metadata.and_then(|entry| entry.value().as_mapping());
    let text = |name| {
        let entry = metadata.and_then(|metadata| reader.entry(metadata, name))?;
        Some(entry.value().as_scalar()?.as_str()?.into_owned())
    };
    [text_of(document, "kind"), text("namespace").unwrap_or_default(), text("name").unwrap_or_default()]
}
