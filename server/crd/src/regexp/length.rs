//! The lengths of the texts that a pattern matches.

use super::ast::{Node, Regexp};

/// The lengths of the texts that match, in code points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchLengths {
    /// The minimum length.
    pub min: u64,
    /// The maximum length; `None` if the pattern has no limit, for example because it is not anchored at both ends.
    pub max: Option<u64>,
}

/// The lengths of a part of a pattern.
#[derive(Clone, Copy)]
struct PartLengths {
    min: u64,
    max: Option<u64>,
    /// Whether the part matches only at the start of the text, and only at its end.
    is_first: bool,
    is_last: bool,
}

impl PartLengths {
    const NOTHING: Self = Self::of(0);

    const fn of(length: u64) -> Self {
        Self { min: length, max: Some(length), is_first: false, is_last: false }
    }

    fn followed_by(self, next: Self) -> Self {
        let sum = |one: u64, other: u64| one.saturating_add(other);
        Self {
            min: sum(self.min, next.min),
            max: self.max.zip(next.max).map(|(one, other)| sum(one, other)),
            is_first: self.is_first || self.max == Some(0) && next.is_first,
            is_last: next.is_last || next.max == Some(0) && self.is_last,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(one, other)| one.max(other)),
            is_first: self.is_first && other.is_first,
            is_last: self.is_last && other.is_last,
        }
    }

    fn repeated(self, min: u32, max: Option<u32>) -> Self {
        let is_there = min > 0;
        Self {
            min: self.min.saturating_mul(u64::from(min)),
            max: match (self.max, max) {
                (Some(0), _) => Some(0),
                (Some(length), Some(times)) => Some(length.saturating_mul(u64::from(times))),
                _ => None,
            },
            is_first: is_there && self.is_first,
            is_last: is_there && self.is_last,
        }
    }
}

impl Regexp {
    /// The lengths of the texts that match.
    #[must_use]
    pub fn lengths(&self) -> MatchLengths {
        let mut parts: Vec<PartLengths> = Vec::with_capacity(self.nodes().len());
        for node in self.nodes() {
            let of = |id: &usize| parts.get(*id).copied().unwrap_or(PartLengths::NOTHING);
            let part = match node {
                Node::Literal { .. } | Node::Class(_) | Node::Any { .. } => PartLengths::of(1),
                Node::TextStart => PartLengths { is_first: true, ..PartLengths::NOTHING },
                Node::TextEnd => PartLengths { is_last: true, ..PartLengths::NOTHING },
                Node::Empty
                | Node::LineStart
                | Node::LineEnd
                | Node::WordBoundary
                | Node::NotWordBoundary => PartLengths::NOTHING,
                Node::Capture { sub, .. } => of(sub),
                Node::Repeat { sub, min, max, .. } => of(sub).repeated(*min, *max),
                Node::Concat(all) => all.iter().map(of).fold(PartLengths::NOTHING, PartLengths::followed_by),
                Node::Alternate(all) => {
                    all.iter().map(of).reduce(PartLengths::or).unwrap_or(PartLengths::NOTHING)
                }
            };
            parts.push(part);
        }
        let whole = parts.last().copied().unwrap_or(PartLengths::NOTHING);
        MatchLengths { min: whole.min, max: whole.max.filter(|_| whole.is_first && whole.is_last) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    fn lengths_of(pattern: &str) -> (u64, Option<u64>) {
        let lengths = crate::regexp::parse(pattern).unwrap().lengths();
        (lengths.min, lengths.max)
    }

    #[test]
    fn a_pattern_that_is_anchored_at_both_ends_limits_the_length() {
        assert_eq!(lengths_of("^[a-z]{3,20}$"), (3, Some(20)));
        assert_eq!(lengths_of("^(a|bcd)?e$"), (1, Some(4)));
        assert_eq!(lengths_of("^a$|^bc$"), (1, Some(2)));
        assert_eq!(lengths_of("^$"), (0, Some(0)));
        assert_eq!(lengths_of("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$"), (1, Some(63)));
    }

    #[test]
    fn any_other_pattern_has_only_a_minimum_length() {
        assert_eq!(lengths_of("[a-z]{3}"), (3, None));
        assert_eq!(lengths_of("^[a-z]+$"), (1, None));
        assert_eq!(lengths_of("^abc"), (3, None));
        assert_eq!(lengths_of("^a$|b"), (1, None));
        assert_eq!(lengths_of("(?m)^abc$"), (3, None));
        assert_eq!(lengths_of(""), (0, None));
    }
}
