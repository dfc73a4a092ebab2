//! All codes that a finding can have, with their pages.

/// A rule: a code and all that is said about it.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The code, never reused.
    pub code: &'static str,
    /// The explanation, as Markdown.
    pub page: &'static str,
}

impl Rule {
    /// What is wrong, in one sentence.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.page.lines().skip(1).find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// Where the public explains what the rule rests on.
    #[must_use]
    pub fn url(&self) -> Option<&'static str> {
        let (group, _) = self.code.split_once('/')?;
        SOURCES.iter().find(|(of, _)| *of == group).map(|(_, url)| *url)
    }
}

/// By group of rules.
const SOURCES: [(&str, &str); 2] = [
    (
        "structural",
        "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema",
    ),
    ("yaml", "https://yaml.org/spec/1.1/"),
];

macro_rules! rules {
    ($($code:literal)*) => {
        &[$(Rule { code: $code, page: include_str!(concat!("../../../docs/rules/", $code, ".md")) }),*]
    };
}

/// All rules, by code.
pub static RULES: &[Rule] = rules![
    "file/not-utf8"
    "file/too-large"
    "file/too-many"
    "structural/additional-properties-root"
    "structural/api-version-type"
    "structural/complete"
    "structural/complete-nested"
    "structural/embedded-additional-properties"
    "structural/embedded-properties"
    "structural/embedded-type"
    "structural/int-or-string-embedded"
    "structural/int-or-string-preserve"
    "structural/items-required"
    "structural/junctor-additional-properties"
    "structural/junctor-default"
    "structural/junctor-description"
    "structural/junctor-embedded-resource"
    "structural/junctor-int-or-string"
    "structural/junctor-list-map-keys"
    "structural/junctor-list-type"
    "structural/junctor-map-type"
    "structural/junctor-metadata"
    "structural/junctor-nullable"
    "structural/junctor-preserve-unknown-fields"
    "structural/junctor-title"
    "structural/junctor-type"
    "structural/junctor-validations"
    "structural/kind-type"
    "structural/metadata-fields"
    "structural/metadata-type"
    "structural/pattern"
    "structural/root-object"
    "structural/type-required"
    "yaml/alias"
    "yaml/duplicate-key"
    "yaml/key-reading"
    "yaml/string-reading"
    "yaml/syntax"
    "yaml/tab-indentation"
    "yaml/unclosed"
    "yaml/value-reading"
];

/// The rule with that code.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().and_then(|index| RULES.get(index))
}
