//! Whether a rule that fails because a field is absent would also reject the object with the field's empty
//! value: `''`, 0, false, no items. Most programs treat an absent field like its empty value.

use rustc_hash::FxHashSet;

use super::guard::{Logic, ancestors, logic};
use super::{CheckedAst, PresenceAnalysis};
use crate::ast::{ExprId, ExprKind};
use crate::possible::{FactSource, Outcome, OutcomeAnalysis, Value};

/// Whether `of`, which fails if the value with the canonical text `path` is absent, would not be true with
/// the empty value either.
#[must_use]
pub fn is_harmless(
    of: CheckedAst<'_>,
    reads: &PresenceAnalysis,
    path: &str,
    source: &FactSource<'_>,
) -> bool {
    let (ast, checked) = of;
    let ids: FxHashSet<ExprId> =
        reads.unguarded.iter().filter(|one| one.path == path).map(|one| one.id).collect();
    let zero = |id: &ExprId| (*id, Outcome { value: Value::zero(checked.type_of(*id)), fails: false });
    let tests = reads.tests.iter().filter(|(_, tested)| tested == path);
    let absent = Outcome { value: Value::Bool { yes: false, no: true }, fails: false };
    let tests = tests.map(|(id, _)| (*id, absent.clone()));
    let possible = OutcomeAnalysis::new(of, source, ids.iter().map(zero).chain(tests));
    let mut harmless = HarmlessCheck { of, around: ancestors(ast, &ids), possible };
    harmless.is_node_harmless(ast.root(), true)
}

struct HarmlessCheck<'a> {
    of: CheckedAst<'a>,
    around: FxHashSet<ExprId>,
    possible: OutcomeAnalysis<'a>,
}

impl HarmlessCheck<'_> {
    /// Whether the empty value cannot make `id` true where the error does not; below a negation, false.
    fn is_node_harmless(&mut self, id: ExprId, positive: bool) -> bool {
        if !self.around.contains(&id) {
            return true;
        }
        let outcome = self.possible.outcome_of(id);
        if (positive && !outcome.may_be_true()) || (!positive && !outcome.may_be_false()) {
            return true;
        }
        let around = &self.around;
        match logic(self.of, id, positive, &|part| around.contains(&part)) {
            None => false,
            Some(Logic::Parts(parts)) => {
                parts.into_iter().all(|(part, positive)| self.is_node_harmless(part, positive))
            }
            Some(Logic::Body(body)) => {
                let ExprKind::Comprehension(it) = self.of.0.kind(id) else { return false };
                let outside = self.possible.enter(id, it);
                let is = self.is_node_harmless(body, positive);
                self.possible.leave(outside);
                is
            }
        }
    }
}
