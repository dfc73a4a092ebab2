//! `crd-ls test --generate`: writes the cases that are missing beside the definitions.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cases::generate::{Made, missing_cases};
use cases::{Value, coverage::Coverage};

use super::coverage::Coverages;
use crate::cli::print::Shown;

/// Of longer texts of errors the end is expected, in bytes.
const MOST_TEXT: usize = 200;

/// Writes what no case shows of the definitions. What cases there are stays as it is.
pub(super) fn write(coverages: &mut Coverages, shown: &mut Shown) {
    let mut texts: BTreeMap<PathBuf, (String, usize)> = BTreeMap::new();
    coverages.for_each(|file, several, coverage| {
        let before = missing(coverage);
        let made = missing_cases(coverage);
        if before > 0 {
            let left = missing(coverage);
            shown.notes.push(format!(
                "{}: {} cases made, {left} of {before} gaps left",
                file.display(),
                made.len()
            ));
        }
        if made.is_empty() {
            return;
        }
        let (text, count) = texts.entry(suite_of(file)).or_default();
        *count += made.len();
        text.push_str(if text.is_empty() { "" } else { "---\n" });
        text.push_str(&suite(file, several, coverage, &made));
    });
    for (path, (text, count)) in texts {
        let before = match fs::read_to_string(&path) {
            Ok(before) => before,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                shown.problems.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        let separator = match before.as_str() {
            "" => "",
            before if before.ends_with('\n') => "---\n",
            _ => "\n---\n",
        };
        match fs::write(&path, format!("{before}{separator}{text}")) {
            Ok(()) => {
                let _ = writeln!(shown.text, "{count} cases written to {}", path.display());
            }
            Err(error) => shown.problems.push(format!("{}: {error}", path.display())),
        }
    }
}

fn missing(coverage: &Coverage) -> usize {
    let share = coverage.share(None);
    share.all - share.covered
}

/// The suite beside a definition.
fn suite_of(file: &Path) -> PathBuf {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("definition");
    file.with_file_name(format!("{stem}_test.yaml"))
}

/// The cases as a document.
fn suite(file: &Path, several: bool, coverage: &Coverage, made: &[Made]) -> String {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut out = format!("# Cases that `crd-ls test --generate` made.\ndefinition: {}\n", quoted(name));
    if several {
        // Writing to a text cannot fail.
        let _ = writeln!(out, "version: {}", quoted(coverage.version_name()));
    }
    out.push_str("cases:\n");
    made.iter().for_each(|made| case(made, &mut out));
    out
}

fn case(made: &Made, out: &mut String) {
    let _ = write!(out, "# {}\n- name: {}\n", made.shows, quoted(&made.name));
    match &made.given {
        None => object("given", &made.object, out),
        Some(given) => {
            object("given", given, out);
            object("update", &made.object, out);
        }
    }
    out.push_str("  expect:\n");
    if made.errors.is_empty() {
        out.push_str("    accepted: true\n");
        return;
    }
    out.push_str("    errors:\n");
    for (field, message) in &made.errors {
        let text = message.strip_prefix(&format!("{field}: ")).unwrap_or(message);
        let from = text.len().saturating_sub(MOST_TEXT);
        let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let text = text.get(from..).unwrap_or_default();
        let _ = write!(out, "    - field: {}\n      text: {}\n", quoted(field), quoted(text));
    }
}

fn object(name: &str, value: &Value, out: &mut String) {
    let _ = writeln!(out, "  {name}:");
    for line in ide::preview::json_as_yaml(&value.to_json()).lines() {
        let _ = writeln!(out, "    {line}");
    }
}

/// A text as JSON, which is YAML, too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
