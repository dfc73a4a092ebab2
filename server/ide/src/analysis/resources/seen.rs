//! The values that a broken rule saw, as the author of a resource wrote them.

use crd::FieldPath;
use text::TextRange;
use yaml::scalar::{Resolved, ScalarStyle};
use yaml::{Reader, Value};

use crate::analysis::resources::reads::Reads;

/// More values than these are no help.
const MOST: usize = 3;
/// Letters of a value that is shown.
const LONGEST: usize = 40;
/// Each comparison, and what holds where it does not. The longer ones come first.
const COMPARISONS: [(&str, &str); 6] =
    [("<=", ">"), (">=", "<"), ("==", "!="), ("!=", "=="), ("<", ">="), (">", "<=")];

/// A value that a rule read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The way from the value of the rule.
    pub(super) name: String,
    /// The value on one line.
    pub(super) value: String,
    pub(super) range: TextRange,
}

/// What the rule that `reads` is of saw below the value at `path` of `root`: scalars that are written there.
pub(super) fn values<'t>(root: Value<'t>, path: &FieldPath, reads: &Reads, reader: &Reader<'t>) -> Vec<Seen> {
    let seen = |chain: &Vec<String>| {
        let mut path = path.clone();
        chain.iter().for_each(|name| path.push_name(name.clone()));
        let value = crd::value_at(root, path.segments(), reader)?;
        let value = reader.follow(value)?;
        let text = shown(value)?;
        let name = if chain.is_empty() { "self".to_owned() } else { chain.join(".") };
        Some(Seen { name, value: text, range: value.range() })
    };
    reads.own.iter().filter_map(seen).take(MOST).collect()
}

fn shown(value: Value<'_>) -> Option<String> {
    let scalar = value.as_scalar()?;
    let text = scalar.text();
    if text.chars().count() > LONGEST || text.contains(['\n', '\r']) {
        return None;
    }
    let is_text = scalar.style() != ScalarStyle::Plain || matches!(scalar.resolve(), Ok(Resolved::String(_)));
    Some(if is_text { format!("{text:?}") } else { text.into_owned() })
}

/// What is the case in place of what `rule` asks for: `minSize 20 > maxSize 10`; where that is not one comparison, what the
/// fields are.
pub(super) fn told(rule: &str, seen: &[Seen]) -> Option<String> {
    if seen.is_empty() {
        return None;
    }
    // What is before the last alternative did not hold either.
    let last = rule.rsplit("||").next().unwrap_or(rule).trim();
    comparison(last, seen).or_else(|| {
        let all: Vec<String> = seen.iter().map(|one| format!("`{}` is {}", one.name, one.value)).collect();
        Some(all.join(", "))
    })
}

fn comparison(rule: &str, seen: &[Seen]) -> Option<String> {
    let (operator, is_not) = COMPARISONS.iter().find(|(operator, _)| rule.contains(operator))?;
    let (left, right) = rule.split_once(operator)?;
    let side = |text: &str| -> Option<String> {
        let text = text.trim();
        let own = seen.iter().find(|one| text == format!("self.{}", one.name) || text == one.name);
        match own {
            Some(own) if own.name == "self" => Some(own.value.clone()),
            Some(own) => Some(format!("{} {}", own.name, own.value)),
            None => is_literal(text).then(|| text.to_owned()),
        }
    };
    let (left, right) = (side(left)?, side(right)?);
    Some(format!("{left} {is_not} {right}"))
}

fn is_literal(text: &str) -> bool {
    let is_number = text.parse::<f64>().is_ok();
    let is_quoted = |quote: char| {
        text.strip_prefix(quote)
            .and_then(|text| text.strip_suffix(quote))
            .is_some_and(|text| !text.contains(['\'', '"', '\\']))
    };
    is_number || matches!(text, "true" | "false") || is_quoted('\'') || is_quoted('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rule: &str, all: &[(&str, &str)]) -> Option<String> {
        let seen = |(name, value): &(&str, &str)| Seen {
            name: (*name).to_owned(),
            value: (*value).to_owned(),
            range: TextRange::default(),
        };
        told(rule, &all.iter().map(seen).collect::<Vec<_>>())
    }

    #[test]
    fn a_comparison_says_what_is_the_case() {
        let sizes = [("minSize", "20"), ("maxSize", "10")];
        let expected = Some("minSize 20 > maxSize 10".to_owned());
        assert_eq!(of("self.minSize <= self.maxSize", &sizes), expected);
        assert_eq!(of("!has(self.minSize) || self.minSize<=self.maxSize", &sizes), expected);
        assert_eq!(of("self == 'a'", &[("self", "\"b\"")]), Some("\"b\" != 'a'".to_owned()));
        assert_eq!(of("self.size < 3", &[("size", "5")]), Some("size 5 >= 3".to_owned()));
    }

    #[test]
    fn other_rules_name_their_values() {
        let both = [("a", "1"), ("b", "2")];
        let expected = Some("`a` is 1, `b` is 2".to_owned());
        assert_eq!(of("self.a < self.b * 2 && self.b < 1", &both), expected);
        assert_eq!(of("[self.a, self.b].all(x, x > 3)", &both), expected);
        assert_eq!(of("self.all(x, x > 3)", &[]), None);
    }
}
