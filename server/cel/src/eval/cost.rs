//! The costs of calls at run time: cel-go's costs, with those of the API server on top.

use crate::library::{Price, REGEX, STRING};
use crate::value::{Outcome, Value};

/// The cost of creating a list.
pub(super) const LIST: u64 = 10;
/// The cost of creating a map.
pub(super) const MAP: u64 = 30;
/// The cost of creating a message.
pub(super) const MESSAGE: u64 = 40;

impl Price {
    /// Whether the cost depends only on the arguments.
    pub(super) const fn is_of_args(self) -> bool {
        !matches!(self, Self::Result(_) | Self::NewList)
    }

    /// The text of Go's panic if the argument `at` failed and the cost depends on it.
    pub(super) const fn panics_on_failed(self, at: usize) -> Option<&'static str> {
        match self {
            Self::Sort(list) if list == at => {
                Some("interface conversion: *types.Err is not traits.Lister: missing method Add")
            }
            Self::Flatten if at == 1 => Some("interface conversion: ref.Val is *types.Err, not types.Int"),
            _ => None,
        }
    }

    /// The cost of a call; failed arguments have no size.
    pub(super) fn charge(self, args: &[Value<'_>], result: &Outcome<Value<'_>>) -> u64 {
        let size = |at: usize| args.get(at).map_or(1, Value::size);
        match self {
            Self::One => 1,
            Self::Scan(at, factor) => scaled(size(at) as f64, factor),
            Self::Result(factor) => scaled(result.as_ref().map_or(1, Value::size) as f64, factor),
            Self::Elements => size(1),
            Self::Smaller => scaled(size(0).min(size(1)) as f64, STRING),
            Self::Both => scaled(size(0).saturating_add(size(1)) as f64, STRING),
            Self::Regex => regex(size(0), size(1)),
            Self::Contains => scaled(size(0) as f64, STRING).saturating_mul(scaled(size(1) as f64, STRING)),
            Self::Validate => match args.first() {
                Some(Value::Format(format)) => regex(size(1), format.regex_size),
                _ => 1,
            },
            Self::Traversal => args.first().map_or(0, traversal),
            Self::ContainsIp { reads } => {
                scaled((size(0) * 2) as f64, STRING) + u64::from(reads) * scaled(size(1) as f64, STRING)
            }
            Self::ContainsCidr { reads } => {
                let base = scaled((size(0) * 2) as f64, STRING) + scaled(size(0) as f64, STRING) + 1;
                base + u64::from(reads) * scaled(size(1) as f64, STRING)
            }
            Self::NewList => new_list(1.0, result.as_ref().map_or(1, Value::size)),
            Self::Flatten => match args.get(1) {
                Some(Value::Int(depth)) => new_list(*depth as f64, size(0)),
                _ => new_list(1.0, size(0)),
            },
            Self::Sort(at) => {
                let first = match args.get(at) {
                    Some(Value::List(list)) => list.get(0).and_then(Result::ok),
                    _ => None,
                };
                let is_text = matches!(first, Some(Value::String(_) | Value::Bytes(_)));
                let factor = if is_text { 2.0 + STRING } else { 2.0 };
                new_list(factor, size(at).saturating_mul(size(at)))
            }
            Self::Sets(factor) => {
                let pairs = size(0).wrapping_mul(size(1)) as f64 * factor;
                (pairs as u64).saturating_add(1)
            }
        }
    }
}

/// The cost of `a == b`, or of `a != b`.
pub(super) fn equality(a: &Value<'_>, b: &Value<'_>, negated: bool) -> u64 {
    match a {
        Value::Quantity(_)
        | Value::Ip(_)
        | Value::Cidr(_)
        | Value::Format(_)
        | Value::Url(_)
        | Value::Semver(_)
            if !negated =>
        {
            1
        }
        _ => scaled(a.size().min(b.size()) as f64, STRING),
    }
}

/// `ceil(size × factor)`
fn scaled(size: f64, factor: f64) -> u64 {
    (size * factor).ceil() as u64
}

fn regex(text: u64, pattern: u64) -> u64 {
    scaled(1.0 + text as f64, STRING).saturating_mul(scaled(pattern as f64, REGEX))
}

fn new_list(factor: f64, size: u64) -> u64 {
    let factor = if factor < 0.0 { 1.0 } else { factor };
    ((size as f64 * factor) as u64).saturating_add(1 + LIST)
}

/// The size of a value with all its contents; texts count a tenth of their bytes.
fn traversal(value: &Value<'_>) -> u64 {
    match value {
        Value::String(text) => (text.len() as f64 * STRING) as u64,
        Value::Bytes(bytes) => (bytes.len() as f64 * STRING) as u64,
        Value::List(list) => list.iter().map(|item| item.map_or(1, |item| traversal(&item))).sum(),
        Value::Map(map) => {
            let entries = map.entries().into_iter();
            entries.map(|(key, value)| traversal(&key) + value.map_or(1, |value| traversal(&value))).sum()
        }
        _ => 1,
    }
}
