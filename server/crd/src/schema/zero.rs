//! Keywords that have no effect on the structural form of a schema.

use api::{Difference, KubernetesVersion};
use yaml::{Value, ValueKind};

use super::{Keyword, Schema};

/// Whether `keyword` leaves a zero value in the structural form: on the spine (`nested` is false) or in a junctor.
/// Follows `reflect.DeepEqual` on the Go types, where empty and absent lists differ.
pub(crate) fn leaves_nothing(
    schema: &Schema<'_, '_>,
    keyword: Keyword,
    nested: bool,
    version: KubernetesVersion,
) -> bool {
    use Keyword as K;
    let Some(value) = schema.get(keyword) else { return true };
    match keyword {
        // These keywords are not in the structural form; non-empty values make the conversion fail.
        K::Id
        | K::SchemaUrl
        | K::Ref
        | K::PatternProperties
        | K::Dependencies
        | K::AdditionalItems
        | K::Definitions => true,
        K::Description | K::Type | K::Format | K::Title | K::Pattern => {
            schema.string(keyword).is_some_and(|text| text.is_empty())
        }
        K::ExclusiveMaximum
        | K::ExclusiveMinimum
        | K::UniqueItems
        | K::Nullable
        | K::EmbeddedResource
        | K::IntOrString
        | K::PreserveUnknownFields => schema.boolean(keyword) == Some(false),
        // These are copied item by item, so that empty lists become absent ones.
        K::Enum | K::AllOf | K::OneOf | K::AnyOf => is_empty(value),
        K::Properties => !nested && is_empty(value),
        K::Items => value.as_mapping().is_none(),
        K::AdditionalProperties => {
            nested && schema.boolean(keyword) == Some(false) && version.has(Difference::ClosedJunctors)
        }
        // Older servers omit them from the structural form.
        K::ExternalDocs | K::Example => !version.has(Difference::DocsInJunctors),
        K::Default
        | K::Maximum
        | K::Minimum
        | K::MaxLength
        | K::MinLength
        | K::MaxItems
        | K::MinItems
        | K::MultipleOf
        | K::MaxProperties
        | K::MinProperties
        | K::Required
        | K::Not
        | K::ListMapKeys
        | K::ListType
        | K::MapType
        | K::Validations => false,
    }
}

/// Whether `value` is a list or a mapping without members.
pub(crate) fn is_empty(value: Value<'_>) -> bool {
    match value.kind() {
        ValueKind::Mapping(mapping) => mapping.entries().next().is_none(),
        ValueKind::Sequence(sequence) => sequence.items().next().is_none(),
        _ => false,
    }
}

/// Whether `schema` has exactly `anyOf: [{type: integer}, {type: string}]`, in this order and with nothing else in
/// the branches. The server allows these two types inside a junctor.
pub(crate) fn has_int_or_string_branches(schema: &Schema<'_, '_>, version: KubernetesVersion) -> bool {
    let mut branches = schema.items(Keyword::AnyOf);
    let mut next_is = |name: &str| {
        branches
            .next()
            .and_then(|item| Schema::read(item.value(), schema.reader()))
            .is_some_and(|branch| is_only_type(&branch, name, version))
    };
    next_is("integer") && next_is("string") && branches.next().is_none()
}

fn is_only_type(branch: &Schema<'_, '_>, name: &str, version: KubernetesVersion) -> bool {
    branch.string(Keyword::Type).is_some_and(|text| text == name)
        && branch
            .entries()
            .all(|(keyword, _)| keyword == Keyword::Type || leaves_nothing(branch, keyword, true, version))
}
