//! The invariants of a node of the spine (checks 82 to 93).

use std::borrow::Cow;

use api::{Code, KubernetesVersion};
use text::TextRange;
use yaml::Value;

use super::junctor::check_pattern;
use super::outcome::{Builder, NodeFinding, Place, name};
use super::{MAX_RELATED, Position, Stage};
use crate::field_path::Segment;
use crate::go;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::zero::leaves_nothing;
use crate::schema::{Keyword, Schema, TypeName, is_object_for_list};

/// The maximum number of junctor branches that are searched for a hint at a type.
const MAX_BRANCHES: usize = 1_000;

/// The texts of a finding: the server's and ours.
struct FindingText {
    code: Code,
    error: ErrorType,
    detail: &'static str,
    /// Empty if the server's detail is clear.
    problem: Cow<'static, str>,
    advice: Cow<'static, str>,
}

/// Checks `schema`, whose properties are `properties`.
pub(crate) fn check<'t>(
    schema: &Schema<'_, 't>,
    ty: &TypeName<'_>,
    properties: &Members<'t>,
    position: Position,
    version: KubernetesVersion,
    out: &mut Builder,
) {
    let embedded = schema.is_true(Keyword::EmbeddedResource);
    check_items(schema, ty, out);
    check_type(schema, ty, embedded, position, out);
    check_additional_properties(schema, embedded, position, out);
    if embedded {
        check_embedded_properties(schema, properties, out);
    }
    if schema.is_true(Keyword::IntOrString) {
        check_int_or_string(schema, out);
    }
    if embedded || position == Position::Root {
        check_object_fields(schema, properties, out);
    }
    if position == Position::Root {
        check_metadata_fields(schema, properties, version, out);
    }
    check_pattern(schema, out);
}

fn check_items(schema: &Schema<'_, '_>, ty: &TypeName<'_>, out: &mut Builder) {
    let items = schema.get(Keyword::Items);
    // Another check rejects a list of schemas before this one.
    let has_items = items.is_some_and(|items| {
        items.as_mapping().is_some() || items.as_sequence().is_some_and(|list| list.items().next().is_some())
    });
    if !ty.is("array") || has_items {
        return;
    }
    let place = out.at_or_owner(items.and(schema.key_range(Keyword::Items)));
    let related = related_key(schema, Keyword::Type, "the type that needs `items`", out);
    let words = FindingText {
        code: Code::StructuralItemsRequired,
        error: ErrorType::Required,
        detail: "must be specified",
        problem: "".into(),
        advice: match is_object_for_list(schema) {
            true => "set `type: object`, or move `properties` to `items`".into(),
            false => "add the schema of the elements under `items`".into(),
        },
    };
    push(words, place, vec![name(Keyword::Items)], related, out);
}

fn check_type(
    schema: &Schema<'_, '_>,
    ty: &TypeName<'_>,
    embedded: bool,
    position: Position,
    out: &mut Builder,
) {
    match ty {
        TypeName::Unreadable => {}
        TypeName::Named(found) if embedded && found != "object" => {
            let related =
                related_key(schema, Keyword::EmbeddedResource, "an embedded resource is an object", out);
            push_type(
                ErrorType::Invalid,
                Code::StructuralEmbeddedType,
                EMBEDDED_TYPE,
                (EMBEDDED, "write `type: object`".into()),
                schema,
                related,
                out,
            );
            check_root_type(found, position, schema, out);
        }
        TypeName::Missing if embedded => {
            let related =
                related_key(schema, Keyword::EmbeddedResource, "an embedded resource is an object", out);
            push_type(
                ErrorType::Required,
                Code::StructuralEmbeddedType,
                EMBEDDED_TYPE,
                (EMBEDDED, "add `type: object`".into()),
                schema,
                related,
                out,
            );
        }
        TypeName::Named(found) => check_root_type(found, position, schema, out),
        TypeName::Missing => check_type_given(schema, position, out),
    }
}

const EMBEDDED: &str = "an embedded resource must be an object";
const EMBEDDED_TYPE: &str = "must be object if x-kubernetes-embedded-resource is true";

fn check_root_type(found: &str, position: Position, schema: &Schema<'_, '_>, out: &mut Builder) {
    if position == Position::Root && found != "object" {
        push_type(
            ErrorType::Invalid,
            Code::StructuralRootObject,
            "must be object at the root",
            ("`type` must be `object` at the root", "set `type: object`".into()),
            schema,
            Vec::new(),
            out,
        );
    }
}

fn check_type_given(schema: &Schema<'_, '_>, position: Position, out: &mut Builder) {
    if schema.is_true(Keyword::IntOrString) || schema.is_true(Keyword::PreserveUnknownFields) {
        return;
    }
    let detail = match position {
        Position::Root => "must not be empty at the root",
        Position::Item => "must not be empty for specified array items",
        _ => "must not be empty for specified object fields",
    };
    let types = types_in_junctors(schema);
    let advice = missing_type(schema, position, &types);
    let related = types
        .into_iter()
        .take(MAX_RELATED)
        .map(|(key, found)| (out.place_of(key), format!("a type is given here: `{found}`").into()))
        .collect();
    let words = ("", advice);
    push_type(ErrorType::Required, Code::StructuralTypeRequired, detail, words, schema, related, out);
}

/// The remedy for a missing type.
fn missing_type(
    schema: &Schema<'_, '_>,
    position: Position,
    types: &[(TextRange, Cow<'_, str>)],
) -> Cow<'static, str> {
    let has = |keyword| schema.get(keyword).is_some();
    if position == Position::Root || has(Keyword::Properties) || has(Keyword::AdditionalProperties) {
        return "add `type: object`".into();
    }
    if has(Keyword::Items) {
        return "add `type: array`".into();
    }
    let mut names: Vec<&str> = types.iter().map(|(_, name)| name.as_ref()).collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        ["integer", "string"] => {
            "set `x-kubernetes-int-or-string: true` to accept integers and strings".into()
        }
        [name] => format!("add `type: {name}`").into(),
        _ if position == Position::Item => "add the `type` of the items".into(),
        _ => "add `type: string` or another type".into(),
    }
}

/// The `type` keys within the junctors of `schema`, which suggest its type.
fn types_in_junctors<'t>(schema: &Schema<'_, 't>) -> Vec<(TextRange, Cow<'t, str>)> {
    let mut types = Vec::new();
    let mut pending = branches(schema);
    pending.reverse();
    let mut looks = 0;
    while let Some(branch) = pending.pop() {
        looks += 1;
        if let (Some(key), Some(found)) = (branch.key_range(Keyword::Type), branch.string(Keyword::Type)) {
            types.push((key, found));
        }
        // Aliases can multiply branches.
        if looks + pending.len() > MAX_BRANCHES {
            break;
        }
        let mut below = branches(&branch);
        below.reverse();
        pending.append(&mut below);
    }
    types
}

/// The direct branches of the junctors of `schema`.
fn branches<'r, 't>(schema: &Schema<'r, 't>) -> Vec<Schema<'r, 't>> {
    let mut branches = Vec::new();
    for keyword in Keyword::BRANCHING {
        let values = schema.items(keyword).map(yaml::Item::value);
        branches.extend(values.filter_map(|value| Schema::read(value, schema.reader())));
    }
    branches.extend(schema.schema(Keyword::Not));
    branches
}

fn check_additional_properties(
    schema: &Schema<'_, '_>,
    embedded: bool,
    position: Position,
    out: &mut Builder,
) {
    let Some(key) =
        schema.get(Keyword::AdditionalProperties).and(schema.key_range(Keyword::AdditionalProperties))
    else {
        return;
    };
    let place = out.place_of(key);
    if position == Position::Root {
        let words = FindingText {
            code: Code::StructuralAdditionalPropertiesRoot,
            error: ErrorType::Forbidden,
            detail: "must not be used at the root",
            problem: "`additionalProperties` is not allowed at the root".into(),
            advice: "declare the fields under `properties` and put the map in one of them".into(),
        };
        push(words, place, vec![name(Keyword::AdditionalProperties)], Vec::new(), out);
    }
    if embedded {
        let words = FindingText {
            code: Code::StructuralEmbeddedAdditionalProperties,
            error: ErrorType::Forbidden,
            detail: "must not be used if x-kubernetes-embedded-resource is set",
            problem: "`additionalProperties` is not allowed beside `x-kubernetes-embedded-resource`".into(),
            advice: "remove one of the two".into(),
        };
        let related = related_key(schema, Keyword::EmbeddedResource, "set here", out);
        push(words, place, vec![name(Keyword::AdditionalProperties)], related, out);
    }
}

fn check_embedded_properties<'t>(schema: &Schema<'_, 't>, properties: &Members<'t>, out: &mut Builder) {
    let readable = schema.get(Keyword::Properties).is_none_or(|value| value.as_mapping().is_some());
    if schema.is_true(Keyword::PreserveUnknownFields) || !properties.entries.is_empty() || !readable {
        return;
    }
    let words = FindingText {
        code: Code::StructuralEmbeddedProperties,
        error: ErrorType::Required,
        detail: "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
        problem: "an embedded resource must declare or preserve its fields".into(),
        advice: "add `properties`, or set `x-kubernetes-preserve-unknown-fields: true`".into(),
    };
    let place = out.at_or_owner(schema.key_range(Keyword::Properties));
    let related = related_key(schema, Keyword::EmbeddedResource, "an embedded resource", out);
    push(words, place, vec![name(Keyword::Properties)], related, out);
}

fn check_int_or_string(schema: &Schema<'_, '_>, out: &mut Builder) {
    let conflicts = [
        (Keyword::PreserveUnknownFields, Code::StructuralIntOrStringPreserve),
        (Keyword::EmbeddedResource, Code::StructuralIntOrStringEmbedded),
    ];
    for (keyword, code) in conflicts {
        let Some(value) = schema.get(keyword).filter(|_| schema.is_true(keyword)) else { continue };
        let words = FindingText {
            code,
            error: ErrorType::Invalid,
            detail: "must be false if x-kubernetes-int-or-string is true",
            problem: format!("`{}` is not allowed beside `x-kubernetes-int-or-string`", keyword.as_str())
                .into(),
            advice: "remove one of the two".into(),
        };
        let place = out.place_of(value.range());
        let related = related_key(schema, Keyword::IntOrString, "set here", out);
        push(words, place, vec![name(keyword)], related, out);
        out.print_value("true".to_owned());
    }
}

/// The fields of every object: name, code, type and the server's detail.
const OBJECT_FIELDS: [(&str, Code, &str, &str); 3] = [
    ("kind", Code::StructuralKindType, "string", "must be string"),
    ("apiVersion", Code::StructuralApiVersionType, "string", "must be string"),
    ("metadata", Code::StructuralMetadataType, "object", "must be object"),
];

/// The type of a field that every object has.
pub(crate) fn type_of_object_field(name: &str) -> Option<&'static str> {
    OBJECT_FIELDS.iter().find(|(field, ..)| *field == name).map(|(_, _, wanted, _)| *wanted)
}

/// Checks the types of `kind`, `apiVersion` and `metadata` of a resource, which are fixed.
fn check_object_fields<'t>(schema: &Schema<'_, 't>, properties: &Members<'t>, out: &mut Builder) {
    for (field, code, wanted, detail) in OBJECT_FIELDS {
        let Some(entry) = properties.get(field) else { continue };
        let Some(property) = Schema::read(entry.value(), schema.reader()) else { continue };
        let ty = property.type_name();
        if ty.is(wanted) || ty == TypeName::Unreadable {
            continue;
        }
        let wrong = property.get(Keyword::Type).map(Value::range);
        let place = out.place_of(wrong.filter(|range| !range.is_empty()).unwrap_or(entry.key_range()));
        let problem = format!("`{field}` must have `type: {wanted}`").into();
        let advice = "set it, or remove the property, which needs no declaration".into();
        let words = FindingText { code, error: ErrorType::Invalid, detail, problem, advice };
        let tail = vec![name(Keyword::Properties), Segment::Key(field.into()), name(Keyword::Type)];
        push(words, place, tail, Vec::new(), out);
        out.print_value(quoted_type(&ty));
    }
}

/// The properties of the root's `metadata` that a definition may describe.
pub(crate) const METADATA_FIELDS: &[&str] = &["name", "generateName"];

/// Whether the schema of the root's `metadata` may have `keyword`; another check restricts defaults.
pub(crate) fn may_describe_metadata(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Type | Keyword::Default | Keyword::Properties)
}

fn check_metadata_fields<'t>(
    schema: &Schema<'_, 't>,
    properties: &Members<'t>,
    version: KubernetesVersion,
    out: &mut Builder,
) {
    let Some(entry) = properties.get("metadata") else { return };
    let Some(metadata) = Schema::read(entry.value(), schema.reader()) else { return };
    let mut related: Vec<(Place, Cow<'static, str>)> = Vec::new();
    for (keyword, entry) in metadata.entries() {
        match keyword {
            Keyword::Properties => related.extend(foreign_metadata(&metadata, out)),
            _ if may_describe_metadata(keyword) => {}
            _ if leaves_nothing(&metadata, keyword, false, version) => {}
            _ => related.push((out.place_of(entry.key_range()), "not allowed here".into())),
        }
    }
    if related.is_empty() {
        return;
    }
    related.truncate(MAX_RELATED);
    let words = FindingText {
        code: Code::StructuralMetadataFields,
        error: ErrorType::Forbidden,
        detail: "must not specify anything other than name and generateName, but metadata is implicitly specified",
        problem: "`metadata` may declare only `name` and `generateName`".into(),
        advice: "remove the rest".into(),
    };
    let place = out.place_of(entry.key_range());
    push(words, place, vec![name(Keyword::Properties), Segment::Key("metadata".into())], related, out);
}

/// The properties of `metadata` that a definition cannot describe.
fn foreign_metadata(metadata: &Schema<'_, '_>, out: &Builder) -> Vec<(Place, Cow<'static, str>)> {
    let members = metadata.members(Keyword::Properties).entries.into_iter();
    members
        .filter(|(key, _)| !METADATA_FIELDS.contains(&key.as_ref()))
        .map(|(_, entry)| (out.place_of(entry.key_range()), Cow::Borrowed("not allowed here")))
        .collect()
}

fn related_key(
    schema: &Schema<'_, '_>,
    keyword: Keyword,
    text: &'static str,
    out: &Builder,
) -> Vec<(Place, Cow<'static, str>)> {
    schema.key_range(keyword).map(|key| (out.place_of(key), text.into())).into_iter().collect()
}

/// Adds a finding for `type`: at its value if it is set, otherwise at the key of the node.
fn push_type(
    error: ErrorType,
    code: Code,
    detail: &'static str,
    (problem, advice): (&'static str, Cow<'static, str>),
    schema: &Schema<'_, '_>,
    related: Vec<(Place, Cow<'static, str>)>,
    out: &mut Builder,
) {
    let written = schema.get(Keyword::Type).map(Value::range);
    let place = out.at_or_owner(written);
    push(
        FindingText { code, error, detail, problem: problem.into(), advice },
        place,
        vec![name(Keyword::Type)],
        related,
        out,
    );
    if error == ErrorType::Invalid {
        out.print_value(quoted_type(&schema.type_name()));
    }
}

/// The type in the form that the server prints.
pub(super) fn quoted_type(ty: &TypeName<'_>) -> String {
    match ty {
        TypeName::Named(name) => go::quoted(name),
        TypeName::Missing | TypeName::Unreadable => go::quoted(""),
    }
}

fn push(
    words: FindingText,
    place: Place,
    tail: Vec<Segment>,
    related: Vec<(Place, Cow<'static, str>)>,
    out: &mut Builder,
) {
    let finding = NodeFinding::new(Stage::Structural, words.code, words.error, place, tail, words.detail);
    out.push(NodeFinding { related, ..finding.with_problem(words.problem).advise(words.advice) });
}
