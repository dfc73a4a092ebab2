//! Findings for rules whose costs exceed the server's limits (checks 139, 142, 145 and 146).

use api::Code;
use cel::Type;
use cel::ast::{ExprKind, Function};
use cel::cost::{EXPRESSION_LIMIT, SCHEMA_LIMIT};

use crate::cel::compile::{Expression, Purpose};
use crate::cel::excess::unbounded;
use crate::cel::rule::exceeds;
use crate::cel::wording::{SIMPLIFY, advice, cost_words, is_unbounded, of_limit, share_words};
use crate::field_path::FieldPath;
use crate::finding::RelatedInformation;
use crate::message::Message;
use crate::report::ErrorType;
use crate::rules::report::{Check, Pass, RuleFinding, RulePlace, field};
use crate::rules::sum::{Contributor, TotalCost};

/// The maximum number of related places of a finding.
const MAX_RELATED: usize = 10;

/// The name of an expression in messages.
fn subject(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Rule => "the rule",
        Purpose::Message => "`messageExpression`",
    }
}

/// The number that an expression converts to text with `string`: the estimate knows no bound for the result.
fn text_of_number(expression: &Expression<'_>) -> Option<String> {
    let inspected = expression.inspect();
    let ast = &inspected.ast;
    let of = ast.exprs().find_map(|(_, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Named(name), target: None, args } => {
            let &[of] = ast.list(*args) else { return None };
            let is_number = matches!(inspected.checked.type_of(of), Type::Int | Type::Uint | Type::Double);
            (ast.name(*name) == "string" && is_number).then_some(of)
        }
        _ => None,
    })?;
    expression.text.get(ast.expr(of).range.as_usize()).map(str::to_owned)
}

impl Check<'_> {
    /// Checks 139 and 142 for an expression that costs `cost` for each of its `times` evaluations. A message
    /// expression is evaluated once, however often the rule is evaluated.
    pub(super) fn price(
        &mut self,
        place: &RulePlace<'_, '_>,
        expression: &Expression<'_>,
        cost: u64,
        times: u64,
    ) {
        let total = cost.saturating_mul(times);
        if self.rules.limits_expressions && total > EXPRESSION_LIMIT {
            let (code, what) = match expression.purpose {
                Purpose::Rule => (Code::CelRuleCost, "estimated rule cost"),
                Purpose::Message => (Code::CelMessageExpressionCost, "estimated messageExpression cost"),
            };
            let detail = exceeds(what, total, EXPRESSION_LIMIT);
            let finding = place.finding(code, ErrorType::Forbidden, expression.purpose, detail);
            self.excess(place, expression, finding, total);
        }
        self.note_cost(place, expression.purpose, total);
    }

    fn excess(
        &mut self,
        place: &RulePlace<'_, '_>,
        expression: &Expression<'_>,
        finding: RuleFinding,
        total: u64,
    ) {
        let culprits = unbounded(place.node, &[expression.explain()], &FieldPath::root());
        let (what, cost) = (subject(expression.purpose), of_limit(total, EXPRESSION_LIMIT, ""));
        let problem = format!("the estimated cost of {what} is {cost}");
        let bounds: Vec<_> = culprits.iter().map(|one| (one.keyword, one.target())).collect();
        let made_of_number =
            || text_of_number(expression).filter(|_| is_unbounded(total) && bounds.is_empty());
        let remedy = match made_of_number() {
            Some(number) => format!("insert `{number}` with `'%s'.format([{number}])`"),
            None => advice(&problem, &bounds),
        };
        let message = Message::new(problem).advise(remedy);
        let related =
            culprits.iter().take(MAX_RELATED).map(|one| RelatedInformation::here(one.range, one.problem()));
        let related = related.collect();
        self.push(RuleFinding { message, related, ..finding });
    }

    fn note_cost(&mut self, place: &RulePlace<'_, '_>, purpose: Purpose, cost: u64) {
        if place.pass == Pass::Again {
            return;
        }
        let contributor = || Contributor {
            kind: subject(purpose),
            cost,
            path: place.path(field(purpose)),
            range: place.range(purpose),
            is_hidden: place.is_hidden,
        };
        if !place.is_hidden {
            self.reported.add(cost, contributor);
        }
        self.total_cost.add(cost, contributor);
    }

    /// Checks 145 and 146.
    pub(super) fn total(&mut self) {
        let (reported, mut all) = (std::mem::take(&mut self.reported), std::mem::take(&mut self.total_cost));
        let is_hidden = reported.total <= SCHEMA_LIMIT;
        if all.total <= SCHEMA_LIMIT {
            return;
        }
        // Expressions that the server does not compile yet will also contribute.
        let TotalCost { total, mut contributors } =
            if is_hidden { std::mem::take(&mut all) } else { reported };
        let named = contributors.len();
        contributors.extend(all.contributors.into_iter().filter(|one| one.is_hidden));
        let cost = |one: &Contributor| format!("the cost of this expression is {}", cost_words(one.cost));
        let related =
            contributors.iter().take(named).map(|one| RelatedInformation::here(one.range, cost(one)));
        let related = related.collect();
        for one in contributors {
            let detail =
                "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            self.push(RuleFinding {
                code: Code::CelCrdCostContributor,
                error: ErrorType::Forbidden,
                path: one.path,
                range: one.range,
                value: String::new(),
                detail: detail.to_owned(),
                message: Message::new(share_words(one.kind, one.cost)).advise(SIMPLIFY),
                is_ours: false,
                is_hidden: is_hidden || one.is_hidden,
                is_hint: false,
                related: Vec::new(),
            });
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let detail = exceeds(what, total, SCHEMA_LIMIT);
        self.push(RuleFinding {
            code: Code::CelCrdCostTotal,
            error: ErrorType::Forbidden,
            path: Vec::new(),
            range: self.rules.key,
            value: String::new(),
            message: Message::new(format!(
                "the estimated cost of all rules is {}",
                of_limit(total, SCHEMA_LIMIT, "")
            ))
            .advise("set `maxItems`, `maxProperties` or `maxLength` on the values that they read"),
            detail,
            is_ours: false,
            is_hidden,
            is_hint: false,
            related,
        });
    }
}
