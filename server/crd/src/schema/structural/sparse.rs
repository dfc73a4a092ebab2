//! Value validations that need no memory if they are empty, as in most nodes.

use std::ops::Deref;
use std::sync::LazyLock;

use super::ValueValidation;

static NONE: LazyLock<ValueValidation> = LazyLock::new(ValueValidation::default);

/// A [`ValueValidation`], which is mostly empty.
#[derive(Debug, Default)]
pub struct SparseValidation(Option<Box<ValueValidation>>);

impl From<ValueValidation> for SparseValidation {
    fn from(validation: ValueValidation) -> Self {
        Self(Some(Box::new(validation)))
    }
}

impl Deref for SparseValidation {
    type Target = ValueValidation;

    fn deref(&self) -> &ValueValidation {
        self.0.as_deref().unwrap_or(&NONE)
    }
}
