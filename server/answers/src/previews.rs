//! Previews as texts, for the command line and for editors.

use std::fmt::Write;

use ide::compat::{FieldCell, FieldDeclaration, FieldRow, VersionTable};
use ide::preview::{PublishedDefinition, ResourceEvaluation, StoredObject, TracedExpression, json_as_yaml};

/// The stored form of an object of `place`, or the reasons for its rejection.
pub fn stored_text(place: &str, object: &StoredObject) -> String {
    let verdict = if object.errors.is_empty() { "" } else { " is rejected" };
    let mut text = format!("# {place}: {} {}{verdict}\n", object.kind, object.name);
    let comments = object.errors.iter().map(|error| format!("error: {error}"));
    let not_compared = object.not_compared.iter().map(|why| format!("{why}; the object is treated as new"));
    let comments = comments
        .chain(not_compared)
        .chain(object.warnings.iter().map(|warning| format!("warning: {warning}")));
    for comment in comments {
        for line in comment.lines() {
            text.extend(["# ", line, "\n"]);
        }
    }
    text.push_str(object.yaml.as_deref().unwrap_or_default());
    text
}

/// The published schema of each version, as YAML documents.
pub fn published_texts(definition: &PublishedDefinition) -> Vec<String> {
    let text = |version: &ide::preview::PublishedVersion| {
        let schema = version.schemas.get(&version.model).map(json_as_yaml).unwrap_or_default();
        format!("# {} {}: {}\n{schema}", definition.name, version.name, version.model)
    };
    definition.versions.iter().map(text).collect()
}

/// The results of `rules` on a resource.
pub fn evaluated_text(of: &ResourceEvaluation, rules: &[TracedExpression]) -> String {
    let mut text = format!("{} {}\n", of.kind, of.name);
    if let Some(why) = &of.not_compared {
        let _ = writeln!(text, "  {why}; the resource is treated as new");
    }
    if rules.is_empty() {
        text.push_str("  no rules apply\n");
    }
    for rule in rules {
        let number = if rule.number == 0 { String::new() } else { format!("rule {} ", rule.number) };
        let place = if rule.path.is_empty() { "the resource" } else { &rule.path };
        let result = match &rule.result {
            Some(Ok(value)) if value == "false" && rule.ratchets => {
                "false, only a warning because the value is unchanged".to_owned()
            }
            Some(result) => result_text(result),
            None if of.is_update => "not evaluated: there is no stored value for oldSelf".to_owned(),
            None => "not evaluated: only an update has oldSelf".to_owned(),
        };
        let _ = writeln!(text, "{number}at {place}: {result} (cost {})", rule.cost);
        for part in &rule.parts {
            let written = rule.text.get(part.range.as_usize()).unwrap_or_default();
            let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
            let values: Vec<String> = part.values.iter().map(result_text).collect();
            let more = part.times - part.values.len();
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            let indentation = "  ".repeat(part.depth + 1);
            let _ = writeln!(text, "{indentation}{written}  =>  {}{more}", values.join(", "));
        }
    }
    text
}

fn result_text(result: &Result<String, String>) -> String {
    match result {
        Ok(value) => value.clone(),
        Err(error) => format!("error: {error}"),
    }
}

/// The fields of a definition by version; only the fields that differ, unless `all` is set.
pub fn versions_text(name: &str, table: &VersionTable, all: bool) -> String {
    let mut lines: Vec<Vec<String>> = Vec::new();
    let head = table.versions.iter().map(|version| {
        let marks = [(version.storage, " (storage)"), (!version.served, " (not served)")];
        let marks: String = marks.iter().filter(|(applies, _)| *applies).map(|(_, mark)| *mark).collect();
        format!("{}{marks}", version.name)
    });
    lines.push([String::new()].into_iter().chain(head).collect());
    let mut top: Option<(&FieldRow, usize)> = None;
    for row in table.rows.iter().filter(|row| all || !row.is_same()) {
        let follows = !all && top.is_some_and(|(above, _)| row.follows_from(above));
        if let (Some((_, below)), true) = (&mut top, follows) {
            *below += 1;
            continue;
        }
        count_omitted_below(&mut lines, top);
        top = row.is_lost().then_some((row, 0));
        let cells = row.cells.iter().map(|cell| match cell {
            FieldCell::Dropped => "-".to_owned(),
            FieldCell::Kept => "kept unchecked".to_owned(),
            FieldCell::Declared(declared) => declared.summary_beside(&other_declarations(row, declared)),
        });
        lines.push([row.path.clone()].into_iter().chain(cells).collect());
    }
    count_omitted_below(&mut lines, top);
    let mut text = format!("{name}\n");
    if lines.len() == 1 {
        text.push_str("  all versions have the same fields\n");
        text.push_str(&order(table));
        return text;
    }
    let columns = table.versions.len() + 1;
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in &lines {
        let padded = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        let line = padded.collect::<Vec<_>>().join("  ");
        text.extend(["  ", line.trim_end(), "\n"]);
    }
    text.extend(["  ", &consequences(table), "\n"]);
    text.push_str(&order(table));
    text
}

/// The order in which discovery lists the versions, if there are several.
fn order(table: &VersionTable) -> String {
    let served = table.versions.iter().filter(|version| version.served);
    let served: Vec<&str> = served.map(|version| version.name.as_str()).collect();
    match served.as_slice() {
        [first, _, ..] => {
            format!("  Discovery lists {}; kubectl uses {first} by default.\n", served.join(", "))
        }
        _ => String::new(),
    }
}

/// Adds to the last line the number of omitted fields below its field, which follow from it.
fn count_omitted_below(lines: &mut [Vec<String>], top: Option<(&FieldRow, usize)>) {
    let Some((_, below @ 1..)) = top else { return };
    if let Some(path) = lines.last_mut().and_then(|line| line.first_mut()) {
        let _ = write!(path, " (and {} below)", fields(below));
    }
}

fn other_declarations<'r>(row: &'r FieldRow, but: &FieldDeclaration) -> Vec<&'r FieldDeclaration> {
    let declared = row.cells.iter().filter_map(|cell| match cell {
        FieldCell::Declared(declared) => Some(declared),
        _ => None,
    });
    declared.filter(|other| !std::ptr::eq(*other, but)).collect()
}

/// The consequences for the fields that differ between versions.
fn consequences(table: &VersionTable) -> String {
    let lost = table.rows.iter().filter(|row| row.is_lost()).count();
    let different = table.rows.iter().filter(|row| !row.is_same() && !row.is_lost()).count();
    let never_stored = table.never_stored();
    let is_none = table.strategy == "None";
    let mut sentences = Vec::new();
    if !is_none {
        sentences.push(format!(
            "A webhook converts between the versions and must map {}.",
            fields(lost + different)
        ));
    }
    match (lost, is_none) {
        (0, _) => {}
        (_, true) => sentences.push(format!(
            "`-`: kube-apiserver drops the field for clients of that version, and objects that they write lose it \
             ({}).",
            fields(lost)
        )),
        (_, false) => sentences.push(format!("`-`: the version does not have the field ({}).", fields(lost))),
    }
    match (never_stored, is_none) {
        (0, _) => {}
        (count, true) => sentences.push(format!("Fields missing from the storage version are lost ({}).", fields(count))),
        (count, false) => sentences.push(format!(
            "Fields missing from the storage version are lost unless the webhook keeps them in another field or an \
             annotation ({}).",
            fields(count)
        )),
    }
    match (different, is_none) {
        (0, _) => {}
        (count, true) => sentences.push(format!(
            "{}: one version may accept or default a value that another rejects.",
            if count == 1 { "1 field differs".to_owned() } else { format!("{count} fields differ") }
        )),
        (count, false) => sentences
            .push(format!("One version may accept a value that another rejects ({}).", fields(count))),
    }
    sentences.join(" ")
}

fn fields(count: usize) -> String {
    format!("{count} field{}", if count == 1 { "" } else { "s" })
}
