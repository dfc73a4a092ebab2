//! Renaming the JSON name of a field: in its tag, in the markers that name it, and in resources.

use std::collections::BTreeMap;

use go::edits::{JsonName, NodeChange, SourceEdit, changes};
use go::json::Json;
use ide::Rename;

use super::Texts;
use super::repairs::{RepairTrial, edited};
use crate::generated_definitions::{GeneratedDefinitions, json_of};

/// The changes for a new name.
pub(crate) struct RenameChanges {
    /// The edits in Go.
    pub(crate) edits: Vec<SourceEdit>,
    /// The renamed properties of definitions, for the resources that set them.
    pub(crate) properties: Vec<Rename>,
}

impl RepairTrial<'_> {
    /// Gives a field the name `new`. The error is the reason why that is not possible, for people. The rename is proven by
    /// generating again: the new definitions must equal the old ones with renamed properties.
    pub(crate) fn renamed(
        &self,
        generated: &GeneratedDefinitions,
        texts: &Texts,
        name: &JsonName,
        new: &str,
    ) -> Result<RenameChanges, String> {
        let mut renamed = RenameChanges { edits: Vec::new(), properties: Vec::new() };
        let mut expected: BTreeMap<&str, Json> = BTreeMap::new();
        for (product, made) in generated.products() {
            let properties = generated.outcome.properties_named_by(&product.name, name);
            if properties.is_empty() {
                continue;
            }
            let mut text = product.text.to_string();
            for property in &properties {
                let steps: Vec<&str> = property.steps.iter().map(String::as_str).collect();
                let key = made.file.place_of(product.start, &steps).and_then(|place| place.key);
                let key = key.ok_or_else(|| format!("{} has no such property", product.name))?;
                let rename = made.file.rename(key.start, new)?.in_version(&property.version);
                text = text::applied(&text, 0, &rename.edits(&text)?);
                renamed.properties.push(rename);
            }
            let decoded = |text: &str| json_of(text).ok_or_else(|| "the definition is not YAML".to_owned());
            let (before, after) = (decoded(&product.text)?, decoded(&text)?);
            let mut other_changes = changes(&before, &after);
            other_changes
                .retain(|change| !properties.iter().any(|property| follows(change, &property.steps)));
            renamed.edits.extend(generated.outcome.renamed(&product.name, name, new, &other_changes)?);
            expected.insert(&product.name, comparable(after));
        }
        if renamed.properties.is_empty() {
            return Err("no definition is generated with this field".to_owned());
        }
        renamed.edits = generated.outcome.in_order(renamed.edits)?;
        self.prove(generated, texts, &renamed.edits, expected)?;
        Ok(renamed)
    }

    fn prove(
        &self,
        generated: &GeneratedDefinitions,
        texts: &Texts,
        edits: &[SourceEdit],
        mut expected: BTreeMap<&str, Json>,
    ) -> Result<(), String> {
        let by_hand = |what: &str| {
            format!("the rename would change more of {what} than the name; rename the field by hand")
        };
        let texts = edited(generated, texts, edits).ok_or_else(|| by_hand("the text"))?;
        let changed: Vec<_> = edits.iter().map(|edit| edit.path.clone()).collect();
        let after = self.package.generate_without_rejected(&texts, Some((&generated.outcome, &changed)));
        let after = after.map_err(|error| error.to_string())?;
        if let Some(problem) = after.problems.iter().find(|one| !generated.outcome.problems.contains(one)) {
            return Err(problem.message.clone());
        }
        for file in &after.files {
            let is_expected = match expected.remove(file.name.as_str()) {
                Some(definition) => json_of(&file.text).map(comparable) == Some(definition),
                None => generated.text_of(&file.name) == Some(&*file.text),
            };
            if !is_expected {
                return Err(by_hand(&file.name));
            }
        }
        if expected.is_empty() { Ok(()) } else { Err(by_hand("a definition")) }
    }
}

/// Whether a change follows from the name of a property: the property itself, and its entry in the object's `required`.
fn follows(change: &NodeChange, property: &[String]) -> bool {
    let Some((_, holder)) = property.split_last() else { return false };
    let Some((_, object)) = holder.split_last() else { return false };
    let path = change.path.as_slice();
    let is_of_object =
        |keyword: &str| path.split_last().is_some_and(|(last, above)| last == keyword && above == object);
    path.split_last().is_some_and(|(_, above)| above == holder) || is_of_object("required")
}

/// The parts of a definition that a rename determines: without the messages of rules, because controller-gen derives some of
/// them from names in markers, and with sorted required properties, because controller-gen sorts them by name.
fn comparable(json: Json) -> Json {
    match json {
        Json::Map(entries) => {
            let is_rule = entries.contains_key("rule");
            let kept = entries.into_iter().filter(|(key, _)| !(is_rule && key == "message"));
            let one = |(key, value): (String, Json)| match value {
                Json::List(mut names) if key == "required" => {
                    names.sort_by_key(Json::encoded);
                    (key, Json::List(names))
                }
                value => (key, comparable(value)),
            };
            Json::Map(kept.map(one).collect())
        }
        Json::List(items) => Json::List(items.into_iter().map(comparable).collect()),
        other => other,
    }
}
