//! Which values kube-apiserver's decoder refuses: it reads JSON into Go types, and one wrong type fails the object.

use crate::reading::is_byte;
use crate::reading::whole;
use api::{FieldType, JSON_SCHEMA_PROPS, KubernetesVersion, ObjectType};
use yaml::scalar::Resolved;
use yaml::{Reader, Scalar, Value, ValueKind};

use crate::reading::Budget;
use crate::reading::is_action;
use crate::reading::{is_merge, is_null, is_plain, is_unreadable, members};
use crate::schema::Flags;

/// Decodes values without keeping them.
pub(crate) struct Decoder<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) budget: &'c mut Budget,
    /// The server that decodes.
    pub(crate) server: KubernetesVersion,
}

impl<'t> Decoder<'_, 't> {
    /// Whether `value` decodes as `ty`. Schemas are left to their own walk: any mapping passes for one.
    pub(crate) fn decode(&mut self, value: Value<'t>, ty: FieldType) -> Flags {
        let Some(value) = self.reader.follow(value) else { return Flags::UNDECODABLE };
        if matches!(ty, FieldType::Json) {
            return self.json(value);
        }
        if is_null(value) {
            return Flags::NONE;
        }
        if !self.budget.enter() {
            return Flags::UNDECODABLE;
        }
        let flags = match ty {
            FieldType::Object(object) => self.object(value, object),
            FieldType::List(item) => self.list(value, *item),
            FieldType::Map(member) => self.map(value, *member),
            FieldType::SchemaOrBool => schema_or_bool(value),
            FieldType::Bytes if value.as_sequence().is_some() => self.bytes(value),
            FieldType::SchemaOrArray | FieldType::SchemaOrStringArray => Flags::NONE,
            _ => match value.as_scalar() {
                // Quoted and block scalars are strings, unless a tag says otherwise.
                Some(scalar)
                    if matches!(ty, FieldType::String) && !is_plain(scalar) && value.tag().is_none() =>
                {
                    if scalar.is_broken() {
                        Flags::UNDECODABLE
                    } else {
                        Flags::NONE
                    }
                }
                Some(scalar) => decode_scalar(scalar, ty),
                None => refuse(value),
            },
        };
        self.budget.leave();
        flags
    }

    fn object(&mut self, value: Value<'t>, object: &'static ObjectType) -> Flags {
        let Some(mapping) = value.as_mapping() else { return refuse(value) };
        if std::ptr::eq(object, &raw const JSON_SCHEMA_PROPS) {
            return Flags::NONE;
        }
        let members = members(mapping, self.reader);
        let mut flags = if members.unreadable { refuse(value) } else { Flags::NONE };
        self.budget.spend(members.entries.len());
        for (key, entry) in members.entries {
            let field = object.field(&key).filter(|field| field.is_known_to(self.server));
            if field.is_none_or(|field| field.dropped_until(self.server).is_some()) {
                flags |= Flags::UNKNOWN_FIELDS;
            }
            let ty = field.map_or(FieldType::Json, |field| field.ty);
            flags |= self.decode(entry.value(), ty);
        }
        flags
    }

    fn map(&mut self, value: Value<'t>, member: FieldType) -> Flags {
        let Some(mapping) = value.as_mapping() else { return refuse(value) };
        let members = members(mapping, self.reader);
        let mut flags = if members.unreadable { refuse(value) } else { Flags::NONE };
        self.budget.spend(members.entries.len());
        for (_, entry) in members.entries {
            flags |= self.decode(entry.value(), member);
        }
        flags
    }

    fn list(&mut self, value: Value<'t>, item: FieldType) -> Flags {
        let Some(sequence) = value.as_sequence() else { return refuse(value) };
        let mut flags = Flags::NONE;
        for element in sequence.items() {
            flags |= self.decode(element.value(), item);
        }
        flags
    }

    /// A list of numbers is as good as base64 to Go's decoder.
    fn bytes(&mut self, value: Value<'t>) -> Flags {
        let mut flags = Flags::NONE;
        for item in value.as_sequence().into_iter().flat_map(yaml::Sequence::items) {
            flags |= match self.reader.follow(item.value()) {
                Some(value) if is_null(value) || is_byte(value) => Flags::NONE,
                Some(value) => refuse(value),
                None => Flags::UNDECODABLE,
            };
        }
        flags
    }

    /// Whether `value` can be said in JSON at all: no infinities, no keys but scalars, no alias bombs.
    fn json(&mut self, value: Value<'t>) -> Flags {
        let Some(value) = self.reader.follow(value) else { return Flags::UNDECODABLE };
        if !self.budget.enter() {
            return Flags::UNDECODABLE;
        }
        let mut flags = Flags::NONE;
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                for entry in mapping.entries() {
                    if is_unreadable(entry) && !is_merge(entry) {
                        flags |= refuse(value);
                    }
                    flags |= self.json(entry.value());
                }
            }
            ValueKind::Sequence(sequence) => {
                for item in sequence.items() {
                    flags |= self.json(item.value());
                }
            }
            ValueKind::Scalar(scalar) if scalar.is_broken() || scalar.resolve().is_err() => {
                flags |= Flags::UNDECODABLE
            }
            ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => {}
        }
        self.budget.leave();
        flags
    }
}

/// The decoder refuses `value`; perhaps because a template was still to be filled in.
pub(crate) fn refuse(value: Value<'_>) -> Flags {
    match value.node() {
        Some(node) if is_action(node) => Flags::UNDECODABLE | Flags::TEMPLATE,
        _ => Flags::UNDECODABLE,
    }
}

/// `JSONSchemaPropsOrBool`: anything but a mapping or a boolean fails with `boolean or JSON schema expected`.
fn schema_or_bool(value: Value<'_>) -> Flags {
    match value.kind() {
        ValueKind::Mapping(_) => Flags::NONE,
        ValueKind::Scalar(scalar) if matches!(scalar.resolve(), Ok(Resolved::Bool(_))) => Flags::NONE,
        _ => refuse(value),
    }
}

fn decode_scalar(scalar: Scalar<'_>, ty: FieldType) -> Flags {
    if scalar.is_broken() {
        return Flags::UNDECODABLE;
    }
    if matches!(ty, FieldType::String) && scalar.is_string() {
        return Flags::NONE;
    }
    let Ok(resolved) = scalar.resolve() else { return Flags::UNDECODABLE };
    let fits = match (ty, &resolved) {
        (FieldType::Bool, Resolved::Bool(_)) => true,
        (FieldType::Bytes, Resolved::String(text)) => is_base64(text),
        (FieldType::Time, Resolved::String(text)) => is_rfc3339(text),
        (FieldType::Float64, Resolved::Int(_) | Resolved::Uint(_) | Resolved::Float(_)) => true,
        (FieldType::Int64, number) => whole(number).is_some(),
        (FieldType::Int32, number) => whole(number).is_some_and(|number| i32::try_from(number).is_ok()),
        _ => false,
    };
    if fits { Flags::NONE } else { Flags::UNDECODABLE }
}

/// Base64 as Go reads it: padded, line breaks allowed.
fn is_base64(text: &str) -> bool {
    let bytes: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let padding = bytes.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = bytes.get(..bytes.len() - padding).unwrap_or_default();
    bytes.len().is_multiple_of(4)
        && padding <= 2
        && digits.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// `2006-01-02T15:04:05Z`, with fractions of a second or an offset if need be.
fn is_rfc3339(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let Some((head, tail)) = text.as_bytes().split_at_checked(SHAPE.len()) else { return false };
    let shaped = head.iter().zip(SHAPE).all(|(byte, shape)| match shape {
        b'0' => byte.is_ascii_digit(),
        _ => byte == shape,
    });
    let number =
        |at: usize| text.get(at..at + 2).and_then(|digits| digits.parse::<u8>().ok()).unwrap_or(u8::MAX);
    let in_range = (1..=12).contains(&number(5))
        && (1..=31).contains(&number(8))
        && number(11) < 24
        && number(14) < 60
        && number(17) < 60;
    shaped && in_range && is_zone(tail)
}

fn is_zone(tail: &[u8]) -> bool {
    let tail = match tail.split_first() {
        Some((b'.' | b',', rest)) => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            rest.get(digits..).unwrap_or_default()
        }
        _ => tail,
    };
    match tail {
        b"Z" => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
