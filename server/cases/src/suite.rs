//! What a suite consists of, in whichever format it is written.

use crd::value::Value;

/// The cases of one document.
#[derive(Debug, Default)]
pub struct Suite {
    /// Its name; empty where it has none.
    pub name: String,
    /// The file with the definition, relative to the suite's; none where it is found by its name or its place.
    pub file: Option<String>,
    /// The name of the definition.
    pub definition: Option<String>,
    /// The version of the definition that is tested; none where it has but one.
    pub version: Option<String>,
    /// The feature gates that a manifest has to enable or, with `-` in front, to disable.
    pub feature_gates: Vec<String>,
    /// The feature sets of which a manifest has to be.
    pub feature_sets: Vec<String>,
    /// The line of the document, from 1.
    pub line: usize,
    /// The cases in the order of the text.
    pub cases: Vec<Case>,
    /// What is wrong with the suite itself. The cases that it does not concern run.
    pub problems: Vec<Problem>,
}

/// What is wrong with the text of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what is missing.
    pub text: String,
}

/// One case.
#[derive(Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// Its line, from 1.
    pub line: usize,
    /// In whose way it runs.
    pub form: Form,
    /// Changes of the definition for as long as `given` is created.
    pub patches: Vec<Patch>,
    /// The object that is stored before; none where `object` is created.
    pub given: Option<Object>,
    /// The object that is created, or that replaces the stored one.
    pub object: Object,
    /// The answer that is right.
    pub expected: Expected,
}

/// In whose way a case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As the runner of `openshift/api`: names are made up, and the status is written by a second request.
    OpenShift,
    /// Ours: objects are what they say.
    Own,
}

/// An object of a case, or why there is none.
pub type Object = Result<Value, String>;

/// A step of a JSON patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// `add`, `remove`, `replace`, `copy`, `move` or `test`.
    pub op: String,
    /// Where.
    pub path: String,
    /// From where `copy` and `move` take the value.
    pub from: String,
    /// The value; null where there is none.
    pub value: Value,
}

/// The answer that a case expects.
#[derive(Debug, Default)]
pub struct Expected {
    /// Whether the object has to be accepted; none where the rest says it.
    pub accepted: Option<bool>,
    /// What has to be stored, but for metadata that the server sets.
    pub stored: Option<Object>,
    /// A part of the answer that rejects the object; empty where it is accepted.
    pub error: String,
    /// A part of the answer that rejects the status; empty where it is accepted.
    pub status_error: String,
    /// All errors of the answer.
    pub errors: Vec<ExpectedError>,
    /// Parts of warnings.
    pub warnings: Vec<String>,
}

/// An error that the answer has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedError {
    /// The field as the server names it; none where any is right.
    pub field: Option<String>,
    /// A part of the error's text.
    pub text: String,
}
