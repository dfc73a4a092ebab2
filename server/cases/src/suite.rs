//! The contents of a suite, independent of its format.

use crd::value::Value;

/// The cases of one document.
#[derive(Debug, Default)]
pub struct Suite {
    /// Its name; empty if it has none.
    pub name: String,
    /// The file with the definition, relative to the suite's; `None` if the definition is found by its name
    /// or its location.
    pub file: Option<String>,
    /// The name of the definition.
    pub definition: Option<String>,
    /// The tested version of the definition; `None` if it has only one.
    pub version: Option<String>,
    /// The feature gates that a manifest has to enable or, with a leading `-`, to disable.
    pub feature_gates: Vec<String>,
    /// The feature sets that a manifest may have.
    pub feature_sets: Vec<String>,
    /// The line of the document, from 1.
    pub line: usize,
    /// The cases in the order of the text.
    pub cases: Vec<Case>,
    /// Problems of the suite itself. The cases that they do not affect still run.
    pub problems: Vec<Problem>,
}

/// A problem of the text of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The problem and the remedy.
    pub text: String,
}

/// One case.
#[derive(Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// Its line, from 1.
    pub line: usize,
    /// The format, which determines how the case runs.
    pub form: CaseFormat,
    /// Changes to the definition that apply only while `given` is created.
    pub patches: Vec<Patch>,
    /// The previously stored object; `None` if `object` is created.
    pub given: Option<Object>,
    /// The object that is created, or that replaces the stored one.
    pub object: Object,
    /// The expected answer.
    pub expected: ExpectedResponse,
}

/// The format of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseFormat {
    /// As in the runner of `openshift/api`: names are generated, and the status is written by a second request.
    OpenShift,
    /// Our own format: objects are used as written.
    Own,
}

/// An object of a case, or the reason why it is missing.
pub type Object = Result<Value, String>;

/// A step of a JSON patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// `add`, `remove`, `replace`, `copy`, `move` or `test`.
    pub op: String,
    /// The path that the step changes.
    pub path: String,
    /// The source path of `copy` and `move`.
    pub from: String,
    /// The value; null if there is none.
    pub value: Value,
}

/// The answer that a case expects.
#[derive(Debug, Default)]
pub struct ExpectedResponse {
    /// Whether the object must be accepted; `None` if the other fields imply it.
    pub accepted: Option<bool>,
    /// The expected stored object, except for metadata that the server sets.
    pub stored: Option<Object>,
    /// A part of the answer that rejects the object; empty if it is accepted.
    pub error: String,
    /// A part of the answer that rejects the status; empty if it is accepted.
    pub status_error: String,
    /// All errors of the answer.
    pub errors: Vec<ExpectedError>,
    /// Parts of warnings.
    pub warnings: Vec<String>,
}

/// An error that the answer has to contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedError {
    /// The field as the server names it; `None` if any field matches.
    pub field: Option<String>,
    /// A part of the error's text.
    pub text: String,
}
