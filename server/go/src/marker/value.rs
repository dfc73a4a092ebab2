//! The values of the arguments of markers.

use std::ops::Range;

use crate::json::{Json, JsonForm, SpannedJson};

/// A value, with the bytes of the marker's text that contain it.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The data.
    pub data: Data,
    /// The range of bytes, counted from the `+` of the marker.
    pub range: Range<usize>,
}

/// The data of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// No value: the argument is present without one.
    None,
    /// An integer.
    Int(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// Values in braces or separated by `;`.
    List(Vec<Value>),
    /// Keys and values in braces, in written order. Of equal keys, the last applies.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// A value that is written as JSON. `start` is its offset in the marker.
    #[must_use]
    pub fn of_json(written: SpannedJson, start: usize) -> Self {
        let data = match written.form {
            JsonForm::Scalar(Json::Bool(flag)) => Data::Bool(flag),
            JsonForm::Scalar(Json::Int(number)) => Data::Int(number),
            JsonForm::Scalar(Json::Unsigned(number)) => Data::Number(number as f64),
            JsonForm::Scalar(Json::Float(number)) => Data::Number(number),
            JsonForm::Scalar(Json::Text(text)) => Data::Text(text),
            JsonForm::Scalar(Json::Null | Json::List(_) | Json::Map(_) | Json::Shared(_)) => Data::None,
            JsonForm::List(items) => {
                Data::List(items.into_iter().map(|item| Self::of_json(item, start)).collect())
            }
            JsonForm::Map(entries) => Data::Map(
                entries.into_iter().map(|(key, value)| (key, Self::of_json(value, start))).collect(),
            ),
        };
        Self { data, range: start + written.range.start..start + written.range.end }
    }

    /// The name of the Go type that controller-gen uses for it.
    #[must_use]
    pub fn go_type(&self) -> &'static str {
        match &self.data {
            Data::None => "<nil>",
            Data::Int(_) => "int",
            Data::Number(_) => "float64",
            Data::Text(_) => "string",
            Data::Bool(_) => "bool",
            Data::Map(_) => "map[string]interface {}",
            Data::List(items) => match items.first().map(|item| &item.data) {
                Some(Data::Int(_)) => "[]int",
                Some(Data::Number(_)) => "[]float64",
                Some(Data::Bool(_)) => "[]bool",
                Some(Data::Map(_)) => "[]map[string]interface {}",
                Some(Data::List(_)) => "[][]string",
                _ => "[]string",
            },
        }
    }

    /// The value as JSON; `None` if JSON cannot represent a number.
    #[must_use]
    pub fn to_json(&self) -> Option<Json> {
        Some(match &self.data {
            Data::None => Json::Null,
            Data::Int(number) => Json::Int(*number),
            Data::Number(number) if number.is_finite() => Json::from_float(*number),
            Data::Number(_) => return None,
            Data::Text(text) => Json::Text(text.clone()),
            Data::Bool(flag) => Json::Bool(*flag),
            Data::List(items) => Json::List(items.iter().map(Self::to_json).collect::<Option<_>>()?),
            Data::Map(entries) => Json::Map(
                entries
                    .iter()
                    .map(|(key, value)| Some((key.clone(), value.to_json()?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }
}

/// The offsets of a name as a word in a value, in bytes.
pub fn names_in<'v>(value: &'v str, name: &'v str) -> impl Iterator<Item = usize> + use<'v> {
    let is_of_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.');
    let is_word = move |at: &usize| {
        let (before, rest) = value.split_at(*at);
        !before.ends_with(is_of_name)
            && !rest.get(name.len()..).is_some_and(|rest| rest.starts_with(is_of_name))
    };
    value.match_indices(name).map(|(at, _)| at).filter(is_word)
}
