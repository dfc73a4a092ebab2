//! Conditions that prevent an expression from reading absent values, without any other effect: a result of
//! true stays true, and false or an error becomes false or an error.
//!
//! Consider `&&`, `||`, `?:`, `all` and `exists` with a part that fails and a whole that is not true. The
//! whole is not true either if that part is false instead. So a part that is not true when the field is
//! absent may become false then; below a negation, the same applies to true. A guard therefore protects the
//! smallest such part.

use rustc_hash::FxHashSet;
use text::TextRange;

use super::{CheckedAst, PresenceAnalysis, UnguardedRead};
use crate::ast::{Ast, Comprehension, ExprId, ExprKind, Function, Name, Operator};
use crate::possible::loops::{bodies, variables};
use crate::possible::{KnownValue, Outcome, OutcomeAnalysis, Value};

/// The maximum number of values that are guarded in one expression.
const MAX_VALUES: usize = 16;

/// Conditions before a part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The presence tests in the order of evaluation: `has(self.a)`, `'key' in self.m`.
    pub conditions: Vec<String>,
    /// Whether the part is false without the value, `has(self.a) && …`; otherwise it is true, `!has(self.a) || …`.
    pub demands: bool,
    /// The byte range of the guarded part in the expression.
    pub part: TextRange,
    /// The replacements in the expression, in the order of the text.
    pub changes: Vec<(TextRange, String)>,
}

impl Guard {
    /// The condition before the part.
    #[must_use]
    pub fn condition(&self) -> String {
        match self.demands {
            true => self.conditions.join(" && "),
            false => self.conditions.iter().map(|one| negated(one)).collect::<Vec<_>>().join(" || "),
        }
    }
}

/// The guards after which `of`, written as `text`, no longer fails because the value with the canonical text
/// `path` is absent; `None` if they would change a result of true. A guard tests all values that its part
/// reads.
#[must_use]
pub fn guards(of: CheckedAst<'_>, text: &str, reads: &PresenceAnalysis, path: &str) -> Option<Vec<Guard>> {
    let placed = |path: &str| Placer::new(of, text, reads, path).place();
    let mut sites = placed(path)?;
    let mut others: Vec<&str> =
        reads.unguarded.iter().map(|one| &*one.path).filter(|one| *one != path).collect();
    others.sort_unstable();
    others.dedup();
    for other in others.into_iter().take(MAX_VALUES) {
        for more in placed(other).into_iter().flatten() {
            if let Some(site) =
                sites.iter_mut().find(|site| site.part == more.part && site.demands == more.demands)
            {
                site.conditions.extend(more.conditions);
            }
        }
    }
    let ast = of.0;
    sites.iter_mut().for_each(|site| {
        site.conditions.sort();
        site.conditions.dedup_by(|one, other| one.text == other.text);
    });
    let mut guards: Vec<Guard> = sites.iter().map(|site| site.guard(ast, text)).collect();
    guards.sort_by_key(|guard| guard.part);
    Some(guards)
}

fn negated(condition: &str) -> String {
    if condition.starts_with("has(") { format!("!{condition}") } else { format!("!({condition})") }
}

/// A condition with the position of the tested value first, so that conditions sort in the order of reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Condition {
    at: (u32, u32),
    text: String,
}

/// The position of a guard.
struct Site {
    part: ExprId,
    demands: bool,
    conditions: Vec<Condition>,
    parent: Option<Operator>,
}

/// The parts that determine whether a condition is true or false.
pub(super) enum Logic {
    /// Each part and its polarity: the polarity of the whole, inverted by a negation.
    Parts(Vec<(ExprId, bool)>),
    /// The body of `all` or `exists`.
    Body(ExprId),
}

/// The parts that the condition `id` depends on; `None` if `id` is not a logical operation, or if `is_wanted`
/// returns true for a subexpression that selects which parts count.
pub(super) fn logic(
    (ast, checked): CheckedAst<'_>,
    id: ExprId,
    positive: bool,
    is_wanted: &dyn Fn(ExprId) -> bool,
) -> Option<Logic> {
    match ast.kind(id) {
        ExprKind::Call { function: Function::Operator(operator), args, .. } => {
            match (operator, ast.list(*args)) {
                (Operator::And | Operator::Or, parts) => {
                    Some(Logic::Parts(parts.iter().map(|part| (*part, positive)).collect()))
                }
                (Operator::Not, [of]) => Some(Logic::Parts(vec![(*of, !positive)])),
                (Operator::Conditional, [condition, one, other])
                    if !is_wanted(*condition) && *checked.type_of(id) == crate::Type::Bool =>
                {
                    Some(Logic::Parts(vec![(*one, positive), (*other, positive)]))
                }
                _ => None,
            }
        }
        ExprKind::Comprehension(it) if !is_wanted(it.range) => {
            let call = ast.macro_of(id).filter(|call| call.target == Some(it.range))?;
            matches!(ast.name(call.name), "all" | "exists").then_some(())?;
            bodies(ast, call, it).first().copied().map(Logic::Body)
        }
        _ => None,
    }
}

/// All nodes that contain one of `ids`.
pub(super) fn ancestors(ast: &Ast, ids: &FxHashSet<ExprId>) -> FxHashSet<ExprId> {
    fn mark(ast: &Ast, id: ExprId, ids: &FxHashSet<ExprId>, found: &mut FxHashSet<ExprId>) -> bool {
        let mut holds = ids.contains(&id);
        ast.for_each_child(id, |child| holds |= mark(ast, child, ids, found));
        if holds {
            found.insert(id);
        }
        holds
    }
    let mut found = FxHashSet::default();
    mark(ast, ast.root(), ids, &mut found);
    found
}

struct Placer<'a> {
    of: CheckedAst<'a>,
    text: &'a str,
    reads: &'a PresenceAnalysis,
    path: &'a str,
    /// The nodes that contain one of the reads.
    around: FxHashSet<ExprId>,
    sites: Vec<Site>,
}

/// A read below a part, with the loops between them.
struct NestedRead<'a> {
    read: &'a UnguardedRead,
    loops: Vec<(ExprId, &'a Comprehension)>,
}

impl<'a> Placer<'a> {
    fn new(of: CheckedAst<'a>, text: &'a str, reads: &'a PresenceAnalysis, path: &'a str) -> Self {
        let ids = reads.unguarded.iter().filter(|one| one.path == path).map(|one| one.id).collect();
        Self { of, text, reads, path, around: ancestors(of.0, &ids), sites: Vec::new() }
    }

    fn place(mut self) -> Option<Vec<Site>> {
        let root = self.of.0.root();
        (self.guard_deep(root, true, None) && !self.sites.is_empty()).then_some(self.sites)
    }

    /// Guards all reads in `id`: as deep as possible if only one part reads, otherwise all at once.
    fn guard_deep(&mut self, id: ExprId, positive: bool, parent: Option<Operator>) -> bool {
        let own = match self.of.0.kind(id) {
            ExprKind::Call { function: Function::Operator(operator), .. } => Some(*operator),
            _ => None,
        };
        let parts = match logic(self.of, id, positive, &|part| self.around.contains(&part)) {
            Some(Logic::Parts(parts)) => parts,
            Some(Logic::Body(body)) => vec![(body, positive)],
            None => return self.guard_before(id, positive, parent),
        };
        let parts: Vec<(ExprId, bool)> =
            parts.into_iter().filter(|(part, _)| self.around.contains(part)).collect();
        // If an absent field makes a negation false, the condition is easier to read before the negation.
        let is_outer_first = parts.len() > 1 || own == Some(Operator::Not) && positive;
        if is_outer_first && self.guard_before(id, positive, parent) {
            return true;
        }
        let before = self.sites.len();
        let below = own.filter(|_| !matches!(self.of.0.kind(id), ExprKind::Comprehension(_)));
        if parts.iter().all(|(part, positive)| self.guard_deep(*part, *positive, below)) {
            return true;
        }
        self.sites.truncate(before);
        !is_outer_first && self.guard_before(id, positive, parent)
    }

    /// Guards all reads in `id` before `id`.
    fn guard_before(&mut self, id: ExprId, positive: bool, parent: Option<Operator>) -> bool {
        let Some(conditions) = self.conditions(id, positive) else { return false };
        self.sites.push(Site { part: id, demands: positive, conditions, parent });
        true
    }

    fn conditions(&self, id: ExprId, positive: bool) -> Option<Vec<Condition>> {
        let mut found = Vec::new();
        self.find(id, &mut Vec::new(), &mut found);
        let mut groups: Vec<(Vec<Condition>, Vec<ExprId>)> = Vec::new();
        let texts = |conditions: &[Condition]| -> Vec<String> {
            conditions.iter().map(|one| one.text.clone()).collect()
        };
        for one in &found {
            let (conditions, failing) = self.conditions_of(one)?;
            match groups.iter_mut().find(|(other, _)| texts(other) == texts(&conditions)) {
                Some((_, ids)) => ids.push(failing),
                None => groups.push((conditions, vec![failing])),
            }
        }
        // If one of the tested values is absent, the part may have a result other than that of the guard.
        for (_, failing) in &groups {
            let outcome = self.possible(failing).outcome_of(id);
            if (positive && outcome.may_be_true()) || (!positive && outcome.may_be_false()) {
                return None;
            }
        }
        Some(groups.into_iter().flat_map(|(conditions, _)| conditions).collect())
    }

    /// The possible outcomes of the expression if `failing` fail because the values that they read are absent.
    fn possible(&self, failing: &[ExprId]) -> OutcomeAnalysis<'a> {
        let absent = Outcome { value: Value::Bool { yes: false, no: true }, fails: true };
        let tests = self.reads.tests.iter().filter(|(_, path)| path == self.path);
        let tests = tests.map(|(id, _)| (*id, absent.clone()));
        let failing = failing.iter().map(|id| (*id, Outcome::FAILS));
        OutcomeAnalysis::new(self.of, &|_| KnownValue::NOTHING, tests.chain(failing))
    }

    /// The reads in `id`.
    fn find(
        &self,
        id: ExprId,
        loops: &mut Vec<(ExprId, &'a Comprehension)>,
        found: &mut Vec<NestedRead<'a>>,
    ) {
        if !self.around.contains(&id) {
            return;
        }
        if let Some(read) = self.reads.unguarded.iter().find(|one| one.id == id && one.path == self.path) {
            found.push(NestedRead { read, loops: loops.clone() });
        }
        let ast = self.of.0;
        if let ExprKind::Comprehension(it) = ast.kind(id) {
            self.find(it.range, loops, found);
            self.find(it.accu_init, loops, found);
            loops.push((id, it));
            [it.condition, it.step, it.result].into_iter().for_each(|part| self.find(part, loops, found));
            loops.pop();
        } else {
            ast.for_each_child(id, |child| self.find(child, loops, found));
        }
    }

    /// The conditions for a read, tested outside its loops, and the node that fails without them.
    fn conditions_of(&self, found: &NestedRead<'_>) -> Option<(Vec<Condition>, ExprId)> {
        let ast = self.of.0;
        let mut conditions = self.chain(found.read)?;
        let mut failing = found.read.id;
        for (id, it) in found.loops.iter().rev() {
            let call = ast.macro_of(*id).filter(|call| call.target == Some(it.range))?;
            let body = *bodies(ast, call, it).first()?;
            if matches!(ast.name(call.name), "all" | "exists") {
                // The variables of the loop are undefined outside.
                let mut names = variables(it);
                if names.any(|name| conditions.iter().any(|one| uses(&one.text, ast, name))) {
                    return None;
                }
                continue;
            }
            // All other macros fail if their body fails for one element, and evaluate the body for each element.
            if !self.possible(&[failing]).outcome_of(body).must_fail() {
                return None;
            }
            let range = self.text.get(ast.expr(it.range).range.as_usize())?;
            let is_simple = !matches!(
                ast.kind(it.range),
                ExprKind::Call { function: Function::Operator(operator), .. }
                    if !matches!(operator, Operator::Index | Operator::OptSelect | Operator::OptIndex)
            );
            let names: Vec<&str> = variables(it).map(|name| ast.name(name)).collect();
            let range = if is_simple { range.to_owned() } else { format!("({range})") };
            let inner: Vec<&str> = conditions.iter().map(|one| &*one.text).collect();
            let text = format!("{range}.all({}, {})", names.join(", "), inner.join(" && "));
            let at = conditions.last().map_or((0, 0), |one| one.at);
            conditions = vec![Condition { at, text }];
            failing = *id;
        }
        Some((conditions, failing))
    }

    /// The conditions for all values on the path of the read.
    fn chain(&self, read: &UnguardedRead) -> Option<Vec<Condition>> {
        let ast = self.of.0;
        let mut chain = Vec::new();
        let mut at = Some(read.id);
        while let Some(id) = at {
            if let Some(one) = self.reads.unguarded.iter().find(|one| one.id == id) {
                let text = condition(self.text, one)?;
                chain.push(Condition { at: (one.range.start, one.range.end), text });
            }
            at = match ast.kind(id) {
                ExprKind::Select { operand, .. } => Some(*operand),
                ExprKind::Call { function: Function::Operator(Operator::Index), args, .. } => {
                    ast.list(*args).first().copied()
                }
                _ => None,
            };
        }
        chain.reverse();
        Some(chain)
    }
}

/// Whether the expression `text` uses a variable.
fn uses(text: &str, ast: &Ast, name: Name) -> bool {
    let tokens = crate::tokenize(text);
    tokens.iter().any(|token| text.get(token.range.as_usize()) == Some(ast.name(name)))
}

/// The presence test of a read.
fn condition(text: &str, one: &UnguardedRead) -> Option<String> {
    let operand = text.get(one.operand.as_usize())?;
    Some(match one.owner {
        Some(_) => format!("has({})", text.get(one.range.as_usize())?),
        None if one.field.contains(['\'', '\\', '\n']) => return None,
        None => format!("'{}' in {operand}", one.field),
    })
}

/// The replacements in `text` that insert `condition` before the smallest condition that contains all parts
/// written like the text at `written`: `condition && …` if it `demands`, else `condition || …`. The meaning
/// may change.
#[must_use]
pub fn conditional(
    of: CheckedAst<'_>,
    text: &str,
    written: TextRange,
    condition: &str,
    demands: bool,
) -> Vec<(TextRange, String)> {
    let ast = of.0;
    let words = |range: TextRange| text.get(range.as_usize());
    let is_alike = |range: TextRange| range == written || words(range) == words(written);
    let ids = ast.exprs().filter(|(_, expr)| is_alike(expr.range)).map(|(id, _)| id).collect();
    let around = ancestors(ast, &ids);
    let (mut part, mut parent) = (ast.root(), None);
    loop {
        let parts = match logic(of, part, true, &|part| around.contains(&part)) {
            Some(Logic::Parts(parts)) => parts,
            Some(Logic::Body(body)) => vec![(body, true)],
            None => break,
        };
        let mut parts = parts.into_iter().filter(|(part, _)| around.contains(part));
        let (Some((only, _)), None) = (parts.next(), parts.next()) else { break };
        parent = match ast.kind(part) {
            ExprKind::Call { function: Function::Operator(operator), .. } => Some(*operator),
            _ => None,
        };
        part = only;
    }
    Site { part, demands, conditions: Vec::new(), parent }.changes(ast, text, condition)
}

impl Site {
    fn guard(&self, ast: &Ast, text: &str) -> Guard {
        let conditions: Vec<String> = self.conditions.iter().map(|one| one.text.clone()).collect();
        let part = ast.expr(self.part).range;
        let mut guard = Guard { conditions, demands: self.demands, part, changes: Vec::new() };
        guard.changes = self.changes(ast, text, &guard.condition());
        guard
    }

    /// Inserts `condition` before the part, with parentheses where the precedence of operators requires them.
    fn changes(&self, ast: &Ast, text: &str, condition: &str) -> Vec<(TextRange, String)> {
        let range = ast.expr(self.part).range;
        let operator = match ast.kind(self.part) {
            ExprKind::Call { function: Function::Operator(operator), .. } => Some(*operator),
            _ => None,
        };
        let is_weaker = match self.demands {
            true => matches!(operator, Some(Operator::Or | Operator::Conditional)),
            false => operator == Some(Operator::Conditional),
        };
        let joint = if self.demands { "&&" } else { "||" };
        let mut head = format!("{condition} {joint} ");
        let (mut start, end, mut tail) = (range.start, range.end, "");
        let outside = parentheses(text, range);
        match outside {
            // Existing parentheses around the part suffice.
            Some(outside) if self.demands && is_weaker && self.parent != Some(Operator::Not) => {
                start = outside.start;
            }
            _ if is_weaker => {
                head.push('(');
                tail = ")";
            }
            None if !self.demands && matches!(self.parent, Some(Operator::And | Operator::Not)) => {
                head.insert(0, '(');
                tail = ")";
            }
            _ => {}
        }
        let mut changes = vec![(TextRange::empty(start), head)];
        if !tail.is_empty() {
            changes.push((TextRange::empty(end), tail.to_owned()));
        }
        changes
    }
}

/// The parentheses directly around a part.
fn parentheses(text: &str, range: TextRange) -> Option<TextRange> {
    let before = text.get(..range.start as usize)?.trim_end();
    let following = text.get(range.end as usize..)?;
    let close = following.len() - following.trim_start().len();
    let open = before.strip_suffix('(')?;
    following.trim_start().starts_with(')').then_some(())?;
    // Parentheses of a call do not group.
    let is_call = open.trim_end().ends_with(|char: char| char.is_ascii_alphanumeric() || char == '_');
    (!is_call || open.trim_end().ends_with(" in"))
        .then(|| TextRange::new(open.len() as u32, range.end + close as u32 + 1))
}
