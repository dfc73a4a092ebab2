//! The values of expressions, as in cel-go and the libraries of kube-apiserver.

mod accepted_texts;
mod bound;
mod compare;
mod data;
pub(crate) mod equal;
mod error;
mod go_text;
mod ip;
mod list;
mod map;
mod named_format;
mod quantity;
mod quantity_text;
mod semver;
mod time;
mod url;
mod url_parse;

use std::net::IpAddr;
use std::sync::Arc;

pub use accepted_texts::accepts;
pub(crate) use bound::Bound;
pub use data::{DataSchema, Json, JsonKind, ListType, StringFormat};
pub use error::EvalError;
pub(crate) use go_text::{display, double_g, quote, quote_bytes};
pub use ip::Cidr;
pub(crate) use ip::parse_ip;
pub use list::List;
pub use map::{Key, Map};
pub(crate) use map::{MapBuilder, UNHASHABLE};
pub use named_format::NamedFormat;
pub(crate) use named_format::find_format;
pub use quantity::Quantity;
pub use semver::Semver;
pub use time::Timestamp;
pub(crate) use time::{NANOS, duration_text, parse_duration};
pub use url::Url;

use crate::types::Type;

/// The result of a computation.
pub type Outcome<T> = Result<T, EvalError>;

/// Text from the data or the program, or created by an expression.
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// Text of the data or of the program.
    Borrowed(&'a str),
    /// Text created by an expression.
    Shared(Arc<str>),
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self::Shared(text.into())
    }
}

/// A value. Its contents are shared, so a clone is cheap.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `uint`
    Uint(u64),
    /// `double`
    Double(f64),
    /// `string`
    String(Text<'a>),
    /// `bytes`
    Bytes(Arc<[u8]>),
    /// `duration`, in nanoseconds
    Duration(i64),
    /// `timestamp`
    Timestamp(Timestamp),
    /// `list`
    List(List<'a>),
    /// `map`, and objects
    Map(Map<'a>),
    /// A type, by its name without parameters.
    Type(Text<'a>),
    /// `optional_type`
    Optional(Option<Arc<Value<'a>>>),
    /// `kubernetes.URL`
    Url(Arc<Url>),
    /// `net.IP`
    Ip(IpAddr),
    /// `net.CIDR`
    Cidr(Cidr),
    /// `kubernetes.Quantity`
    Quantity(Arc<Quantity>),
    /// `kubernetes.NamedFormat`
    Format(&'static NamedFormat),
    /// `kubernetes.Semver`
    Semver(Arc<Semver>),
    /// Data without a type, kept by `x-kubernetes-preserve-unknown-fields`; it can only be compared.
    Preserved(&'a dyn Json),
}

impl<'a> Value<'a> {
    /// The value for people; long lists and maps are shortened.
    #[must_use]
    pub fn display_text(&self) -> String {
        match self {
            Self::String(text) => quote(text),
            other => display(other),
        }
    }

    /// A string that an expression created.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::String(Text::from(text.into()))
    }

    /// A list of values.
    #[must_use]
    pub fn list(elements: Vec<Self>) -> Self {
        Self::List(List::of(elements))
    }

    /// An optional that holds `value`.
    #[must_use]
    pub fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The name of the type in messages.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
            Self::Url(_) => "kubernetes.URL",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Format(_) => "kubernetes.NamedFormat",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Preserved(_) => "unknown",
        }
    }

    /// The name of the Go type that implements the value, for the only message that shows it.
    pub(crate) fn go_type(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Duration(_) => "types.Duration",
            Self::Timestamp(_) => "types.Timestamp",
            Self::List(_) => "*types.baseList",
            Self::Map(_) => "*types.baseMap",
            Self::Type(_) => "*types.Type",
            Self::Optional(_) => "*types.Optional",
            Self::Url(_) => "cel.URL",
            Self::Ip(_) => "cel.IP",
            Self::Cidr(_) => "cel.CIDR",
            Self::Quantity(_) => "cel.Quantity",
            Self::Format(_) => "cel.Format",
            Self::Semver(_) => "cel.Semver",
            Self::Preserved(_) => "*common.unknownPreserved",
        }
    }

    /// The size for costs: characters of a string, bytes, elements; 1 for a value without a size.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::Optional(Some(value)) => value.size(),
            Self::Ip(address) => ip::address_bytes(*address),
            Self::Cidr(cidr) => cidr.size(),
            other => other.sizer().unwrap_or(1),
        }
    }

    /// The result of `size()`; `None` for values without a size.
    #[must_use]
    pub fn sizer(&self) -> Option<u64> {
        match self {
            Self::String(text) => Some(characters(text)),
            Self::Bytes(bytes) => Some(bytes.len() as u64),
            Self::List(list) => Some(list.len() as u64),
            Self::Map(map) => Some(map.len() as u64),
            _ => None,
        }
    }

    /// Whether `optional.ofNonZeroValue` treats the value as empty.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(value) => !value,
            Self::Int(value) => *value == 0,
            Self::Uint(value) => *value == 0,
            Self::Double(value) => *value == 0.0,
            Self::String(text) => text.is_empty(),
            Self::Bytes(bytes) => bytes.is_empty(),
            Self::Duration(value) => *value == 0,
            Self::Timestamp(time) => time.is_zero(),
            Self::List(list) => !list.is_data() && list.is_empty(),
            Self::Map(map) => !map.is_data() && map.is_empty(),
            _ => false,
        }
    }
}

/// The number of characters of a text.
pub(crate) fn characters(text: &str) -> u64 {
    if text.is_ascii() { text.len() as u64 } else { text.chars().count() as u64 }
}

/// The name of a type without its parameters, as in type values.
#[must_use]
pub fn type_name(of: &Type) -> Text<'static> {
    Text::Borrowed(match of {
        Type::List(_) => "list",
        Type::Map(_) => "map",
        Type::Optional(_) => "optional_type",
        Type::Type(_) => "type",
        Type::Null => "null_type",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Duration => "google.protobuf.Duration",
        other => return Text::from(other.to_string()),
    })
}
