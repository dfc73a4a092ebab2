//! Placeholder until the scalar branch lands.
use std::borrow::Cow;
/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ScalarStyle { Plain, SingleQuoted, DoubleQuoted, Literal, Folded }
/// Decoded text.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Decoded<'a> { pub text: Cow<'a, str> }
/// What the decoder reads.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Resolved<'a> { Null, Bool(bool), Int(i64), Uint(u64), Float(f64), String(Cow<'a, str>) }
/// Refused.
#[derive(Debug)]
pub struct ResolveError;
/// Refused.
#[derive(Debug)]
pub struct KeyError;
/// Placeholder.
pub fn decode(style: ScalarStyle, raw: &str, _outer: i32) -> Decoded<'_> {
    let text = match style { ScalarStyle::Plain => raw, _ => raw.trim_matches(['"', '\'']) };
    Decoded { text: Cow::Borrowed(text) }
}
/// Placeholder.
pub fn resolve<'a>(text: Cow<'a, str>, style: ScalarStyle, _tag: Option<&str>) -> Result<Resolved<'a>, ResolveError> {
    if style == ScalarStyle::Plain {
        match text.as_ref() {
            "true" | "yes" | "on" | "y" => return Ok(Resolved::Bool(true)),
            "false" | "no" | "off" | "n" => return Ok(Resolved::Bool(false)),
            "" | "~" | "null" => return Ok(Resolved::Null),
            _ => {}
        }
        if let Ok(int) = text.parse() { return Ok(Resolved::Int(int)) }
        if let Ok(float) = text.parse() { return Ok(Resolved::Float(float)) }
    }
    Ok(Resolved::String(text))
}
/// Placeholder.
pub fn key_text<'r>(resolved: &'r Resolved<'_>) -> Result<Cow<'r, str>, KeyError> {
    Ok(match resolved {
        Resolved::String(text) => Cow::Borrowed(text.as_ref()),
        Resolved::Bool(bool) => Cow::Owned(bool.to_string()),
        Resolved::Int(int) => Cow::Owned(int.to_string()),
        Resolved::Uint(int) => Cow::Owned(int.to_string()),
        Resolved::Float(float) => Cow::Owned(float.to_string()),
        Resolved::Null => return Err(KeyError),
    })
}
