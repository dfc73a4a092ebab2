//! Rules for editors: with the schema behind the types, even if they are incomplete.

use crate::cel::SchemaNode;
use cel::DeclType;
use cel::possible::OutcomeAnalysis;
use cel::presence::{Guard, UnguardedRead, guards};
use text::{TextRange, TextSize};
use yaml::{Document, Reader};

use crate::cache::Cache;
use crate::cel::DeclaredTypes;
use crate::cel::SchemaType;
use crate::cel::compile::{Expression, InspectedExpression, Purpose};
use crate::cel::corrections::{Correction, Suggestion, corrections, suggestions};
use crate::cel::excess::{UnboundedValue, unbounded};
use crate::cel::facts::facts_at;
use crate::cel::literals::{self, WrongLiteral};
use crate::cel::presence::owner;
use crate::cel::rule::{CheckedRule, RuleContext, knows_optional_old_self};
use crate::cel::stored_expressions::StoredTexts;
use crate::cel::walk::{RuleNode, walk};
use crate::generate::{Agreement, agree};
use crate::object::definitions;
use crate::schema::structural::{ScalarPlace, ValidationRule, repaired};
use crate::{FieldPath, Options};

/// The cost of a rule, in CEL cost units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostFigures {
    /// The maximum cost of one evaluation.
    pub per_call: u64,
    /// The maximum number of evaluations.
    pub times: u64,
    /// The cost of all evaluations.
    pub total: u64,
    /// The cost of the message; 0 if it has no expression.
    pub message: u64,
}

/// A rule of a definition.
pub struct RuleView<'v> {
    /// The rule.
    pub rule: &'v ValidationRule,
    /// Its cost; `None` if it does not compile.
    pub figures: Option<CostFigures>,
    node: &'v RuleNode<'v, 'v>,
    root: &'v FieldPath,
    context: RuleContext<'v>,
}

/// Calls `visit` for each rule of the definitions in `document` that overlaps `within`, in pre-order. If a
/// schema is broken, its types are those after repair.
pub fn rules(
    document: Document<'_>,
    options: &Options,
    cache: &mut Cache,
    within: TextRange,
    visit: &mut dyn FnMut(&RuleView<'_>),
) {
    cache.prepare(options);
    let reader = Reader::new(document);
    let none = StoredTexts::default();
    let context = RuleContext { stored_texts: &none, version: options.kubernetes_version };
    for definition in definitions(document, &reader) {
        for place in definition.schemas() {
            let Some((schema, base)) = repaired(place.value, &reader, cache) else { continue };
            walk(&schema, base, place.key, options.kubernetes_version, &mut |node| {
                for rule in &node.schema.validations {
                    if rule.range.wrapping_shifted(node.base).overlaps(within) {
                        visit(&RuleView::new(rule, node, &place.path, context, cache));
                    }
                }
            });
        }
    }
}

impl<'v> RuleView<'v> {
    fn new(
        rule: &'v ValidationRule,
        node: &'v RuleNode<'v, 'v>,
        root: &'v FieldPath,
        context: RuleContext<'v>,
        cache: &mut Cache,
    ) -> Self {
        let figures = node.schema_type.as_ref().ok().and_then(|of| {
            let times = node.evaluations();
            let checked_rule = CheckedRule::new(rule, of, times, context, cache);
            let compiles = checked_rule.rule.1.problem.is_none() && !rule.rule.trim().is_empty();
            compiles.then(|| CostFigures {
                per_call: checked_rule.rule.1.cost,
                times,
                total: checked_rule.total,
                message: checked_rule.message_cost(),
            })
        });
        Self { rule, figures, node, root, context }
    }

    /// The range of the rule, in bytes.
    #[must_use]
    pub fn range(&self) -> TextRange {
        self.rule.range.wrapping_shifted(self.node.base)
    }

    /// The start of the node of the rule, in bytes; the places in [`Self::rule`] are relative to it.
    #[must_use]
    pub fn base(&self) -> TextSize {
        self.node.base
    }

    /// The node whose value is `self`; `None` if it has no type in CEL.
    #[must_use]
    pub fn itself(&self) -> Option<SchemaNode<'_>> {
        let of = self.node.schema_type.as_ref().ok()?;
        Some(SchemaNode::new(self.node.schema, self.node.base, &of.decl_type))
    }

    /// The declaration of the object type `name` of an expression.
    #[must_use]
    pub fn declared(&self, name: &str) -> Option<&DeclType> {
        DeclaredTypes::new(&self.node.schema_type.as_ref().ok()?.decl_type).declared(name)
    }

    /// The text of an expression with its place; `None` if it has no place.
    #[must_use]
    pub fn expression(&self, purpose: Purpose) -> Option<(&'v str, &'v ScalarPlace)> {
        let (text, place) = match purpose {
            Purpose::Rule => (&self.rule.rule, &self.rule.rule_place),
            Purpose::Message => (&self.rule.message_expression, &self.rule.message_expression_place),
        };
        Some((text, place.as_ref()?))
    }

    /// The tree and the types of `text` in place of that expression; `None` if the type of `self` is unknown.
    #[must_use]
    pub fn inspect(&self, purpose: Purpose, text: &str) -> Option<InspectedExpression> {
        Some(self.compilable(purpose, text, self.node.schema_type.as_ref().ok()?).inspect())
    }

    /// Suggestions for the undefined names in an expression, if `is_wanted` holds for the range of the error.
    #[must_use]
    pub fn suggestions(&self, purpose: Purpose, is_wanted: &dyn Fn(TextRange) -> bool) -> Vec<Suggestion> {
        let found = self
            .broken(purpose, |expression, inspected| suggestions(expression, inspected, is_wanted).collect());
        found.unwrap_or_default()
    }

    /// Corrections of an expression to the syntax and the types of CEL. `holder` is the path of the field
    /// that `self` refers to, empty for the resource.
    #[must_use]
    pub fn corrections(&self, purpose: Purpose, holder: &str) -> Vec<Correction> {
        let found =
            self.broken(purpose, |expression, inspected| corrections(expression, inspected, Some(holder)));
        found.unwrap_or_default()
    }

    fn broken<R>(
        &self,
        purpose: Purpose,
        find: impl FnOnce(&Expression<'_>, &InspectedExpression) -> R,
    ) -> Option<R> {
        let (text, _) = self.expression(purpose)?;
        let expression = self.compilable(purpose, text, self.node.schema_type.as_ref().ok()?);
        Some(find(&expression, &expression.inspect()))
    }

    /// The unbounded values that make the rule expensive.
    #[must_use]
    pub fn unbounded(&self) -> Vec<UnboundedValue> {
        let (Ok(of), Some(_)) = (&self.node.schema_type, self.figures) else { return Vec::new() };
        let estimate = self.compilable(Purpose::Rule, &self.rule.rule, of).explain();
        unbounded(self.node, &[estimate], self.root)
    }

    /// The unguarded reads of fields that may be absent, as far as the rule alone shows.
    #[must_use]
    pub fn unguarded(&self) -> Vec<UnguardedRead> {
        let (Ok(of), Some(_)) = (&self.node.schema_type, self.figures) else { return Vec::new() };
        self.compilable(Purpose::Rule, &self.rule.rule, of).unguarded()
    }

    /// The strings in the rule that never equal the value beside them, or that the function around them
    /// rejects.
    #[must_use]
    pub fn literals(&self) -> Vec<WrongLiteral> {
        let (Ok(of), Some(_)) = (&self.node.schema_type, self.figures) else { return Vec::new() };
        let rule = self.compilable(Purpose::Rule, &self.rule.rule, of);
        let inspected = rule.inspect();
        let node = SchemaNode::new(self.node.schema, self.node.base, &of.decl_type);
        let source = |path: &[cel::possible::ValueStep]| facts_at(node, path);
        let mut possible = OutcomeAnalysis::new((&inspected.ast, &inspected.checked), &source, []);
        let _ = possible.outcome_of(inspected.ast.root());
        literals::wrong(rule.text, &inspected, &possible.excluded_texts())
    }

    /// The guards with which the rule no longer fails if the value that `one` reads is absent, and accepts
    /// the same objects as before.
    #[must_use]
    pub fn guards(&self, one: &UnguardedRead) -> Option<Vec<Guard>> {
        let expression =
            self.compilable(Purpose::Rule, &self.rule.rule, self.node.schema_type.as_ref().ok()?);
        let inspected = expression.inspect();
        let reads = expression.reads(&inspected);
        guards((&inspected.ast, &inspected.checked), &self.rule.rule, &reads, &one.path)
    }

    /// Whether `after` in place of the rule accepts the same values, as far as generated values show.
    #[must_use]
    pub fn agrees(&self, after: &str) -> Agreement {
        agree(self.node.schema, self.node.path.is_empty(), &self.rule.rule, after, self.context.version)
    }

    /// The path, from the root of the document, of the schema of the object that may lack a field, and the
    /// property.
    #[must_use]
    pub fn lacking(&self, one: &UnguardedRead) -> Option<(FieldPath, String)> {
        owner(self.node, one).map(|(path, property)| (self.root.join(&path), property))
    }

    fn compilable<'e>(&self, purpose: Purpose, text: &'e str, of: &'e SchemaType) -> Expression<'e> {
        let version = self.context.version;
        Expression {
            text,
            purpose,
            self_type: of,
            optional_old_self: knows_optional_old_self(version) && self.rule.optional_old_self == Some(true),
            env: self.context.stored_texts.environment(text, purpose, version),
        }
    }
}
