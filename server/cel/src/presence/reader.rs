//! Expressions as canonical texts, so that equal ones are told, and as clauses.

use std::fmt::Write;

use super::facts::{Atom, Clause, Facts, either};
use crate::ast::{Ast, Comprehension, EntryKey, ExprId, ExprKind, Function, Literal, Name, Operator};
use crate::checker::Checked;
use crate::types::Type;

/// How many parts of conditions are looked into; equality and `?:` look at theirs twice.
const MAX_PARTS: u32 = 4_000;
/// A variable that stands for a longer text has a name of its own.
const MAX_TEXT: usize = 1_000;

/// An expression and the variables of the macros around a place of it.
pub(super) struct Reader<'a> {
    pub(super) ast: &'a Ast,
    pub(super) checked: &'a Checked,
    /// The variables, each with the canonical text of what it stands for.
    scopes: Vec<(Name, String)>,
    parts: u32,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(ast: &'a Ast, checked: &'a Checked) -> Self {
        Self { ast, checked, scopes: Vec::new(), parts: 0 }
    }

    /// Goes where the variables of `it` are known; [`Self::leave`] takes the result. All elements of one list have one
    /// name: what holds for each of them is known by it.
    pub(super) fn enter(&mut self, it: &Comprehension) -> usize {
        let before = self.scopes.len();
        let is_map = matches!(self.checked.type_of(it.range), Type::Map(_));
        let (range, initial) = (self.short(it.range), self.short(it.accu_init));
        let (element, key) = (format!("{range}[*]"), format!("{range}[@]"));
        self.scopes.push((it.accu_var, initial));
        match it.iter_var2 {
            Some(second) => self.scopes.extend([(it.iter_var, key), (second, element)]),
            None if is_map => self.scopes.push((it.iter_var, key)),
            None => self.scopes.push((it.iter_var, element)),
        }
        before
    }

    /// Goes where the one variable of `filter` is the element of what it leaves of its list.
    pub(super) fn enter_filtered(&mut self, filtered: ExprId, filter: &Comprehension) -> usize {
        let before = self.scopes.len();
        self.scopes.push((filter.iter_var, format!("{}[*]", self.short(filtered))));
        before
    }

    pub(super) fn leave(&mut self, before: usize) {
        self.scopes.truncate(before);
    }

    fn short(&self, id: ExprId) -> String {
        let text = self.text(id);
        if text.len() <= MAX_TEXT { text } else { format!("@{}", id.index()) }
    }

    /// The canonical text of `id`.
    pub(super) fn text(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.write(id, &mut out);
        out
    }

    /// The canonical text of a field.
    pub(super) fn field(&self, operand: ExprId, field: &str) -> String {
        member(self.text(operand), field)
    }

    /// The canonical text of the value at a literal key of a map; none of anything else.
    pub(super) fn key(&self, map: ExprId, key: ExprId) -> Option<String> {
        let (Type::Map(_), Literal::String(key)) = (self.checked.type_of(map), self.literal(key)?) else {
            return None;
        };
        Some(member(self.text(map), key))
    }

    fn literal(&self, id: ExprId) -> Option<&'a Literal> {
        match self.ast.kind(id) {
            ExprKind::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    fn write(&self, id: ExprId, out: &mut String) {
        let list = |ids: &[ExprId], out: &mut String| {
            for id in ids {
                self.write(*id, out);
                out.push(',');
            }
        };
        match self.ast.kind(id) {
            ExprKind::Error => out.push('\u{0}'),
            ExprKind::Literal(literal) => {
                let _ = write!(out, "{literal:?}");
            }
            ExprKind::Ident(name) => match self.scopes.iter().rev().find(|(local, _)| local == name) {
                Some((_, stands_for)) => out.push_str(stands_for),
                None => out.push_str(self.ast.name(*name)),
            },
            ExprKind::Select { operand, field, test_only, .. } => {
                let path = self.field(*operand, self.ast.name(*field));
                let _ = if *test_only { write!(out, "has({path})") } else { write!(out, "{path}") };
            }
            ExprKind::Call { function, target, args } => {
                self.write_call(*function, *target, self.ast.list(*args), out)
            }
            ExprKind::List { elements, optional } => {
                let _ = write!(out, "[{:?}", self.ast.indices(*optional));
                list(self.ast.list(*elements), out);
                out.push(']');
            }
            ExprKind::Map(entries) | ExprKind::Struct { fields: entries, .. } => {
                out.push('{');
                for entry in self.ast.entries(*entries) {
                    match entry.key {
                        EntryKey::Expr(key) => self.write(key, out),
                        EntryKey::Field(name) => out.push_str(self.ast.name(name)),
                    }
                    out.push_str(if entry.optional { "?:" } else { ":" });
                    self.write(entry.value, out);
                    out.push(',');
                }
                out.push('}');
            }
            ExprKind::Comprehension(it) => {
                out.push_str("for(");
                list(&[it.range, it.accu_init], out);
                // The accumulator has no name of its own here; the names of the other variables do not matter.
                let mut inner =
                    Self { ast: self.ast, checked: self.checked, scopes: self.scopes.clone(), parts: 0 };
                inner.enter(it);
                [it.condition, it.step, it.result].iter().for_each(|part| inner.write(*part, out));
                out.push(')');
            }
        }
    }

    fn write_call(&self, function: Function, target: Option<ExprId>, args: &[ExprId], out: &mut String) {
        let name = self.ast.function_name(function);
        match (function, target, args) {
            (Function::Operator(Operator::OptSelect), _, [operand, field]) => {
                let field = match self.literal(*field) {
                    Some(Literal::String(field)) => field,
                    _ => "",
                };
                return out.push_str(&self.field(*operand, field));
            }
            (Function::Operator(Operator::Index | Operator::OptIndex), _, [operand, index]) => {
                if let Some(path) = self.key(*operand, *index) {
                    return out.push_str(&path);
                }
                self.write(*operand, out);
                out.push('[');
                self.write(*index, out);
                return out.push(']');
            }
            // What an optional holds is called as the optional is.
            (Function::Named(_), Some(target), []) if name == "value" => return self.write(target, out),
            _ => {}
        }
        let _ = write!(out, "{name}(");
        for part in target.iter().chain(args) {
            self.write(*part, out);
            out.push(',');
        }
        out.push(')');
    }

    /// What is known where `id` is `holds`.
    pub(super) fn clauses(&mut self, id: ExprId, holds: bool, facts: &mut Facts) -> Vec<Clause> {
        if self.parts >= MAX_PARTS {
            facts.give_up();
            return Vec::new();
        }
        self.parts += 1;
        self.clauses_of(id, holds, facts)
    }

    fn clauses_of(&mut self, id: ExprId, holds: bool, facts: &mut Facts) -> Vec<Clause> {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Literal(Literal::Bool(value)) if *value != holds => vec![Vec::new()],
            ExprKind::Literal(_) | ExprKind::Error => Vec::new(),
            ExprKind::Select { operand, field, test_only: true, .. } => {
                let path = self.field(*operand, ast.name(*field));
                vec![vec![(facts.atom(Atom::Present(path)), holds)]]
            }
            ExprKind::Call { function: Function::Operator(operator), args, .. } => {
                self.operation(id, *operator, ast.list(*args), holds, facts)
            }
            ExprKind::Call { function: Function::Named(name), target: Some(target), args } => {
                match (ast.name(*name), ast.list(*args)) {
                    ("hasValue", []) => vec![vec![(facts.atom(Atom::Present(self.text(*target))), holds)]],
                    ("orValue", [default]) => {
                        let mut clauses = self.other(id, holds, facts);
                        if self.literal(*default).is_some_and(|default| *default != Literal::Bool(holds)) {
                            clauses.push(vec![(facts.atom(Atom::Present(self.text(*target))), true)]);
                        }
                        clauses
                    }
                    _ => self.other(id, holds, facts),
                }
            }
            ExprKind::Comprehension(it) => {
                let mut clauses = self.other(id, holds, facts);
                // `all` holds for each element, and `exists` fails for each.
                let name = ast.macro_of(id).map(|call| ast.name(call.name));
                if matches!((name, holds), (Some("all"), true) | (Some("exists"), false))
                    && let Some(body) = last_argument(ast, it.step)
                {
                    let before = self.enter(it);
                    clauses.extend(self.clauses(body, holds, facts));
                    self.leave(before);
                }
                clauses
            }
            _ => self.other(id, holds, facts),
        }
    }

    fn other(&self, id: ExprId, holds: bool, facts: &mut Facts) -> Vec<Clause> {
        vec![vec![(facts.atom(Atom::Other(self.text(id))), holds)]]
    }

    fn operation(
        &mut self,
        id: ExprId,
        operator: Operator,
        args: &[ExprId],
        holds: bool,
        facts: &mut Facts,
    ) -> Vec<Clause> {
        match (operator, args) {
            (Operator::Not, [of]) => self.clauses(*of, !holds, facts),
            (Operator::And | Operator::Or, [one, other]) => {
                let (one, other) = (self.clauses(*one, holds, facts), self.clauses(*other, holds, facts));
                match (operator == Operator::And) == holds {
                    true => one.into_iter().chain(other).collect(),
                    false => either(&one, &other),
                }
            }
            (Operator::Conditional, [condition, one, other]) => {
                let (is, is_not) =
                    (self.clauses(*condition, true, facts), self.clauses(*condition, false, facts));
                let (one, other) = (self.clauses(*one, holds, facts), self.clauses(*other, holds, facts));
                either(&is_not, &one).into_iter().chain(either(&is, &other)).collect()
            }
            (Operator::Equals, [one, other]) => self.equality(id, *one, *other, holds, facts),
            (Operator::NotEquals, [one, other]) => self.equality(id, *one, *other, !holds, facts),
            (Operator::In, [key, within]) => self.membership(id, *key, *within, holds, facts),
            _ => self.other(id, holds, facts),
        }
    }

    fn equality(
        &mut self,
        id: ExprId,
        one: ExprId,
        other: ExprId,
        holds: bool,
        facts: &mut Facts,
    ) -> Vec<Clause> {
        if *self.checked.type_of(one) == Type::Bool && *self.checked.type_of(other) == Type::Bool {
            let mut both = |holds| (self.clauses(one, holds, facts), self.clauses(other, holds, facts));
            let ((a, b), (not_a, not_b)) = (both(true), both(false));
            return match holds {
                true => either(&not_a, &b).into_iter().chain(either(&a, &not_b)).collect(),
                false => either(&a, &b).into_iter().chain(either(&not_a, &not_b)).collect(),
            };
        }
        let (term, value) = match (self.literal(one), self.literal(other)) {
            (None, Some(value)) => (one, value),
            (Some(value), None) => (other, value),
            _ => return self.other(id, holds, facts),
        };
        let atom = facts.atom(Atom::Equals(self.text(term), format!("{value:?}")));
        let mut clauses = vec![vec![(atom, holds)]];
        // Another value than the one that stands in for it.
        if let ExprKind::Call { function: Function::Named(name), target: Some(target), args } =
            self.ast.kind(term)
            && self.ast.name(*name) == "orValue"
            && let [default] = self.ast.list(*args)
            && let Some(default) = self.literal(*default)
            && (default != value) == holds
        {
            clauses.push(vec![(facts.atom(Atom::Present(self.text(*target))), true)]);
        }
        clauses
    }

    fn membership(
        &self,
        id: ExprId,
        key: ExprId,
        within: ExprId,
        holds: bool,
        facts: &mut Facts,
    ) -> Vec<Clause> {
        if let Some(path) = self.key(within, key) {
            return vec![vec![(facts.atom(Atom::Present(path)), holds)]];
        }
        let ExprKind::List { elements, .. } = self.ast.kind(within) else {
            return self.other(id, holds, facts);
        };
        let values: Option<Vec<_>> =
            self.ast.list(*elements).iter().map(|element| self.literal(*element)).collect();
        let Some(values) = values else { return self.other(id, holds, facts) };
        let term = self.text(key);
        let mut atom =
            |value: &Literal| (facts.atom(Atom::Equals(term.clone(), format!("{value:?}"))), holds);
        match holds {
            true => vec![values.into_iter().map(&mut atom).collect()],
            false => values.into_iter().map(|value| vec![atom(value)]).collect(),
        }
    }
}

/// The body of a macro whose step is `accumulator && body` or `accumulator || body`.
fn last_argument(ast: &Ast, step: ExprId) -> Option<ExprId> {
    match ast.kind(step) {
        ExprKind::Call { function: Function::Operator(Operator::And | Operator::Or), args, .. } => {
            ast.list(*args).last().copied()
        }
        _ => None,
    }
}

fn member(mut path: String, name: &str) -> String {
    // A key may hold what looks like more steps.
    let _ = if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        write!(path, ".{name}")
    } else {
        write!(path, "[{name:?}]")
    };
    path
}
