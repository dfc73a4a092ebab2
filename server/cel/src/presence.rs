//! Fields that an expression reads although they may be absent, so that it fails with `no such key`.
//!
//! The known facts at a position come from the conditions around it: `has(self.a) && …`, `!has(self.a) || …`,
//! `?:`, the macros, and the other rules that hold for the same value. `&&` and `||` absorb an error of one
//! side if the other decides, so each side is examined under the condition that the other does not decide.

mod facts;
mod guard;
mod harmless;
mod reader;

use std::collections::BTreeSet;

use text::TextRange;

use crate::ast::{Ast, Comprehension, ExprId, ExprKind, Function, Literal, Operator};
use crate::checker::CheckedExpr;
use crate::types::Type;
use facts::{Clause, Facts, MAX_CLAUSES};
pub use guard::{Guard, conditional, guards};
pub use harmless::is_harmless;
use reader::Reader;

/// Larger trees are not examined.
const MAX_NODES: usize = 4_000;

/// The maximum number of node visits; some nodes are visited several times.
const MAX_VISITS: usize = 20_000;

/// An expression that was checked.
pub type CheckedAst<'a> = (&'a Ast, &'a CheckedExpr);

/// A field, or the value of a key, that may be absent where it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnguardedRead {
    /// The byte range of the whole read in the expression.
    pub range: TextRange,
    /// The byte range of the object or map in the expression.
    pub operand: TextRange,
    /// The byte range of the field name, or of the key of a map, in the expression.
    pub name: TextRange,
    /// The name of the type that has the field; `None` for a key of a map.
    pub owner: Option<String>,
    /// The field or the key.
    pub field: String,
    /// The node that reads it.
    pub id: ExprId,
    /// The read value in canonical form: equal reads have equal paths.
    pub path: String,
}

/// The possibly absent values that `of` reads if all of `others` hold, each value once, in the order of the
/// text. `is_optional` takes an object type and a field, and returns whether objects may lack the field.
pub fn unguarded(
    of: CheckedAst<'_>,
    others: &[CheckedAst<'_>],
    is_optional: &dyn Fn(&str, &str) -> bool,
) -> Vec<UnguardedRead> {
    once(reads(of, others, is_optional).unguarded)
}

/// The first read of each value.
fn once(mut found: Vec<UnguardedRead>) -> Vec<UnguardedRead> {
    let mut seen = BTreeSet::new();
    found.retain(|one| seen.insert(one.path.clone()));
    found
}

fn is_small((ast, _): &CheckedAst<'_>) -> bool {
    ast.len() <= MAX_NODES
}

/// The possibly absent values that each of `rules` reads if all others hold, with the index in `rules`.
/// `None` represents a rule that does not compile.
#[must_use]
pub fn unguarded_each(
    rules: &[Option<CheckedAst<'_>>],
    is_optional: &dyn Fn(&str, &str) -> bool,
) -> Vec<(usize, UnguardedRead)> {
    let mut facts = Facts::default();
    // The clauses of each rule are computed once, and whether they are incomplete.
    let clauses_of = |rule: &Option<CheckedAst<'_>>| {
        let (ast, checked) = rule.filter(is_small)?;
        let clauses = Reader::new(ast, checked).clauses(ast.root(), true, &mut facts);
        Some((clauses, facts.take_gave_up()))
    };
    let known_clauses: Vec<Option<(Vec<Clause>, bool)>> = rules.iter().map(clauses_of).collect();
    let count: usize = known_clauses.iter().flatten().map(|(clauses, _)| clauses.len()).sum();
    let unclear = known_clauses.iter().flatten().filter(|(_, gave_up)| *gave_up).count();
    let mut found = Vec::new();
    for (index, (rule, own)) in rules.iter().zip(&known_clauses).enumerate() {
        let (Some(of), Some((clauses, gave_up))) = (*rule, own) else { continue };
        // Nothing is reported if there are too many clauses, or if those of another rule are incomplete.
        let is_known = count - clauses.len() <= MAX_CLAUSES && unclear == usize::from(*gave_up);
        if !is_known || !may_have_missing_field(of, is_optional) {
            continue;
        }
        let others = known_clauses.iter().enumerate().filter(|(other, _)| *other != index);
        let others = others.filter_map(|(_, other)| Some(other.as_ref()?.0.iter().cloned()));
        facts.assume(others.flatten().collect());
        let reads;
        (reads, facts) = walked(of, facts, is_optional);
        facts.forget(0);
        facts.take_gave_up();
        found.extend(once(reads.unguarded).into_iter().map(|one| (index, one)));
    }
    found
}

/// The reads of possibly absent values in an expression.
#[derive(Clone, Debug, Default)]
pub struct PresenceAnalysis {
    /// All such reads, in the order of the text.
    pub unguarded: Vec<UnguardedRead>,
    /// The presence tests, each with the tested value in canonical form.
    tests: Vec<(ExprId, String)>,
}

/// All reads of possibly absent values in `of`.
#[must_use]
pub fn reads(
    of: CheckedAst<'_>,
    others: &[CheckedAst<'_>],
    is_optional: &dyn Fn(&str, &str) -> bool,
) -> PresenceAnalysis {
    if !is_small(&of) || !may_have_missing_field(of, is_optional) {
        return PresenceAnalysis::default();
    }
    let mut facts = Facts::default();
    for (ast, checked) in others.iter().filter(|other| is_small(other)) {
        let clauses = Reader::new(ast, checked).clauses(ast.root(), true, &mut facts);
        facts.assume(clauses);
    }
    walked(of, facts, is_optional).0
}

/// The reads of possibly absent values in an expression under `facts`. Returns `facts` as well.
fn walked(
    (ast, checked): CheckedAst<'_>,
    facts: Facts,
    is_optional: &dyn Fn(&str, &str) -> bool,
) -> (PresenceAnalysis, Facts) {
    let reader = Reader::new(ast, checked);
    let mut walk =
        PresenceWalk { reader, facts, is_optional, visits: 0, tests: Vec::new(), found: Vec::new() };
    walk.visit(ast.root());
    let PresenceWalk { facts, tests, found: mut unguarded, .. } = walk;
    unguarded.sort_by_key(|one| (one.name, one.id));
    unguarded.dedup_by_key(|one| one.id);
    (PresenceAnalysis { unguarded, tests }, facts)
}

/// Whether the expression reads any field or key that may be absent.
fn may_have_missing_field((ast, checked): CheckedAst<'_>, is_optional: &dyn Fn(&str, &str) -> bool) -> bool {
    ast.exprs().any(|(_, expr)| match &expr.kind {
        ExprKind::Select { operand, field, test_only: false, .. } => {
            may_be_missing(checked.type_of(*operand), ast.name(*field), is_optional)
        }
        ExprKind::Call { function: Function::Operator(Operator::Index), args, .. } => {
            ast.list(*args).first().is_some_and(|of| matches!(checked.type_of(*of), Type::Map(_)))
        }
        _ => false,
    })
}

fn may_be_missing(of: &Type, field: &str, is_optional: &dyn Fn(&str, &str) -> bool) -> bool {
    match of {
        Type::Object(name) => is_optional(name, field),
        Type::Map(_) => true,
        _ => false,
    }
}

struct PresenceWalk<'a> {
    reader: Reader<'a>,
    facts: Facts,
    is_optional: &'a dyn Fn(&str, &str) -> bool,
    visits: usize,
    tests: Vec<(ExprId, String)>,
    found: Vec<UnguardedRead>,
}

impl PresenceWalk<'_> {
    /// Visits `id` under the assumption that `condition` is `holds`.
    fn visit_where(&mut self, id: ExprId, condition: ExprId, holds: bool) {
        let clauses = self.reader.clauses(condition, holds, &mut self.facts);
        let before = self.facts.assume(clauses);
        self.visit(id);
        self.facts.forget(before);
    }

    fn visit(&mut self, id: ExprId) {
        let ast = self.reader.ast;
        self.visits += 1;
        if self.visits > MAX_VISITS {
            return self.facts.give_up();
        }
        match ast.kind(id) {
            ExprKind::Select { operand, field, field_range, test_only } => {
                self.visit(*operand);
                let field = ast.name(*field);
                let of = self.reader.checked.type_of(*operand);
                if *test_only && self.tests.len() < MAX_NODES {
                    self.tests.push((id, self.reader.field(*operand, field)));
                }
                if !test_only && may_be_missing(of, field, self.is_optional) {
                    let owner = if let Type::Object(name) = of { Some(name.to_string()) } else { None };
                    let path = self.reader.field(*operand, field);
                    let (range, operand) = (ast.expr(id).range, ast.expr(*operand).range);
                    let (name, field) = (*field_range, field.to_owned());
                    self.read(UnguardedRead { range, operand, name, owner, field, id, path });
                }
            }
            ExprKind::Call { function: Function::Operator(operator), args, .. } => {
                self.operation(id, *operator, ast.list(*args));
            }
            ExprKind::Comprehension(it) => self.comprehension(it),
            _ => {
                let mut children = Vec::new();
                ast.for_each_child(id, |child| children.push(child));
                children.into_iter().for_each(|child| self.visit(child));
            }
        }
    }

    /// Whether `id` has reads of possibly absent values, without the facts from its sibling.
    fn may_fail(&mut self, id: ExprId) -> bool {
        let found = std::mem::take(&mut self.found);
        self.visit(id);
        !std::mem::replace(&mut self.found, found).is_empty()
    }

    fn operation(&mut self, id: ExprId, operator: Operator, args: &[ExprId]) {
        match (operator, args) {
            (Operator::And | Operator::Or, [one, other]) => {
                let assumed_value = operator == Operator::And;
                let before = self.found.len();
                self.visit_where(*one, *other, assumed_value);
                self.visit_where(*other, *one, assumed_value);
                // If both sides fail, neither decides.
                if self.found.len() == before && self.may_fail(*one) && self.may_fail(*other) {
                    self.visit(*one);
                }
            }
            (Operator::Conditional, [condition, one, other]) => {
                self.visit(*condition);
                self.visit_where(*one, *condition, true);
                self.visit_where(*other, *condition, false);
            }
            _ => args.iter().for_each(|arg| self.visit(*arg)),
        }
        if let (Operator::Index, [map, key]) = (operator, args)
            && let Some(path) = self.reader.key(*map, *key)
            && let ExprKind::Literal(Literal::String(field)) = self.reader.ast.kind(*key)
        {
            let range = |id: ExprId| self.reader.ast.expr(id).range;
            let (range, operand, name) = (range(id), range(*map), range(*key));
            self.read(UnguardedRead {
                range,
                operand,
                name,
                owner: None,
                field: field.to_string(),
                id,
                path,
            });
        }
    }

    fn comprehension(&mut self, it: &Comprehension) {
        self.visit(it.range);
        self.visit(it.accu_init);
        let known = self.facts.assume(Vec::new());
        self.elements(it);
        let outside = self.reader.enter(it);
        [it.condition, it.step, it.result].into_iter().for_each(|part| self.visit(part));
        self.reader.leave(outside);
        self.facts.forget(known);
    }

    /// The condition of `filter` holds for the elements of its result.
    fn elements(&mut self, it: &Comprehension) {
        let ast = self.reader.ast;
        let ExprKind::Comprehension(filter) = ast.kind(it.range) else { return };
        if ast.macro_of(it.range).is_none_or(|call| ast.name(call.name) != "filter") {
            return;
        }
        let ExprKind::Call { args, .. } = ast.kind(filter.step) else { return };
        let Some(condition) = ast.list(*args).first() else { return };
        let outside = self.reader.enter_filtered(it.range, filter);
        let clauses = self.reader.clauses(*condition, true, &mut self.facts);
        self.reader.leave(outside);
        self.facts.assume(clauses);
    }

    /// Records a read, unless the value is known to be present.
    fn read(&mut self, what: UnguardedRead) {
        if !self.facts.is_present(&what.path) {
            self.found.push(what);
        }
    }
}
