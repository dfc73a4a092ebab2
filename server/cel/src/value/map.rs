//! Maps: made by expressions, or objects of the data.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Cidr, DataSchema, EvalError, Json, JsonKind, Outcome, Text, Timestamp, Value};
use crate::declarations::{escape, unescape};

/// A map under construction.
pub(crate) type MapBuilder<'a> = IndexMap<Key<'a>, Value<'a>, FxBuildHasher>;

/// A map.
#[derive(Clone, Debug)]
pub enum Map<'a> {
    /// Entries in the order of their creation. cel-go has no order.
    Values(Arc<IndexMap<Key<'a>, Value<'a>, FxBuildHasher>>),
    /// An object of the data.
    Data(DataMap<'a>),
}

/// An object of the data.
#[derive(Clone, Copy, Debug)]
pub struct DataMap<'a> {
    pub(super) data: &'a dyn Json,
    pub(super) schema: &'a DataSchema,
}

/// The key of a map. Numbers of different types are different keys.
#[derive(Clone, Debug)]
pub enum Key<'a> {
    /// `null`
    Null,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A uint.
    Uint(u64),
    /// A double.
    Double(f64),
    /// A string.
    Text(Text<'a>),
    /// A duration.
    Duration(i64),
    /// A point in time.
    Timestamp(Timestamp),
    /// An address range.
    Cidr(Cidr),
    /// Any other value; equal only to itself.
    Other(Arc<Value<'a>>),
}

impl<'a> Key<'a> {
    /// The key of a value.
    pub(crate) fn of(value: &Value<'a>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Int(number) => Self::Int(*number),
            Value::Uint(number) => Self::Uint(*number),
            Value::Double(number) => Self::Double(*number),
            Value::String(text) => Self::Text(text.clone()),
            Value::Type(name) => Self::Text(name.clone()),
            Value::Duration(nanos) => Self::Duration(*nanos),
            Value::Timestamp(time) => Self::Timestamp(*time),
            Value::Cidr(cidr) => Self::Cidr(*cidr),
            other => Self::Other(Arc::new(other.clone())),
        }
    }

    /// The value of the key.
    #[must_use]
    pub fn value(&self) -> Value<'a> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(number) => Value::Int(*number),
            Self::Uint(number) => Value::Uint(*number),
            Self::Double(number) => Value::Double(*number),
            Self::Text(text) => Value::String(text.clone()),
            Self::Duration(nanos) => Value::Duration(*nanos),
            Self::Timestamp(time) => Value::Timestamp(*time),
            Self::Cidr(cidr) => Value::Cidr(*cidr),
            Self::Other(value) => (**value).clone(),
        }
    }

    /// The same number as keys of other types, which cel-go looks up after the key itself.
    pub(crate) fn across(&self) -> [Option<Self>; 2] {
        match self {
            Self::Int(number) => [u64::try_from(*number).ok().map(Self::Uint), None],
            Self::Uint(number) => [i64::try_from(*number).ok().map(Self::Int), None],
            Self::Double(number) => {
                let int = *number as i64;
                let uint = *number as u64;
                let is_int = int as f64 == *number && int != i64::MAX && int != i64::MIN;
                let is_uint = uint as f64 == *number && *number < 18_446_744_073_709_551_616.0;
                [is_int.then_some(Self::Int(int)), is_uint.then_some(Self::Uint(uint))]
            }
            _ => [None, None],
        }
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) | (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::Uint(a), Self::Uint(b)) => a == b,
            (Self::Double(a), Self::Double(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => **a == **b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a.instant() == b.instant() && a.offset == b.offset,
            (Self::Cidr(a), Self::Cidr(b)) => a == b,
            (Self::Other(a), Self::Other(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// NaN does not equal itself, so a lookup of NaN finds nothing, as in Go.
impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null | Self::Other(_) => 0.hash(state),
            Self::Bool(value) => value.hash(state),
            Self::Int(number) | Self::Duration(number) => number.hash(state),
            Self::Uint(number) => number.hash(state),
            Self::Double(number) => (*number + 0.0).to_bits().hash(state),
            Self::Text(text) => (**text).hash(state),
            Self::Timestamp(time) => time.instant().hash(state),
            Self::Cidr(cidr) => cidr.hash(state),
        }
    }
}

impl<'a> DataMap<'a> {
    /// Whether its schema has properties, so that its keys are escaped.
    const fn is_object(self) -> bool {
        matches!(self.schema, DataSchema::Object(_))
    }

    /// The schema of a member, by its name in the data.
    pub(super) fn schema_of(self, name: &str) -> Option<&'a DataSchema> {
        match self.schema {
            DataSchema::Object(properties) => properties.get(name).map(|property| &**property),
            DataSchema::Map(values) => values.as_deref(),
            _ => None,
        }
    }

    pub(super) fn find(self, key: &str) -> Option<Outcome<Value<'a>>> {
        let name = match self.is_object() && key.contains("__") {
            true => Cow::Owned(unescape(key)?),
            false => Cow::Borrowed(key),
        };
        self.member(&name)
    }

    /// A member by its name in the data.
    pub(crate) fn member(self, name: &str) -> Option<Outcome<Value<'a>>> {
        let value = self.data.member(name)?;
        // In an object, null counts as absent.
        if self.is_object() && value.kind() == JsonKind::Null {
            return None;
        }
        Some(Value::of_data(value, self.schema_of(name)?))
    }
}

impl<'a> Map<'a> {
    pub(crate) fn of(entries: MapBuilder<'a>) -> Self {
        Self::Values(Arc::new(entries))
    }

    /// A map of keys and values; the last of several equal keys counts.
    #[must_use]
    pub fn of_values(entries: impl IntoIterator<Item = (Value<'a>, Value<'a>)>) -> Self {
        Self::of(entries.into_iter().map(|(key, value)| (Key::of(&key), value)).collect())
    }

    /// The number of entries; for an object of the data, the number of all its members.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Values(entries) => entries.len(),
            Self::Data(map) => match map.data.kind() {
                JsonKind::Map(len) => len,
                _ => 0,
            },
        }
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is an object of the data.
    #[must_use]
    pub const fn is_data(&self) -> bool {
        matches!(self, Self::Data(_))
    }

    /// The value of a key; `None` if there is no such key.
    #[must_use]
    pub fn find(&self, key: &Value<'a>) -> Option<Outcome<Value<'a>>> {
        match self {
            Self::Data(map) => match key {
                Value::String(name) => map.find(name),
                _ => Some(Err(EvalError::NoSuchOverload)),
            },
            Self::Values(entries) if entries.is_empty() => None,
            Self::Values(entries) => {
                if let Value::Bytes(_) = key {
                    return Some(Err(UNHASHABLE));
                }
                let key = Key::of(key);
                if let Some(value) = entries.get(&key) {
                    return Some(Ok(value.clone()));
                }
                let across = key.across();
                across.iter().flatten().find_map(|key| entries.get(key)).cloned().map(Ok)
            }
        }
    }

    /// All keys with their values, as in a loop: for data, only those that the schema knows.
    #[must_use]
    pub fn entries(&self) -> Vec<(Value<'a>, Outcome<Value<'a>>)> {
        match self {
            Self::Values(entries) => {
                entries.iter().map(|(key, value)| (key.value(), Ok(value.clone()))).collect()
            }
            Self::Data(map) => {
                let name = |name: &'a str| match map.is_object() {
                    true => escape(name).map_or(Text::Borrowed(name), Text::from),
                    false => Text::Borrowed(name),
                };
                let members = map.data.members().into_iter();
                members
                    .filter_map(|(key, value)| {
                        let value = Value::of_data(value, map.schema_of(key)?);
                        Some((Value::String(name(key)), value))
                    })
                    .collect()
            }
        }
    }
}

/// Go's error if bytes are the key of a map.
pub(crate) const UNHASHABLE: EvalError =
    EvalError::Panic("runtime error: hash of unhashable type types.Bytes");
