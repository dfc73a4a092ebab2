//! The nodes of a schema that have rules, each with its type, its maximum number of occurrences, and whether
//! its old values are known (`CELSchemaContext`).

use std::cell::OnceCell;

use text::{TextRange, TextSize};

use super::declare::{SchemaType, declared};
use crate::KubernetesVersion;
use crate::field_path::FieldPath;
use crate::schema::Keyword;
use crate::schema::structural::{Child, Structural, StructuralOrBool};

/// Why a node with rules has no type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UntypedReason {
    /// CEL cannot access it.
    Undeclared,
    /// The node above has a type in CEL without items or values.
    Elsewhere,
}

/// A node with rules.
pub(crate) struct RuleNode<'n, 's> {
    pub(crate) schema: &'s Structural,
    /// The start of the node, in bytes.
    pub(crate) base: TextSize,
    /// From `openAPIV3Schema` to it.
    pub(crate) path: &'n FieldPath,
    pub(crate) schema_type: Result<SchemaType, UntypedReason>,
    /// The maximum number of its occurrences, if all lists and maps around it are bounded.
    pub(crate) times: Option<u64>,
    /// The unbounded lists and maps around it.
    pub(crate) unbounded: &'n [EnclosingNode<'s>],
    /// The outermost node around it whose old value cannot be identified.
    pub(crate) uncorrelatable: Option<EnclosingNode<'s>>,
    /// The nodes around it.
    pub(crate) above: &'n [&'s Structural],
}

impl RuleNode<'_, '_> {
    /// The maximum number of evaluations of its rules: without a bound, as many as fit into a request.
    pub(crate) fn evaluations(&self) -> u64 {
        match (self.times, &self.schema_type) {
            (Some(times), _) => times,
            (None, Ok(of)) => of.decl_type.max_cardinality(),
            (None, Err(_)) => 0,
        }
    }

    /// Whether the node, its elements and all nodes around it are structural as the server requires: each has
    /// a type, and lists have items.
    pub(crate) fn has_structure(&self) -> bool {
        let parts = std::iter::successors(Some(self.schema), |schema| {
            schema.items.as_ref().map(|items| &*items.node)
        });
        self.above.iter().copied().chain(parts).all(|schema| match &*schema.generic.type_name {
            "" => schema.extensions.int_or_string || schema.extensions.preserve_unknown_fields,
            "array" => schema.items.is_some(),
            _ => true,
        })
    }
}

/// A node around another node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnclosingNode<'s> {
    pub(crate) schema: &'s Structural,
    /// The number of path segments that lead to it.
    pub(crate) depth: usize,
    /// The key that holds it.
    pub(crate) key: TextRange,
}

/// Calls `visit` for each node of `schema` that has rules, in pre-order, properties sorted by name.
pub(crate) fn walk<'s>(
    schema: &'s Structural,
    base: TextSize,
    key: TextRange,
    version: KubernetesVersion,
    visit: &mut dyn FnMut(&RuleNode<'_, 's>),
) {
    let mut walk =
        RuleWalk { version, path: FieldPath::root(), unbounded: Vec::new(), above: Vec::new(), visit };
    let state = State { base, key, times: Some(1), uncorrelatable: None };
    let scope = Scope::new(None, schema, StepTo::Root);
    walk.node(schema, &scope, state);
}

/// How a node is reached from the node above.
#[derive(Clone, Copy)]
enum StepTo<'s> {
    Root,
    Property(&'s str),
    Element,
}

/// The type of a node: as in the server, it is taken from a type above if there is one.
struct Scope<'p, 's> {
    above: Option<&'p Self>,
    schema: &'s Structural,
    step: StepTo<'s>,
    /// Whether the node or a node above has rules.
    has_rules: bool,
    schema_type: OnceCell<Result<SchemaType, UntypedReason>>,
}

impl<'p, 's> Scope<'p, 's> {
    fn new(above: Option<&'p Self>, schema: &'s Structural, step: StepTo<'s>) -> Self {
        let has_rules = !schema.validations.is_empty() || above.is_some_and(|above| above.has_rules);
        Self { above, schema, step, has_rules, schema_type: OnceCell::new() }
    }

    fn declared(&self, version: KubernetesVersion) -> &Result<SchemaType, UntypedReason> {
        self.schema_type.get_or_init(|| {
            let above = self.above.filter(|above| above.has_rules);
            match above.map(|above| above.declared(version)) {
                Some(Err(untyped)) => Err(*untyped),
                Some(Ok(above)) => self.within(above, version),
                None => self.on_its_own(version),
            }
        })
    }

    fn within(&self, above: &SchemaType, version: KubernetesVersion) -> Result<SchemaType, UntypedReason> {
        let own = || declared(self.schema, false, version);
        match self.step {
            StepTo::Root => self.on_its_own(version),
            StepTo::Element => {
                let element = above.decl_type.element().ok_or(UntypedReason::Elsewhere)?;
                Ok(own()
                    .filter(|own| own.decl_type == *element)
                    .unwrap_or_else(|| SchemaType::new(element.clone())))
            }
            StepTo::Property(name) => {
                let field = cel::declarations::escape(name);
                match field.and_then(|field| above.decl_type.field(&field)) {
                    // For the metadata of a resource, the server declares other fields than the schema.
                    Some(field) => Ok(own()
                        .filter(|own| own.decl_type == field.field_type)
                        .unwrap_or_else(|| SchemaType::new(field.field_type.clone()))),
                    None => self.on_its_own(version),
                }
            }
        }
    }

    fn on_its_own(&self, version: KubernetesVersion) -> Result<SchemaType, UntypedReason> {
        declared(self.schema, self.above.is_none(), version).ok_or(UntypedReason::Undeclared)
    }
}

#[derive(Clone, Copy)]
struct State<'s> {
    base: TextSize,
    key: TextRange,
    times: Option<u64>,
    uncorrelatable: Option<EnclosingNode<'s>>,
}

struct RuleWalk<'v, 's> {
    version: KubernetesVersion,
    path: FieldPath,
    unbounded: Vec<EnclosingNode<'s>>,
    above: Vec<&'s Structural>,
    visit: &'v mut dyn FnMut(&RuleNode<'_, 's>),
}

impl<'s> RuleWalk<'_, 's> {
    fn node(&mut self, schema: &'s Structural, scope: &Scope<'_, 's>, state: State<'s>) {
        if !schema.has_rules {
            return;
        }
        if !schema.validations.is_empty() {
            (self.visit)(&RuleNode {
                schema,
                base: state.base,
                path: &self.path,
                schema_type: scope.declared(self.version).clone(),
                times: state.times,
                unbounded: &self.unbounded,
                uncorrelatable: state.uncorrelatable,
                above: &self.above,
            });
        }
        let here = EnclosingNode { schema, depth: self.path.len(), key: state.key };
        let factor = factor(schema);
        let times = match (state.times, factor) {
            (Some(times), Some(factor)) => Some(times.saturating_mul(factor)),
            _ => None,
        };
        let is_unbounded = factor.is_none();
        if is_unbounded {
            self.unbounded.push(here);
        }
        self.above.push(schema);
        let below = State { times, ..state };
        let is_map_known =
            schema.extensions.map_type.as_deref().is_none_or(|known| matches!(known, "granular" | "atomic"));
        let properties = if is_map_known { below } else { below.forbidding(here) };
        for (name, child) in &schema.properties {
            let depth = self.path.len();
            self.path.push_name(Keyword::Properties.as_str());
            self.path.push_key(name);
            self.child(child, scope, StepTo::Property(name), properties);
            self.path.truncate(depth);
        }
        if let Some(StructuralOrBool::Structural(child)) = &schema.additional_properties {
            self.path.push_name(Keyword::AdditionalProperties.as_str());
            self.child(child, scope, StepTo::Element, below);
            self.path.pop();
        }
        if let Some(child) = &schema.items {
            let is_map = schema.extensions.list_type.as_deref() == Some("map");
            self.path.push_name(Keyword::Items.as_str());
            self.child(child, scope, StepTo::Element, if is_map { below } else { below.forbidding(here) });
            self.path.pop();
        }
        self.above.pop();
        if is_unbounded {
            self.unbounded.pop();
        }
    }

    fn child(
        &mut self,
        child: &'s Child<Structural>,
        above: &Scope<'_, 's>,
        step: StepTo<'s>,
        state: State<'s>,
    ) {
        let key = child.key.wrapping_shifted(state.base);
        let state = State { base: child.base(state.base), key, ..state };
        self.node(&child.node, &Scope::new(Some(above), &child.node, step), state);
    }
}

impl<'s> State<'s> {
    fn forbidding(self, around: EnclosingNode<'s>) -> Self {
        Self { uncorrelatable: self.uncorrelatable.or(Some(around)), ..self }
    }
}

/// The maximum number of values in a node's list or map; `None` if it is unbounded.
pub(crate) fn factor(schema: &Structural) -> Option<u64> {
    let values = &schema.value_validation;
    let at_least_zero = |max: i64| u64::try_from(max).unwrap_or(0);
    match &*schema.generic.type_name {
        "object" if schema.additional_properties.is_some() => values.max_properties.map(at_least_zero),
        "array" => values.max_items.map(at_least_zero),
        _ => Some(1),
    }
}
