//! Keywords of a schema that are one level too high: they are properties of the object around it.

use api::Code;
use yaml::{Entry, Mapping};

use super::super::Stage;
use super::super::outcome::{Builder, NodeFinding, name};
use crate::field_path::Segment;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::Keyword;

/// The keywords with which an object may have fields.
const OPENING: [&str; 7] = [
    "properties",
    "additionalProperties",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "allOf",
    "anyOf",
    "oneOf",
];

/// Reports `additionalProperties` among `properties`, if the property above it is an object without fields: a map whose
/// keyword has lost its indentation.
pub(super) fn check(properties: &Members<'_>, out: &mut Builder) {
    let keyword = Keyword::AdditionalProperties.as_str();
    let Some(at) = properties.entries.iter().position(|(key, _)| key == keyword) else { return };
    let above = at.checked_sub(1).and_then(|above| properties.entries.get(above));
    let (Some((map, above)), Some((_, entry))) = (above, properties.entries.get(at)) else { return };
    if !above.value().as_mapping().is_some_and(is_object_without_fields) {
        return;
    }
    let place = out.place_of(entry.key_range());
    let tail = vec![name(Keyword::Properties), Segment::Key(keyword.into())];
    let words = format!("`{keyword}` is a property here, and `{map}` above it is an object without fields");
    let code = Code::LintMisplacedKeyword;
    let finding = NodeFinding::new(Stage::Lint, code, ErrorType::Invalid, place, tail, words);
    out.push(finding.advise(format!("indent `{keyword}` below `{map}`")));
}

/// Whether `schema` has the type `object`, and kube-apiserver prunes all of its fields.
fn is_object_without_fields(schema: Mapping<'_>) -> bool {
    let is_object = |entry: Entry<'_>| {
        let is_type = entry.key_text().is_some_and(|key| key == Keyword::Type.as_str());
        is_type && entry.value().as_scalar().is_some_and(|ty| ty.text() == "object")
    };
    let opens = |entry: Entry<'_>| entry.key_text().is_none_or(|key| OPENING.contains(&&*key));
    schema.entries().any(is_object) && !schema.entries().any(opens)
}
