//! Generates texts, numbers and booleans, and values of any type.

use super::Generator;
use super::node::Node;
use super::texts::{COMMON, respelled};
use crate::formats::examples;
use crate::regexp::{self, Matcher};
use crate::value::{Kind, Map, Member, Place, Value};

/// The maximum length of a text that is generated to reach a length, in code points.
const LONGEST: usize = 1_024;
/// The limit above which integers are treated as inexact.
const INEXACT: f64 = 9e15;

impl Generator<'_> {
    /// Possible values of the node, in order of preference. Some may be invalid.
    pub(super) fn scalars(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        if node.is_int_or_string() {
            // Both types, and texts that denote numbers or percentages.
            let numbers = self.numbers(node, true).into_iter();
            let texts = ["50%", "10Gi", "1"].map(Value::text).into_iter().chain(self.texts(node, most));
            return interleaved(numbers.collect(), texts.collect());
        }
        match node.type_name() {
            "string" => self.texts(node, most),
            "integer" => self.numbers(node, true),
            "number" => self.numbers(node, false),
            "boolean" => [true, false].map(|value| Value::made(Kind::Bool(value))).to_vec(),
            _ => self.anything(),
        }
    }

    fn texts(&mut self, node: &Node<'_>, most: usize) -> Vec<Value> {
        let (least, longest) = node.bounds(|of| of.min_length, |of| of.max_length);
        let formats: Vec<&str> =
            node.validations().map(|of| &*of.format).filter(|format| !format.is_empty()).collect();
        let patterns: Vec<&str> =
            node.validations().filter_map(|of| of.pattern.as_ref()?.as_str().into()).collect();
        let is_free = formats.is_empty() && patterns.is_empty();
        let hints = self.hints;
        let mut all: Vec<String> = Vec::new();
        for text in formats.iter().flat_map(|format| examples(format)) {
            all.push((*text).to_owned());
            // An author writes one of them, but rules may read both.
            all.extend(respelled(text).filter(|_| self.fills_defaults).map(str::to_owned));
        }
        if is_free {
            let word = COMMON.first().copied().unwrap_or_default();
            all.push(if word.chars().count() >= least {
                word.to_owned()
            } else {
                "a".repeat(least.min(LONGEST))
            });
        } else {
            all.extend(COMMON.first().map(|text| (*text).to_owned()));
        }
        if most > 1 || !is_free {
            all.extend(hints.joined_literals());
            all.extend(hints.within_others());
            all.extend(hints.texts.iter().map(|text| text.to_string()));
            all.push(String::new());
            for pattern in &hints.patterns {
                all.extend(matching(pattern, (least, longest), 2));
            }
        }
        if !is_free {
            all.extend(COMMON.map(str::to_owned));
            all.extend(of_patterns(&patterns, (least, longest)));
        }
        if most > 1 {
            all.extend(self.texts_by_length(least, longest));
        }
        // Sets need several values.
        all.extend((1..most.min(32)).map(|number| format!("example{number}")));
        self.steps = self.steps.saturating_sub(patterns.len() + hints.patterns.len());
        all.iter().map(|text| Value::text(text)).collect()
    }

    /// Texts with the lengths that the schema or the hints name, and texts that contain a hint.
    fn texts_by_length(&self, least: usize, longest: usize) -> Vec<String> {
        let hints = self.hints;
        let sizes = || hints.ints.iter().map(|size| usize::try_from(*size).unwrap_or(0));
        let lengths =
            [least, longest].into_iter().chain(sizes().flat_map(|size| [size, size.saturating_add(1)]));
        let lengths = lengths.filter(|length| (1..=LONGEST).contains(length));
        let mut all: Vec<String> = lengths.map(|length| "a".repeat(length)).collect();
        for text in hints.texts.iter().take(8) {
            for size in sizes().take(4) {
                let missing = (size.min(LONGEST) + 1).saturating_sub(text.chars().count());
                if missing > 1 {
                    all.extend([missing - 1, missing].map(|count| format!("{text}{}", "a".repeat(count))));
                }
            }
        }
        all.extend(hints.texts.iter().flat_map(|text| [format!("{text}a"), format!("a{text}")]));
        all
    }

    fn numbers(&mut self, node: &Node<'_>, are_whole: bool) -> Vec<Value> {
        let mut all = Vec::new();
        let mut least: Option<f64> = None;
        let mut most: Option<f64> = None;
        let mut step: Option<f64> = None;
        for validation in node.validations() {
            least = validation.minimum.map(|bound| least.map_or(bound, |least| least.max(bound))).or(least);
            most = validation.maximum.map(|bound| most.map_or(bound, |most| most.min(bound))).or(most);
            step = validation.multiple_of.filter(|step| *step > 0.0).or(step);
        }
        let wanted = 1.0_f64.max(least.unwrap_or(f64::MIN)).min(most.unwrap_or(f64::MAX));
        let on_grid = |number: f64, up: bool| match step {
            None => number,
            Some(step) if up => (number / step).ceil() * step,
            Some(step) => (number / step).floor() * step,
        };
        let by = step.unwrap_or(1.0);
        all.extend([on_grid(wanted, true), on_grid(wanted, false), wanted + by, wanted - by]);
        let hints = self.hints;
        let around = |number: f64| [number, number + 1.0, number - 1.0];
        all.extend(hints.ints.iter().flat_map(|number| around(*number as f64)));
        all.extend(hints.floats.iter().flat_map(|number| around(*number)));
        for (bound, inside) in [(least, by), (most, -by)] {
            let Some(bound) = bound else { continue };
            all.extend([on_grid(bound, inside > 0.0), on_grid(bound, inside > 0.0) + inside]);
        }
        all.extend([0.0, by, 2.0 * by, -by, 3.0 * by, 100.0 * by]);
        if !are_whole {
            all.extend([
                0.5,
                wanted + 0.5,
                wanted - 0.5,
                least.zip(most).map_or(0.25, |(a, b)| (a + b) / 2.0),
            ]);
        }
        let value = |number: f64| match number.fract() == 0.0 && number.abs() < INEXACT {
            true => Value::made(Kind::Int(number as i64)),
            false => Value::made(Kind::Float(number)),
        };
        let all = all.into_iter().filter(|number| number.is_finite());
        let mut all: Vec<Value> =
            all.filter(|number| !are_whole || number.fract() == 0.0).map(value).collect();
        // `1.0` in addition to `1`: equal in CEL, but two items of a set.
        if let Some(Kind::Int(first)) = all.first().map(|first| &first.kind)
            && !are_whole
            && self.fills_defaults
        {
            all.insert(1, Value::made(Kind::Float(*first as f64)));
        }
        all
    }

    /// Values of all types, for a node without a type.
    fn anything(&mut self) -> Vec<Value> {
        let mut all = vec![
            Value::made(Kind::Map(Map::new())),
            Value::text("example"),
            Value::made(Kind::Int(1)),
            Value::made(Kind::Bool(true)),
            Value::made(Kind::List(Vec::new())),
            object([("example", Value::text("example"))]),
            Value::made(Kind::List(vec![Value::text("example")])),
            Value::text(""),
            Value::text("10Gi"),
            Value::made(Kind::Float(1.5)),
        ];
        let hints = self.hints;
        all.extend(hints.texts.iter().map(|text| Value::text(text)));
        all.extend(hints.ints.iter().map(|number| Value::made(Kind::Int(*number))));
        all.extend(hints.names().take(16).map(|name| object([(name, Value::text("example"))])));
        all
    }
}

/// An object with these members.
pub(super) fn object<'n>(members: impl IntoIterator<Item = (&'n str, Value)>) -> Value {
    let member = |(name, value): (&str, Value)| (name.into(), Member { key: Place::Nowhere, value });
    Value::made(Kind::Map(members.into_iter().map(member).collect()))
}

/// Alternates the items of the two lists.
fn interleaved(one: Vec<Value>, other: Vec<Value>) -> Vec<Value> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    loop {
        let next = [one.next(), other.next()];
        if next.iter().all(Option::is_none) {
            return all;
        }
        all.extend(next.into_iter().flatten());
    }
}

/// Texts that one of `patterns` matches, and texts that start like those of one pattern and end like those of
/// another.
fn of_patterns(patterns: &[&str], lengths: (usize, usize)) -> Vec<String> {
    const OF_EACH: usize = 8;
    let each: Vec<Vec<String>> = patterns.iter().map(|pattern| matching(pattern, lengths, OF_EACH)).collect();
    let mut all: Vec<String> = each.iter().flatten().cloned().collect();
    let few = |texts: &Vec<String>| texts.iter().take(3).cloned().collect::<Vec<_>>();
    let each: Vec<Vec<String>> = each.iter().take(4).map(few).collect();
    for (index, begins) in each.iter().enumerate() {
        for (_, ends) in each.iter().enumerate().filter(|(other, _)| *other != index) {
            for begin in begins {
                all.extend(ends.iter().map(|end| format!("{begin}{end}")));
            }
        }
    }
    all
}

/// Texts that `pattern` matches.
fn matching(pattern: &str, (least, longest): (usize, usize), most: usize) -> Vec<String> {
    let Ok(regexp) = regexp::parse(pattern) else { return Vec::new() };
    let Ok(matcher) = Matcher::new(&regexp) else { return Vec::new() };
    regexp::matching(&regexp, &matcher, least..=longest, most)
}
