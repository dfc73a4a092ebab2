//! Adds the API's descriptions from `k8s-openapi` to the built-in Kubernetes types.
//!
//! The API has each description in one line. The types have the number of words in each line of the Go comment.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use k8s_openapi::api;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector, ObjectMeta};
use k8s_openapi::schemars::JsonSchema;
use k8s_openapi::schemars::generate::{SchemaGenerator, SchemaSettings};
use k8s_openapi::serde_json::{Map, Value};

const TYPES: &str = "src/load/builtin/meta.go.txt";
const TABLE: &str = "src/load/builtin/api.tsv";

fn main() -> io::Result<()> {
    for file in ["build.rs", TYPES, TABLE] {
        println!("cargo::rerun-if-changed={file}");
    }
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    let folder = PathBuf::from(folder);
    let descriptions = Descriptions::new();
    fs::write(folder.join("meta.go"), meta(&fs::read_to_string(TYPES)?, &descriptions))?;
    write_packages(&fs::read_to_string(TABLE)?, &descriptions, &folder)
}

/// The types of apimachinery with references replaced by descriptions.
fn meta(types: &str, descriptions: &Descriptions) -> String {
    let mut out = String::new();
    for line in types.lines() {
        match line.split_once("// {").and_then(|(indent, rest)| Some((indent, rest.strip_suffix('}')?))) {
            Some((indent, reference)) => {
                let (name, words) = reference.split_once(' ').unwrap_or((reference, ""));
                describe(&mut out, indent, &descriptions.lines(name, words));
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

fn describe(out: &mut String, indent: &str, lines: &[String]) {
    for line in lines {
        out.push_str(format!("{indent}// {line}").trim_end());
        out.push('\n');
    }
}

/// Writes each package of the table as compressed Go, and the function that looks it up.
fn write_packages(table: &str, descriptions: &Descriptions, folder: &Path) -> io::Result<()> {
    let mut arms = String::new();
    for package in table.split("\npackage\t").skip(1) {
        let (import, rows) = package.split_once('\n').unwrap_or((package, ""));
        let file = format!("{}.deflate", import.replace('/', "-"));
        let mut out = DeflateEncoder::new(fs::File::create(folder.join(&file))?, Compression::best());
        out.write_all(go(import, rows, descriptions).as_bytes())?;
        out.finish()?;
        let include = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))");
        arms.push_str(&format!("        \"{import}\" => {include},\n"));
    }
    let function = format!(
        "fn compressed(import: &str) -> Option<&'static [u8]> {{\n    Some(match import {{\n{arms}        _ => return None,\n    }})\n}}\n"
    );
    fs::write(folder.join("packages.rs"), function)
}

/// A package of the table as Go.
fn go(import: &str, rows: &str, descriptions: &Descriptions) -> String {
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let group = import.strip_prefix("k8s.io/").unwrap_or(import).replace('/', ".");
    let named = |name: &str| format!("io.k8s.{group}.{name}");
    let mut imports = BTreeSet::new();
    // The API describes fields of embedded types at the embedding types.
    let mut holders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut types = String::new();
    let mut holder = "";
    for row in &rows {
        match row.as_slice() {
            ["import", name, path] => {
                imports.insert((*name, *path));
            }
            ["type", name, ..] => holder = name,
            ["", "", embedded, ..] => holders.entry(embedded).or_default().push(holder),
            _ => {}
        }
    }
    let mut is_open = false;
    for row in &rows {
        match row.as_slice() {
            ["type", name, expr, markers, words] => {
                types.push_str(if is_open { "}\n\n" } else { "\n" });
                is_open = *expr == "struct";
                holder = name;
                describe(&mut types, "", &descriptions.lines(&named(name), words));
                mark(&mut types, "", markers);
                let _ = writeln!(types, "type {name} {expr}{}", if is_open { " {" } else { "" });
            }
            ["", name, expr, tag, markers, words] => {
                let key = tag.split(',').next().unwrap_or_default();
                let owners = std::iter::once(&holder).chain(holders.get(holder).into_iter().flatten());
                let mut lines =
                    owners.map(|owner| descriptions.lines(&format!("{}.{key}", named(owner)), words));
                describe(&mut types, "\t", &lines.find(|lines| !lines.is_empty()).unwrap_or_default());
                mark(&mut types, "\t", markers);
                let _ = writeln!(types, "\t{name} {expr} `json:\"{tag}\"`");
            }
            _ => {}
        }
    }
    types.push_str(if is_open { "}\n" } else { "" });
    let imports: String = imports.iter().map(|(name, path)| format!("\t{name} \"{path}\"\n")).collect();
    let package = import.rsplit('/').next().unwrap_or_default();
    format!("package {package}\n\nimport (\n{imports})\n{types}")
}

fn mark(out: &mut String, indent: &str, markers: &str) {
    for marker in markers.split('|').filter(|marker| !marker.is_empty()) {
        let _ = writeln!(out, "{indent}// +{marker}");
    }
}

/// The descriptions of the API.
struct Descriptions {
    definitions: Map<String, Value>,
}

impl Descriptions {
    fn new() -> Self {
        let mut generator = SchemaSettings::default().into_generator();
        let all: [fn(&mut SchemaGenerator); 45] = [
            of::<Condition>,
            of::<LabelSelector>,
            of::<ObjectMeta>,
            of::<api::admissionregistration::v1::MutatingWebhookConfiguration>,
            of::<api::admissionregistration::v1::ValidatingAdmissionPolicy>,
            of::<api::admissionregistration::v1::ValidatingAdmissionPolicyBinding>,
            of::<api::admissionregistration::v1::ValidatingWebhookConfiguration>,
            of::<api::apps::v1::ControllerRevision>,
            of::<api::apps::v1::DaemonSet>,
            of::<api::apps::v1::Deployment>,
            of::<api::apps::v1::ReplicaSet>,
            of::<api::apps::v1::StatefulSet>,
            of::<api::authorization::v1::SubjectAccessReview>,
            of::<api::autoscaling::v1::HorizontalPodAutoscaler>,
            of::<api::autoscaling::v2::HorizontalPodAutoscaler>,
            of::<api::batch::v1::CronJob>,
            of::<api::batch::v1::Job>,
            of::<api::coordination::v1::Lease>,
            of::<api::core::v1::ConfigMap>,
            of::<api::core::v1::Endpoints>,
            of::<api::core::v1::Event>,
            of::<api::core::v1::LimitRange>,
            of::<api::core::v1::Namespace>,
            of::<api::core::v1::Node>,
            of::<api::core::v1::ObjectReference>,
            of::<api::core::v1::PersistentVolume>,
            of::<api::core::v1::Pod>,
            of::<api::core::v1::PodTemplate>,
            of::<api::core::v1::ReplicationController>,
            of::<api::core::v1::ResourceQuota>,
            of::<api::core::v1::Secret>,
            of::<api::core::v1::Service>,
            of::<api::core::v1::ServiceAccount>,
            of::<api::discovery::v1::EndpointSlice>,
            of::<api::networking::v1::Ingress>,
            of::<api::networking::v1::IngressClass>,
            of::<api::networking::v1::NetworkPolicy>,
            of::<api::policy::v1::PodDisruptionBudget>,
            of::<api::rbac::v1::ClusterRole>,
            of::<api::rbac::v1::ClusterRoleBinding>,
            of::<api::scheduling::v1::PriorityClass>,
            of::<api::storage::v1::CSIDriver>,
            of::<api::storage::v1::CSINode>,
            of::<api::storage::v1::StorageClass>,
            of::<api::storage::v1::VolumeAttachment>,
        ];
        all.iter().for_each(|of| of(&mut generator));
        Self { definitions: generator.take_definitions(true) }
    }

    /// The lines of the description of a type or field, by the number of words in each; empty if the API has no description.
    fn lines(&self, name: &str, words: &str) -> Vec<String> {
        let lengths = words.split(' ').filter_map(|length| length.parse::<usize>().ok());
        // The API describes the fields that all kinds share with each kind.
        let name = match name.split_once(".TypeMeta.") {
            Some((_, field)) => format!("io.k8s.api.core.v1.Pod.{field}"),
            None => name.to_owned(),
        };
        let of_type = self.definitions.get(&name);
        let of_field = || {
            let (owner, field) = name.rsplit_once('.')?;
            self.definitions.get(owner)?.get("properties")?.get(field)
        };
        let text =
            of_type.or_else(of_field).and_then(|schema| schema.get("description")).and_then(Value::as_str);
        let Some(text) = text else { return Vec::new() };
        let mut rest: Vec<&str> =
            text.split("\n\n").flat_map(|paragraph| paragraph.split([' ', '\n'])).collect();
        let mut lines = Vec::new();
        for length in lengths {
            let taken: Vec<&str> = rest.drain(..length.min(rest.len())).collect();
            lines.push(taken.join(" "));
        }
        if !rest.is_empty() {
            lines.push(rest.join(" "));
        }
        lines.retain({
            let mut was_blank = false;
            move |line: &String| !(std::mem::replace(&mut was_blank, line.is_empty()) && line.is_empty())
        });
        lines
    }
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) {
    generator.subschema_for::<T>();
}
