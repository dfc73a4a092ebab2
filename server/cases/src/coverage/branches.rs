//! The branches of a rule: each side of `&&` and `||`, the condition of `?:`, and the ranges of macros.

use cel::Environment;
use cel::ast::{Ast, ExprId, ExprKind, Function, Operator};
use text::TextRange;

/// A part of a rule that cases must cover with both outcomes.
pub(super) struct CoveredPart {
    pub(super) expr: ExprId,
    /// Its byte range in the rule.
    pub(super) range: TextRange,
    /// Whether it is the range of a macro; otherwise it is a boolean.
    pub(super) is_loop: bool,
}

/// The parts of a rule; none if the rule is invalid.
pub(super) fn parts(rule: &str) -> Vec<CoveredPart> {
    // The environment in which the server compiles stored rules: the ids of expressions are the same there.
    let (ast, issues) = cel::parse(rule, Environment::for_stored_rules().parse_options());
    let mut found = Vec::new();
    if issues.is_empty() {
        visit(&ast, ast.root(), &mut found);
    }
    // In reading order.
    found.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
    found
}

fn visit(ast: &Ast, expr: ExprId, found: &mut Vec<CoveredPart>) {
    if let Some(call) = ast.macro_of(expr) {
        if let ExprKind::Comprehension(of) = ast.kind(expr) {
            found.push(CoveredPart { expr: of.range, range: ast.expr(of.range).range, is_loop: true });
        }
        call.target.iter().chain(ast.list(call.args)).for_each(|written| visit(ast, *written, found));
        return;
    }
    if let ExprKind::Call { function: Function::Operator(operator), args, .. } = ast.kind(expr) {
        let args = ast.list(*args);
        match operator {
            Operator::And | Operator::Or => {
                // `a && b && c` has three sides, regardless of the nesting in the tree.
                let own = args.iter().filter(|arg| !is_call_of(ast, **arg, *operator));
                own.for_each(|arg| condition(ast, *arg, found));
            }
            Operator::Conditional => args.iter().take(1).for_each(|arg| condition(ast, *arg, found)),
            _ => {}
        }
    }
    ast.for_each_child(expr, |child| visit(ast, child, found));
}

fn is_call_of(ast: &Ast, expr: ExprId, wanted: Operator) -> bool {
    matches!(ast.kind(expr), ExprKind::Call { function: Function::Operator(operator), .. } if *operator == wanted)
}

fn condition(ast: &Ast, expr: ExprId, found: &mut Vec<CoveredPart>) {
    if !matches!(ast.kind(expr), ExprKind::Literal(_)) {
        found.push(CoveredPart { expr, range: ast.expr(expr).range, is_loop: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_branches_at_its_operators_and_loops() {
        let shown = |rule: &str| {
            let shown = |part: CoveredPart| {
                let text = rule[part.range.as_usize()].to_owned();
                if part.is_loop { format!("{text}[]") } else { text }
            };
            parts(rule).into_iter().map(shown).collect::<Vec<_>>()
        };
        assert!(shown("self.a > 1").is_empty());
        assert_eq!(
            shown("!has(self.a) || self.a > 1 && self.b"),
            ["!has(self.a)", "self.a > 1 && self.b", "self.a > 1", "self.b"]
        );
        assert_eq!(shown("self.a && self.b && self.c"), ["self.a", "self.b", "self.c"]);
        assert_eq!(shown("self.a ? 1 == 2 : true"), ["self.a"]);
        assert_eq!(shown("self.l.all(x, x > 1 || x == 0)"), ["self.l[]", "x > 1", "x == 0"]);
    }
}
