//! Cheaper expressions with the same result: one loop instead of two, `format` instead of concatenated
//! strings.
//!
//! If a part can fail at evaluation, its replacement must fail for the same values, or it is not offered:
//! `all` and `exists` absorb the error of one item if another decides, `filter` and `map` do not.

use cel::ast::{Ast, ExprId, ExprKind, Function, Literal, MacroCall, Operator};
use cel::{CheckedExpr, Type};
use crd::rules::CostedExpression;
use text::TextRange;

use super::safe::Safety;

/// The maximum number of nodes of an expression that is examined.
const MOST_NODES: usize = 4_000;

/// The replacement of a part of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Rewrite {
    /// The effect, phrased for a title.
    pub(super) effect: String,
    pub(super) range: TextRange,
    pub(super) text: String,
}

/// The precedence of a part. A part with a lower precedence than its position requires is put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Conditional,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
    Primary,
}

/// The possible replacements of parts of `priced`, outer parts first.
pub(super) fn rewrites(priced: &CostedExpression) -> Vec<Rewrite> {
    let (ast, checked) = priced.tree();
    // A comment would hide the text after it.
    if priced.text.contains("//") || ast.len() > MOST_NODES {
        return Vec::new();
    }
    let absent = priced.reads_absent();
    let rewriter = Rewriter { text: &priced.text, ast, safety: Safety::new(ast, checked, &absent), checked };
    let mut rewrites: Vec<Rewrite> = Vec::new();
    let mut stack = vec![ast.root()];
    while let Some(id) = stack.pop() {
        rewrites.extend(rewriter.rewrite(id));
        ast.for_each_child(id, |child| stack.push(child));
    }
    rewrites.sort_by_key(|rewrite| (rewrite.range.start, std::cmp::Reverse(rewrite.range.end)));
    rewrites.dedup();
    rewrites
}

struct Rewriter<'e> {
    text: &'e str,
    ast: &'e Ast,
    checked: &'e CheckedExpr,
    safety: Safety<'e>,
}

/// `range.name(variable, …)`, as in the text.
#[derive(Clone, Copy)]
struct Loop<'e> {
    name: &'e str,
    range: ExprId,
    variable: &'e str,
    /// The arguments after the variable.
    bodies: &'e [ExprId],
}

/// A cheaper form of a whole expression.
struct CheaperText {
    effect: String,
    text: String,
}

impl<'e> Rewriter<'e> {
    fn rewrite(&self, id: ExprId) -> Option<Rewrite> {
        if let Some(rewrite) = self.escaped(id) {
            return Some(rewrite);
        }
        let quantified = || self.quantified(id);
        let found = quantified()
            .or_else(|| self.counted(id))
            .or_else(|| self.contained(id))
            .or_else(|| self.concatenated(id));
        let CheaperText { effect, text } = found?;
        Some(Rewrite { effect, range: self.ast.expr(id).range, text })
    }

    // ---- loops

    /// `l.filter(e, p).all(e, q)` is `l.all(e, !p || q)`, and `l.map(e, t).all(x, q)` is `l.all(e, q)` of `t`.
    fn quantified(&self, id: ExprId) -> Option<CheaperText> {
        let outer = self.loop_of(id)?;
        let inner = self.loop_of(outer.range)?;
        let &[body] = outer.bodies else { return None };
        let (condition, element) = match (inner.name, inner.bodies) {
            ("filter", &[condition]) => (Some(condition), None),
            ("map", &[element]) => (None, Some(element)),
            ("map", &[condition, element]) => (Some(condition), Some(element)),
            _ => return None,
        };
        if !matches!(outer.name, "all" | "exists" | "exists_one")
            || element.is_some_and(|it| !self.is_safe(it))
        {
            return None;
        }
        let is_all = outer.name == "all";
        let is_safe = condition.is_none_or(|it| self.is_safe(it));
        if !is_safe && !is_all {
            return None;
        }
        let weakest = match (condition, is_all, is_safe) {
            (None, ..) => Precedence::Conditional,
            (Some(_), true, true) => Precedence::Or,
            (Some(_), true, false) => Precedence::Or,
            (Some(_), false, _) => Precedence::And,
        };
        let body = self.substituted(body, outer.variable, inner, element, weakest)?;
        let body = match condition {
            None => body,
            Some(condition) if !is_all => format!("{} && {body}", self.bound(condition, Precedence::And)),
            Some(condition) if is_safe => format!("{} || {body}", self.negated(condition)),
            Some(condition) => format!("{} ? {body} : true", self.bound(condition, Precedence::Or)),
        };
        let (range, name, variable) =
            (self.bound(inner.range, Precedence::Primary), outer.name, inner.variable);
        let effect = format!("Merge `{}` and `{name}` into one `{name}`", inner.name);
        Some(CheaperText { effect, text: format!("{range}.{name}({variable}, {body})") })
    }

    /// `l.filter(e, p).size() == 0` is `!l.exists(e, p)`.
    fn counted(&self, id: ExprId) -> Option<CheaperText> {
        let ExprKind::Call { function: Function::Operator(operator), args, .. } = self.ast.kind(id) else {
            return None;
        };
        let &[left, right] = self.ast.list(*args) else { return None };
        let (filter, operator, other) = match (self.counted_loop(left), self.counted_loop(right)) {
            (Some(filter), _) => (filter, *operator, right),
            (None, Some(filter)) => (filter, mirrored(*operator)?, left),
            _ => return None,
        };
        let &[condition] = filter.bodies else { return None };
        let number = match self.ast.kind(other) {
            ExprKind::Literal(Literal::Int(number)) => Some(*number),
            _ => None,
        };
        let is_whole =
            self.sized(other).is_some_and(|of| self.source_text(of) == self.source_text(filter.range));
        let (negation, name, needs_safety) = match (operator, number) {
            (Operator::Equals | Operator::LessEquals, Some(0)) | (Operator::Less, Some(1)) => {
                ("!", "exists", true)
            }
            (Operator::NotEquals | Operator::Greater, Some(0)) | (Operator::GreaterEquals, Some(1)) => {
                ("", "exists", true)
            }
            (Operator::Equals, Some(1)) => ("", "exists_one", false),
            (Operator::Equals, None) if is_whole => ("", "all", true),
            _ => return None,
        };
        if needs_safety && !self.is_safe(condition) {
            return None;
        }
        let (range, variable) = (self.bound(filter.range, Precedence::Primary), filter.variable);
        let effect = format!("Replace `filter` and `size` with `{name}`");
        let text = format!("{negation}{range}.{name}({variable}, {})", self.source_text(condition));
        Some(CheaperText { effect, text })
    }

    /// `l.exists(e, e == t)` is `t in l`.
    fn contained(&self, id: ExprId) -> Option<CheaperText> {
        let one = self.loop_of(id)?;
        let &[body] = one.bodies else { return None };
        let ExprKind::Call { function: Function::Operator(operator), args, .. } = self.ast.kind(body) else {
            return None;
        };
        let negation = match (one.name, operator) {
            ("exists", Operator::Equals) => false,
            ("all", Operator::NotEquals) => true,
            _ => return None,
        };
        let &[left, right] = self.ast.list(*args) else { return None };
        let is_variable = |id: ExprId| matches!(self.ast.kind(id), ExprKind::Ident(name) if self.ast.name(*name) == one.variable);
        let other = match (is_variable(left), is_variable(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        if self.names(other).contains(&one.variable) || !self.is_safe(other) {
            return None;
        }
        let (item, list) = (self.bound(other, Precedence::Sum), self.bound(one.range, Precedence::Sum));
        let text = if negation { format!("!({item} in {list})") } else { format!("({item} in {list})") };
        Some(CheaperText { effect: format!("Replace `{}` with `in`", one.name), text })
    }

    fn loop_of(&self, id: ExprId) -> Option<Loop<'e>> {
        let &MacroCall { name, target, args, .. } = self.ast.macro_of(id)?;
        let (variable, bodies) = self.ast.list(args).split_first()?;
        let ExprKind::Ident(variable) = self.ast.kind(*variable) else { return None };
        // With a second variable, the first is an index.
        let name = self.ast.name(name);
        let is_known = matches!(
            (name, bodies.len()),
            ("all" | "exists" | "exists_one" | "filter" | "map", 1) | ("map", 2)
        );
        let has_second = matches!(self.ast.kind(id), ExprKind::Comprehension(it) if it.iter_var2.is_some());
        (is_known && !has_second).then_some(())?;
        Some(Loop { name, range: target?, variable: self.ast.name(*variable), bodies })
    }

    /// The filter whose result `id` counts.
    fn counted_loop(&self, id: ExprId) -> Option<Loop<'e>> {
        self.loop_of(self.sized(id)?).filter(|one| one.name == "filter")
    }

    /// The expression whose size `id` is.
    fn sized(&self, id: ExprId) -> Option<ExprId> {
        let ExprKind::Call { function: Function::Named(name), target, args } = self.ast.kind(id) else {
            return None;
        };
        match (self.ast.name(*name), *target, self.ast.list(*args)) {
            ("size", Some(of), &[]) | ("size", None, &[of]) => Some(of),
            _ => None,
        }
    }

    // ---- fields

    /// `self.namespace` compiles, but the cost estimate knows only the size of `self.__namespace__`.
    fn escaped(&self, id: ExprId) -> Option<Rewrite> {
        let ExprKind::Select { operand, field, field_range, .. } = self.ast.kind(id) else { return None };
        let field = self.ast.name(*field);
        let is_field = matches!(self.checked.type_of(*operand), Type::Object(_)) && cel::is_reserved(field);
        is_field.then(|| {
            let escaped = format!("__{field}__");
            let effect = format!("Replace `{field}` with `{escaped}`");
            Rewrite { effect, range: *field_range, text: escaped }
        })
    }

    // ---- strings

    /// `'a' + string(n)` is `'a%d'.format([n])`: the cost estimate does not know the length of a number as a
    /// string.
    fn concatenated(&self, id: ExprId) -> Option<CheaperText> {
        let mut parts = Vec::new();
        self.parts(id, &mut parts);
        if parts.len() < 2 || *self.checked.type_of(id) != Type::String {
            return None;
        }
        let (mut clauses, mut values) = (String::new(), Vec::new());
        for part in parts {
            if let ExprKind::Literal(Literal::String(text)) = self.ast.kind(part) {
                clauses.push_str(&text.replace('%', "%%"));
                continue;
            }
            match self.number(part) {
                Some(number) => {
                    clauses.push_str("%d");
                    values.push(self.source_text(number));
                }
                None => {
                    clauses.push_str("%s");
                    values.push(self.source_text(part));
                }
            }
        }
        if values.is_empty() {
            return None;
        }
        let text = format!(
            "{}.format([{}])",
            crate::features::cel::literal(&clauses, Some('\'')),
            values.join(", ")
        );
        Some(CheaperText { effect: "Build the string with `format`".to_owned(), text })
    }

    fn parts(&self, id: ExprId, parts: &mut Vec<ExprId>) {
        match self.ast.kind(id) {
            ExprKind::Call { function: Function::Operator(Operator::Add), args, .. } => {
                self.ast.list(*args).iter().for_each(|part| self.parts(*part, parts));
            }
            _ => parts.push(id),
        }
    }

    /// The integer that `id` converts to a string.
    fn number(&self, id: ExprId) -> Option<ExprId> {
        let ExprKind::Call { function: Function::Named(name), target: None, args } = self.ast.kind(id) else {
            return None;
        };
        let &[of] = self.ast.list(*args) else { return None };
        let is_whole = matches!(self.checked.type_of(of), Type::Int | Type::Uint);
        (self.ast.name(*name) == "string" && is_whole).then_some(of)
    }

    // ---- parts as in the text

    fn source_text(&self, id: ExprId) -> &'e str {
        self.text.get(self.ast.expr(id).range.as_usize()).unwrap_or_default()
    }

    /// The text of a part, in parentheses if its precedence is below `weakest`.
    fn bound(&self, id: ExprId, weakest: Precedence) -> String {
        let text = self.source_text(id);
        if self.binding(id) < weakest { format!("({text})") } else { text.to_owned() }
    }

    fn binding(&self, id: ExprId) -> Precedence {
        if self.ast.macro_of(id).is_some() {
            return Precedence::Primary;
        }
        match self.ast.kind(id) {
            ExprKind::Literal(Literal::Int(number)) if *number < 0 => Precedence::Unary,
            ExprKind::Literal(Literal::Double(number)) if number.is_sign_negative() => Precedence::Unary,
            ExprKind::Call { function: Function::Operator(operator), .. } => match operator {
                Operator::Conditional => Precedence::Conditional,
                Operator::Or => Precedence::Or,
                Operator::And => Precedence::And,
                Operator::Add | Operator::Subtract => Precedence::Sum,
                Operator::Multiply | Operator::Divide | Operator::Modulo => Precedence::Product,
                Operator::Not | Operator::Negate => Precedence::Unary,
                Operator::Index | Operator::OptIndex | Operator::OptSelect | Operator::NotStrictlyFalse => {
                    Precedence::Primary
                }
                _ => Precedence::Relation,
            },
            _ => Precedence::Primary,
        }
    }

    fn negated(&self, id: ExprId) -> String {
        if let ExprKind::Call { function: Function::Operator(operator), args, .. } = self.ast.kind(id) {
            let flipped = match (operator, self.ast.list(*args)) {
                (Operator::Equals, &[left, right]) => Some((left, "!=", right)),
                (Operator::NotEquals, &[left, right]) => Some((left, "==", right)),
                (Operator::Not, &[of]) => return self.bound(of, Precedence::And),
                _ => None,
            };
            if let Some((left, operator, right)) = flipped {
                let (left, right) =
                    (self.bound(left, Precedence::Relation), self.bound(right, Precedence::Sum));
                return format!("{left} {operator} {right}");
            }
        }
        format!("!{}", self.bound(id, Precedence::Primary))
    }

    /// The body of an outer loop, with its variable replaced by the element of an inner loop, or by
    /// `element`.
    fn substituted(
        &self,
        body: ExprId,
        variable: &str,
        inner: Loop<'_>,
        element: Option<ExprId>,
        weakest: Precedence,
    ) -> Option<String> {
        let mut uses = Vec::new();
        let mut binders = Vec::new();
        self.uses(body, variable, &mut uses, &mut binders);
        uses.sort_unstable();
        uses.dedup();
        let put = element.map_or_else(|| inner.variable.to_owned(), |it| self.bound(it, Precedence::Primary));
        let mut names: Vec<&str> = element.map(|it| self.names(it)).unwrap_or_default();
        names.push(inner.variable);
        // The replacement must not change the meaning of a name in the element or in the body.
        let is_taken = variable != inner.variable && self.names(body).contains(&inner.variable);
        if is_taken || binders.iter().any(|binder| names.contains(binder)) {
            return None;
        }
        let range = self.ast.expr(body).range;
        let mut text = self.source_text(body).to_owned();
        for at in uses.iter().rev() {
            let at = TextRange::new(at.start.checked_sub(range.start)?, at.end.checked_sub(range.start)?);
            text.get(at.as_usize())?;
            text.replace_range(at.as_usize(), &put);
        }
        Some(if self.binding(body) < weakest { format!("({text})") } else { text })
    }

    /// Collects the places in `id` that read `variable`, and the variables of the loops in it.
    fn uses(&self, id: ExprId, variable: &str, uses: &mut Vec<TextRange>, binders: &mut Vec<&'e str>) {
        match self.ast.kind(id) {
            ExprKind::Ident(name) if self.ast.name(*name) == variable => uses.push(self.ast.expr(id).range),
            ExprKind::Comprehension(it) => {
                self.uses(it.range, variable, uses, binders);
                let names = [Some(it.iter_var), it.iter_var2, Some(it.accu_var)];
                let own: Vec<&'e str> = names.into_iter().flatten().map(|name| self.ast.name(name)).collect();
                let hides = own.contains(&variable);
                binders.extend(own);
                if !hides {
                    for part in [it.accu_init, it.condition, it.step, it.result] {
                        self.uses(part, variable, uses, binders);
                    }
                }
            }
            _ => self.ast.for_each_child(id, |child| self.uses(child, variable, uses, binders)),
        }
    }

    /// All names in `id`.
    fn names(&self, id: ExprId) -> Vec<&'e str> {
        let mut names = Vec::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if let ExprKind::Ident(name) = self.ast.kind(id) {
                names.push(self.ast.name(*name));
            }
            self.ast.for_each_child(id, |child| stack.push(child));
        }
        names
    }

    fn is_safe(&self, id: ExprId) -> bool {
        self.safety.is_safe(id)
    }
}

/// The operator for exchanged operands.
fn mirrored(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Equals | Operator::NotEquals => operator,
        Operator::Less => Operator::Greater,
        Operator::LessEquals => Operator::GreaterEquals,
        Operator::Greater => Operator::Less,
        Operator::GreaterEquals => Operator::LessEquals,
        _ => return None,
    })
}
