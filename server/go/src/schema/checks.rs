//! Requirements of single markers on a schema, and their results.

use std::sync::Arc;

use super::collect::PlacedMarker;
use super::generator::Crash;
use super::model::{ExternalDocs, FAILED, Rule, Schema};
use super::problem::{Misfit, ProblemKind};
use crate::marker::{Data, Marker, Meaning};
use crate::strings::quoted;

/// Why a marker is rejected.
pub(super) enum MarkerRefusal {
    /// With a problem at its name, or at the value of an argument.
    With {
        argument: Option<&'static str>,
        kind: ProblemKind,
        message: String,
    },
    Crash(Crash),
}

impl MarkerRefusal {
    /// Rejects the marker itself.
    pub(super) fn marker(kind: ProblemKind, message: impl Into<String>) -> Self {
        Self::With { argument: None, kind, message: message.into() }
    }

    /// Rejects the value of an argument.
    pub(super) fn value(argument: &'static str, kind: ProblemKind, message: String) -> Self {
        Self::With { argument: Some(argument), kind, message }
    }

    /// Rejects a marker on a value of another type.
    pub(super) fn misplaced(applies_to: &'static str, on: &Schema, message: impl Into<String>) -> Self {
        let has_failed = on.causes.iter().any(|cause| cause.keyword == FAILED);
        let found = match (&*on.kind, &on.reference) {
            ("", None) if has_failed => Misfit::Failed,
            ("", Some(reference)) => Misfit::Type(Arc::clone(&reference.id.name)),
            ("array", Some(reference)) if applies_to == "lists" => {
                Misfit::ListType(Arc::clone(&reference.id.name))
            }
            ("string", _) => Misfit::Kind("a string"),
            ("integer", _) => Misfit::Kind("an integer"),
            ("number", _) => Misfit::Kind("a number"),
            ("boolean", _) => Misfit::Kind("a boolean"),
            ("array", _) => Misfit::Kind("a list"),
            ("object", _) => Misfit::Kind("an object"),
            ("", None) => Misfit::Kind("a value of any type"),
            // A word that is not a type is a separate problem.
            _ => Misfit::Failed,
        };
        Self::marker(ProblemKind::Misplaced { applies_to, found }, message)
    }
}

fn is_numeric(schema: &Schema) -> bool {
    matches!(&*schema.kind, "integer" | "number")
}

pub(super) fn numeric(schema: &Schema, name: &str) -> Result<(), MarkerRefusal> {
    if is_numeric(schema) {
        return Ok(());
    }
    let message = format!("must apply {name} to a numeric value, found {}", schema.kind);
    Err(MarkerRefusal::misplaced("numbers", schema, message))
}

pub(super) fn bound(schema: &Schema, marker: &Marker, name: &str) -> Result<f64, MarkerRefusal> {
    numeric(schema, name)?;
    let value = match marker.argument("").map(|value| &value.data) {
        Some(Data::Number(number)) => *number,
        _ => 0.0,
    };
    if schema.kind == "integer" && (value.fract() != 0.0 || !value.is_finite()) {
        let shown = format_number(value);
        let message = format!("cannot apply non-integral {name} validation ({shown}) to integer value");
        return Err(MarkerRefusal::value("", ProblemKind::NotInteger, message));
    }
    if !value.is_finite() {
        let message = format!("{name} {} cannot be written as JSON", format_number(value));
        return Err(MarkerRefusal::value("", ProblemKind::Other, message));
    }
    Ok(value)
}

/// A number as printed by Go's `%v`.
fn format_number(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let text = format!("{value:e}");
    match text
        .split_once('e')
        .and_then(|(mantissa, exponent)| Some((mantissa, exponent.parse::<i32>().ok()?)))
    {
        Some((mantissa, exponent)) if !(-4..21).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        _ => format!("{value}"),
    }
}

pub(super) fn text(schema: &Schema, name: &str, textual: bool) -> Result<(), MarkerRefusal> {
    let is_pattern = name == "pattern";
    if schema.kind == "string" || schema.int_or_string && (textual || is_pattern) {
        return Ok(());
    }
    let message = if textual {
        format!("must apply {name} to a textual value, found type {}", quoted(&schema.kind))
    } else {
        let allowed = if is_pattern { "`string` or `IntOrString`" } else { "string" };
        format!("must apply {name} to a {allowed}")
    };
    Err(MarkerRefusal::misplaced("strings", schema, message))
}

pub(super) fn list(schema: &Schema, message: impl Into<String>) -> Result<(), MarkerRefusal> {
    if schema.kind == "array" { Ok(()) } else { Err(MarkerRefusal::misplaced("lists", schema, message)) }
}

pub(super) fn object(schema: &Schema, message: &str) -> Result<(), MarkerRefusal> {
    if schema.kind == "object" {
        Ok(())
    } else {
        Err(MarkerRefusal::misplaced("objects and maps", schema, message))
    }
}

pub(super) fn one_word(
    marker: &Marker,
    known: &'static [&'static str],
    message: &str,
) -> Result<String, MarkerRefusal> {
    let written = marker.text("").to_owned();
    if known.contains(&&*written) {
        return Ok(written);
    }
    let kind = ProblemKind::Word { of: marker.known.name(), written, known };
    Err(MarkerRefusal::value("", kind, message.to_owned()))
}

pub(super) fn int(marker: &Marker) -> Option<i64> {
    match marker.argument("").map(|value| &value.data) {
        Some(Data::Int(number)) => Some(*number),
        _ => None,
    }
}

pub(super) fn flag(marker: &Marker) -> bool {
    matches!(marker.argument("").map(|value| &value.data), Some(Data::Bool(true)))
}

pub(super) fn simple_rule(marked: &PlacedMarker, rule: String, message: String) -> Rule {
    Rule {
        rule,
        message,
        message_expression: String::new(),
        reason: String::new(),
        field_path: String::new(),
        optional_old_self: None,
        place: Some(marked.place),
    }
}

/// The reasons that the server may give for a value that a rule rejects.
const REASONS: [&str; 4] =
    ["FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"];

pub(super) fn rule(marked: &PlacedMarker) -> Result<Rule, MarkerRefusal> {
    let marker = &marked.marker;
    let text = |name| marker.text(name).to_owned();
    let reason = text("reason");
    if !reason.is_empty() && !REASONS.contains(&&*reason) {
        let [required, invalid, forbidden, duplicate] = REASONS;
        let message = format!(
            "invalid reason {reason}, valid values are {required}, {invalid}, {forbidden} and {duplicate}"
        );
        let kind = ProblemKind::Word { of: "reason".to_owned(), written: reason, known: &REASONS };
        return Err(MarkerRefusal::value("reason", kind, message));
    }
    let optional_old_self = match marker.argument("optionalOldSelf").map(|value| &value.data) {
        Some(Data::Bool(flag)) => Some(*flag),
        _ => None,
    };
    Ok(Rule {
        rule: text("rule"),
        message: text("message"),
        message_expression: text("messageExpression"),
        reason,
        field_path: text("fieldPath"),
        optional_old_self,
        place: Some(marked.place),
    })
}

pub(super) fn one_of(marked: &PlacedMarker, sums: bool) -> Option<Rule> {
    let fields = marked.marker.texts("");
    if fields.is_empty() {
        return None;
    }
    let count = if sums {
        let summands: Vec<String> = fields.iter().map(|field| format!("(has(self.{field})?1:0)")).collect();
        summands.join("+")
    } else {
        let flags: Vec<String> = fields.iter().map(|field| format!("has(self.{field})")).collect();
        format!("[{}].filter(x,x==true).size()", flags.join(","))
    };
    let listed = fields.join(" ");
    let (rule, message) = match marked.marker.meaning() {
        Meaning::AtMostOneOf => {
            (format!("{count} <= 1"), format!("at most one of the fields in [{listed}] may be set"))
        }
        Meaning::ExactlyOneOf => {
            (format!("{count} == 1"), format!("exactly one of the fields in [{listed}] must be set"))
        }
        _ => {
            let rule = if sums {
                let flags: Vec<String> = fields.iter().map(|field| format!("has(self.{field})")).collect();
                flags.join("||")
            } else {
                format!("{count} >= 1")
            };
            (rule, format!("at least one of the fields in [{listed}] must be set"))
        }
    };
    Some(simple_rule(marked, rule, message))
}

/// `k8s:required`: a value must not be empty.
pub(super) fn at_least_one(schema: &mut Schema) {
    match &*schema.kind {
        "string" => {
            schema.min_length.get_or_insert(1);
        }
        "array" => {
            schema.min_items.get_or_insert(1);
        }
        "object" => {
            schema.min_properties.get_or_insert(1);
        }
        _ if schema.reference.is_some() => {
            schema.min_properties.get_or_insert(1);
        }
        _ => {}
    }
}

pub(super) fn external_docs(schema: &mut Schema, marker: &Marker) -> Result<(), MarkerRefusal> {
    let url = marker.text("url");
    if let Some(reason) = refused_url(url) {
        let shown = quoted(url);
        let message =
            format!("invalid url {shown} in kubebuilder:externalDocs marker: parse {shown}: {reason}");
        return Err(MarkerRefusal::value("url", ProblemKind::Url, message));
    }
    schema.external_docs = Some(Box::new(ExternalDocs {
        url: url.to_owned(),
        description: marker.text("description").to_owned(),
    }));
    Ok(())
}

/// Why Go's `url.ParseRequestURI` rejects a text.
fn refused_url(url: &str) -> Option<&'static str> {
    if url.chars().any(|ch| (ch as u32) < 0x20 || ch == '\u{7f}') {
        return Some("net/url: invalid control character in URL");
    }
    if url.is_empty() {
        return Some("empty url");
    }
    if url == "*" || url.starts_with('/') {
        return None;
    }
    let scheme_len = url.find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '+' | '-' | '.')));
    match scheme_len.map(|len| (len, url.get(len..).unwrap_or(""))) {
        Some((0, rest)) if rest.starts_with(':') => Some("missing protocol scheme"),
        Some((_, rest)) if rest.starts_with(':') && url.starts_with(|ch: char| ch.is_ascii_alphabetic()) => {
            None
        }
        _ => Some("invalid URI for request"),
    }
}
