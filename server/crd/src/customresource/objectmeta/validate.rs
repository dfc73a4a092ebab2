//! `ValidateObjectMeta` on create.

use api::{Difference, KubernetesVersion};

use super::error_at;
use crate::customresource::error::{Facts, ValueError};
use crate::field_path::FieldPath;
use crate::names::{dns_1123_subdomain, in_words, label_key, label_value, path_segment};
use crate::printed::{json_string, list, shortened};
use crate::report::ErrorType::{self, Invalid, NotSupported, Required, TooLong};
use crate::value::{Kind, Place, Value, quoted};

/// The maximum total size of annotations, in bytes.
const ANNOTATIONS_SIZE: usize = 256 * 1024;

/// The requirements for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// Required, a DNS subdomain: for custom resources.
    Subdomain {
        /// Whether the resource belongs to a namespace.
        namespaced: bool,
    },
    /// Required, a segment of a URL path: for resources that are updated.
    Kept {
        /// Whether the resource belongs to a namespace.
        namespaced: bool,
    },
    /// Optional, a segment of a URL path: for embedded resources.
    PathSegment,
}

impl NameRule {
    fn messages(self, name: &str, is_prefix: bool) -> Vec<String> {
        match self {
            // The dash at the end of a prefix will not be at the end of the name.
            Self::Subdomain { .. } if is_prefix => match name.strip_suffix('-') {
                Some(rest) if !rest.is_empty() => dns_1123_subdomain(&format!("{rest}a")),
                _ => dns_1123_subdomain(name),
            },
            Self::Subdomain { .. } => dns_1123_subdomain(name),
            Self::Kept { .. } | Self::PathSegment => path_segment(name, is_prefix),
        }
    }
}

/// The server's errors on `metadata` at `path`, after it was decoded.
pub(crate) fn validate_object_meta(
    metadata: &Value,
    names: NameRule,
    path: &FieldPath,
    prefix: &FieldPath,
    version: KubernetesVersion,
) -> Vec<ValueError> {
    let mut errors = validate_names(metadata, names, path, prefix, version);
    errors.extend(validate_unnamed(metadata, path, prefix, version));
    errors
}

/// The server's errors on the names in `metadata`.
pub(crate) fn validate_names(
    metadata: &Value,
    names: NameRule,
    path: &FieldPath,
    prefix: &FieldPath,
    version: KubernetesVersion,
) -> Vec<ValueError> {
    let mut meta = MetadataValidator { metadata, path, prefix, version, errors: Vec::new() };
    meta.names(names);
    meta.errors
}

/// The server's errors on the other fields of `metadata`.
pub(crate) fn validate_unnamed(
    metadata: &Value,
    path: &FieldPath,
    prefix: &FieldPath,
    version: KubernetesVersion,
) -> Vec<ValueError> {
    let mut meta = MetadataValidator { metadata, path, prefix, version, errors: Vec::new() };
    meta.labels();
    meta.annotations();
    meta.owner_references();
    meta.finalizers();
    meta.managed_fields();
    meta.errors
}

struct MetadataValidator<'m> {
    metadata: &'m Value,
    path: &'m FieldPath,
    prefix: &'m FieldPath,
    version: KubernetesVersion,
    errors: Vec<ValueError>,
}

impl<'m> MetadataValidator<'m> {
    fn text(&self, name: &str) -> &'m str {
        self.metadata.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn add(&mut self, error: ErrorType, path: &FieldPath, value: Option<&Value>, detail: impl Into<String>) {
        let mut error = error_at(self.prefix, path, error, value, detail);
        error.place = error.place.or(self.metadata.place);
        self.errors.push(error);
    }

    fn names(&mut self, rule: NameRule) {
        for (name, is_prefix) in [("generateName", true), ("name", false)] {
            let value = self.metadata.get(name);
            let text = self.text(name);
            if text.is_empty() {
                continue;
            }
            let is_generated = !is_prefix && value.is_some_and(|value| value.place == Place::Nowhere);
            for detail in rule.messages(text, is_prefix) {
                // The generated name is not in the text.
                let message = is_generated
                    .then(|| in_words("a name from this `generateName`, such as", &quoted(text), &detail));
                self.add(Invalid, &self.path.child(name), value, detail);
                if let (Some(message), Some(error)) = (message.flatten(), self.errors.last_mut()) {
                    error.facts = Facts::message(message);
                }
            }
        }
        let path = self.path.child("name");
        if self.text("name").is_empty() && rule != NameRule::PathSegment {
            self.add(Required, &path, None, "name or generateName is required");
        }
        let path = self.path.child("namespace");
        let namespace = self.metadata.get("namespace");
        match (rule, self.text("namespace")) {
            (NameRule::PathSegment, "") => {}
            (NameRule::Subdomain { namespaced: false } | NameRule::Kept { namespaced: false }, _) => {}
            (NameRule::Subdomain { namespaced: true } | NameRule::Kept { namespaced: true }, "") => {
                self.add(Required, &path, None, "")
            }
            (_, text) => {
                for detail in dns_1123_label(text) {
                    self.add(Invalid, &path, namespace, detail);
                }
            }
        }
        if let Some(value @ Value { kind: Kind::Int(..0), .. }) = self.metadata.get("generation") {
            let path = self.path.child("generation");
            self.add(Invalid, &path, Some(value), "must be greater than or equal to 0");
        }
    }

    fn labels(&mut self) {
        let path = self.path.child("labels");
        for (key, member) in self.metadata.get("labels").and_then(Value::as_map).into_iter().flatten() {
            let at_key = Value { place: member.key, kind: Kind::String(key.clone()) };
            for detail in label_key(key, self.version) {
                self.add(Invalid, &path, Some(&at_key), detail);
            }
            for detail in label_value(member.value.as_str().unwrap_or_default(), self.version) {
                self.add(Invalid, &path, Some(&member.value), detail);
            }
        }
    }

    fn annotations(&mut self) {
        let path = self.path.child("annotations");
        let annotations = self.metadata.get("annotations");
        let mut size = 0;
        for (key, member) in annotations.and_then(Value::as_map).into_iter().flatten() {
            size += key.len() + member.value.as_str().map_or(0, str::len);
            let at_key = Value { place: member.key, kind: Kind::String(key.clone()) };
            for detail in label_key(&key.to_lowercase(), self.version) {
                self.add(Invalid, &path, Some(&at_key), detail);
            }
        }
        if size > ANNOTATIONS_SIZE {
            let words = if self.version.has(Difference::TooLongWords) {
                "may not be more than"
            } else {
                "must have at most"
            };
            let place = annotations.map(|value| value.place).unwrap_or_default();
            self.add(TooLong, &path, None, format!("{words} {ANNOTATIONS_SIZE} bytes"));
            if let Some(error) = self.errors.last_mut() {
                error.place = place;
            }
        }
    }

    fn owner_references(&mut self) {
        let path = self.path.child("ownerReferences");
        let references = self.metadata.get("ownerReferences");
        let mut controller: Option<String> = None;
        for (index, owner) in references.and_then(Value::as_list).into_iter().flatten().enumerate() {
            self.owner_reference(owner, &path.index(index));
            if owner.get("controller").is_none_or(|value| value.kind != Kind::Bool(true)) {
                continue;
            }
            let text = |name| owner.get(name).and_then(Value::as_str).unwrap_or_default();
            let name = format!("{}/{}", text("kind"), text("name"));
            match &controller {
                None => controller = Some(name),
                Some(first) => {
                    let detail = format!(
                        "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                    );
                    self.add(Invalid, &path, references, detail);
                    self.show(printed_owners(references));
                }
            }
        }
    }

    fn owner_reference(&mut self, owner: &Value, path: &FieldPath) {
        let text = |name| owner.get(name).and_then(Value::as_str).unwrap_or_default();
        let api_version = text("apiVersion");
        let parsed = group_version(api_version).filter(|(_, version)| !version.is_empty());
        let has_old_texts = !self.version.has(Difference::OwnerReferenceFields);
        if api_version.is_empty() && !has_old_texts {
            self.add(Required, &path.child("apiVersion"), None, "must not be empty");
        } else if parsed.is_none() {
            let detail = if has_old_texts {
                "version must not be empty"
            } else {
                "must be <group>/<version> or <version>"
            };
            self.add(Invalid, &path.child("apiVersion"), owner.get("apiVersion"), detail);
        }
        for name in ["kind", "name", "uid"].into_iter().filter(|name| text(name).is_empty()) {
            self.add(Required, &path.child(name), None, "must not be empty");
        }
        if parsed == Some(("", "v1")) && text("kind") == "Event" {
            self.add(Invalid, path, Some(owner), "/v1, Kind=Event is disallowed from being an owner");
            self.show(shortened(printed_owner(owner)));
        }
    }

    /// Replaces the value that the last error shows.
    fn show(&mut self, value: String) {
        if let Some(error) = self.errors.last_mut() {
            error.bad_value = Some(value);
        }
    }

    fn finalizers(&mut self) {
        let path = self.path.child("finalizers");
        let finalizers = self.metadata.get("finalizers");
        let items = finalizers.and_then(Value::as_list).unwrap_or_default();
        for item in items {
            for detail in label_key(item.as_str().unwrap_or_default(), self.version) {
                self.add(Invalid, &path, Some(item), detail);
            }
        }
        let has = |name| items.iter().any(|item| item.as_str() == Some(name));
        if has("orphan") && has("foregroundDeletion") {
            let detail = "finalizer orphan and foregroundDeletion cannot be both set";
            self.add(Invalid, &path, finalizers, detail);
        }
    }

    fn managed_fields(&mut self) {
        let path = self.path.child("managedFields");
        let entries = self.metadata.get("managedFields").and_then(Value::as_list).unwrap_or_default();
        for (index, entry) in entries.iter().enumerate() {
            let path = path.index(index);
            let text = |name| entry.get(name).and_then(Value::as_str).unwrap_or_default();
            if !matches!(text("operation"), "Apply" | "Update") {
                let detail = "supported values: \"Apply\", \"Update\"";
                self.add(NotSupported, &path.child("operation"), entry.get("operation"), detail);
            }
            if !matches!(text("fieldsType"), "" | "FieldsV1") {
                let value = entry.get("fieldsType");
                self.add(Invalid, &path.child("fieldsType"), value, "must be `FieldsV1`");
            }
        }
    }
}

fn printed_owners(references: Option<&Value>) -> String {
    let items = references.and_then(Value::as_list).unwrap_or_default();
    list(items.iter().map(printed_owner))
}

/// An owner as Go prints the struct: its fields in the order of the type.
fn printed_owner(owner: &Value) -> String {
    let texts = ["apiVersion", "kind", "name", "uid"].map(|name| {
        let text = owner.get(name).and_then(Value::as_str).unwrap_or_default();
        format!("\"{name}\":{}", json_string(text))
    });
    let flag = |name| match owner.get(name)?.kind {
        Kind::Bool(flag) => Some(format!("\"{name}\":{flag}")),
        _ => None,
    };
    let flags = ["controller", "blockOwnerDeletion"].into_iter().filter_map(flag);
    format!("{{{}}}", texts.into_iter().chain(flags).collect::<Vec<_>>().join(","))
}

/// The group and the version of an `apiVersion`; `None` if it has two slashes. `/` has neither, which is
/// valid.
pub(super) fn group_version(text: &str) -> Option<(&str, &str)> {
    match text.split('/').collect::<Vec<_>>().as_slice() {
        _ if text == "/" => Some(("", "")),
        [version] => Some(("", version)),
        [group, version] => Some((group, version)),
        _ => None,
    }
}

/// `IsDNS1123Label`.
fn dns_1123_label(value: &str) -> Vec<String> {
    let mut messages = Vec::new();
    if value.len() > 63 {
        messages.push("must be no more than 63 characters".to_owned());
    }
    if !crate::formats::is_dns_label(value) {
        let is_subdomain = value.split('.').all(crate::formats::is_dns_label);
        messages.push(match is_subdomain {
            true => "must not contain dots".to_owned(),
            false => "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')".to_owned(),
        });
    }
    messages
}
