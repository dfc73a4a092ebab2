//! The fields of an object that a rule reads.

use super::Hints;
use super::value_edits::{step, value_at};
use crate::field_path::Segment;
use crate::schema::structural::Structural;
use crate::value::{Kind, Value};

/// The maximum depth of fields.
const MOST_DEPTH: usize = 6;
/// The maximum number of elements of a list or map that are varied.
const MOST_ELEMENTS: usize = 3;

/// A field that a rule reads.
pub(super) struct Read<'s> {
    pub(super) path: Vec<Segment>,
    pub(super) schema: &'s Structural,
}

/// The fields below the value at `path` that `hints` name, whether present or not.
pub(super) fn fields_read<'s>(
    object: &Value,
    schema: &'s Structural,
    path: &[Segment],
    hints: &Hints,
    depth: usize,
    all: &mut Vec<Read<'s>>,
) {
    let Some(value) = value_at(object, path) else { return };
    if depth >= MOST_DEPTH {
        return;
    }
    let mut below = |segment: Segment, child: &'s Structural| {
        let path = step(path, segment);
        fields_read(object, child, &path, hints, depth + 1, all);
    };
    match &value.kind {
        Kind::Map(map) => {
            for (name, child) in schema.properties.iter().filter(|(name, _)| hints.reads(name)) {
                below(Segment::Name(name.to_string().into()), &child.node);
            }
            for (key, child) in
                map.keys().take(MOST_ELEMENTS).filter_map(|key| Some((key, schema.additional_schema()?)))
            {
                below(Segment::Key(key.clone()), &child.node);
            }
            for (name, child) in schema.properties.iter().filter(|(name, _)| hints.reads(name)) {
                let path = step(path, Segment::Name(name.to_string().into()));
                all.push(Read { path, schema: &child.node });
            }
        }
        Kind::List(items) => {
            let Some(child) = &schema.items else { return };
            for index in 0..items.len().min(MOST_ELEMENTS) {
                below(Segment::Index(index), &child.node);
            }
        }
        _ => {}
    }
    if depth == 0 {
        all.push(Read { path: path.to_vec(), schema });
    }
}
