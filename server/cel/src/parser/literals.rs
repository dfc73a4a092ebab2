//! The values of literals.

use crate::ast::Literal;
use crate::token::TokenKind;

/// The value of a literal token; `negative` if a minus belongs to it. The error text is cel-go's.
pub(super) fn value(kind: TokenKind, text: &str, negative: bool) -> Result<Literal, &'static str> {
    match kind {
        TokenKind::True => Ok(Literal::Bool(true)),
        TokenKind::False => Ok(Literal::Bool(false)),
        TokenKind::Int => int(text, negative).map(Literal::Int).ok_or("invalid int literal"),
        TokenKind::Uint => uint(text).map(Literal::Uint).ok_or("invalid uint literal"),
        TokenKind::Float => double(text, negative).map(Literal::Double).ok_or("invalid double literal"),
        TokenKind::String => string(text).map(Literal::String),
        TokenKind::Bytes => {
            unescape(text.get(1..).unwrap_or_default(), true).map(|b| Literal::Bytes(b.into()))
        }
        _ => Ok(Literal::Null),
    }
}

fn digits(text: &str) -> (&str, u32) {
    text.strip_prefix("0x").map_or((text, 10), |hex| (hex, 16))
}

fn int(text: &str, negative: bool) -> Option<i64> {
    let (digits, radix) = digits(text);
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

fn uint(text: &str) -> Option<u64> {
    let (digits, radix) = digits(text.get(..text.len().checked_sub(1)?)?);
    u64::from_str_radix(digits, radix).ok()
}

fn double(text: &str, negative: bool) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    value.is_finite().then_some(if negative { -value } else { value })
}

fn string(text: &str) -> Result<Box<str>, &'static str> {
    String::from_utf8(unescape(text, false)?).map(Into::into).map_err(|_| "unable to unescape string")
}

/// The value of a string that the lexer accepts, without the `b` of bytes. Escapes are code points in a
/// string and single bytes in bytes.
fn unescape(text: &str, bytes: bool) -> Result<Vec<u8>, &'static str> {
    const FAILED: &str = "unable to unescape string";
    let (body, raw) = match text.strip_prefix(['r', 'R']) {
        Some(body) => (body, true),
        None => (text, false),
    };
    let quotes =
        if body.len() >= 6 && (body.starts_with("'''") || body.starts_with("\"\"\"")) { 3 } else { 1 };
    let inner = body.get(quotes..body.len().saturating_sub(quotes)).ok_or(FAILED)?;
    let inner = inner.replace("\r\n", "\n").replace('\r', "\n");
    if raw || !inner.contains('\\') {
        return Ok(inner.into_bytes());
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner.as_str();
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let letter = escape.as_bytes().get(1).copied().ok_or(FAILED)?;
        let length = escape_length(letter, bytes).ok_or(FAILED)?;
        let digits = escape.get(if letter.is_ascii_digit() { 1 } else { 2 }..length).ok_or(FAILED)?;
        match simple_escape(letter) {
            Some(byte) => out.push(byte),
            None => {
                let radix = if letter.is_ascii_digit() { 8 } else { 16 };
                let value = u32::from_str_radix(digits, radix).map_err(|_| FAILED)?;
                match u8::try_from(value) {
                    Ok(byte) if bytes => out.push(byte),
                    _ => {
                        let c = char::from_u32(value).ok_or("invalid unicode code point")?;
                        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
            }
        }
        rest = escape.get(length..).ok_or(FAILED)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// The length in bytes of an escape sequence, by the letter after its backslash.
fn escape_length(letter: u8, bytes: bool) -> Option<usize> {
    match letter {
        b'x' | b'X' | b'0'..=b'3' => Some(4),
        b'u' if !bytes => Some(6),
        b'U' if !bytes => Some(10),
        letter => simple_escape(letter).map(|_| 2),
    }
}

const fn simple_escape(letter: u8) -> Option<u8> {
    Some(match letter {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'\\' | b'\'' | b'"' | b'`' | b'?' => letter,
        _ => return None,
    })
}
