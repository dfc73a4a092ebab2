//! Corrections of texts that a function rejects: `duration('5 m')`.

use cel::ast::{ExprKind, Function, Literal};
use cel::{Issue, IssueCode};
use text::TextRange;

use super::{Correction, CorrectionEffect};
use crate::cel::compile::{Expression, InspectedExpression};

/// `new` in the quotes of `written`; `None` if `written` has escapes or another form.
pub(crate) fn quoted_like(written: &str, text: &str, new: &str) -> Option<String> {
    let quote = written.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let inner = written.strip_prefix(quote)?.strip_suffix(quote)?;
    (inner == text && !new.contains(['\\', quote])).then(|| format!("{quote}{new}{quote}"))
}

/// Units as people write them, and the units that durations accept.
const UNITS: [(&str, &str); 11] = [
    ("milliseconds", "ms"),
    ("millis", "ms"),
    ("seconds", "s"),
    ("second", "s"),
    ("secs", "s"),
    ("sec", "s"),
    ("minutes", "m"),
    ("minute", "m"),
    ("mins", "m"),
    ("min", "m"),
    ("hours", "h"),
];

/// The probable correction of `text`, which `function` rejects.
pub(crate) fn better(function: &str, text: &str) -> Option<String> {
    let dense: String = text.split_whitespace().collect();
    let mut tried = vec![dense.clone()];
    match function {
        "duration" => {
            let lower = dense.to_lowercase();
            tried.extend(
                UNITS
                    .iter()
                    .filter_map(|(unit, short)| Some(format!("{}{short}", lower.strip_suffix(unit)?))),
            );
            let days = lower.trim_end_matches("days").trim_end_matches('d').parse::<u32>();
            tried.extend(
                days.ok().filter(|_| lower.contains('d')).map(|days| format!("{}h", u64::from(days) * 24)),
            );
            tried.push(lower.clone());
            tried.push(format!("{lower}s"));
        }
        "timestamp" => {
            let text = text.trim();
            tried.push(format!("{text}T00:00:00Z"));
            tried.push(format!("{text}Z"));
            let with_mark = text.replacen(' ', "T", 1);
            tried.push(with_mark.clone());
            tried.push(format!("{with_mark}Z"));
        }
        "quantity" => {
            let without = dense.trim_end_matches(['b', 'B']).to_owned();
            let number = without.trim_end_matches(|ch: char| ch.is_ascii_alphabetic()).to_owned();
            let unit = without.get(number.len()..).unwrap_or("").to_lowercase();
            let mut chars = unit.chars();
            let first = chars.next().map(|first| first.to_ascii_uppercase());
            tried.push(without);
            tried.extend(first.map(|first| format!("{number}{first}{}", chars.as_str())));
        }
        "semver" => {
            let plain = dense.trim_start_matches(['v', 'V']).to_owned();
            tried.extend([plain.clone(), format!("{plain}.0"), format!("{plain}.0.0")]);
        }
        "url" => tried.push(format!("https://{dense}")),
        _ => {}
    }
    tried.into_iter().find(|new| new != text && cel::value::accepts(function, new) == Some(true))
}

/// The correction of the literal at `range`, which a function rejects at compile time.
pub(crate) fn argument(text: &str, inspected: &InspectedExpression, range: TextRange) -> Option<String> {
    let (_, expr) = inspected.ast.exprs().find(|(_, expr)| match &expr.kind {
        ExprKind::Call { function: Function::Named(_), target: None, args } => {
            matches!(inspected.ast.list(*args), [arg] if inspected.ast.expr(*arg).range == range)
        }
        _ => false,
    })?;
    let ExprKind::Call { function: Function::Named(name), args, .. } = &expr.kind else { return None };
    let arg = *inspected.ast.list(*args).first()?;
    let ExprKind::Literal(Literal::String(written)) = inspected.ast.kind(arg) else { return None };
    let new = better(inspected.ast.name(*name), written)?;
    quoted_like(text.get(range.as_usize())?, written, &new)
}

/// The corrections of arguments that functions reject.
pub(super) fn corrected(expression: &Expression<'_>, inspected: &InspectedExpression) -> Vec<Correction> {
    let of = |issue: &Issue| {
        let new = argument(expression.text, inspected, issue.range)?;
        let written = expression.text.get(issue.range.as_usize())?.to_owned();
        let changes = vec![(issue.range, new.clone())];
        Some(Correction { meaning: CorrectionEffect::Converted { written, new }, changes })
    };
    let issues = inspected.checked.issues.iter().filter(|issue| issue.code == IssueCode::Argument);
    issues.filter_map(of).collect()
}
