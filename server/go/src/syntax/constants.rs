//! Integer constants.

use super::Constant;

/// A constant as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Whether `iota` is added: the number of constants above in the same parentheses.
    pub has_iota: bool,
    /// The number, or the number that is added to `iota`.
    pub plus: i64,
}

/// The type, the name and the value of each integer constant of one declaration.
pub(crate) fn integers(constants: &[Constant]) -> impl Iterator<Item = (&str, &str, i64)> {
    let mut kind: Option<&str> = None;
    let mut values: &[Option<Integer>] = &[];
    constants.iter().zip(0_i64..).flat_map(move |(constant, iota)| {
        // A constant without a type and values repeats the previous ones.
        if constant.kind.is_some() || !constant.values.is_empty() {
            kind = constant.kind.as_deref();
            values = &constant.integers;
        }
        constant.names.iter().zip(values).filter_map(move |(name, value)| {
            let Integer { has_iota, plus } = (*value)?;
            Some((kind?, &*name.name, plus.checked_add(if has_iota { iota } else { 0 })?))
        })
    })
}
