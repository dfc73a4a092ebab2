//! The declarations of a schema: types with the bounds that the cost estimate needs, without any YAML.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::parser::is_reserved;
use crate::types::{Type, TypeName, TypeProvider};

/// The maximum size of a request in bytes, which bounds values without a bound in the schema.
pub const MAX_REQUEST_BYTES: u64 = 3_145_728;
/// The longest string that fits into a request with its quotes, and the longest list with its brackets.
const MAX_PAYLOAD: u64 = MAX_REQUEST_BYTES - 2;

/// A declared type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclType {
    /// The kind of type.
    pub kind: DeclKind,
    /// The minimum number of bytes of a value in JSON.
    pub min_serialized_size: u64,
    /// The maximum number of elements of a list or map, or of bytes of a string; 0 for types without a size.
    pub max_elements: u64,
}

/// The kinds of declared types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `double`
    Double,
    /// `string`
    String,
    /// `bytes`
    Bytes,
    /// `duration`
    Duration,
    /// `timestamp`
    Timestamp,
    /// An integer or a string.
    Dyn,
    /// A value of unknown type, for which every use is valid.
    Unknown,
    /// A list of elements.
    List(Arc<DeclType>),
    /// A map from strings to values.
    Map(Arc<DeclType>),
    /// An object with fields.
    Object(Arc<DeclObject>),
}

/// An object with fields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclObject {
    /// The fields by their escaped names.
    pub fields: FxHashMap<String, DeclField>,
    /// The escaped names in the order in which the schema lists them.
    pub order: Vec<String>,
    /// Whether there may be further fields of unknown type.
    pub is_open: bool,
}

/// A field of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclField {
    /// The name in the schema.
    pub property: String,
    /// Its type.
    pub field_type: DeclType,
    /// Whether the schema requires it.
    pub required: bool,
    /// Whether the schema has a default for it.
    pub has_default: bool,
}

/// The constraints on a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StringBounds<'a> {
    /// `format`
    pub format: &'a str,
    /// `maxLength`, in characters.
    pub max_length: Option<i64>,
    /// The length in bytes of the longest string in `enum`, if there is an enum.
    pub longest_enum: Option<u64>,
}

/// The assumed size of a value of unknown type, in bytes of JSON; hardly any value is required to be that long.
const UNKNOWN_SIZE: u64 = 512;

impl DeclType {
    const fn sized(kind: DeclKind, min_serialized_size: u64, max_elements: u64) -> Self {
        Self { kind, min_serialized_size, max_elements }
    }

    /// `type: boolean`
    #[must_use]
    pub const fn boolean() -> Self {
        Self::sized(DeclKind::Bool, 4, 0)
    }

    /// `type: integer`
    #[must_use]
    pub const fn integer() -> Self {
        Self::sized(DeclKind::Int, 1, 0)
    }

    /// `type: number`
    #[must_use]
    pub const fn number() -> Self {
        Self::sized(DeclKind::Double, 1, 0)
    }

    /// `x-kubernetes-int-or-string`
    #[must_use]
    pub fn int_or_string(max_length: Option<i64>) -> Self {
        Self::sized(DeclKind::Dyn, 1, bytes_of(max_length).unwrap_or(MAX_PAYLOAD))
    }

    /// A value of unknown type. A list of such values counts as short, so its cost is rather too low.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::sized(DeclKind::Unknown, UNKNOWN_SIZE, 0)
    }

    /// `type: string`
    #[must_use]
    pub fn string(bounds: StringBounds<'_>) -> Self {
        match bounds.format {
            "byte" => {
                let max = bounds.max_length.map_or(MAX_PAYLOAD, at_least_zero);
                Self::sized(DeclKind::Bytes, 2, max)
            }
            "duration" => Self::sized(DeclKind::Duration, 3, 32),
            "date" => Self::sized(DeclKind::Timestamp, 12, 12),
            "date-time" => Self::sized(DeclKind::Timestamp, 21, 32),
            _ => {
                let max = bytes_of(bounds.max_length).or(bounds.longest_enum).unwrap_or(MAX_PAYLOAD);
                Self::sized(DeclKind::String, 2, max)
            }
        }
    }

    /// `type: array`
    #[must_use]
    pub fn list(element: Self, max_items: Option<i64>) -> Self {
        let most = MAX_PAYLOAD / (element.min_serialized_size + 1);
        let max = max_items.map_or(most, at_least_zero);
        Self::sized(DeclKind::List(Arc::new(element)), 2, max)
    }

    /// `type: object` with a schema in `additionalProperties`
    #[must_use]
    pub fn map(value: Self, max_properties: Option<i64>) -> Self {
        let most = MAX_PAYLOAD / (value.min_serialized_size + 6);
        let max = max_properties.map_or(most, at_least_zero);
        Self::sized(DeclKind::Map(Arc::new(value)), 2, max)
    }

    /// `type: object` with `properties`; fields whose names CEL cannot represent are omitted, but count for
    /// the size.
    #[must_use]
    pub fn object(fields: impl IntoIterator<Item = DeclField>) -> Self {
        Self::object_with(fields, false)
    }

    /// The same with further fields of unknown type.
    #[must_use]
    pub fn open_object(fields: impl IntoIterator<Item = DeclField>) -> Self {
        Self::object_with(fields, true)
    }

    fn object_with(fields: impl IntoIterator<Item = DeclField>, is_open: bool) -> Self {
        let mut object = DeclObject { is_open, ..DeclObject::default() };
        let mut size = 2u64;
        for field in fields {
            if field.required && !field.has_default {
                size = size
                    .saturating_add(field.property.len() as u64 + field.field_type.min_serialized_size + 4);
            }
            if let Some(name) = escape(&field.property) {
                object.order.push(name.clone());
                object.fields.insert(name, field);
            }
        }
        Self::sized(DeclKind::Object(Arc::new(object)), size, 0)
    }

    /// How often a value of this type fits into a request, if no schema above it has a bound.
    #[must_use]
    pub const fn max_cardinality(&self) -> u64 {
        MAX_REQUEST_BYTES / (self.min_serialized_size + 1)
    }

    /// The element of a list, the value of a map.
    #[must_use]
    pub fn element(&self) -> Option<&Self> {
        match &self.kind {
            DeclKind::List(element) | DeclKind::Map(element) => Some(element),
            _ => None,
        }
    }

    /// The type in CEL, in which objects have names: `name`, then `.field`, `.@idx` for the items of a list and
    /// `.@elem` for the values of a map.
    #[must_use]
    pub fn as_type(&self, name: &str) -> Type {
        match &self.kind {
            DeclKind::Bool => Type::Bool,
            DeclKind::Int => Type::Int,
            DeclKind::Double => Type::Double,
            DeclKind::String => Type::String,
            DeclKind::Bytes => Type::Bytes,
            DeclKind::Duration => Type::Duration,
            DeclKind::Timestamp => Type::Timestamp,
            DeclKind::Dyn | DeclKind::Unknown => Type::Dyn,
            DeclKind::List(element) => Type::list(element.as_type(&format!("{name}.@idx"))),
            DeclKind::Map(value) => Type::map(Type::String, value.as_type(&format!("{name}.@elem"))),
            DeclKind::Object(_) => Type::object(name),
        }
    }

    /// Whether it is an object with further fields of unknown type.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(&self.kind, DeclKind::Object(object) if object.is_open)
    }

    /// Whether its values, or the elements of a list or map, have an unknown type.
    #[must_use]
    pub fn leads_to_unknown(&self) -> bool {
        match &self.kind {
            DeclKind::Unknown => true,
            DeclKind::List(element) | DeclKind::Map(element) => element.leads_to_unknown(),
            _ => false,
        }
    }

    /// The field of an object by its escaped name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&DeclField> {
        match &self.kind {
            DeclKind::Object(object) => object.fields.get(name),
            _ => None,
        }
    }
}

const fn at_least_zero(number: i64) -> u64 {
    if number < 0 { 0 } else { number as u64 }
}

/// The maximum number of bytes of that many characters.
fn bytes_of(max_length: Option<i64>) -> Option<u64> {
    max_length.map(|max| at_least_zero(max).saturating_mul(4))
}

/// The object types below a declared type by name, and the declared type itself.
#[derive(Clone, Debug)]
pub struct Declarations {
    root: DeclType,
    root_type: Type,
    objects: FxHashMap<TypeName, DeclaredObject>,
}

#[derive(Clone, Debug)]
struct DeclaredObject {
    object: Arc<DeclObject>,
    fields: FxHashMap<String, Type>,
}

impl Declarations {
    /// Names the object types below `root`: `name` itself, `name.field`, and `@idx` and `@elem` for the
    /// elements of lists and maps. Messages show these names.
    #[must_use]
    pub fn new(root: DeclType, name: &str) -> Self {
        let mut objects = FxHashMap::default();
        let root_type = root.as_type(name);
        declare(&root, name, &mut objects);
        Self { root, root_type, objects }
    }

    /// The type of `self`.
    #[must_use]
    pub const fn root_type(&self) -> &Type {
        &self.root_type
    }

    /// The declared type from which the types were created.
    #[must_use]
    pub const fn root(&self) -> &DeclType {
        &self.root
    }

    fn declared(&self, name: &str) -> Option<&DeclaredObject> {
        self.objects.get(name)
    }

    /// The declared object of that name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&DeclObject> {
        self.declared(name).map(|declared| &*declared.object)
    }
}

/// Adds the objects in `of`, whose name is `name`.
fn declare(of: &DeclType, name: &str, objects: &mut FxHashMap<TypeName, DeclaredObject>) {
    match &of.kind {
        DeclKind::List(element) => declare(element, &format!("{name}.@idx"), objects),
        DeclKind::Map(value) => declare(value, &format!("{name}.@elem"), objects),
        DeclKind::Object(object) => {
            let mut fields = FxHashMap::default();
            for field in &object.order {
                let Some(declared) = object.fields.get(field) else { continue };
                let name = format!("{name}.{field}");
                fields.insert(field.clone(), declared.field_type.as_type(&name));
                declare(&declared.field_type, &name, objects);
            }
            objects.insert(TypeName::from(name), DeclaredObject { object: Arc::clone(object), fields });
        }
        _ => {}
    }
}

impl TypeProvider for Declarations {
    fn has_object(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    fn field_type(&self, object: &str, field: &str) -> Option<Type> {
        self.declared(object)?.fields.get(field).cloned()
    }

    fn field_names(&self, object: &str) -> Vec<String> {
        self.declared(object).map(|declared| declared.object.order.clone()).unwrap_or_default()
    }
}

/// The CEL name of a property; `None` if it has none. Reserved words and some characters are escaped.
#[must_use]
pub fn escape(property: &str) -> Option<String> {
    let first = property.chars().next()?;
    let spellable = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
    if first.is_ascii_digit() || !property.chars().all(spellable) {
        return None;
    }
    if is_reserved(property) {
        return Some(format!("__{property}__"));
    }
    if !property.contains(['.', '-', '/']) && !property.contains("__") {
        return Some(property.to_owned());
    }
    let escaped = property.replace("__", "__underscores__");
    Some(escaped.replace('.', "__dot__").replace('-', "__dash__").replace('/', "__slash__"))
}

/// The property that `name` means: the one with that escaped name, or else the name itself.
#[must_use]
pub fn property(name: &str) -> String {
    unescape(name).unwrap_or_else(|| name.to_owned())
}

/// The property with the escaped name `name`; `None` if [`escape`] does not produce that name.
#[must_use]
pub fn unescape(name: &str) -> Option<String> {
    if let Some(word) = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"))
        && is_reserved(word)
    {
        return Some(word.to_owned());
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((plain, following)) = rest.split_once("__") {
        let (word, after) = following.split_once("__")?;
        out.push_str(plain);
        out.push_str(match word {
            "underscores" => "__",
            "dot" => ".",
            "dash" => "-",
            "slash" => "/",
            _ => return None,
        });
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}
