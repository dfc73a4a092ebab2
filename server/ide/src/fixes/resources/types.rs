//! Edits that convert a value to the type that its schema requires.

use api::FieldType;
use text::{TextEdit, TextRange};
use yaml::Value;
use yaml::edit::NewValue;
use yaml::scalar::{ResolvedScalar, ScalarStyle};

use super::shapes::{self, Conversion, OneScalarList};
use super::{Draft, Site};
use crate::analysis::fix::Title;
use crate::analysis::resources::Shape;
use crate::analysis::resources::place::{ResourcePlace, Target};
use crate::fixes::mistyped::{self, Intended};

/// The ends of the names of fields with durations.
const OF_TIME: [&str; 6] = ["timeout", "interval", "duration", "period", "delay", "ttl"];

impl<'t> Site<'_, 't> {
    /// Converts the value to the required type.
    pub(super) fn other_type(&self) -> Option<Vec<Draft>> {
        self.type_of_scalar()
            .or_else(|| self.only_item())
            .or_else(|| self.shape())
            .or_else(|| self.only_scalar())
    }

    /// Converts a scalar to the required type: quotes make it a string, their removal gives it its plain
    /// type, brackets make it a list, and a colon after the name of a field makes it an object.
    fn type_of_scalar(&self) -> Option<Vec<Draft>> {
        let (place, value, scalar) = self.scalar()?;
        let wanted = match place.shape {
            Shape::Schema(node) if node.schema.extensions.int_or_string => "string",
            Shape::Schema(node) => &*node.schema.generic.type_name,
            Shape::Api(FieldType::String) => "string",
            _ if place.shape.is_object() => "object",
            _ => return None,
        };
        let text = scalar.text();
        let is_plain = scalar.style() == ScalarStyle::Plain;
        let draft = match wanted {
            _ if scalar.style().is_block() => return None,
            "object" => {
                let (title, entries) = shapes::fields_of(&place, scalar)?;
                self.replacing(value, title, NewValue::Mapping { entries, flow: false })
            }
            "string" if is_plain => {
                let quoted = self.draft(format!("Quote `{text}`"), |editor| editor.quote(value));
                let seconds = is_of_time(&place).then(|| self.seconds(value, &text)).flatten();
                return Some(seconds.into_iter().chain([quoted]).collect());
            }
            "boolean" | "integer" | "number" if is_plain => {
                let intended = match wanted {
                    "boolean" => Intended::Boolean,
                    "number" => Intended::Number,
                    _ => Intended::Integer,
                };
                let intended = mistyped::intended_value(&text, intended)?;
                let title = format!("Replace `{text}` with `{intended}`");
                self.replacing(value, title, NewValue::Raw(intended))
            }
            "boolean" | "integer" | "number" => {
                let new = reads_as(&text, wanted)?;
                // Some readers of YAML do not read `yes` as a boolean.
                let title = match new == text {
                    true => Title::removal(format_args!("the quotes around `{text}`")),
                    false => format!("Replace `{text}` with `{new}`").into(),
                };
                self.replacing(value, title, NewValue::Raw(new))
            }
            "array" => {
                let list = shapes::list_of(value, place.shape)?;
                self.replacing(value, format!("Convert `{text}` to a list"), list)
            }
            _ => return None,
        };
        Some(vec![draft])
    }

    /// Adds the unit to a number where a duration belongs, as Go's encoding of `metav1.Duration` requires.
    fn seconds(&self, value: Value<'t>, number: &str) -> Option<Draft> {
        let number = number.trim_end_matches('.');
        number.parse::<u32>().ok()?;
        let seconds = format!("{number}s");
        let title = format!("Replace `{number}` with `{seconds}`");
        Some(self.replacing(value, title, NewValue::Text(seconds)))
    }

    /// Converts an object to a list with one item.
    fn only_item(&self) -> Option<Vec<Draft>> {
        let place = self.place()?;
        let Target::Key(holder) = place.target else { return None };
        let entry = place.entry?;
        let value = entry.value();
        let mapping = value.as_mapping().filter(|_| value.anchor().is_none() && value.tag().is_none())?;
        let item = place.member?.shape.item()?;
        let mut keys = mapping.entries().map(|entry| entry.key_text());
        if !keys.all(|key| key.is_some_and(|key| item.member(&key).is_some())) {
            return None;
        }
        let edits = match mapping.is_flow() {
            true => {
                vec![TextEdit::insert(value.range().start, "["), TextEdit::insert(value.range().end, "]")]
            }
            // The dash takes two of the spaces before the first key, so that all other lines stay unchanged.
            false => {
                let outer = holder.as_mapping()?.column()?;
                mapping.column().filter(|column| *column >= outer + 2)?;
                let start = value.range().start;
                vec![TextEdit::replace(TextRange::new(start - 2, start), "- ")]
            }
        };
        let title = format!("Convert `{}` to a list of one item", entry.key_text()?);
        Some(vec![Draft { title: title.into(), edits: Ok(edits) }])
    }

    /// Converts the items of a list to keys, or keys to items.
    fn shape(&self) -> Option<Vec<Draft>> {
        let Conversion { title, value, new } = shapes::conversion(&self.place()?)?;
        Some(vec![self.replacing(value, title, new)])
    }

    /// Replaces a list in place of a scalar with its only item.
    fn only_scalar(&self) -> Option<Vec<Draft>> {
        let OneScalarList { list, item } = shapes::one_scalar_list(&self.place()?)?;
        let text = item.as_scalar()?.text();
        Some(vec![self.replacing(list, format!("Replace the list with `{text}`"), NewValue::Copy(item))])
    }
}

/// Whether the value is a duration, by its format or by the name of its field.
pub(super) fn is_of_time(place: &ResourcePlace<'_, '_>) -> bool {
    let format = place.shape.schema().map(|node| &*node.schema.value_validation.format);
    let name = place.entry.and_then(yaml::Entry::key_text).unwrap_or_default().to_lowercase();
    format == Some("duration") || OF_TIME.iter().any(|end| name.ends_with(end))
}

/// The form of `text` that the server reads, without quotes, as a value of type `wanted`.
fn reads_as(text: &str, wanted: &str) -> Option<String> {
    match (yaml::scalar::resolve(text.into(), ScalarStyle::Plain, None), wanted) {
        (Ok(ResolvedScalar::Bool(value)), "boolean") => Some(value.to_string()),
        (Ok(ResolvedScalar::Int(_)), "integer" | "number") | (Ok(ResolvedScalar::Float(_)), "number") => {
            Some(text.to_owned())
        }
        _ => None,
    }
}
