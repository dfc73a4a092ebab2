//! The rules of a schema node, kept with the node after their first use (`NewValidator`).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use cel::{DeclField, DeclType, StringBounds};
use text::TextSize;

use super::program::RuleProgram;
use crate::KubernetesVersion;
use crate::cel::{SchemaType, declared, types_its_metadata};
use crate::schema::structural::{Child, NestedOrBool, NestedValueValidation, Structural, StructuralOrBool};

/// The role of a schema node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A part of another value.
    Part,
    /// A whole resource.
    Resource,
    /// The metadata of a resource, of which CEL declares only the names.
    Metadata,
    /// A string that CEL declares for every resource, such as `kind`.
    Text,
    /// A part of metadata that CEL does not declare.
    Unknown,
}

impl Role {
    /// The role of the property `name` of `schema`, which has this role itself.
    pub(super) fn of_property(self, schema: &Structural, name: &str) -> Self {
        let is_resource = self == Self::Resource || schema.extensions.embedded_resource;
        match (self, name) {
            (Self::Metadata, "name" | "generateName") => Self::Text,
            (Self::Metadata | Self::Text | Self::Unknown, _) => Self::Unknown,
            (_, "apiVersion" | "kind") if is_resource && !types_its_metadata(schema) => Self::Text,
            (_, "metadata") if is_resource && !types_its_metadata(schema) => Self::Metadata,
            _ => Self::Part,
        }
    }

    pub(super) fn declared(self, schema: &Structural) -> Option<SchemaType> {
        let text = || DeclType::string(StringBounds::default());
        // The bounds that depend on the version do not matter for the evaluation of expressions.
        let version = KubernetesVersion::NEWEST;
        match self {
            Self::Part => declared(schema, false, version),
            Self::Resource => declared(schema, true, version),
            Self::Metadata => {
                let field = |name: &str| DeclField {
                    property: name.to_owned(),
                    field_type: text(),
                    required: false,
                    has_default: false,
                };
                Some(SchemaType::new(DeclType::object([field("generateName"), field("name")])))
            }
            Self::Text => Some(SchemaType::new(text())),
            Self::Unknown => None,
        }
    }
}

/// The rules of a node, by role.
#[derive(Debug, Default)]
struct RulesCell {
    part: OnceLock<NodeRules>,
    resource: OnceLock<NodeRules>,
    /// For all other roles: a node of metadata has only one of them.
    meta: OnceLock<NodeRules>,
}

/// The rules of a node.
#[derive(Debug, Default)]
pub(super) struct NodeRules {
    /// The node's own rules.
    pub(super) own: Vec<RuleProgram>,
    /// Whether the node itself has rules and no type in CEL.
    pub(super) is_untyped: bool,
    /// The rules of `allOf`.
    pub(super) all_of: Vec<BranchRules>,
}

/// The rules in one branch of `allOf`; places are relative to its start.
#[derive(Debug)]
pub(super) struct BranchRules {
    /// The distance from the start of the node above to the start of this one, in bytes.
    pub(super) distance: TextSize,
    pub(super) ready: NodeRules,
    pub(super) items: Option<Box<Self>>,
    pub(super) properties: BTreeMap<Box<str>, Self>,
    pub(super) additional: Option<Box<Self>>,
}

/// The rules of `schema`.
pub(super) fn ready(schema: &Structural, role: Role) -> &NodeRules {
    let cells: &RulesCell = schema.remembered.answer();
    let cell = match role {
        Role::Part => &cells.part,
        Role::Resource => &cells.resource,
        Role::Metadata | Role::Text | Role::Unknown => &cells.meta,
    };
    cell.get_or_init(|| {
        let all_of = &schema.value_validation.all_of;
        if schema.validations.is_empty() && all_of.is_empty() {
            return NodeRules::default();
        }
        let of = role.declared(schema);
        let own = of
            .iter()
            .flat_map(|of| schema.validations.iter().map(move |rule| RuleProgram::new(rule, of, schema)));
        NodeRules {
            own: own.collect(),
            is_untyped: of.is_none() && !schema.validations.is_empty(),
            all_of: all_of.iter().filter_map(|branch| branch_rules(branch, schema, role)).collect(),
        }
    })
}

/// The rules of a branch, whose values are those of `schema`; `None` if it has no rules.
fn branch_rules(
    branch: &Child<NestedValueValidation>,
    schema: &Structural,
    role: Role,
) -> Option<BranchRules> {
    let node = &*branch.node;
    let of = if node.validations.is_empty() { None } else { role.declared(schema) };
    let own =
        of.iter().flat_map(|of| node.validations.iter().map(move |rule| RuleProgram::new(rule, of, schema)));
    let all_of = node.value_validation.all_of.iter();
    let ready = NodeRules {
        own: own.collect(),
        is_untyped: of.is_none() && !node.validations.is_empty(),
        all_of: all_of.filter_map(|branch| branch_rules(branch, schema, role)).collect(),
    };
    let below = |branch: &Child<NestedValueValidation>, child: &Child<Structural>, role| {
        branch_rules(branch, &child.node, role)
    };
    let properties = node.properties.iter().filter_map(|(name, branch)| {
        let child = schema.properties.get(name)?;
        Some((name.clone(), below(branch, child, role.of_property(schema, name))?))
    });
    let additional = match (&node.additional_properties, &schema.additional_properties) {
        (Some(NestedOrBool::Nested(branch)), Some(StructuralOrBool::Structural(child))) => {
            below(branch, child, Role::Part)
        }
        _ => None,
    };
    let items = node.items.as_ref().zip(schema.items.as_ref());
    let nested = BranchRules {
        distance: branch.distance,
        ready,
        items: items.and_then(|(branch, child)| below(branch, child, Role::Part)).map(Box::new),
        properties: properties.collect(),
        additional: additional.map(Box::new),
    };
    let has_any = !nested.ready.own.is_empty()
        || nested.ready.is_untyped
        || !nested.ready.all_of.is_empty()
        || !nested.properties.is_empty()
        || nested.items.is_some()
        || nested.additional.is_some();
    has_any.then_some(nested)
}
