//! JSON values, with numbers as they are after Go's encoder and the YAML decoder.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::strings;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// An integer above the maximum of a signed one.
    Unsigned(u64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object. Its order has no meaning.
    Map(BTreeMap<String, Json>),
    /// A shared value, which is converted when it is needed.
    Shared(SharedValue),
}

/// A value that can be shared.
pub trait AsJson: std::fmt::Debug + Send + Sync {
    /// The value.
    fn json(&self) -> Json;
}

/// A shared value.
#[derive(Clone, Debug)]
pub struct SharedValue(Arc<dyn AsJson>);

impl SharedValue {
    /// The value itself.
    #[must_use]
    pub fn json(&self) -> Json {
        self.0.json()
    }

    /// Its address: while it exists, no other value has this address.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl PartialEq for SharedValue {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.json() == other.json()
    }
}

/// The maximum depth of nested values.
const MAX_DEPTH: usize = 1_000;

impl Json {
    /// A 64-bit number after Go's encoder and the YAML decoder: an integer if it is written as one.
    #[must_use]
    pub fn from_float(number: f64) -> Self {
        // Go's encoder writes these with an exponent.
        let plain = number == 0.0 || (1e-6..1e21).contains(&number.abs());
        if !plain || number.fract() != 0.0 {
            return Self::Float(number);
        }
        let digits = shortest_integer(number);
        if digits == "-0" {
            return Self::Int(0);
        }
        match (digits.parse::<i64>(), digits.parse::<u64>()) {
            (Ok(int), _) => Self::Int(int),
            (_, Ok(int)) => Self::Unsigned(int),
            _ => Self::Float(number),
        }
    }

    /// An object with these entries.
    #[must_use]
    pub fn map<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// A shared value.
    pub fn shared<T: AsJson + 'static>(value: &Arc<T>) -> Self {
        let value: Arc<dyn AsJson> = Arc::<T>::clone(value);
        Self::Shared(SharedValue(value))
    }

    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// The value as encoded by Go.
    #[must_use]
    pub fn encoded(&self) -> String {
        let mut out = String::new();
        self.encode(&mut out);
        out
    }

    fn encode(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Int(number) => out.push_str(&number.to_string()),
            Self::Unsigned(number) => out.push_str(&number.to_string()),
            Self::Float(number) => out.push_str(&format!("{number:?}")),
            Self::Text(text) => encode_text(text, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.encode(out);
                }
                out.push(']');
            }
            Self::Shared(value) => value.json().encode(out),
            Self::Map(entries) => {
                out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    encode_text(key, out);
                    out.push(':');
                    value.encode(out);
                }
                out.push('}');
            }
        }
    }

    /// Parses JSON. All numbers go through 64-bit floating point.
    ///
    /// # Errors
    ///
    /// The error of Go's decoder.
    pub fn decoded(text: &str) -> Result<Self, String> {
        SpannedJson::read(text).map(Self::from)
    }
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct SpannedJson {
    /// The value.
    pub form: JsonForm,
    /// The range of bytes of the text.
    pub range: Range<usize>,
}

/// The form of a value with places.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonForm {
    /// A value without inner values.
    Scalar(Json),
    /// A list.
    List(Vec<SpannedJson>),
    /// An object, in the order of the text. Of equal keys, the last applies.
    Map(Vec<(String, SpannedJson)>),
}

impl SpannedJson {
    /// Parses JSON as [`Json::decoded`] does, with the places of all values.
    ///
    /// # Errors
    ///
    /// The error of Go's decoder.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        match reader.peek() {
            None => Ok(value),
            Some(ch) => Err(invalid(ch, "after top-level value")),
        }
    }
}

impl From<SpannedJson> for Json {
    fn from(written: SpannedJson) -> Self {
        match written.form {
            JsonForm::Scalar(json) => json,
            JsonForm::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
            JsonForm::Map(entries) => {
                Self::Map(entries.into_iter().map(|(key, value)| (key, Self::from(value))).collect())
            }
        }
    }
}

/// The digits of an integral number: the shortest ones that identify it, then zeros.
fn shortest_integer(number: f64) -> String {
    // Rust writes the shortest digits only with an exponent; without one, it writes all digits of the exact value.
    let text = format!("{number:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&*text, "0"));
    let exponent: usize = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let zeros = exponent.saturating_sub(fraction.len());
    format!("{whole}{fraction}{}", "0".repeat(zeros))
}

fn encode_text(text: &str, out: &mut String) {
    out.push('"');
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", ch as u32)),
            ch if (ch as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", ch as u32)),
            ch => out.push(ch),
        }
    }
    out.push('"');
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

const UNEXPECTED_END: &str = "unexpected end of JSON input";

fn invalid(ch: char, context: &str) -> String {
    let shown = match ch {
        '\'' => "'\\''".to_owned(),
        '"' => "'\"'".to_owned(),
        ch => {
            let quoted = strings::quoted(&ch.to_string());
            format!("'{}'", quoted.trim_matches('"'))
        }
    };
    format!("invalid character {shown} {context}")
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn take(&mut self) -> Option<char> {
        let ch = self.peek()?;
        self.at += ch.len_utf8();
        Some(ch)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<SpannedJson, String> {
        self.space();
        if depth > MAX_DEPTH {
            return Err("exceeded max depth".to_owned());
        }
        let start = self.at;
        let form = match self.peek() {
            None => return Err(UNEXPECTED_END.to_owned()),
            Some('{') => JsonForm::Map(self.object(depth)?),
            Some('[') => JsonForm::List(self.list(depth)?),
            Some('"') => JsonForm::Scalar(Json::Text(self.string()?)),
            Some('t') => JsonForm::Scalar(self.read_word("true", Json::Bool(true))?),
            Some('f') => JsonForm::Scalar(self.read_word("false", Json::Bool(false))?),
            Some('n') => JsonForm::Scalar(self.read_word("null", Json::Null)?),
            Some('-' | '0'..='9') => JsonForm::Scalar(self.number()?),
            Some(ch) => return Err(invalid(ch, "looking for beginning of value")),
        };
        Ok(SpannedJson { form, range: start..self.at })
    }

    fn read_word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        for expected in word.chars() {
            match self.take() {
                Some(ch) if ch == expected => {}
                Some(ch) => return Err(invalid(ch, &format!("in literal {word} (expecting '{expected}')"))),
                None => return Err(UNEXPECTED_END.to_owned()),
            }
        }
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Vec<(String, SpannedJson)>, String> {
        self.at += 1;
        let mut entries = Vec::new();
        self.space();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(entries);
        }
        loop {
            self.space();
            match self.peek() {
                Some('"') => {}
                Some(ch) => return Err(invalid(ch, "looking for beginning of object key string")),
                None => return Err(UNEXPECTED_END.to_owned()),
            }
            let key = self.string()?;
            self.space();
            match self.take() {
                Some(':') => {}
                Some(ch) => return Err(invalid(ch, "after object key")),
                None => return Err(UNEXPECTED_END.to_owned()),
            }
            let value = self.value(depth + 1)?;
            entries.push((key, value));
            self.space();
            match self.take() {
                Some('}') => return Ok(entries),
                Some(',') => {}
                Some(ch) => return Err(invalid(ch, "after object key:value pair")),
                None => return Err(UNEXPECTED_END.to_owned()),
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<SpannedJson>, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.take() {
                Some(']') => return Ok(items),
                Some(',') => {}
                Some(ch) => return Err(invalid(ch, "after array element")),
                None => return Err(UNEXPECTED_END.to_owned()),
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            match self.take() {
                None => return Err(UNEXPECTED_END.to_owned()),
                Some('"') => return Ok(out),
                Some('\\') => self.escape(&mut out)?,
                Some(ch) if (ch as u32) < 0x20 => return Err(invalid(ch, "in string literal")),
                Some(ch) => out.push(ch),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let ch = self.take().ok_or(UNEXPECTED_END)?;
        match ch {
            '"' | '\\' | '/' => out.push(ch),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let unit = self.unit()?;
                let is_high = (0xd800..0xdc00).contains(&unit);
                let rest = self.text.get(self.at..).unwrap_or("");
                if is_high && rest.starts_with("\\u") {
                    let before = self.at;
                    self.at += 2;
                    let low = self.unit()?;
                    if (0xdc00..0xe000).contains(&low) {
                        let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                        out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                        return Ok(());
                    }
                    self.at = before;
                }
                out.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
            }
            ch => return Err(invalid(ch, "in string escape code")),
        }
        Ok(())
    }

    fn unit(&mut self) -> Result<u32, String> {
        let mut unit = 0;
        for _ in 0..4 {
            let ch = self.take().ok_or(UNEXPECTED_END)?;
            let digit = ch.to_digit(16).ok_or_else(|| invalid(ch, "in \\u hexadecimal character escape"))?;
            unit = unit * 16 + digit;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        if self.peek() == Some('-') {
            self.at += 1;
        }
        match self.take() {
            Some('0') => {}
            Some('1'..='9') => self.digits(),
            Some(ch) => return Err(invalid(ch, "in numeric literal")),
            None => return Err(UNEXPECTED_END.to_owned()),
        }
        if self.peek() == Some('.') {
            self.at += 1;
            self.some_digits("after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.at += 1;
            if matches!(self.peek(), Some('+' | '-')) {
                self.at += 1;
            }
            self.some_digits("in exponent of numeric literal")?;
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Self::json(number)),
            _ => Err(format!("json: cannot unmarshal number {text} into Go value of type float64")),
        }
    }

    fn json(number: f64) -> Json {
        Json::from_float(number)
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|ch| ch.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self, context: &str) -> Result<(), String> {
        match self.peek() {
            Some(ch) if ch.is_ascii_digit() => {
                self.digits();
                Ok(())
            }
            Some(ch) => Err(invalid(ch, context)),
            None => Err(UNEXPECTED_END.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    #[test]
    fn numbers_come_out_as_go_writes_them() {
        assert_eq!(Json::from_float(1e3), Json::Int(1000));
        assert_eq!(Json::from_float(9_223_372_036_854_775_807.0), Json::Unsigned(9_223_372_036_854_776_000));
        assert!(matches!(Json::from_float(-9_223_372_036_854_775_808.0), Json::Float(_)));
        assert!(matches!(Json::from_float(1e21), Json::Float(_)));
    }

    #[test]
    fn values_are_where_they_are_written() {
        let text = r#" {"a": ["x", 1 ], "b":{}}"#;
        let JsonForm::Map(entries) = SpannedJson::read(text).unwrap().form else { panic!("no object") };
        let found: Vec<(&str, &str)> =
            entries.iter().map(|(key, value)| (&**key, &text[value.range.clone()])).collect();
        assert_eq!(found, [("a", r#"["x", 1 ]"#), ("b", "{}")]);
        let Some((_, SpannedJson { form: JsonForm::List(items), .. })) = entries.first() else {
            panic!("no list")
        };
        let found: Vec<&str> = items.iter().map(|item| &text[item.range.clone()]).collect();
        assert_eq!(found, [r#""x""#, "1"]);
    }

    #[test]
    fn errors_are_those_of_gos_decoder() {
        assert_eq!(
            Json::decoded("abc"),
            Err("invalid character 'a' looking for beginning of value".to_owned())
        );
        assert_eq!(Json::decoded("1 2"), Err("invalid character '2' after top-level value".to_owned()));
        assert_eq!(Json::decoded("{"), Err(UNEXPECTED_END.to_owned()));
    }
}
