//! Messages for errors that end the evaluation of a rule: the operation that fails on the resource's values,
//! and the remedy in the resource or in the rule.

use super::details::SHOWN;
use super::values::{in_brackets, values};
use crate::customresource::failed_rule::{DisplayedValue, FailedRule, ReadValue};
use crate::message::Message;

/// The start of a parser's error, the expected kind of text, an example, and the function that tests for it, if any.
const PARSED: [(&str, &str, &str, &str); 24] = [
    ("IP Address ", "an IP address", "192.0.2.1", "isIP"),
    ("IP address ", "an IP address", "192.0.2.1", "isIP"),
    ("IPv4-mapped IPv6 address ", "an IP address", "192.0.2.1", "isIP"),
    ("network address parse error ", "a CIDR", "192.0.2.0/24", "isCIDR"),
    ("URL parse error ", "a URL", "https://example.com", "isURL"),
    ("quantities must match ", "a quantity", "500Mi", "isQuantity"),
    ("unable to parse quantity's suffix", "a quantity", "500Mi", "isQuantity"),
    ("unable to parse numeric part of quantity", "a quantity", "500Mi", "isQuantity"),
    ("Version string empty", "a semantic version", "1.2.3", "isSemver"),
    ("No Major.Minor.Patch elements found", "a semantic version", "1.2.3", "isSemver"),
    ("Build meta data is empty", "a semantic version", "1.2.3", "isSemver"),
    ("Prerelease is empty", "a semantic version", "1.2.3", "isSemver"),
    ("short version cannot contain ", "a semantic version", "1.2.3", "isSemver"),
    ("Invalid character(s) found in ", "a semantic version", "1.2.3", "isSemver"),
    ("Major number must not ", "a semantic version", "1.2.3", "isSemver"),
    ("Minor number must not ", "a semantic version", "1.2.3", "isSemver"),
    ("Patch number must not ", "a semantic version", "1.2.3", "isSemver"),
    ("Numeric PreRelease version must not ", "a semantic version", "1.2.3", "isSemver"),
    ("strconv.ParseUint: parsing ", "a semantic version", "1.2.3", "isSemver"),
    ("Invalid date-time formatted string ", "a time", "2024-01-01T00:00:00Z", ""),
    ("unknown time zone ", "a time zone", "Europe/Berlin", ""),
    ("time: invalid location name", "a time zone", "Europe/Berlin", ""),
    ("error parsing regexp: ", "a regular expression", "^[a-z]+$", ""),
    ("strconv.Atoi: parsing ", "a time zone", "+01:00", ""),
];

/// The types to which CEL converts texts, their names in messages, and a text of each type.
const CONVERTED: [(&str, &str, &str); 7] = [
    ("bool", "a boolean", "true"),
    ("int", "an integer", "5"),
    ("uint", "an integer of 0 or more", "5"),
    ("double", "a number", "1.5"),
    ("google.protobuf.Duration", "a duration", "1h30m"),
    ("google.protobuf.Timestamp", "a time", "2024-01-01T00:00:00Z"),
    ("bytes", "bytes", ""),
];

/// The message for the error `text` of the rule with this code.
pub(super) fn message(failed: &FailedRule, rule: &str, text: &str) -> Message {
    if let Some(key) = text.strip_prefix("no such key: ") {
        return missing(failed, rule, key);
    }
    let seen = in_brackets(&values(failed));
    let of =
        |what: String, remedy: &str| Message::new(format!("the rule {rule} {what}{seen}")).advise(remedy);
    if let Some((_, what, example, test)) = PARSED.iter().find(|(begin, ..)| text.starts_with(begin)) {
        return of(
            format!("needs {what}"),
            &match *test {
                "" => format!("use a value such as `{example}`"),
                test => format!("use a value such as `{example}`, or check `{test}()` first"),
            },
        );
    }
    if let Some((from, to)) =
        text.strip_prefix("type conversion error from '").and_then(|rest| rest.split_once("' to '"))
    {
        return converted(from, to.trim_end_matches('\''), of);
    }
    if let Some((clause, given)) = text.split_once(" clause can only be used on ") {
        let clause = clause.rsplit(' ').next().unwrap_or_default();
        let given = given.rsplit_once(", was given ").map_or("value", |(_, given)| given);
        return of(
            format!("cannot format a `{given}` with a {clause} clause"),
            "change the value, or the format",
        );
    }
    if let Some(position) =
        ["index out of bounds: ", "index out of range: "].iter().find_map(|begin| text.strip_prefix(begin))
    {
        return outside(failed, rule, position);
    }
    if let Some(range) = text.strip_prefix("cannot slice(").and_then(|rest| rest.split_once("), ")) {
        let end = range.0.rsplit(", ").next().unwrap_or_default();
        return short_list(failed, rule, &format!("needs {end} items in a list"), "that is shorter");
    }
    if text.starts_with("invalid substring range. ") {
        return of(
            "takes a substring whose end is before its start".to_owned(),
            "change the value, or check the positions in the rule",
        );
    }
    if let Some(name) = text.strip_suffix(" called on empty list") {
        let what = if name.starts_with("min") { "the smallest item" } else { "the largest item" };
        return short_list(failed, rule, &format!("needs {what} of a list"), "that is empty");
    }
    constant_error(failed, text, of)
}

/// The message for an error without parameters, and for errors that crd-ls does not know.
fn constant_error(failed: &FailedRule, text: &str, of: impl Fn(String, &str) -> Message) -> Message {
    match text {
        "division by zero" | "modulus by zero" => of(
            "divides by zero".to_owned(),
            &match zero(failed) {
                Some(name) => format!("change {name}, or exclude 0 in the rule"),
                None => "change the value, or exclude 0 in the rule".to_owned(),
            },
        ),
        "integer overflow" | "unsigned integer overflow" => {
            of("computes an integer that does not fit into 64 bits".to_owned(), "use a number closer to 0")
        }
        "timestamp overflow" => {
            of("computes a time outside the years 1 to 9999".to_owned(), "use a time within these years")
        }
        "cannot convert value to integer" => of(
            "cannot convert a quantity to an integer".to_owned(),
            "use a whole number that fits into 64 bits, or check `isInteger()` in the rule",
        ),
        "optional.none() dereference" => {
            let what = match optional(&failed.expression) {
                Some(name) => (format!("needs `{name}`, which is missing"), format!("add `{name}`")),
                None => ("needs an optional value that is missing".to_owned(), "add the value".to_owned()),
            };
            of(what.0, &format!("{}, or use `orValue()` in the rule", what.1))
        }
        _ if text.starts_with("no such overload") => of(
            "does not support the type of a value".to_owned(),
            "change the value, or check `type()` in the rule",
        ),
        _ => {
            let text = text::start(text, SHOWN);
            of(format!("cannot be evaluated: \"{text}\""), "change the value, or the rule in the definition")
        }
    }
}

fn converted(from: &str, to: &str, of: impl Fn(String, &str) -> Message) -> Message {
    let found = CONVERTED.iter().find(|(name, ..)| *name == to);
    let target = found.map_or_else(|| format!("the type `{to}`"), |(_, what, _)| (*what).to_owned());
    match (from, found) {
        ("string", Some((_, _, example))) if !example.is_empty() => of(
            format!("cannot convert a string to {target}"),
            &format!("use a value such as `\"{example}\"`"),
        ),
        _ => of(
            format!("cannot convert a value of type `{from}` to {target}"),
            "change the value, or the conversion in the rule",
        ),
    }
}

/// The message for a missing field or a missing key of a map.
fn missing(failed: &FailedRule, rule: &str, key: &str) -> Message {
    let of =
        |what: String, remedy: String| Message::new(format!("the rule {rule} reads {what}")).advise(remedy);
    if let Some((steps, is_null)) = failed.values.iter().find_map(|read| missing_field(read, &read.now, key))
    {
        let field = steps.join(".");
        let guard = format!("guard the rule with `has(self.{field})`");
        return match is_null {
            true => of(format!("`{field}`, which is null"), format!("set `{field}`, or {guard}")),
            false => of(format!("`{field}`, which is missing"), format!("add `{field}`, or {guard}")),
        };
    }
    let of_old = failed.values.iter().find_map(|read| missing_field(read, read.old.as_ref()?, key));
    if let Some((steps, _)) = of_old {
        let field = steps.join(".");
        return of(
            format!("`{field}` of the old object, where it is missing"),
            format!("guard the rule with `has(oldSelf.{field})`"),
        );
    }
    let expression = &*failed.expression;
    let quoted = [format!("['{key}']"), format!("[\"{key}\"]")];
    if let Some(at) = quoted.iter().find_map(|index| expression.find(index.as_str())) {
        let map = name_before(expression, at);
        let guard = match map {
            Some(map) => format!("guard the rule with `'{key}' in {map}`"),
            None => "test for the key in the rule".to_owned(),
        };
        return match map.and_then(|map| map.strip_prefix("self.")) {
            Some(map) => of(
                format!("the key `{key}` of `{map}`, which is missing"),
                format!("add the key `{key}`, or {guard}"),
            ),
            None => of(format!("the key `{key}`, which is missing"), guard),
        };
    }
    // A field that is read from `dyn()` may be undeclared, so that nobody can add it.
    match expression.contains("dyn(") {
        true => of(format!("`{key}`, which is missing"), "guard the rule with `has()`".to_owned()),
        false => {
            of(format!("`{key}`, which is missing"), format!("add `{key}`, or guard the rule with `has()`"))
        }
    }
}

/// The path to the first missing or null field of `read`, and whether it is null; `None` if its name is not `key`.
fn missing_field<'r>(read: &'r ReadValue, seen: &DisplayedValue, key: &str) -> Option<(&'r [String], bool)> {
    let (count, is_null) = match seen {
        DisplayedValue::Missing(at) => (at + 1, false),
        DisplayedValue::Null => (read.steps.len(), true),
        _ => return None,
    };
    let steps = read.steps.get(..count)?;
    (steps.last()? == key).then_some((steps, is_null))
}

/// The fields and variables before the byte `at`, such as `self.m`.
fn name_before(expression: &str, at: usize) -> Option<&str> {
    let before = expression.get(..at)?;
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.');
    let name = before.get(before.rfind(|char| !is_part(char)).map_or(0, |end| end + 1)..)?;
    (!name.is_empty() && !name.starts_with('.')).then_some(name)
}

/// The only field after `.?`.
fn optional(expression: &str) -> Option<&str> {
    let mut parts = expression.split(".?").skip(1);
    let name = parts.next()?;
    let end = name.find(|char: char| !char.is_ascii_alphanumeric() && char != '_').unwrap_or(name.len());
    parts.next().is_none().then(|| name.get(..end)).flatten().filter(|name| !name.is_empty())
}

/// The message for a position outside a list or a text.
fn outside(failed: &FailedRule, rule: &str, position: &str) -> Message {
    if position.starts_with('-') {
        let seen = in_brackets(&values(failed));
        return Message::new(format!(
            "the rule {rule} reads the position {position}, which does not exist{seen}"
        ))
        .advise("use a position of 0 or more");
    }
    let mut all = sizes(failed);
    all.extend(values(failed));
    Message::new(format!(
        "the rule {rule} reads the position {position}, which does not exist{}",
        in_brackets(&all)
    ))
    .advise("use a longer list or text, or check `size()` in the rule")
}

/// The message for a list that has too few items. `what` ends with the list, which `which` describes.
fn short_list(failed: &FailedRule, rule: &str, what: &str, which: &str) -> Message {
    let mut all = sizes(failed);
    all.extend(values(failed));
    Message::new(format!("the rule {rule} {what} {which}{}", in_brackets(&all)))
        .advise("add items, or check `size()` in the rule")
}

/// The lists that a rule reads, with the number of their items.
fn sizes(failed: &FailedRule) -> Vec<String> {
    let size = |read: &ReadValue| match read.now {
        DisplayedValue::List(1) => Some(format!("{} has 1 item", read.name)),
        DisplayedValue::List(count) => Some(format!("{} has {count} items", read.name)),
        _ => None,
    };
    failed.values.iter().filter_map(size).take(2).collect()
}

/// The only value that equals 0.
fn zero(failed: &FailedRule) -> Option<&str> {
    let is_zero = |read: &&ReadValue| matches!(&read.now, DisplayedValue::Scalar(value) if &**value == "0");
    let mut zeros = failed.values.iter().filter(is_zero);
    let first = zeros.next()?;
    zeros.next().is_none().then_some(&*first.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::customresource::failed_rule::Failure;
    use crate::customresource::message::values::code;
    use crate::value::Place;

    fn read(steps: &str, now: DisplayedValue, old: Option<DisplayedValue>) -> ReadValue {
        ReadValue {
            steps: steps.split('.').map(str::to_owned).collect(),
            name: format!("`{steps}`"),
            now,
            old,
            is_default: false,
            place: Place::Nowhere,
        }
    }

    fn message_of(expression: &str, text: &str, values: Vec<ReadValue>) -> String {
        let failure = Failure::Error(text.into());
        let failed = FailedRule { expression: expression.into(), failure, values };
        message(&failed, &code(expression), text).to_string()
    }

    fn text(value: &str) -> DisplayedValue {
        DisplayedValue::Text(format!("{value:?}").into())
    }

    #[test]
    fn a_missing_field_is_added_or_guarded() {
        assert_eq!(
            message_of("self.a > 1", "no such key: a", vec![read("a", DisplayedValue::Missing(0), None)]),
            "the rule `self.a > 1` reads `a`, which is missing; add `a`, or guard the rule with `has(self.a)`"
        );
        assert_eq!(
            message_of("self.b.a > 1", "no such key: b", vec![read("b.a", DisplayedValue::Missing(0), None)]),
            "the rule `self.b.a > 1` reads `b`, which is missing; add `b`, or guard the rule with `has(self.b)`"
        );
        assert_eq!(
            message_of("self.a == 'a'", "no such key: a", vec![read("a", DisplayedValue::Null, None)]),
            "the rule `self.a == 'a'` reads `a`, which is null; set `a`, or guard the rule with `has(self.a)`"
        );
        let old = vec![read("a", DisplayedValue::Scalar("1".into()), Some(DisplayedValue::Missing(0)))];
        assert_eq!(
            message_of("self.a >= oldSelf.a", "no such key: a", old),
            "the rule `self.a >= oldSelf.a` reads `a` of the old object, where it is missing; guard the rule with `has(oldSelf.a)`"
        );
        assert_eq!(
            message_of("self.m['x'] > 1", "no such key: x", vec![read("m", DisplayedValue::Map, None)]),
            "the rule `self.m['x'] > 1` reads the key `x` of `m`, which is missing; add the key `x`, or guard the rule with `'x' in self.m`"
        );
        assert_eq!(
            message_of("dyn(self).zz == 1", "no such key: zz", Vec::new()),
            "the rule `dyn(self).zz == 1` reads `zz`, which is missing; guard the rule with `has()`"
        );
    }

    #[test]
    fn arithmetic_names_the_value() {
        let zero = || vec![read("a", DisplayedValue::Scalar("0".into()), None)];
        assert_eq!(
            message_of("1 / self.a > 1", "division by zero", zero()),
            "the rule `1 / self.a > 1` divides by zero (`a` is 0); change `a`, or exclude 0 in the rule"
        );
        assert_eq!(
            message_of("self.l.all(x, 1 / x > 0)", "modulus by zero", Vec::new()),
            "the rule `self.l.all(x, 1 / x > 0)` divides by zero; change the value, or exclude 0 in the rule"
        );
    }

    #[test]
    fn unparsable_texts_have_an_example() {
        let of = |error: &str| message_of("f(self.s)", error, vec![read("s", text("abc"), None)]);
        assert_eq!(
            of("type conversion error from 'string' to 'google.protobuf.Duration'"),
            "the rule `f(self.s)` cannot convert a string to a duration (`s` is \"abc\"); use a value such as `\"1h30m\"`"
        );
        for (begin, what, example, _) in PARSED {
            let message = of(&format!("{begin}and more"));
            let expected = format!("needs {what} (`s` is \"abc\"); use a value such as `{example}`");
            assert!(message.starts_with(&format!("the rule `f(self.s)` {expected}")), "{message}");
        }
    }

    #[test]
    fn messages_on_lists_state_their_length() {
        let list = |count| vec![read("l", DisplayedValue::List(count), None)];
        assert_eq!(
            message_of("self.l[5] > 1", "index out of bounds: 5", list(1)),
            "the rule `self.l[5] > 1` reads the position 5, which does not exist (`l` has 1 item); use a longer list or text, or check `size()` in the rule"
        );
        assert_eq!(
            message_of("self.l.max() > 1", "max called on empty list", list(0)),
            "the rule `self.l.max() > 1` needs the largest item of a list that is empty (`l` has 0 items); add items, or check `size()` in the rule"
        );
        assert_eq!(
            message_of("self.l.slice(0, 9).size() > 1", "cannot slice(0, 9), list is length 0", list(0)),
            "the rule `self.l.slice(0, 9).size() > 1` needs 9 items in a list that is shorter (`l` has 0 items); add items, or check `size()` in the rule"
        );
    }

    #[test]
    fn other_errors_keep_the_message_of_cel() {
        assert_eq!(
            message_of("self.?a.value() > 1", "optional.none() dereference", Vec::new()),
            "the rule `self.?a.value() > 1` needs `a`, which is missing; add `a`, or use `orValue()` in the rule"
        );
        assert_eq!(
            message_of("f(self)", "something else", Vec::new()),
            "the rule `f(self)` cannot be evaluated: \"something else\"; change the value, or the rule in the definition"
        );
    }
}
