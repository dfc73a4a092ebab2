//! Values that are proposed, and the fields for which there are any.

use api::FieldType;
use crd::schema::Keyword;
use crd::schema::structural::Structural;
use crd::value::Kind;

use crate::analysis::resources::{Member, Shape};
use crate::features::cel::CompletionKind;
use crate::features::resources::flow;

/// A value, with its notation.
pub(super) struct Proposal {
    pub(super) text: String,
    /// Whether it is a string, which may be quoted.
    pub(super) is_string: bool,
    pub(super) kind: CompletionKind,
    pub(super) detail: String,
    /// Markdown: its meaning in the API; may be empty.
    pub(super) meaning: String,
    /// Whether it comes first.
    pub(super) is_default: bool,
}

impl Proposal {
    pub(super) fn value(text: String, is_string: bool) -> Self {
        let (detail, meaning) = (String::new(), String::new());
        Self { text, is_string, kind: CompletionKind::Value, detail, meaning, is_default: false }
    }
}

/// The values in a schema.
pub(super) fn of_schema(schema: &Structural) -> Vec<Proposal> {
    let mut all: Vec<Proposal> = Vec::new();
    let mut add = |value: &crd::value::Value, detail: &str| {
        let (text, is_string) = match &value.kind {
            Kind::String(text) if !text.contains(['\n', '\r']) => (text.to_string(), true),
            Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => (flow(value), false),
            _ => return,
        };
        if !all.iter().any(|other| other.text == text && other.is_string == is_string) {
            let is_default = detail == "default";
            all.push(Proposal { detail: detail.to_owned(), is_default, ..Proposal::value(text, is_string) });
        }
    };
    schema.generic.default.iter().for_each(|value| add(value, "default"));
    schema.value_validation.enumeration.iter().for_each(|value| add(value, "enum"));
    if &*schema.generic.type_name == "boolean" {
        for value in [true, false] {
            add(&crd::value::Value::made(Kind::Bool(value)), "boolean");
        }
    }
    all
}

/// Fields of the API whose values depend on other parts of the file or the workspace.
const CONTEXT_DEPENDENT: [&str; 11] = [
    "apiVersion",
    "kind",
    "jsonPath",
    "specReplicasPath",
    "statusReplicasPath",
    "labelSelectorPath",
    "fieldPath",
    "rule",
    "plural",
    "singular",
    "listKind",
];

/// Whether some values of a field of `holder` are known, so that they can be proposed.
pub(super) fn has_known_values(holder: Shape<'_>, member: &Member<'_>) -> bool {
    let is_version = holder.object_name() == Some("CustomResourceDefinitionVersion");
    match member.shape {
        Shape::Schema(node) => !of_schema(node.schema).is_empty(),
        Shape::Api(FieldType::Bool | FieldType::SchemaOrBool) => true,
        Shape::Api(_) => member.field.is_some_and(|field| {
            !field.values.is_empty()
                || CONTEXT_DEPENDENT.contains(&field.name)
                || is_version && field.name == "name"
        }),
        Shape::Open => false,
    }
}

/// The same for the items of a list.
pub(super) fn items_have_known_values(list: &Member<'_>) -> bool {
    match list.shape.item() {
        Some(Shape::Schema(node)) => !of_schema(node.schema).is_empty(),
        _ => list.field.is_some_and(|field| {
            !field.values.is_empty()
                || matches!(Keyword::parse(field.name), Some(Keyword::Required | Keyword::ListMapKeys))
        }),
    }
}
