use std::collections::BTreeMap;

use api::Code;
use crd::OptionalLint;
use crd::experimental::Experiments;
use crd::{KubernetesVersion, Options};

use crate::analysis::selection::unknown;
use crate::{Finding, RULES, Selection, Severity, TestUse, rule};

/// The settings of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The version of kube-apiserver whose responses are reported.
    pub kubernetes_version: KubernetesVersion,
    /// The levels of rules that differ from the defaults.
    pub rules: RuleLevels,
    /// Whether to report what every YAML tool reports: text that YAML 1.2 rejects as well, and duplicate
    /// keys. Off if another language server already reports them.
    pub syntax_errors: bool,
    /// Whether to report errors of Go in Go files. Off if gopls already reports them.
    pub go_errors: bool,
    /// Whether to show the cost of each rule beside it.
    pub cost_hints: bool,
    /// The share of the limit, in percent, from which a cost is shown.
    pub cost_hints_from: u16,
    /// Whether to show the defaults that the server adds beside each object of a resource.
    pub default_hints: bool,
    /// How the server treats unknown and duplicate fields.
    pub field_validation: FieldValidation,
    /// Whether findings with the same cause are shown as one.
    pub group_errors: bool,
    /// The proposals of Kubernetes that are enabled.
    pub experiments: Experiments,
    /// Whether to show the number of resources above each definition.
    pub resource_lenses: bool,
    /// Whether to offer the evaluation of each rule above it.
    pub evaluation_lenses: bool,
    /// Whether another tool merges the resources of the file into others, so that missing fields are no errors.
    pub patch: bool,
    /// How tests use the file.
    pub in_test: TestUse,
    /// Whether each definition reports other definitions of its kind that differ, or only the first one does.
    pub reports_each_rival: bool,
}

/// The `fieldValidation` of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// The object is rejected; kubectl requests this.
    #[default]
    Strict,
    /// The fields are dropped with a warning; this is the default of the server.
    Warn,
    /// The fields are dropped silently.
    Ignore,
}

impl FieldValidation {
    /// The severity of a field that the server does not know.
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Strict => Severity::Error,
            Self::Warn => Severity::Warning,
            Self::Ignore => Severity::Hint,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            kubernetes_version: KubernetesVersion::default(),
            rules: RuleLevels::default(),
            syntax_errors: true,
            go_errors: true,
            cost_hints: true,
            cost_hints_from: 10,
            default_hints: true,
            field_validation: FieldValidation::default(),
            group_errors: true,
            experiments: Experiments::default(),
            resource_lenses: true,
            evaluation_lenses: true,
            patch: false,
            in_test: TestUse::default(),
            reports_each_rival: true,
        }
    }
}

impl Settings {
    /// Whether a rule with that cost shows it, if `limit` is the limit.
    pub(crate) fn shows_cost(&self, cost: u64, limit: u64) -> bool {
        u128::from(cost) * 100 >= u128::from(limit) * u128::from(self.cost_hints_from)
    }

    /// The settings that affect the check of definitions.
    pub(crate) fn options(&self) -> Options {
        Options {
            kubernetes_version: self.kubernetes_version,
            optional_lints: OptionalLint::ALL
                .into_iter()
                .filter(|lint| self.rules.is_requested(lint.code()))
                .collect(),
            is_patch: self.patch,
        }
    }
}

/// The level of a rule for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not reported.
    Off,
    /// Reported with that severity.
    As(Severity),
}

/// Levels by code, or by the group in front of its slash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleLevels {
    levels: BTreeMap<String, Level>,
    selection: Selection,
}

impl RuleLevels {
    /// Sets the level of the rule or group of rules `name`; a group may be written as `group/*`.
    ///
    /// # Errors
    /// Returns an error if there is no such rule or group; then nothing changes.
    pub fn set(&mut self, name: &str, level: Level) -> Result<(), String> {
        let bare = name.strip_suffix("/*").unwrap_or(name);
        if rule(name).is_none() && !RULES.iter().any(|rule| rule.group() == bare) {
            return Err(unknown(name));
        }
        self.levels.insert(bare.to_owned(), level);
        Ok(())
    }

    /// Reports only the rules of `selection`.
    pub fn limit_to(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// Whether the rule itself has a level or is selected. A level of its group enables only conventions,
    /// because no other group is off as a whole.
    #[must_use]
    pub fn is_requested(&self, code: Code) -> bool {
        let of_group = || self.levels.get(code.group()).filter(|_| code.rule().is_convention());
        match self.levels.get(code.as_str()).or_else(of_group) {
            Some(Level::As(_)) => self.selection.admits(code),
            Some(Level::Off) => false,
            None => self.selection.names(code),
        }
    }

    /// The levels of enabled rules that are off by default, and nothing else.
    pub(crate) fn optional(&self) -> Self {
        let requested =
            OptionalLint::ALL.into_iter().map(OptionalLint::code).filter(|code| self.is_requested(*code));
        let own = |code: Code| Level::As(code.rule().severity);
        let level = |code: Code| self.levels.get(code.as_str()).copied().unwrap_or_else(|| own(code));
        let levels = requested.map(|code| (code.as_str().to_owned(), level(code))).collect();
        Self { levels, ..Self::default() }
    }

    /// Gives `finding` the user's severity, and returns whether it is reported.
    #[must_use]
    pub fn admit(&self, finding: &mut Finding) -> bool {
        if !self.selection.admits(finding.code) {
            return false;
        }
        let own = self.levels.get(finding.code.as_str());
        let level = own.or_else(|| self.levels.get(finding.code.group()));
        match level {
            None => {}
            Some(Level::As(severity)) => finding.severity = *severity,
            Some(Level::Off) => return false,
        }
        true
    }
}
