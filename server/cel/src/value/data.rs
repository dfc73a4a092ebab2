//! Data of a resource, read through its schema without being copied.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::list::DataList;
use super::map::DataMap;
use super::{EvalError, List, Map, Outcome, Text, Timestamp, Value};

/// A JSON value, as the API server decodes it: whole numbers of 64 bits are ints.
pub trait Json: std::fmt::Debug + Sync {
    /// What it is.
    fn kind(&self) -> JsonKind<'_>;

    /// The element of a list.
    fn item(&self, index: usize) -> Option<&dyn Json>;

    /// The member of an object.
    fn member(&self, key: &str) -> Option<&dyn Json>;

    /// All members of an object, in an order that is always the same.
    fn members(&self) -> Vec<(&str, &dyn Json)>;
}

/// What a JSON value is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum JsonKind<'a> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number of 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    String(&'a str),
    /// A list of so many elements.
    List(usize),
    /// An object of so many members.
    Map(usize),
}

/// What a schema says of the values of a node, as far as expressions see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataSchema {
    /// `nullable: true` on top of the rest.
    Nullable(Arc<DataSchema>),
    /// `x-kubernetes-int-or-string`
    IntOrString,
    /// `type: object` with `properties`, by their names in the schema; that of an embedded resource has apiVersion,
    /// kind and metadata in them.
    Object(IndexMap<Box<str>, Arc<DataSchema>, FxBuildHasher>),
    /// `type: object` with `additionalProperties`; none where nothing says what the values are.
    Map(Option<Arc<DataSchema>>),
    /// `type: array`; none where there is no `items`.
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
    /// Elements are told apart by their places.
    Atomic,
    /// Elements are told apart by their values.
    Set,
    /// Elements are told apart by these keys, which are escaped as in expressions where they can be.
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
    /// What an expression sees of `data`. Data that the schema does not allow gives an error, which is met only when
    /// the value is used.
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

/// A string with the type that its format gives it. The texts of errors are ours behind the colon where values that
/// fail the format are refused before any rule runs.
fn formatted(text: &str, format: StringFormat) -> Outcome<Value<'_>> {
    let wrong = |what: &str| EvalError::new(format!("Invalid {what} {text}: it does not follow its format"));
    match format {
        StringFormat::Plain => Ok(Value::String(Text::Borrowed(text))),
        StringFormat::Byte => {
            // The API server reads the alphabet of URLs here, though its format is that of plain base64.
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

/// Whether two JSON values are equal as `equality.Semantic.DeepEqual` has it: ints and floats differ.
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
