//! Arguments without a value: the comma and the arguments after it are read as the value.

use std::ops::Range;

use text::start;

use super::mistake::{MistakeText, advised};
use crate::marker::{Data, Value};

/// The maximum number of characters of a value to show.
const SHOWN: usize = 40;

/// An argument without a value.
pub(super) struct Swallowed {
    pub(super) words: MistakeText,
    /// The title of the fix that removes the argument.
    pub(super) title: String,
    /// The range to remove; `None` if the text before the value is not in the usual form.
    pub(super) removed: Option<Range<usize>>,
}

impl Swallowed {
    /// The argument `name` of the marker `text`, if it has no value.
    pub(super) fn of(text: &str, name: &str, value: &Value) -> Option<Self> {
        let read = text.get(value.range.clone()).filter(|read| !name.is_empty() && read.starts_with(','))?;
        matches!(value.data, Data::Text(_)).then_some(())?;
        let argument = format!("{name}=");
        let words = advised(
            format!("`{name}` has no value, so controller-gen reads `{}`", start(read, SHOWN)),
            format!("write a value after `{argument}`"),
        );
        let before = text.get(..value.range.start).and_then(|before| before.strip_suffix(&*argument));
        let removed = before.map(|before| before.len()..value.range.start + 1);
        Some(Self { words, title: format!("Remove `{argument}`"), removed })
    }
}
