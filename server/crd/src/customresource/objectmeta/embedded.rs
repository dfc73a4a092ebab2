//! Embedded resources: their apiVersion, kind and metadata.

use api::{Difference, KubernetesVersion};

use super::validate::{NameRule, group_version, validate_object_meta};
use super::{decode_error, error_at, member_schema, normalized, unknown_fields};
use crate::customresource::error::{Facts, ValueError};
use crate::customresource::message::with_article;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::names::dns_1035_label;
use crate::printed::shortened;
use crate::report::ErrorType;
use crate::schema::structural::Structural;
use crate::value::{Kind, Map, Value};

/// Checks that apiVersion and kind of embedded resources are strings, and normalizes their metadata like the
/// server. Returns the paths of unknown fields in the metadata. Errors have the form of a server of `version`.
///
/// # Errors
/// Returns the first error in the order of keys; the server also stops at the first error, but in random order.
pub(crate) fn coerce(
    value: &mut Value,
    schema: &Structural,
    is_root: bool,
    prefix: &FieldPath,
    version: KubernetesVersion,
) -> Result<Vec<String>, Box<ValueError>> {
    let mut coercer = Coercer { prefix, version, path: FieldPath::root(), unknown: Vec::new() };
    coercer.value(value, schema, is_root)?;
    Ok(coercer.unknown)
}

struct Coercer<'p> {
    prefix: &'p FieldPath,
    version: KubernetesVersion,
    path: FieldPath,
    unknown: Vec<String>,
}

impl Coercer<'_> {
    fn value(
        &mut self,
        value: &mut Value,
        schema: &Structural,
        is_resource: bool,
    ) -> Result<(), Box<ValueError>> {
        match &mut value.kind {
            Kind::Map(map) => {
                if is_resource || schema.extensions.embedded_resource {
                    self.resource(map)?;
                }
                for (key, member) in map.iter_mut() {
                    let (below, segment) = member_schema(schema, key);
                    if let Some(below) = below {
                        self.path.push(segment);
                        self.value(&mut member.value, &below.node, false)?;
                        self.path.pop();
                    }
                }
            }
            Kind::List(items) => {
                let Some(below) = &schema.items else { return Ok(()) };
                for (index, item) in items.iter_mut().enumerate() {
                    self.path.push_index(index);
                    self.value(item, &below.node, false)?;
                    self.path.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn resource(&mut self, map: &mut Map) -> Result<(), Box<ValueError>> {
        for name in ["apiVersion", "kind"] {
            if let Some(member) = map.get(name).filter(|member| member.value.as_str().is_none()) {
                let path = self.path.child(name);
                let mut error = self.refused(&path, &member.value, "must be a string".to_owned());
                error.facts = no_string(name, &path, &member.value);
                return Err(error);
            }
        }
        let Some(member) = map.get_mut("metadata") else { return Ok(()) };
        let path = self.path.child("metadata");
        if let Some(unreadable) = decode_error(&member.value) {
            let error = unreadable.error(|text| *self.refused(&path, &member.value, text));
            return Err(Box::new(error));
        }
        self.unknown.extend(unknown_fields(&member.value, &path.to_string()));
        member.value = normalized(&member.value);
        Ok(())
    }

    fn refused(&self, path: &FieldPath, value: &Value, detail: String) -> Box<ValueError> {
        let mut error = error_at(self.prefix, path, ErrorType::Invalid, Some(value), detail);
        if !self.version.has(Difference::JsonInErrors) {
            error.bad_value = Some(shortened(value.go_syntax()));
        }
        Box::new(error)
    }
}

/// The server's errors for the embedded resources in `value`; with `is_root`, `value` is an embedded resource itself.
pub(crate) fn validate_embedded(
    value: &Value,
    schema: &Structural,
    is_root: bool,
    prefix: &FieldPath,
    version: KubernetesVersion,
) -> Vec<ValueError> {
    let mut validator = Validator { prefix, version, path: FieldPath::root(), errors: Vec::new() };
    validator.value(value, schema, is_root);
    validator.errors
}

struct Validator<'p> {
    prefix: &'p FieldPath,
    version: KubernetesVersion,
    path: FieldPath,
    errors: Vec<ValueError>,
}

impl Validator<'_> {
    fn value(&mut self, value: &Value, schema: &Structural, is_resource: bool) {
        match &value.kind {
            Kind::Map(map) => {
                if is_resource || schema.extensions.embedded_resource {
                    self.resource(value, map);
                }
                for (key, member) in map {
                    let (below, segment) = member_schema(schema, key);
                    if let Some(below) = below {
                        self.below(segment, &member.value, &below.node);
                    }
                }
            }
            Kind::List(items) => {
                let Some(below) = &schema.items else { return };
                for (index, item) in items.iter().enumerate() {
                    self.below(Segment::Index(index), item, &below.node);
                }
            }
            _ => {}
        }
    }

    fn below(&mut self, segment: Segment, value: &Value, schema: &Structural) {
        self.path.push(segment);
        self.value(value, schema, false);
        self.path.pop();
    }

    fn resource(&mut self, resource: &Value, map: &Map) {
        for name in ["apiVersion", "kind"] {
            let path = self.path.child(name);
            match map.get(name) {
                None => {
                    let detail = if self.version.has(Difference::DetailsWithoutField) {
                        ""
                    } else {
                        "must not be empty"
                    };
                    let mut error = error_at(self.prefix, &path, ErrorType::Required, None, detail);
                    error.place = resource.place;
                    self.errors.push(error);
                }
                Some(member) => {
                    if let Some(detail) = wrong_type_meta(name, &member.value) {
                        let value = Some(&member.value);
                        let mut error = error_at(self.prefix, &path, ErrorType::Invalid, value, detail);
                        if member.value.as_str().is_none() {
                            error.facts = no_string(name, &path, &member.value);
                        }
                        self.errors.push(error);
                    }
                }
            }
        }
        let Some(member) = map.get("metadata") else { return };
        let path = self.path.child("metadata");
        if let Some(unreadable) = decode_error(&member.value) {
            let value = Some(&member.value);
            let of_metadata = |text| error_at(self.prefix, &path, ErrorType::Invalid, value, text);
            self.errors.push(unreadable.error(of_metadata));
            return;
        }
        let metadata = normalized(&member.value);
        let errors = validate_object_meta(&metadata, NameRule::PathSegment, &path, self.prefix, self.version);
        self.errors.extend(errors);
    }
}

/// The message for an apiVersion or kind at `path` that is not a string.
fn no_string(name: &str, path: &FieldPath, value: &Value) -> Option<Facts> {
    let remedy = if name == "kind" { "write a kind such as `Pod`" } else { "write a version such as `v1`" };
    let problem = format!("`{path}` cannot be {}", with_article(value.type_name()));
    Facts::message(Message::new(problem).advise(remedy))
}

/// The server's detail for an invalid apiVersion or kind.
fn wrong_type_meta(name: &str, value: &Value) -> Option<String> {
    let Some(text) = value.as_str() else { return Some("must be a string".to_owned()) };
    if text.is_empty() {
        return Some("must not be empty".to_owned());
    }
    if name == "apiVersion" {
        return group_version(text).is_none().then(|| format!("unexpected GroupVersion string: {text}"));
    }
    let messages = dns_1035_label(&text.to_lowercase());
    let words = "may have mixed case, but should otherwise match: ";
    (!messages.is_empty()).then(|| format!("{words}{}", messages.join(",")))
}
