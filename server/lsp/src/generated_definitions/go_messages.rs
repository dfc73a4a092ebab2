//! Messages of findings on definitions for Go: markers in place of keywords, and the change to make in Go.

use std::borrow::Cow;

use ide::{Code, Finding, Fix, FixKind, Message};

/// Keywords, and the markers that generate them.
const MARKERS: &[(&str, &str)] = &[
    ("uniqueItems", "kubebuilder:validation:UniqueItems"),
    ("x-kubernetes-embedded-resource", "kubebuilder:validation:EmbeddedResource"),
    ("x-kubernetes-int-or-string", "kubebuilder:validation:XIntOrString"),
    ("x-kubernetes-list-map-keys", "listMapKey"),
    ("x-kubernetes-list-type", "listType"),
    ("x-kubernetes-map-type", "mapType"),
    ("x-kubernetes-preserve-unknown-fields", "kubebuilder:pruning:PreserveUnknownFields"),
];

/// Keywords that titles of fixes name with their values, and the markers or arguments that generate them. Without a value, these
/// words may be names of fields.
const VALUES: &[(&str, &str)] = &[
    ("default", "default"),
    ("enum", "Enum"),
    ("exclusiveMaximum", "ExclusiveMaximum"),
    ("exclusiveMinimum", "ExclusiveMinimum"),
    ("fieldPath", "fieldPath"),
    ("format", "Format"),
    ("jsonPath", "JSONPath"),
    ("labelSelectorPath", "selectorpath"),
    ("maxItems", "MaxItems"),
    ("maxLength", "MaxLength"),
    ("maxProperties", "MaxProperties"),
    ("maximum", "Maximum"),
    ("minItems", "MinItems"),
    ("minLength", "MinLength"),
    ("minProperties", "MinProperties"),
    ("minimum", "Minimum"),
    ("multipleOf", "MultipleOf"),
    ("nullable", "nullable"),
    ("plural", "path"),
    ("scope", "scope"),
    ("singular", "singular"),
    ("specReplicasPath", "specpath"),
    ("statusReplicasPath", "statuspath"),
    ("storage", "storageversion"),
    ("type", "Type"),
];

/// Remedies in Go that differ from those in a definition.
const REMEDIES: &[(Code, &str)] = &[
    (Code::CelMessageNewline, "write it on one line"),
    (Code::LintIntegerRange, "use `int64` as the Go type, or a bound that fits"),
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

/// The message of a finding on a type of another module; `None` if the message on the definition fits.
pub(super) fn of_others(code: Code, message: &Message) -> Option<Message> {
    let remedy = match code {
        Code::CelRuleCost | Code::CelMessageExpressionCost | Code::CelCrdCostContributor => return None,
        Code::SchemaListMapKeyDefault => Some("choose a field that is required"),
        // Every other remedy is a change in the other module.
        _ => None,
    };
    Some(Message { remedy: remedy.map(str::to_owned), ..message.clone() })
}

/// The message of a finding in terms of Go; `None` if it contains no terms of definitions.
pub(super) fn in_go(finding: &Finding) -> Option<Message> {
    let Finding { code, ref message, ref related, .. } = *finding;
    // The related place is the first storage version. If no version is stored, there is none.
    if code == Code::VersionsOneStorage && !related.is_empty() {
        let problem = "more than one version has `kubebuilder:storageversion`".to_owned();
        let remedy = Some("keep it on the type of one version".to_owned());
        return Some(Message { problem, remedy, ..message.clone() });
    }
    let own = REMEDIES.iter().find(|(of, _)| *of == code).map(|(_, remedy)| Cow::Borrowed(*remedy));
    let problem = with_markers(&message.problem);
    let remedy = own.or_else(|| {
        let remedy = message.remedy.as_deref()?;
        Some(if is_of_column(code) { Cow::Owned(in_code(remedy, &argument)) } else { with_markers(remedy) })
    });
    let is_same = problem == message.problem && remedy.as_deref() == message.remedy.as_deref();
    (!is_same).then(|| Message {
        problem: problem.into_owned(),
        remedy: remedy.map(Cow::into_owned),
        ..message.clone()
    })
}

/// The title of a fix of a definition in terms of Go: `MaxItems=10` for `maxItems: 10`.
pub(crate) fn title_in_go(fix: &Fix) -> String {
    if fix.kind == FixKind::WiderInteger {
        return "Change the Go type to `int64`".to_owned();
    }
    let is_of_column = fix.repairs.first().is_some_and(|(code, _)| is_of_column(*code));
    in_code(&fix.title, &|part| {
        if is_of_column && let Some(argument) = argument(part) {
            return Some(argument);
        }
        let short = |marker: String| marker.rsplit(':').next().unwrap_or_default().to_owned();
        let with_value = || part.contains(": ").then(|| marker(VALUES, part)).flatten();
        marker(MARKERS, part).map(short).or_else(with_value)
    })
}

/// Whether a rule is about the type of a column, which is an argument in Go.
const fn is_of_column(code: Code) -> bool {
    matches!(code, Code::ColumnsType | Code::ColumnsTypeRequired | Code::LintColumnType)
}

/// The type of a column as an argument.
fn argument(part: &str) -> Option<String> {
    part.strip_prefix("type: ").map(|kind| format!("type={kind}"))
}

/// The text with markers in place of keywords in backticks: `listType=map` for `x-kubernetes-list-type: map`.
fn with_markers(text: &str) -> Cow<'_, str> {
    if !text.contains("`x-kubernetes-") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(in_code(text, &|part| marker(MARKERS, part)))
}

/// The text, in which `other` replaces some of the parts in backticks.
fn in_code(text: &str, other: &dyn Fn(&str) -> Option<String>) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| {
        // Every second part is between two backticks.
        let other = if number % 2 == 0 { None } else { other(part) };
        other.map_or(part.into(), Cow::Owned)
    });
    parts.collect::<Vec<Cow<'_, str>>>().join("`")
}

/// The marker that generates `written`, a keyword of a definition with or without a value.
fn marker(known: &[(&str, &str)], written: &str) -> Option<String> {
    let (keyword, value) =
        written.split_once(": ").map_or((written, None), |(key, value)| (key, Some(value)));
    let (_, marker) = known.iter().find(|(of, _)| *of == keyword)?;
    Some(match value {
        None | Some("true") => (*marker).to_owned(),
        Some(value) => format!("{marker}={}", value.trim_matches(['[', ']']).replace(", ", ";")),
    })
}

#[cfg(test)]
mod tests {
    use ide::{Applicability, Code, Fix};
    use text::TextRange;

    use super::{title_in_go, with_markers};

    #[test]
    fn titles_name_markers() {
        let titled = |code: Code, title: &str| {
            let repairs = vec![(code, TextRange::new(0, 0))];
            title_in_go(&Fix::with_title(title.to_owned(), Vec::new(), Applicability::Safe, repairs))
        };
        assert_eq!(titled(Code::ColumnsType, "Set `type: integer`"), "Set `type=integer`");
        for (title, expected) in [
            ("Set `type: string`", "Set `Type=string`"),
            ("Set `x-kubernetes-map-type: atomic` on the items", "Set `mapType=atomic` on the items"),
            (
                "Add `maxItems: 512` to `spec.list` (cost 7, 7.1 % of the limit)",
                "Add `MaxItems=512` to `spec.list` (cost 7, 7.1 % of the limit)",
            ),
            ("Remove `x-kubernetes-embedded-resource`", "Remove `EmbeddedResource`"),
            (
                "Replace `uniqueItems` with `x-kubernetes-list-type: set`",
                "Replace `UniqueItems` with `listType=set`",
            ),
            ("Add `x-kubernetes-preserve-unknown-fields: true` to `f`", "Add `PreserveUnknownFields` to `f`"),
            ("Set `storage: true` only on `v1`", "Set `storageversion` only on `v1`"),
            ("Convert `const` to `enum: [a, b]`", "Convert `const` to `Enum=a;b`"),
            (
                "Remove `format`, which the schema does not have",
                "Remove `format`, which the schema does not have",
            ),
        ] {
            assert_eq!(titled(Code::SchemaTypeUnsupported, title), expected);
        }
    }

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
