//! How the server's decoder reads YAML, for all target types.

mod budget;
mod members;
mod template;

use text::{TextRange, TextSize};
use yaml::scalar::{ResolvedScalar, ScalarStyle, to_json};
use yaml::{Entry, Item, Scalar, Value, ValueKind};

pub(crate) use budget::Budget;
pub use members::{Members, members};
pub use template::holds_action;
pub(crate) use template::{has_broken_action, is_action};

/// Whether the server's decoder reads null here; aliases are not followed.
#[must_use]
pub fn is_null(value: Value<'_>) -> bool {
    // A mapping or a sequence is not null.
    value.node().is_none() && is_null_scalar(value)
}

fn is_null_scalar(value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::Absent => true,
        // `null` and its other spellings are plain and short, unless a tag says otherwise.
        ValueKind::Scalar(scalar) => {
            (is_plain(scalar) && scalar.token().text.len() <= "null".len() || value.tag().is_some())
                && matches!(scalar.resolve(), Ok(ResolvedScalar::Null))
        }
        _ => false,
    }
}

pub(crate) fn is_plain(scalar: yaml::Scalar<'_>) -> bool {
    scalar.style() == ScalarStyle::Plain
}

/// Whether the key of `entry` cannot be read as a string.
pub(crate) fn is_unreadable(entry: Entry<'_>) -> bool {
    entry.key_text().is_none() || entry.key().as_scalar().is_some_and(yaml::Scalar::is_broken)
}

/// The integer in the JSON text of `resolved`: `1e3` is printed as 1000; `None` for `1.5`.
pub(crate) fn integer(resolved: &ResolvedScalar<'_>) -> Option<i64> {
    match resolved {
        ResolvedScalar::Int(number) => Some(*number),
        ResolvedScalar::Float(_) => to_json(resolved).parse().ok(),
        _ => None,
    }
}

/// Whether `value` is an integer from 0 to 255.
pub(crate) fn is_byte(value: Value<'_>) -> bool {
    let resolved = value.as_scalar().filter(|scalar| !scalar.is_broken()).map(Scalar::resolve);
    matches!(resolved, Some(Ok(resolved)) if integer(&resolved).is_some_and(|number| u8::try_from(number).is_ok()))
}

/// The range that represents an item in findings: a scalar itself, the dash before a collection, or a whole
/// flow collection.
pub(crate) fn item_range(item: Item<'_>) -> TextRange {
    let value = item.value();
    let dash = item.syntax().filter(|_| value.as_scalar().is_none());
    dash.map_or(value.range(), |node| TextRange::at(node.range().start, 1))
}

/// The range in the file of the bytes `part` of the scalar's text; the whole scalar if that range would be
/// empty.
pub(crate) fn part_of(scalar: yaml::Scalar<'_>, part: std::ops::Range<usize>) -> TextRange {
    let token = scalar.token();
    let mapping = yaml::scalar::OffsetMap::new(scalar.style(), token.text, scalar.outer_column());
    let raw = mapping.raw_range(part);
    if raw.is_empty() {
        return token.range();
    }
    TextRange::new(token.start + raw.start as TextSize, token.start + raw.end as TextSize)
}
