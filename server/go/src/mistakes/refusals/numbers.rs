//! Values that are not numbers, and the numbers that they mean.

use super::{RefusedMarker, shortened};
use crate::marker::{ArgumentType, QuotedValue, Shape};
use crate::mistakes::mistake::Mistake;
use crate::strings;

/// Numbers as words.
const WORDS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Larger numbers as words.
const LARGE: [(&str, i64); 3] = [("hundred", 100), ("thousand", 1_000), ("million", 1_000_000)];

/// The suffixes of numbers for multiples.
const UNITS: [(&str, i64); 7] = [
    ("k", 1_000),
    ("K", 1_000),
    ("Ki", 1 << 10),
    ("M", 1_000_000),
    ("Mi", 1 << 20),
    ("G", 1_000_000_000),
    ("Gi", 1 << 30),
];

impl RefusedMarker<'_> {
    /// The mistake for a value that is not a number.
    pub(super) fn no_number(&self, is_integer: bool) -> Mistake {
        let (what, remedy) =
            if is_integer { ("an integer", "write a whole number") } else { ("a number", "write a number") };
        let written = self.token();
        if written.is_empty() || self.name() == written {
            return self.no_value();
        }
        if written == "=" {
            let before = self.marker_text.slice(0..self.refusal.range.start);
            let argument = before.rsplit([',', ':']).next().unwrap_or("").trim();
            return self.without_value(argument, "1");
        }
        let problem = format!("{} takes {what}, not `{}`", self.subject(), shortened(written));
        if let Some(mistake) = self.second_marker() {
            return mistake;
        }
        if let Some(number) = written.strip_prefix(['=', '>', '<']) {
            return self.changed(problem, number.trim_start_matches(['=', '>', ' ']).to_owned());
        }
        if let Some(mistake) = self.bracketed_number(what, is_integer) {
            return mistake;
        }
        let inner = QuotedValue::read(written);
        let is_right =
            |text: &str| strings::atoi(text).is_ok() || !is_integer && strings::parse_float(text).is_ok();
        if inner.is_closed && inner.text != written && is_right(&inner.text) {
            return self.changed(problem, inner.text);
        }
        if let Some(number) = intended_number(written, is_integer) {
            return self.changed(problem, number);
        }
        let mistake = self.mistake(problem, remedy);
        match self.definition.definition.shape {
            Shape::Arguments(_) => mistake,
            _ if let Some(number) = leading_number(written) => {
                let title = format!("Change `{}` to `{number}`", shortened(written));
                mistake.repaired(title, vec![(self.place(), number.to_owned())], false)
            }
            _ => {
                let title = format!("Remove `{}`", self.name());
                mistake.removed(self.file, self.comment.comment, title, false)
            }
        }
    }

    /// The mistake for a number in brackets, which may be split into several tokens.
    fn bracketed_number(&self, what: &str, is_integer: bool) -> Option<Mistake> {
        let start = self.refusal.range.start;
        let range = start..self.marker_text.intended_end(start);
        let written = self.marker_text.slice(range.clone());
        let inner = written.strip_prefix(['(', '[', '{', '<'])?.strip_suffix([')', ']', '}', '>'])?;
        let number = intended_number(inner, is_integer)
            .or_else(|| strings::atoi(inner.trim()).is_ok().then(|| inner.trim().to_owned()))?;
        let title = format!("Change `{}` to `{number}`", shortened(written));
        let place = self.file.place_in_marker(self.comment, range.clone());
        let problem = format!("{} takes {what}, not `{}`", self.subject(), shortened(written));
        let mistake = self.mistake(problem, format!("write `{number}`"));
        let edits = self.edits([(range, number)]);
        Some(Mistake { place, ..mistake }.repaired(title, edits, true))
    }

    /// Whether the marker takes an integer; `None` if it takes no number.
    const fn takes_integer(&self) -> Option<bool> {
        match self.definition.definition.shape {
            Shape::Integer(_) | Shape::Value(ArgumentType::Int) => Some(true),
            Shape::Float(_) | Shape::Value(ArgumentType::Number) => Some(false),
            _ => None,
        }
    }

    /// The mistake for a number in a form that Go does not read, such as `1e` and `0x10`.
    pub(super) fn wrong_number(&self) -> Option<Mistake> {
        Some(self.no_number(self.takes_integer()?))
    }

    /// The mistake for a number that ends too early, as in `1,000` and `64Ki`.
    pub(super) fn cut_number(&self) -> Option<Mistake> {
        let is_integer = self.takes_integer()?;
        let range = self.marker_text.text.find('=')? + 1..self.marker_text.end();
        let written = self.marker_text.slice(range.clone());
        // A comment after the number is not part of it.
        let number = intended_number(written, is_integer).filter(|number| !is_comment(written, number))?;
        let what = if is_integer { "an integer" } else { "a number" };
        let problem = format!("{} takes {what}, not `{}`", self.subject(), shortened(written));
        let title = format!("Change `{}` to `{number}`", shortened(written));
        let mistake = self.mistake(problem, format!("write `{number}`"));
        Some(mistake.repaired(title, self.edits([(range, number)]), false))
    }
}

/// Whether a comment follows the number in the written text.
fn is_comment(written: &str, number: &str) -> bool {
    let rest = written.trim_start().strip_prefix(number).unwrap_or_default().trim_start();
    rest.starts_with('#') || rest.starts_with("//")
}

/// The number that a text means: `ten`, `1_000`, `1,000`, `1e2`, `0x10`, `64Ki`, or a number before a comment.
fn intended_number(written: &str, is_integer: bool) -> Option<String> {
    let comment = ["#", "//"].into_iter().filter_map(|mark| written.find(mark)).min();
    let number = written.get(..comment.unwrap_or(written.len()))?.trim();
    let is_number = |text: &str| match is_integer {
        true => strings::atoi(text).is_ok(),
        false => strings::parse_float(text).is_ok(),
    };
    if comment.is_some() && is_number(number) {
        return Some(number.to_owned());
    }
    let word = number.to_lowercase();
    if let Some(value) = WORDS.iter().position(|known| *known == word) {
        return Some(value.to_string());
    }
    if let Some((_, value)) = LARGE.iter().find(|(known, _)| *known == word) {
        return Some(value.to_string());
    }
    if let Some(digits) = grouped(number) {
        return Some(digits);
    }
    let in_base = |(prefix, base): (&str, u32)| i64::from_str_radix(word.strip_prefix(prefix)?, base).ok();
    if let Some(value) = [("0x", 16), ("0o", 8), ("0b", 2)].into_iter().find_map(in_base) {
        return Some(value.to_string());
    }
    let digits = number.trim_end_matches(|ch: char| ch.is_ascii_alphabetic());
    let unit = number.get(digits.len()..)?;
    if let Some((_, factor)) = UNITS.iter().find(|(known, _)| *known == unit) {
        return Some(strings::atoi(digits.trim()).ok()?.checked_mul(*factor)?.to_string());
    }
    // `1e2` and `3.0` are integers as well.
    let value = strings::parse_float(number).ok().filter(|value| is_integer && value.fract() == 0.0)?;
    (value.abs() < 1e15).then(|| format!("{value}"))
}

/// The digits before a unit that is not a multiple, as in `10s`, before a word, as in `10 items`, or before a separator, as in
/// `10;`.
fn leading_number(written: &str) -> Option<&str> {
    let digits = written.trim_start_matches('-').bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) =
        written.split_at_checked(written.len() - written.trim_start_matches('-').len() + digits)?;
    let is_unit = rest.chars().all(|ch| ch.is_ascii_alphabetic() || matches!(ch, '%' | ' '));
    let is_mark = matches!(rest, ";" | "," | "." | ":");
    (digits > 0 && (is_unit || is_mark) && strings::atoi(number).is_ok()).then_some(number)
}

/// The digits of a number in groups, as in `1_000` or `1,000`.
fn grouped(number: &str) -> Option<String> {
    let mut groups = number.split([',', '_', '\'']);
    let first = groups.next().filter(|first| matches!(first.trim_start_matches('-').len(), 1..=3))?;
    let rest: Vec<&str> = groups.collect();
    let is_digits = |group: &&str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_grouped = !rest.is_empty() && rest.iter().all(|group| group.len() == 3 && is_digits(group));
    (is_grouped && is_digits(&first.trim_start_matches('-'))).then(|| format!("{first}{}", rest.concat()))
}
