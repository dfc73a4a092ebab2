//! Rules and checks: one page for each rule in `rules/GROUP/NAME.md`, one line for each check of the server
//! in `checks.tsv`. `build.rs` generates the tables from them.

use std::fmt::{self, Write};

use crate::{KubernetesVersion, Severity};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
include!(concat!(env!("OUT_DIR"), "/checks.rs"));

/// A rule: a code and its documentation. Texts are Markdown, examples YAML.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The code, never reused.
    pub code: Code,
    /// The code as text.
    name: &'static str,
    /// The name of the variant of the code.
    variant: &'static str,
    /// The severity of its findings, or the maximum if `checks` sets some lower.
    pub severity: Severity,
    /// The release that introduced the check; `None` if all known releases have it.
    pub since: Option<KubernetesVersion>,
    /// The last release that has the check; `None` if the newest release has it.
    pub until: Option<KubernetesVersion>,
    /// Whether the rule is off unless the settings enable it.
    pub is_optional: bool,
    /// The problem, in one sentence.
    pub title: &'static str,
    /// The problem, and where it is reported.
    pub summary: &'static str,
    /// The server's behaviour, with its message if there is one.
    pub server: &'static str,
    /// Text with and without this finding.
    pub example: Example,
    /// The remedy, and the changes that crd-ls can make.
    pub fix: &'static str,
    /// The cases in which the finding does not matter.
    pub ignore: &'static str,
    /// The equivalent in Go.
    pub marker: &'static str,
    /// Other findings of the example.
    pub beside: &'static [Code],
    /// The documents that the rule cites in addition to the checks of the server: titles and addresses.
    sources: &'static [(&'static str, &'static str)],
}

/// The example of a page, in YAML: definitions and resources, the contents of `metadata` or `spec` of a
/// definition, or a schema.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// No example, for this reason.
    None(&'static str),
    /// The output of the program for a file that a page cannot show, in Markdown.
    Transcript(&'static str),
    /// `wrong` has the finding, `right` does not.
    Correction {
        /// The text with the finding.
        wrong: &'static str,
        /// The corrected text.
        right: &'static str,
    },
    /// `new` has the finding when it replaces `old`.
    Change {
        /// The stored text.
        old: &'static str,
        /// The replacement.
        new: &'static str,
    },
}

/// A check of kube-apiserver.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its number, as in comments and fixtures. `D` is for decoding, `W` for warnings.
    pub number: &'static str,
    /// The rule that reports it; `None` for a check that no request reaches.
    pub rule: Option<Code>,
    /// The function that performs it, with its type if it is a method.
    pub function: &'static str,
    /// The file of that function, relative to the parent of the module.
    pub file: &'static str,
    /// The address of that file.
    pub url: &'static str,
    /// The release that introduced it; `None` if all known releases have it.
    pub since: Option<KubernetesVersion>,
    /// The checked condition, in one phrase.
    pub what: &'static str,
}

impl Code {
    /// The code for users, such as `structural/type-required`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.rule().name
    }

    /// The name of the code's variant, such as `StructuralTypeRequired`.
    #[must_use]
    pub fn in_one_word(self) -> &'static str {
        self.rule().variant
    }

    /// The text before the slash.
    #[must_use]
    pub fn group(self) -> &'static str {
        let name = self.as_str();
        name.split_once('/').map_or(name, |(group, _)| group)
    }

    /// Whether the rule reports text that kube-apiserver accepts but that the author probably did not intend.
    #[must_use]
    pub fn is_lint(self) -> bool {
        self.group() == "lint" || self.rule().is_convention()
    }

    /// The rule of the code.
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
    /// The group of the rule: the text before the slash of its code.
    #[must_use]
    pub fn group(&self) -> &'static str {
        self.code.group()
    }

    /// The setting that enables the rule's proposal, if the rule belongs to a proposal.
    #[must_use]
    pub fn experiment(&self) -> Option<&'static str> {
        match self.group() {
            "gates" => Some("experimental.featureGates"),
            "unions" => Some("experimental.unions"),
            _ => None,
        }
    }

    /// The address of the rule's page, or of its first source while the pages are not published.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        match option_env!("CRD_LS_SITE") {
            Some(site) => Some(format!("{}/rules/{}.html", site.trim_end_matches('/'), self.code)),
            None => self.sources().next().map(|(_, url)| url.to_owned()),
        }
    }

    /// Whether the rule is a convention of the Kubernetes API. All rules of that group are off unless the
    /// settings name the rule or the group.
    #[must_use]
    pub fn is_convention(&self) -> bool {
        self.group() == "convention"
    }

    /// The sources of the rule, as titles and addresses: documents, then functions of the server.
    pub fn sources(&self) -> impl Iterator<Item = (String, &'static str)> {
        let functions =
            self.server_checks().map(|check| (format!("`{}` of kube-apiserver", check.function), check.url));
        self.sources.iter().map(|(title, url)| ((*title).to_owned(), *url)).chain(functions)
    }

    /// The checks of the server that the rule reports.
    pub fn server_checks(&self) -> impl Iterator<Item = &'static Check> {
        let code = self.code;
        CHECKS.iter().filter(move |check| check.rule == Some(code))
    }

    /// The explanation, as Markdown.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}\n\n{}.\n", self.code, self.title, self.severity.name());
        if self.is_optional {
            // Writing to a string cannot fail.
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
        for (title, text) in [
            ("Summary", self.summary.to_owned()),
            ("What kube-apiserver does", self.server.to_owned()),
            ("Example", self.example.to_string()),
            ("How to fix", self.fix.to_owned()),
            ("When to ignore", self.ignore.to_owned()),
            ("kubebuilder marker", self.marker.to_owned()),
            ("Since", self.releases()),
            ("Sources", self.listed_sources()),
        ] {
            let _ = write!(page, "\n## {title}\n\n{text}\n");
        }
        page
    }

    /// The releases that have the check.
    fn releases(&self) -> String {
        if self.experiment().is_some() {
            return "No release: kube-apiserver does not implement the proposal.".to_owned();
        }
        match (self.since, self.until) {
            (Some(since), _) => format!("Kubernetes 1.{}.", since.minor),
            (None, Some(until)) => format!("Kubernetes 1.{} and older only.", until.minor),
            (None, None) => format!(
                "All supported releases, Kubernetes 1.{} to 1.{}.",
                KubernetesVersion::OLDEST.minor,
                KubernetesVersion::NEWEST.minor
            ),
        }
    }

    /// A list of links, each once.
    fn listed_sources(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (title, url) in self.sources() {
            let line = format!("- [{title}]({url})");
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.join("\n")
    }
}

impl fmt::Display for Example {
    /// As Markdown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = match self {
            Self::None(reason) => return write!(f, "None. {reason}"),
            Self::Transcript(text) => return f.write_str(text),
            Self::Correction { wrong, right } => (("Wrong", wrong), ("Right", right)),
            Self::Change { old, new } => (("Old", old), ("New", new)),
        };
        let [first, second] = [first, second].map(|(name, yaml)| format!("{name}:\n\n```yaml\n{yaml}\n```"));
        write!(f, "{first}\n\n{second}")
    }
}
