//! The fields of a suite of test cases, `NAME_test.yaml`, which `crd-ls test` reads.

use super::FieldType::{Bool, Int32, List, Object, String};
use super::{Field, FieldType, ObjectType};

static CASE: FieldType = Object(&TEST_CASE);
static ERROR: FieldType = Object(&EXPECTED_ERROR);
static TEXT: FieldType = String;

/// A suite.
pub static TEST_SUITE: ObjectType = ObjectType {
    name: "TestSuite",
    fields: &[
        Field::new("cases", List(&CASE), "The cases.").required(),
        Field::new("name", String, "The name of the suite."),
        Field::new(
            "definition",
            String,
            "The file with the definition, relative to the suite. Without it: NAME.yaml beside NAME_test.yaml.",
        ),
        Field::new("version", String, "The version to test, as if the definition had no other one."),
    ],
};

/// `cases[]`
pub static TEST_CASE: ObjectType = ObjectType {
    name: "TestCase",
    fields: &[
        Field::new("name", String, "Name of the case: the behaviour that it shows, in one sentence.")
            .required(),
        Field::new(
            "given",
            Object(&TEST_OBJECT),
            "The object that is created. With `update`, the object that is stored before the update.",
        )
        .required(),
        Field::new("update", Object(&TEST_OBJECT), "The object that replaces the stored one."),
        Field::new("expect", Object(&EXPECTED), "The expected answer of kube-apiserver.").required(),
    ],
};

/// `cases[].given`, `cases[].update` and `cases[].expect.stored`, if the object is in another file.
pub static TEST_OBJECT: ObjectType = ObjectType {
    name: "TestObject",
    fields: &[
        Field::new("file", String, "The path of a file with objects, relative to the suite."),
        Field::new(
            "document",
            Int32,
            "The number of the document in the file, from 1. Without it, each document is a case.",
        ),
    ],
};

/// `cases[].expect`
pub static EXPECTED: ObjectType = ObjectType {
    name: "Expected",
    fields: &[
        Field::new("accepted", Bool, "Whether the object is accepted."),
        Field::new("errors", List(&ERROR), "All errors of the answer."),
        Field::new(
            "stored",
            Object(&TEST_OBJECT),
            "The object that is stored, with defaults. Metadata that kube-apiserver sets is not compared.",
        ),
        Field::new("warnings", List(&TEXT), "Texts that the warnings of the answer contain."),
    ],
};

/// `cases[].expect.errors[]`
pub static EXPECTED_ERROR: ObjectType = ObjectType {
    name: "ExpectedError",
    fields: &[
        Field::new("field", String, "The field as kube-apiserver names it, such as `spec.hosts[0]`."),
        Field::new("text", String, "A text that the error contains."),
    ],
};
