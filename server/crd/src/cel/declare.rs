//! The types that structural schemas declare to CEL (`SchemaDeclType`), with the bounds that the cost estimate needs.

use api::Difference;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use cel::{DeclField, DeclKind, DeclType, StringBounds};
use rustc_hash::FxHashSet;

use crate::KubernetesVersion;
use crate::schema::structural::{Structural, StructuralOrBool};
use crate::value::Kind;

/// The maximum length of an object's name, in bytes; a `generateName` is one byte shorter, for the suffix.
const NAME_MAX: i64 = 253;

/// The type of a schema node in CEL.
#[derive(Clone, Debug)]
pub struct SchemaType {
    /// The type.
    pub of: DeclType,
    /// A hash: equal types have equal fingerprints.
    pub(crate) fingerprint: u64,
    /// Whether some part of the type is unknown.
    pub(crate) is_partial: bool,
}

/// Caches the type that a node declares below another node, with the version, which affects some bounds.
#[derive(Debug, Default)]
struct DeclaredCell(OnceLock<(KubernetesVersion, Option<SchemaType>)>);

/// The type of `schema` in CEL; `None` if CEL cannot access it. `is_root` is true for the schema of a whole resource.
#[must_use]
pub fn declared(schema: &Structural, is_root: bool, version: KubernetesVersion) -> Option<SchemaType> {
    let is_embedded = schema.extensions.embedded_resource;
    if is_root && !is_embedded {
        return declare(schema, true, version);
    }
    let (known_for, known) = schema
        .remembered
        .answer::<DeclaredCell>()
        .0
        .get_or_init(|| (version, declare(schema, is_embedded, version)));
    match *known_for == version {
        true => known.clone(),
        false => declare(schema, is_embedded, version),
    }
}

impl SchemaType {
    /// Wraps `of`, whose fingerprint is computed from the whole type.
    pub(crate) fn new(of: DeclType) -> Self {
        let mut hasher = DefaultHasher::new();
        hash_type(&of, &mut hasher);
        let is_partial = is_partial(&of);
        Self { of, fingerprint: hasher.finish(), is_partial }
    }

    /// Wraps `of`, whose fingerprint is computed from the fingerprints of its parts.
    fn made_of(of: DeclType, is_partial: bool, parts: impl FnOnce(&mut DefaultHasher)) -> Self {
        let mut hasher = DefaultHasher::new();
        hash_head(&of, &mut hasher);
        parts(&mut hasher);
        Self { of, fingerprint: hasher.finish(), is_partial }
    }
}

fn declare(schema: &Structural, is_resource: bool, version: KubernetesVersion) -> Option<SchemaType> {
    let values = &schema.value_validation;
    if schema.extensions.int_or_string {
        let mut of = DeclType::int_or_string(values.max_length);
        if !version.has(Difference::IntOrStringCosts) {
            of.max_elements = 0;
        }
        return Some(SchemaType::new(of));
    }
    match &*schema.generic.type_name {
        "array" => {
            let items = declared(&schema.items.as_ref()?.node, false, version)?;
            let of = DeclType::list(items.of, values.max_items);
            Some(SchemaType::made_of(of, items.is_partial, |hasher| items.fingerprint.hash(hasher)))
        }
        "object" => match &schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => {
                let value = declared(&child.node, false, version)?;
                let of = DeclType::map(value.of, values.max_properties);
                Some(SchemaType::made_of(of, value.is_partial, |hasher| value.fingerprint.hash(hasher)))
            }
            _ => Some(object(schema, is_resource && !types_its_metadata(schema), version)),
        },
        "string" => Some(SchemaType::new(DeclType::string(StringBounds {
            format: &values.format,
            max_length: values.max_length,
            longest_enum: longest_enum(schema).filter(|_| version.has(Difference::EnumsInCosts)),
        }))),
        "boolean" => Some(SchemaType::new(DeclType::boolean())),
        "number" => Some(SchemaType::new(DeclType::number())),
        "integer" => Some(SchemaType::new(DeclType::integer())),
        _ => schema.is_open.then(|| SchemaType::new(DeclType::unknown())),
    }
}

/// An object with fields; with `adds_metadata`, the metadata fields of a resource replace the declared ones.
fn object(schema: &Structural, adds_metadata: bool, version: KubernetesVersion) -> SchemaType {
    let required: FxHashSet<&str> =
        schema.value_validation.required.iter().map(|(name, _)| name.as_ref()).collect();
    let mut fields: BTreeMap<&str, (SchemaType, bool)> = BTreeMap::new();
    for (name, child) in &schema.properties {
        if let Some(of) = declared(&child.node, false, version) {
            fields.insert(name, (of, child.node.generic.default.is_some()));
        }
    }
    if adds_metadata {
        let text = || SchemaType::new(DeclType::string(StringBounds::default()));
        fields.insert("apiVersion", (text(), false));
        fields.insert("kind", (text(), false));
        fields.insert("metadata", (metadata(schema, version), false));
    }
    let mut hasher = DefaultHasher::new();
    for (name, (of, has_default)) in &fields {
        (name, of.fingerprint, has_default, required.contains(name)).hash(&mut hasher);
    }
    let is_partial = schema.is_open || fields.values().any(|(of, _)| of.is_partial);
    let fields = fields.into_iter().map(|(name, (field, has_default))| DeclField {
        property: name.to_owned(),
        of: field.of,
        required: required.contains(name),
        has_default,
    });
    let of = if schema.is_open { DeclType::open_object(fields) } else { DeclType::object(fields) };
    SchemaType::made_of(of, is_partial, |outer| hasher.finish().hash(outer))
}

/// The `metadata` of a resource: `name` and `generateName`.
fn metadata(schema: &Structural, version: KubernetesVersion) -> SchemaType {
    let written = schema.properties.get("metadata");
    let name = |name: &str, most: i64| {
        let written = written.and_then(|metadata| metadata.node.properties.get(name));
        let shorter = written.and_then(|name| name.node.value_validation.max_length);
        let max_length =
            version.has(Difference::NamesInCosts).then(|| shorter.map_or(most, |max| max.min(most)));
        let of = DeclType::string(StringBounds { max_length, ..StringBounds::default() });
        DeclField { property: name.to_owned(), of, required: false, has_default: false }
    };
    SchemaType::new(DeclType::object([name("generateName", NAME_MAX - 1), name("name", NAME_MAX)]))
}

/// Whether the schema of a resource declares the types of all metadata that CEL can access; the schema is then
/// used unchanged.
pub(crate) fn types_its_metadata(schema: &Structural) -> bool {
    let of = |schema: &Structural, name: &str, wanted: &str| {
        schema.properties.get(name).is_some_and(|child| &*child.node.generic.type_name == wanted)
    };
    let metadata = schema.properties.get("metadata");
    of(schema, "kind", "string")
        && of(schema, "apiVersion", "string")
        && of(schema, "metadata", "object")
        && metadata.is_some_and(|metadata| {
            of(&metadata.node, "name", "string") && of(&metadata.node, "generateName", "string")
        })
}

/// The length in bytes of the longest text in `enum`; `None` without an `enum`.
fn longest_enum(schema: &Structural) -> Option<u64> {
    let values = &schema.value_validation.enumeration;
    let length = |value: &crate::value::Value| match &value.kind {
        Kind::String(text) => text.len() as u64,
        _ => 0,
    };
    values.iter().map(length).max()
}

/// Whether some part of `of` is unknown.
fn is_partial(of: &DeclType) -> bool {
    match &of.kind {
        DeclKind::Unknown => true,
        DeclKind::List(element) | DeclKind::Map(element) => is_partial(element),
        DeclKind::Object(object) => {
            object.is_open
                || object
                    .order
                    .iter()
                    .any(|name| object.fields.get(name).is_some_and(|field| is_partial(&field.of)))
        }
        _ => false,
    }
}

fn hash_head(of: &DeclType, hasher: &mut DefaultHasher) {
    (std::mem::discriminant(&of.kind), of.min_serialized_size, of.max_elements, of.is_open()).hash(hasher);
}

fn hash_type(of: &DeclType, hasher: &mut DefaultHasher) {
    hash_head(of, hasher);
    match &of.kind {
        DeclKind::List(element) | DeclKind::Map(element) => hash_type(element, hasher),
        DeclKind::Object(object) => {
            for (name, field) in object.order.iter().filter_map(|name| object.fields.get_key_value(name)) {
                (name, field.required, field.has_default).hash(hasher);
                hash_type(&field.of, hasher);
            }
        }
        _ => {}
    }
}
