//! Test suites, and the resources in them.

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
    /// The version of objects that do not state their version.
    pub version: String,
    /// Its name.
    pub kind: String,
}

/// The surroundings of a test suite.
#[derive(Clone, Copy, Debug)]
pub struct TestSuite<'a> {
    /// The kind that each non-empty document tests, if it is known.
    pub tested: &'a [Option<TestedKind>],
    /// The current definitions. The analysis of a suite does not depend on definitions, so the catalog of its
    /// file may be older.
    pub catalog: &'a Catalog,
}

impl TestSuite<'_> {
    pub(crate) fn surroundings(&self, of_file: &Surroundings) -> Surroundings {
        Surroundings { catalog: self.catalog.clone(), ..of_file.clone() }
    }
}

/// The shape of a suite.
pub(crate) const SUITE: Shape<'static> = Shape::Api(FieldType::Object(&TEST_SUITE));

/// The object of a test case that `offset` (in bytes) touches; `None` outside of objects, and if the
/// definition is unknown. The object has the tested kind unless it names another one. `tested` has the kinds
/// of all non-empty documents.
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
    let definition = surroundings.catalog.validating_definition(&kind, &surroundings.source)?;
    Some(Resource { value, kind, definition })
}
