//! The types of CEL, as in cel-go's checker.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A type that is known only at run time.
    Dyn,
    /// `google.protobuf.Any`
    Any,
    /// The type of an invalid expression, which is assignable to and from every type.
    Error,
    /// The type of `null`.
    Null,
    /// `bool`
    Bool,
    /// `int`, 64 bits
    Int,
    /// `uint`, 64 bits
    Uint,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `timestamp`
    Timestamp,
    /// `duration`
    Duration,
    /// A primitive that may be null, such as `google.protobuf.Int64Value`.
    Wrapper(Primitive),
    /// `list(T)`
    List(Arc<Type>),
    /// `map(K, V)`
    Map(Arc<(Type, Type)>),
    /// `optional_type(T)`
    Optional(Arc<Type>),
    /// `type(T)`; `None` for the type of types itself.
    Type(Option<Arc<Type>>),
    /// A type with neither fields nor parameters: `net.IP`, `net.CIDR`.
    Opaque(&'static str),
    /// A type with fields, by its name: a type of a schema, `kubernetes.URL`, or a protobuf message.
    Object(TypeName),
    /// A type parameter: 0 … 25 are `A` … `Z` of a declaration, others are variables of the checker.
    Param(u32),
}

/// The primitives that have wrappers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
}

impl Primitive {
    /// The primitive itself, which is never null.
    #[must_use]
    pub const fn unwrapped(self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Int => Type::Int,
            Self::Uint => Type::Uint,
            Self::Double => Type::Double,
            Self::String => Type::String,
            Self::Bytes => Type::Bytes,
        }
    }
}

/// The name of an object type.
#[derive(Clone)]
pub enum TypeName {
    /// A type of a library.
    Static(&'static str),
    /// A type of a schema.
    Shared(Arc<str>),
}

impl Deref for TypeName {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Static(name) => name,
            Self::Shared(name) => name,
        }
    }
}

impl PartialEq for TypeName {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shared(a), Self::Shared(b)) if Arc::ptr_eq(a, b) => true,
            _ => **self == **other,
        }
    }
}

impl Eq for TypeName {}

impl std::hash::Hash for TypeName {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// The name and its hash equal those of the text, so tables of names can be searched by text.
impl std::borrow::Borrow<str> for TypeName {
    fn borrow(&self) -> &str {
        self
    }
}

impl fmt::Debug for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<&str> for TypeName {
    fn from(name: &str) -> Self {
        Self::Shared(name.into())
    }
}

/// The number of letters for parameters of declarations; greater numbers in [`Type::Param`] are variables.
pub(crate) const DECLARED_PARAMS: u32 = 26;

impl Type {
    /// `kubernetes.URL`
    pub const URL: Self = Self::Object(TypeName::Static("kubernetes.URL"));
    /// `kubernetes.Quantity`
    pub const QUANTITY: Self = Self::Object(TypeName::Static("kubernetes.Quantity"));
    /// `kubernetes.NamedFormat`
    pub const NAMED_FORMAT: Self = Self::Object(TypeName::Static("kubernetes.NamedFormat"));
    /// `kubernetes.Semver`
    pub const SEMVER: Self = Self::Object(TypeName::Static("kubernetes.Semver"));
    /// `net.IP`
    pub const IP: Self = Self::Opaque("net.IP");
    /// `net.CIDR`
    pub const CIDR: Self = Self::Opaque("net.CIDR");

    /// `list(element)`
    #[must_use]
    pub fn list(element: Self) -> Self {
        Self::List(Arc::new(element))
    }

    /// `map(key, value)`
    #[must_use]
    pub fn map(key: Self, value: Self) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    /// `optional_type(of)`
    #[must_use]
    pub fn optional(of: Self) -> Self {
        Self::Optional(Arc::new(of))
    }

    /// `type(of)`
    #[must_use]
    pub fn type_of(of: Self) -> Self {
        Self::Type(Some(Arc::new(of)))
    }

    /// The object type of that name.
    #[must_use]
    pub fn object(name: &str) -> Self {
        Self::Object(name.into())
    }

    /// Whether it is `dyn` or `any`.
    #[must_use]
    pub const fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any)
    }

    /// Whether it is `dyn`, `any` or the type of an invalid expression.
    #[must_use]
    pub const fn is_dyn_or_error(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any | Self::Error)
    }

    /// The element of a list, the key of a map.
    #[must_use]
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::List(element) => Some(element),
            Self::Map(entry) => Some(&entry.0),
            _ => None,
        }
    }

    /// The name as printed by `string(type(x))` and the API server's tools: `google.protobuf.Duration`,
    /// `null_type`.
    #[must_use]
    pub fn runtime_name(&self) -> String {
        match self {
            Self::Null => "null_type".to_owned(),
            Self::Timestamp => "google.protobuf.Timestamp".to_owned(),
            Self::Duration => "google.protobuf.Duration".to_owned(),
            Self::Any => "google.protobuf.Any".to_owned(),
            Self::List(element) => format!("list({})", element.runtime_name()),
            Self::Map(entry) => format!("map({}, {})", entry.0.runtime_name(), entry.1.runtime_name()),
            Self::Optional(of) => format!("optional_type({})", of.runtime_name()),
            Self::Type(Some(of)) => format!("type({})", of.runtime_name()),
            other => other.to_string(),
        }
    }

    /// The type of an optional's value, and whether it is an optional; other types are returned unchanged.
    #[must_use]
    pub fn unwrap_optional(&self) -> (&Self, bool) {
        match self {
            Self::Optional(of) => (of, true),
            other => (other, false),
        }
    }
}

/// The format of types in cel-go's messages.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn => f.write_str("dyn"),
            Self::Any => f.write_str("any"),
            Self::Error => f.write_str("!error!"),
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Uint => f.write_str("uint"),
            Self::Double => f.write_str("double"),
            Self::String => f.write_str("string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::Duration => f.write_str("duration"),
            Self::Wrapper(of) => write!(f, "wrapper({})", of.unwrapped()),
            Self::List(element) => write!(f, "list({element})"),
            Self::Map(entry) => write!(f, "map({}, {})", entry.0, entry.1),
            Self::Optional(of) => write!(f, "optional_type({of})"),
            Self::Type(None) => f.write_str("type"),
            Self::Type(Some(of)) => write!(f, "type({of})"),
            Self::Opaque(name) => f.write_str(name),
            Self::Object(name) => f.write_str(name),
            Self::Param(number) => match u8::try_from(*number) {
                Ok(letter) if u32::from(letter) < DECLARED_PARAMS => {
                    write!(f, "{}", char::from(b'A' + letter))
                }
                _ => write!(f, "_var{}", number - DECLARED_PARAMS),
            },
        }
    }
}

/// Provides the object types that an expression may use.
pub trait TypeProvider {
    /// Whether there is an object type of that name.
    fn has_object(&self, name: &str) -> bool;

    /// The type of a field, by its name in expressions.
    fn field_type(&self, object: &str, field: &str) -> Option<Type>;

    /// The fields of an object type by their names in expressions, for completion and for suggestions.
    fn field_names(&self, object: &str) -> Vec<String>;
}
