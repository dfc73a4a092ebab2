//! Repairs of bounds that no value satisfies or that do not fit their number format, and of patterns in
//! foreign syntax.

use api::Code;
use crd::schema::{Keyword, PatternSlip, Schema, pattern_slip};
use yaml::Value;
use yaml::edit::NewValue;

use super::super::plan::Change;
use super::keywords::dropped;
use super::site::Site;
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{string, text};

pub(super) const REPAIRS: &[(Code, Repairer)] =
    &[(Code::LintBounds, no_value), (Code::LintIntegerRange, out_of_range), (Code::LintPattern, slip)];

/// The bound with the finding: its schema, its keyword and its value.
fn bound<'r, 't>(site: &Site<'_, 'r, 't>) -> Option<(Schema<'r, 't>, Keyword, Value<'t>)> {
    let (_, entry) = site.entry()?;
    let keyword = Keyword::parse(&entry.key_text()?)?;
    Some((site.schema_with(keyword)?, keyword, entry.value()))
}

fn number(value: Value<'_>) -> Option<f64> {
    value.as_scalar()?.text().parse().ok()
}

fn number_text(value: Value<'_>) -> Option<String> {
    Some(value.as_scalar()?.text().into_owned())
}

/// Changes the number of a bound.
fn set<'t>(value: Value<'t>, keyword: Keyword, new: &str) -> Repair<'t> {
    let title = format!("Set `{}: {new}`", keyword.as_str());
    Repair::suggested(title, vec![Change::Replace(value, NewValue::Raw(new.to_owned()))])
}

fn no_value<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((schema, keyword, value)) = bound(site) else { return Vec::new() };
    let mut repairs = Vec::new();
    repairs.extend(swapped(&schema, keyword));
    if matches!(keyword, Keyword::Minimum | Keyword::Maximum)
        && let Some(number) = number(value).filter(|number| number.fract() != 0.0)
    {
        let whole = if keyword == Keyword::Minimum { number.ceil() } else { number.floor() };
        repairs.push(set(value, keyword, &format!("{whole:.0}")));
    }
    if matches!(keyword, Keyword::MultipleOf | Keyword::ExclusiveMinimum | Keyword::ExclusiveMaximum)
        || repairs.is_empty()
    {
        repairs.extend(dropped(&schema, keyword, false));
    }
    repairs
}

/// Swaps two bounds, so that some values satisfy both.
fn swapped<'t>(schema: &Schema<'_, 't>, keyword: Keyword) -> Option<Repair<'t>> {
    let (lower, upper) =
        Keyword::BOUNDS.into_iter().find(|(lower, upper)| [*lower, *upper].contains(&keyword))?;
    let (least, most) = (schema.get(lower)?, schema.get(upper)?);
    let (low, high) = (number(least)?, number(most)?);
    if low <= high || high < 0.0 && lower != Keyword::Minimum {
        return None;
    }
    let title = format!(
        "Change to `{}: {}` and `{}: {}`",
        lower.as_str(),
        number_text(most)?,
        upper.as_str(),
        number_text(least)?
    );
    let changes = vec![
        Change::Replace(least, NewValue::Raw(number_text(most)?)),
        Change::Replace(most, NewValue::Raw(number_text(least)?)),
    ];
    Some(Repair::suggested(title, changes))
}

fn out_of_range<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((schema, keyword, value)) = bound(site) else { return Vec::new() };
    let format = schema.entry(Keyword::Format).map(|entry| entry.value());
    let is_int32 = format.and_then(string).is_some_and(|format| format == "int32");
    let Some(number) = number(value) else { return Vec::new() };
    let mut repairs = Vec::new();
    if let Some(format) = format.filter(|_| is_int32 && number.abs() < 9.3e18) {
        let change = Change::Replace(format, text("int64"));
        repairs.push(Repair::suggested(
            Title::wider_integer("Change `format: int32` to `format: int64`"),
            vec![change],
        ));
    }
    let limit = match (is_int32, number < 0.0) {
        (true, true) => i64::from(i32::MIN),
        (true, false) => i64::from(i32::MAX),
        (false, true) => i64::MIN,
        (false, false) => i64::MAX,
    };
    repairs.push(set(value, keyword, &limit.to_string()));
    repairs
}

/// Converts the pattern to the syntax of RE2.
fn slip<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((_, _, value)) = bound(site) else { return Vec::new() };
    let Some((slip, corrected)) = string(value).as_deref().and_then(pattern_slip) else { return Vec::new() };
    let title = match slip {
        PatternSlip::Slashes => Title::removal("the slashes around the expression"),
        PatternSlip::Escaped(class) => format!("Change `\\\\{class}` to `\\{class}`").into(),
    };
    vec![Repair::suggested(title, vec![Change::Replace(value, text(corrected))])]
}
