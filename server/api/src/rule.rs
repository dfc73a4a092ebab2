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
    /// The last release that has the check; none where the newest has it.
    pub until: Option<KubernetesVersion>,
    /// Whether it is off unless the settings name it.
    pub is_optional: bool,
    /// What is wrong, in one sentence.
    pub title: &'static str,
    /// What is wrong, and where it is reported.
    pub summary: &'static str,
    /// What the server does with it, in its own words where it has any.
    pub server: &'static str,
    /// Text with this finding, and text without.
    pub example: Example,
    /// What to do, and what crd-ls does by itself.
    pub fix: &'static str,
    /// When the finding does not matter.
    pub ignore: &'static str,
    /// How it is written in Go.
    pub marker: &'static str,
    /// What the example is reported for as well.
    pub beside: &'static [Code],
    /// The documents that the rule rests on beside the checks of the server: titles and addresses.
    sources: &'static [(&'static str, &'static str)],
}

/// The example of a page, in YAML: definitions and resources, or what stands below `metadata` or `spec` of a definition, or
/// a schema.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// There is none, for this reason.
    None(&'static str),
    /// What the program prints for a file that a page cannot show, in Markdown.
    Transcript(&'static str),
    /// `wrong` has the finding, `right` has none.
    Correction {
        /// What is reported.
        wrong: &'static str,
        /// What is meant.
        right: &'static str,
    },
    /// `new` has the finding where it replaces `old`.
    Change {
        /// What is stored.
        old: &'static str,
        /// What replaces it.
        new: &'static str,
    },
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
    /// Where that file can be read.
    pub url: &'static str,
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

    /// Whether it is about what kube-apiserver accepts and what yet is not meant so.
    #[must_use]
    pub fn is_lint(self) -> bool {
        self.group() == "lint" || self.rule().is_convention()
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

    /// The address of its page, or of the first document that it rests on while the pages are not published.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        match option_env!("CRD_LS_SITE") {
            Some(site) => Some(format!("{}/rules/{}.html", site.trim_end_matches('/'), self.code)),
            None => self.sources().next().map(|(_, url)| url.to_owned()),
        }
    }

    /// Whether it is a convention of the Kubernetes API. All of that group are off unless the settings name one or the group.
    #[must_use]
    pub fn is_convention(&self) -> bool {
        self.group() == "convention"
    }

    /// What the rule rests on, as titles and addresses: documents, then functions of the server.
    pub fn sources(&self) -> impl Iterator<Item = (String, &'static str)> {
        let functions =
            self.server_checks().map(|check| (format!("`{}` of kube-apiserver", check.function), check.url));
        self.sources.iter().map(|(title, url)| ((*title).to_owned(), *url)).chain(functions)
    }

    /// The checks of the server that it reports.
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
