//! Rules and checks: one page for each rule in `rules/GROUP/NAME.md`, one line for each check of the server in `checks.tsv`.
//! `build.rs` makes the tables of them.

use std::fmt::{self, Write};

use crate::{KubernetesVersion, Severity};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
include!(concat!(env!("OUT_DIR"), "/checks.rs"));

/// A rule: a code and all that is said about it. Texts are Markdown, examples YAML.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The code, never reused.
    pub code: Code,
    /// The text of the code.
    name: &'static str,
    /// The name of its variant.
    variant: &'static str,
    /// How bad its findings are; the worst of them, where `checks` says that some are less so.
    pub severity: Severity,
    /// The release that brought the check; none where all known ones have it.
    pub since: Option<KubernetesVersion>,
    /// Whether it is off unless the settings name it.
    pub is_optional: bool,
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
    /// What the rule rests on beside the checks of the server.
    pub sources: &'static [&'static str],
}

/// A check of kube-apiserver.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its number, by which comments and fixtures name it. `D` is for decoding, `W` for warnings.
    pub number: &'static str,
    /// The rule that reports it; none for a check that no request reaches.
    pub rule: Option<Code>,
    /// The function that makes it, with its type if it is a method.
    pub function: &'static str,
    /// The file of that function, from the module on.
    pub file: &'static str,
    /// The release that brought it; none where all known ones have it.
    pub since: Option<KubernetesVersion>,
    /// What must hold, in one phrase.
    pub what: &'static str,
}

impl Code {
    /// The code as users read it, such as `structural/type-required`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.rule().name
    }

    /// The code in one word, as its variant is called, such as `StructuralTypeRequired`.
    #[must_use]
    pub fn in_one_word(self) -> &'static str {
        self.rule().variant
    }

    /// What stands before the slash.
    #[must_use]
    pub fn group(self) -> &'static str {
        let name = self.as_str();
        name.split_once('/').map_or(name, |(group, _)| group)
    }

    /// All that is said about it.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "build.rs writes one row for each variant, in their order")]
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<Code> for &str {
    fn eq(&self, other: &Code) -> bool {
        *self == other.as_str()
    }
}

/// The rule with that code.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.binary_search_by_key(&code, |rule| rule.name).ok().and_then(|index| RULES.get(index))
}

impl Rule {
    /// The group of rules that it belongs to: what stands before the slash of its code.
    #[must_use]
    pub fn group(&self) -> &'static str {
        self.code.group()
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
        URLS.iter().find(|(of, _)| *of == self.group()).map(|(_, url)| *url)
    }

    /// The checks of the server that it reports.
    pub fn server_checks(&self) -> impl Iterator<Item = &'static Check> {
        let code = self.code;
        CHECKS.iter().filter(move |check| check.rule == Some(code))
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
        if self.is_optional {
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
            ("Source", self.source()),
        ] {
            if !text.is_empty() {
                let _ = write!(page, "\n## {title}\n\n{text}\n");
            }
        }
        page
    }

    /// What the rule rests on: one line, or a list.
    fn source(&self) -> String {
        let checks = self.server_checks().map(|check| {
            format!(
                "kube-apiserver, `{}` in `k8s.io/{}` (check {}).",
                check.function, check.file, check.number
            )
        });
        let lines: Vec<String> =
            checks.chain(self.sources.iter().map(|source| (*source).to_owned())).collect();
        match lines.as_slice() {
            [one] => one.clone(),
            many => many.iter().map(|line| format!("- {line}\n")).collect::<String>().trim_end().to_owned(),
        }
    }
}

/// By group of rules.
const URLS: [(&str, &str); 2] = [
    (
        "structural",
        "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema",
    ),
    ("yaml", "https://yaml.org/spec/1.1/"),
];
