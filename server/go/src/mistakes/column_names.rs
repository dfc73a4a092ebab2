//! Names of columns.

use crate::marker::{Data, Marker};

/// The usual name of a column with the path of a marker: its last field, or the type of a condition.
pub(super) fn usual_name(marker: &Marker) -> Option<String> {
    let Data::Text(path) = &marker.argument("JSONPath")?.data else { return None };
    if &**path == ".metadata.creationTimestamp" {
        return Some("Age".to_owned());
    }
    let of_condition = path.split_once("@.type").map(|(_, rest)| rest);
    let of_condition = of_condition.and_then(|rest| rest.split(['"', '\'']).nth(1));
    let name = of_condition.or_else(|| path.rsplit('.').next())?;
    let is_word = name.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && name.chars().all(|ch| ch.is_ascii_alphanumeric());
    is_word.then(|| text::capitalized(name))
}
