//! Values of options: formats, and conditions of the exit status 1.

use answers::remarks::ShownFindings;
use answers::report::ReportForm;
use clap::ValueEnum;
use ide::{FieldValidation, Severity};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    Human,
    Json,
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VersionsFailOn {
    Lost,
    Different,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFailOn {
    Breaking,
    Risky,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    Human,
    Json,
    Junit,
}

/// The values of `fieldValidation`, with the names of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub(crate) enum Validation {
    /// Reject the object.
    Strict,
    /// Return a warning.
    Warn,
    /// Report nothing.
    Ignore,
}

impl From<Validation> for FieldValidation {
    fn from(validation: Validation) -> Self {
        match validation {
            Validation::Strict => Self::Strict,
            Validation::Warn => Self::Warn,
            Validation::Ignore => Self::Ignore,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PreviewFormat {
    Yaml,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostFormat {
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Findings with their source lines, for people.
    Human,
    /// One line for each finding.
    Concise,
    /// JSON, for scripts.
    Json,
    /// Workflow commands, which GitHub shows beside the changed lines.
    Github,
    /// SARIF, for code scanning services.
    Sarif,
    /// Test results, as most CI servers show them.
    Junit,
    /// The report of GitLab Code Quality.
    Gitlab,
    /// The report of Checkstyle.
    Checkstyle,
}

impl OutputFormat {
    /// Whether programs read it. For these, even an empty report is written.
    pub(crate) const fn is_for_machines(self) -> bool {
        !matches!(self, Self::Human | Self::Concise | Self::Github)
    }

    /// Whether it shows fixes, which take time to find.
    pub(crate) const fn shows_fixes(self) -> bool {
        matches!(self, Self::Human | Self::Json | Self::Sarif)
    }

    /// The parts of a file's report in this format, with fixes for all findings.
    pub(crate) const fn form(self) -> ReportForm<'static> {
        let (is_complete, groups) = (matches!(self, Self::Json), matches!(self, Self::Human));
        ReportForm {
            shows_fixes: self.shows_fixes(),
            is_complete,
            groups,
            shown_findings: ShownFindings::ALL,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Never,
}

impl FailOn {
    pub(crate) fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity == Severity::Error,
            Self::Warning => severity <= Severity::Warning,
            Self::Never => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
