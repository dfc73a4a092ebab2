//! Wording for messages and hovers.

use cel::cost::SCHEMA_LIMIT;
use cel::env::Overload;
use cel::{Issue, IssueCode, TokenKind, Type};
use text::{TextRange, TextSize};

use crate::schema::Keyword;

/// The maximum number of bounds that a message proposes.
const MAX_PROPOSED: usize = 3;
/// The maximum number of characters of a message, so that lists show it.
const LONGEST_MESSAGE: usize = 160;

/// A number with its digits in groups of three.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A cost or a size in words: `unbounded`, or a number.
#[must_use]
pub fn cost_words(cost: u64) -> String {
    if is_unbounded(cost) { "unbounded".to_owned() } else { grouped(cost) }
}

/// Whether a cost depends on a size that nothing bounds, not even the size of a request. The estimate is then
/// the greatest `u64`, or a tenth of it, which is the cost of reading each byte.
#[must_use]
pub const fn is_unbounded(cost: u64) -> bool {
    cost >= u64::MAX / 10
}

/// The maximum cost of `times` evaluations, as a product: `1,200 × 64 = 76,800`.
#[must_use]
pub fn sum_words(per_call: u64, times: u64) -> String {
    let total = per_call.saturating_mul(times);
    match times {
        _ if is_unbounded(per_call) => "unbounded".to_owned(),
        1 => cost_words(total),
        _ => format!("{} × {} = {}", grouped(per_call), grouped(times), cost_words(total)),
    }
}

/// A cost relative to `limit`, as people write it: `4.3 × the limit of 10 million`. `of` describes the scope
/// of the limit if that is not one expression.
pub(crate) fn of_limit(cost: u64, limit: u64, of: &str) -> String {
    let factor = cost as f64 / limit as f64;
    let limit = format!("{} million{of}", limit / 1_000_000);
    if is_unbounded(cost) {
        return format!("unbounded (limit {limit})");
    }
    match factor {
        _ if factor < 0.001 => format!("less than 0.1 % of the limit of {limit}"),
        _ if factor < 1.0 => format!("{} % of the limit of {limit}", short_number(factor * 100.0)),
        _ if factor < 1.05 => format!("slightly above the limit of {limit}"),
        _ => format!("{} × the limit of {limit}", short_number(factor)),
    }
}

/// A number with few significant digits: `4.3`, `53,284`, `3.5 billion`.
fn short_number(number: f64) -> String {
    for (unit, name) in [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")] {
        if number >= unit {
            return format!("{} {name}", short_number(number / unit));
        }
    }
    if number >= 99.95 {
        return grouped(number.round() as u64);
    }
    let text = format!("{number:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// The cost of `what` as a share of the limit for all rules, which they exceed together.
pub(crate) fn share_words(what: &str, cost: u64) -> String {
    let share = of_limit(cost, SCHEMA_LIMIT, " for all rules");
    match cost > SCHEMA_LIMIT {
        true => format!("the cost of {what} alone is {share}"),
        false => format!("the cost of {what} is {share}, which together exceed it"),
    }
}

/// The name of a type as an author knows it: a type that a schema declares is an object.
#[must_use]
pub fn type_name(of: &Type) -> String {
    match of {
        Type::Object(name) if name.starts_with("selfType") => "object".to_owned(),
        Type::Error => "unknown".to_owned(),
        Type::List(of) => format!("list({})", type_name(of)),
        Type::Map(of) => format!("map({}, {})", type_name(&of.0), type_name(&of.1)),
        Type::Optional(of) => format!("optional({})", type_name(of)),
        Type::Type(Some(of)) => format!("type({})", type_name(of)),
        other => other.to_string(),
    }
}

/// A signature in the form of a call: `string.matches(string) -> bool`.
#[must_use]
pub fn signature(overload: &Overload) -> String {
    match overload.signature.strip_prefix('(').filter(|_| overload.member) {
        // The table has the receiver in parentheses.
        Some(rest) => {
            rest.replacen(&format!(").{}(", overload.function), &format!(".{}(", overload.function), 1)
        }
        None => overload.signature.to_owned(),
    }
    .replace("optional_type(", "optional(")
}

/// The wrong part of `text`: a field rather than the whole selection, the name of a function rather than the
/// whole call, and for a missing token the character before it. Empty only if `text` is blank.
#[must_use]
pub fn issue_range(text: &str, issue: &Issue) -> TextRange {
    let mut range = issue.range;
    if issue.code == IssueCode::Lexical {
        // The lexer's range may include the blanks after the wrong characters.
        let written = text.get(range.as_usize()).unwrap_or_default();
        range.end = range.start + written.trim_end().len() as TextSize;
    }
    if let (IssueCode::UndefinedField, Some(dot)) = (issue.code, issue.anchor)
        && text.as_bytes().get(dot as usize) == Some(&b'.')
        && dot + 1 < range.end
    {
        return TextRange { start: dot + 1, end: range.end };
    }
    if let Some(name) = tested_field(text, issue).or_else(|| called(text, issue)) {
        return name;
    }
    if !range.is_empty() {
        return range;
    }
    let at = text::floor_char_boundary(text, range.start as usize);
    let length = |c: char| c.len_utf8() as TextSize;
    let end = at as TextSize;
    match (text.get(at..).and_then(|rest| rest.chars().next()), text.get(..at)) {
        (Some(c), _) => TextRange::at(end, length(c)),
        (None, Some(before)) => {
            let last = before.trim_end();
            let start = last.char_indices().next_back().map_or(0, |(start, _)| start as TextSize);
            TextRange { start, end: last.len() as TextSize }
        }
        (None, None) => range,
    }
}

/// The field that `has(…)` tests, if it is the undefined one.
fn tested_field(text: &str, issue: &Issue) -> Option<TextRange> {
    let part = text.get(issue.range.as_usize()).filter(|_| issue.code == IssueCode::UndefinedField)?;
    let tokens = cel::tokenize(part);
    let dot = tokens.iter().rposition(|token| token.kind == TokenKind::Dot)?;
    let field = tokens.get(dot + 1).filter(|_| part.starts_with("has"))?;
    Some(TextRange { start: issue.range.start + field.range.start, end: issue.range.start + field.range.end })
}

/// The name of an undefined function; such an issue is anchored at the parenthesis of the call.
fn called(text: &str, issue: &Issue) -> Option<TextRange> {
    let anchor = issue.anchor.filter(|_| issue.code == IssueCode::Undeclared)?;
    cel::name_before(&cel::tokenize(text), anchor).filter(|name| issue.range.contains_range(*name))
}

/// Advice for a cost whose causes are unknown.
pub(crate) const SIMPLIFY: &str = "simplify it, or limit the size of the values that it reads";

/// Advice for the cost in `problem`: these bounds, each with its place in words, as many as fit into a
/// message.
pub(crate) fn advice(problem: &str, bounds: &[(Keyword, String)]) -> String {
    if bounds.is_empty() {
        return SIMPLIFY.to_owned();
    }
    let most = bounds.len().min(MAX_PROPOSED);
    let fits =
        |advice: &String| problem.chars().count() + "; ".len() + advice.chars().count() <= LONGEST_MESSAGE;
    let shorter = (1..=most).rev().map(|count| bounds_words(bounds, count));
    shorter.into_iter().find(fits).unwrap_or_else(|| bounds_words(bounds, 1))
}

/// ``set `maxItems` on `a` and `b`, and `maxLength` on `c` ``: the first `count` bounds, grouped by keyword.
fn bounds_words(bounds: &[(Keyword, String)], count: usize) -> String {
    let mut groups: Vec<(Keyword, Vec<String>)> = Vec::new();
    for (keyword, name) in bounds.iter().take(count) {
        match groups.iter_mut().find(|(known, _)| known == keyword) {
            Some((_, names)) => names.push(name.clone()),
            None => groups.push((*keyword, vec![name.clone()])),
        }
    }
    let is_long = groups.iter().any(|(_, names)| names.len() > 1);
    let words = |(keyword, names): &(Keyword, Vec<String>)| {
        format!("`{}` on {}", keyword.as_str(), text::listed(names))
    };
    let mut words: Vec<String> = groups.iter().map(words).collect();
    match bounds.get(count..).unwrap_or_default() {
        [] => {}
        [(keyword, _)] => words.push(format!("`{}` on one more field", keyword.as_str())),
        rest @ [(keyword, _), ..] if rest.iter().all(|(other, _)| other == keyword) => {
            words.push(format!("`{}` on {} more fields", keyword.as_str(), rest.len()));
        }
        rest => words.push(format!("{} more bounds", rest.len())),
    }
    let last = words.pop().unwrap_or_default();
    match words.is_empty() {
        true => format!("set {last}"),
        false if is_long || bounds.len() > count => format!("set {}, and {last}", words.join(", ")),
        false => format!("set {} and {last}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use cel::cost::EXPRESSION_LIMIT;

    use super::*;

    #[test]
    fn costs_are_factors_of_the_limit() {
        for (cost, expected) in [
            (1, "less than 0.1 % of the limit of 10 million"),
            (3_800_000, "38 % of the limit of 10 million"),
            (10_000_001, "slightly above the limit of 10 million"),
            (11_527_202, "1.2 × the limit of 10 million"),
            (43_000_000, "4.3 × the limit of 10 million"),
            (532_840_903_727, "53,284 × the limit of 10 million"),
            (345_880_409_621_712_077, "34.6 billion × the limit of 10 million"),
            (u64::MAX, "unbounded (limit 10 million)"),
        ] {
            assert_eq!(of_limit(cost, EXPRESSION_LIMIT, ""), expected);
        }
        assert_eq!(
            share_words("the rule", 38_000_000),
            "the cost of the rule is 38 % of the limit of 100 million for all rules, which together exceed it"
        );
        assert_eq!(
            share_words("the rule", u64::MAX),
            "the cost of the rule alone is unbounded (limit 100 million for all rules)"
        );
    }

    #[test]
    fn bounds_are_listed_by_keyword_up_to_the_maximum_length() {
        let bound = |keyword, name: &str| (keyword, format!("`{name}`"));
        let items = |name: &str| bound(Keyword::MaxItems, name);
        let length = |name: &str| bound(Keyword::MaxLength, name);
        for (bounds, expected) in [
            (vec![], SIMPLIFY),
            (vec![items("a")], "set `maxItems` on `a`"),
            (vec![length("a[*]"), items("a")], "set `maxLength` on `a[*]` and `maxItems` on `a`"),
            (vec![length("a"), length("b")], "set `maxLength` on `a` and `b`"),
            (
                vec![length("a"), items("c"), length("b")],
                "set `maxLength` on `a` and `b`, and `maxItems` on `c`",
            ),
            (
                vec![items("a"), items("b"), items("c"), length("d")],
                "set `maxItems` on `a`, `b` and `c`, and `maxLength` on one more field",
            ),
        ] {
            assert_eq!(advice("the cost is high", &bounds), expected);
        }
        let problem = "x".repeat(100);
        assert_eq!(
            advice(&problem, &[items("spec.groups"), length("spec.groups[*].zone")]),
            "set `maxItems` on `spec.groups`, and `maxLength` on one more field"
        );
    }
}
