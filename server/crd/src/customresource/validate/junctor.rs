//! `anyOf`, `oneOf`, `allOf` and `not`.

use super::node::SchemaNode;
use super::outcome::Outcome;
use super::{Holder, Validator};
use crate::schema::Keyword;
use crate::schema::structural::{Child, NestedValueValidation};
use crate::value::quoted;

impl<'v> Validator<'_, 'v> {
    pub(super) fn junctors(&mut self, holder: &Holder<'v>, node: SchemaNode<'_>, outcome: &mut Outcome) {
        let validation = node.validation();
        self.any_of(holder, node, &validation.any_of, outcome);
        self.one_of(holder, node, &validation.one_of, outcome);
        self.all_of(holder, node, &validation.all_of, outcome);
        if let Some(not) = &validation.not
            && self.value(holder.in_junctor(), node.branch(not)).is_valid()
            && !self.is_exhausted()
        {
            let detail = format!("{} must not validate the schema (not)", quoted(&self.name));
            outcome.add(self.unnamed(holder, node, Keyword::Not, detail));
        }
        outcome.count();
    }

    /// Stops at the first valid branch.
    fn any_of(
        &mut self,
        holder: &Holder<'v>,
        node: SchemaNode<'_>,
        branches: &[Child<NestedValueValidation>],
        outcome: &mut Outcome,
    ) {
        let mut best: Option<Outcome> = None;
        for branch in branches {
            let result = self.value(holder.in_junctor(), node.branch(branch));
            if result.is_valid() {
                return outcome.merge(result);
            }
            if best.as_ref().is_none_or(|best| result.matches() > best.matches()) {
                best = Some(result);
            }
        }
        if let Some(best) = best {
            let detail = format!("{} must validate at least one schema (anyOf)", quoted(&self.name));
            outcome.add(self.unnamed(holder, node, Keyword::AnyOf, detail));
            outcome.merge(best);
        }
    }

    fn one_of(
        &mut self,
        holder: &Holder<'v>,
        node: SchemaNode<'_>,
        branches: &[Child<NestedValueValidation>],
        outcome: &mut Outcome,
    ) {
        if branches.is_empty() {
            return;
        }
        let (mut first, mut best, mut valid): (Option<Outcome>, Option<Outcome>, usize) = (None, None, 0);
        for branch in branches {
            let result = self.value(holder.in_junctor(), node.branch(branch));
            if result.is_valid() {
                valid += 1;
                best = None;
                first = first.or(Some(result));
            } else if valid == 0 && best.as_ref().is_none_or(|best| result.matches() > best.matches()) {
                best = Some(result);
            }
        }
        if valid != 1 && !self.is_exhausted() {
            let found = match valid {
                0 => "Found none valid".to_owned(),
                _ => format!("Found {valid} valid alternatives"),
            };
            let detail =
                format!("{} must validate one and only one schema (oneOf). {found}", quoted(&self.name));
            outcome.add(self.unnamed(holder, node, Keyword::OneOf, detail));
        }
        if let Some(result) = if valid == 1 { first } else { best } {
            outcome.merge(result);
        }
    }

    fn all_of(
        &mut self,
        holder: &Holder<'v>,
        node: SchemaNode<'_>,
        branches: &[Child<NestedValueValidation>],
        outcome: &mut Outcome,
    ) {
        let mut valid = 0;
        for branch in branches {
            let result = self.value(holder.in_junctor(), node.branch(branch));
            valid += usize::from(result.is_valid());
            outcome.merge(result);
        }
        if valid != branches.len() {
            let none = if valid == 0 { ". None validated" } else { "" };
            let detail = format!("{} must validate all the schemas (allOf){none}", quoted(&self.name));
            outcome.add(self.unnamed(holder, node, Keyword::AllOf, detail));
        }
    }
}
