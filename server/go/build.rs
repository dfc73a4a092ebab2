//! Puts the API's own descriptions, which `k8s-openapi` has, into the built-in types of apimachinery.
//!
//! The description of the API has them in one line each; the types say how many words a line of them has in Go.

use std::path::Path;
use std::{env, fs, io};

use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector, ObjectMeta};
use k8s_openapi::schemars::generate::SchemaSettings;
use k8s_openapi::serde_json::{Map, Value};

const TYPES: &str = "src/load/builtin/meta.go.txt";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={TYPES}");
    let mut generator = SchemaSettings::default().into_generator();
    generator.subschema_for::<Pod>();
    generator.subschema_for::<Condition>();
    generator.subschema_for::<LabelSelector>();
    generator.subschema_for::<ObjectMeta>();
    let definitions = generator.take_definitions(true);
    let types = fs::read_to_string(TYPES)?;
    let mut out = String::new();
    for line in types.lines() {
        match line.split_once("// {").and_then(|(indent, rest)| Some((indent, rest.strip_suffix('}')?))) {
            Some((indent, reference)) => {
                for text in described(&definitions, reference) {
                    out.push_str(format!("{indent}// {text}").trim_end());
                    out.push('\n');
                }
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&folder).join("meta.go"), out)
}

/// The lines of the description that a reference names; none where the API describes no such thing.
fn described(definitions: &Map<String, Value>, reference: &str) -> Vec<String> {
    let mut words = reference.split(' ');
    let name = words.next().unwrap_or("");
    let lengths = words.filter_map(|length| length.parse::<usize>().ok());
    // What all kinds share is described with each of them.
    let name = match name.split_once(".TypeMeta.") {
        Some((_, field)) => format!("io.k8s.api.core.v1.Pod.{field}"),
        None => name.to_owned(),
    };
    let of_type = definitions.get(&name);
    let of_field = || {
        let (owner, field) = name.rsplit_once('.')?;
        definitions.get(owner)?.get("properties")?.get(field)
    };
    let text = of_type.or_else(of_field).and_then(|schema| schema.get("description")).and_then(Value::as_str);
    let Some(text) = text else { return Vec::new() };
    let mut rest: Vec<&str> = text.split("\n\n").flat_map(|paragraph| paragraph.split([' ', '\n'])).collect();
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
