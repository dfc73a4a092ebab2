//! Expressions as canonical texts, which are equal for equal expressions, and as clauses.

use std::fmt::Write;

use super::facts::{Atom, Clause, Facts, either};
use crate::ast::{Ast, Comprehension, EntryKey, ExprId, ExprKind, Function, Literal, Name, Operator};
use crate::checker::CheckedExpr;
use crate::types::Type;

/// The maximum number of parts of conditions that are read; equality and `?:` read their parts twice.
const MAX_PARTS: u32 = 4_000;
/// A variable whose value has a longer canonical text gets a unique name instead.
const MAX_TEXT: usize = 1_000;
/// Writing stops at this length or number of nodes: in rules of many steps, each step repeats the text of
/// earlier steps.
const MAX_WRITTEN: usize = 4_000;

/// An expression and the variables of the macros around a place of it.
pub(super) struct Reader<'a> {
    pub(super) ast: &'a Ast,
    pub(super) checked: &'a CheckedExpr,
    /// The variables, each with the canonical text of its value.
    scopes: Vec<(Name, String)>,
    parts: u32,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(ast: &'a Ast, checked: &'a CheckedExpr) -> Self {
        Self { ast, checked, scopes: Vec::new(), parts: 0 }
    }

    /// Enters the loop `it`, so that its variables are known; pass the result to [`Self::leave`].
    pub(super) fn enter(&mut self, it: &Comprehension) -> usize {
        let before = self.scopes.len();
        let is_map = matches!(self.checked.type_of(it.range), Type::Map(_));
        let (range, initial) = (self.short_text(it.range), self.short_text(it.accu_init));
        self.scopes.extend(variables(it, is_map, &range, initial));
        before
    }

    /// Enters the result of `filter`: its variable is an element of the filtered list.
    pub(super) fn enter_filtered(&mut self, filtered: ExprId, filter: &Comprehension) -> usize {
        let before = self.scopes.len();
        self.scopes.push((filter.iter_var, format!("{}[*]", self.short_text(filtered))));
        before
    }

    pub(super) fn leave(&mut self, before: usize) {
        self.scopes.truncate(before);
    }

    fn short_text(&self, id: ExprId) -> String {
        let text = self.text(id);
        if text.len() <= MAX_TEXT { text } else { unnamed(id) }
    }

    /// The canonical text of `id`. An expression with a longer text gets a unique name.
    pub(super) fn text(&self, id: ExprId) -> String {
        let mut writer = Writer::new(self.ast, self.checked, &self.scopes);
        writer.write(id);
        writer.finish(id)
    }

    /// The canonical text of a field.
    pub(super) fn field(&self, operand: ExprId, field: &str) -> String {
        member(self.text(operand), field)
    }

    /// The canonical text of the value at a literal key of a map; `None` for anything else.
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

    /// The clauses that hold if `id` is `holds`.
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
                // If `all` is true or `exists` is false, the body has that result for each element.
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
        // The value differs from the default, so the optional has a value.
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
    // A key may contain text that looks like more steps.
    let _ = if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        write!(path, ".{name}")
    } else {
        write!(path, "[{name:?}]")
    };
    path
}

/// A unique name for an expression.
fn unnamed(id: ExprId) -> String {
    format!("@{}", id.index())
}

/// Writes canonical texts.
struct Writer<'a, 's> {
    ast: &'a Ast,
    checked: &'a CheckedExpr,
    /// The variables around the expression, then those within it.
    outer: &'s [(Name, String)],
    inner: Vec<(Name, String)>,
    out: String,
    nodes: usize,
}

impl<'a, 's> Writer<'a, 's> {
    const fn new(ast: &'a Ast, checked: &'a CheckedExpr, outer: &'s [(Name, String)]) -> Self {
        Self { ast, checked, outer, inner: Vec::new(), out: String::new(), nodes: 0 }
    }

    /// The written text of `id`.
    fn finish(self, id: ExprId) -> String {
        if self.is_full() { unnamed(id) } else { self.out }
    }

    const fn is_full(&self) -> bool {
        self.out.len() > MAX_WRITTEN || self.nodes > MAX_WRITTEN
    }

    fn write(&mut self, id: ExprId) {
        self.nodes += 1;
        if self.is_full() {
            return;
        }
        match self.ast.kind(id) {
            ExprKind::Error => self.out.push('\u{0}'),
            ExprKind::Literal(literal) => self.debug(literal),
            ExprKind::Ident(name) => self.variable(*name),
            ExprKind::Select { operand, field, test_only, .. } => {
                self.out.push_str(if *test_only { "has(" } else { "" });
                self.member(*operand, self.ast.name(*field));
                self.out.push_str(if *test_only { ")" } else { "" });
            }
            ExprKind::Call { function, target, args } => {
                self.call(*function, *target, self.ast.list(*args));
            }
            ExprKind::List { elements, optional } => {
                self.out.push('[');
                self.debug(&self.ast.indices(*optional));
                self.list(self.ast.list(*elements));
                self.out.push(']');
            }
            ExprKind::Map(entries) | ExprKind::Struct { fields: entries, .. } => {
                self.out.push('{');
                for entry in self.ast.entries(*entries) {
                    match entry.key {
                        EntryKey::Expr(key) => self.write(key),
                        EntryKey::Field(name) => self.out.push_str(self.ast.name(name)),
                    }
                    self.out.push_str(if entry.optional { "?:" } else { ":" });
                    self.write(entry.value);
                    self.out.push(',');
                }
                self.out.push('}');
            }
            ExprKind::Comprehension(it) => self.comprehension(it),
        }
    }

    fn comprehension(&mut self, it: &Comprehension) {
        self.out.push_str("for(");
        let range = self.part(it.range);
        let initial = self.part(it.accu_init);
        // The accumulator has the text of its initial value here; the names of the other variables do not matter.
        let before = self.inner.len();
        let is_map = matches!(self.checked.type_of(it.range), Type::Map(_));
        self.inner.extend(variables(it, is_map, &range, initial));
        [it.condition, it.step, it.result].into_iter().for_each(|part| self.write(part));
        self.inner.truncate(before);
        self.out.push(')');
    }

    /// Writes a part, and returns the canonical text of a variable that is bound to it.
    fn part(&mut self, id: ExprId) -> String {
        let start = self.out.len();
        self.write(id);
        let written = self.out.get(start..).filter(|text| text.len() <= MAX_TEXT);
        let text = written.map_or_else(|| unnamed(id), str::to_owned);
        self.out.push(',');
        text
    }

    fn variable(&mut self, name: Name) {
        let mut scopes = self.inner.iter().rev().chain(self.outer.iter().rev());
        match scopes.find(|(local, _)| *local == name) {
            Some((_, replacement)) => self.out.push_str(replacement),
            None => self.out.push_str(self.ast.name(name)),
        }
    }

    fn call(&mut self, function: Function, target: Option<ExprId>, args: &[ExprId]) {
        let name = self.ast.function_name(function);
        match (function, target, args) {
            (Function::Operator(Operator::OptSelect), _, [operand, field]) => {
                let field = match self.ast.kind(*field) {
                    ExprKind::Literal(Literal::String(field)) => field,
                    _ => "",
                };
                return self.member(*operand, field);
            }
            (Function::Operator(Operator::Index | Operator::OptIndex), _, [operand, index]) => {
                if let (Type::Map(_), ExprKind::Literal(Literal::String(key))) =
                    (self.checked.type_of(*operand), self.ast.kind(*index))
                {
                    return self.member(*operand, key);
                }
                self.write(*operand);
                self.out.push('[');
                self.write(*index);
                return self.out.push(']');
            }
            // A call on the value of an optional has the same text as a call on the optional.
            (Function::Named(_), Some(target), []) if name == "value" => return self.write(target),
            _ => {}
        }
        self.out.push_str(name);
        self.out.push('(');
        target.iter().for_each(|target| self.list(&[*target]));
        self.list(args);
        self.out.push(')');
    }

    fn list(&mut self, parts: &[ExprId]) {
        for part in parts {
            self.write(*part);
            self.out.push(',');
        }
    }

    fn member(&mut self, operand: ExprId, name: &str) {
        self.write(operand);
        let path = std::mem::take(&mut self.out);
        self.out = member(path, name);
    }

    fn debug(&mut self, of: &impl std::fmt::Debug) {
        let _ = write!(self.out, "{of:?}");
    }
}

/// The variables of `it`, each with its canonical text. All elements of one list have the same text, by which
/// facts about each of them are found.
fn variables(it: &Comprehension, is_map: bool, range: &str, initial: String) -> Vec<(Name, String)> {
    let (element, key) = (format!("{range}[*]"), format!("{range}[@]"));
    let mut variables = vec![(it.accu_var, initial)];
    match it.iter_var2 {
        Some(second) => variables.extend([(it.iter_var, key), (second, element)]),
        None if is_map => variables.push((it.iter_var, key)),
        None => variables.push((it.iter_var, element)),
    }
    variables
}
