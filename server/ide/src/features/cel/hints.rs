//! The cost of each rule, shown beside it.

use crate::analysis::text_at;
use crd::cel::{EXPRESSION_LIMIT, is_unbounded};
use crd::rules::CostFigures;
use text::{TextRange, TextSize};

use crate::analysis::caches::Caches;
use crate::features::cel::hover::cost_section;
use crate::features::cel::site::{Source, for_each_rule};
use crate::features::cel::wording::{share, short_cost};

/// A hint that editors show within the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Its position, in bytes.
    pub offset: TextSize,
    /// The text.
    pub label: String,
    /// Its details, as Markdown.
    pub tooltip: String,
}

/// The costs of the rules that overlap `range`, by position.
pub(crate) fn hints(source: Source<'_>, range: TextRange, caches: &mut Caches) -> Vec<Hint> {
    let mut hints = Vec::new();
    for_each_rule(source, range, caches, |view| {
        let (Some(figures), Some(place)) = (view.figures, &view.rule.rule_place) else { return };
        if !source.settings.shows_cost(figures.total, EXPRESSION_LIMIT) {
            return;
        }
        let whole = TextRange::at(view.base().wrapping_add(place.range.start), place.range.len());
        // The end of the first line: behind the header of a block scalar, or behind a short rule.
        let line = text_at::line_of(source.tree.root(), whole).len();
        let tooltip = cost_section(view, crd::cel::Purpose::Rule).unwrap_or_default();
        hints.push(Hint { offset: whole.start + line as TextSize, label: label(&figures), tooltip });
    });
    hints.sort_by_key(|hint| hint.offset);
    // A rule behind an anchor belongs to several schemas.
    hints.dedup_by_key(|hint| hint.offset);
    hints
}

/// A rule, with its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleAt {
    /// Its range, in bytes.
    pub range: TextRange,
    /// The expression.
    pub text: String,
    /// Whether its cost is high enough to be shown.
    pub is_costly: bool,
}

/// The rules that overlap `range`, by position.
pub(crate) fn rules_at(source: Source<'_>, range: TextRange, caches: &mut Caches) -> Vec<RuleAt> {
    let mut rules = Vec::new();
    for_each_rule(source, range, caches, |view| {
        let is_costly =
            view.figures.is_some_and(|figures| source.settings.shows_cost(figures.total, EXPRESSION_LIMIT));
        rules.push(RuleAt { range: view.range(), text: view.rule.rule.to_string(), is_costly });
    });
    rules.sort_by_key(|rule| rule.range);
    rules.dedup();
    rules
}

fn label(figures: &CostFigures) -> String {
    let marker = if figures.total > EXPRESSION_LIMIT { "⚠ " } else { "" };
    let shows_times = figures.times != 1 && !is_unbounded(figures.per_call);
    let times = if shows_times { format!(" × {}", short_cost(figures.times)) } else { String::new() };
    format!(
        "{marker}cost {}{times} → {}",
        short_cost(figures.per_call),
        share(figures.total, EXPRESSION_LIMIT)
    )
}

#[cfg(test)]
mod tests {
    use crate::features::cel::hints::*;

    fn cost_hint(per_call: u64, times: u64) -> String {
        let total = per_call.saturating_mul(times);
        label(&CostFigures { per_call, times, total, message: 0 })
    }

    #[test]
    fn cost_labels_are_short() {
        assert_eq!(cost_hint(12, 1), "cost 12 → less than 0.1 % of the limit");
        assert_eq!(cost_hint(1_234, 64), "cost 1.2k × 64 → 0.8 % of the limit");
        assert_eq!(cost_hint(1_000_000, 5), "cost 1M × 5 → 50 % of the limit");
        assert_eq!(cost_hint(1_000_000, 31), "⚠ cost 1M × 31 → 3.1 × the limit");
        assert_eq!(cost_hint(10_000_100, 1), "⚠ cost 10M → exceeds the limit");
        // The cost of reading each byte of an unbounded text is a tenth of this.
        assert_eq!(cost_hint(u64::MAX / 10, 2), "⚠ cost unbounded → exceeds the limit");
        assert_eq!(cost_hint(u64::MAX, 2), "⚠ cost unbounded → exceeds the limit");
    }
}
