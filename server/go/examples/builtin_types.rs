//! Writes the table of built-in types from the source of k8s.io/api:
//!
//! `cargo run --package crd-ls-go --example builtin_types -- FOLDER > server/go/src/load/builtin/api.tsv`
//!
//! The table contains names, types, tags and markers. For descriptions, it contains the number of words in each line;
//! `build.rs` takes the words from `k8s-openapi`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use go::syntax::{ExprKind, Field, File, Reader, TypeDeclaration, json_tag};

/// The packages whose types occur in custom resources.
const PACKAGES: [&str; 16] = [
    "admissionregistration/v1",
    "apps/v1",
    "authorization/v1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "coordination/v1",
    "core/v1",
    "discovery/v1",
    "networking/v1",
    "policy/v1",
    "rbac/v1",
    "resource/v1",
    "scheduling/v1",
    "scheduling/v1alpha3",
    "storage/v1",
];

/// The prefixes of markers on which a schema depends.
const MARKERS: [&str; 12] = [
    "default=",
    "k8s:format",
    "k8s:immutable",
    "k8s:max",
    "k8s:min",
    "k8s:optional",
    "k8s:required",
    "kubebuilder:",
    "list",
    "mapType=",
    "nullable",
    "structType=",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("missing argument: the directory of k8s.io/api")?);
    let mut table = String::from(
        "# Made by `cargo run --package crd-ls-go --example builtin_types`. Rows: package, import (name, path), type (name, type, markers,\n\
         # words in each line of its description), and fields (name, type, JSON tag, markers, words).\n",
    );
    for package in PACKAGES {
        let mut files: Vec<PathBuf> = fs::read_dir(folder.join(package))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        files.retain(|path| declares_types(path));
        files.sort();
        writeln!(table, "package\tk8s.io/api/{package}")?;
        for path in files {
            let file =
                Reader::new().and_then(|mut reader| reader.read(&path, fs::read_to_string(&path).ok()?));
            write(&file.ok_or("a file cannot be read")?, &mut table)?;
        }
    }
    print!("{table}");
    Ok(())
}

/// Files that are generated from types, and tests, declare no types.
fn declares_types(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with("types.go") || name.ends_with("_type.go")
}

fn write(file: &File, table: &mut String) -> std::fmt::Result {
    for import in &file.imports {
        writeln!(table, "import\t{}\t{}", import.name.as_deref().unwrap_or_default(), import.path)?;
    }
    for (declaration, declared) in file.types() {
        let doc = declared.spec.doc.or(declaration.doc);
        let fields = match &declared.expr.kind {
            ExprKind::Struct(fields) => Some(fields),
            _ => None,
        };
        writeln!(table, "type\t{}\t{}", declared.name.name, of_type(file, declared, doc, fields.is_some()))?;
        for field in fields.into_iter().flatten() {
            writeln!(table, "{}", of_field(file, field))?;
        }
    }
    Ok(())
}

fn of_type(file: &File, declared: &TypeDeclaration, doc: Option<usize>, is_struct: bool) -> String {
    let expr = if is_struct { "struct" } else { file.slice(declared.expr.span) };
    format!("{expr}\t{}\t{}", markers(file, doc), doc_text(file, doc))
}

fn of_field(file: &File, field: &Field) -> String {
    let names: Vec<&str> = field.names.iter().map(|name| &*name.name).collect();
    let tag = field.tag.as_ref().and_then(|tag| json_tag(&tag.text)).map(|(tag, _)| tag).unwrap_or_default();
    let (expr, doc) = (file.slice(field.expr.span), field.spec.doc);
    format!("\t{}\t{expr}\t{tag}\t{}\t{}", names.join(", "), markers(file, doc), doc_text(file, doc))
}

fn markers(file: &File, doc: Option<usize>) -> String {
    let group = doc.and_then(|group| file.groups.get(group));
    let comments =
        group.into_iter().flat_map(|group| group.comments.clone()).map(|number| file.comment(number));
    let markers = comments.filter_map(|comment| comment.strip_prefix("//")?.trim().strip_prefix('+'));
    let counts = |marker: &&str| {
        matches!(*marker, "optional" | "required") || MARKERS.iter().any(|start| marker.starts_with(start))
    };
    markers.filter(counts).collect::<Vec<_>>().join("|")
}

fn doc_text(file: &File, doc: Option<usize>) -> String {
    let text = file.documentation(doc, true);
    if text.is_empty() {
        return String::new();
    }
    text.lines().map(|line| words_of(line).to_string()).collect::<Vec<_>>().join(" ")
}

/// The number of parts between blanks: two blanks have an empty part between them.
fn words_of(line: &str) -> usize {
    if line.trim().is_empty() { 0 } else { line.trim_end().split(' ').count() }
}
