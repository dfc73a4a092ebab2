//! The type of a value for which the marker declares none.

use super::super::guess::Guess;
use super::super::scanner::{Scanner, Token};
use super::{MAX_DEPTH, Parser};
use crate::version::{Change, Version};

/// Guesses the type of a text.
pub(super) fn guess(text: &str, allow_list: bool, version: Version, depth: usize) -> Guess {
    if depth > MAX_DEPTH {
        return Guess::Text;
    }
    if allow_list {
        let item = guess(text, false, version, depth + 1);
        let mut scanner = Scanner::new(text);
        loop {
            match scanner.scan() {
                Token::Char(';') => return item.listed(),
                Token::End | Token::Char(',') => return item,
                _ => {}
            }
        }
    }
    let mut parser = Parser { scanner: Scanner::new(text), text, version, depth };
    let hint = parser.scanner.peek_after_space();
    match hint {
        Some('"' | '\'' | '`') => return Guess::Text,
        Some('{') => return braces(&mut parser, depth),
        _ => {}
    }
    if matches!(hint, Some('t' | 'f')) {
        parser.scanner.scan();
        return if matches!(parser.scanner.token(), "true" | "false") { Guess::Bool } else { Guess::Text };
    }
    let mut token = parser.scanner.scan();
    if token == Token::Char('-') {
        token = parser.scanner.scan();
    }
    let kind = match token {
        Token::Int => Guess::Int,
        Token::Float => Guess::Number,
        _ => return Guess::Text,
    };
    if !version.has(Change::NumberDelimiter) {
        return kind;
    }
    let is_sound = parser.scanner.errors.is_empty();
    let ends = matches!(parser.scanner.peek_after_space(), None | Some(',' | ';' | '}'));
    if is_sound && ends { kind } else { Guess::Text }
}

/// Guesses the type of a text in braces: an object if it starts with a key and a colon, otherwise a list.
fn braces(parser: &mut Parser<'_>, depth: usize) -> Guess {
    parser.scanner.scan();
    let hint = parser.scanner.peek_after_space();
    let rest = parser.text.get(parser.scanner.ahead_offset()..).unwrap_or("");
    let first = guess(rest, false, parser.version, depth + 1);
    if first == Guess::Text {
        parser.string(true);
        if parser.scanner.scan() == Token::Char(':') || hint == Some('}') {
            return Guess::Map;
        }
    }
    first.listed()
}
