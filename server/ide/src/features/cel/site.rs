//! An expression at an offset, with its tree, its types and its schema.

use crd::cel::{InspectedExpression, Purpose};
use crd::rules::RuleView;
use text::{TextRange, TextSize};
use yaml::Tree;

use crate::Settings;
use crate::analysis::caches::Caches;
use crate::analysis::cel::rule_field::{self, RuleField, RuleFieldPosition};
use crate::features::cel::field_text::FieldText;

/// The input of requests for rules.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) tree: &'s Tree,
    pub(crate) settings: &'s Settings,
}

/// An expression.
pub(crate) struct Site<'s> {
    pub(crate) view: &'s RuleView<'s>,
    pub(crate) purpose: Purpose,
    pub(super) field_text: &'s FieldText,
    pub(crate) inspected: InspectedExpression,
}

/// The answer of `ask` for the rule with the field `position`; `None` if the schema around it cannot be read.
pub(crate) fn with_rule<T>(
    source: Source<'_>,
    position: &RuleFieldPosition<'_>,
    caches: &mut Caches,
    mut ask: impl FnMut(&RuleView<'_>) -> Option<T>,
) -> Option<T> {
    let mut answer = None;
    let options = source.settings.options();
    crd::rules::rules(position.document, &options, &mut caches.crd, position.rule, &mut |view| {
        // A rule with an anchor may belong to several schemas. The first answer counts.
        if answer.is_none() && view.range().start == position.rule.start {
            answer = ask(view);
        }
    });
    answer
}

/// Calls `visit` for each rule that overlaps `within`.
pub(crate) fn for_each_rule(
    source: Source<'_>,
    within: TextRange,
    caches: &mut Caches,
    mut visit: impl FnMut(&RuleView<'_>),
) {
    let options = source.settings.options();
    let documents = source.tree.documents().filter(|document| document.range().overlaps(within));
    for document in documents {
        crd::rules::rules(document, &options, &mut caches.crd, within, &mut visit);
    }
}

/// The answer of `ask` for the expression at `offset` (in bytes).
pub(crate) fn with_site<T>(
    source: Source<'_>,
    offset: TextSize,
    caches: &mut Caches,
    mut ask: impl FnMut(&Site<'_>, &RuleFieldPosition<'_>) -> Option<T>,
) -> Option<T> {
    let position = rule_field::find(source.tree, offset)?;
    let purpose = purpose(position.field)?;
    let written = FieldText::of(&position);
    with_rule(source, &position, caches, |view| {
        let inspected = view.inspect(purpose, &written.text)?;
        ask(&Site { view, purpose, field_text: &written, inspected }, &position)
    })
}

pub(crate) fn purpose(field: RuleField) -> Option<Purpose> {
    match field {
        RuleField::Rule => Some(Purpose::Rule),
        RuleField::MessageExpression => Some(Purpose::Message),
        RuleField::FieldPath | RuleField::Reason => None,
    }
}
