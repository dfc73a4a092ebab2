//! The costs of a schema's rules with other bounds and other expressions, computed without a text that
//! contains them.

mod size;

use std::sync::Arc;

use cel::ast::Ast;
use cel::{CheckedExpr, DeclKind, DeclType};
use text::{TextRange, TextSize};
use yaml::{Document, Reader};

pub use self::size::Size;
use self::size::default_values;
use crate::cache::Cache;
use crate::cel::InspectedExpression;
use crate::cel::SchemaNode;
use crate::cel::SchemaType;
use crate::cel::compile::{Expression, Purpose};
use crate::cel::excess::{bound, reach};
use crate::cel::rule::{CheckedRule, RuleContext, knows_optional_old_self};
use crate::cel::stored_expressions::StoredTexts;
use crate::cel::walk::{RuleNode, factor, walk};
use crate::field_path::{FieldPath, Segment};
use crate::generate::agree;
use crate::object::definitions;
use crate::schema::Keyword;
use crate::schema::structural::{ScalarPlace, Structural, StructuralOrBool, repaired};
use crate::{KubernetesVersion, Options};

/// The expressions of one schema, and the sizes that their costs depend on.
#[derive(Clone, Debug)]
pub struct CostModel {
    /// The path of `openAPIV3Schema` from the document's root.
    pub path: FieldPath,
    /// The sizes without duplicates, in the order in which the expressions need them.
    pub sizes: Vec<Size>,
    /// The expressions that compile, in pre-order, properties sorted by name.
    pub expressions: Vec<CostedExpression>,
    schema: Arc<Structural>,
}

/// An expression whose cost can be computed with other bounds.
#[derive(Clone, Debug)]
pub struct CostedExpression {
    /// The path of the field `rule` or `messageExpression` from the document's root.
    pub path: FieldPath,
    /// The range of the expression, in bytes.
    pub range: TextRange,
    /// The purpose of the expression.
    pub purpose: Purpose,
    /// Its text.
    pub text: String,
    place: Option<ScalarPlace>,
    base: TextSize,
    /// The indices of the sizes that its cost depends on.
    pub depends_on: Vec<usize>,
    /// The path of the node of its rule from `openAPIV3Schema`.
    node: FieldPath,
    /// The indices of the sizes within `self`, each with the steps that lead to it.
    inside: Vec<(usize, Vec<String>)>,
    times: EvaluationCount,
    ast: Arc<Ast>,
    checked: Arc<CheckedExpr>,
    self_type: DeclType,
    rewriting: RewriteInputs,
}

/// The inputs for reading another text in place of an expression.
#[derive(Clone, Debug)]
struct RewriteInputs {
    self_type: SchemaType,
    optional_old_self: bool,
    version: KubernetesVersion,
}

/// The number of evaluations of an expression.
#[derive(Clone, Debug)]
struct EvaluationCount {
    /// The product of the bounds around it.
    bounded_product: u64,
    /// The indices of the unbounded sizes around it.
    unbounded_sizes: Vec<usize>,
    /// The number of values that fit into a request.
    cardinality: u64,
}

impl CostedExpression {
    /// The range in the document of the bytes `part` of its text; `None` if the text has no place.
    #[must_use]
    pub fn range_of(&self, part: TextRange) -> Option<TextRange> {
        Some(self.place.as_ref()?.range_of(part, self.base))
    }

    /// The unguarded reads of fields that may be absent, in bytes of its text.
    #[must_use]
    pub fn reads_absent(&self) -> Vec<TextRange> {
        let RewriteInputs { self_type: of, optional_old_self, version } = &self.rewriting;
        let env = StoredTexts::default().environment(&self.text, self.purpose, *version);
        let (purpose, optional_old_self) = (self.purpose, *optional_old_self);
        let expression = Expression { text: &self.text, purpose, self_type: of, optional_old_self, env };
        expression.unguarded().into_iter().map(|one| one.range).collect()
    }

    /// Its tree and the types of its nodes.
    #[must_use]
    pub fn tree(&self) -> (&Ast, &CheckedExpr) {
        (&self.ast, &self.checked)
    }
}

/// The models of all schemas with rules in the definitions of `document`.
#[must_use]
pub fn cost_models(document: Document<'_>, options: &Options, cache: &mut Cache) -> Vec<CostModel> {
    cache.prepare(options);
    let reader = Reader::new(document);
    let mut models = Vec::new();
    for definition in definitions(document, &reader) {
        for place in definition.schemas() {
            let Some((schema, base)) = repaired(place.value, &reader, cache) else { continue };
            let (sizes, expressions) = (Vec::new(), Vec::new());
            let model =
                CostModel { path: place.path.clone(), sizes, expressions, schema: Arc::clone(&schema) };
            let mut builder = CostModelBuilder { model, version: options.kubernetes_version };
            walk(&schema, base, place.key, options.kubernetes_version, &mut |node| builder.node(node, cache));
            if !builder.model.expressions.is_empty() {
                models.push(builder.model);
            }
        }
    }
    models
}

impl CostModel {
    /// The maximum cost of all evaluations of expression `number`, if each size has the bound at the same
    /// index of `bounds`, or the schema's bound if that is `None`.
    #[must_use]
    pub fn cost(&mut self, number: usize, bounds: &[Option<u64>]) -> u64 {
        let Self { expressions, sizes, .. } = self;
        let Some(priced) = expressions.get_mut(number) else { return 0 };
        let CostedExpression { self_type: of, inside, .. } = priced;
        let bound_of = |number: usize| {
            let own = sizes.get(number).and_then(|size| size.bound);
            bounds.get(number).copied().flatten().or(own)
        };
        for (size, steps) in inside.iter() {
            let original =
                type_at(&priced.rewriting.self_type.decl_type, steps).map_or(0, |of| of.max_elements);
            set_max_elements(of, steps, bound_of(*size), original);
        }
        let per_call = cel::estimate(&priced.ast, &priced.checked, &priced.self_type).max;
        let around = priced.times.unbounded_sizes.iter().map(|size| bound_of(*size));
        let times = around.into_iter().try_fold(priced.times.bounded_product, |times, bound| {
            bound.map(|bound| times.saturating_mul(bound))
        });
        per_call.saturating_mul(times.unwrap_or(priced.times.cardinality))
    }

    /// Replaces expression `number` with `text`; `None` if it does not compile there.
    #[must_use]
    pub fn rewritten(&self, number: usize, text: &str) -> Option<Self> {
        let mut model = self.clone();
        let priced = model.expressions.get(number)?.clone();
        let RewriteInputs { self_type: of, optional_old_self, version } = &priced.rewriting;
        let none = StoredTexts::default();
        let expression = Expression {
            text,
            purpose: priced.purpose,
            self_type: of,
            optional_old_self: *optional_old_self,
            env: none.environment(text, priced.purpose, *version),
        };
        if expression.compile().problem.is_some() {
            return None;
        }
        let inspected = expression.inspect();
        let inside = model.inside(&priced.node, &of.decl_type, &inspected);
        let mut depends_on = priced.times.unbounded_sizes.clone();
        depends_on.extend(inside.iter().map(|(size, _)| *size));
        let (ast, checked) = (Arc::new(inspected.ast), Arc::new(inspected.checked));
        let text = text.to_owned();
        *model.expressions.get_mut(number)? =
            CostedExpression { text, inside, depends_on, ast, checked, ..priced };
        Some(model)
    }

    /// Whether `text` is equivalent to expression `number`, as far as valid values show: rules have the same
    /// verdict, messages the same text, and both fail on the same values.
    #[must_use]
    pub fn is_equivalent(&self, number: usize, text: &str) -> bool {
        let Some(priced) = self.expressions.get(number) else { return false };
        let Some(node) = node_at(&self.schema, priced.node.segments()) else { return false };
        let (old, is_resource) = (&priced.text, priced.node.is_empty());
        let version = priced.rewriting.version;
        let same = |one: &str, other: &str| agree(node, is_resource, one, other, version).is_same();
        match priced.purpose {
            Purpose::Rule => same(old, text),
            Purpose::Message => {
                let equal = |one: &str, other: &str| format!("({one}) == ({other})");
                let both = equal(old, text);
                same(&both, &equal(old, old)) && same(&both, &equal(text, text))
            }
        }
    }

    /// The sizes within `self` that the cost of an expression at `node` depends on.
    fn inside(
        &mut self,
        node: &FieldPath,
        of: &DeclType,
        inspected: &InspectedExpression,
    ) -> Vec<(usize, Vec<String>)> {
        let schema = Arc::clone(&self.schema);
        let Some(schema) = node_at(&schema, node.segments()) else { return Vec::new() };
        let mut inside: Vec<(usize, Vec<String>)> = Vec::new();
        for size in cel::explain(&inspected.ast, &inspected.checked, of).sizes {
            if inside.iter().any(|(_, steps)| *steps == size.path) {
                continue;
            }
            let mut path = self.path.join(node.segments());
            let Some(reached) = reach(SchemaNode::new(schema, 0, of), &size.path, &mut path) else {
                continue;
            };
            let Some((keyword, bound)) = bound(&reached) else { continue };
            inside.push((self.size(path, keyword, bound, reached.schema), size.path));
        }
        inside
    }

    /// The index of a size, which is added if it is new.
    fn size(&mut self, path: FieldPath, keyword: Keyword, bound: Option<i64>, schema: &Structural) -> usize {
        let known = self.sizes.iter().position(|size| size.path == path && size.keyword == keyword);
        known.unwrap_or_else(|| {
            let below = path.segments().get(self.path.len()..).unwrap_or_default();
            let defaults = default_values(&self.schema, below);
            self.sizes.push(Size::new(path, keyword, bound, schema, &defaults));
            self.sizes.len() - 1
        })
    }
}

struct CostModelBuilder {
    model: CostModel,
    version: KubernetesVersion,
}

impl CostModelBuilder {
    fn node(&mut self, node: &RuleNode<'_, '_>, cache: &mut Cache) {
        let Ok(of) = &node.schema_type else { return };
        let stored = StoredTexts::default();
        let context = RuleContext { stored_texts: &stored, version: self.version };
        for (index, rule) in node.schema.validations.iter().enumerate() {
            let checked_rule = CheckedRule::new(rule, of, 1, context, cache);
            if checked_rule.rule.1.problem.is_some() || rule.rule.trim().is_empty() {
                continue;
            }
            let of_node = self.model.path.join(node.path.segments());
            let place =
                |name: &'static str| of_node.child(Keyword::Validations.as_str()).index(index).child(name);
            let message = checked_rule.message.as_ref().filter(|(_, compiled)| compiled.problem.is_none());
            let old = knows_optional_old_self(self.version) && rule.optional_old_self == Some(true);
            for expression in std::iter::once(&checked_rule.rule.0).chain(message.map(|(message, _)| message))
            {
                let rewriting =
                    RewriteInputs { self_type: of.clone(), optional_old_self: old, version: self.version };
                let (path, scalar) = match expression.purpose {
                    Purpose::Rule => (place("rule"), &rule.rule_place),
                    Purpose::Message => (place("messageExpression"), &rule.message_expression_place),
                };
                let range = scalar.as_ref().map_or(rule.range, |place| place.range);
                let range = range.wrapping_shifted(node.base);
                self.expression(node, expression, rewriting, (path, range, scalar.clone()));
            }
        }
    }

    fn expression(
        &mut self,
        node: &RuleNode<'_, '_>,
        expression: &Expression<'_>,
        rewriting: RewriteInputs,
        (path, range, place): (FieldPath, TextRange, Option<ScalarPlace>),
    ) {
        let of = rewriting.self_type.decl_type.clone();
        let inspected = expression.inspect();
        let times = match expression.purpose {
            Purpose::Rule => self.times(node, &of),
            Purpose::Message => {
                EvaluationCount { bounded_product: 1, unbounded_sizes: Vec::new(), cardinality: 1 }
            }
        };
        let inside = self.model.inside(node.path, &of, &inspected);
        let mut depends_on = times.unbounded_sizes.clone();
        depends_on.extend(inside.iter().map(|(size, _)| *size));
        self.model.expressions.push(CostedExpression {
            path,
            range,
            purpose: expression.purpose,
            text: expression.text.to_owned(),
            place,
            base: node.base,
            node: node.path.clone(),
            depends_on,
            inside,
            times,
            ast: Arc::new(inspected.ast),
            checked: Arc::new(inspected.checked),
            self_type: of,
            rewriting,
        });
    }

    fn times(&mut self, node: &RuleNode<'_, '_>, of: &DeclType) -> EvaluationCount {
        let known = node.above.iter().filter_map(|schema| factor(schema));
        let known = known.fold(1_u64, u64::saturating_mul);
        let mut around = Vec::new();
        for one in node.unbounded {
            let path = self.model.path.join(node.path.segments().get(..one.depth).unwrap_or_default());
            let is_list = &*one.schema.generic.type_name == "array";
            let keyword = if is_list { Keyword::MaxItems } else { Keyword::MaxProperties };
            around.push(self.model.size(path, keyword, None, one.schema));
        }
        EvaluationCount { bounded_product: known, unbounded_sizes: around, cardinality: of.max_cardinality() }
    }
}

/// The node that a path leads to.
fn node_at<'s>(schema: &'s Structural, path: &[Segment]) -> Option<&'s Structural> {
    let mut node = schema;
    let mut segments = path.iter();
    while let Some(segment) = segments.next() {
        let child = match (segment.key()?, &node.additional_properties) {
            ("properties", _) => node.properties.get(segments.next()?.key()?)?,
            ("items", _) => node.items.as_ref()?,
            (_, Some(StructuralOrBool::Structural(child))) => child,
            _ => return None,
        };
        node = &child.node;
    }
    Some(node)
}

/// The type that `steps` lead to.
fn type_at<'d>(of: &'d DeclType, steps: &[String]) -> Option<&'d DeclType> {
    steps.iter().try_fold(of, |of, step| match step.as_str() {
        "@items" | "@values" => of.element(),
        field => of.field(field).map(|field| &field.field_type),
    })
}

/// Sets the maximum size of the type that `steps` lead to.
fn set_max_elements(of: &mut DeclType, steps: &[String], bound: Option<u64>, original: u64) {
    let Some((step, rest)) = steps.split_first() else {
        of.max_elements = match (bound, &of.kind) {
            (None, _) => original,
            (Some(bound), DeclKind::String | DeclKind::Dyn) => bound.saturating_mul(4),
            (Some(bound), _) => bound,
        };
        return;
    };
    match (&mut of.kind, step.as_str()) {
        (DeclKind::List(element) | DeclKind::Map(element), "@items" | "@values") => {
            set_max_elements(Arc::make_mut(element), rest, bound, original);
        }
        (DeclKind::Object(object), field) => {
            if let Some(field) = Arc::make_mut(object).fields.get_mut(field) {
                set_max_elements(&mut field.field_type, rest, bound, original);
            }
        }
        _ => {}
    }
}
