//! Fixes for rules that compare a list with a value of the type of its items.

use cel::ast::{Ast, ExprId, ExprKind, Function, Operator};
use cel::{IssueCode, Type};
use crd::cel::Purpose;
use crd::rules::RuleView;
use text::TextRange;

use super::request::FixRequest;
use crate::analysis::caches::Caches;
use crate::fixes::rewrite::changed;
use crate::{Finding, Fix};

/// Compares each item, or requires one that matches.
pub(super) fn compare_items(
    request: &FixRequest<'_, '_>,
    finding: &Finding,
    caches: &mut Caches,
) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let mut fixes = Vec::new();
    request.visit_rules(finding, caches, &mut |view| {
        let Some((_, place)) = view.expression(Purpose::Rule) else { return };
        let at = |range| place.range_of(range, view.base());
        let touched = |one: &ListComparison| at(one.range).overlaps(finding.range);
        for ListComparison { range, list, body } in comparisons(view).into_iter().filter(touched) {
            for (name, effect) in
                [("all", "every item must match"), ("exists", "one matching item is enough")]
            {
                let title = format!("Replace the comparison with `{list}.{name}(x, …)` ({effect})");
                let changes = [(range, format!("{list}.{name}(x, {body})"))];
                let Some(edits) = changed(document, editor, finding.range.start, &changes, at) else {
                    continue;
                };
                fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
            }
        }
    });
    fixes
}

/// A comparison without an overload, because one side is a list of the other side's type.
struct ListComparison {
    range: TextRange,
    /// The list, as in the text.
    list: String,
    /// The comparison of an item, `x`.
    body: String,
}

fn comparisons(view: &RuleView<'_>) -> Vec<ListComparison> {
    let Some((text, _)) = view.expression(Purpose::Rule) else { return Vec::new() };
    let Some(inspected) = view.inspect(Purpose::Rule, text) else { return Vec::new() };
    let (ast, checked) = (&inspected.ast, &inspected.checked);
    let mut found = Vec::new();
    for issue in checked.issues.iter().filter(|issue| issue.code == IssueCode::NoOverload) {
        let Some((id, [one, other])) = comparison(ast, issue.anchor) else { continue };
        let is_list_of = |list: ExprId, item: ExprId| {
            let item = checked.type_of(item);
            matches!(checked.type_of(list), Type::List(of) if **of == *item) && !item.is_dyn_or_error()
        };
        let range = ast.expr(id).range;
        // Both sides with the parentheses around them.
        let operator = cel::tokenize(text).into_iter().find(|token| Some(token.range.start) == issue.anchor);
        let Some(operator) = operator.map(|token| token.range) else { continue };
        let of = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default().trim();
        let (left, right) = (of(range.start, operator.start), of(operator.end, range.end));
        let sign = of(operator.start, operator.end);
        let (list, list_text, side, body) = match (is_list_of(one, other), is_list_of(other, one)) {
            (true, _) => (one, left, right, format!("x {sign} {right}")),
            (_, true) => (other, right, left, format!("{left} {sign} x")),
            _ => continue,
        };
        // `x` may be another variable, and an operation has a lower precedence than a call.
        let is_simple = matches!(
            ast.kind(list),
            ExprKind::Select { .. } | ExprKind::Ident(_) | ExprKind::Comprehension(_)
        );
        let is_used = cel::tokenize(side).iter().any(|token| side.get(token.range.as_usize()) == Some("x"));
        if is_simple && !is_used {
            found.push(ListComparison { range, list: list_text.to_owned(), body });
        }
    }
    found
}

fn comparison(ast: &Ast, anchor: Option<u32>) -> Option<(ExprId, [ExprId; 2])> {
    use Operator as O;
    ast.exprs().find_map(|(id, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Operator(operator), args, .. }
            if Some(expr.anchor) == anchor
                && matches!(
                    operator,
                    O::Equals | O::NotEquals | O::Less | O::LessEquals | O::Greater | O::GreaterEquals
                ) =>
        {
            Some((id, ast.list(*args).try_into().ok()?))
        }
        _ => None,
    })
}
