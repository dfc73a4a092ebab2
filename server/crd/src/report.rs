//! What is said of a document.

use text::TextRange;

use crate::field_path::FieldPath;

/// How bad a violation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// kube-apiserver refuses the object.
    Error,
    /// Accepted, but it will not do what it says.
    Warning,
    /// Worth knowing.
    Information,
    /// A remark in passing.
    Hint,
}

impl Severity {
    /// Its name, as it begins a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Information => "Information",
            Self::Hint => "Hint",
        }
    }
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
    /// The value is none of those that are known.
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

/// What kube-apiserver itself answers, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerError {
    /// The error type, such as `FieldValueForbidden`.
    pub error_type: &'static str,
    /// The field as the server names it, such as `spec.validation.openAPIV3Schema.type`.
    pub field: String,
    /// The detail text.
    pub detail: String,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule's code, such as `structural/type-required`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// For a person: the server's words first, then what to do.
    pub message: String,
    /// The token that is wrong, in bytes of the file: a forbidden key, a bad value, the key of what lacks something.
    pub range: TextRange,
    /// The place as the user wrote it.
    pub field_path: FieldPath,
    /// Present exactly when kube-apiserver reports this on create.
    pub server: Option<ServerError>,
    /// Places that explain it, in bytes of the file.
    pub related: Vec<(TextRange, String)>,
}

/// Whether a document is meant to be what it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A whole object.
    Whole,
    /// A part of one, such as a kustomize patch; its gaps are no mistakes.
    Patch,
    /// Text of a template such as Helm's, which becomes YAML only later.
    Template,
}

/// What kind of object a document holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// A CustomResourceDefinition of that version, or a list of objects with at least one in it.
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

/// The verdict on one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentReport {
    /// By range, then code.
    pub violations: Vec<Violation>,
    /// Whether the document is whole; others have no violations.
    pub origin: Origin,
    /// What it holds.
    pub kind: DocumentKind,
    /// Whether there are more violations than are listed.
    pub truncated: bool,
}
