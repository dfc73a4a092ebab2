//! Parts of the server's responses on a resource: codes, types, paths.

use api::Code;
use crd::customresource::{self, ValueError};
use crd::schema::Keyword;
use crd::{FieldPath, Segment};
use yaml::{Reader, Value};

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

/// The path of a field of the object `root`, whose keys may contain dots: each step is the longest key with which
/// the rest of the text begins.
pub(crate) fn path_in(field: &str, root: Value<'_>, reader: &Reader<'_>) -> FieldPath {
    let mut steps = FieldPath::root();
    let (mut rest, mut value) = (field, Some(root));
    while !rest.is_empty() {
        let item = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let item = item.and_then(|(index, rest)| Some((index.parse::<usize>().ok()?, rest)));
        if let Some((index, behind)) = item {
            steps.push_index(index);
            value = value
                .and_then(|value| Some(reader.follow(value)?.as_sequence()?.items().nth(index)?.value()));
            rest = behind.strip_prefix('.').unwrap_or(behind);
            continue;
        }
        let mapping = value.and_then(|value| reader.follow(value)?.as_mapping());
        let entries = mapping.map(|mapping| reader.entries(mapping)).unwrap_or_default();
        let behind = |key: &str| {
            rest.strip_prefix(key).filter(|behind| behind.is_empty() || behind.starts_with(['.', '[']))
        };
        let keys = entries.iter().filter(|(key, _)| behind(key).is_some());
        let Some((key, entry)) = keys.max_by_key(|(key, _)| key.len()) else {
            path(rest).segments().iter().cloned().for_each(|step| steps.push(step));
            break;
        };
        rest = behind(key).map(|behind| behind.strip_prefix('.').unwrap_or(behind)).unwrap_or_default();
        steps.push_name(key.to_string());
        value = Some(entry.value());
    }
    steps
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::analysis::resources::response_parts::*;

    #[test]
    fn paths_are_read_as_the_server_writes_them() {
        for text in ["spec.list[0].name", "metadata.labels", "a[1][2]"] {
            assert_eq!(path(text).to_string(), text);
        }
    }

    #[test]
    fn keys_with_dots_are_one_step() {
        let tree = yaml::Tree::parse("metadata:\n  a.io/b:\n  - c: 1\n  a: 2\n");
        let document = tree.documents().next().unwrap();
        let steps =
            |field: &str| path_in(field, document.root().unwrap(), &Reader::new(document)).segments().len();
        for (field, count) in
            [("metadata.a.io/b", 2), ("metadata.a.io/b[0].c", 4), ("metadata.a", 2), ("metadata.b.c", 3)]
        {
            assert_eq!(steps(field), count, "{field}");
        }
    }
}
