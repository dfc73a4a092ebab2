//! The context of a schema node: the facts about its ancestors that affect its checks.

use crate::schema::Keyword;

/// The context of a node: with the node itself, it determines the outcome of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Context {
    pub(crate) position: Position,
    pub(crate) meta: MetaRole,
}

/// The position of a node in the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Position {
    /// `openAPIV3Schema` itself.
    Root,
    /// The `items` of a node of the spine.
    Item,
    /// A member of `properties`, or `additionalProperties`, of a node of the spine.
    Field,
    /// A value validation: within `allOf`, `anyOf`, `oneOf` or `not`.
    Junctor,
    /// `allOf[0]` of a node of the spine, whose `anyOf` may list the two types of int-or-string.
    IntOrStringJunctor,
    /// A position in which the server requires no structure, as in `definitions`.
    Loose,
    /// A position whose content the server only decodes: `patternProperties` and `additionalItems`.
    Unreached,
}

/// Whether a node describes the `apiVersion`, `kind` or `metadata` of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MetaRole {
    /// The node describes other fields.
    Outside,
    /// A field of an embedded resource.
    Embedded,
    /// The root's `metadata`, or a field within it.
    Metadata,
    /// The root's `kind`.
    Kind,
    /// The root's `apiVersion`.
    ApiVersion,
    /// The values of a map in one of these fields.
    Map,
}

impl Context {
    /// The context of `openAPIV3Schema` itself.
    pub(crate) const ROOT: Self = Self { position: Position::Root, meta: MetaRole::Outside };

    /// The context of the value of `keyword`.
    pub(crate) fn below(self, keyword: Keyword) -> Self {
        let meta = match keyword {
            Keyword::AdditionalProperties if self.meta != MetaRole::Outside => MetaRole::Map,
            _ => self.meta,
        };
        Self { position: self.position.below(keyword), meta }
    }

    /// The context of the property `name`; `embedded` is true if the node is an embedded resource.
    pub(crate) fn property(self, name: &str, embedded: bool) -> Self {
        let is_root = self.position == Position::Root;
        let meta = match name {
            "metadata" if is_root => MetaRole::Metadata,
            "kind" if is_root => MetaRole::Kind,
            "apiVersion" if is_root => MetaRole::ApiVersion,
            "metadata" | "kind" | "apiVersion" if embedded && self.meta == MetaRole::Outside => {
                MetaRole::Embedded
            }
            _ => self.meta,
        };
        Self { position: self.position.below(Keyword::Properties), meta }
    }

    /// The same context with another position.
    pub(crate) fn at(self, position: Position) -> Self {
        Self { position, ..self }
    }
}

impl Position {
    /// Whether the node specifies stored values: it is not a value validation.
    pub(crate) fn is_spine(self) -> bool {
        matches!(self, Self::Root | Self::Item | Self::Field)
    }

    pub(crate) fn is_junctor(self) -> bool {
        matches!(self, Self::Junctor | Self::IntOrStringJunctor)
    }

    fn below(self, keyword: Keyword) -> Self {
        match keyword {
            _ if self == Self::Unreached => Self::Unreached,
            Keyword::PatternProperties | Keyword::AdditionalItems => Self::Unreached,
            _ if self == Self::Loose => Self::Loose,
            _ if keyword.is_junctor() => Self::Junctor,
            Keyword::Items if self.is_spine() => Self::Item,
            Keyword::Properties | Keyword::AdditionalProperties if self.is_spine() => Self::Field,
            Keyword::Items | Keyword::Properties => Self::Junctor,
            _ => Self::Loose,
        }
    }
}

impl MetaRole {
    /// The server's detail for a forbidden default; `None` if defaults are allowed.
    pub(crate) fn forbids_defaults(self) -> Option<&'static str> {
        match self {
            Self::Outside | Self::Embedded => None,
            Self::Metadata => Some("must not be set in top-level metadata"),
            Self::Kind => Some("must not be set in top-level kind"),
            Self::ApiVersion => Some("must not be set in top-level apiVersion"),
            Self::Map => Some("must not be set inside additionalProperties applying to object metadata"),
        }
    }
}
