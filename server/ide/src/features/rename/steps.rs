//! Paths of the API that name a property: those of columns and subresources, and `fieldPath`.

use std::ops::Range;

use crd::jsonpath::{self, Located};
use text::{TextEdit, TextRange, TextSize};
use yaml::Scalar;
use yaml::scalar::ScalarStyle;

use crate::features::cel::{field_path_steps, place, step_text};
use crate::features::resources::PropertyStep;

/// The JSONPath `path` with the name `new` for the property at the end of `steps`; none where it does not lead through it.
pub(super) fn renamed_path(path: Scalar<'_>, steps: &[PropertyStep], new: &str) -> Option<TextEdit> {
    let text = path.text();
    let located = jsonpath::parse(&text).ok()??;
    // `@` and `$` stand for the object and are no steps.
    let mut located = located.iter();
    let mut steps = steps.iter();
    while let Some(step) = steps.next() {
        let Located { step: written, range } = located.next()?;
        match (step, written) {
            (PropertyStep::Field(name), jsonpath::PathStep::Field(other)) if name == other => {
                if steps.len() == 0 {
                    return Some(edit(path, range.clone(), &renamed_step(&text, range, new)));
                }
            }
            (PropertyStep::AnyKey, jsonpath::PathStep::Field(_) | jsonpath::PathStep::Wildcard) => {}
            (PropertyStep::AnyItem, jsonpath::PathStep::Elements | jsonpath::PathStep::Wildcard) => {}
            (PropertyStep::AnyItem, jsonpath::PathStep::Filter) => {
                if let [PropertyStep::Field(name)] = steps.as_slice()
                    && let Some(found) = in_filter(&text, range, name)
                {
                    return Some(edit(path, found, new));
                }
            }
            _ => return None,
        }
    }
    None
}

/// A step in the form of the one at `range`.
fn renamed_step(text: &str, range: &Range<usize>, new: &str) -> String {
    let in_brackets = text.get(range.clone()).is_some_and(|step| step.starts_with('['));
    if in_brackets {
        format!("['{}']", new.replace('\\', "\\\\").replace('\'', "\\'"))
    } else {
        step_text(new)
    }
}

/// The name in `[?(@.name=="x")]`.
fn in_filter(text: &str, range: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let filter = text.get(range.clone())?;
    let start = filter.find(&format!("@.{name}"))? + "@.".len();
    let end = start + name.len();
    let goes_on = |next: char| next.is_alphanumeric() || matches!(next, '_' | '-');
    let is_whole = !filter.get(end..)?.starts_with(goes_on);
    is_whole.then_some(range.start + start..range.start + end)
}

/// The `fieldPath` `path` of a rule with the name `new` for the property at the end of `steps`, which begin where the
/// rule stands.
pub(super) fn renamed_field_path(path: Scalar<'_>, steps: &[PropertyStep], new: &str) -> Option<TextEdit> {
    let text = path.text();
    let mut written = field_path_steps(&text)?.into_iter();
    let mut steps = steps.iter();
    while let Some(step) = steps.next() {
        let (name, range) = written.next()?;
        match step {
            PropertyStep::Field(other) if *other == name => {
                if steps.len() == 0 {
                    return Some(edit(path, range, &step_text(new)));
                }
            }
            PropertyStep::AnyKey => {}
            _ => return None,
        }
    }
    None
}

/// The bytes `part` of the scalar's text replaced.
pub(super) fn edit(scalar: Scalar<'_>, part: Range<usize>, new: &str) -> TextEdit {
    let written = match scalar.style() {
        ScalarStyle::SingleQuoted => new.replace('\'', "''"),
        ScalarStyle::DoubleQuoted => new.replace('\\', "\\\\").replace('"', "\\\""),
        _ => new.to_owned(),
    };
    let part = TextRange::new(part.start as TextSize, part.end as TextSize);
    TextEdit::replace(place(scalar).at(part, 0), written)
}
