//! Maps tokens of Go to the nodes of a definition that come from them.

use crate::definition::{DefinedVersion, Definition};
use crate::schema::{Cause, MISSING, Schema};

/// Whether a cause is the requested one.
type IsOrigin<'a> = dyn Fn(&Cause) -> bool + 'a;

impl Definition {
    /// The path to the first node with a cause that `is_origin` accepts: keys and indexes from the root of the
    /// definition.
    #[must_use]
    pub fn node_of(&self, is_origin: &IsOrigin<'_>) -> Option<Vec<String>> {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<String>>();
        for (index, version) in self.versions.iter().enumerate() {
            let mut way = keys(&["spec", "versions"]);
            way.push(index.to_string());
            if let Some(found) = of_version(version, way, is_origin) {
                return Some(found);
            }
        }
        let cause = self.causes.iter().find(|cause| is_origin(cause))?;
        Some(match cause.keyword {
            "names" => keys(&["spec", "names"]),
            "group" => keys(&["spec", "group"]),
            "metadata" => keys(&["metadata"]),
            _ => Vec::new(),
        })
    }
}

fn of_version(version: &DefinedVersion, way: Vec<String>, is_origin: &IsOrigin<'_>) -> Option<Vec<String>> {
    let mut schema = way.clone();
    schema.extend(["schema".to_owned(), "openAPIV3Schema".to_owned()]);
    if of_schema(&version.schema, &mut schema, is_origin) {
        return Some(schema);
    }
    let below = |keyword: &str, index: Option<usize>| {
        let mut way = way.clone();
        way.push(keyword.to_owned());
        way.extend(index.map(|index| index.to_string()));
        way
    };
    let at = |keyword, place| is_origin(&Cause { keyword, place });
    let column = version.columns.iter().position(|(_, place)| at("additionalPrinterColumns", *place));
    if let Some(index) = column {
        return Some(below("additionalPrinterColumns", Some(index)));
    }
    if let Some(index) = version.selectable.iter().position(|(_, place)| at("selectableFields", *place)) {
        return Some(below("selectableFields", Some(index)));
    }
    let cause = version.causes.iter().find(|cause| is_origin(cause))?;
    Some(match cause.keyword {
        "scale" => [below("subresources", None), vec!["scale".to_owned()]].concat(),
        keyword => below(keyword, None),
    })
}

/// Extends `way` to the first such node in a schema. Returns whether there is one.
fn of_schema(schema: &Schema, way: &mut Vec<String>, is_origin: &IsOrigin<'_>) -> bool {
    let at = |place| is_origin(&Cause { keyword: "x-kubernetes-validations", place });
    if let Some(index) = schema.rules.iter().position(|rule| rule.place.is_some_and(at)) {
        way.extend(["x-kubernetes-validations".to_owned(), index.to_string()]);
        return true;
    }
    if let Some(cause) = schema.causes.iter().find(|cause| is_origin(cause)) {
        if !matches!(cause.keyword, "" | "properties" | MISSING) {
            way.push(cause.keyword.to_owned());
        }
        return true;
    }
    let mut go = |keys: &[&str], inner: &Schema| {
        let len = way.len();
        way.extend(keys.iter().map(|key| (*key).to_owned()));
        let found = of_schema(inner, way, is_origin);
        if !found {
            way.truncate(len);
        }
        found
    };
    for (name, inner) in &schema.properties {
        if go(&["properties", name], inner) {
            return true;
        }
    }
    if schema.items.as_deref().is_some_and(|inner| go(&["items"], inner)) {
        return true;
    }
    if schema.additional().is_some_and(|inner| go(&["additionalProperties"], inner)) {
        return true;
    }
    for (key, all) in [("allOf", &schema.all_of), ("anyOf", &schema.any_of)] {
        for (index, inner) in all.iter().enumerate() {
            if go(&[key, &index.to_string()], inner) {
                return true;
            }
        }
    }
    false
}
