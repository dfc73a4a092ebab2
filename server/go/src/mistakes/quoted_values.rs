//! Quotes of other languages around the values of a marker.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::marker::{Data, Value};
use crate::syntax::MarkerComment;

/// The mistake for single quotes around several values.
pub(super) fn single_quoted(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    text: &str,
    items: &[Value],
) -> Option<Mistake> {
    let quoted = |item: &Value| match &item.data {
        Data::Text(read) if is_bare(text.get(item.range.clone()).unwrap_or("")) => {
            let inner = read.strip_prefix('\'')?.strip_suffix('\'')?;
            Some(crate::strings::quoted(inner))
        }
        _ => None,
    };
    let better = items.iter().map(quoted).collect::<Option<Vec<_>>>().filter(|all| all.len() > 1)?;
    let range = items.first()?.range.start..items.last()?.range.end;
    let words = advised("`'` is part of each value of the enum", "use `\"` as quotes");
    let place = seen.place_in_marker(comment, range);
    let better = better.join(";");
    Some(Mistake::new(MistakeKind::Value, place, words).replaced(format!("Change to `{better}`"), better))
}

/// Whether a value is written without quotes.
pub(super) fn is_bare(written: &str) -> bool {
    !written.starts_with(['"', '`'])
}
