//! The names of properties in a definition outside of expressions: items of `required` and of the keys of a
//! list, and the steps of `fieldPath`s and of the paths of columns, selectable fields and the scale
//! subresource.

use std::ops::Range;

use crd::jsonpath::{self, PathStep};
use crd::schema::Keyword;
use crd::{FieldPath, LocatedPart, Segment, path_at, value_at};
use text::{TextRange, TextSize};
use yaml::{Document, Reader, Scalar, Value};

use crate::analysis::text_at::definition_at;
use crate::features::cel::{field_path_steps, place};

/// A mention of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The range of the name, in bytes.
    pub(crate) range: TextRange,
    /// The path of the property in its schema, whether or not the schema declares it.
    pub(crate) property: FieldPath,
}

/// A field whose value is a path into a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathField {
    Column,
    Selectable,
    SpecReplicas,
    StatusReplicas,
    LabelSelector,
}

impl PathField {
    /// The field at `path`, if its value is such a path.
    pub(crate) fn at(path: &FieldPath) -> Option<Self> {
        let [.., list, _, last] = path.segments() else { return None };
        let (list, last) = (list.key()?, last.key()?);
        Some(match (list, last) {
            ("additionalPrinterColumns", "jsonPath" | "JSONPath") => Self::Column,
            ("selectableFields", "jsonPath") => Self::Selectable,
            ("subresources", "specReplicasPath") => Self::SpecReplicas,
            ("subresources", "statusReplicasPath") => Self::StatusReplicas,
            ("subresources", "labelSelectorPath") => Self::LabelSelector,
            _ => return None,
        })
    }
}

/// The property that is named at `offset` (in bytes).
pub(crate) fn mention_at<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
    offset: TextSize,
) -> Option<Mention> {
    let at = path_at(document, offset);
    let root = document.root().filter(|_| at.part != LocatedPart::Key)?;
    let scalar = value_at(root, at.path.segments(), reader)?.as_scalar()?;
    let from = |schema: &FieldPath, steps: Vec<(Step, Range<usize>)>| {
        let mut named = follow(root, reader, schema.clone(), scalar, steps).into_iter();
        named.find(|mention| mention.range.touches(offset))
    };
    if PathField::at(&at.path).is_some() {
        let text = scalar.text();
        let steps = steps(&text)?;
        let schemas = schemas_of(document, reader, &at.path, offset);
        return schemas.iter().find_map(|schema| from(schema, steps.clone()));
    }
    match at.path.segments() {
        [.., Segment::Index(_)] => {
            let named = |properties: FieldPath| properties.key(&scalar.text());
            let own = named(properties_of_list(&at.path)?);
            // A branch may name properties that are declared outside of it.
            let declared = named(properties_of_list(&outside_of_junctors(&at.path))?);
            let is_declared = value_at(root, declared.segments(), reader).is_some();
            let property = if is_declared { declared } else { own };
            Some(Mention { range: scalar.token().range(), property })
        }
        [above @ .., rules, Segment::Index(_), field]
            if field.key() == Some("fieldPath")
                && rules.key().and_then(Keyword::parse) == Some(Keyword::Validations) =>
        {
            let mut schema = FieldPath::root();
            schema.extend(above);
            let text = scalar.text();
            let names = field_path_steps(&text)?.into_iter();
            from(&schema, names.map(|(name, range)| (Step::Field(name.to_owned()), range)).collect())
        }
        _ => None,
    }
}

/// The `properties` with the names in the list of the item at `path`: `required`, or the keys of a list.
fn properties_of_list(path: &FieldPath) -> Option<FieldPath> {
    let [above @ .., list, Segment::Index(_)] = path.segments() else { return None };
    let mut properties = FieldPath::root();
    properties.extend(above);
    match list.key().and_then(Keyword::parse)? {
        Keyword::Required => {}
        Keyword::ListMapKeys => properties.push_name("items"),
        _ => return None,
    }
    properties.push_name("properties");
    Some(properties)
}

/// The position in a schema that `path` refers to, without branches of `allOf` and the like.
fn outside_of_junctors(path: &FieldPath) -> FieldPath {
    let mut outside = FieldPath::root();
    let mut is_name = false;
    let mut steps = path.segments().iter().peekable();
    while let Some(step) = steps.next() {
        let keyword = step.key().filter(|_| !is_name).and_then(Keyword::parse);
        match keyword {
            Some(Keyword::Not) => {}
            Some(Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf) => {
                steps.next_if(|step| matches!(step, Segment::Index(_)));
            }
            _ => outside.extend(std::slice::from_ref(step)),
        }
        is_name = matches!(keyword, Some(Keyword::Properties | Keyword::PatternProperties));
    }
    outside
}

/// The schemas where the path at `path` begins: that of its version, or those of all versions.
pub(crate) fn schemas_of<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
    path: &FieldPath,
    offset: TextSize,
) -> Vec<FieldPath> {
    let Some(definition) = definition_at(document, reader, offset) else { return Vec::new() };
    let schemas: Vec<FieldPath> = definition.schemas().into_iter().map(|schema| schema.path).collect();
    // `schema.openAPIV3Schema` and the lists are fields of the same version.
    let is_beside = |schema: &&FieldPath| {
        let version = schema.parent().and_then(|holder| holder.parent());
        version.is_some_and(|version| path.starts_with(&version) && version.len() > 1)
    };
    match schemas.iter().find(is_beside) {
        Some(schema) => vec![schema.clone()],
        None => schemas,
    }
}

/// One step of a path.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Items,
    /// Items selected by fields with these names, each with its bytes in the path.
    Filter(Vec<(String, Range<usize>)>),
}

/// The steps of a JSONPath, as far as they lead to a single position in a schema.
fn steps(path: &str) -> Option<Vec<(Step, Range<usize>)>> {
    let located = jsonpath::parse(path).ok()??;
    let steps = located.into_iter().map_while(|located| {
        let step = match located.step {
            PathStep::Field(name) => Step::Field(name),
            PathStep::Elements | PathStep::Wildcard => Step::Items,
            PathStep::Filter(_) => Step::Filter(filtered(path, &located.range)),
            PathStep::Recursive | PathStep::Other => return None,
        };
        Some((step, located.range))
    });
    Some(steps.collect())
}

/// The fields that a filter such as `[?(@.type=="Ready")]` reads of each item.
fn filtered(path: &str, range: &Range<usize>) -> Vec<(String, Range<usize>)> {
    let filter = path.get(range.clone()).unwrap_or_default();
    let names = filter.match_indices("@.").map(|(at, mark)| {
        let start = at + mark.len();
        let rest = filter.get(start..).unwrap_or_default();
        let len = rest.find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | '-')));
        let name = rest.get(..len.unwrap_or(rest.len())).unwrap_or_default();
        (name.to_owned(), range.start + start..range.start + start + name.len())
    });
    names.collect()
}

/// The range of the name in a step of `path`, which is `.name`, `['name']` or the name itself.
pub(crate) fn name_in_step(path: &str, step: &Range<usize>, name: &str) -> Range<usize> {
    let written = path.get(step.clone()).unwrap_or_default();
    let start = step.start + written.find(name).unwrap_or_default();
    start..(start + name.len()).min(step.end)
}

/// The properties that the steps of `scalar` lead through, starting at the schema at `schema`.
fn follow<'t>(
    root: Value<'t>,
    reader: &Reader<'t>,
    mut schema: FieldPath,
    scalar: Scalar<'t>,
    steps: Vec<(Step, Range<usize>)>,
) -> Vec<Mention> {
    let text = scalar.text();
    let in_file = |range: &Range<usize>| {
        let range = TextRange::new(range.start as TextSize, range.end as TextSize);
        place(scalar).range_of(range, 0)
    };
    let is_there = |path: &FieldPath| value_at(root, path.segments(), reader).is_some();
    let mut found = Vec::new();
    for (step, range) in steps {
        match step {
            Step::Field(name) => {
                let property = schema.child("properties").key(&name);
                if is_there(&property) {
                    let range = in_file(&name_in_step(&text, &range, &name));
                    found.push(Mention { range, property: property.clone() });
                    schema = property;
                } else {
                    schema = schema.child("additionalProperties");
                }
            }
            Step::Items => schema = schema.child("items"),
            Step::Filter(names) => {
                schema = schema.child("items");
                for (name, range) in names {
                    let property = schema.child("properties").key(&name);
                    if is_there(&property) {
                        found.push(Mention { range: in_file(&range), property });
                    }
                }
            }
        }
        if !is_there(&schema) {
            break;
        }
    }
    found
}
