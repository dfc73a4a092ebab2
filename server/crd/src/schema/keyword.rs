//! The keywords of JSONSchemaProps.

use api::{Field, JSON_SCHEMA_PROPS};

macro_rules! keywords {
    ($($name:ident = $text:literal,)*) => {
        /// A field of JSONSchemaProps, in the order of the Go type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Keyword {
            $(#[doc = concat!("`", $text, "`.")] $name,)*
        }

        impl Keyword {
            /// All keywords, in the order of the Go type.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The keyword as written.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The keyword with this name; case-sensitive.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Some(match text { $($text => Self::$name,)* _ => return None })
            }
        }
    };
}

keywords! {
    Id = "id",
    SchemaUrl = "$schema",
    Ref = "$ref",
    Description = "description",
    Type = "type",
    Format = "format",
    Title = "title",
    Default = "default",
    Maximum = "maximum",
    ExclusiveMaximum = "exclusiveMaximum",
    Minimum = "minimum",
    ExclusiveMinimum = "exclusiveMinimum",
    MaxLength = "maxLength",
    MinLength = "minLength",
    Pattern = "pattern",
    MaxItems = "maxItems",
    MinItems = "minItems",
    UniqueItems = "uniqueItems",
    MultipleOf = "multipleOf",
    Enum = "enum",
    MaxProperties = "maxProperties",
    MinProperties = "minProperties",
    Required = "required",
    Items = "items",
    AllOf = "allOf",
    OneOf = "oneOf",
    AnyOf = "anyOf",
    Not = "not",
    Properties = "properties",
    AdditionalProperties = "additionalProperties",
    PatternProperties = "patternProperties",
    Dependencies = "dependencies",
    AdditionalItems = "additionalItems",
    Definitions = "definitions",
    ExternalDocs = "externalDocs",
    Example = "example",
    Nullable = "nullable",
    PreserveUnknownFields = "x-kubernetes-preserve-unknown-fields",
    EmbeddedResource = "x-kubernetes-embedded-resource",
    IntOrString = "x-kubernetes-int-or-string",
    ListMapKeys = "x-kubernetes-list-map-keys",
    ListType = "x-kubernetes-list-type",
    MapType = "x-kubernetes-map-type",
    Validations = "x-kubernetes-validations",
}

impl Keyword {
    /// The keywords whose value is a list of junctor branches.
    pub const BRANCHING: [Self; 3] = [Self::AllOf, Self::AnyOf, Self::OneOf];

    /// The bits of the keywords that only validate values: those of `ValueValidation`.
    pub(crate) const OF_VALUES: u64 = Self::Format.bit()
        | Self::Maximum.bit()
        | Self::ExclusiveMaximum.bit()
        | Self::Minimum.bit()
        | Self::ExclusiveMinimum.bit()
        | Self::MaxLength.bit()
        | Self::MinLength.bit()
        | Self::Pattern.bit()
        | Self::MaxItems.bit()
        | Self::MinItems.bit()
        | Self::UniqueItems.bit()
        | Self::MultipleOf.bit()
        | Self::Enum.bit()
        | Self::MaxProperties.bit()
        | Self::MinProperties.bit()
        | Self::Required.bit()
        | Self::AllOf.bit()
        | Self::OneOf.bit()
        | Self::AnyOf.bit()
        | Self::Not.bit();

    /// Whether the keyword combines value validations: `allOf`, `anyOf`, `oneOf`, `not`.
    #[must_use]
    pub fn is_junctor(self) -> bool {
        matches!(self, Self::AllOf | Self::AnyOf | Self::OneOf | Self::Not)
    }

    /// Its entry in the field table.
    #[must_use]
    pub fn field(self) -> Option<&'static Field> {
        JSON_SCHEMA_PROPS.fields.get(self as usize)
    }

    /// Its bit in a set of keywords.
    pub(crate) const fn bit(self) -> u64 {
        1 << (self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_field_table_have_the_same_order() {
        assert_eq!(Keyword::ALL.len(), JSON_SCHEMA_PROPS.fields.len());
        for &keyword in Keyword::ALL {
            assert_eq!(keyword.field().map(|field| field.name), Some(keyword.as_str()));
            assert_eq!(Keyword::parse(keyword.as_str()), Some(keyword));
        }
        assert_eq!(Keyword::parse("Type"), None);
    }
}
