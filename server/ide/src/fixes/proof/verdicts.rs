//! Whether edits keep what rules accept, on generated objects.

use crd::generate::Agreement;
use text::TextEdit;

use super::Proof;

/// Which verdicts edits keep that change rules, or put something else in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kept {
    /// All; that a rule cannot be evaluated is a refusal.
    All,
    /// Those on objects on which the rules can be evaluated; others may be accepted afterwards.
    WhereEvaluated,
}

/// What edits do to rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// They change none.
    NoRule,
    /// Generated objects show that these verdicts are kept.
    Keeps(Kept),
    /// Other verdicts come of them, or nothing shows that none do.
    Unproven,
}

impl Proof {
    /// Whether `edits` change rules and keep these verdicts, in each schema node whose rules they change.
    pub(crate) fn keeps(&mut self, kept: Kept, edits: &[TextEdit]) -> bool {
        self.trusts || matches!(self.effect(edits), Effect::Keeps(found) if found <= kept)
    }

    /// What `edits` do to rules, as far as generated objects show.
    pub(crate) fn effect(&mut self, edits: &[TextEdit]) -> Effect {
        if !self.may_try() {
            return Effect::Unproven;
        }
        let Some(agreements) = self.agreements(edits) else { return Effect::Unproven };
        match agreements.into_iter().reduce(Agreement::and) {
            None => Effect::NoRule,
            Some(agreement) if agreement.is_same() => Effect::Keeps(Kept::All),
            Some(agreement) if agreement.is_same_where_evaluated() => Effect::Keeps(Kept::WhereEvaluated),
            Some(_) => Effect::Unproven,
        }
    }

    /// One for each schema node whose rules `edits` change.
    fn agreements(&mut self, edits: &[TextEdit]) -> Option<Vec<Agreement>> {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let after = self.tree_after(&edits);
        let options = self.settings.options();
        let (before, after) = (self.tree.documents().next()?, after.documents().next()?);
        let compared = crd::generate::compared(before, after, &options)?;
        Some(compared.into_iter().map(|compared| compared.agreement).collect())
    }
}
