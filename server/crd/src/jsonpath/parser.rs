//! Reads the steps of a path as `k8s.io/client-go/util/jsonpath` does, with its messages.

use super::filter::{compared, comparison};
use super::{LocatedStep, OPENING, PathStep, SyntaxError};

/// A piece of a template.
pub(super) enum TemplatePart {
    Text,
    Action(Vec<LocatedStep>),
}

/// The pieces of `text` in braces.
pub(super) fn parse_braced(text: &str) -> Result<Vec<TemplatePart>, SyntaxError> {
    let input = format!("{{{text}}}");
    Parser { input: &input, position: 0, start: 0 }.template()
}

/// The steps of a nested expression.
fn parse_action(text: &str) -> Result<Vec<LocatedStep>, SyntaxError> {
    match parse_braced(text)?.into_iter().next() {
        Some(TemplatePart::Action(steps)) => Ok(steps),
        Some(TemplatePart::Text) | None => Ok(Vec::new()),
    }
}

struct Parser<'p> {
    input: &'p str,
    position: usize,
    /// The start of the current step.
    start: usize,
}

impl<'p> Parser<'p> {
    fn remaining(&self) -> &'p str {
        self.input.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.remaining().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.position += next.len_utf8();
        Some(next)
    }

    /// Returns the text of the current step; the next step starts after it.
    fn take(&mut self) -> &'p str {
        let text = self.input.get(self.start..self.position).unwrap_or_default();
        self.start = self.position;
        text
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { message: message.into(), range: self.start..self.position }
    }

    fn template(mut self) -> Result<Vec<TemplatePart>, SyntaxError> {
        let mut parts = Vec::new();
        while let Some(open) = self.remaining().find('{') {
            if open > 0 {
                parts.push(TemplatePart::Text);
            }
            self.position += open + 1;
            self.start = self.position;
            parts.push(TemplatePart::Action(self.action()?));
        }
        if !self.remaining().is_empty() {
            parts.push(TemplatePart::Text);
        }
        Ok(parts)
    }

    /// Reads the steps up to the closing brace.
    fn action(&mut self) -> Result<Vec<LocatedStep>, SyntaxError> {
        let mut steps: Vec<LocatedStep> = Vec::new();
        loop {
            let from = self.start;
            let rest = self.remaining();
            if rest.starts_with('}') {
                self.position += 1;
                self.take();
                return Ok(steps);
            }
            let found = if rest.starts_with(OPENING) {
                vec![self.filter()?]
            } else if rest.starts_with("..") {
                if steps.last().is_some_and(|last| last.step == PathStep::Recursive) {
                    self.position += 2;
                    return Err(self.error("invalid multiple recursive descent"));
                }
                self.recursive()
            } else {
                self.step()?
            };
            let range = from..self.start;
            steps.extend(found.into_iter().map(|step| LocatedStep { step, range: range.clone() }));
        }
    }

    fn step(&mut self) -> Result<Vec<PathStep>, SyntaxError> {
        let Some(first) = self.next().filter(|first| !is_line_end(*first)) else {
            return Err(self.error("unclosed action"));
        };
        match first {
            ' ' | '@' | '$' => {
                self.take();
                Ok(Vec::new())
            }
            '[' => self.array(),
            '"' | '\'' => self.quote(first).map(|step| vec![step]),
            '.' => Ok(vec![self.field()]),
            '+' | '-' => self.number().map(|step| vec![step]),
            digit if digit.is_numeric() => self.number().map(|step| vec![step]),
            letter if is_word(letter) => {
                self.skip_while(|next| !is_terminator(next));
                self.take();
                Ok(vec![PathStep::Other])
            }
            other => {
                let code = u32::from(other);
                Err(self.error(format!("unrecognized character in action: U+{code:04X} '{other}'")))
            }
        }
    }

    fn skip_while(&mut self, skips: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&skips) {
            self.next();
        }
    }

    fn recursive(&mut self) -> Vec<PathStep> {
        self.position += 2;
        self.take();
        let mut steps = vec![PathStep::Recursive];
        if self.peek().is_some_and(is_word) {
            steps.push(self.field());
        }
        steps
    }

    /// A name, after its dot.
    fn field(&mut self) -> PathStep {
        self.take();
        while let Some(next) = self.peek().filter(|next| !is_terminator(*next)) {
            self.next();
            if next == '\\' {
                self.next();
            }
        }
        match self.take() {
            "*" => PathStep::Wildcard,
            name => PathStep::Field(name.replace('\\', "")),
        }
    }

    fn number(&mut self) -> Result<PathStep, SyntaxError> {
        self.skip_while(|next| next == '.' || next.is_numeric());
        let text = self.input.get(self.start..self.position).unwrap_or_default();
        if text.parse::<i64>().is_err() && text.parse::<f64>().is_err() {
            return Err(self.error(format!("cannot parse number {text}")));
        }
        self.take();
        Ok(PathStep::Other)
    }

    fn quote(&mut self, quote: char) -> Result<PathStep, SyntaxError> {
        loop {
            match self.next() {
                None | Some('\n') => return Err(self.error("unterminated quoted string")),
                Some(next) if next == quote && !self.is_escaped() => break,
                Some(_) => {}
            }
        }
        let text = self.input.get(self.start..self.position).unwrap_or_default();
        let inner = text.get(1..text.len() - 1).unwrap_or_default();
        if !has_valid_escapes(inner, quote) {
            return Err(self.error(format!("unquote string {text} error invalid syntax")));
        }
        self.take();
        Ok(PathStep::Other)
    }

    /// Whether the byte before the last one is a backslash.
    fn is_escaped(&self) -> bool {
        self.position >= 2 && self.input.as_bytes().get(self.position - 2) == Some(&b'\\')
    }

    fn array(&mut self) -> Result<Vec<PathStep>, SyntaxError> {
        loop {
            match self.next() {
                None | Some('\n') => return Err(self.error("unterminated array")),
                Some(']') => break,
                Some(_) => {}
            }
        }
        let text = self.input.get(self.start + 1..self.position - 1).unwrap_or_default();
        let within = |error: SyntaxError| self.error(error.message);
        let steps = if text.contains(',') {
            for part in text.split(',') {
                parse_action(&format!("[{}]", part.trim_matches(' '))).map_err(within)?;
            }
            vec![PathStep::Other]
        } else if let Some(key) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
            && !key.contains('\'')
        {
            let steps = parse_action(&format!(".{key}")).map_err(within)?;
            steps.into_iter().map(|located| located.step).collect()
        } else {
            check_slice(text).map_err(|message| self.error(message))?;
            vec![PathStep::Elements]
        };
        self.take();
        Ok(steps)
    }

    fn filter(&mut self) -> Result<PathStep, SyntaxError> {
        self.position += OPENING.len();
        let inner = self.position;
        let mut quote = None;
        let mut is_closed = false;
        loop {
            match self.next() {
                None | Some('\n') => return Err(self.error("unterminated filter")),
                Some(next @ ('"' | '\'')) => match quote {
                    None => quote = Some(next),
                    Some(open) => is_closed |= next == open && !self.is_escaped(),
                },
                Some(')') if quote.is_some() == is_closed => break,
                Some(_) => {}
            }
        }
        let text = self.input.get(inner..self.position - 1).unwrap_or_default();
        if self.next() != Some(']') {
            return Err(self.error("unclosed array expect ]"));
        }
        let within = |error: SyntaxError| self.error(error.message);
        match comparison(text) {
            Some((left, right)) => {
                parse_action(left).map_err(within)?;
                parse_action(right).map_err(within)?;
            }
            None => drop(parse_action(text).map_err(within)?),
        }
        self.take();
        Ok(PathStep::Filter(compared(text)))
    }
}

/// `(-?digits)(:-?digits)?(:-?digits)?`, in which each number may be missing.
fn check_slice(text: &str) -> Result<(), String> {
    if text == "*" {
        return Ok(());
    }
    let parts: Vec<&str> = text.split(':').collect();
    let digits =
        |part: &str| part.strip_prefix('-').unwrap_or(part).bytes().all(|byte| byte.is_ascii_digit());
    if parts.len() > 3 || !parts.iter().all(|part| digits(part)) {
        return Err(format!("invalid array index {text}"));
    }
    match parts.iter().find(|part| !part.is_empty() && part.parse::<i64>().is_err()) {
        Some(part) => Err(format!("array index {part} is not a number")),
        None => Ok(()),
    }
}

/// Whether Go accepts all escapes of a string in `quote`s.
fn has_valid_escapes(text: &str, quote: char) -> bool {
    let mut characters = text.chars();
    while let Some(next) = characters.next() {
        if next != '\\' {
            continue;
        }
        let digits = match characters.next() {
            Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\') => 0,
            Some(escaped) if escaped == quote => 0,
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            // A byte as three octal digits.
            Some('0'..='3') => {
                if !(0..2).all(|_| matches!(characters.next(), Some('0'..='7'))) {
                    return false;
                }
                0
            }
            _ => return false,
        };
        for _ in 0..digits {
            if !characters.next().is_some_and(|digit| digit.is_ascii_hexdigit()) {
                return false;
            }
        }
    }
    true
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\r' | '\n')
}

fn is_terminator(character: char) -> bool {
    is_line_end(character) || matches!(character, ' ' | '\t' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}
