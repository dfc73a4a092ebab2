//! The possible values of a field of a resource or of a definition.

use std::borrow::Cow;

use api::{
    CUSTOM_RESOURCE_DEFINITION_V1, CUSTOM_RESOURCE_DEFINITION_V1BETA1, Field, FieldType, OBJECT_META,
    ObjectType,
};
use crd::schema::structural::{Child, Structural, StructuralOrBool};
use text::{TextBuffer, TextRange, TextSize};

use crate::analysis::grammar;

/// The fields that every object has.
const HEAD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The possible values of a field.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'s> {
    /// The values of a schema in a definition.
    Schema(SchemaNode<'s>),
    /// A type of the API.
    Api(FieldType),
    /// Unknown values.
    Open,
}

/// A node of a schema, and the text of its definition.
#[derive(Clone, Copy)]
pub(crate) struct SchemaNode<'s> {
    pub(crate) schema: &'s Structural,
    /// The start of the node in the text, in bytes.
    pub(crate) base: TextSize,
    pub(crate) text: &'s TextBuffer,
    /// Whether its values are whole objects with `apiVersion`, `kind` and `metadata`.
    is_object: bool,
    /// The fields that identify its values, if these are items of a list of the type `map`.
    identifying: &'s [Box<str>],
}

/// A field of an object.
#[derive(Clone)]
pub(crate) struct Member<'s> {
    pub(crate) name: Cow<'s, str>,
    /// Whether the name is that of a field; otherwise the author chose it, as a key of a map.
    pub(crate) is_named: bool,
    pub(crate) shape: Shape<'s>,
    pub(crate) required: bool,
    /// Whether it identifies the items of a list.
    pub(crate) identifies: bool,
    /// Its description in the API.
    pub(crate) field: Option<&'static Field>,
    /// Its key in the definition, in bytes of that text.
    pub(crate) key: Option<TextRange>,
}

impl<'s> SchemaNode<'s> {
    /// The schema of whole resources.
    pub(crate) fn root(schema: &'s Structural, base: TextSize, text: &'s TextBuffer) -> Self {
        Self { schema, base, text, is_object: true, identifying: &[] }
    }

    /// A schema at any position.
    pub(crate) fn of(schema: &'s Structural, base: TextSize, text: &'s TextBuffer) -> Self {
        let is_object = schema.extensions.embedded_resource;
        Self { schema, base, text, is_object, identifying: &[] }
    }

    /// The same text at another node.
    pub(crate) fn at(self, child: &'s Child<Structural>) -> Self {
        Self::of(&child.node, child.base(self.base), self.text)
    }

    fn property(self, name: &'s str, child: &'s Child<Structural>) -> Member<'s> {
        let required = &self.schema.value_validation.required;
        Member {
            name: name.into(),
            is_named: true,
            shape: Shape::Schema(self.at(child)),
            required: required.iter().any(|(required, _)| &**required == name),
            identifies: self.identifying.iter().any(|key| &**key == name),
            field: None,
            key: Some(self.key_of(child)),
        }
    }

    fn key_of(self, child: &Child<Structural>) -> TextRange {
        let at = |offset: TextSize| self.base.wrapping_add(offset);
        TextRange { start: at(child.key.start), end: at(child.key.end) }
    }

    /// `apiVersion`, `kind` or `metadata` of a whole object.
    fn head(self, name: &str) -> Option<Member<'s>> {
        if !self.is_object || !HEAD.contains(&name) {
            return None;
        }
        let field = CUSTOM_RESOURCE_DEFINITION_V1.field(name)?;
        let shape = match name {
            "metadata" => Shape::Api(FieldType::Object(&OBJECT_META)),
            _ => Shape::Api(FieldType::String),
        };
        let declared = self.schema.properties.get(name);
        let key = declared.map(|child| self.key_of(child));
        let name = field.name.into();
        Some(Member { name, is_named: true, shape, required: true, identifies: false, field: None, key })
    }

    /// The shape of undeclared fields.
    fn undeclared_fields(self) -> Option<Shape<'s>> {
        match &self.schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => Some(Shape::Schema(self.at(child))),
            Some(StructuralOrBool::Bool(true)) => Some(Shape::Open),
            _ if self.schema.extensions.preserve_unknown_fields => Some(Shape::Open),
            _ => None,
        }
    }
}

impl<'s> Shape<'s> {
    /// The fields with fixed names, in the order in which they are shown.
    pub(crate) fn members(self) -> Vec<Member<'s>> {
        match self {
            Self::Schema(node) => {
                let head = HEAD.iter().filter_map(|name| node.head(name));
                let properties = node.schema.properties.iter();
                let declared = properties.filter(|(name, _)| !(node.is_object && HEAD.contains(&&***name)));
                head.chain(declared.map(|(name, child)| node.property(name, child))).collect()
            }
            Self::Api(ty) => match ty.object() {
                Some(object) => object.fields.iter().map(|field| api_member(object, field)).collect(),
                None => Vec::new(),
            },
            Self::Open => Vec::new(),
        }
    }

    /// The name of an object of the API.
    pub(crate) const fn object_name(self) -> Option<&'static str> {
        match self {
            Self::Api(FieldType::Object(object)) => Some(object.name),
            _ => None,
        }
    }

    /// Returns the field `key`; `None` if there is no such field.
    pub(crate) fn member(self, key: &str) -> Option<Member<'s>> {
        let unnamed = |shape| Member {
            name: key.to_owned().into(),
            is_named: false,
            shape,
            required: false,
            identifies: false,
            field: None,
            key: None,
        };
        match self {
            Self::Schema(node) => node
                .head(key)
                .or_else(|| {
                    let (name, child) = node.schema.properties.get_key_value(key)?;
                    Some(node.property(name, child))
                })
                .or_else(|| node.undeclared_fields().map(unnamed)),
            Self::Api(ty) => match ty.object() {
                Some(object) => object.field(key).map(|field| api_member(object, field)),
                None => grammar::key(ty, key).map(|(_, ty)| unnamed(Self::Api(ty))),
            },
            Self::Open => Some(unnamed(Self::Open)),
        }
    }

    /// The shape of the items of a list; `None` if the values have no items.
    pub(crate) fn item(self) -> Option<Self> {
        match self {
            Self::Schema(node) => {
                let extensions = &node.schema.extensions;
                let is_map = extensions.list_type.as_deref() == Some("map");
                let identifying: &[Box<str>] = if is_map { &extensions.list_map_keys } else { &[] };
                let items = node.schema.items.as_ref();
                items.map(|child| Self::Schema(SchemaNode { identifying, ..node.at(child) }))
            }
            Self::Api(ty) => grammar::item(ty).map(Self::Api),
            Self::Open => Some(Self::Open),
        }
    }

    /// Whether its values are known to be lists.
    pub(crate) fn is_list(self) -> bool {
        match self {
            Self::Schema(node) => &*node.schema.generic.type_name == "array",
            Self::Api(ty) => matches!(ty, FieldType::List(_)),
            Self::Open => false,
        }
    }

    /// Whether its values are known to be objects.
    pub(crate) fn is_object(self) -> bool {
        match self {
            Self::Schema(node) => &*node.schema.generic.type_name == "object" || node.is_object,
            Self::Api(ty) => ty.object().is_some() || matches!(ty, FieldType::Map(_)),
            Self::Open => false,
        }
    }

    /// The node of the schema, if there is one.
    pub(crate) fn schema(self) -> Option<SchemaNode<'s>> {
        match self {
            Self::Schema(node) => Some(node),
            _ => None,
        }
    }
}

fn api_member(object: &'static ObjectType, field: &'static Field) -> Member<'static> {
    let is_definition = [&CUSTOM_RESOURCE_DEFINITION_V1, &CUSTOM_RESOURCE_DEFINITION_V1BETA1]
        .iter()
        .any(|root| std::ptr::eq(*root, object));
    Member {
        name: field.name.into(),
        is_named: true,
        shape: Shape::Api(field.ty),
        required: field.required || is_definition && HEAD.contains(&field.name),
        identifies: false,
        field: Some(field),
        key: None,
    }
}
