//! Parses the arguments of a marker as controller-gen does.

mod inference;

use std::ops::Range;

use super::definition::{Argument, ArgumentType, ResolvedMarker, Shape};
use super::fault::{ExpectedToken, Fault, Refusal};
use super::guess::Guess;
use super::scanner::{ErrorPosition, Scanner, Token};
use super::value::{Data, Value};
use crate::json::SpannedJson;
use crate::strings;
use crate::version::{Change, Version};
use inference::guess;

/// The arguments of a marker. The name is empty for the value after `=`.
pub(super) type Arguments = Vec<(&'static str, Value)>;

/// The parts of a marker's text after `+`: the name, the name without its last part if that is an argument, and the text
/// after `=`.
pub(super) struct MarkerParts<'t> {
    pub(super) whole: &'t str,
    pub(super) short: &'t str,
    pub(super) rest: &'t str,
}

pub(super) fn split(text: &str) -> MarkerParts<'_> {
    let text = text.strip_prefix('+').unwrap_or(text);
    match text.split_once('=') {
        None => MarkerParts { whole: text, short: text, rest: "" },
        Some((whole, rest)) => {
            let short = whole.rsplit_once(':').map_or(whole, |(short, _)| short);
            MarkerParts { whole, short, rest }
        }
    }
}

/// The maximum depth of nested lists and objects in a value.
const MAX_DEPTH: usize = 64;

/// The result of parsing a marker.
#[derive(Default)]
pub(super) struct ParsedMarker {
    pub(super) arguments: Arguments,
    /// Arguments that occur again later; the last one applies.
    pub(super) repeated: Arguments,
    pub(super) refusals: Vec<Refusal>,
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    text: &'t str,
    version: Version,
    depth: usize,
}

/// Parses the arguments of a marker whose text starts with `+`. The result contains the values before an error.
pub(super) fn parse(text: &str, known: ResolvedMarker, version: Version) -> ParsedMarker {
    let split = split(text);
    let value_start = text.len() - split.rest.len();
    match known.definition.shape {
        Shape::Float(name) => {
            let number = |rest: &str| {
                strings::parse_float(rest).map(Data::Number).map_err(|error| ("ParseFloat", error))
            };
            return parse_number(text, split.whole, value_start, (name, false), number);
        }
        Shape::Integer(name) => {
            let number = |rest: &str| strings::atoi(rest).map(Data::Int).map_err(|error| ("Atoi", error));
            return parse_number(text, split.whole, value_start, (name, true), number);
        }
        Shape::Json => return json(split.whole, split.rest, value_start..text.len()),
        Shape::Empty | Shape::Value(_) | Shape::OptionalValue(_) | Shape::Arguments(_) => {}
    }
    let is_named = matches!(known.definition.shape, Shape::Arguments(_));
    let start = if is_named && split.whole.len() > split.short.len() {
        // After the `+`, the short name and its `:`.
        split.short.len() + 2
    } else {
        value_start
    };
    let fields = text.get(start..).unwrap_or("");
    let mut parser = Parser { scanner: Scanner::new(fields), text: fields, version, depth: 0 };
    let mut repeated = Arguments::new();
    let arguments = parser.arguments(known.definition.shape, &mut repeated);
    let moved = |range: Range<usize>| range.start + start..range.end + start;
    let in_marker =
        |all: Arguments| all.into_iter().map(|(name, value)| (name, shifted(value, start))).collect();
    let (arguments, repeated) = (in_marker(arguments), in_marker(repeated));
    // The marker's name.
    let name = 1..1 + known.name().len();
    let refusals = parser.scanner.errors.into_iter().map(|(fault, at)| {
        let range = match (&fault, at) {
            (Fault::Missing(_), _) | (_, ErrorPosition::Start | ErrorPosition::Whole) => name.clone(),
            // The name before the `=`, or before the text in its place.
            (
                Fault::Unknown(_) | Fault::Expected(ExpectedToken::Equals, _),
                ErrorPosition::Column(column),
            ) => moved(word_before(fields, column)),
            // The whole extra text.
            (Fault::Extra(_), ErrorPosition::Column(column)) => {
                moved(token_at(fields, column).start..fields.trim_end().len())
            }
            (_, ErrorPosition::Column(column)) => moved(token_at(fields, column)),
        };
        Refusal { fault, position: at, range }
    });
    ParsedMarker { arguments, repeated, refusals: refusals.collect() }
}

impl ParsedMarker {
    fn of(value: Value) -> Self {
        Self { arguments: vec![("", value)], ..Self::default() }
    }
}

/// The word before a column of a text.
fn word_before(text: &str, column: usize) -> Range<usize> {
    let at = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let before = text.get(..at).unwrap_or("").trim_end();
    let word = before.trim_end_matches(|ch: char| ch.is_alphanumeric() || ch == '_');
    word.len()..before.len()
}

/// The word or the quoted text at a column of a text, which counts characters from 1. At the end, the last word or
/// character.
fn token_at(text: &str, column: usize) -> Range<usize> {
    let start = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let rest = text.get(start..).unwrap_or("");
    if rest.is_empty() {
        let word = word_before(text, column);
        let last = text.get(..word.end).and_then(|text| text.chars().next_back()).map_or(0, char::len_utf8);
        return if word.is_empty() { word.end - last..word.end } else { word };
    }
    if let Some(quote) = rest.chars().next().filter(|ch| matches!(ch, '"' | '`')) {
        let mut is_escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, ch)| {
            let is_end = *ch == quote && !is_escaped;
            is_escaped = *ch == '\\' && quote == '"' && !is_escaped;
            is_end
        });
        return start..start + end.map_or(rest.trim_end().len(), |(at, _)| at + 1);
    }
    let is_number = rest.starts_with(|ch: char| ch.is_ascii_digit());
    let is_inner = |ch: char| ch.is_alphanumeric() || ch == '_' || is_number && ch == '.';
    let word = rest.find(|ch: char| !is_inner(ch)).unwrap_or(rest.len());
    let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
    start..start + len
}

fn shifted(value: Value, by: usize) -> Value {
    let data = match value.data {
        Data::List(items) => Data::List(items.into_iter().map(|item| shifted(item, by)).collect()),
        Data::Map(entries) => {
            Data::Map(entries.into_iter().map(|(key, value)| (key, shifted(value, by))).collect())
        }
        other => other,
    };
    Value { data, range: value.range.start + by..value.range.end + by }
}

/// A number as the whole text after `=`.
fn parse_number(
    text: &str,
    name: &str,
    start: usize,
    (value, is_integer): (&'static str, bool),
    read: impl Fn(&str) -> Result<Data, (&'static str, strings::NumberError)>,
) -> ParsedMarker {
    let rest = text.get(start..).unwrap_or("");
    let rest = match rest.find('#') {
        Some(comment) if name.starts_with("k8s:") => rest.get(..comment).unwrap_or(""),
        _ => rest,
    };
    let trimmed = rest.trim();
    let begins = start + (rest.len() - rest.trim_start().len());
    let range = begins..begins + trimmed.len();
    match read(trimmed) {
        Ok(data) => ParsedMarker::of(Value { data, range }),
        Err((function, error)) => {
            let fault = Fault::NotNumber { value, is_integer, reason: error.message(function, trimmed) };
            let range = if trimmed.is_empty() { 1..1 + name.len() } else { range };
            ParsedMarker {
                refusals: vec![Refusal { fault, position: ErrorPosition::Whole, range }],
                ..ParsedMarker::default()
            }
        }
    }
}

fn json(name: &str, rest: &str, range: Range<usize>) -> ParsedMarker {
    if rest.trim().starts_with("ref(") {
        return ParsedMarker::of(Value { data: Data::None, range });
    }
    match SpannedJson::read(rest) {
        Ok(written) => ParsedMarker::of(Value::of_json(written, range.end - rest.len())),
        Err(message) => {
            let range = if rest.is_empty() { 1..1 + name.len() } else { range };
            let fault = Fault::Json(message);
            ParsedMarker {
                refusals: vec![Refusal { fault, position: ErrorPosition::Whole, range }],
                ..ParsedMarker::default()
            }
        }
    }
}

impl Parser<'_> {
    fn expect(&mut self, expected: Token, wanted: ExpectedToken) -> bool {
        let found = self.scanner.scan() == expected;
        if !found {
            self.expected(wanted);
        }
        found
    }

    /// Reports that the last token is not the expected one.
    fn expected(&mut self, wanted: ExpectedToken) {
        let fault = Fault::Expected(wanted, self.scanner.token().to_owned());
        self.scanner.error(fault);
    }

    fn arguments(&mut self, shape: Shape, repeated: &mut Arguments) -> Arguments {
        let mut arguments: Arguments = Vec::new();
        let is_empty = self.scanner.peek().is_none();
        match shape {
            Shape::Value(kind) | Shape::OptionalValue(kind) if !is_empty => {
                let value = self.value(kind, false);
                arguments.push(("", value));
            }
            Shape::Arguments(known) if !is_empty => {
                self.parse_named_arguments(known, &mut arguments, repeated)
            }
            _ => {}
        }
        if self.scanner.scan() != Token::End {
            let rest = self.text.get(self.scanner.offset()..).unwrap_or("");
            self.scanner.error(Fault::Extra(rest.to_owned()));
        }
        match shape {
            Shape::Value(_) if arguments.is_empty() => self.scanner.error(Fault::Missing("")),
            Shape::OptionalValue(_) if arguments.is_empty() && !self.version.has(Change::EmptyGroupName) => {
                self.scanner.error(Fault::Missing(""));
            }
            Shape::Arguments(known) => {
                for argument in known.iter().filter(|argument| !argument.optional) {
                    if !arguments.iter().any(|(name, _)| *name == argument.name) {
                        self.scanner.error(Fault::Missing(argument.name));
                    }
                }
            }
            _ => {}
        }
        arguments
    }

    fn parse_named_arguments(
        &mut self,
        known: &'static [Argument],
        arguments: &mut Arguments,
        repeated: &mut Arguments,
    ) {
        while self.expect(Token::Ident, ExpectedToken::Name) {
            let name = self.scanner.token();
            if !self.expect(Token::Char('='), ExpectedToken::Equals) {
                return;
            }
            let is_there = |argument: &&Argument| {
                argument.name == name && argument.since.is_none_or(|change| self.version.has(change))
            };
            let Some(argument) = known.iter().find(is_there) else {
                self.scanner.error(Fault::Unknown(name.to_owned()));
                return;
            };
            let value = self.value(argument.kind, false);
            repeated.extend(arguments.extract_if(.., |(name, _)| *name == argument.name));
            arguments.push((argument.name, value));
            if !self.scanner.errors.is_empty() || self.scanner.peek().is_none() {
                return;
            }
            if !self.expect(Token::Char(','), ExpectedToken::Comma) {
                return;
            }
        }
    }

    /// A value of a type. If it cannot be parsed, the scanner has an error and the value has no data.
    fn value(&mut self, kind: ArgumentType, in_list: bool) -> Value {
        self.depth += 1;
        let start = self.scanner.ahead_offset();
        let data = if self.depth > MAX_DEPTH {
            self.scanner.error(Fault::Other("value is nested too deeply".to_owned()));
            Data::None
        } else {
            match kind {
                ArgumentType::Int => self.int(),
                ArgumentType::Number => self.float(),
                ArgumentType::Text => self.string(false),
                ArgumentType::Bool => self.bool(),
                ArgumentType::Any => {
                    let guess = guess(self.text.get(start..).unwrap_or(""), !in_list, self.version, 0);
                    self.guessed(guess)
                }
                ArgumentType::Texts => self.list(|parser| parser.value(ArgumentType::Text, true)),
                ArgumentType::Anys => self.list(|parser| parser.value(ArgumentType::Any, true)),
            }
        };
        self.depth -= 1;
        self.ranged(start, data)
    }

    /// Data with its place, without the blanks around it.
    fn ranged(&self, start: usize, data: Data) -> Value {
        let end = self.scanner.ahead_offset().max(start);
        let written = self.text.get(start..end).unwrap_or("");
        let blanks = written.len() - written.trim_start().len();
        Value { data, range: start + blanks..start + blanks.max(written.trim_end().len()) }
    }

    fn guessed(&mut self, guess: Guess) -> Data {
        match guess {
            Guess::Int => self.int(),
            Guess::Number => self.float(),
            Guess::Text => self.string(false),
            Guess::Bool => self.bool(),
            Guess::Map => self.map(),
            Guess::List(depth, scalar) => {
                let item = Guess::item(depth, scalar);
                self.list(|parser| {
                    let start = parser.scanner.ahead_offset();
                    let data = parser.guessed(item);
                    parser.ranged(start, data)
                })
            }
        }
    }

    fn negative(&mut self) -> bool {
        let negative = self.scanner.peek() == Some('-');
        if negative {
            self.scanner.scan();
        }
        negative
    }

    fn int(&mut self) -> Data {
        let negative = self.negative();
        if !self.expect(Token::Int, ExpectedToken::Integer) {
            return Data::None;
        }
        let text = format!("{}{}", if negative { "-" } else { "" }, self.scanner.token());
        match strings::atoi(&text) {
            Ok(number) => Data::Int(number),
            Err(error) => {
                let message = format!("unable to parse integer: {}", error.message("Atoi", &text));
                self.scanner.error(Fault::Literal(message));
                Data::None
            }
        }
    }

    fn float(&mut self) -> Data {
        let negative = self.negative();
        if !matches!(self.scanner.scan(), Token::Int | Token::Float) {
            self.expected(ExpectedToken::Number);
            return Data::None;
        }
        let text = format!("{}{}", if negative { "-" } else { "" }, self.scanner.token());
        match strings::parse_float(&text) {
            Ok(number) => Data::Number(number),
            Err(error) => {
                let message = format!("unable to parse number: {}", error.message("ParseFloat", &text));
                self.scanner.error(Fault::Literal(message));
                Data::None
            }
        }
    }

    fn bool(&mut self) -> Data {
        if !self.expect(Token::Ident, ExpectedToken::Bool) {
            return Data::None;
        }
        match self.scanner.token() {
            "true" => Data::Bool(true),
            "false" => Data::Bool(false),
            _ => {
                self.expected(ExpectedToken::Bool);
                Data::None
            }
        }
    }

    fn string(&mut self, is_key: bool) -> Data {
        let numbers = self.scanner.set_numbers(false);
        let data = self.text_or_words(is_key);
        self.scanner.set_numbers(numbers);
        data
    }

    fn text_or_words(&mut self, is_key: bool) -> Data {
        if matches!(self.scanner.scan(), Token::String | Token::RawString) {
            return match strings::unquoted(self.scanner.token()) {
                Some(text) => Data::Text(text),
                None => {
                    self.scanner.error(Fault::Literal("unable to parse string: invalid syntax".to_owned()));
                    Data::None
                }
            };
        }
        let ends = |ch: Option<char>| match ch {
            None | Some(',' | ';' | '}') => true,
            Some(':') => is_key || !self.version.has(Change::ColonInStrings),
            Some(_) => false,
        };
        let start = self.scanner.offset();
        while !ends(self.scanner.peek_after_space()) {
            self.scanner.scan();
        }
        // A blank before the end makes the scanner discard the last token.
        let end = self.scanner.offset() + self.scanner.token().len();
        Data::Text(self.text.get(start..end).unwrap_or("").to_owned())
    }

    fn list(&mut self, item: impl Fn(&mut Self) -> Value) -> Data {
        let mut items = Vec::new();
        if self.scanner.peek_after_space() == Some('{') {
            self.scanner.scan();
            while !matches!(self.scanner.peek_after_space(), None | Some('}')) {
                items.push(item(self));
                if self.scanner.peek_after_space() == Some('}') {
                    break;
                }
                if !self.expect(Token::Char(','), ExpectedToken::Comma) {
                    return Data::None;
                }
            }
            return if self.expect(Token::Char('}'), ExpectedToken::CloseBrace) {
                Data::List(items)
            } else {
                Data::None
            };
        }
        while !matches!(self.scanner.peek_after_space(), None | Some(',' | '}')) {
            items.push(item(self));
            let ahead = self.scanner.peek_after_space();
            if matches!(ahead, None | Some(',' | '}')) {
                break;
            }
            self.scanner.scan();
            if ahead != Some(';') {
                self.expected(ExpectedToken::Comma);
                return Data::None;
            }
        }
        Data::List(items)
    }

    fn map(&mut self) -> Data {
        if !self.expect(Token::Char('{'), ExpectedToken::OpenBrace) {
            return Data::None;
        }
        let mut entries = Vec::new();
        while !matches!(self.scanner.peek_after_space(), None | Some('}')) {
            let key = match self.string(true) {
                Data::Text(key) => key,
                _ => String::new(),
            };
            if !self.expect(Token::Char(':'), ExpectedToken::Colon) {
                return Data::None;
            }
            let value = self.value(ArgumentType::Any, false);
            entries.push((key, value));
            if self.scanner.peek_after_space() == Some('}') {
                break;
            }
            if !self.expect(Token::Char(','), ExpectedToken::Comma) {
                return Data::None;
            }
        }
        if self.expect(Token::Char('}'), ExpectedToken::CloseBrace) { Data::Map(entries) } else { Data::None }
    }
}
