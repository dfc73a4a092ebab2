//! Lookup in the tables along a path of the document.

use super::{Field, FieldType, ObjectType};

/// One step of a path through a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'p> {
    /// A key of a mapping.
    Name(&'p str),
    /// An item of a sequence, regardless of its index.
    Index,
}

/// Follows a path from a root type to the field that describes the value at the end of the path.
///
/// A list index or a map key belongs to the field that holds the list or the map: `versions[0]` is described
/// by `versions`, and `properties.image` by `properties`. `None` for an empty path, for a name that the type
/// does not have, and for anything inside a free JSON value such as `default`.
pub fn describe<'p>(
    root: &'static ObjectType,
    path: impl Iterator<Item = Step<'p>>,
) -> Option<&'static Field> {
    walk(root, path)?.field
}

/// The type whose field names are the keys at that path: completion offers them.
///
/// `None` if the value is not an object with fixed fields, but a scalar, a list, a map or an arbitrary JSON value.
pub fn object_at<'p>(
    root: &'static ObjectType,
    path: impl Iterator<Item = Step<'p>>,
) -> Option<&'static ObjectType> {
    walk(root, path)?.ty.object()
}

struct Place {
    field: Option<&'static Field>,
    ty: FieldType,
}

fn walk<'p>(root: &'static ObjectType, path: impl Iterator<Item = Step<'p>>) -> Option<Place> {
    let mut place = Place { field: None, ty: FieldType::Object(root) };
    for step in path {
        place = place.enter(step)?;
    }
    Some(place)
}

impl Place {
    fn enter(self, step: Step<'_>) -> Option<Self> {
        match (self.ty, step) {
            (FieldType::Map(value), Step::Name(_)) => Some(Self { ty: *value, ..self }),
            (ty, Step::Name(name)) => Self::of(ty.object()?.field(name)?),
            (ty, Step::Index) => Some(Self { ty: ty.item()?, ..self }),
        }
    }

    fn of(field: &'static Field) -> Option<Self> {
        Some(Self { field: Some(field), ty: field.ty })
    }
}
