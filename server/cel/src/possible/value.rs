//! Sets of values that contain at least all possible values.

use crate::ast::{Literal, Operator};
use crate::types::Type;

/// A larger number of texts is reduced to the bounds of their lengths.
const MOST_TEXTS: usize = 64;

/// The possible values of a condition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PossibleTruth {
    /// Whether it may be true.
    pub(super) yes: bool,
    /// Whether it may be false.
    pub(super) no: bool,
}

/// The possible values of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    None,
    /// Any value.
    Any,
    /// An object or a map without set fields, or a list without items.
    Empty,
    /// A truth value.
    Bool {
        /// It may be true.
        yes: bool,
        /// It may be false.
        no: bool,
    },
    /// An integer in the inclusive range from the first to the second.
    Int(i64, i64),
    /// A number in the inclusive range from the first to the second.
    Double(f64, f64),
    /// A text.
    Text(Text),
    /// A list or a map with a number of elements in the inclusive range.
    Sized(u64, u64),
}

/// The possible texts of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The minimum number of code points.
    pub min_length: u64,
    /// The maximum number of code points.
    pub max_length: u64,
    /// All possible texts, if they are known.
    pub possible_texts: Option<Vec<Box<str>>>,
}

impl Text {
    /// The texts with lengths in that range, in code points.
    #[must_use]
    pub const fn sized(least: u64, most: u64) -> Self {
        Self { min_length: least, max_length: most, possible_texts: None }
    }

    /// Exactly these texts.
    #[must_use]
    pub fn of(texts: impl IntoIterator<Item = Box<str>>) -> Self {
        let mut known: Vec<Box<str>> = texts.into_iter().collect();
        known.sort();
        known.dedup();
        let lengths = || known.iter().map(|text| text.chars().count() as u64);
        let (least, most) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
        Self {
            min_length: least,
            max_length: most,
            possible_texts: (known.len() <= MOST_TEXTS).then_some(known),
        }
    }
}

impl Value {
    pub(super) const BOOL: Self = Self::Bool { yes: true, no: true };

    pub(super) const fn of_bits(yes: bool, no: bool) -> Self {
        if yes || no { Self::Bool { yes, no } } else { Self::None }
    }

    /// The possible values of a condition.
    pub(super) const fn truth(&self) -> PossibleTruth {
        match self {
            Self::None => PossibleTruth { yes: false, no: false },
            Self::Bool { yes, no } => PossibleTruth { yes: *yes, no: *no },
            _ => PossibleTruth { yes: true, no: true },
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Bool { yes, no } => Self::Bool { yes: no, no: yes },
            other => other,
        }
    }

    pub(super) fn of_literal(literal: &Literal) -> Self {
        match literal {
            Literal::Bool(value) => Self::of_bits(*value, !*value),
            Literal::Int(value) => Self::Int(*value, *value),
            Literal::Double(value) => Self::Double(*value, *value),
            Literal::String(text) => Self::Text(Text::of([text.clone()])),
            Literal::Null | Literal::Uint(_) | Literal::Bytes(_) => Self::Any,
        }
    }

    /// All values of a type.
    pub(super) fn of_type(of: &Type) -> Self {
        match of {
            Type::Bool => Self::BOOL,
            Type::Int => Self::Int(i64::MIN, i64::MAX),
            Type::Double => Self::Double(f64::NEG_INFINITY, f64::INFINITY),
            Type::String => Self::Text(Text::sized(0, u64::MAX)),
            Type::List(_) | Type::Map(_) => Self::Sized(0, u64::MAX),
            _ => Self::Any,
        }
    }

    /// The value that programs read from a field that is not set: `''`, 0, false, or empty.
    #[must_use]
    pub fn zero(of: &Type) -> Self {
        match of {
            Type::Bool => Self::of_bits(false, true),
            Type::Int => Self::Int(0, 0),
            Type::Double => Self::Double(0.0, 0.0),
            Type::String => Self::Text(Text::of(["".into()])),
            Type::List(_) | Type::Map(_) => Self::Sized(0, 0),
            Type::Object(_) => Self::Empty,
            _ => Self::Any,
        }
    }

    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, value) | (value, Self::None) => value,
            (Self::Bool { yes, no }, Self::Bool { yes: also_yes, no: also_no }) => {
                Self::of_bits(yes || also_yes, no || also_no)
            }
            (Self::Int(a, b), Self::Int(c, d)) => Self::Int(a.min(c), b.max(d)),
            (Self::Double(a, b), Self::Double(c, d)) => Self::Double(a.min(c), b.max(d)),
            (Self::Sized(a, b), Self::Sized(c, d)) => Self::Sized(a.min(c), b.max(d)),
            (Self::Text(one), Self::Text(other)) => {
                Self::Text(match (one.possible_texts, other.possible_texts) {
                    (Some(one), Some(other)) => Text::of(one.into_iter().chain(other)),
                    _ => Text::sized(
                        one.min_length.min(other.min_length),
                        one.max_length.max(other.max_length),
                    ),
                })
            }
            (one, other) if one == other => one,
            _ => Self::Any,
        }
    }

    /// The values in both sets; `self` if the two cannot be compared.
    pub(super) fn intersect(self, other: Self) -> Self {
        let checked = |value: Self, is_some: bool| if is_some { value } else { Self::None };
        match (self, other) {
            (Self::Any, value) | (value, Self::Any) => value,
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::Bool { yes, no }, Self::Bool { yes: also_yes, no: also_no }) => {
                Self::of_bits(yes && also_yes, no && also_no)
            }
            (Self::Int(a, b), Self::Int(c, d)) => {
                checked(Self::Int(a.max(c), b.min(d)), a.max(c) <= b.min(d))
            }
            (Self::Double(a, b), Self::Double(c, d)) => {
                checked(Self::Double(a.max(c), b.min(d)), a.max(c) <= b.min(d))
            }
            (Self::Sized(a, b), Self::Sized(c, d)) => {
                checked(Self::Sized(a.max(c), b.min(d)), a.max(c) <= b.min(d))
            }
            (Self::Text(one), Self::Text(other)) => one.intersect(other),
            (one, _) => one,
        }
    }

    /// Whether the two may be equal, and whether they may differ.
    pub(super) fn equals(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::Bool { yes, no }, Self::Bool { yes: also_yes, no: also_no }) => Self::of_bits(
                (*yes && *also_yes) || (*no && *also_no),
                (*yes && *also_no) || (*no && *also_yes),
            ),
            (Self::Int(a, b), Self::Int(c, d)) => {
                Self::of_bits(a.max(c) <= b.min(d), !(a == b && c == d && a == c))
            }
            (Self::Double(a, b), Self::Double(c, d)) => {
                Self::of_bits(a.max(*c) <= b.min(*d), !(a == b && c == d && a == c))
            }
            (Self::Text(one), Self::Text(other)) => one.equals(other),
            (Self::Sized(a, b), Self::Sized(c, d)) => {
                Self::of_bits(a.max(c) <= b.min(d), !(*b == 0 && *d == 0))
            }
            _ => Self::BOOL,
        }
    }

    /// Whether one of `elements` may be equal, and whether possibly none is.
    pub(super) fn is_in<'v>(&self, elements: impl Iterator<Item = &'v Self>) -> Self {
        let (mut yes, mut no) = (false, true);
        let mut texts: Vec<Box<str>> = Vec::new();
        let mut all_known = true;
        for element in elements {
            let equal = self.equals(element).truth();
            yes |= equal.yes;
            no &= equal.no;
            match element {
                Self::Text(Text { possible_texts: Some(known), .. }) if known.len() == 1 => {
                    texts.extend(known.iter().cloned())
                }
                _ => all_known = false,
            }
        }
        // Every possible text is one of them.
        if let (Self::Text(Text { possible_texts: Some(known), .. }), true) = (self, all_known)
            && known.iter().all(|text| texts.contains(text))
        {
            no = false;
        }
        Self::of_bits(yes, no)
    }

    pub(super) fn compared(&self, operator: Operator, other: &Self) -> Self {
        let (a, b, c, d) = match (self, other) {
            (Self::None, _) | (_, Self::None) => return Self::None,
            (Self::Int(a, b), Self::Int(c, d)) => return ordered(operator, (a, b), (c, d)),
            (Self::Double(a, b), Self::Double(c, d)) => (*a, *b, *c, *d),
            // Beyond 2^53, a double may differ from the integer.
            (Self::Int(a, b), Self::Double(c, d)) if fits(*a) && fits(*b) => (*a as f64, *b as f64, *c, *d),
            (Self::Double(a, b), Self::Int(c, d)) if fits(*c) && fits(*d) => (*a, *b, *c as f64, *d as f64),
            _ => return Self::BOOL,
        };
        ordered(operator, (&a, &b), (&c, &d))
    }

    pub(super) fn size(&self) -> Self {
        let number = |size: u64| i64::try_from(size).unwrap_or(i64::MAX);
        match self {
            Self::None => Self::None,
            Self::Sized(least, most) => Self::Int(number(*least), number(*most)),
            Self::Text(text) => Self::Int(number(text.min_length), number(text.max_length)),
            Self::Empty => Self::Int(0, 0),
            _ => Self::Int(0, i64::MAX),
        }
    }

    /// The result of `startsWith` and similar functions.
    pub(super) fn text_test(&self, name: &str, part: &Self) -> Self {
        let (
            Self::Text(Text { possible_texts: Some(texts), .. }),
            Self::Text(Text { possible_texts: Some(parts), .. }),
        ) = (self, part)
        else {
            return Self::BOOL;
        };
        let answers = texts.iter().flat_map(|text| {
            parts.iter().map(move |part| match name {
                "startsWith" => text.starts_with(&**part),
                "endsWith" => text.ends_with(&**part),
                _ => text.contains(&**part),
            })
        });
        answers.fold(Self::None, |value, answer| value.join(Self::of_bits(answer, !answer)))
    }
}

impl Text {
    fn intersect(self, other: Self) -> Value {
        let known = match (self.possible_texts, other.possible_texts) {
            (Some(one), Some(other)) => Some(one.into_iter().filter(|text| other.contains(text)).collect()),
            (known, None) | (None, known) => known,
        };
        let (least, most) = (self.min_length.max(other.min_length), self.max_length.min(other.max_length));
        match known {
            Some(texts) => {
                let fits = |text: &str| (least..=most).contains(&(text.chars().count() as u64));
                let texts: Vec<Box<str>> = texts.into_iter().filter(|text| fits(text)).collect();
                if texts.is_empty() { Value::None } else { Value::Text(Self::of(texts)) }
            }
            None if least > most => Value::None,
            None => Value::Text(Self::sized(least, most)),
        }
    }

    fn equals(&self, other: &Self) -> Value {
        let overlaps = self.min_length.max(other.min_length) <= self.max_length.min(other.max_length);
        let (may, is_one) = match (&self.possible_texts, &other.possible_texts) {
            (Some(one), Some(other)) => {
                (one.iter().any(|text| other.contains(text)), one.len() == 1 && one == other)
            }
            // All empty texts are equal.
            _ => (overlaps, self.max_length == 0 && other.max_length == 0),
        };
        Value::of_bits(may, !is_one)
    }
}

const fn fits(number: i64) -> bool {
    number.unsigned_abs() <= 1 << 53
}

fn ordered<T: PartialOrd>(operator: Operator, (a, b): (&T, &T), (c, d): (&T, &T)) -> Value {
    let (yes, no) = match operator {
        Operator::Less => (a < d, b >= c),
        Operator::LessEquals => (a <= d, b > c),
        Operator::Greater => (b > c, a <= d),
        _ => (b >= c, a < d),
    };
    Value::of_bits(yes, no)
}

/// `a + b` and similar operations, and whether the result may overflow.
pub(super) fn arithmetic(
    operator: Operator,
    one: &Value,
    other: &Value,
    typed: impl FnOnce() -> Value,
) -> (Value, bool) {
    let (a, b, c, d) = match (one, other) {
        (Value::None, _) | (_, Value::None) => return (Value::None, false),
        (Value::Int(a, b), Value::Int(c, d)) => {
            (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d))
        }
        (Value::Text(one), Value::Text(other)) if operator == Operator::Add => {
            let (least, most) = (
                one.min_length.saturating_add(other.min_length),
                one.max_length.saturating_add(other.max_length),
            );
            return (Value::Text(Text::sized(least, most)), false);
        }
        (Value::Double(..), Value::Double(..)) => return (Value::of_type(&Type::Double), false),
        _ => return (typed(), true),
    };
    let ends = match operator {
        Operator::Add => [a + c, b + d, a + d, b + c],
        Operator::Subtract => [a - d, b - c, a - c, b - d],
        _ => [a * c, a * d, b * c, b * d],
    };
    let least = ends.iter().copied().min().unwrap_or(i128::MIN);
    let most = ends.iter().copied().max().unwrap_or(i128::MAX);
    let within = |number: i128| number.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    let overflows = within(least) != least || within(most) != most;
    let number = |number: i128| i64::try_from(within(number)).unwrap_or(i64::MAX);
    (Value::Int(number(least), number(most)), overflows)
}
