//! Rules and the values that they read, in the form that messages show.

use super::details::SHOWN;
use crate::customresource::failed_rule::{DisplayedValue, FailedRule, ReadValue};

/// The maximum number of values in a message.
const MOST: usize = 3;
/// The maximum length of all values together, in characters; the first value is always shown.
const ROOM: usize = 60;

/// A rule as code on one line, truncated if it is long.
pub(super) fn code(expression: &str) -> String {
    let line: Vec<&str> = expression.split_whitespace().collect();
    let line = line.join(" ");
    let line = text::start(&line, SHOWN);
    if line.contains('`') { format!("`` {line} ``") } else { format!("`{line}`") }
}

/// The scalars that a rule reads: each with its value, and with the stored value if the rule reads it.
pub(super) fn values(failed: &FailedRule) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for value in failed.values.iter().filter_map(value) {
        let length: usize = all.iter().map(|one| one.chars().count()).sum();
        if all.len() == MOST || !all.is_empty() && length + value.chars().count() > ROOM {
            break;
        }
        all.push(value);
    }
    all
}

fn value(read: &ReadValue) -> Option<String> {
    let name = &read.name;
    let now = scalar(&read.now);
    let default = if read.is_default { " by default" } else { "" };
    match (read.old.as_ref().and_then(scalar), now) {
        (Some(old), Some(now)) if old == now => Some(format!("{name} is {now}{default}")),
        (Some(old), Some(now)) => Some(format!("{name} was {old} and is {now}{default}")),
        (Some(old), None) => match read.now {
            DisplayedValue::Missing(_) => Some(format!("{name} was {old} and is missing")),
            _ => Some(format!("{name} was {old}")),
        },
        (None, Some(now)) => Some(format!("{name} is {now}{default}")),
        (None, None) => None,
    }
}

fn scalar(seen: &DisplayedValue) -> Option<&str> {
    match seen {
        DisplayedValue::Scalar(value) | DisplayedValue::Text(value) => Some(value),
        DisplayedValue::Null => Some("null"),
        DisplayedValue::Missing(_) | DisplayedValue::List(_) | DisplayedValue::Map => None,
    }
}

/// The values in parentheses, for the end of a message; empty without values.
pub(super) fn in_brackets(values: &[String]) -> String {
    if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::customresource::failed_rule::Failure;
    use crate::value::Place;

    fn read(name: &str, now: &str, old: Option<&str>) -> ReadValue {
        ReadValue {
            steps: vec![name.to_owned()],
            name: format!("`{name}`"),
            now: DisplayedValue::Scalar(now.into()),
            old: old.map(|old| DisplayedValue::Scalar(old.into())),
            is_default: false,
            place: Place::Nowhere,
        }
    }

    #[test]
    fn changed_values_show_old_and_new() {
        let of = |values: Vec<ReadValue>| {
            let failure = Failure::False(None);
            let failed = FailedRule { expression: "self.a < self.b".into(), failure, values };
            in_brackets(&super::values(&failed))
        };
        assert_eq!(of(vec![read("a", "2", None), read("b", "1", None)]), " (`a` is 2, `b` is 1)");
        assert_eq!(of(vec![read("a", "1", Some("2"))]), " (`a` was 2 and is 1)");
        assert_eq!(
            of(vec![ReadValue { is_default: true, ..read("a", "5", None) }]),
            " (`a` is 5 by default)"
        );
        assert_eq!(of(vec![ReadValue { now: DisplayedValue::Map, ..read("a", "", None) }]), "");
        let missing = ReadValue { now: DisplayedValue::Missing(0), ..read("a", "", Some("2")) };
        assert_eq!(of(vec![missing]), " (`a` was 2 and is missing)");
    }

    #[test]
    fn a_rule_is_shown_as_code_on_one_line() {
        assert_eq!(code("self.a\n  > 1"), "`self.a > 1`");
        assert_eq!(code("self.`a-b` > 1"), "`` self.`a-b` > 1 ``");
        assert!(code(&"self.a > 1 && ".repeat(20)).ends_with("…`"));
    }
}
