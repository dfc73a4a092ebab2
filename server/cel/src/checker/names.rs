//! Names that every environment declares: types as values, and protobuf's well-known messages.

use crate::env::Environment;
use crate::types::{Primitive, Type, TypeName};

/// The declaration of a name that is not a variable.
pub(super) enum GlobalName {
    /// A type as a value.
    Type(Type),
    /// The constant of an enumeration.
    Constant(i64),
}

pub(super) fn global(name: &str, env: Environment) -> Option<GlobalName> {
    if name == "google.protobuf.NullValue.NULL_VALUE" {
        return Some(GlobalName::Constant(0));
    }
    named_type(name, env).map(GlobalName::Type)
}

/// The type of that name, in positions where a type name is allowed.
pub(super) fn named_type(name: &str, env: Environment) -> Option<Type> {
    Some(match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "string" => Type::String,
        "duration" => Type::Duration,
        "timestamp" => Type::Timestamp,
        "null_type" => Type::Null,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "type" => Type::Type(None),
        "optional_type" if env.has_since(28) => Type::optional(Type::Dyn),
        "net.IP" if env.has_since(30) => Type::IP,
        "net.CIDR" if env.has_since(30) => Type::CIDR,
        _ => return message(name.strip_prefix("google.protobuf.")?),
    })
}

fn message(name: &str) -> Option<Type> {
    Some(match name {
        "Any" => Type::Any,
        "Duration" => Type::Duration,
        "Timestamp" => Type::Timestamp,
        "Value" => Type::Dyn,
        "ListValue" => Type::list(Type::Dyn),
        "Struct" => Type::map(Type::String, Type::Dyn),
        "BoolValue" => Type::Wrapper(Primitive::Bool),
        "BytesValue" => Type::Wrapper(Primitive::Bytes),
        "DoubleValue" | "FloatValue" => Type::Wrapper(Primitive::Double),
        "Int32Value" | "Int64Value" => Type::Wrapper(Primitive::Int),
        "UInt32Value" | "UInt64Value" => Type::Wrapper(Primitive::Uint),
        "StringValue" => Type::Wrapper(Primitive::String),
        "Empty" => Type::Object(TypeName::Static("google.protobuf.Empty")),
        "Struct.FieldsEntry" => Type::Object(TypeName::Static("google.protobuf.Struct.FieldsEntry")),
        _ => return None,
    })
}

/// The name of the message that a literal of that type creates; `None` if the type is not a message.
pub(super) fn message_name(of: &Type) -> Option<&str> {
    Some(match of {
        Type::Any => "google.protobuf.Any",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::Duration => "google.protobuf.Duration",
        Type::Dyn => "google.protobuf.Value",
        Type::Null => "google.protobuf.NullValue",
        Type::Wrapper(Primitive::Bool) => "google.protobuf.BoolValue",
        Type::Wrapper(Primitive::Bytes) => "google.protobuf.BytesValue",
        Type::Wrapper(Primitive::Double) => "google.protobuf.DoubleValue",
        Type::Wrapper(Primitive::Int) => "google.protobuf.Int64Value",
        Type::Wrapper(Primitive::Uint) => "google.protobuf.UInt64Value",
        Type::Wrapper(Primitive::String) => "google.protobuf.StringValue",
        Type::List(element) if **element == Type::Dyn => "google.protobuf.ListValue",
        Type::Map(entry) if **entry == (Type::String, Type::Dyn) => "google.protobuf.Struct",
        Type::Object(name) => name,
        _ => return None,
    })
}

/// Whether a well-known protobuf message has that name.
pub(super) fn is_message(name: &str) -> bool {
    name.strip_prefix("google.protobuf.").and_then(message).is_some()
}

/// The field of a well-known message.
pub(super) fn message_field(message: &str, field: &str) -> Option<Type> {
    let structure = || Type::map(Type::String, Type::Dyn);
    Some(match (message.strip_prefix("google.protobuf.")?, field) {
        ("Any", "type_url") => Type::String,
        ("Any", "value") => Type::Bytes,
        ("Timestamp" | "Duration", "seconds" | "nanos") => Type::Int,
        ("Value", "null_value") => Type::Int,
        ("Value", "bool_value") => Type::Bool,
        ("Value", "number_value") => Type::Double,
        ("Value", "string_value") => Type::String,
        ("Value", "struct_value") => structure(),
        ("Value", "list_value") => Type::list(Type::Dyn),
        ("Struct", "fields") => structure(),
        ("Struct.FieldsEntry", "key") => Type::String,
        ("Struct.FieldsEntry", "value") => Type::Dyn,
        ("ListValue", "values") => Type::list(Type::Dyn),
        (wrapper, "value") => match self::message(wrapper)? {
            Type::Wrapper(of) => of.unwrapped(),
            _ => return None,
        },
        _ => return None,
    })
}
