//! What a schema guarantees about the values that an expression reads.

use cel::possible::{KnownValue, Text, Value, ValueStep};

use crate::cel::SchemaNode;
use crate::schema::structural::Structural;
use crate::value::Kind;

/// The known facts about the value that `path` leads to from `node`.
pub(crate) fn facts_at(node: SchemaNode<'_>, path: &[ValueStep]) -> KnownValue {
    let mut at = node;
    let mut is_present = true;
    for step in path {
        let below = match step {
            ValueStep::Field(name) => {
                is_present = at.of.field(name).is_some_and(|field| field.required || field.has_default);
                at.field(name)
            }
            ValueStep::Element(_) => {
                is_present = true;
                at.element()
            }
        };
        // Metadata has no schema here; the server validates it.
        let Some(below) = below else { return KnownValue::NOTHING };
        at = below;
    }
    // A rule is not evaluated if its own value is null.
    let may_be_null = at.schema.generic.nullable && !path.is_empty();
    let value = if may_be_null { Value::Any } else { value(at.schema) };
    KnownValue { is_present, value }
}

/// The values that a schema admits. Bounds that exclude each other are a separate finding, so they say nothing about rules.
fn value(schema: &Structural) -> Value {
    match bounded(schema) {
        Value::Int(least, most) if least > most => Value::Any,
        Value::Double(least, most) if least > most => Value::Any,
        Value::Sized(least, most) if least > most => Value::Any,
        value => value,
    }
}

fn bounded(schema: &Structural) -> Value {
    let values = &schema.value_validation;
    let size =
        |size: Option<i64>, otherwise: u64| size.map_or(otherwise, |size| u64::try_from(size).unwrap_or(0));
    if schema.extensions.int_or_string {
        return Value::Any;
    }
    match &*schema.generic.type_name {
        "integer" => {
            let ints: Option<Vec<i64>> = values.enumeration.iter().map(|value| int(&value.kind)).collect();
            match ints.as_deref() {
                Some([first, rest @ ..]) => {
                    let ends = rest.iter().fold((*first, *first), |(a, b), n| (a.min(*n), b.max(*n)));
                    Value::Int(ends.0, ends.1)
                }
                _ => Value::Int(minimum(schema), maximum(schema)),
            }
        }
        "number" => Value::Double(
            values.minimum.unwrap_or(f64::NEG_INFINITY),
            values.maximum.unwrap_or(f64::INFINITY),
        ),
        // Strings with these formats have other types in CEL.
        "string" if !matches!(&*values.format, "byte" | "duration" | "date" | "date-time") => {
            let texts: Option<Vec<Box<str>>> =
                values.enumeration.iter().map(|value| value.as_str().map(Box::from)).collect();
            match texts.filter(|texts| !texts.is_empty()) {
                Some(texts) => Value::Text(Text::of(texts)),
                None => match (size(values.min_length, 0), size(values.max_length, u64::MAX)) {
                    (least, most) if least > most => Value::Any,
                    (least, most) => Value::Text(Text::sized(least, most)),
                },
            }
        }
        "array" => Value::Sized(size(values.min_items, 0), size(values.max_items, u64::MAX)),
        "object" if schema.additional_properties.is_some() && schema.properties.is_empty() => {
            Value::Sized(size(values.min_properties, 0), size(values.max_properties, u64::MAX))
        }
        _ => Value::Any,
    }
}

const fn int(kind: &Kind) -> Option<i64> {
    match kind {
        Kind::Int(value) => Some(*value),
        _ => None,
    }
}

/// The least integer that `minimum` allows.
fn minimum(schema: &Structural) -> i64 {
    let values = &schema.value_validation;
    let Some(minimum) = values.minimum else { return i64::MIN };
    let whole = minimum.ceil();
    let next = if values.exclusive_minimum && whole == minimum { 1 } else { 0 };
    // The conversion saturates.
    (whole as i64).saturating_add(next)
}

/// The greatest integer that `maximum` allows.
fn maximum(schema: &Structural) -> i64 {
    let values = &schema.value_validation;
    let Some(maximum) = values.maximum else { return i64::MAX };
    let whole = maximum.floor();
    let next = if values.exclusive_maximum && whole == maximum { 1 } else { 0 };
    (whole as i64).saturating_sub(next)
}
