//! Which findings are consequences of which others.

use api::Code;

use CodePattern::{All, One};

/// How close to its cause a finding is.
#[derive(Clone, Copy)]
pub(super) enum Proximity {
    /// At the same range.
    Place,
    /// About a part of the same schema node.
    Node,
    /// In the same schema that has rules.
    Schema,
    /// In the same definition.
    Definition,
    /// At the same value, or at a value that contains the finding.
    Around,
}

/// One code or several.
#[derive(Clone, Copy)]
pub(super) enum CodePattern {
    One(Code),
    /// All codes with this prefix.
    All(&'static str),
}

impl CodePattern {
    pub(super) fn matches(self, code: Code) -> bool {
        match self {
            Self::One(one) => one == code,
            Self::All(start) => code.as_str().starts_with(start),
        }
    }
}

/// Findings that follow from others: a code, the codes of its possible causes, and how close these must be.
/// Besides this table, the same rule twice at one range is one finding. So are all findings on the branches
/// of a schema node that belong into the node, because one fix repairs them.
pub(super) const FOLLOWS: &[(CodePattern, &[CodePattern], Proximity)] = &[
    // A keyword that is not allowed in a branch cannot be correct there.
    (All("schema/"), &[All("structural/junctor-")], Proximity::Node),
    // The keys show the type that is meant.
    (One(Code::SchemaListMapKeysType), &[One(Code::SchemaListTypeUnsupported)], Proximity::Node),
    // No value matches an invalid pattern.
    (One(Code::DefaultsSchema), &[One(Code::StructuralPattern)], Proximity::Node),
    (One(Code::SchemaListMapItemsRequired), &[One(Code::StructuralItemsRequired)], Proximity::Place),
    // Both are about the type.
    (
        One(Code::SchemaListMapItemsObject),
        &[One(Code::StructuralTypeRequired), One(Code::SchemaTypeUnsupported)],
        Proximity::Place,
    ),
    (One(Code::StructuralEmbeddedType), &[One(Code::StructuralRootObject)], Proximity::Place),
    (
        One(Code::StructuralEmbeddedAdditionalProperties),
        &[One(Code::StructuralAdditionalPropertiesRoot)],
        Proximity::Place,
    ),
    (
        One(Code::StructuralTypeRequired),
        &[
            One(Code::StructuralMetadataType),
            One(Code::StructuralKindType),
            One(Code::StructuralApiVersionType),
        ],
        Proximity::Place,
    ),
    // The referenced schema may have a type.
    (One(Code::StructuralTypeRequired), &[One(Code::SchemaForbiddenRef)], Proximity::Node),
    // No other type satisfies these rules, either.
    (All("structural/"), &[One(Code::SchemaTypeUnsupported)], Proximity::Place),
    (One(Code::SubresourcesStatusRootType), &[One(Code::SchemaTypeUnsupported)], Proximity::Place),
    (One(Code::SchemaMapTypeObject), &[One(Code::SchemaTypeUnsupported)], Proximity::Place),
    (One(Code::StructuralIntOrStringPreserve), &[One(Code::StructuralIntOrStringEmbedded)], Proximity::Node),
    (One(Code::SchemaTypeUnsupported), &[One(Code::SchemaTypeNull)], Proximity::Place),
    (
        One(Code::CelFieldPathInvalid),
        &[One(Code::CelFieldPathBlank), One(Code::CelFieldPathNewline)],
        Proximity::Place,
    ),
    (
        One(Code::CelCrdCostContributor),
        &[One(Code::CelRuleCost), One(Code::CelMessageExpressionCost)],
        Proximity::Place,
    ),
    (One(Code::CelCrdCostTotal), &[One(Code::CelCrdCostContributor)], Proximity::Schema),
    (All("stored-versions/"), &[One(Code::VersionsOneStorage)], Proximity::Definition),
    (
        One(Code::ConversionPreserveUnknownFields),
        &[One(Code::SpecPreserveUnknownFields)],
        Proximity::Definition,
    ),
    (
        One(Code::DefaultsPreserveUnknownFields),
        &[One(Code::SpecPreserveUnknownFields)],
        Proximity::Definition,
    ),
    // The name ends with the group.
    (
        One(Code::NamesMetadataName),
        &[
            One(Code::SpecGroupRequired),
            One(Code::SpecGroupDns),
            One(Code::NamesPlural),
            One(Code::NamesPluralRequired),
            One(Code::MetadataNameDns),
        ],
        Proximity::Definition,
    ),
    (One(Code::MetadataNameDns), &[One(Code::SpecGroupDns)], Proximity::Definition),
    // Everything that is missing along with the spec or its names.
    (One(Code::SpecScopeRequired), &[One(Code::SpecGroupRequired)], Proximity::Place),
    (One(Code::MetadataNameRequired), &[One(Code::SpecGroupRequired)], Proximity::Place),
    (One(Code::VersionsOneStorage), &[One(Code::SpecGroupRequired)], Proximity::Place),
    (One(Code::NamesPluralRequired), &[One(Code::SpecGroupRequired)], Proximity::Place),
    (
        One(Code::NamesKindRequired),
        &[One(Code::SpecGroupRequired), One(Code::NamesPluralRequired)],
        Proximity::Place,
    ),
    // Both are derived from the kind.
    (One(Code::NamesSingularRequired), &[One(Code::NamesKindRequired)], Proximity::Definition),
    (One(Code::NamesListKindRequired), &[One(Code::NamesKindRequired)], Proximity::Definition),
    (
        One(Code::ConversionWebhookForbidden),
        &[One(Code::ConversionStrategyUnsupported), One(Code::ConversionStrategyRequired)],
        Proximity::Definition,
    ),
    (
        One(Code::ConversionReviewVersionsForbidden),
        &[
            One(Code::ConversionStrategyUnsupported),
            One(Code::ConversionStrategyRequired),
            One(Code::ConversionWebhookForbidden),
        ],
        Proximity::Definition,
    ),
    // Both are about one missing webhook.
    (
        One(Code::ConversionReviewVersionsRequired),
        &[One(Code::ConversionClientConfigRequired)],
        Proximity::Place,
    ),
    (One(Code::DefaultsSchema), &[One(Code::DefaultsUnknownFields)], Proximity::Node),
    // A default cannot have a type that does not exist.
    (One(Code::DefaultsSchema), &[One(Code::SchemaTypeUnsupported)], Proximity::Node),
    // A rule that does not compile uses nothing.
    (
        One(Code::CelOptionalOldSelfUnused),
        &[One(Code::CelRuleCompile), One(Code::CelRuleRequired)],
        Proximity::Node,
    ),
    // Unreadable versions do not declare a storage version.
    (One(Code::VersionsOneStorage), &[One(Code::DecodeType)], Proximity::Place),
    // The server copies the name of the first version.
    (One(Code::VersionsVersionName), &[One(Code::VersionsName)], Proximity::Place),
    (One(Code::VersionsName), &[One(Code::DecodeType)], Proximity::Place),
    // The fields of a column are typed one after the other.
    (
        One(Code::ColumnsTypeRequired),
        &[One(Code::ColumnsNameRequired), One(Code::DecodeType)],
        Proximity::Node,
    ),
    (
        One(Code::ColumnsJsonPathRequired),
        &[
            One(Code::ColumnsNameRequired),
            One(Code::ColumnsTypeRequired),
            One(Code::ColumnsType),
            One(Code::DecodeType),
        ],
        Proximity::Node,
    ),
    // A value of the wrong type is not in the `enum` either, and a number that exceeds its format also
    // exceeds all bounds.
    (One(Code::ResourceEnum), &[One(Code::ResourceType)], Proximity::Place),
    (One(Code::ResourceBounds), &[One(Code::ResourceType)], Proximity::Place),
    (One(Code::ResourceFormat), &[One(Code::ResourceType)], Proximity::Place),
    // A value of another type matches no branch.
    (One(Code::ResourceJunctor), &[One(Code::ResourceType)], Proximity::Place),
    // Subresources read values of these types.
    (One(Code::ResourceValue), &[One(Code::ResourceType)], Proximity::Around),
    // A value of the right type may have these fields.
    (One(Code::ResourceUnknownField), &[One(Code::ResourceType)], Proximity::Around),
    // The definition requires the field but does not declare it.
    (One(Code::ResourceUnknownField), &[One(Code::ResourceRequired)], Proximity::Place),
];
