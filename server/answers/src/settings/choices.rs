//! The settings that a person or a project has chosen.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ide::{FieldValidation, KubernetesVersion, Level, RuleLevels, Selection, Selector, Settings, Severity};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Pattern, parse_version};

/// The revision that is checked out.
pub const HEAD: &str = "HEAD";
/// The commit at which the branch left the main branch.
pub const MERGE_BASE: &str = "merge-base";

/// The chosen settings; the names are the same in editors and in files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Choices {
    /// The release that files are checked against.
    #[serde(deserialize_with = "version")]
    kubernetes_version: Option<KubernetesVersion>,
    rules: Rules,
    /// The rules that are reported; all if there is no choice.
    select: Option<Vec<RuleSelector>>,
    /// The rules that are not reported.
    ignore: Vec<RuleSelector>,
    inlay_hints: InlayHints,
    field_validation: Option<Validation>,
    /// The paths of further definitions.
    crds: Option<Vec<String>>,
    /// The revision that an editor compares a file with.
    compare_with: Option<Comparison>,
    /// The revision for findings on breaking changes in an editor.
    compat: Compat,
    /// Whether an editor groups findings with one cause.
    group_errors: Option<bool>,
    code_lens: CodeLens,
    experimental: Experimental,
    /// How the project calls controller-gen. Only the project's file has it and the three settings below.
    pub go: Go,
    /// The files that are checked; all if it is empty.
    pub include: Vec<Pattern>,
    /// The files that are not checked.
    pub exclude: Vec<Pattern>,
    /// Choices for some files only.
    pub overrides: Vec<Override>,
    /// Set only by editors, which know of other servers; in a file, it would silence the command line.
    #[serde(skip)]
    syntax_errors: Option<bool>,
    /// The same for servers for Go.
    #[serde(skip)]
    go_errors: Option<bool>,
    /// Set only by editors, which know whether the user trusts the workspace.
    #[serde(skip)]
    trusted: Option<bool>,
    /// Not set by files: opening a repository must not connect to a cluster because a file in it says so.
    #[serde(skip)]
    cluster: Option<Cluster>,
}

/// Choices for the files that `paths` names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Override {
    /// The files.
    pub paths: Vec<Pattern>,
    #[serde(default, deserialize_with = "version")]
    kubernetes_version: Option<KubernetesVersion>,
    #[serde(default)]
    rules: Rules,
    select: Option<Vec<RuleSelector>>,
    #[serde(default)]
    ignore: Vec<RuleSelector>,
    field_validation: Option<Validation>,
    crds: Option<Vec<String>>,
}

/// How a project calls controller-gen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Go {
    /// The arguments of each call.
    pub calls: Vec<String>,
    /// The release of controller-gen.
    #[serde(deserialize_with = "not_empty")]
    pub controller_gen_version: Option<String>,
}

/// A live cluster, by kubeconfig.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cluster {
    /// Whether the cluster is queried at all.
    pub enabled: bool,
    /// The context of the kubeconfig; `None` for the current one.
    pub context: Option<String>,
}

/// Hints beside the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct InlayHints {
    /// The cost of each rule.
    cost: Option<bool>,
    /// The lowest share of the limit for which costs are shown, in percent.
    #[serde(deserialize_with = "percent")]
    cost_from: Option<u16>,
    /// The defaults that resources get.
    defaults: Option<bool>,
}

/// How breaking changes are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Compat {
    /// The revision to compare with.
    base: Option<Comparison>,
    /// Whether changes in alpha versions are reported.
    alpha: Option<bool>,
}

/// Lenses above the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CodeLens {
    /// The number of resources of a definition.
    resources: Option<bool>,
    /// The link that evaluates a rule.
    evaluation: Option<bool>,
}

/// The proposals of Kubernetes that the user wants to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Experimental {
    /// Feature gates on fields.
    feature_gates: Option<bool>,
    /// `x-kubernetes-unions`.
    unions: Option<bool>,
}

/// Levels of rules by code or group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<RuleName, SeverityName>")]
struct Rules(BTreeMap<String, Level>);

/// The name of an existing rule or group of rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct RuleName(String);

/// A selector of rules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct RuleSelector(Selector);

/// A revision of the repository, or `off`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Comparison(Option<String>);

/// The names in the Kubernetes API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Validation {
    Strict,
    Warn,
    Ignore,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SeverityName {
    Off,
    Hint,
    Information,
    Warning,
    Error,
}

impl Choices {
    /// The keys that editors can set, too.
    pub const KEYS: [&str; 12] = [
        "kubernetesVersion",
        "rules",
        "select",
        "ignore",
        "inlayHints",
        "fieldValidation",
        "crds",
        "compareWith",
        "compat",
        "groupErrors",
        "codeLens",
        "experimental",
    ];

    /// The choices in the object `sent` by an editor, key by key, and the problems with invalid values. The
    /// keys are at the top level or under [`SECTION`](super::SECTION); other keys belong to other programs.
    #[must_use]
    pub fn from_editor(sent: &Value) -> (Self, Vec<String>) {
        let section = sent.get(super::SECTION).unwrap_or(sent);
        let mut choices = Self::default();
        let mut problems = Vec::new();
        for key in Self::KEYS {
            let Some(value) = section.get(key).filter(|value| !value.is_null()) else { continue };
            match serde_json::from_value(Value::from_iter([(key, value.clone())])) {
                Ok(chosen) => choices.override_with(chosen),
                Err(problem) => problems.push(format!("{key}: {problem}")),
            }
        }
        let of_editor = [
            ("syntaxErrors", &mut choices.syntax_errors),
            ("goErrors", &mut choices.go_errors),
            ("workspaceTrusted", &mut choices.trusted),
        ];
        for (key, chosen) in of_editor {
            match section.get(key) {
                None | Some(Value::Null) => {}
                Some(Value::Bool(value)) => *chosen = Some(*value),
                Some(other) => problems.push(format!("{key}: {other} is not true or false")),
            }
        }
        if let Some(value) = section.get("cluster").filter(|value| !value.is_null()) {
            match serde_json::from_value(value.clone()) {
                Ok(cluster) => choices.cluster = Some(cluster),
                Err(problem) => problems.push(format!("cluster: {problem}")),
            }
        }
        (choices, problems)
    }

    /// The choices in the `text` of a project's file.
    ///
    /// # Errors
    ///
    /// Describes the problem and its position.
    pub fn from_file(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&char| char != '\n').count() + 1;
            format!("line {line}, column {column}: {}", error.message())
        })
    }

    /// Choices of the command line.
    #[must_use]
    pub fn of_version(kubernetes_version: Option<KubernetesVersion>) -> Self {
        Self { kubernetes_version, ..Self::default() }
    }

    /// The selected rules of the command line, if any, and the ignored ones.
    #[must_use]
    pub fn of_rules(select: &[RuleSelector], ignore: &[RuleSelector]) -> Self {
        let select = (!select.is_empty()).then(|| select.to_vec());
        Self { select, ignore: ignore.to_vec(), ..Self::default() }
    }

    /// Overrides these choices with those of `other`.
    pub fn override_with(&mut self, other: Self) {
        self.kubernetes_version = other.kubernetes_version.or(self.kubernetes_version);
        self.rules.0.extend(other.rules.0);
        self.select = other.select.or(self.select.take());
        self.ignore.extend(other.ignore);
        self.inlay_hints.cost = other.inlay_hints.cost.or(self.inlay_hints.cost);
        self.inlay_hints.cost_from = other.inlay_hints.cost_from.or(self.inlay_hints.cost_from);
        self.inlay_hints.defaults = other.inlay_hints.defaults.or(self.inlay_hints.defaults);
        self.code_lens.resources = other.code_lens.resources.or(self.code_lens.resources);
        self.code_lens.evaluation = other.code_lens.evaluation.or(self.code_lens.evaluation);
        self.field_validation = other.field_validation.or(self.field_validation);
        let Experimental { feature_gates, unions } = other.experimental;
        self.experimental.feature_gates = feature_gates.or(self.experimental.feature_gates);
        self.experimental.unions = unions.or(self.experimental.unions);
        self.crds = other.crds.or(self.crds.take());
        self.syntax_errors = other.syntax_errors.or(self.syntax_errors);
        self.go_errors = other.go_errors.or(self.go_errors);
        self.trusted = other.trusted.or(self.trusted);
        self.group_errors = other.group_errors.or(self.group_errors);
        self.compare_with = other.compare_with.or(self.compare_with.take());
        self.cluster = other.cluster.or(self.cluster.take());
        self.compat.base = other.compat.base.or(self.compat.base.take());
        self.compat.alpha = other.compat.alpha.or(self.compat.alpha);
    }

    /// Whether the user trusts the workspace, if the editor says so.
    #[must_use]
    pub const fn is_trusted(&self) -> Option<bool> {
        self.trusted
    }

    /// The cluster, if the editor chose one.
    #[must_use]
    pub const fn cluster(&self) -> Option<&Cluster> {
        self.cluster.as_ref()
    }

    /// The revision that files are compared with; `HEAD` by default.
    #[must_use]
    pub fn compare_with(&self) -> Option<&str> {
        self.compare_with.as_ref().map_or(Some(HEAD), |Comparison(revision)| revision.as_deref())
    }

    /// The revision for findings on breaking changes, and whether alpha versions count. By default, the
    /// revision is the commit at which the branch left the main branch.
    #[must_use]
    pub fn compat_base(&self) -> Option<(&str, bool)> {
        let base = self.compat.base.as_ref();
        let base = base.map_or(Some(MERGE_BASE), |Comparison(revision)| revision.as_deref());
        base.map(|base| (base, self.compat.alpha.unwrap_or(false)))
    }

    /// The paths of further definitions; `None` by default.
    #[must_use]
    pub fn crds(&self) -> Option<&[String]> {
        self.crds.as_deref()
    }

    /// Overrides `settings` with the choices.
    pub fn apply(&self, settings: &mut Settings) {
        if let Some(version) = self.kubernetes_version {
            settings.kubernetes_version = version;
        }
        if let Some(shown) = self.inlay_hints.cost {
            settings.cost_hints = shown;
        }
        if let Some(from) = self.inlay_hints.cost_from {
            settings.cost_hints_from = from;
        }
        if let Some(shown) = self.inlay_hints.defaults {
            settings.default_hints = shown;
        }
        if let Some(shown) = self.code_lens.resources {
            settings.resource_lenses = shown;
        }
        if let Some(shown) = self.code_lens.evaluation {
            settings.evaluation_lenses = shown;
        }
        if let Some(reported) = self.syntax_errors {
            settings.syntax_errors = reported;
        }
        if let Some(reported) = self.go_errors {
            settings.go_errors = reported;
        }
        if let Some(groups) = self.group_errors {
            settings.group_errors = groups;
        }
        if let Some(tried) = self.experimental.feature_gates {
            settings.experiments.feature_gates = tried;
        }
        if let Some(tried) = self.experimental.unions {
            settings.experiments.unions = tried;
        }
        if let Some(validation) = self.field_validation {
            settings.field_validation = match validation {
                Validation::Strict => FieldValidation::Strict,
                Validation::Warn => FieldValidation::Warn,
                Validation::Ignore => FieldValidation::Ignore,
            };
        }
        for (name, level) in &self.rules.0 {
            // The names were validated when they were read.
            let _ = settings.rules.set(name, *level);
        }
        let select = self.select.as_deref().filter(|select| !select.is_empty());
        settings.rules.limit_to(RuleSelector::selection(select, &self.ignore));
    }
}

impl Override {
    /// The choices.
    #[must_use]
    pub fn choices(&self) -> Choices {
        Choices {
            kubernetes_version: self.kubernetes_version,
            rules: self.rules.clone(),
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            field_validation: self.field_validation,
            crds: self.crds.clone(),
            ..Choices::default()
        }
    }
}

impl RuleSelector {
    /// The rules that are reported: `select` if there is a selection, without `ignore`.
    #[must_use]
    pub fn selection(select: Option<&[Self]>, ignore: &[Self]) -> Selection {
        let selectors = |all: &[Self]| all.iter().map(|Self(one)| one.clone()).collect();
        Selection { select: select.map(selectors), ignore: selectors(ignore) }
    }
}

impl TryFrom<String> for RuleSelector {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl FromStr for RuleSelector {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        name.parse().map(Self)
    }
}

impl TryFrom<String> for RuleName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        RuleLevels::default().set(&name, Level::Off).map(|()| Self(name))
    }
}

impl TryFrom<String> for Comparison {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "" => Err("not `off` or a git revision such as `HEAD`"),
            "off" => Ok(Self(None)),
            _ => Ok(Self(Some(text))),
        }
    }
}

impl From<BTreeMap<RuleName, SeverityName>> for Rules {
    fn from(named: BTreeMap<RuleName, SeverityName>) -> Self {
        Self(named.into_iter().map(|(RuleName(name), level)| (name, level.level())).collect())
    }
}

impl SeverityName {
    const fn level(self) -> Level {
        match self {
            Self::Off => Level::Off,
            Self::Hint => Level::As(Severity::Hint),
            Self::Information => Level::As(Severity::Information),
            Self::Warning => Level::As(Severity::Warning),
            Self::Error => Level::As(Severity::Error),
        }
    }
}

/// A percentage of a limit; no accepted definition exceeds the limit.
fn percent<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    match u16::deserialize(from)? {
        percent @ 0..=100 => Ok(Some(percent)),
        _ => Err(D::Error::custom("not a percentage from 0 to 100")),
    }
}

fn not_empty<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = String::deserialize(from)?;
    if text.is_empty() { Err(D::Error::custom("the text is empty")) } else { Ok(Some(text)) }
}

/// As a number, 1.30 would be 1.3.
fn version<'de, D: Deserializer<'de>>(from: D) -> Result<Option<KubernetesVersion>, D::Error> {
    struct Version;
    impl Visitor<'_> for Version {
        type Value = Option<KubernetesVersion>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            let newest = KubernetesVersion::NEWEST.minor;
            write!(out, "a Kubernetes version in quotes, such as \"1.{newest}\"")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            parse_version(text).map(Some).map_err(E::custom)
        }
    }
    from.deserialize_str(Version)
}
