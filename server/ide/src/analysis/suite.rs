//! Suites of test cases, and the resources in them.

use api::{FieldType, TEST_SUITE};
use text::{TextRange, TextSize};
use yaml::{Document, Reader, Tree, Value};

use crate::analysis::kinds::Kind;
use crate::analysis::resources::{Resource, Shape};
use crate::{Catalog, Surroundings};

/// The kind that a suite tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestedKind {
    /// Its group.
    pub group: String,
    /// The version of objects that do not say theirs.
    pub version: String,
    /// Its name.
    pub kind: String,
}

/// What is known around a suite of test cases.
#[derive(Clone, Copy, Debug)]
pub struct TestSuite<'a> {
    /// The kind that each document with a text tests, as far as that is known.
    pub tested: &'a [Option<TestedKind>],
    /// The definitions of now: nothing in the analysis of a suite depends on definitions, so its own may be older.
    pub catalog: &'a Catalog,
}

impl TestSuite<'_> {
    pub(crate) fn surroundings(&self, of_file: &Surroundings) -> Surroundings {
        Surroundings { catalog: self.catalog.clone(), ..of_file.clone() }
    }
}

/// What a suite may hold.
pub(crate) const SUITE: Shape<'static> = Shape::Api(FieldType::Object(&TEST_SUITE));

/// The object of a case that `offset` (in bytes) touches; none outside of objects, and of one whose definition is not known.
/// Its kind is the one that is tested unless it names another one. `tested` has the kinds of all documents that are not empty.
pub(crate) fn resource_at<'t, 's>(
    document: Document<'t>,
    reader: &Reader<'t>,
    surroundings: &'s Surroundings,
    (tested, tree, offset): (&[Option<TestedKind>], &Tree, TextSize),
) -> Option<Resource<'t, 's>> {
    let member = |of: Value<'t>, name: &str| Some(reader.entry(of.as_mapping()?, name)?.value());
    let touches = |value: &Value<'t>| value.range().touches(offset);
    let cases = member(document.root()?, "cases")?.as_sequence()?;
    let case = cases.items_touching(TextRange::empty(offset)).map(|item| item.value()).next_back()?;
    let stored = member(case, "expect").and_then(|expect| member(expect, "stored"));
    let objects = [member(case, "given"), member(case, "update"), stored];
    let value = objects.into_iter().flatten().rfind(touches)?;
    let text = |name| member(value, name)?.as_scalar()?.as_str().map(|text| text.into_owned());
    let kind = match (text("apiVersion"), text("kind")) {
        (Some(version), Some(kind)) => {
            let (group, version) = version.split_once('/')?;
            Kind { group: group.to_owned(), version: version.to_owned(), kind }
        }
        _ => {
            let before = tree.documents().take_while(|other| other.range().start < document.range().start);
            let TestedKind { group, version, kind } =
                tested.get(before.filter(|other| other.root().is_some()).count())?.clone()?;
            Kind { group, version, kind }
        }
    };
    let definition = surroundings.catalog.judge(&kind, &surroundings.source)?;
    Some(Resource { value, kind, definition })
}
