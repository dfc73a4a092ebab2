//! Proofs, on generated objects, that edits do not change the verdicts of rules.

use crd::generate::Agreement;
use text::TextEdit;

use super::Proof;

/// The verdicts that edits to rules keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeptVerdicts {
    /// All verdicts; a rule that cannot be evaluated counts as a rejection.
    All,
    /// The verdicts on objects for which the rules can be evaluated; other objects may be accepted
    /// afterwards.
    WhereEvaluated,
}

/// The effect of edits on rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The edits change no rules.
    NoRule,
    /// Generated objects show that these verdicts do not change.
    Keeps(KeptVerdicts),
    /// The verdicts change, or a proof is not possible.
    Unproven,
}

impl Proof {
    /// Whether `edits` change rules and keep these verdicts, in each schema node with changed rules.
    pub(crate) fn keeps_verdicts(&mut self, kept: KeptVerdicts, edits: &[TextEdit]) -> bool {
        self.trusts || matches!(self.effect(edits), Effect::Keeps(found) if found <= kept)
    }

    /// The effect of `edits` on rules, as far as generated objects show it.
    pub(crate) fn effect(&mut self, edits: &[TextEdit]) -> Effect {
        if !self.may_generate_values() {
            return Effect::Unproven;
        }
        let Some(agreements) = self.agreements(edits) else { return Effect::Unproven };
        match agreements.into_iter().reduce(Agreement::and) {
            None => Effect::NoRule,
            Some(agreement) if agreement.is_same() => Effect::Keeps(KeptVerdicts::All),
            Some(agreement) if agreement.is_same_where_evaluated() => {
                Effect::Keeps(KeptVerdicts::WhereEvaluated)
            }
            Some(_) => Effect::Unproven,
        }
    }

    /// Whether the verdicts before and after `edits` agree, for each schema node with changed rules.
    fn agreements(&mut self, edits: &[TextEdit]) -> Option<Vec<Agreement>> {
        let edits: Vec<TextEdit> = edits.iter().map(|edit| self.relative(edit)).collect();
        let after = self.tree_after(&edits);
        let options = self.settings.options();
        let (before, after) = (self.tree.documents().next()?, after.documents().next()?);
        let compared = crd::generate::compared(before, after, &options)?;
        Some(compared.into_iter().map(|compared| compared.agreement).collect())
    }
}
