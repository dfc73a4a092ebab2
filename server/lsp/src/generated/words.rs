//! Findings on definitions in the words of Go: markers in place of keywords, and what to change in Go.

use std::borrow::Cow;

use ide::{Code, Message};

/// Keywords, and the markers that make them.
const MARKERS: &[(&str, &str)] = &[
    ("x-kubernetes-embedded-resource", "kubebuilder:validation:EmbeddedResource"),
    ("x-kubernetes-int-or-string", "kubebuilder:validation:XIntOrString"),
    ("x-kubernetes-list-map-keys", "listMapKey"),
    ("x-kubernetes-list-type", "listType"),
    ("x-kubernetes-map-type", "mapType"),
    ("x-kubernetes-preserve-unknown-fields", "kubebuilder:pruning:PreserveUnknownFields"),
];

/// What to do in Go about findings that a definition is repaired of in another way.
const REMEDIES: &[(Code, &str)] = &[
    (Code::CelMessageNewline, "write it on one line"),
    (Code::LintStatusSubresource, "add `kubebuilder:subresource:status` to the type of the kind"),
    (Code::SchemaListMapKeyNullable, "remove the marker `nullable`"),
    (Code::SchemaListMapKeyUnknown, "write the JSON name of a field of the items, or add the field"),
    (Code::SchemaListMapItemsObject, "use a struct for the items, or, for scalars, `listType=set`"),
    (Code::SchemaListMapKeyDefault, "make the field required, or give it a default"),
    (Code::SchemaListMapKeysRequired, "add `listMapKey=…` with the field that identifies an item"),
    (
        Code::SchemaUniqueItems,
        "remove `UniqueItems`, and use `listType=set` for scalars, or `listType=map` with keys for objects",
    ),
    (
        Code::SchemaSetItemsAtomic,
        "use `listType=map` or `listType=atomic`, or put `structType=atomic` on the type of the items",
    ),
    (Code::StructuralEmbeddedProperties, "add `kubebuilder:pruning:PreserveUnknownFields`"),
    (Code::StructuralItemsRequired, "use a list as the Go type, without `kubebuilder:validation:Schemaless`"),
    (Code::StructuralTypeRequired, "add `kubebuilder:validation:Type=…`, or use another Go type"),
    (Code::StructuralEmbeddedType, "use a struct or `runtime.RawExtension` as the type of the field"),
    (Code::VersionsOneStorage, "add `kubebuilder:storageversion` to the type of one version"),
];

/// The message of a finding on a type of another module; none where that of the definition fits.
pub(super) fn of_others(code: Code, message: &Message) -> Option<Message> {
    let remedy = match code {
        Code::CelRuleCost | Code::CelMessageExpressionCost | Code::CelCrdCostContributor => return None,
        Code::SchemaListMapKeyDefault => Some("choose a field that is required"),
        // Whatever else it takes, it is done in the other module.
        _ => None,
    };
    Some(Message { remedy: remedy.map(str::to_owned), ..message.clone() })
}

/// The message of a finding in words of Go; none where it has none of a definition's.
pub(super) fn in_go(code: Code, message: &Message) -> Option<Message> {
    if code == Code::VersionsOneStorage && message.problem.starts_with("more than one") {
        let problem = "more than one version has `kubebuilder:storageversion`".to_owned();
        let remedy = Some("keep it on the type of one version".to_owned());
        return Some(Message { problem, remedy, ..message.clone() });
    }
    let own = REMEDIES.iter().find(|(of, _)| *of == code).map(|(_, remedy)| Cow::Borrowed(*remedy));
    let problem = with_markers(&message.problem);
    let remedy = own.or_else(|| message.remedy.as_deref().map(with_markers));
    let is_same = problem == message.problem && remedy.as_deref() == message.remedy.as_deref();
    (!is_same).then(|| Message {
        problem: problem.into_owned(),
        remedy: remedy.map(Cow::into_owned),
        ..message.clone()
    })
}

/// The text with markers in place of keywords in backticks: `listType=map` for `x-kubernetes-list-type: map`.
fn with_markers(text: &str) -> Cow<'_, str> {
    if !text.contains("`x-kubernetes-") {
        return Cow::Borrowed(text);
    }
    let parts = text.split('`').enumerate().map(|(number, part)| {
        // Every other part stands between two backticks.
        if number % 2 == 0 { Cow::Borrowed(part) } else { marker(part).map_or(part.into(), Cow::Owned) }
    });
    Cow::Owned(parts.collect::<Vec<_>>().join("`"))
}

/// The marker that makes what is written of a definition.
fn marker(written: &str) -> Option<String> {
    let (keyword, value) =
        written.split_once(": ").map_or((written, None), |(key, value)| (key, Some(value)));
    let (_, marker) = MARKERS.iter().find(|(of, _)| *of == keyword)?;
    Some(match value {
        None | Some("true") => (*marker).to_owned(),
        Some(value) => format!("{marker}={}", value.trim_matches(['[', ']'])),
    })
}

#[cfg(test)]
mod tests {
    use super::with_markers;

    #[test]
    fn keywords_become_markers() {
        for (text, expected) in [
            ("`x-kubernetes-list-type: map` requires `items`", "`listType=map` requires `items`"),
            (
                "set `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`",
                "set `listType=map` and `listMapKey=type`",
            ),
            (
                "set `x-kubernetes-preserve-unknown-fields: true`",
                "set `kubebuilder:pruning:PreserveUnknownFields`",
            ),
            (
                "`x-kubernetes-unknown` beside x-kubernetes-list-type",
                "`x-kubernetes-unknown` beside x-kubernetes-list-type",
            ),
            ("missing `type`", "missing `type`"),
        ] {
            assert_eq!(with_markers(text), expected);
        }
    }
}
