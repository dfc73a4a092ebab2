//! The contents of printer columns in kube-apiserver (`cellForJSONValue` of its table convertor): a column of
//! type `string` prints any value, all others show only values of their type and leave other cells empty.

use api::FieldType;
use yaml::scalar::ResolvedScalar;
use yaml::{Item, ValueKind};

use super::path::{Target, follow};
use crate::formats::Format;
use crate::jsonpath;
use crate::message::Message;
use crate::reading::integer;
use crate::schema::{Keyword, Schema, TypeName};

/// A time as a column of type `date` reads it, RFC 3339 to the second: no time is shorter.
const TIME: &str = "2024-01-02T03:04:05Z";

/// A column whose type does not match the field of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The effect, the reason and the remedy.
    pub message: Message,
    /// The type that shows the field.
    pub better: &'static str,
    /// Whether no cell is correct, and the field is not a list or an object, of which the path may have to
    /// select a part.
    pub is_certain: bool,
}

/// The mismatch of a column of type `declared` with the path `path`; `root` is the schema of its version.
/// `None` if the type matches the field, if the path or the type cannot be read, or if the schema does not
/// determine the values of the field.
#[must_use]
pub fn column_mismatch(path: &str, declared: &str, root: &Schema<'_, '_>) -> Option<Mismatch> {
    Cells::read(path, root)?.mismatch(declared)
}

/// Like [`column_mismatch`], for a path that leads to `target`.
pub(super) fn mismatch_at(target: &Target<'_, '_>, declared: &str) -> Option<Mismatch> {
    Cells::of_target(target)?.mismatch(declared)
}

/// The type of a column that shows all values at `path`; `None` if the schema does not determine them.
#[must_use]
pub fn column_type(path: &str, root: &Schema<'_, '_>) -> Option<&'static str> {
    Cells::read(path, root).map(|cells| cells.suited())
}

/// The kinds of values that a field may have, except null, whose cells are always empty.
#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    text: bool,
    integer: bool,
    fraction: bool,
    boolean: bool,
    list: bool,
    object: bool,
    /// Whether the strings are times.
    times: TimeStrings,
}

/// Whether the strings of a field are times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TimeStrings {
    /// Some may be.
    #[default]
    Possible,
    /// All are.
    All,
    /// None is.
    Never,
}

impl Cells {
    fn read(path: &str, root: &Schema<'_, '_>) -> Option<Self> {
        let steps = jsonpath::parse(path).ok()??;
        Self::of_target(&follow(root, steps.iter().map(|located| &located.step)))
    }

    fn of_target(target: &Target<'_, '_>) -> Option<Self> {
        match target {
            Target::Field(schema) => Self::of_schema(schema),
            Target::Meta(ty) => Self::of_type(*ty),
            Target::Unknown | Target::Missing { .. } => None,
        }
    }

    /// The kinds of values that `schema` accepts.
    fn of_schema(schema: &Schema<'_, '_>) -> Option<Self> {
        let mut cells = Self::default();
        if schema.is_true(Keyword::IntOrString) {
            (cells.integer, cells.text) = (true, true);
        } else {
            let TypeName::Named(name) = schema.type_name() else { return None };
            match name.as_ref() {
                "string" => cells.text = true,
                "integer" => cells.integer = true,
                "number" => (cells.integer, cells.fraction) = (true, !has_whole_factor(schema)),
                "boolean" => cells.boolean = true,
                "array" => cells.list = true,
                "object" => cells.object = true,
                _ => return None,
            }
        }
        cells.times = times(schema);
        if let Some(listed) = listed(schema) {
            cells = cells.and(listed);
        }
        cells.is_something().then_some(cells)
    }

    /// The kinds of values of a field that every object has.
    fn of_type(ty: FieldType) -> Option<Self> {
        let mut cells = Self::default();
        match ty {
            FieldType::String => cells.text = true,
            FieldType::Time => (cells.text, cells.times) = (true, TimeStrings::All),
            FieldType::Bool => cells.boolean = true,
            FieldType::Int32 | FieldType::Int64 => cells.integer = true,
            FieldType::Map(_) | FieldType::Object(_) => cells.object = true,
            FieldType::List(_) => cells.list = true,
            _ => return None,
        }
        Some(cells)
    }

    /// The kinds of values that both accept.
    fn and(self, other: Self) -> Self {
        let times = if other.times == TimeStrings::Possible { self.times } else { other.times };
        Self {
            text: self.text && other.text,
            integer: self.integer && other.integer,
            fraction: self.fraction && other.fraction,
            boolean: self.boolean && other.boolean,
            list: self.list && other.list,
            object: self.object && other.object,
            times,
        }
    }

    fn is_something(self) -> bool {
        self.text || self.number() || self.boolean || self.list || self.object
    }

    fn number(self) -> bool {
        self.integer || self.fraction
    }

    /// The type of a column that shows all of them.
    fn suited(self) -> &'static str {
        match self {
            Self { list: true, .. } | Self { object: true, .. } => "string",
            Self {
                text: true,
                integer: false,
                fraction: false,
                boolean: false,
                times: TimeStrings::All,
                ..
            } => "date",
            Self { text: true, .. } => "string",
            Self { boolean: true, .. } if !self.number() => "boolean",
            Self { boolean: true, .. } => "string",
            Self { fraction: true, .. } => "number",
            _ => "integer",
        }
    }

    /// The name of the kind of values whose cells a column of type `declared` leaves empty.
    fn unseen(self, declared: &str) -> Option<&'static str> {
        let seen = |name| match name {
            "a string" => declared == "date",
            "a number" => matches!(declared, "integer" | "number"),
            "a boolean" => declared == "boolean",
            _ => false,
        };
        let kinds = [
            (self.list, "a list"),
            (self.object, "an object"),
            (self.text, "a string"),
            (self.number(), "a number"),
            (self.boolean, "a boolean"),
        ];
        kinds.into_iter().find(|(is_there, name)| *is_there && !seen(*name)).map(|(_, name)| name)
    }

    /// Whether a column of type `declared` shows the values of some kind unchanged.
    fn shows_some(self, declared: &str) -> bool {
        match declared {
            "integer" => self.integer,
            "number" => self.number(),
            "boolean" => self.boolean,
            _ => self.text && self.times != TimeStrings::Never,
        }
    }

    fn mismatch(self, declared: &str) -> Option<Mismatch> {
        let shown = match declared {
            "integer" => "whole numbers",
            "number" => "numbers",
            "boolean" => "`true` and `false`",
            "date" => "the age of times",
            // A column of type `string` shows all values, and unknown types are rejected.
            _ => return None,
        };
        let better = self.suited();
        let is_certain = !self.shows_some(declared) && !self.list && !self.object;
        let effect = match self.unseen(declared) {
            Some(kind) if self.shows_some(declared) => {
                format!(
                    "type `{declared}` shows {shown}, so the column is empty where the field holds {kind}"
                )
            }
            Some(kind) => {
                format!(
                    "type `{declared}` shows {shown}, but the field holds {kind}, so the column stays empty"
                )
            }
            None if declared == "date" && self.times == TimeStrings::Never => {
                format!("type `date` needs a time such as `{TIME}`, so the column shows `<invalid>`")
            }
            None if declared == "integer" && self.fraction => {
                "type `integer` drops fractions and shows 1 for 1.5".to_owned()
            }
            None => return None,
        };
        let message = Message::new(effect).advise(format!("use `type: {better}`"));
        Some(Mismatch { message, better, is_certain })
    }
}

/// Whether all numbers of `schema` are integers.
fn has_whole_factor(schema: &Schema<'_, '_>) -> bool {
    let factor = schema.get(Keyword::MultipleOf).and_then(yaml::Value::as_scalar);
    factor
        .and_then(|factor| factor.resolve().ok())
        .is_some_and(|factor| integer(&factor).is_some_and(|n| n > 0))
}

/// Whether the strings of `schema` are times, by the format or by a length that no time has.
fn times(schema: &Schema<'_, '_>) -> TimeStrings {
    let format = schema.string(Keyword::Format).and_then(|name| Format::named(&name));
    match format {
        Some(format) if Some(format) == Format::named("date-time") => return TimeStrings::All,
        Some(format) if !format.validates(TIME) => return TimeStrings::Never,
        _ => {}
    }
    let most = schema.get(Keyword::MaxLength).and_then(yaml::Value::as_scalar);
    let most = most.and_then(|most| integer(&most.resolve().ok()?));
    if most.is_some_and(|most| most < TIME.len() as i64) { TimeStrings::Never } else { TimeStrings::Possible }
}

/// The kinds of the values in `enum`; `None` if there is no `enum`, or if one of its values cannot be read.
fn listed(schema: &Schema<'_, '_>) -> Option<Cells> {
    schema.get(Keyword::Enum)?;
    let mut cells = Cells { times: TimeStrings::Never, ..Cells::default() };
    let mut are_known = true;
    for item in schema.items(Keyword::Enum) {
        are_known &= add_listed(item, schema, &mut cells);
    }
    are_known.then_some(cells)
}

/// Adds the kind of `item`. Returns whether it can be read.
fn add_listed(item: Item<'_>, schema: &Schema<'_, '_>, cells: &mut Cells) -> bool {
    let Some(value) = schema.reader().follow(item.value()) else { return false };
    match value.kind() {
        ValueKind::Mapping(_) => cells.object = true,
        ValueKind::Sequence(_) => cells.list = true,
        ValueKind::Scalar(scalar) => match scalar.resolve() {
            Ok(ResolvedScalar::Null) => {}
            Ok(ResolvedScalar::Bool(_)) => cells.boolean = true,
            Ok(ResolvedScalar::String(text)) => {
                cells.text = true;
                if Format::named("date-time").is_some_and(|format| format.validates(&text)) {
                    cells.times = TimeStrings::Possible;
                }
            }
            Ok(number) if integer(&number).is_some() => cells.integer = true,
            Ok(_) => cells.fraction = true,
            Err(_) => return false,
        },
        ValueKind::Alias(_) | ValueKind::Absent => return false,
    }
    true
}
