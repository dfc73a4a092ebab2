//! Paths of the API that name a property: those of columns and subresources, and `fieldPath`.

use std::ops::Range;

use crd::jsonpath::{self, LocatedStep};
use text::{TextEdit, TextRange, TextSize};
use yaml::Scalar;
use yaml::scalar::ScalarStyle;

use crate::features::cel::{field_path_steps, place, step_text};
use crate::features::mentions::name_in_step;
use crate::features::resources::PropertyStep;

/// A kind of path.
#[derive(Clone, Copy)]
pub(super) enum PathForm {
    /// The path of a column or of a subresource.
    JsonPath,
    /// `fieldPath`.
    FieldPath,
}

impl PathForm {
    /// The bytes of `path` that name the property at the end of `steps`: a step, or a name in a filter.
    /// `None` if the path does not lead through the property.
    fn step(self, path: &str, steps: &[PropertyStep]) -> Option<Range<usize>> {
        match self {
            Self::JsonPath => step_of_json_path(path, steps),
            Self::FieldPath => step_of_field_path(path, steps),
        }
    }

    /// The edit that renames the property at the end of `steps` to `new` in `path`, if the path leads through
    /// the property.
    pub(super) fn renamed(self, path: Scalar<'_>, steps: &[PropertyStep], new: &str) -> Option<TextEdit> {
        let text = path.text();
        let step = self.step(&text, steps)?;
        let written = match (self, text.get(step.clone())?.chars().next()?) {
            (Self::JsonPath, '[') => {
                format!("['{}']", new.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            (Self::JsonPath, '.') | (Self::FieldPath, _) => step_text(new),
            (Self::JsonPath, _) => new.to_owned(),
        };
        Some(edit(path, step, &written))
    }

    /// The range of the property `name` at the end of `steps` in `path`, in bytes of the file.
    pub(super) fn name(self, path: Scalar<'_>, steps: &[PropertyStep], name: &str) -> Option<TextRange> {
        let text = path.text();
        let range = name_in_step(&text, &self.step(&text, steps)?, name);
        let range = TextRange::new(range.start as TextSize, range.end as TextSize);
        Some(place(path).range_of(range, 0))
    }
}

fn step_of_json_path(path: &str, steps: &[PropertyStep]) -> Option<Range<usize>> {
    let located = jsonpath::parse(path).ok()??;
    // `@` and `$` mean the object and are not steps.
    let mut located = located.iter();
    let mut steps = steps.iter();
    while let Some(step) = steps.next() {
        let LocatedStep { step: written, range } = located.next()?;
        match (step, written) {
            (PropertyStep::Field(name), jsonpath::PathStep::Field(other)) if name == other => {
                if steps.len() == 0 {
                    return Some(range.clone());
                }
            }
            (PropertyStep::AnyKey, jsonpath::PathStep::Field(_) | jsonpath::PathStep::Wildcard) => {}
            (PropertyStep::AnyItem, jsonpath::PathStep::Elements | jsonpath::PathStep::Wildcard) => {}
            (PropertyStep::AnyItem, jsonpath::PathStep::Filter(_)) => {
                if let [PropertyStep::Field(name)] = steps.as_slice()
                    && let Some(found) = in_filter(path, range, name)
                {
                    return Some(found);
                }
            }
            _ => return None,
        }
    }
    None
}

/// The name in `[?(@.name=="x")]`.
fn in_filter(text: &str, range: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let filter = text.get(range.clone())?;
    let start = filter.find(&format!("@.{name}"))? + "@.".len();
    let end = start + name.len();
    let continues_name = |next: char| next.is_alphanumeric() || matches!(next, '_' | '-');
    let is_whole = !filter.get(end..)?.starts_with(continues_name);
    is_whole.then_some(range.start + start..range.start + end)
}

/// `steps` are relative to the schema of the rule.
fn step_of_field_path(path: &str, steps: &[PropertyStep]) -> Option<Range<usize>> {
    let mut written = field_path_steps(path)?.into_iter();
    let mut steps = steps.iter();
    while let Some(step) = steps.next() {
        let (name, range) = written.next()?;
        match step {
            PropertyStep::Field(other) if *other == name => {
                if steps.len() == 0 {
                    return Some(range);
                }
            }
            PropertyStep::AnyKey => {}
            _ => return None,
        }
    }
    None
}

/// The edit that replaces the bytes `part` of the scalar's text.
pub(super) fn edit(scalar: Scalar<'_>, part: Range<usize>, new: &str) -> TextEdit {
    let written = match scalar.style() {
        ScalarStyle::SingleQuoted => new.replace('\'', "''"),
        ScalarStyle::DoubleQuoted => new.replace('\\', "\\\\").replace('"', "\\\""),
        _ => new.to_owned(),
    };
    let part = TextRange::new(part.start as TextSize, part.end as TextSize);
    TextEdit::replace(place(scalar).range_of(part, 0), written)
}
