//! Values as YAML with comments.

use crd::customresource::{Kind, Map, Member, Value};
use yaml::edit::scalar;

/// What is said of the member of an object at a path, beside its key.
pub(super) type Note<'n> = &'n dyn Fn(&str, &Member) -> Option<&'static str>;

/// The path of a member.
pub(super) fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Writes `value` in lines, the names of a resource first.
pub(super) fn lines(value: &Value, note: Note<'_>) -> String {
    let mut out = String::new();
    match inline(value) {
        Some(text) => out.push_str(&text),
        None => block(value, ("", 0), note, &mut out),
    }
    out.push('\n');
    out
}

/// What fits behind a key.
pub(super) fn inline(value: &Value) -> Option<String> {
    match &value.kind {
        Kind::String(text) => Some(scalar(text)),
        Kind::List(items) if items.is_empty() => Some("[]".to_owned()),
        Kind::Map(map) if map.is_empty() => Some("{}".to_owned()),
        Kind::List(_) | Kind::Map(_) => None,
        _ => Some(value.to_json().to_string()),
    }
}

/// Its first line begins without indentation, its last one ends without a line break.
fn block(value: &Value, (path, column): (&str, usize), note: Note<'_>, out: &mut String) {
    let indentation = " ".repeat(column);
    let mut separator = String::new();
    match &value.kind {
        Kind::List(items) => {
            for (index, item) in items.iter().enumerate() {
                out.push_str(&separator);
                out.push_str("- ");
                match inline(item) {
                    Some(text) => out.push_str(&text),
                    None => block(item, (&format!("{path}[{index}]"), column + 2), note, out),
                }
                separator = format!("\n{indentation}");
            }
        }
        Kind::Map(map) => {
            for (key, member) in ordered(map) {
                out.push_str(&separator);
                out.push_str(&scalar(key));
                out.push(':');
                let path = below(path, key);
                let comment = note(&path, member).map(|note| format!(" # {note}")).unwrap_or_default();
                match inline(&member.value) {
                    Some(text) => out.push_str(&format!(" {text}{comment}")),
                    None => {
                        // Items of a list stand below its key.
                        let column = if member.value.as_list().is_some() { column } else { column + 2 };
                        out.push_str(&format!("{comment}\n{}", " ".repeat(column)));
                        block(&member.value, (&path, column), note, out);
                    }
                }
                separator = format!("\n{indentation}");
            }
        }
        _ => {}
    }
}

/// Type and name go first.
fn ordered(map: &Map) -> impl Iterator<Item = (&Box<str>, &Member)> {
    let is_first = |key: &str| matches!(key, "apiVersion" | "kind" | "metadata");
    let has_type = map.contains_key("apiVersion") && map.contains_key("kind");
    let first = map.iter().filter(move |(key, _)| has_type && is_first(key));
    first.chain(map.iter().filter(move |(key, _)| !has_type || !is_first(key)))
}
