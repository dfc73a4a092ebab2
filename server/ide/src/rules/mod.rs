//! The one table of all codes that a finding can have: severities, releases, and all that the pages say.
//!
//! The pages below `docs/rules` are written from it: `CRD_LS_UPDATE=1 cargo test -p crd-ls-ide --test pages`.

mod cel;
mod cel_compiled;
mod columns;
mod compat;
mod conversion;
mod decode;
mod defaults;
mod definition;
mod experiments;
mod file;
mod lint;
mod lint_cel;
mod lint_optional;
mod lint_schema;
mod metadata;
mod names;
mod resource;
mod resource_versions;
mod schema;
mod selectable;
mod spec;
mod status;
mod structural;
mod subresources;
mod update;
mod versions;
mod warnings;
mod yaml;

use std::fmt::Write;
use std::sync::LazyLock;

use crd::lints::OptionalLint;

use crate::{KubernetesVersion, Severity};

/// A rule: a code and all that is said about it. Texts are Markdown, examples YAML.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The code, never reused.
    pub code: &'static str,
    /// How bad its findings are; the worst of them, where `checks` says that some are less so.
    pub severity: Severity,
    /// The release that brought the check; none where all known ones have it.
    pub since: Option<KubernetesVersion>,
    /// What is wrong, in one sentence.
    pub title: &'static str,
    /// What is looked at, and the server's words.
    pub checks: &'static str,
    /// Why kube-apiserver refuses it, or why a finding of ours matters.
    pub why: &'static str,
    /// A definition, or its schema, with this finding and no other; empty where no YAML can show it.
    pub wrong: &'static str,
    /// The same without findings; empty as `wrong` is.
    pub right: &'static str,
    /// What the quick-fix does, or what to do.
    pub fix: &'static str,
    /// What the rule rests on.
    pub source: &'static str,
}

impl Rule {
    /// The group of rules that it belongs to: what stands before the slash of its code.
    #[must_use]
    pub fn group(&self) -> &'static str {
        self.code.split_once('/').map_or(self.code, |(group, _)| group)
    }

    /// Whether it is off unless the settings name it.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        OptionalLint::ALL.iter().any(|lint| lint.code() == self.code)
    }

    /// The setting that tries the proposal that it belongs to, if it belongs to one.
    #[must_use]
    pub fn experiment(&self) -> Option<&'static str> {
        match self.group() {
            "gates" => Some("experimental.featureGates"),
            "unions" => Some("experimental.unions"),
            _ => None,
        }
    }

    /// Where the public explains what the rule rests on.
    #[must_use]
    pub fn url(&self) -> Option<&'static str> {
        SOURCES.iter().find(|(of, _)| *of == self.group()).map(|(_, url)| *url)
    }

    /// The explanation, as Markdown.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}\n\n{}", self.code, self.title, self.severity.name());
        if let Some(since) = self.since {
            // Writing to a string cannot fail.
            let _ = write!(page, ", since Kubernetes 1.{}", since.minor);
        }
        page.push_str(".\n");
        if self.is_optional() {
            let _ = write!(
                page,
                "\nOff by default; the setting `rules` switches it on: `\"{}\": \"hint\"`.\n",
                self.code
            );
        }
        if let Some(setting) = self.experiment() {
            let _ = write!(
                page,
                "\nA proposal that no API server knows: off unless the setting `{setting}` is `true`.\n"
            );
        }
        let example =
            |yaml: &str| if yaml.is_empty() { String::new() } else { format!("```yaml\n{yaml}\n```") };
        for (title, text) in [
            ("What it checks", self.checks.to_owned()),
            ("Why it matters", self.why.to_owned()),
            ("Wrong", example(self.wrong)),
            ("Right", example(self.right)),
            ("Fix", self.fix.to_owned()),
            ("Source", self.source.to_owned()),
        ] {
            if !text.is_empty() {
                let _ = write!(page, "\n## {title}\n\n{text}\n");
            }
        }
        page
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

const TABLE: &[&[Rule]] = &[
    cel::RULES,
    cel_compiled::RULES,
    columns::RULES,
    compat::RULES,
    conversion::RULES,
    decode::RULES,
    defaults::RULES,
    definition::RULES,
    experiments::RULES,
    file::RULES,
    lint::RULES,
    lint_cel::RULES,
    lint_optional::RULES,
    lint_schema::RULES,
    metadata::RULES,
    names::RULES,
    resource::RULES,
    resource_versions::RULES,
    schema::keywords::RULES,
    schema::lists::RULES,
    selectable::RULES,
    spec::RULES,
    status::RULES,
    structural::junctors::RULES,
    structural::junctor_extensions::RULES,
    structural::nodes::RULES,
    structural::resources::RULES,
    subresources::RULES,
    update::RULES,
    versions::RULES,
    warnings::RULES,
    yaml::RULES,
];

/// All rules, by code.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut rules: Vec<&Rule> = TABLE.iter().copied().flatten().collect();
    rules.sort_by_key(|rule| rule.code);
    rules
});

/// The rule with that code.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.code).ok().and_then(|index| RULES.get(index).copied())
}
