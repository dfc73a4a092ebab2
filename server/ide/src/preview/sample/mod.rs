//! A commented sample of a kind, made from its published schema.

mod minimal;
#[cfg(test)]
mod tests;
mod view;

use crd::publish::{Form, PublishedDefinition, PublishedVersion};
use yaml::Json;
use yaml::edit::scalar;

use super::{json_as_yaml, openapi};
use crate::Settings;
use minimal::minimal;
use view::View;

/// Below so many levels of optional fields only what is required is shown.
const OPTIONAL_LEVELS: usize = 2;
/// Longer descriptions are cut, in characters.
const LONGEST: usize = 110;

/// A sample of one version of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// `GROUP/VERSION`
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The sample: what is required, and the rest as comments.
    pub yaml: String,
}

/// Samples of all versions of the kinds that `text` defines and the server serves.
///
/// # Errors
/// The server's words where it cannot read a definition.
pub fn samples(text: &str, settings: &Settings) -> Result<Vec<Sample>, String> {
    let definitions = openapi(text, Form::V3, settings)?;
    let one =
        |definition: &PublishedDefinition, version: &PublishedVersion| sample(&definition.group, version);
    let of_all = definitions.iter().flat_map(|definition| {
        definition.versions.iter().filter_map(move |version| one(definition, version))
    });
    Ok(of_all.collect())
}

fn sample(group: &str, version: &PublishedVersion) -> Option<Sample> {
    let Json::Object(schema) = version.schemas.get(&version.model)? else { return None };
    let kind = version.model.rsplit('.').next().unwrap_or_default().to_owned();
    let api_version = format!("{group}/{}", version.name);
    let root = View::new(schema);
    let mut lines = comment_of(&root);
    lines.push(format!("apiVersion: {}", scalar(&api_version)));
    lines.push(format!("kind: {}", scalar(&kind)));
    lines.extend(["metadata:".to_owned(), "  name: sample".to_owned()]);
    // Status is not for people to write.
    let is_left_out = |name: &str| {
        matches!(name, "apiVersion" | "kind" | "metadata") || name == "status" && !root.requires(name)
    };
    for name in root.names().into_iter().filter(|name| !is_left_out(name)) {
        let is_shown = name == "spec" || root.requires(name);
        lines.extend(field(name, &root.property(name), is_shown, 0));
    }
    let yaml = lines.into_iter().map(|line| line + "\n").collect();
    Some(Sample { api_version, kind, yaml })
}

/// The lines of a field: as a comment if it is not shown.
fn field(name: &str, of: &View<'_>, is_shown: bool, optional: usize) -> Vec<String> {
    let mut lines = comment_of(of);
    let key = scalar(name);
    let value = minimal(of);
    let below = if of.has_properties() && !of.has_fixed_value() && optional < OPTIONAL_LEVELS {
        children(of, optional + usize::from(!is_shown))
    } else {
        Vec::new()
    };
    let is_empty = matches!(&value, Json::Object(members) if members.is_empty());
    if below.is_empty() {
        lines.extend(written(&key, &value));
    } else {
        lines.push(format!("{key}:{}", if is_empty { " {}" } else { "" }));
        lines.extend(below.into_iter().map(|line| format!("  {line}")));
    }
    if !is_shown {
        lines.iter_mut().for_each(|line| line.insert_str(0, "# "));
    }
    lines
}

/// The fields of an object, what is required first.
fn children(of: &View<'_>, optional: usize) -> Vec<String> {
    let chosen = match minimal(of) {
        Json::Object(chosen) => chosen,
        _ => return Vec::new(),
    };
    let (first, rest): (Vec<&str>, Vec<&str>) =
        of.names().into_iter().partition(|name| chosen.contains_key(*name));
    let first = first.into_iter().flat_map(|name| field(name, &of.property(name), true, optional));
    let rest = rest.into_iter().flat_map(|name| field(name, &of.property(name), false, optional));
    let undeclared = chosen.iter().filter(|(name, _)| !of.declares(name));
    let undeclared = undeclared.flat_map(|(name, value)| written(&scalar(name), value));
    first.chain(undeclared).chain(rest).collect()
}

/// A key with its value.
fn written(key: &str, value: &Json) -> Vec<String> {
    let text = json_as_yaml(value);
    let is_block = match value {
        Json::Object(members) => !members.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if !is_block {
        return vec![format!("{key}: {}", text.trim_end())];
    }
    let below = text.lines().map(|line| format!("  {line}"));
    std::iter::once(format!("{key}:")).chain(below).collect()
}

/// What a field is, and what it may be.
fn comment_of(of: &View<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(Json::String(text)) = of.keyword("description") {
        let first = text.split("\n\n").next().unwrap_or_default();
        let words = first.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.extend(Some(crate::features::shorten(&words, LONGEST)).filter(|words| !words.is_empty()));
    }
    lines.extend(of.facts().map(|facts| crate::features::shorten(&facts, LONGEST)));
    lines.iter_mut().for_each(|line| line.insert_str(0, "# "));
    lines
}
