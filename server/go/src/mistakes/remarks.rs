//! Comments and remarks behind a value without quotes, which become part of it.

/// Whether a value without quotes ends with text for readers.
pub(super) fn has_comment(written: &str) -> bool {
    written.contains(" # ") || written.contains(" // ") || remark(written).is_some()
}

/// The start of a remark in parentheses at the end of a value without quotes: `Shared (default)`.
fn remark(written: &str) -> Option<usize> {
    let written = written.trim_end();
    let at = written.find(" (").filter(|_| written.ends_with(')'))?;
    written.get(..at)?.trim().chars().all(|ch| ch.is_alphanumeric() || ch == '-' || ch == '_').then_some(at)
}

/// The part of a value before a comment.
pub(super) fn before_comment(written: &str) -> &str {
    let marks = [" # ", " // "].into_iter().filter_map(|mark| written.find(mark));
    let comment = marks.chain(remark(written)).min();
    written.get(..comment.unwrap_or(written.len())).unwrap_or(written).trim_end()
}
