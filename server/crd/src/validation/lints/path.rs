//! The target of a path of a column or of the scale subresource in a schema.

use api::{FieldType, OBJECT_META};

use crate::jsonpath::PathStep;
use crate::message::Message;
use crate::schema::{Keyword, Schema, TypeName};

/// The fields that every resource has, even if its schema does not declare them.
const OF_RESOURCES: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The target of a path.
pub(super) enum Target<'r, 't> {
    /// A field with this schema.
    Field(Schema<'r, 't>),
    /// A field of every resource, with this type.
    Meta(FieldType),
    /// A field that may exist.
    Unknown,
    /// No field: the path fails at a step.
    Missing {
        /// The index of the step that fails.
        step: usize,
        /// The reason.
        fault: Fault,
    },
}

/// The reason why a path leads to no field.
pub(super) enum Fault {
    /// The field with this name is read from a list.
    InList(String),
    /// The field with this name is read from a value of this type.
    InScalar(String, String),
    /// The schema declares no field with this name; contains a similar name, if there is one.
    NoField(String, Option<String>),
    /// Items are read from a value of this type.
    NoList(String),
    /// A dot without a name after it.
    NoName,
    /// The metadata of objects has no field with this name; contains a similar name, if there is one.
    NoMeta(String, Option<&'static str>),
    /// The field with this name is read from a text of the metadata, such as a label.
    InMeta(String),
}

impl Fault {
    /// The message: the problem with its `effect`, and the remedy.
    pub(super) fn message(&self, effect: &str) -> Message {
        let (problem, remedy) = match self {
            Self::InList(name) => (
                format!("`{name}` is read from a list"),
                "add `[0]`, `[*]` or `[?(@.type==\"Ready\")]` before it".to_owned(),
            ),
            Self::InScalar(name, ty) => (
                format!("`{name}` is read from a value of type `{ty}`"),
                format!("end the path before `{name}`, or change the type"),
            ),
            Self::NoField(name, near) => (
                format!("the schema declares no field `{name}` here"),
                match near {
                    Some(near) => format!("write `{near}`"),
                    None => "correct the path, or declare the field".to_owned(),
                },
            ),
            Self::NoName => (
                "a name is missing after a `.` of this path".to_owned(),
                "add the name of a field, or remove the dot".to_owned(),
            ),
            Self::NoMeta(name, near) => (
                format!("the metadata of objects has no field `{name}`"),
                near.map_or_else(|| "correct the path".to_owned(), |near| format!("write `{near}`")),
            ),
            Self::InMeta(name) => (
                format!("`{name}` is read from a text of the metadata"),
                "write `\\.` for a dot within the name of a label or an annotation".to_owned(),
            ),
            Self::NoList(ty) => (
                format!("items are read from a value of type `{ty}`"),
                "remove the brackets, or change the type".to_owned(),
            ),
        };
        let message = Message::new(format!("{problem}, so {effect}")).advise(remedy);
        match self {
            Self::NoField(name, _) => message.of_missing(name),
            _ => message,
        }
    }
}

/// Follows `steps` from `root`, the schema of a resource.
pub(super) fn follow<'r, 't, 's>(
    root: &Schema<'r, 't>,
    steps: impl IntoIterator<Item = &'s PathStep>,
) -> Target<'r, 't> {
    // A schema without properties is probably unfinished.
    if root.members(Keyword::Properties).entries.is_empty() {
        return Target::Unknown;
    }
    let mut schema = root.clone();
    let mut steps = steps.into_iter().enumerate();
    while let Some((index, step)) = steps.next() {
        let below = match step {
            PathStep::Field(name) if is_of_resource(&schema, name, index == 0) => {
                return of_resource(name, steps);
            }
            PathStep::Field(name) => field(&schema, name).map_err(|fault| match fault {
                Fault::NoField(name, None) if index == 0 && OBJECT_META.field(&name).is_some() => {
                    let near = Some(format!("metadata.{name}"));
                    Fault::NoField(name, near)
                }
                fault => fault,
            }),
            PathStep::Elements => elements(&schema),
            PathStep::Filter(compared) => filtered(&schema, compared.as_deref()),
            PathStep::Wildcard | PathStep::Recursive | PathStep::Other => return Target::Unknown,
        };
        match below {
            Ok(Some(below)) => schema = below,
            Ok(None) => return Target::Unknown,
            Err(fault) => return Target::Missing { step: index, fault },
        }
    }
    Target::Field(schema)
}

/// Whether `name` is a field of `schema` because `schema` describes a resource.
fn is_of_resource(schema: &Schema<'_, '_>, name: &str, is_root: bool) -> bool {
    (is_root || schema.is_true(Keyword::EmbeddedResource)) && OF_RESOURCES.contains(&name)
}

/// The target of `steps`, each with its index, below the field `name` of a resource.
fn of_resource<'r, 't, 's>(name: &str, steps: impl Iterator<Item = (usize, &'s PathStep)>) -> Target<'r, 't> {
    let is_metadata = name == "metadata";
    let mut ty = if is_metadata { FieldType::Object(&OBJECT_META) } else { FieldType::String };
    for (index, step) in steps {
        ty = match (ty, step) {
            (FieldType::Object(object), PathStep::Field(name)) => match object.field(name) {
                Some(field) => field.ty,
                None => {
                    let known = object.fields.iter().map(|field| field.name);
                    let near = crate::suggest::meta_field(name, known);
                    return Target::Missing { step: index, fault: Fault::NoMeta(name.clone(), near) };
                }
            },
            (FieldType::Map(values), PathStep::Field(_)) => *values,
            (FieldType::List(items), PathStep::Elements | PathStep::Filter(_)) => *items,
            (FieldType::String, PathStep::Field(name)) if is_metadata => {
                return Target::Missing { step: index, fault: Fault::InMeta(name.clone()) };
            }
            _ => return Target::Unknown,
        };
    }
    Target::Meta(ty)
}

/// The field `name` of `schema`; `None` if its schema is unknown.
fn field<'r, 't>(schema: &Schema<'r, 't>, name: &str) -> Result<Option<Schema<'r, 't>>, Fault> {
    if name.is_empty() {
        return Err(Fault::NoName);
    }
    let properties = schema.members(Keyword::Properties);
    if let Some(entry) = properties.get(name) {
        return Ok(Schema::read(entry.value(), schema.reader()));
    }
    let keeps = schema.is_true(Keyword::PreserveUnknownFields)
        || schema.get(Keyword::AdditionalProperties).is_some()
            && schema.boolean(Keyword::AdditionalProperties) != Some(false);
    if keeps {
        return Ok(schema.schema(Keyword::AdditionalProperties));
    }
    match schema.type_name() {
        TypeName::Named(ty) if ty == "array" => Err(Fault::InList(name.to_owned())),
        TypeName::Named(ty) if ty != "object" => Err(Fault::InScalar(name.to_owned(), ty.into_owned())),
        TypeName::Named(_) => {
            let known = properties.entries.iter().map(|(key, _)| key.as_ref());
            let near = crate::suggest::closest_in_words(name, known).map(str::to_owned);
            Err(Fault::NoField(name.to_owned(), near))
        }
        TypeName::Missing | TypeName::Unreadable => Ok(None),
    }
}

/// The elements of the list `schema` that a filter on the field `compared` selects.
fn filtered<'r, 't>(
    schema: &Schema<'r, 't>,
    compared: Option<&str>,
) -> Result<Option<Schema<'r, 't>>, Fault> {
    let items = elements(schema)?;
    if let (Some(items), Some(name)) = (&items, compared)
        && !is_of_resource(items, name, false)
    {
        field(items, name)?;
    }
    Ok(items)
}

/// The elements of the list `schema`.
fn elements<'r, 't>(schema: &Schema<'r, 't>) -> Result<Option<Schema<'r, 't>>, Fault> {
    match schema.type_name() {
        TypeName::Named(ty) if ty == "array" => Ok(schema.schema(Keyword::Items)),
        TypeName::Named(ty) if !schema.is_true(Keyword::PreserveUnknownFields) => {
            Err(Fault::NoList(ty.into_owned()))
        }
        _ => Ok(None),
    }
}
