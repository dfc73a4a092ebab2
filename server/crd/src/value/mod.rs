//! JSON values with the places where they were written.

mod decode;

use std::collections::BTreeMap;

use text::{TextRange, TextSize};
use yaml::Json;
use yaml::scalar::{ResolvedScalar, go_syntax};

use crate::reading::Budget;
pub(crate) use decode::{Text, ValueDecoder, scalar_json};

/// The place where something was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Place {
    /// No place: the server created the value.
    #[default]
    Nowhere,
    /// In the text of the resource, in bytes.
    Resource(TextRange),
    /// In the text of the definition, in bytes: for example, a default.
    Definition(TextRange),
}

/// A JSON value. Equality is that of JSON values as the server decodes them: places are ignored.
#[derive(Clone, Debug)]
pub struct Value {
    /// The place where it was written.
    pub place: Place,
    /// The kind of the value.
    pub kind: Kind,
}

/// The kind of a [`Value`], in the types that the server decodes JSON to.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number whose JSON text is a 64-bit integer, including `1.0` in YAML.
    Int(i64),
    /// Any other number; finite.
    Float(f64),
    /// A string.
    String(Box<str>),
    /// A list.
    List(Vec<Value>),
    /// An object; its keys are sorted, so that findings on it have a stable order.
    Map(Map),
}

/// The members of an object.
pub type Map = BTreeMap<Box<str>, Member>;

/// A member of an object.
#[derive(Clone, Debug)]
pub struct Member {
    /// The place of its key.
    pub key: Place,
    /// Its value.
    pub value: Value,
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for Member {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Place {
    /// The same place in a text in which everything is `by` bytes further on; wraps around.
    #[must_use]
    pub(crate) fn shifted(self, by: TextSize) -> Self {
        match self {
            Self::Nowhere => self,
            Self::Resource(range) => Self::Resource(range.wrapping_shifted(by)),
            Self::Definition(range) => Self::Definition(range.wrapping_shifted(by)),
        }
    }

    /// This place, or `other` if it is nowhere.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == Self::Nowhere { other } else { self }
    }
}

impl Value {
    /// The value in `written`, as the server decodes it. Values that its decoder rejects are read as null.
    #[must_use]
    pub fn read<'t>(written: yaml::Value<'t>, reader: &yaml::Reader<'t>) -> Self {
        let mut budget = Budget::new(true);
        ValueDecoder { reader, budget: &mut budget, text: Text::Resource, base: 0 }.value(written)
    }

    /// A value without a place.
    #[must_use]
    pub fn made(kind: Kind) -> Self {
        Self { place: Place::Nowhere, kind }
    }

    /// A string without a place.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::made(Kind::String(text.into()))
    }

    /// Whether it is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// Its members, if it is an object.
    #[must_use]
    pub fn as_map(&self) -> Option<&Map> {
        match &self.kind {
            Kind::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Its items, if it is a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value of that member of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(key).map(|member| &member.value)
    }

    /// The value with all places moved by `by` bytes.
    #[must_use]
    pub(crate) fn shifted(&self, by: TextSize) -> Self {
        let kind = match &self.kind {
            Kind::List(items) => Kind::List(items.iter().map(|item| item.shifted(by)).collect()),
            Kind::Map(map) => {
                let mut moved = Map::new();
                for (key, member) in map {
                    let value = member.value.shifted(by);
                    moved.insert(key.clone(), Member { key: member.key.shifted(by), value });
                }
                Kind::Map(moved)
            }
            scalar => scalar.clone(),
        };
        Self { place: self.place.shifted(by), kind }
    }

    /// The value without places.
    #[must_use]
    pub(crate) fn unplaced(&self) -> Self {
        Self::made(match &self.kind {
            Kind::List(items) => Kind::List(items.iter().map(Self::unplaced).collect()),
            Kind::Map(map) => {
                let member = |member: &Member| Member { key: Place::Nowhere, value: member.value.unplaced() };
                Kind::Map(map.iter().map(|(key, of)| (key.clone(), member(of))).collect())
            }
            scalar => scalar.clone(),
        })
    }

    /// The value as JSON without places; displays as Go's `encoding/json` prints it.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match &self.kind {
            Kind::Null => Json::Null,
            Kind::Bool(value) => Json::Bool(*value),
            Kind::Int(value) => Json::Int(*value),
            Kind::Float(value) => Json::Float(*value),
            Kind::String(text) => Json::String(text.to_string()),
            Kind::List(items) => Json::Array(items.iter().map(Self::to_json).collect()),
            Kind::Map(map) => Json::Object(
                map.iter().map(|(key, member)| (key.to_string(), member.value.to_json())).collect(),
            ),
        }
    }

    /// The value as the server prints it after `Invalid value:` (Kubernetes 1.34 and newer).
    #[must_use]
    pub fn in_error(&self) -> String {
        match &self.kind {
            Kind::String(text) => quoted(text),
            Kind::Int(value) => value.to_string(),
            Kind::Float(value) => float(*value),
            _ => self.to_json().to_string(),
        }
    }

    /// The start of [`Self::in_error`], at least `bytes` bytes if it has so many. Each of a list's thousands
    /// of members may be wrong, and each error prints the list.
    pub(crate) fn start_in_error(&self, bytes: usize) -> String {
        match &self.kind {
            Kind::List(_) | Kind::Map(_) => self.start_of_json(&mut bytes.saturating_add(1)).to_string(),
            _ => self.in_error(),
        }
    }

    /// The value as JSON, without the parts that are printed after the first `room` bytes.
    fn start_of_json(&self, room: &mut usize) -> Json {
        match &self.kind {
            Kind::List(items) => {
                let mut start = Vec::new();
                for item in items {
                    if *room == 0 {
                        break;
                    }
                    *room -= 1;
                    start.push(item.start_of_json(room));
                }
                Json::Array(start)
            }
            Kind::Map(map) => {
                let mut start = BTreeMap::new();
                for (key, member) in map {
                    if *room == 0 {
                        break;
                    }
                    *room = room.saturating_sub(key.len() + 1);
                    start.insert(key.to_string(), member.value.start_of_json(room));
                }
                Json::Object(start)
            }
            Kind::String(text) => {
                let end = text::ceil_char_boundary(text, (*room).min(text.len()));
                *room = room.saturating_sub(text.len());
                Json::String(text.get(..end).unwrap_or_default().to_owned())
            }
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {
                *room = room.saturating_sub(1);
                self.to_json()
            }
        }
    }

    /// The value as Go's `%#v` prints it, as the server did in errors before Kubernetes 1.34.
    pub(crate) fn go_syntax(&self) -> String {
        match &self.kind {
            Kind::Null => "interface {}(nil)".to_owned(),
            Kind::Bool(value) => value.to_string(),
            Kind::List(items) => {
                let items: Vec<String> = items.iter().map(Self::go_syntax).collect();
                format!("[]interface {{}}{{{}}}", items.join(", "))
            }
            Kind::Map(members) => {
                let members = members.iter();
                let members: Vec<String> = members
                    .map(|(key, member)| format!("{}:{}", quoted(key), member.value.go_syntax()))
                    .collect();
                format!("map[string]interface {{}}{{{}}}", members.join(", "))
            }
            Kind::Int(_) | Kind::Float(_) | Kind::String(_) => self.in_error(),
        }
    }

    /// The JSON type, as the server names it in `must be of type`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "boolean",
            Kind::Int(_) => "integer",
            Kind::Float(_) => "number",
            Kind::String(_) => "string",
            Kind::List(_) => "array",
            Kind::Map(_) => "object",
        }
    }
}

/// A number as Go's `%v` prints it.
pub(crate) fn float(value: f64) -> String {
    go_syntax(&ResolvedScalar::Float(value))
}

/// A string as Go's `%q` prints it.
pub(crate) fn quoted(text: &str) -> String {
    go_syntax(&ResolvedScalar::String(text.into()))
}

impl From<&Json> for Value {
    fn from(json: &Json) -> Self {
        Self::made(match json {
            Json::Null => Kind::Null,
            Json::Bool(value) => Kind::Bool(*value),
            Json::Int(value) => Kind::Int(*value),
            Json::Uint(value) => Kind::Float(*value as f64),
            Json::Float(value) => number(*value),
            Json::String(text) => Kind::String(text.as_str().into()),
            Json::Array(items) => Kind::List(items.iter().map(Self::from).collect()),
            Json::Object(members) => Kind::Map(
                members
                    .iter()
                    .map(|(key, json)| {
                        (key.as_str().into(), Member { key: Place::Nowhere, value: json.into() })
                    })
                    .collect(),
            ),
        })
    }
}

/// A float of YAML after the conversion through JSON: `1.0` is printed as `1`, and read as an integer.
pub(crate) fn number(value: f64) -> Kind {
    match crate::reading::integer(&ResolvedScalar::Float(value)) {
        Some(whole) => Kind::Int(whole),
        None => Kind::Float(value),
    }
}

#[cfg(test)]
mod tests {
    use crate::value::*;

    #[test]
    fn numbers_are_integers_if_their_json_is() {
        assert_eq!(number(1.0), Kind::Int(1));
        assert_eq!(number(-0.0), Kind::Int(0));
        assert_eq!(number(1e20), Kind::Float(1e20));
        assert_eq!(number(1.5), Kind::Float(1.5));
    }

    #[test]
    fn values_print_as_in_errors() {
        assert_eq!(Value::text("a\"b").in_error(), r#""a\"b""#);
        assert_eq!(Value::made(Kind::Float(1e6 + 0.5)).in_error(), "1.0000005e+06");
        assert_eq!(Value::made(Kind::List(vec![Value::made(Kind::Null)])).in_error(), "[null]");
    }

    #[test]
    fn a_truncated_value_is_a_prefix_of_the_complete_one() {
        let list = |count: usize| {
            let item = |at: usize| match at % 3 {
                0 => Value::made(Kind::Int(at as i64)),
                1 => Value::made(Kind::List(vec![Value::text("\u{e4}\"b"), Value::made(Kind::Null)])),
                _ => Value::text(&"word ".repeat(at)),
            };
            Value::made(Kind::List((0..count).map(item).collect()))
        };
        for count in [0, 1, 5, 40, 400] {
            let (all, few) = (list(count).in_error(), list(count).start_in_error(1_000));
            assert!(few.len() >= all.len().min(1_001) && few.len() < 4_000, "{count}: {}", few.len());
            let same = all.bytes().zip(few.bytes()).take(1_000).all(|(one, other)| one == other);
            assert!(same, "{count}");
        }
    }
}
