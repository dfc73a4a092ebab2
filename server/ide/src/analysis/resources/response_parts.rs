//! Parts of the server's responses on a resource: codes, types, paths.

use api::Code;
use crd::customresource::{self, ValueError};
use crd::schema::Keyword;
use crd::{FieldPath, Segment};

/// The code for the response that the server did not check the rules.
pub(crate) const NOT_CHECKED: Code = Code::ResourceRulesNotChecked;

/// The code of a finding for `error`.
pub(crate) fn code(error: &ValueError) -> Code {
    let Some(rule) = &error.rule else {
        return match error.path.segments().first().and_then(Segment::key) {
            None if error.detail.starts_with(customresource::NOT_CHECKED) => NOT_CHECKED,
            Some("metadata") => Code::ResourceMetadata,
            _ => match error.path.segments().iter().any(|step| step.key() == Some("metadata")) {
                true => Code::ResourceMetadata,
                false => Code::ResourceValue,
            },
        };
    };
    match rule.keyword {
        Keyword::Type | Keyword::Nullable | Keyword::IntOrString => Code::ResourceType,
        Keyword::Format => Code::ResourceFormat,
        Keyword::Required => Code::ResourceRequired,
        Keyword::Enum => Code::ResourceEnum,
        Keyword::Pattern => Code::ResourcePattern,
        Keyword::Minimum
        | Keyword::Maximum
        | Keyword::ExclusiveMinimum
        | Keyword::ExclusiveMaximum
        | Keyword::MultipleOf
        | Keyword::MinLength
        | Keyword::MaxLength
        | Keyword::MinItems
        | Keyword::MaxItems
        | Keyword::MinProperties
        | Keyword::MaxProperties => Code::ResourceBounds,
        Keyword::AllOf | Keyword::AnyOf | Keyword::OneOf | Keyword::Not => Code::ResourceJunctor,
        Keyword::ListType | Keyword::ListMapKeys => Code::ResourceListType,
        Keyword::Validations => Code::ResourceRule,
        _ => Code::ResourceValue,
    }
}

/// The path that the server writes as `spec.list[0].name`. A key with a dot becomes two steps.
pub(crate) fn path(field: &str) -> FieldPath {
    let mut path = FieldPath::root();
    for part in field.split('.') {
        let mut brackets = part.split('[');
        if let Some(name) = brackets.next().filter(|name| !name.is_empty()) {
            path.push_name(name.to_owned());
        }
        for index in brackets.filter_map(|index| index.strip_suffix(']')) {
            match index.parse() {
                Ok(index) => path.push_index(index),
                Err(_) => path.push_key(index),
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use crate::analysis::resources::response_parts::*;

    #[test]
    fn paths_are_read_as_the_server_writes_them() {
        for text in ["spec.list[0].name", "metadata.labels", "a[1][2]"] {
            assert_eq!(path(text).to_string(), text);
        }
    }
}
