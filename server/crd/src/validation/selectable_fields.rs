//! `selectableFields` (`ValidateCustomResourceSelectableFields`): checks 30, 31, 53, 54 and 162 to 167.

use api::{Code, Difference, KubernetesVersion};
use rustc_hash::FxHashMap;
use text::TextRange;

use super::findings::{Findings, Problem};
use super::internal::{InternalDefinition, ServerValue};
use super::structural_conversion;
use crate::field_path::{FieldPath, Segment};
use crate::go;
use crate::message::Message;
use crate::object::Node;
use crate::report::{ApiVersion, ErrorType};
use crate::schema::path::{ArrayNotation, Fields, PathError, resolve};
use crate::schema::{ResolvedSchema, Schema, TypeName, is_selectable};

/// The maximum number of selectable fields.
const MOST: usize = 8;

/// Facts about the fields of one list.
#[derive(Clone, Copy)]
pub(super) struct FieldFacts {
    pub(super) version: KubernetesVersion,
    /// Whether the server can convert the schema of the fields to a structural schema.
    pub(super) converts: bool,
    /// Whether an update may keep more than eight.
    pub(super) may_be_many: bool,
}

/// Checks the fields at `home`.
pub(super) fn check(
    home: &ServerValue<'_, '_>,
    internal: &InternalDefinition<'_, '_>,
    known: FieldFacts,
    findings: &mut Findings<'_>,
) {
    if !home.node.has_members() {
        return;
    }
    let words = MissingSchemaMessages::of(home, known.version, internal.hoists.schemas);
    let is_missing = match home.server_version {
        Some(index) => !internal.own_schema(index).has_schema,
        None => !internal.top_level_schema().has_holder,
    };
    if is_missing {
        words.add_missing(home, findings);
    }
    let schema_node = intended_schema(home, internal, is_missing);
    let schema = schema_node.value().and_then(|value| Schema::read(value, schema_node.reader()));
    let converts = known.converts || is_missing;
    let error = schema.as_ref().filter(|_| !converts).and_then(structural_conversion::error);
    if let Some(detail) = &error {
        words.add_unconvertible(&schema_node, detail, findings);
    }
    let mut walk = SelectableFieldsWalk {
        schema: schema.as_ref(),
        is_converted: error.is_none(),
        is_judged: error.is_none() && !is_missing && schema.is_some(),
        refers: error.is_some_and(|detail| detail.contains("'$ref'")),
        fields: FxHashMap::default(),
    };
    for (index, item) in home.node.items().enumerate() {
        walk.field(&item, &format!("{}[{index}].jsonPath", home.server), findings);
    }
    if walk.fields.len() > MOST && !known.may_be_many {
        add_too_many(home, walk.fields.len(), walk.is_judged, findings);
    }
}

/// The schema to which the fields at `home` belong.
fn intended_schema<'r, 't>(
    home: &ServerValue<'r, 't>,
    internal: &InternalDefinition<'r, 't>,
    is_missing: bool,
) -> Node<'r, 't> {
    let in_spec = || internal.spec.child("validation").child("openAPIV3Schema");
    let own = internal.schema_holder(home).child("openAPIV3Schema");
    let is_in_spec = match internal.api_version {
        ApiVersion::V1Beta1 => is_missing,
        // It is not a field of v1; repair moves it.
        ApiVersion::V1 => !own.is_set() && in_spec().is_set(),
    };
    if is_in_spec { in_spec() } else { own }
}

/// Reports that `home` has `count` fields. Unless `is_reported`, the server does not count them.
fn add_too_many(home: &ServerValue<'_, '_>, count: usize, is_reported: bool, findings: &mut Findings<'_>) {
    let problem = Problem {
        code: Code::SelectableFieldsTooMany,
        error: ErrorType::TooMany,
        field: &home.server,
        detail: format!("must have at most {MOST} items"),
        advice: "remove some",
    };
    match is_reported {
        true => findings.add_at_key(&home.node, problem),
        false => findings.hidden(|findings| findings.add_at_key(&home.node, problem)),
    }
    findings.reword(Message::new(format!(
        "`selectableFields` has {count} items, but kube-apiserver supports at most {MOST}"
    )));
    findings.print_value(|| count.to_string());
}

/// Reports that the server will not find the schema of the fields at `home`.
pub(super) fn check_missing(
    home: &ServerValue<'_, '_>,
    version: KubernetesVersion,
    findings: &mut Findings<'_>,
) {
    findings.hidden(|findings| MissingSchemaMessages::of(home, version, true).add_missing(home, findings));
}

/// The messages for fields without a schema, in `spec` and in a version.
struct MissingSchemaMessages {
    missing_code: Code,
    missing: &'static str,
    /// Our problem for `missing`.
    problem: &'static str,
    advice: &'static str,
    convert_code: Code,
    convert_field: String,
}

impl MissingSchemaMessages {
    /// `is_shared`: all versions have the same schema, which the server moves to a place where it does not
    /// look for these fields.
    fn of(home: &ServerValue<'_, '_>, version: KubernetesVersion, is_shared: bool) -> Self {
        let new = version.has(Difference::DetailsWithoutField);
        match home.server_version {
            Some(index) => Self {
                missing_code: Code::SelectableFieldsNoSchema,
                missing: if new {
                    "may only be set when `version.schema.openAPIV3Schema` is not included"
                } else {
                    "selectableFields may only be set when version.schema.openAPIV3Schema is not included"
                },
                problem: match is_shared {
                    true => "the versions have equal schemas but different `selectableFields`",
                    false => "`selectableFields` of a version requires a schema of that version",
                },
                advice: match is_shared {
                    true => "make the `selectableFields` equal, or make the schemas differ",
                    false => "add one",
                },
                convert_code: Code::SelectableFieldsSchemaConvert,
                convert_field: format!("spec.versions[{index}].schema.openAPIV3Schema"),
            },
            None => Self {
                missing_code: Code::SelectableFieldsNoValidation,
                missing: if new {
                    "may only be set when validations.schema is included"
                } else {
                    "selectableFields may only be set when validations.schema is included"
                },
                problem: "the versions have equal `selectableFields` but different schemas",
                advice: "make the `selectableFields` differ, or make the schemas equal",
                convert_code: Code::SelectableFieldsValidationConvert,
                convert_field: "spec.schema.openAPIV3Schema".to_owned(),
            },
        }
    }

    /// Reports that the fields at `home` have no schema.
    fn add_missing(&self, home: &ServerValue<'_, '_>, findings: &mut Findings<'_>) {
        let problem = Problem {
            code: self.missing_code,
            error: ErrorType::Invalid,
            field: &home.server,
            detail: self.missing.to_owned(),
            advice: self.advice,
        };
        findings.add_at_key(&home.node, problem);
        findings.reword(Message::new(self.problem));
        findings.print_value(|| go::quoted(""));
    }

    /// Reports that the server cannot convert the schema, with the error `detail`.
    fn add_unconvertible(&self, schema: &Node<'_, '_>, detail: &str, findings: &mut Findings<'_>) {
        let problem = Problem {
            code: self.convert_code,
            error: ErrorType::Invalid,
            field: &self.convert_field,
            detail: detail.to_owned(),
            advice: "",
        };
        findings.add_at_key(schema, problem);
        findings.reword(excluded_by(detail));
        findings.print_value(|| go::quoted(""));
    }
}

/// Reports that no fields can be selected beside a keyword that the server cannot convert. `detail` is the
/// server's error, such as `OpenAPIV3Schema 'schema' is not supported`.
fn excluded_by(detail: &str) -> Message {
    let what = match detail.split('\'').nth(1) {
        Some("schema") => "`$schema`".to_owned(),
        Some("items") => "a list of schemas in `items`".to_owned(),
        Some(keyword @ "x-kubernetes-preserve-unknown-fields") => format!("`{keyword}: false`"),
        Some(keyword) => format!("`{keyword}`"),
        None => "an unsupported keyword".to_owned(),
    };
    Message::new(format!("{what} is not supported beside `selectableFields`"))
        .advise(format!("remove {what}"))
}

/// One pass over the fields of one list.
struct SelectableFieldsWalk<'s, 'r, 't> {
    /// `None` if there is no schema, so that any field is accepted.
    schema: Option<&'s Schema<'r, 't>>,
    /// Whether the schema was converted. Otherwise the server has no schema, and fails at the first step of a
    /// path.
    is_converted: bool,
    /// Whether the server looks for the fields in the schema.
    is_judged: bool,
    /// Whether references describe a part of the schema.
    refers: bool,
    /// The fields so far, as the server prints them.
    fields: FxHashMap<String, TextRange>,
}

impl SelectableFieldsWalk<'_, '_, '_> {
    fn field(&mut self, item: &Node<'_, '_>, field: &str, findings: &mut Findings<'_>) {
        let node = item.child("jsonPath");
        let text = node.text();
        let is_judged = self.is_judged;
        let mut add = |reported: bool, code, error, detail: String, words: Message| {
            let problem = Problem { code, error, field, detail, advice: "" };
            match reported {
                true => findings.add(&node, problem),
                false => findings.hidden(|findings| findings.add(&node, problem)),
            }
            findings.reword(words);
        };
        if text.is_empty() {
            let is_looked_at = self.is_judged || !self.is_converted;
            return add(
                is_looked_at,
                Code::SelectableFieldsRequired,
                ErrorType::Required,
                String::new(),
                Message::new("`jsonPath` is required").advise("add a path such as `.spec.color`"),
            );
        }
        let (path, is_simple) = match self.follow(&text) {
            Ok(followed) => followed,
            // The server crashes, so it reports nothing.
            Err(PathError::ServerFails) => return,
            Err(error) => {
                let reported = is_judged || !self.is_converted && error != PathError::NoSuchField;
                let detail = format!("is an invalid path: {error}");
                let words = error.in_words(&text);
                return add(reported, Code::SelectableFieldsPath, ErrorType::Invalid, detail, words);
            }
        };
        if path.segments().first().is_some_and(|first| *first == Segment::Name("metadata".into())) {
            let detail = "must not point to fields in metadata".to_owned();
            let problem = match &*text {
                ".metadata.name" | ".metadata.namespace" => format!("`{text}` is always selectable"),
                _ => "fields of `metadata` are not selectable".to_owned(),
            };
            let words = Message::new(problem).advise("remove the entry");
            add(is_judged, Code::SelectableFieldsMetadata, ErrorType::Invalid, detail, words);
        }
        if !is_simple {
            let detail = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
            let words = Message::new(format!("`{text}` is not a string, a boolean or an integer"))
                .advise("select such a field, or remove the entry");
            add(is_judged, Code::SelectableFieldsType, ErrorType::Invalid, detail.to_owned(), words);
        }
        let path = path.to_string();
        match self.fields.get(&path) {
            Some(first) => {
                add(
                    is_judged,
                    Code::SelectableFieldsDuplicate,
                    ErrorType::Duplicate,
                    String::new(),
                    Message::new(format!("`selectableFields` contains `{text}` twice")).advise("remove one"),
                );
                findings.follows_from(*first, "listed here first");
            }
            None => drop(self.fields.insert(path, node.range())),
        }
    }

    /// The field that `text` leads to, and whether its type can be selected.
    fn follow(&self, text: &str) -> Result<(FieldPath, bool), PathError> {
        let Some(schema) = self.schema else {
            let found = resolve(text, &AnyField, ArrayNotation::Refused)?;
            return Ok((found.path, true));
        };
        if self.refers {
            let found = resolve(text, &ResolvedSchema::new(schema), ArrayNotation::Refused)?;
            return Ok((found.path, found.schema.is_some_and(|schema| schema.may_be_selectable())));
        }
        let found = resolve(text, schema, ArrayNotation::Refused)?;
        let is_simple = found.schema.is_some_and(|schema| match schema.type_name() {
            TypeName::Named(name) => is_selectable(&name),
            _ => false,
        });
        Ok((found.path, is_simple))
    }
}

/// Represents a missing schema: it may have any field.
#[derive(Clone)]
struct AnyField;

impl Fields for AnyField {
    fn has_properties(&self) -> bool {
        false
    }

    fn property(&self, _name: &str) -> Option<Option<Self>> {
        None
    }

    fn additional(&self) -> Option<Option<Self>> {
        Some(Some(Self))
    }
}
