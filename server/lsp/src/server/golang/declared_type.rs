//! The type that a marker applies to, as far as the line below shows it, and the markers that fit this type.

use go::marker::{Meaning, ResolvedMarker};
use go::schema::json_types;

/// The type of the field or declaration that a marker applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclaredType {
    Text,
    Number,
    Bool,
    List,
    Map,
    Struct,
}

/// The type on the first line after the comments in which `text` begins, and whether all of these comments are markers;
/// `None` if the type is declared elsewhere.
pub(super) fn declared_after(text: &str) -> Option<(DeclaredType, bool)> {
    let mut lines = text.lines().skip(1).map(str::trim_start);
    let mut is_next = true;
    let line = lines.find(|line| {
        let comment = line.strip_prefix("//");
        is_next &= comment.is_none_or(|comment| comment.trim_start().starts_with('+'));
        comment.is_none()
    })?;
    let declared_type = read(type_on_line(line)?)?;
    Some((declared_type, is_next))
}

/// The type of the items of the list that follows the comments.
pub(super) fn items_of(text: &str) -> Option<DeclaredType> {
    let (_, items) = type_on_line(declared(text)?)?.strip_prefix('[')?.split_once(']')?;
    read(items.trim_start_matches('*'))
}

/// The names of types that may have the constants of an enum: the type that follows the comments, that of the field, or that
/// of its items.
pub(super) fn names(text: &str) -> Vec<&str> {
    let line = declared(text);
    let own = line.and_then(|line| line.strip_prefix("type ")?.split_whitespace().next());
    let of_field =
        line.and_then(type_on_line).map(|written| written.rsplit([']', '*']).next().unwrap_or(written));
    own.into_iter().chain(of_field).filter(|name| json_types(name).is_none()).collect()
}

/// The first line after the comments in which `text` begins.
fn declared(text: &str) -> Option<&str> {
    text.lines().skip(1).map(str::trim_start).find(|line| !line.starts_with("//"))
}

/// The type on a line, without pointers.
fn type_on_line(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("type ").unwrap_or(line).split_whitespace();
    Some(words.nth(1)?.trim_start_matches('*'))
}

fn read(written: &str) -> Option<DeclaredType> {
    Some(match written {
        "struct" | "struct{" => DeclaredType::Struct,
        _ if written.starts_with('[') => DeclaredType::List,
        _ if written.starts_with("map[") => DeclaredType::Map,
        _ => match json_types(written)? {
            ["string"] => DeclaredType::Text,
            ["boolean"] => DeclaredType::Bool,
            _ => DeclaredType::Number,
        },
    })
}

impl DeclaredType {
    /// Whether a value of a marker fits this type: a format is for either texts or numbers.
    pub(super) fn admits_value(self, known: ResolvedMarker, value: &str) -> bool {
        let is_of_number = matches!(value, "int32" | "int64" | "float" | "double");
        known.definition.meaning != Meaning::Format || is_of_number == (self == Self::Number)
    }

    /// Whether a marker applies to this type, or to the items of a list, if their type is known.
    pub(super) fn admits(self, known: ResolvedMarker, items: Option<Self>) -> bool {
        match known.items {
            true => self == Self::List && items.is_none_or(|items| items.applies_to(known)),
            false => self.applies_to(known),
        }
    }

    fn applies_to(self, known: ResolvedMarker) -> bool {
        match known.definition.meaning {
            Meaning::Maximum
            | Meaning::Minimum
            | Meaning::ExclusiveMaximum
            | Meaning::ExclusiveMinimum
            | Meaning::MultipleOf => self == Self::Number,
            Meaning::MaxLength | Meaning::MinLength | Meaning::Pattern => self == Self::Text,
            Meaning::Format => matches!(self, Self::Text | Self::Number),
            Meaning::MaxItems
            | Meaning::MinItems
            | Meaning::UniqueItems
            | Meaning::ListType
            | Meaning::ListMapKey => self == Self::List,
            Meaning::MaxProperties | Meaning::MinProperties => matches!(self, Self::Map | Self::Struct),
            Meaning::MapType => self == Self::Map,
            Meaning::StructType | Meaning::AtMostOneOf | Meaning::ExactlyOneOf | Meaning::AtLeastOneOf => {
                self == Self::Struct
            }
            Meaning::EmbeddedResource | Meaning::PreserveUnknownFields => {
                matches!(self, Self::Map | Self::Struct)
            }
            meaning if meaning.is_of_kind() => self == Self::Struct,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use go::marker::{Target, all};
    use go::version::Version;

    use super::{DeclaredType, declared_after, items_of, names};

    #[test]
    fn the_type_is_on_the_first_line_without_a_comment() {
        for (text, expected) in [
            ("+maxi\n\t// Size is it.\n\tSize int32 `json:\"size\"`", Some(DeclaredType::Number)),
            ("+a\n\tName *string `json:\"name\"`", Some(DeclaredType::Text)),
            ("+a\n\tAll []string", Some(DeclaredType::List)),
            ("+a\n\tBy map[string]string", Some(DeclaredType::Map)),
            ("+a\ntype Mode string", Some(DeclaredType::Text)),
            ("+a\ntype Spec struct {", Some(DeclaredType::Struct)),
            ("+a\n\tSpec WidgetSpec `json:\"spec\"`", None),
            ("+a", None),
        ] {
            assert_eq!(declared_after(text).map(|(declared_type, _)| declared_type), expected, "{text}");
        }
    }

    #[test]
    fn a_comment_may_be_that_of_another_field() {
        assert_eq!(declared_after("+mini\n\t// +optional\n\tSize int32"), Some((DeclaredType::Number, true)));
        assert_eq!(
            declared_after("+mini\n\t// Size is it.\n\tSize int32"),
            Some((DeclaredType::Number, false))
        );
    }

    #[test]
    fn items_and_names_are_read_from_the_line() {
        assert_eq!(items_of("+a\n\tAll []*string"), Some(DeclaredType::Text));
        assert_eq!(items_of("+a\n\tAll []Part"), None);
        assert_eq!(names("+a\n\tMode Mode `json:\"mode\"`"), ["Mode"]);
        assert_eq!(names("+a\n\tAll []*Mode"), ["Mode"]);
        assert_eq!(names("+a\ntype Mode string"), ["Mode"]);
    }

    #[test]
    fn markers_fit_types() {
        let fits = |name: &str, declared_type: DeclaredType| {
            let of_name = |(known, target): &(go::marker::ResolvedMarker, Target)| {
                known.name() == name && *target != Target::Package
            };
            all(Version::NEWEST).find(of_name).is_some_and(|(known, _)| declared_type.admits(known, None))
        };
        assert!(fits("kubebuilder:validation:Maximum", DeclaredType::Number));
        assert!(!fits("kubebuilder:validation:Maximum", DeclaredType::Text));
        assert!(!fits("k8s:maxItems", DeclaredType::Number) && fits("k8s:maxItems", DeclaredType::List));
        assert!(fits("kubebuilder:validation:items:Maximum", DeclaredType::List));
        assert!(fits("optional", DeclaredType::Bool) && !fits("kubebuilder:resource", DeclaredType::Text));
    }
}
