//! A definition as a picture: its fields with their declarations in each version, its rules, and their costs.
//! Pages and clients use this one model.

mod rows;
#[cfg(test)]
mod tests;

use crd::customresource::{ResourceVersion, by_precedence};
use crd::object::{CustomResourceDefinition, definitions};
use serde::Serialize;
use text::{TextBuffer, TextSize};
use yaml::Reader;

use crate::analysis::catalog::{DefinedName, name};
use crate::{EXPRESSION_LIMIT, File, RuleCost, SCHEMA_LIMIT, VersionCost, is_unbounded};

/// The maximum number of fields; further ones are only counted.
pub const MOST_FIELDS: usize = 5_000;

/// A position in the text, in lines and units of the requested encoding, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub character: u32,
}

/// The picture of one definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// `spec.group`.
    pub group: String,
    /// `spec.names.kind`.
    pub kind: String,
    /// The start of the definition.
    pub place: Place,
    /// Its versions, in the order in which discovery lists them.
    pub versions: Vec<PictureVersion>,
    /// The fields of all versions; each precedes the fields within it.
    pub fields: Vec<PictureField>,
    /// The minimum number of further fields.
    pub left_out: usize,
    /// The cost limit of a rule.
    pub rule_limit: u64,
    /// The cost limit of all rules of a version.
    pub version_limit: u64,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureVersion {
    /// Its name.
    pub name: String,
    /// Whether it is served.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// The deprecation warning of the server.
    pub deprecated: Option<String>,
    /// The total cost of its rules.
    pub cost: u64,
    /// Why the cost is unknown.
    pub error: Option<String>,
}

/// A field in all versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureField {
    /// Its path in objects, such as `.spec.ports[*].name`; empty for the object itself.
    pub path: String,
    /// Its name; `[*]` for all items or members.
    pub name: String,
    /// The number of fields that contain it.
    pub depth: usize,
    /// Its declarations, in the order of the versions.
    pub versions: Vec<PictureCell>,
    /// Whether all declarations are equal.
    pub is_same: bool,
}

/// The declaration of a field in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "says", rename_all = "camelCase")]
pub enum PictureCell {
    /// The version does not have the field: the server drops it.
    Dropped,
    /// The version does not have the field, and keeps it unchecked.
    Kept,
    /// The version declares the field.
    Declared(Box<PictureDeclaration>),
}

/// The declaration of a field in a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureDeclaration {
    /// `type`, or the equivalent of it.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Whether it is required.
    pub required: bool,
    /// Its default, as JSON.
    pub default: Option<String>,
    /// The allowed values, as JSON; all if empty.
    pub allowed: Vec<String>,
    /// The other limits on its values.
    pub bounds: Vec<String>,
    /// Its description, cut if it is long.
    pub description: Option<String>,
    /// Its rules.
    pub rules: Vec<PictureRule>,
    /// The position of its declaration.
    pub place: Place,
}

/// A rule and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureRule {
    /// The expression.
    pub rule: String,
    /// The message to users for a violation.
    pub message: String,
    /// Its position.
    pub place: Option<Place>,
    /// Its cost; `None` if unknown.
    pub cost: Option<PictureCost>,
    /// The expression for the message.
    pub message_expression: Option<PictureMessage>,
}

/// An expression for a message, and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureMessage {
    /// The expression.
    pub expression: String,
    /// Its position.
    pub place: Option<Place>,
    /// Its cost; `None` if unknown.
    pub cost: Option<PictureCost>,
}

/// The cost of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureCost {
    /// The maximum cost of one evaluation.
    pub per_call: u64,
    /// The maximum number of evaluations.
    pub times: u64,
    /// The cost of all evaluations.
    pub total: u64,
    /// Whether the cost is unbounded.
    pub is_unbounded: bool,
    /// Why it has no cost, as the server reports it.
    pub error: Option<String>,
    /// The missing bounds that make it expensive.
    pub causes: Vec<Cause>,
}

/// A bound that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    /// The keyword, such as `maxItems`.
    pub keyword: String,
    /// The field, such as `spec.ports`.
    pub field: String,
    /// The position of its declaration.
    pub place: Place,
}

impl File {
    /// The pictures of the definitions in this text, `buffer`. `place` finds lines and columns.
    #[must_use]
    pub fn pictures(&self, buffer: &TextBuffer, place: &dyn Fn(TextSize) -> Place) -> Vec<Picture> {
        let costs: Vec<_> = self.costs().into_iter().flat_map(|one| one.definitions).collect();
        let mut costs = costs.into_iter();
        let mut caches = self.caches();
        let mut pictures = Vec::new();
        for document in self.tree().documents() {
            let reader = Reader::new(document);
            for definition in definitions(document, &reader) {
                let cost = costs.next().map(|cost| cost.versions).unwrap_or_default();
                let Some(DefinedName { group, kind, .. }) = name(&definition) else { continue };
                let mut versions = ResourceVersion::all(&definition, &reader, &mut caches.crd);
                versions.sort_by(|one, other| by_precedence(&one.name, &other.name));
                let view = View { buffer, place, costs: &cost };
                pictures.push(view.picture(&definition, group, kind, &versions));
            }
        }
        pictures
    }
}

/// The inputs of a picture.
struct View<'v> {
    buffer: &'v TextBuffer,
    place: &'v dyn Fn(TextSize) -> Place,
    costs: &'v [VersionCost],
}

impl View<'_> {
    fn picture(
        &self,
        definition: &CustomResourceDefinition<'_, '_>,
        group: String,
        kind: String,
        versions: &[ResourceVersion],
    ) -> Picture {
        let (fields, left_out) = rows::rows(self, versions);
        let version = |version: &ResourceVersion| {
            let cost = self.cost_of(&version.name);
            PictureVersion {
                name: version.name.clone(),
                served: version.served,
                storage: version.storage,
                deprecated: version.warning.clone(),
                cost: cost.map_or(0, |cost| cost.total),
                error: cost.and_then(|cost| cost.error.clone()),
            }
        };
        Picture {
            group,
            kind,
            place: (self.place)(definition.value().range().start),
            versions: versions.iter().map(version).collect(),
            fields,
            left_out,
            rule_limit: EXPRESSION_LIMIT,
            version_limit: SCHEMA_LIMIT,
        }
    }

    fn cost_of(&self, version: &str) -> Option<&VersionCost> {
        self.costs.iter().find(|cost| cost.version == version)
    }

    /// The costs of the rule whose text begins at `start` in that version, and of its message.
    fn rule_cost(&self, version: &str, start: TextSize) -> Option<(PictureCost, PictureCost)> {
        let rules = &self.cost_of(version)?.rules;
        let cost = rules.iter().find(|cost| cost.range.start == start)?;
        Some((self.cost(cost), message_cost(cost)))
    }

    fn cost(&self, cost: &RuleCost) -> PictureCost {
        let causes = cost.unbounded.iter().map(|one| Cause {
            keyword: one.keyword.as_str().to_owned(),
            field: one.place(),
            place: (self.place)(one.range.start),
        });
        PictureCost {
            per_call: cost.per_call,
            times: cost.times,
            total: cost.total,
            is_unbounded: is_unbounded(cost.total),
            error: cost.error.clone(),
            causes: causes.collect(),
        }
    }
}

/// The cost of the expression for the message, which is evaluated once.
fn message_cost(cost: &RuleCost) -> PictureCost {
    PictureCost {
        per_call: cost.message_expression_cost,
        times: 1,
        total: cost.message_expression_cost,
        is_unbounded: is_unbounded(cost.message_expression_cost),
        error: cost.message_expression_error.clone(),
        causes: Vec::new(),
    }
}
