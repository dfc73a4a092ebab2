//! Data of a resource, read through its schema without copies.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::list::DataList;
use super::map::DataMap;
use super::{EvalError, List, Map, Outcome, Text, Timestamp, Value};

/// A JSON value as the API server decodes it: integers of 64 bits are ints.
pub trait Json: std::fmt::Debug + Sync {
    /// The kind of the value.
    fn kind(&self) -> JsonKind<'_>;

    /// The element of a list.
    fn item(&self, index: usize) -> Option<&dyn Json>;

    /// The member of an object.
    fn member(&self, key: &str) -> Option<&dyn Json>;

    /// All members of an object, always in the same order.
    fn members(&self) -> Vec<(&str, &dyn Json)>;
}

/// The kind of a JSON value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum JsonKind<'a> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(&'a str),
    /// A list with this number of elements.
    List(usize),
    /// An object with this number of members.
    Map(usize),
}

/// The properties of a schema node that expressions depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataSchema {
    /// `nullable: true` in addition to the rest.
    Nullable(Arc<DataSchema>),
    /// `x-kubernetes-int-or-string`
    IntOrString,
    /// `type: object` with `properties`, by their names in the schema; for an embedded resource, they include
    /// apiVersion, kind and metadata.
    Object(IndexMap<Box<str>, Arc<DataSchema>, FxBuildHasher>),
    /// `type: object` with `additionalProperties`; `None` if the type of the values is unknown.
    Map(Option<Arc<DataSchema>>),
    /// `type: array`; `None` if there is no `items`.
    List(Option<Arc<DataSchema>>, ListType),
    /// `type: string`
    String(StringFormat),
    /// `type: number`
    Number,
    /// `type: integer`
    Integer,
    /// `type: boolean`
    Boolean,
    /// No type, with `x-kubernetes-preserve-unknown-fields`.
    Preserved,
    /// No type.
    Untyped,
}

/// `x-kubernetes-list-type`
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListType {
    /// Elements are identified by their positions.
    Atomic,
    /// Elements are identified by their values.
    Set,
    /// Elements are identified by these keys, which are escaped as in expressions if possible.
    Map(Vec<String>),
}

/// The formats that give a string another type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StringFormat {
    /// Any other format, or none.
    Plain,
    /// `byte`
    Byte,
    /// `duration`
    Duration,
    /// `date`
    Date,
    /// `date-time`
    DateTime,
}

impl DataSchema {
    /// `type: object` with these properties, by their names in the schema.
    #[must_use]
    pub fn object(properties: impl IntoIterator<Item = (Box<str>, Arc<Self>)>) -> Self {
        Self::Object(properties.into_iter().collect())
    }
}

impl<'a> Value<'a> {
    /// The value of `data` in expressions. Data that the schema does not allow gives an error only when the
    /// value is used.
    pub fn of_data(data: &'a dyn Json, schema: &'a DataSchema) -> Outcome<Self> {
        let kind = data.kind();
        let (schema, nullable) = match schema {
            DataSchema::Nullable(inner) => (&**inner, true),
            other => (other, false),
        };
        if kind == JsonKind::Null {
            return match nullable {
                true => Ok(Self::Null),
                false => Err(EvalError::new("invalid data, got null for schema with nullable=false")),
            };
        }
        match (schema, kind) {
            (DataSchema::IntOrString, JsonKind::String(text)) => Ok(Self::String(Text::Borrowed(text))),
            (DataSchema::IntOrString | DataSchema::Integer, JsonKind::Int(number)) => Ok(Self::Int(number)),
            (DataSchema::Number, JsonKind::Int(number)) => Ok(Self::Double(number as f64)),
            (DataSchema::Number, JsonKind::Float(number)) => Ok(Self::Double(number)),
            (DataSchema::Boolean, JsonKind::Bool(value)) => Ok(Self::Bool(value)),
            (DataSchema::String(format), JsonKind::String(text)) => formatted(text, *format),
            (DataSchema::Object(_) | DataSchema::Map(_), JsonKind::Map(_)) => {
                Ok(Self::Map(Map::Data(DataMap { data, schema })))
            }
            (DataSchema::List(Some(_), _), JsonKind::List(_)) => {
                Ok(Self::List(List::Data(DataList { data, schema })))
            }
            (DataSchema::Preserved, _) => Ok(Self::Preserved(data)),
            _ => Err(mismatch(schema, kind)),
        }
    }
}

fn mismatch(schema: &DataSchema, kind: JsonKind<'_>) -> EvalError {
    let found = go_name(kind);
    EvalError::new(match schema {
        DataSchema::IntOrString => {
            "invalid data, expected XIntOrString value to be either a string or integer".to_owned()
        }
        DataSchema::Object(_) | DataSchema::Map(_) => {
            "invalid data, expected a map for the provided schema with type=object".to_owned()
        }
        DataSchema::List(..) if !matches!(kind, JsonKind::List(_)) => {
            "invalid data, expected an array for the provided schema with type=array".to_owned()
        }
        DataSchema::List(..) => "invalid array type, expected Items with a non-empty Schema".to_owned(),
        DataSchema::String(_) => format!("invalid data, expected string, got {found}"),
        DataSchema::Number => format!("invalid data, expected float, got {found}"),
        DataSchema::Integer => format!("invalid data, expected int, got {found}"),
        DataSchema::Boolean => format!("invalid data, expected bool, got {found}"),
        _ => "invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ".to_owned(),
    })
}

/// The Go type that the API server decodes a JSON value to.
fn go_name(kind: JsonKind<'_>) -> &'static str {
    match kind {
        JsonKind::Null => "<nil>",
        JsonKind::Bool(_) => "bool",
        JsonKind::Int(_) => "int64",
        JsonKind::Float(_) => "float64",
        JsonKind::String(_) => "string",
        JsonKind::List(_) => "[]interface {}",
        JsonKind::Map(_) => "map[string]interface {}",
    }
}

/// A string with the type of its format. The error texts after the colon are ours if the API server rejects
/// values that do not match the format before any rule runs.
fn formatted(text: &str, format: StringFormat) -> Outcome<Value<'_>> {
    let wrong = |what: &str| EvalError::new(format!("Invalid {what} {text}: it does not follow its format"));
    match format {
        StringFormat::Plain => Ok(Value::String(Text::Borrowed(text))),
        StringFormat::Byte => {
            // The API server decodes the URL-safe alphabet here, although the format is that of plain base64.
            let bytes = URL_SAFE.decode(text).map_err(|error| {
                let at = match error {
                    base64::DecodeError::InvalidByte(at, _)
                    | base64::DecodeError::InvalidLastSymbol(at, _) => at,
                    _ => text.len(),
                };
                let why = format!("illegal base64 data at input byte {at}");
                EvalError::new(format!("Invalid byte formatted string {text}: {why}"))
            })?;
            Ok(Value::Bytes(bytes.into()))
        }
        StringFormat::Duration => {
            super::time::parse_format_duration(text).map(Value::Duration).ok_or_else(|| wrong("duration"))
        }
        StringFormat::Date => {
            let time = Timestamp::parse_date(text);
            time.map(Value::Timestamp).ok_or_else(|| wrong("date formatted string"))
        }
        StringFormat::DateTime => {
            let time = Timestamp::parse_format(text);
            time.map(Value::Timestamp).ok_or_else(|| {
                let why = Timestamp::format_error(text);
                EvalError::new(format!("Invalid date-time formatted string {text}: {why}"))
            })
        }
    }
}

/// Whether two JSON values are equal by `equality.Semantic.DeepEqual`: ints and floats differ.
pub(super) fn deep_equal(bound: &super::Bound, a: &dyn Json, b: &dyn Json) -> Outcome<bool> {
    bound.work(1)?;
    match (a.kind(), b.kind()) {
        (JsonKind::List(len), JsonKind::List(other)) if len == other => bound.deeper(|| {
            for index in 0..len {
                match (a.item(index), b.item(index)) {
                    (Some(a), Some(b)) if deep_equal(bound, a, b)? => {}
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }),
        (JsonKind::Map(len), JsonKind::Map(other)) if len == other => bound.deeper(|| {
            for (key, value) in a.members() {
                match b.member(key) {
                    Some(other) if deep_equal(bound, value, other)? => {}
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }),
        (a, b) => Ok(a == b),
    }
}
