//! The repair of several slips together.

use text::TextEdit;

use super::Causes;
use super::slips::is_wrong;
use crate::Finding;
use crate::fixes::proof::Proof;

/// The index of the finding on a slip, and the edits that repair it.
pub(super) type SlipRepair = (usize, Vec<TextEdit>);

/// Adds the causes that the repair of several slips together shows: each of two slips alone causes the finding, so
/// the repair of one of them does not remove it.
pub(super) fn add_causes(
    findings: &[Finding],
    repairs: &[SlipRepair],
    causes: &mut Causes,
    proof: &mut Proof,
) {
    let has_cause = |index: usize| causes.get(index).is_none_or(Option::is_some);
    let is_slip = |index: usize| repairs.iter().any(|(slip, _)| *slip == index);
    let open: Vec<(usize, &Finding)> = findings
        .iter()
        .enumerate()
        .filter(|(index, one)| is_wrong(one) && !is_slip(*index) && !has_cause(*index))
        .collect();
    let roots: Vec<&SlipRepair> = repairs.iter().filter(|(slip, _)| !has_cause(*slip)).collect();
    let ([(first, _), _, ..], false) = (&*roots, open.is_empty()) else { return };
    let edits = joined(roots.iter().map(|(_, edits)| edits.as_slice()));
    let removed = proof.effects_of_repair(&edits).removed;
    for (index, _) in open.into_iter().filter(|(_, one)| removed.contains(&(one.code, one.range))) {
        if let Some(own) = causes.get_mut(index) {
            *own = Some(*first);
        }
    }
}

/// The edits of all `repairs`, sorted, without repairs that touch the edits of earlier ones.
pub(super) fn joined<'e>(repairs: impl Iterator<Item = &'e [TextEdit]>) -> Vec<TextEdit> {
    let mut all: Vec<TextEdit> = Vec::new();
    for edits in repairs {
        let mut together: Vec<TextEdit> = all.iter().chain(edits).cloned().collect();
        together.sort();
        let are_apart =
            together.windows(2).all(|pair| matches!(pair, [one, next] if one.range.end < next.range.start));
        if are_apart {
            all = together;
        }
    }
    all
}
