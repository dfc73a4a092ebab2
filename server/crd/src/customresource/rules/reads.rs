//! The fields that a rule reads, as its text names them, with their values.

use crate::customresource::failed_rule::{DisplayedValue, ReadValue};
use crate::field_path::FieldPath;
use crate::value::{Place, Value};

/// The maximum number of values.
const MOST: usize = 8;

/// The paths that an expression reads from the variable `root`, such as `self`: `self.a.b.size() > 1` reads
/// `a.b`. A path ends before an index, a macro or an escaped name.
#[must_use]
pub fn fields_read(root: &str, expression: &str) -> Vec<Vec<String>> {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut chains = Vec::new();
    for (at, _) in expression.match_indices(root) {
        let before = expression.get(..at).unwrap_or_default();
        if before.ends_with(|char: char| is_word(char) || char == '.') {
            continue;
        }
        let mut rest = expression.get(at + root.len()..).unwrap_or_default();
        if rest.starts_with(is_word) {
            continue;
        }
        let mut chain = Vec::new();
        while let Some(after) = rest.trim_start().strip_prefix('.') {
            let after = after.trim_start();
            let end = after.find(|char| !is_word(char)).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            let is_call = after.trim_start().starts_with('(');
            if name.is_empty() || is_call || name.contains("__") {
                break;
            }
            chain.push(name.to_owned());
            rest = after;
        }
        chains.push(chain);
    }
    chains
}

/// The values that `expression` reads in `value` at `path`, and in the stored value.
pub(super) fn values_read(
    expression: &str,
    value: &Value,
    old: Option<&Value>,
    path: &FieldPath,
) -> Vec<ReadValue> {
    let own = fields_read("self", expression);
    let of_old = if old.is_some() { fields_read("oldSelf", expression) } else { Vec::new() };
    let mut values: Vec<ReadValue> = Vec::new();
    for steps in own.iter().chain(&of_old) {
        if values.len() == MOST {
            break;
        }
        if values.iter().any(|known| known.steps == *steps) {
            continue;
        }
        let (now, at) = DisplayedValue::at(value, steps);
        let old = old.filter(|_| of_old.contains(steps)).map(|old| DisplayedValue::at(old, steps).0);
        let name = match steps.as_slice() {
            [] => path.ending(),
            steps => format!("`{}`", steps.join(".")),
        };
        let place = at.map(|value| value.place).unwrap_or_default();
        // If the value around it is a default, that whole value is the default.
        let is_default =
            matches!(place, Place::Definition(_)) && !matches!(value.place, Place::Definition(_));
        values.push(ReadValue { steps: steps.clone(), name, now, old, is_default, place });
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(expression: &str) -> Vec<String> {
        let chains = ["self", "oldSelf"].iter().flat_map(|root| fields_read(root, expression));
        chains.map(|chain| chain.join(".")).collect()
    }

    #[test]
    fn a_rule_reads_the_fields_that_it_names() {
        assert_eq!(read("self.a.b > 1 && has(self.c)"), ["a.b", "c"]);
        assert_eq!(read("self.a.size() == 1"), ["a"]);
        assert_eq!(read("self.all(x, x.y)"), [""]);
        assert_eq!(read("self.a[0].b == oldSelf.c"), ["a", "c"]);
        assert_eq!(read("size(self) < 3"), [""]);
        assert_eq!(read("self.a__dash__b"), [""]);
        assert_eq!(read("selfish.a && x.self"), Vec::<String>::new());
    }
}
