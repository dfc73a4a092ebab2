//! The report on a document.

use api::{Code, Severity};

/// The beginning of the server's list of supported values of a field.
pub(crate) const SUPPORTED_VALUES: &str = "supported values: ";

/// Adds the field to a detail of the server that begins with a verb; the server names the field only in the
/// path before the detail.
pub(crate) fn with_subject(field: &str, detail: &str) -> String {
    let name = field.rsplit('.').next().unwrap_or(field);
    let name = name.split('[').next().unwrap_or(name);
    let is_verb = |word: &str| matches!(word, "must" | "cannot" | "should" | "may" | "can" | "is");
    if name.is_empty() || !detail.split(' ').next().is_some_and(is_verb) {
        return detail.to_owned();
    }
    format!("`{name}` {detail}")
}

/// The server's kinds of errors on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorType {
    /// The field is missing or empty.
    Required,
    /// The field may not be set.
    Forbidden,
    /// The value is wrong.
    Invalid,
    /// The value is of a wrong type.
    TypeInvalid,
    /// The value was used before.
    Duplicate,
    /// The value is not one of the supported values.
    NotSupported,
    /// The text or object is too long.
    TooLong,
    /// The list has too many items.
    TooMany,
    /// The server could not decide.
    Internal,
}

impl ErrorType {
    /// The type as the API's `causes` name it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Forbidden => "FieldValueForbidden",
            Self::Invalid => "FieldValueInvalid",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::Duplicate => "FieldValueDuplicate",
            Self::NotSupported => "FieldValueNotSupported",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::Internal => "InternalError",
        }
    }
}

impl ErrorType {
    /// The type as it is printed in messages.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Forbidden => "Forbidden",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::Duplicate => "Duplicate value",
            Self::NotSupported => "Unsupported value",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::Internal => "Internal error",
        }
    }

    /// Whether the message contains the wrong value.
    #[must_use]
    pub fn prints_value(self) -> bool {
        match self {
            Self::Required | Self::Forbidden | Self::TooLong | Self::Internal => false,
            Self::Invalid | Self::TypeInvalid | Self::Duplicate | Self::NotSupported | Self::TooMany => true,
        }
    }
}

/// The form of an answer of kube-apiserver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerKind {
    /// An error of validation: status 422, with a type, a field and a detail.
    #[default]
    Error,
    /// An error of strict decoding: status 400 with `fieldValidation=Strict`, a warning with `Warn`.
    StrictError,
    /// The object does not decode: status 400, and no other errors.
    DecodeError,
    /// A warning beside an answer that accepts the object.
    Warning,
    /// The message of a condition that a controller writes to `status` later.
    Condition,
}

impl AnswerKind {
    /// The name in our JSON output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::StrictError => "strictError",
            Self::DecodeError => "decodeError",
            Self::Warning => "warning",
            Self::Condition => "condition",
        }
    }
}

/// An answer of kube-apiserver, byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerError {
    /// The form of the answer.
    pub kind: AnswerKind,
    /// The error type; only errors of validation have one.
    pub error_type: Option<ErrorType>,
    /// The field as the server names it, such as `spec.validation.openAPIV3Schema.type`; empty unless this is
    /// an error of validation.
    pub field: String,
    /// The wrong value as the server prints it, such as `"x"`; empty if it prints none. Lists and objects
    /// have at most 1,000 bytes.
    pub value: String,
    /// The detail; for other kinds, the whole text.
    pub detail: String,
}

impl ServerError {
    /// An error of validation that prints no value.
    #[must_use]
    pub fn error(error_type: ErrorType, field: String, detail: String) -> Self {
        Self::of_value(error_type, field, String::new(), detail)
    }

    /// An error of validation that prints `value`, if its type prints values.
    #[must_use]
    pub fn of_value(error_type: ErrorType, field: String, value: String, detail: String) -> Self {
        let value = if error_type.prints_value() { value } else { String::new() };
        Self { kind: AnswerKind::Error, error_type: Some(error_type), field, value, detail }
    }

    /// An answer that consists only of a text.
    #[must_use]
    pub fn text(kind: AnswerKind, text: String) -> Self {
        Self { kind, detail: text, ..Self::default() }
    }

    /// The type as the API's `causes` name it, such as `FieldValueForbidden`; empty unless this is an error
    /// of validation.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.error_type.map_or("", ErrorType::as_str)
    }

    /// The answer as kubectl prints it: `spec.scope: Unsupported value: "x": supported values: "Cluster", "Namespaced"`.
    /// Values other than scalars are printed as by Kubernetes 1.34 and newer.
    #[must_use]
    pub fn message(&self) -> String {
        let Some(error_type) = self.error_type else { return self.detail.clone() };
        let mut message = format!("{}: {}", self.field, error_type.description());
        for part in [&self.value, &self.detail].into_iter().filter(|part| !part.is_empty()) {
            message.push_str(": ");
            message.push_str(part);
        }
        message
    }
}

/// The server's answer to strict decoding of a document with duplicate keys, all in one text; `None` if there
/// are no duplicates. Decodes the whole document.
#[must_use]
pub fn duplicate_keys_error(document: yaml::Document<'_>) -> Option<ServerError> {
    let text = yaml::decode(document).ok()?.strict_error(document)?;
    Some(ServerError::text(AnswerKind::StrictError, text))
}

/// Whether a document is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Completeness {
    /// A whole object.
    Whole,
    /// A part of an object, such as a kustomize patch; missing fields are not errors.
    Patch,
    /// The text of a template, such as Helm's, which becomes YAML only when it is rendered.
    Template,
}

/// The kind of object in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// A CustomResourceDefinition of that version, or a list of objects with at least one definition.
    CustomResourceDefinition(ApiVersion),
    /// Anything else.
    Other,
}

/// The version of `apiextensions.k8s.io` that a definition is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApiVersion {
    /// `apiextensions.k8s.io/v1`.
    V1,
    /// `apiextensions.k8s.io/v1beta1`, served until Kubernetes 1.21.
    V1Beta1,
}

/// The severity of a finding of `code` on the code's page; `None` if the code is not a lint.
pub(crate) fn lint_severity(code: Code) -> Option<Severity> {
    code.is_lint().then(|| code.rule().severity)
}
