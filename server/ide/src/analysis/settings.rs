use std::collections::BTreeMap;

use api::Code;
use crd::OptionalLint;
use crd::experimental::Experiments;
use crd::{KubernetesVersion, Options};

use crate::analysis::selection::unknown;
use crate::{Finding, InTest, RULES, Selection, Severity, rule};

/// What the user can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The server whose verdict is given.
    pub kubernetes_version: KubernetesVersion,
    /// How bad rules are, where the user sees that otherwise than we do.
    pub rules: RuleLevels,
    /// Whether to report what every YAML tool reports: text that YAML 1.2 refuses too, and duplicate keys. Off where
    /// another server reports them already.
    pub syntax_errors: bool,
    /// Whether to report errors of Go in Go files. Off where gopls reports them already.
    pub go_errors: bool,
    /// Whether to tell beside each rule what it costs.
    pub cost_hints: bool,
    /// From which share of the limit on, in percent, a cost is worth a word.
    pub cost_hints_from: u16,
    /// Whether to tell beside each object of a resource what the server fills in.
    pub default_hints: bool,
    /// What the server is asked to do about fields that it does not know, and about duplicates.
    pub field_validation: FieldValidation,
    /// Whether findings with one cause are shown as one.
    pub group_errors: bool,
    /// The proposals that are tried.
    pub experiments: Experiments,
    /// Whether to tell above each definition how many resources it has.
    pub resource_lenses: bool,
    /// Whether to offer above each rule to evaluate it.
    pub evaluation_lenses: bool,
    /// Whether another tool merges the resources of the file into others: what they lack is no mistake.
    pub patch: bool,
    /// How tests use the file.
    pub in_test: InTest,
    /// Whether each definition tells that its kind is defined otherwise elsewhere, or only the one that goes first.
    pub tells_each_rival: bool,
}

/// The `fieldValidation` of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// The object is refused; what kubectl asks for.
    #[default]
    Strict,
    /// The fields are dropped with a warning; what the server does unasked.
    Warn,
    /// The fields are dropped without a word.
    Ignore,
}

impl FieldValidation {
    /// How bad a field is that the server does not know.
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
            in_test: InTest::default(),
            tells_each_rival: true,
        }
    }
}

impl Settings {
    /// Whether a rule that costs so much of a limit of `whole` says so.
    pub(crate) fn tells_cost(&self, cost: u64, whole: u64) -> bool {
        u128::from(cost) * 100 >= u128::from(whole) * u128::from(self.cost_hints_from)
    }

    /// What the verdict on definitions depends on.
    pub(crate) fn options(&self) -> Options {
        Options {
            kubernetes_version: self.kubernetes_version,
            optional_lints: OptionalLint::ALL
                .into_iter()
                .filter(|lint| self.rules.asks_for(lint.code()))
                .collect(),
            is_patch: self.patch,
        }
    }
}

/// How bad a rule is for the user.
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
    /// Sets the level of the rule, or of the group of rules, that `name` is; a group may be written `group/*`.
    ///
    /// # Errors
    /// Where there is no such rule or group; then nothing changes.
    pub fn set(&mut self, name: &str, level: Level) -> Result<(), String> {
        let bare = name.strip_suffix("/*").unwrap_or(name);
        if rule(name).is_none() && !RULES.iter().any(|rule| rule.group() == bare) {
            return Err(unknown(name));
        }
        self.levels.insert(bare.to_owned(), level);
        Ok(())
    }

    /// Reports the rules of `selection` alone.
    pub fn limit_to(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// Whether the rule itself has a level or is selected. That its group is switches on only conventions: no other group is off
    /// as a whole.
    #[must_use]
    pub fn asks_for(&self, code: Code) -> bool {
        let of_group = || self.levels.get(code.group()).filter(|_| code.rule().is_convention());
        match self.levels.get(code.as_str()).or_else(of_group) {
            Some(Level::As(_)) => self.selection.admits(code),
            Some(Level::Off) => false,
            None => self.selection.names(code),
        }
    }

    /// What is switched on of what is off by default, and nothing else.
    pub(crate) fn optional(&self) -> Self {
        let asked = OptionalLint::ALL.into_iter().map(OptionalLint::code).filter(|code| self.asks_for(*code));
        let own = |code: Code| Level::As(code.rule().severity);
        let level = |code: Code| self.levels.get(code.as_str()).copied().unwrap_or_else(|| own(code));
        let levels = asked.map(|code| (code.as_str().to_owned(), level(code))).collect();
        Self { levels, ..Self::default() }
    }

    /// Gives `finding` the user's severity; whether it is reported at all.
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
