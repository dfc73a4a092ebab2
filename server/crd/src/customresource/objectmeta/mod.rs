//! `metadata` of resources and of resources embedded in them (`pkg/apiserver/schema/objectmeta`).

mod decode;
mod embedded;
mod time;
mod update;
mod validate;

pub(crate) use decode::{decode_error, normalized, readable, unknown_fields};
pub(crate) use embedded::{coerce, validate_embedded};
pub(crate) use update::validate_object_meta_update;
pub(crate) use validate::{NameRule, validate_names, validate_object_meta, validate_unnamed};

use super::error::{ValueError, error_text, field_of};
use crate::field_path::{FieldPath, Segment};
use crate::report::ErrorType;
use crate::schema::structural::{Child, Structural, StructuralOrBool};
use crate::value::Value;

/// An error for `value` at `path` below `prefix`.
fn error_at(
    prefix: &FieldPath,
    path: &FieldPath,
    error: ErrorType,
    value: Option<&Value>,
    detail: impl Into<String>,
) -> ValueError {
    ValueError {
        error,
        field: field_of(prefix, path),
        path: path.clone(),
        bad_value: value.filter(|_| error != ErrorType::Required).map(error_text),
        detail: detail.into(),
        place: value.map(|value| value.place).unwrap_or_default(),
        rule: None,
        facts: None,
    }
}

/// The schema of the member `key`, and its path segment: a name for properties, a key for other members.
pub(crate) fn member_schema<'s>(
    schema: &'s Structural,
    key: &str,
) -> (Option<&'s Child<Structural>>, Segment) {
    match (schema.properties.get(key), &schema.additional_properties) {
        (Some(child), _) => (Some(child), Segment::Name(key.to_owned().into())),
        (None, Some(StructuralOrBool::Structural(child))) => (Some(child), Segment::Key(key.into())),
        (None, _) => (None, Segment::Key(key.into())),
    }
}
