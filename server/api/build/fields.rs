//! Makes `texts.rs` of the API's own descriptions of its fields: a constant for each type that a
//! CustomResourceDefinition is made of, with the text for each field. They are taken from `k8s-openapi`, which is
//! needed for nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::schemars::generate::SchemaSettings;
use k8s_openapi::serde_json::Value;

/// Writes the constants into `directory`.
pub(crate) fn write(directory: &Path) -> io::Result<()> {
    let mut generator = SchemaSettings::default().into_generator();
    generator.subschema_for::<CustomResourceDefinition>();
    let mut source = String::new();
    for (path, schema) in generator.take_definitions(true) {
        write_type(&path, &schema, &mut source).map_err(io::Error::other)?;
    }
    fs::write(directory.join("texts.rs"), source)
}

/// The constant for the type of that full name, if it has fields.
fn write_type(path: &str, schema: &Value, source: &mut String) -> std::fmt::Result {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Ok(()) };
    let name = path.rsplit('.').next().unwrap_or(path);
    writeln!(source, "pub(super) const {}: Texts = &[", constant(name))?;
    for (field, schema) in properties {
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            writeln!(source, "    ({field:?}, {:?}),", markdown(text))?;
        }
    }
    writeln!(source, "];")
}

/// `text` as Markdown. In the published document the items of most lists run on in one line; and outside of code two
/// underscores are meant as they are.
fn markdown(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let is_list = line.starts_with("- ") || line.contains(": - ");
        let line = if is_list { line.replace(" - ", "\n- ") } else { line.to_owned() };
        let parts = line.split('`').enumerate().map(|(at, part)| {
            let is_code = at % 2 == 1;
            if is_code { part.to_owned() } else { part.replace("__", "\\_\\_") }
        });
        parts.collect::<Vec<_>>().join("`")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// `JSONSchemaProps` as `JSON_SCHEMA_PROPS`.
fn constant(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut constant = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let behind = letters.get(at + 1);
        let is_lower = |other: Option<&char>| other.is_some_and(|letter| letter.is_lowercase());
        if letter.is_uppercase() && before.is_some() && (is_lower(before) || is_lower(behind)) {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
    }
    constant
}
