//! A schema node as the validation sees it, on the spine or in a junctor.

use std::collections::BTreeMap;

use text::{TextRange, TextSize};

use super::SchemaForm;
use crate::schema::structural::{
    Child, Extensions, Generic, NestedOrBool, NestedValueValidation, Places, Structural, StructuralOrBool,
    ValueValidation,
};
use crate::schema::{Keyword, TYPES};

/// The maximum length of a text that a remedy repeats.
const LONGEST: usize = 40;

/// A schema node, with its start in the definition.
#[derive(Clone, Copy)]
pub(super) struct SchemaNode<'s> {
    schema: AnySchema<'s>,
    base: TextSize,
}

#[derive(Clone, Copy)]
enum AnySchema<'s> {
    Spine(&'s Structural),
    Nested(&'s NestedValueValidation),
}

/// The meaning of `additionalProperties`.
pub(super) enum Additional<'s> {
    /// Any values.
    Any,
    /// No values besides the properties.
    Nothing,
    /// Values that match this schema.
    Schema(SchemaNode<'s>),
}

impl<'s> SchemaNode<'s> {
    pub(super) fn from_structural(schema: &'s Structural, base: TextSize) -> Self {
        Self { schema: AnySchema::Spine(schema), base }
    }

    pub(super) fn from_nested(schema: &'s NestedValueValidation, base: TextSize) -> Self {
        Self { schema: AnySchema::Nested(schema), base }
    }

    fn child(self, child: &'s Child<Structural>) -> Self {
        Self { schema: AnySchema::Spine(&child.node), base: child.base(self.base) }
    }

    /// The node of a branch of a junctor.
    pub(super) fn branch(self, child: &'s Child<NestedValueValidation>) -> Self {
        Self { schema: AnySchema::Nested(&child.node), base: child.base(self.base) }
    }

    pub(super) fn generic(self) -> &'s Generic {
        match self.schema {
            AnySchema::Spine(schema) => &schema.generic,
            AnySchema::Nested(schema) => &schema.forbidden_generics,
        }
    }

    fn extensions(self) -> &'s Extensions {
        match self.schema {
            AnySchema::Spine(schema) => &schema.extensions,
            AnySchema::Nested(schema) => &schema.forbidden_extensions,
        }
    }

    /// The types that a value may have. A definition with an unknown type name cannot have resources on a
    /// server, so nothing is reported for it.
    pub(super) fn types(self, form: SchemaForm) -> Types<'s> {
        match &*self.generic().type_name {
            _ if form == SchemaForm::Resource && self.extensions().int_or_string => Types::IntOrString,
            "" => Types::Any,
            name if form == SchemaForm::Resource && !TYPES.contains(&name) => Types::Any,
            name => Types::One(name),
        }
    }

    pub(super) fn validation(self) -> &'s ValueValidation {
        match self.schema {
            AnySchema::Spine(schema) => &schema.value_validation,
            AnySchema::Nested(schema) => &schema.value_validation,
        }
    }

    pub(super) fn items(self) -> Option<Self> {
        match self.schema {
            AnySchema::Spine(schema) => schema.items.as_ref().map(|child| self.child(child)),
            AnySchema::Nested(schema) => schema.items.as_ref().map(|child| self.branch(child)),
        }
    }

    pub(super) fn property(self, name: &str) -> Option<Self> {
        match self.schema {
            AnySchema::Spine(schema) => schema.properties.get(name).map(|child| self.child(child)),
            AnySchema::Nested(schema) => schema.properties.get(name).map(|child| self.branch(child)),
        }
    }

    pub(super) fn additional(self, form: SchemaForm) -> Additional<'s> {
        match self.schema {
            AnySchema::Spine(schema) => match &schema.additional_properties {
                None | Some(StructuralOrBool::Bool(true)) => Additional::Any,
                Some(StructuralOrBool::Bool(false)) => Additional::Nothing,
                Some(StructuralOrBool::Structural(child)) => Additional::Schema(self.child(child)),
            },
            // The structural form of a junctor does not keep them.
            AnySchema::Nested(_) if form == SchemaForm::Default => Additional::Any,
            AnySchema::Nested(schema) => match &schema.additional_properties {
                None | Some(NestedOrBool::Bool(true)) => Additional::Any,
                Some(NestedOrBool::Bool(false)) => Additional::Nothing,
                Some(NestedOrBool::Nested(child)) => Additional::Schema(self.branch(child)),
            },
        }
    }

    /// The remedy for a `text` in place of an object: the text is a field without its colon, or the value of
    /// the only required field.
    pub(super) fn object_of(self, text: &str) -> Option<String> {
        let AnySchema::Spine(schema) = self.schema else { return None };
        if &*schema.generic.type_name != "object" || text.is_empty() || text.len() > LONGEST {
            return None;
        }
        if let Some((name, rest)) =
            api::split_without_colon(text).filter(|(name, _)| schema.properties.contains_key(*name))
        {
            return Some(match rest {
                "" => format!("add `:` and a value after `{name}`"),
                rest => format!("write `{name}: {rest}`"),
            });
        }
        // Most likely an incomplete name of a field.
        if schema.properties.keys().any(|name| name.starts_with(text)) {
            return None;
        }
        let name = schema.only_required_text().filter(|_| !text.contains(['\n', '`']))?;
        Some(format!("write `{name}: {}`", yaml::edit::scalar(text)))
    }

    /// The members of `properties`, for walks over the smaller of schema and value.
    pub(super) fn has_properties(self) -> bool {
        fn any<T>(properties: &BTreeMap<Box<str>, Child<T>>) -> bool {
            !properties.is_empty()
        }
        match self.schema {
            AnySchema::Spine(schema) => any(&schema.properties),
            AnySchema::Nested(schema) => any(&schema.properties),
        }
    }

    fn places(self) -> &'s Places {
        match self.schema {
            AnySchema::Spine(schema) => &schema.places,
            AnySchema::Nested(schema) => &schema.places,
        }
    }

    /// The key of `keyword` in the definition.
    pub(super) fn range_of(self, keyword: Keyword) -> Option<TextRange> {
        self.places().place_of(keyword, self.base).map(|place| place.key)
    }
}

/// The types that a schema allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types<'s> {
    /// The schema names no type.
    Any,
    /// That type.
    One(&'s str),
    /// `integer` and `string`.
    IntOrString,
}

impl<'s> Types<'s> {
    pub(super) fn contains(self, name: &str) -> bool {
        match self {
            Self::Any => false,
            Self::One(one) => one == name,
            Self::IntOrString => matches!(name, "integer" | "string"),
        }
    }

    /// The one type, or the empty string.
    pub(super) fn single(self) -> &'s str {
        match self {
            Self::One(name) => name,
            Self::Any | Self::IntOrString => "",
        }
    }

    /// The keyword that allows them.
    pub(super) fn keyword(self) -> Keyword {
        match self {
            Self::Any | Self::One(_) => Keyword::Type,
            Self::IntOrString => Keyword::IntOrString,
        }
    }

    /// As errors print them.
    pub(super) fn joined(self) -> &'s str {
        match self {
            Self::Any => "",
            Self::One(name) => name,
            Self::IntOrString => "integer,string",
        }
    }
}
