//! YAML as controller-gen writes it: the layout of go-yaml v2, its order of keys, its quotes and its folding.

mod order;
mod scalar;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::json::{Json, SharedValue};

/// A value that cannot be written as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlCharacter {
    /// The text that contains it.
    pub text: String,
}

/// The maximum length of a plain key, in bytes. Longer keys are written after `?`.
const LONGEST_KEY: usize = 128;

/// Writes a value.
///
/// # Errors
///
/// A text contains a control character that YAML does not allow. controller-gen writes no file then.
pub fn write_value(value: &Json) -> Result<String, ControlCharacter> {
    written_after(String::new(), value, None).map(|(text, _)| text)
}

/// The positions of shared values in a text, by their addresses and the indentation. The owner of the parts also owns the
/// values, so that no address is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedYaml(HashMap<(usize, usize), Range<usize>>);

/// Writes a value after `out`. Shared values that occur in an earlier text are copied from it.
pub(crate) fn written_after(
    out: String,
    value: &Json,
    earlier: Option<(&str, &SharedYaml)>,
) -> Result<(String, SharedYaml), ControlCharacter> {
    let mut writer = Writer { out, earlier, parts: SharedYaml::default(), refused: None };
    match value {
        Json::Shared(value) => return written_after(writer.out, &value.json(), earlier),
        Json::Map(entries) if !entries.is_empty() => writer.map(entries, 0),
        Json::List(items) if !items.is_empty() => writer.list(items, 0),
        Json::Map(_) => writer.out.push_str("{}\n"),
        Json::List(_) => writer.out.push_str("[]\n"),
        value => {
            writer.write_json(value, 0, 2);
            writer.out.push('\n');
        }
    }
    match writer.refused {
        Some(refused) => Err(refused),
        None => Ok((writer.out, writer.parts)),
    }
}

struct Writer<'e> {
    out: String,
    earlier: Option<(&'e str, &'e SharedYaml)>,
    parts: SharedYaml,
    /// The first text that cannot be written.
    refused: Option<ControlCharacter>,
}

impl Writer<'_> {
    fn refuse_controls(&mut self, text: &str) {
        let is_refused = |ch: char| matches!(ch, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}');
        // Most texts are ASCII, in which a byte is found faster.
        let has_refused = if text.is_ascii() { text.contains('\u{7f}') } else { text.contains(is_refused) };
        if self.refused.is_none() && has_refused {
            self.refused = Some(ControlCharacter { text: text.to_owned() });
        }
    }

    fn indent(&mut self, by: usize) {
        scalar::push_blanks(&mut self.out, by);
    }

    fn map(&mut self, entries: &BTreeMap<String, Json>, indent: usize) {
        let mut sorted: Vec<(&String, &Json)> = entries.iter().collect();
        sorted.sort_by(|(a, _), (b, _)| order::compare(a, b));
        for (at, (key, value)) in sorted.into_iter().enumerate() {
            if at > 0 {
                self.indent(indent);
            }
            self.refuse_controls(key);
            let key = scalar::read_back(key);
            let column = if key.contains('\n') || key.len() > LONGEST_KEY {
                self.out.push_str("? ");
                scalar::push(&mut self.out, &key, indent + 2, indent + 2, false);
                if !self.out.ends_with('\n') {
                    self.out.push('\n');
                }
                self.indent(indent);
                self.out.push(':');
                indent + 1
            } else {
                let start = self.out.len();
                scalar::push(&mut self.out, &key, indent, indent, true);
                let written = self.out.get(start..).unwrap_or_default().chars().count();
                self.out.push(':');
                indent + written + 1
            };
            match value {
                Json::Map(entries) if !entries.is_empty() => {
                    self.out.push('\n');
                    self.indent(indent + 2);
                    self.map(entries, indent + 2);
                }
                Json::List(items) if !items.is_empty() => {
                    self.out.push('\n');
                    self.indent(indent);
                    self.list(items, indent);
                }
                Json::Shared(value) => self.shared(value, column, indent),
                value => self.scalar(value, column, indent),
            }
        }
    }

    /// Writes a shared value after its key, which ends at `column`.
    fn shared(&mut self, value: &SharedValue, column: usize, indent: usize) {
        let (start, part) = (self.out.len(), (value.address(), indent));
        let known = self.earlier.and_then(|(text, parts)| text.get(parts.0.get(&part)?.clone()));
        if let Some(known) = known {
            self.out.push_str(known);
        } else {
            match value.json() {
                Json::Map(entries) if !entries.is_empty() => {
                    self.out.push('\n');
                    self.indent(indent + 2);
                    self.map(&entries, indent + 2);
                }
                empty => self.scalar(&empty, column, indent),
            }
        }
        self.parts.0.insert(part, start..self.out.len());
    }

    fn list(&mut self, items: &[Json], indent: usize) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.indent(indent);
            }
            self.out.push('-');
            let value;
            let item = match item {
                Json::Shared(shared) => {
                    value = shared.json();
                    &value
                }
                item => item,
            };
            match item {
                Json::Map(entries) if !entries.is_empty() => {
                    self.out.push(' ');
                    self.map(entries, indent + 2);
                }
                Json::List(items) if !items.is_empty() => {
                    self.out.push(' ');
                    self.list(items, indent + 2);
                }
                value => self.scalar(value, indent + 1, indent),
            }
        }
    }

    /// Writes a scalar after a blank, with the end of its line.
    fn scalar(&mut self, value: &Json, column: usize, indent: usize) {
        self.out.push(' ');
        self.write_json(value, column + 1, indent + 2);
        self.out.push('\n');
    }

    fn write_json(&mut self, value: &Json, column: usize, indent: usize) {
        match value {
            Json::Null => self.out.push_str("null"),
            Json::Bool(true) => self.out.push_str("true"),
            Json::Bool(false) => self.out.push_str("false"),
            Json::Int(number) => self.out.push_str(&number.to_string()),
            Json::Unsigned(number) => self.out.push_str(&number.to_string()),
            Json::Float(number) => self.out.push_str(&float(*number)),
            Json::Text(text) => {
                self.refuse_controls(text);
                scalar::push(&mut self.out, &scalar::read_back(text), column, indent, false);
                // The line of a literal block ends with the block.
                if self.out.ends_with('\n') {
                    self.out.pop();
                }
            }
            Json::List(_) => self.out.push_str("[]"),
            Json::Map(_) | Json::Shared(_) => self.out.push_str("{}"),
        }
    }
}

/// A number in the form that Go's `strconv` writes with `g` and the fewest digits.
fn float(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{number:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // yaml.v2 formats with 64 bits and the shortest digits: with an exponent if it is below -4 or at least 6.
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    format!("{number}")
}
