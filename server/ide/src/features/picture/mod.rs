//! A definition as something to look at: its fields with what each version says of them, its rules, and what these cost.
//! Pages and clients are made from this one model.

mod rows;
#[cfg(test)]
mod tests;

use crd::customresource::{ResourceVersion, by_precedence};
use crd::object::{CustomResourceDefinition, definitions};
use serde::Serialize;
use text::{TextBuffer, TextSize};
use yaml::Reader;

use crate::analysis::catalog::name;
use crate::{EXPRESSION_LIMIT, File, RuleCost, SCHEMA_LIMIT, VersionCost, is_unbounded};

/// Of a definition with more fields the others are counted.
pub const MOST_FIELDS: usize = 5_000;

/// A place in the text, in lines and units of the encoding that was asked for, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub character: u32,
}

/// What to look at of one definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// `spec.group`.
    pub group: String,
    /// `spec.names.kind`.
    pub kind: String,
    /// Where it begins.
    pub place: Place,
    /// Its versions, in the order in which discovery lists them.
    pub versions: Vec<PictureVersion>,
    /// The fields of all versions, each above those within it.
    pub fields: Vec<PictureField>,
    /// How many more fields there are at least.
    pub left_out: usize,
    /// What one rule may cost.
    pub rule_limit: u64,
    /// What all rules of a version may cost.
    pub version_limit: u64,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureVersion {
    /// Its name.
    pub name: String,
    /// Whether requests for it are answered.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// With what the server warns of it.
    pub deprecated: Option<String>,
    /// What its rules cost together.
    pub cost: u64,
    /// Why nothing is known of that.
    pub error: Option<String>,
}

/// A field in all versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureField {
    /// Where it is in objects, such as `.spec.ports[*].name`; empty for the object itself.
    pub path: String,
    /// Its name; `[*]` for all items or members.
    pub name: String,
    /// In how many fields it is.
    pub depth: usize,
    /// What each version says of it, in the order of the versions.
    pub versions: Vec<PictureCell>,
    /// Whether they all say the same.
    pub is_same: bool,
}

/// What one version says of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "says", rename_all = "camelCase")]
pub enum PictureCell {
    /// It does not have the field: the server drops it.
    Dropped,
    /// It does not have the field, and keeps it unchecked.
    Kept,
    /// What it declares.
    Declared(Box<Said>),
}

/// What a version declares of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Said {
    /// `type`, or what stands for it.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Whether it must be there.
    pub required: bool,
    /// Its default, as JSON.
    pub default: Option<String>,
    /// The values that it may have, as JSON; all while empty.
    pub allowed: Vec<String>,
    /// What else its values have to fulfil.
    pub bounds: Vec<String>,
    /// Its description, cut where it is long.
    pub description: Option<String>,
    /// Its rules.
    pub rules: Vec<PictureRule>,
    /// Where it is declared.
    pub place: Place,
}

/// A rule and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureRule {
    /// The expression.
    pub rule: String,
    /// What users are told where it does not hold.
    pub message: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it costs; none where that is not known.
    pub cost: Option<PictureCost>,
    /// The expression that makes the message.
    pub message_expression: Option<PictureMessage>,
}

/// An expression that makes a message, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureMessage {
    /// The expression.
    pub expression: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it costs; none where that is not known.
    pub cost: Option<PictureCost>,
}

/// What a rule costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureCost {
    /// What one evaluation costs at most.
    pub per_call: u64,
    /// How often it may be evaluated.
    pub times: u64,
    /// What all evaluations cost.
    pub total: u64,
    /// Whether nothing bounds that.
    pub is_unbounded: bool,
    /// Why it has no cost, in the words of the server.
    pub error: Option<String>,
    /// What makes it expensive for want of a bound.
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
    /// Where that is declared.
    pub place: Place,
}

impl File {
    /// The definitions in this text, `buffer`, to look at. `place` finds lines and columns.
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
                let Some((group, kind, _)) = name(&definition) else { continue };
                let mut versions = ResourceVersion::all(&definition, &reader, &mut caches.crd);
                versions.sort_by(|one, other| by_precedence(&one.name, &other.name));
                let view = View { buffer, place, costs: &cost };
                pictures.push(view.picture(&definition, (group, kind), &versions));
            }
        }
        pictures
    }
}

/// What a picture is made with.
struct View<'v> {
    buffer: &'v TextBuffer,
    place: &'v dyn Fn(TextSize) -> Place,
    costs: &'v [VersionCost],
}

impl View<'_> {
    fn picture(
        &self,
        definition: &CustomResourceDefinition<'_, '_>,
        (group, kind): (String, String),
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

    /// What the rule whose text begins at `start` costs in that version, and what its message does.
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

/// What the expression of the message costs, which is evaluated once.
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
