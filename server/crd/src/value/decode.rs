//! Decodes YAML values as the server does, with their places.

use text::TextSize;
use yaml::scalar::{ResolveError, ResolvedScalar};
use yaml::{Reader, ValueKind};

use crate::reading::Budget;
use crate::reading::members;
use crate::value::{Kind, Map, Member, Place, Value, number};

/// Reads values of one document. Values that the server's decoder rejects are read as null; [`yaml::decode`]
/// reports the error.
pub(crate) struct ValueDecoder<'c, 't> {
    pub(crate) reader: &'c Reader<'t>,
    pub(crate) budget: &'c mut Budget,
    /// The text that the places are in.
    pub(crate) text: Text,
    /// The offset that is subtracted from each place, in bytes.
    pub(crate) base: TextSize,
}

/// The text that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Resource,
    Definition,
}

impl<'t> ValueDecoder<'_, 't> {
    /// Decodes `value`. The place of an alias is the alias itself; values within its target keep their places
    /// there.
    pub(crate) fn value(&mut self, value: yaml::Value<'t>) -> Value {
        let place = self.place(value.range());
        let Some(value) = self.reader.follow(value) else { return Value { place, kind: Kind::Null } };
        if !self.budget.enter() {
            return Value { place, kind: Kind::Null };
        }
        let kind = match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entries = members(mapping, self.reader).entries;
                self.budget.spend(entries.len());
                let mut map = Map::new();
                for (key, entry) in entries {
                    let member =
                        Member { key: self.place(entry.key_range()), value: self.value(entry.value()) };
                    map.insert(key.into(), member);
                }
                Kind::Map(map)
            }
            ValueKind::Sequence(sequence) => {
                Kind::List(sequence.items().map(|item| self.value(item.value())).collect())
            }
            ValueKind::Scalar(scalar) if scalar.is_broken() => Kind::Null,
            ValueKind::Scalar(scalar) => scalar_kind(scalar.resolve()),
            ValueKind::Alias(_) | ValueKind::Absent => Kind::Null,
        };
        self.budget.leave();
        Value { place, kind }
    }

    fn place(&self, range: text::TextRange) -> Place {
        let range = range.wrapping_shifted(0_u32.wrapping_sub(self.base));
        match self.text {
            Text::Resource => Place::Resource(range),
            Text::Definition => Place::Definition(range),
        }
    }
}

/// A scalar as the server decodes it; null for any other value.
pub(crate) fn scalar_json(value: yaml::Value<'_>) -> yaml::Json {
    match value.as_scalar() {
        Some(scalar) if !scalar.is_broken() => Value::made(scalar_kind(scalar.resolve())).to_json(),
        _ => yaml::Json::Null,
    }
}

fn scalar_kind(resolved: Result<ResolvedScalar<'_>, ResolveError>) -> Kind {
    match resolved {
        Err(_) | Ok(ResolvedScalar::Null) => Kind::Null,
        Ok(ResolvedScalar::Bool(value)) => Kind::Bool(value),
        Ok(ResolvedScalar::Int(value)) => Kind::Int(value),
        // The server decodes integers beyond 64 bits with a sign to floats.
        Ok(ResolvedScalar::Uint(value)) => Kind::Float(value as f64),
        Ok(ResolvedScalar::Float(value)) => number(value),
        Ok(ResolvedScalar::String(text)) => Kind::String(text.into()),
    }
}
