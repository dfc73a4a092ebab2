//! The server's errors on the rules of a schema (checks 138 to 146,
//! `ValidateCustomResourceDefinitionOpenAPISchema`).

use crate::Cache;
use api::{Code, Severity};
use cel::requirement::{Requirement, newest};
use rustc_hash::FxHashSet;
use text::{TextRange, TextSize};

use crate::cel::compile::{CompiledExpression, Expression, Problem, Purpose};
use crate::cel::excess::in_resource;
use crate::cel::messages::{COMPARE, IssueMessage, with_article};
use crate::cel::rule::{CheckedRule, RuleContext, detail, knows_optional_old_self};
use crate::cel::stored_expressions::StoredTexts;
use crate::cel::walk::{RuleNode, UntypedReason, walk};
use crate::cel::wording::issue_range;
use crate::field_path::{FieldPath, Segment};
use crate::finding::{Finding, RelatedInformation};
use crate::message::{CompileStep, Message};
use crate::report::{ErrorType, ServerError, lint_severity};
use crate::rules::sum::TotalCost;
use crate::schema::Keyword;
use crate::schema::structural::{ScalarPlace, Structural, ValidationRule};
use crate::{KubernetesVersion, StopSignal, go, printed};

/// The maximum number of findings of one schema.
pub(crate) const MAX_VIOLATIONS: usize = 10_000;
/// The schema whose rules are checked.
pub(crate) struct RulesOf<'s> {
    /// The schema as the server has it; `None` if the server does not reach the rules.
    pub(crate) reported: Option<&'s Structural>,
    /// The same schema, if another error keeps the server from the rules: the server then finds no type for
    /// some nodes.
    pub(crate) unreached: Option<&'s Structural>,
    /// The schema after repair, for the rules that the server does not compile; `None` if it compiles all of
    /// them.
    pub(crate) repaired: Option<&'s Structural>,
    /// The start of the schema, in bytes.
    pub(crate) base: TextSize,
    /// The key `openAPIV3Schema`.
    pub(crate) key: TextRange,
    /// Its path as the user wrote it.
    pub(crate) user: &'s FieldPath,
    /// Its path as the server names it.
    pub(crate) server: &'s FieldPath,
    /// Whether messages state that the server reports the error later.
    pub(crate) reports_later: bool,
    /// The nodes, as paths from the root of the schema, whose rules are not compiled because of other errors
    /// there or below.
    pub(crate) hidden: &'s FxHashSet<FieldPath>,
    /// Whether repair also reveals rules of valid nodes: those below a misspelt keyword.
    pub(crate) has_more: bool,
    /// Whether the costs of single expressions are limited; on an update of other fields, the server does not
    /// check them again.
    pub(crate) limits_expressions: bool,
    /// The expressions that an update may keep.
    pub(crate) stored_texts: &'s StoredTexts,
    pub(crate) version: KubernetesVersion,
    /// When the check is to end.
    pub(crate) stop: StopSignal,
}

/// Checks the rules of a schema.
pub(crate) fn check(rules: &RulesOf<'_>, cache: &mut Cache) -> Vec<Finding> {
    let mut check = Check {
        rules,
        cache,
        findings: Vec::new(),
        seen: FxHashSet::default(),
        reported: TotalCost::default(),
        total_cost: TotalCost::default(),
    };
    let is_reached = |node: &RuleNode<'_, '_>| rules.reported.is_some() && !rules.hidden.contains(node.path);
    // The server reports that these nodes have no type, and does not check their rules.
    let mut untyped: FxHashSet<FieldPath> = FxHashSet::default();
    if let Some(schema) = rules.reported {
        walk(schema, rules.base, rules.key, rules.version, &mut |node| {
            if is_reached(node) {
                if node.schema_type.is_err() {
                    untyped.insert(node.path.clone());
                }
                check.node(node, Pass::Reported);
            }
        });
    }
    // The same applies, once the server reaches the rules, to nodes that lack a type for reasons other than
    // their structure.
    if let Some(schema) = rules.unreached {
        walk(schema, rules.base, rules.key, rules.version, &mut |node| {
            let is_lasting = !rules.hidden.contains(node.path) && node.has_structure();
            if is_lasting && let Err(without) = &node.schema_type {
                untyped.insert(node.path.clone());
                check.untyped(node, *without, true);
            }
        });
    }
    if let Some(schema) = rules.repaired {
        walk(schema, rules.base, rules.key, rules.version, &mut |node| {
            if untyped.contains(node.path) {
                if node.schema_type.is_ok() {
                    check.node(node, Pass::Hidden);
                }
            } else if !is_reached(node) {
                check.node(node, Pass::Hidden);
            } else if rules.has_more {
                check.node(node, Pass::Again);
            }
        });
    }
    check.total();
    check.findings
}

/// The reason for the visit of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// The server compiles its rules.
    Reported,
    /// The server compiles its rules after other errors are fixed.
    Hidden,
    /// The server compiles its rules; the repair of a keyword may change their types.
    Again,
}

pub(super) struct Check<'c> {
    pub(super) rules: &'c RulesOf<'c>,
    pub(super) cache: &'c mut Cache,
    findings: Vec<Finding>,
    /// The findings so far, because some nodes are visited twice.
    seen: FxHashSet<(Code, TextRange)>,
    /// The sum of the rules that the server compiles.
    pub(super) reported: TotalCost,
    /// Of all rules.
    pub(super) total_cost: TotalCost,
}

/// A finding under construction.
pub(super) struct RuleFinding {
    pub(super) code: Code,
    pub(super) error: ErrorType,
    /// The path from the root of the schema.
    pub(super) path: Vec<Segment>,
    pub(super) range: TextRange,
    /// The wrong value as the server prints it; empty if it prints none.
    pub(super) value: String,
    /// The server's message.
    pub(super) detail: String,
    /// Our message.
    pub(super) message: Message,
    pub(super) is_ours: bool,
    pub(super) is_hidden: bool,
    /// Whether it is a lint that is only a hint here.
    pub(super) is_hint: bool,
    pub(super) related: Vec<RelatedInformation>,
}

/// A rule with its place.
#[derive(Clone, Copy)]
pub(super) struct RulePlace<'p, 's> {
    pub(super) node: &'p RuleNode<'p, 's>,
    pub(super) rule: &'s ValidationRule,
    pub(super) index: usize,
    pub(super) is_hidden: bool,
    pub(super) pass: Pass,
}

impl RulePlace<'_, '_> {
    pub(super) fn path(&self, field: &'static str) -> Vec<Segment> {
        let mut path = self.node.path.clone();
        path.push_name(Keyword::Validations.as_str());
        path.push_index(self.index);
        path.push_name(field);
        path.segments().to_vec()
    }

    pub(super) fn scalar(&self, purpose: Purpose) -> Option<&ScalarPlace> {
        match purpose {
            Purpose::Rule => self.rule.rule_place.as_ref(),
            Purpose::Message => self.rule.message_expression_place.as_ref(),
        }
    }

    /// The range of the expression, or of the rule if the expression has no place.
    pub(super) fn range(&self, purpose: Purpose) -> TextRange {
        let range = self.scalar(purpose).map_or(self.rule.range, |place| place.range);
        range.wrapping_shifted(self.node.base)
    }

    pub(super) fn finding(
        &self,
        code: Code,
        error: ErrorType,
        purpose: Purpose,
        detail: String,
    ) -> RuleFinding {
        RuleFinding {
            code,
            error,
            path: self.path(field(purpose)),
            range: self.range(purpose),
            value: if error.prints_value() { printed::rule(self.rule) } else { String::new() },
            message: Message::new(detail.clone()),
            detail,
            is_ours: false,
            is_hidden: self.is_hidden,
            is_hint: false,
            related: Vec::new(),
        }
    }
}

pub(super) fn field(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Rule => "rule",
        Purpose::Message => "messageExpression",
    }
}

impl Check<'_> {
    fn node(&mut self, node: &RuleNode<'_, '_>, pass: Pass) {
        // The lints of a node need all its rules, so they run either for all rules or not at all.
        let is_over = |check: &Self| check.rules.stop.is_due();
        if is_over(self) {
            return;
        }
        let is_hidden = pass != Pass::Reported;
        if let Err(untyped) = &node.schema_type {
            return self.untyped(node, *untyped, is_hidden);
        }
        let mut rules = Vec::new();
        for (index, rule) in node.schema.validations.iter().enumerate() {
            if is_over(self) {
                return;
            }
            let place = RulePlace { node, rule, index, is_hidden, pass };
            rules.extend(self.rule(&place).map(|rule| (place, rule)));
        }
        self.lints(node, &rules);
    }

    /// Check 138.
    fn untyped(&mut self, node: &RuleNode<'_, '_>, untyped: UntypedReason, is_hidden: bool) {
        let detail = match untyped {
            UntypedReason::Undeclared => {
                "internal error: failed to construct type information for x-kubernetes-validations rules: \
                 unable to convert structural schema to CEL declarations"
            }
            UntypedReason::Elsewhere => "failed to convert to declType for CEL validation rules",
        };
        let mut path = node.path.clone();
        path.push_name(Keyword::Validations.as_str());
        let place = node.schema.places.place_of(Keyword::Validations, node.base);
        self.push(RuleFinding {
            code: Code::CelTypeInfo,
            error: ErrorType::Internal,
            value: String::new(),
            path: path.segments().to_vec(),
            range: place.map_or(self.rules.key, |place| place.key),
            detail: detail.to_owned(),
            message: Message::new(format!(
                "CEL cannot determine the type of `{}`, so its rules do not compile",
                in_resource(node.path.segments())
            ))
            .advise("add a `type` to the field and to any items or values"),
            is_ours: false,
            is_hidden,
            is_hint: false,
            related: Vec::new(),
        });
    }

    /// Checks 139 to 144 of one rule, in the server's order.
    fn rule<'p>(&mut self, place: &RulePlace<'p, 'p>) -> Option<CheckedRule<'p>> {
        let of = place.node.schema_type.as_ref().ok()?;
        let context = RuleContext { stored_texts: self.rules.stored_texts, version: self.rules.version };
        let times = place.node.evaluations();
        let checked_rule = CheckedRule::new(place.rule, of, times, context, self.cache);
        let (expression, compiled) = &checked_rule.rule;
        self.price(place, expression, compiled.cost, times);
        self.compilation(place, expression, compiled);
        self.check_corrected(place, expression, compiled, times);
        // For a blank expression, check 133 is sufficient.
        let message = checked_rule.message.as_ref().filter(|(message, _)| !message.text.trim().is_empty());
        if let Some((message, compiled)) = message {
            let place =
                &RulePlace { is_hidden: place.is_hidden || !checked_rule.reaches_message(), ..*place };
            self.compilation(place, message, compiled);
            // The cost of a corrected message is not checked: it depends on the correction, unlike that of a rule.
            self.price(place, message, compiled.cost, 1);
        }
        self.old_self(place, compiled);
        Some(checked_rule)
    }

    /// Checks 140 and 141: expressions that do not compile.
    fn compilation(
        &mut self,
        place: &RulePlace<'_, '_>,
        expression: &Expression<'_>,
        compiled: &CompiledExpression,
    ) {
        let Some(problem) = compiled.problem.as_ref() else { return };
        let purpose = expression.purpose;
        let code = match purpose {
            Purpose::Rule => Code::CelRuleCompile,
            Purpose::Message => Code::CelMessageExpressionCompile,
        };
        let finding = place.finding(code, ErrorType::Invalid, purpose, detail(expression, problem));
        let (issues, needs, messages) = match problem {
            Problem::Output(of) => {
                let wanted = if purpose == Purpose::Rule { "bool" } else { "string" };
                let (field, of) = (field(purpose), with_article(of));
                let problem = format!("`{field}` must evaluate to a {wanted}, but it evaluates to {of}");
                let mut message = Message { step: Some(CompileStep::Output), ..Message::new(problem) };
                if purpose == Purpose::Rule {
                    message = message.advise(COMPARE);
                }
                return self.push(RuleFinding { message, ..finding });
            }
            Problem::Program { error, .. } => {
                let message = format!("`{}` cannot be evaluated: {error}", field(purpose));
                return self.push(RuleFinding { message: message.into(), ..finding });
            }
            Problem::Issues { issues, needs, messages } => (issues, needs, messages),
        };
        let newer = needs.iter().filter(|needs| needs.server() > self.rules.version.minor);
        let newer: Vec<&Requirement> = newer.collect();
        let is_named = issues.iter().any(|issue| newer.iter().any(|needs| needs.range == issue.range));
        for (at, IssueMessage { issue, part, message }) in messages.iter().enumerate() {
            let Some(issue) = issues.get(*issue) else { continue };
            let mut message = message.clone();
            let part = part.unwrap_or_else(|| issue_range(expression.text, issue));
            let range = place.scalar(purpose).map(|scalar| scalar.range_of(part, place.node.base));
            // If no error is at a missing feature, the first message names the newest of them.
            let needs = match is_named {
                true => newer.iter().find(|needs| needs.range == issue.range).copied(),
                false => newest(newer.iter().copied()).filter(|_| at == 0),
            };
            if let Some(needs) = needs {
                let (what, server) = (&needs.description, needs.server());
                // The remedy is for the error, not for the missing feature.
                message = Message { remedy: None, ..message }
                    .explain(&format!("{what} is available to new rules since Kubernetes 1.{server}"));
            }
            self.push(RuleFinding {
                code: finding.code,
                error: finding.error,
                path: finding.path.clone(),
                range: range.unwrap_or(finding.range),
                value: finding.value.clone(),
                detail: finding.detail.clone(),
                message,
                is_ours: issues.iter().any(|issue| issue.code.is_ours()),
                is_hidden: finding.is_hidden,
                is_hint: false,
                related: Vec::new(),
            });
        }
    }

    /// Checks the corrected form of a rule that does not compile.
    fn check_corrected(
        &mut self,
        place: &RulePlace<'_, '_>,
        expression: &Expression<'_>,
        compiled: &CompiledExpression,
        times: u64,
    ) {
        let Some(corrected) = &compiled.corrected else { return };
        let place = &RulePlace { is_hidden: true, ..*place };
        self.price(place, &Expression { text: &corrected.text, ..*expression }, corrected.cost, times);
        if corrected.uses_old_self && !compiled.uses_old_self {
            self.uncorrelatable(place);
        }
    }

    /// Checks 143 and 144.
    fn old_self(&mut self, place: &RulePlace<'_, '_>, compiled: &CompiledExpression) {
        if compiled.uses_old_self {
            return self.uncorrelatable(place);
        }
        if !knows_optional_old_self(self.rules.version) || place.rule.optional_old_self.is_none() {
            return;
        }
        let detail = "may not be set if oldSelf is not used in rule".to_owned();
        let code = Code::CelOptionalOldSelfUnused;
        let finding = place.finding(code, ErrorType::Invalid, Purpose::Rule, detail);
        let written = place.rule.optional_old_self_place;
        self.push(RuleFinding {
            path: place.path("optionalOldSelf"),
            value: place.rule.optional_old_self.map(|value| value.to_string()).unwrap_or_default(),
            range: written.map_or(finding.range, |range| range.wrapping_shifted(place.node.base)),
            message: Message::new("`optionalOldSelf` is allowed only in a rule that uses `oldSelf`").advise(
                if place.rule.rule.contains("oldSelf") {
                    "correct the rule first"
                } else {
                    "remove `optionalOldSelf`"
                },
            ),
            ..finding
        });
    }

    /// Check 143 of a rule that refers to `oldSelf`.
    fn uncorrelatable(&mut self, place: &RulePlace<'_, '_>) {
        let Some(around) = place.node.uncorrelatable else { return };
        let server = self.rules.server;
        let steps = place.node.path.segments().get(..around.depth).unwrap_or_default();
        let detail = format!(
            "oldSelf cannot be used on the uncorrelatable portion of the schema within {}",
            server.join(steps)
        );
        let name = in_resource(steps);
        let code = Code::CelOldSelfUncorrelatable;
        let finding = place.finding(code, ErrorType::Invalid, Purpose::Rule, detail);
        let message = match around.schema.items.as_ref().map(|items| &*items.node.generic.type_name) {
            Some(ty) => {
                let or_keys = if ty == "object" { ", or use list type `map`" } else { "" };
                Message::new(format!("`oldSelf` is not supported in items of `{name}`, which have no keys"))
                    .advise(format!("move the rule to `{name}`{or_keys}"))
            }
            None => Message::new(format!(
                "`oldSelf` is not supported in `{name}`, whose old and new fields cannot be matched"
            ))
            .advise(format!("move the rule to `{name}`")),
        };
        let value = go::quoted(&place.rule.rule);
        let related =
            vec![RelatedInformation::here(around.key, format!("items of `{name}` have no identity"))];
        self.push(RuleFinding { message, value, related, ..finding });
    }

    pub(super) fn push(&mut self, finding: RuleFinding) {
        if self.findings.len() >= MAX_VIOLATIONS {
            return;
        }
        let RuleFinding {
            code,
            error,
            path,
            range,
            value,
            detail,
            mut message,
            is_ours,
            is_hidden,
            is_hint,
            related,
        } = finding;
        if self.rules.has_more && !self.seen.insert((code, range)) && is_hidden {
            return;
        }
        message.is_later = is_hidden && self.rules.reports_later;
        let server =
            || ServerError::of_value(error, self.rules.server.join(&path).to_string(), value, detail);
        self.findings.push(Finding {
            code,
            severity: if is_hint { Severity::Hint } else { lint_severity(code).unwrap_or(Severity::Error) },
            message,
            range,
            field_path: self.rules.user.join(&path),
            api_server: (!is_hidden && !is_ours).then(server),
            related,
        });
    }
}
