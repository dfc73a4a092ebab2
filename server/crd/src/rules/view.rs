//! Rules as an editor looks at them: with the schema behind the types, and however much of them has been typed.

use crate::cel::SchemaNode;
use cel::DeclType;
use cel::possible::Possible;
use cel::presence::{Guard, Unguarded, guards};
use text::{TextRange, TextSize};
use yaml::{Document, Reader};

use crate::cache::Cache;
use crate::cel::Declared;
use crate::cel::DeclaredTypes;
use crate::cel::compile::{Expression, Inspected, Purpose};
use crate::cel::excess::{Unbounded, unbounded};
use crate::cel::facts::known;
use crate::cel::literals::{self, WrongLiteral};
use crate::cel::meant::{Correction, Suggestion, corrections, suggestions};
use crate::cel::presence::owner;
use crate::cel::rule::{Against, Judged, knows_optional_old_self};
use crate::cel::stored::StoredTexts;
use crate::cel::walk::{RuleNode, walk};
use crate::generate::{Agreement, agree};
use crate::object::definitions;
use crate::schema::structural::{ScalarPlace, ValidationRule, repaired};
use crate::value::shifted;
use crate::{FieldPath, Options};

/// What a rule costs, in CEL cost units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// One evaluation, at most.
    pub per_call: u64,
    /// How often it is evaluated, at most.
    pub times: u64,
    /// All evaluations.
    pub total: u64,
    /// The message; 0 where it has no expression.
    pub message: u64,
}

/// A rule of a definition.
pub struct RuleView<'v> {
    /// The rule.
    pub rule: &'v ValidationRule,
    /// What it costs; none where it does not compile.
    pub figures: Option<Figures>,
    node: &'v RuleNode<'v, 'v>,
    root: &'v FieldPath,
    against: Against<'v>,
}

/// Calls `visit` for each rule of the definitions in `document` that overlaps `within`, from above to below. Where a
/// schema is broken, types are those that it has once it is repaired.
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
    let against = Against { stored: &none, version: options.kubernetes_version };
    for definition in definitions(document, &reader) {
        for place in definition.schemas() {
            let Some((schema, base)) = repaired(place.value, &reader, cache) else { continue };
            walk(&schema, base, place.key, options.kubernetes_version, &mut |node| {
                for rule in &node.schema.validations {
                    if shifted(rule.range, node.base).overlaps(within) {
                        visit(&RuleView::new(rule, node, &place.path, against, cache));
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
        against: Against<'v>,
        cache: &mut Cache,
    ) -> Self {
        let figures = node.of.as_ref().ok().and_then(|of| {
            let times = node.evaluations();
            let judged = Judged::new(rule, of, times, against, cache);
            let compiles = judged.rule.1.problem.is_none() && !rule.rule.trim().is_empty();
            compiles.then(|| Figures {
                per_call: judged.rule.1.cost,
                times,
                total: judged.total,
                message: judged.message_cost(),
            })
        });
        Self { rule, figures, node, root, against }
    }

    /// Where the rule stands, in bytes.
    #[must_use]
    pub fn range(&self) -> TextRange {
        shifted(self.rule.range, self.node.base)
    }

    /// Where the node of the rule starts, in bytes; the places in [`Self::rule`] count from there.
    #[must_use]
    pub fn base(&self) -> TextSize {
        self.node.base
    }

    /// The node whose value is `self`; none where CEL knows no type for it.
    #[must_use]
    pub fn itself(&self) -> Option<SchemaNode<'_>> {
        let of = self.node.of.as_ref().ok()?;
        Some(SchemaNode::new(self.node.schema, self.node.base, &of.of))
    }

    /// What the object type `name` of an expression declares.
    #[must_use]
    pub fn declared(&self, name: &str) -> Option<&DeclType> {
        DeclaredTypes::new(&self.node.of.as_ref().ok()?.of).declared(name)
    }

    /// The text of an expression, and where it stands; none where it is not written as a text.
    #[must_use]
    pub fn expression(&self, purpose: Purpose) -> Option<(&'v str, &'v ScalarPlace)> {
        let (text, place) = match purpose {
            Purpose::Rule => (&self.rule.rule, &self.rule.rule_place),
            Purpose::Message => (&self.rule.message_expression, &self.rule.message_expression_place),
        };
        Some((text, place.as_ref()?))
    }

    /// The tree and the types of `text` in the place of that expression; none where nothing is known of `self`.
    #[must_use]
    pub fn inspect(&self, purpose: Purpose, text: &str) -> Option<Inspected> {
        Some(self.compilable(purpose, text, self.node.of.as_ref().ok()?).inspect())
    }

    /// What was meant by the names in an expression that nothing has, where `is_wanted` holds for the place of what is wrong.
    #[must_use]
    pub fn suggestions(&self, purpose: Purpose, is_wanted: &dyn Fn(TextRange) -> bool) -> Vec<Suggestion> {
        let found = self
            .broken(purpose, |expression, inspected| suggestions(expression, inspected, is_wanted).collect());
        found.unwrap_or_default()
    }

    /// An expression in the words and types of CEL. `holder` is the field that `self` is, empty for the resource.
    #[must_use]
    pub fn corrections(&self, purpose: Purpose, holder: &str) -> Vec<Correction> {
        let found =
            self.broken(purpose, |expression, inspected| corrections(expression, inspected, Some(holder)));
        found.unwrap_or_default()
    }

    fn broken<R>(&self, purpose: Purpose, find: impl FnOnce(&Expression<'_>, &Inspected) -> R) -> Option<R> {
        let (text, _) = self.expression(purpose)?;
        let expression = self.compilable(purpose, text, self.node.of.as_ref().ok()?);
        Some(find(&expression, &expression.inspect()))
    }

    /// What makes the rule expensive for want of a bound.
    #[must_use]
    pub fn unbounded(&self) -> Vec<Unbounded> {
        let (Ok(of), Some(_)) = (&self.node.of, self.figures) else { return Vec::new() };
        let estimate = self.compilable(Purpose::Rule, &self.rule.rule, of).explain();
        unbounded(self.node, &[estimate], self.root)
    }

    /// What the rule reads although it may be absent, as far as it can be told from the rule alone.
    #[must_use]
    pub fn unguarded(&self) -> Vec<Unguarded> {
        let (Ok(of), Some(_)) = (&self.node.of, self.figures) else { return Vec::new() };
        self.compilable(Purpose::Rule, &self.rule.rule, of).unguarded()
    }

    /// The texts in the rule that no value or function beside them has.
    #[must_use]
    pub fn literals(&self) -> Vec<WrongLiteral> {
        let (Ok(of), Some(_)) = (&self.node.of, self.figures) else { return Vec::new() };
        let rule = self.compilable(Purpose::Rule, &self.rule.rule, of);
        let inspected = rule.inspect();
        let node = SchemaNode::new(self.node.schema, self.node.base, &of.of);
        let source = |path: &[cel::possible::ValueStep]| known(node, path);
        let mut possible = Possible::new((&inspected.ast, &inspected.checked), &source, []);
        let _ = possible.of(inspected.ast.root());
        literals::wrong(rule.text, &inspected, &possible.beyond())
    }

    /// The guards with which the rule no longer fails for want of what `one` reads, and accepts what it accepted.
    #[must_use]
    pub fn guards(&self, one: &Unguarded) -> Option<Vec<Guard>> {
        let expression = self.compilable(Purpose::Rule, &self.rule.rule, self.node.of.as_ref().ok()?);
        let inspected = expression.inspect();
        let reads = expression.reads(&inspected);
        guards((&inspected.ast, &inspected.checked), &self.rule.rule, &reads, &one.path)
    }

    /// Whether `after` in the place of the rule accepts the same values, as far as generated ones show.
    #[must_use]
    pub fn agrees(&self, after: &str) -> Agreement {
        agree(self.node.schema, self.node.path.is_empty(), &self.rule.rule, after, self.against.version)
    }

    /// The schema of the object that may lack a field, as a path from the root of the document, and the property.
    #[must_use]
    pub fn lacking(&self, one: &Unguarded) -> Option<(FieldPath, String)> {
        owner(self.node, one).map(|(path, property)| (self.root.join(&path), property))
    }

    fn compilable<'e>(&self, purpose: Purpose, text: &'e str, of: &'e Declared) -> Expression<'e> {
        let version = self.against.version;
        Expression {
            text,
            purpose,
            of,
            optional_old_self: knows_optional_old_self(version) && self.rule.optional_old_self == Some(true),
            env: self.against.stored.environment(text, purpose, version),
        }
    }
}
