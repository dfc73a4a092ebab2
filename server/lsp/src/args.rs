//! The command line: what may be asked, and how.

use crate::config::Pattern;
use crate::config::Selected;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use ide::{FieldValidation, KubernetesVersion, Severity};

use crate::config;
use crate::rules::ListFormat;
use crate::status::{CLEAN, FAILED};

/// Language server and checker for Kubernetes CustomResourceDefinitions.
#[derive(Debug, Parser)]
#[command(name = "crd-ls", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve an editor over stdin and stdout; also what happens without a subcommand when stdin is no terminal.
    Server {
        /// Accepted because clients pass it; there is no other transport.
        #[arg(long, hide = true)]
        stdio: bool,
        #[command(flatten)]
        log: crate::log::LogArgs,
    },
    /// Check files: exit status 0 clean, 1 findings, 2 could not run.
    Check(CheckArgs),
    /// Write definitions of apiextensions.k8s.io/v1beta1 in the words of v1: exit status 1 where one is not migrated, or
    /// has errors left.
    Migrate(MigrateArgs),
    /// List the costs of CEL rules, the most expensive first: exit status 0 unless a file cannot be read.
    Cost(CostArgs),
    /// Show the OpenAPI schemas that the server publishes of definitions.
    Openapi(OpenapiArgs),
    /// Show what the server would store of resources: exit status 1 where it refuses one.
    Apply(ApplyArgs),
    /// List the feature gates on fields of definitions, a proposal that no API server knows, and which of them are on.
    Gates(GatesArgs),
    /// Evaluate CEL rules on a resource, with the values of all that they are made of: exit status 1 where one is broken.
    Eval(EvalArgs),
    /// Show a commented sample of a kind, made from its definition.
    Sample(SampleArgs),
    /// Show what definitions change for objects and clients of earlier ones: exit status 1 where something breaks (with
    /// --fail-on risky: may break), 2 where something cannot be compared. Changes of alpha versions count with --alpha
    /// only.
    Diff(DiffArgs),
    /// Show what each version of a definition says of its fields, where they differ, the preferred version first: exit
    /// status 1 where objects lose fields between versions.
    Versions(VersionsArgs),
    /// List all rules with their severities.
    Rules {
        /// How they are written.
        #[arg(long, value_enum, default_value = "human")]
        output: ListFormat,
    },
    /// Explain a rule, such as structural/junctor-type; without a code, list all rules.
    Explain {
        /// The code of the rule.
        code: Option<String>,
    },
    /// Serve a coding agent over stdin and stdout (Model Context Protocol): check, explain, fix, sample, eval and diff as tools.
    #[cfg(feature = "mcp")]
    Mcp,
    /// Write the completions of a shell to stdout; `--help` says where they go.
    ///
    /// bash: crd-ls completions bash > ~/.local/share/bash-completion/completions/crd-ls.
    /// zsh: crd-ls completions zsh > _crd-ls, in a directory of $fpath.
    /// fish: crd-ls completions fish > ~/.config/fish/completions/crd-ls.fish.
    /// PowerShell: crd-ls completions powershell | Out-String | Invoke-Expression, in $PROFILE.
    #[command(verbatim_doc_comment)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual, a page for each command, into a directory. For those who pack the program.
    #[command(hide = true)]
    Manual {
        /// An existing directory.
        directory: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// How findings are written.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: OutputFormat,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
    /// Further definitions for the resources among the files: a file, a directory, or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    #[command(flatten)]
    pub(crate) stored: StoredArgs,
    /// What becomes of fields that the schema does not have, and of keys that stand twice, in resources; goes before the
    /// setting `fieldValidation`.
    #[arg(long, value_enum, ignore_case = true, value_name = "VALIDATION")]
    pub(crate) field_validation: Option<Validation>,
    /// List all definitions of each kind in the order in which they go, with the resources that each judges, and check
    /// nothing; as text or, with --output json, as JSON.
    #[arg(long, conflicts_with = "fix")]
    pub(crate) explain_definitions: bool,
    /// The least severity that makes the exit status 1.
    #[arg(long, value_enum, default_value = "error")]
    pub(crate) fail_on: FailOn,
    /// Exit status 1 where an object is not checked because nobody defines its kind or version, or because it cannot be
    /// read.
    #[arg(long)]
    pub(crate) fail_on_unjudged: bool,
    /// List what is not checked, with the reason, and write all findings in full: remarks of one rule and equal findings
    /// of several files, too.
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Apply all safe fixes first and report what remains; for - the fixed text goes to stdout, the findings to
    /// stderr.
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix: write no file, but what would change, as a unified diff, to stdout, and the findings to stderr; exit
    /// status 1 where anything would change.
    #[arg(long, requires = "fix")]
    pub(crate) diff: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MigrateArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin, whose
    /// text goes to stdout.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Write no file, but what would change, as a unified diff, to stdout.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Let the server drop fields that the schema does not declare, where it kept them so far.
    #[arg(long)]
    pub(crate) drop_unknown_fields: bool,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CostArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// How costs are written; json is one object a definition, one a line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VersionsArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Fields that are the same in all versions, too.
    #[arg(long)]
    pub(crate) all: bool,
    /// What makes the exit status 1: that objects lose fields between versions, as nothing converts them, or that a field
    /// differs at all.
    #[arg(long, value_enum, default_value = "lost")]
    pub(crate) fail_on: VersionsFailOn,
    /// How they are written; json is one object a definition, one a line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// The old and the new file; with --base the files and directories to compare.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A revision of the git repository, `merge-base` (with the main branch) or `tag:PATTERN` (the latest such tag).
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// Changes of alpha versions are listed and count, too; without it they are only summed up, as such a version promises
    /// nothing.
    #[arg(long)]
    pub(crate) alpha: bool,
    /// Each change has a line of its own; without it, changes of one cause in one definition are one line with a count.
    #[arg(long)]
    pub(crate) each: bool,
    /// What makes the exit status 1.
    #[arg(long, value_enum, default_value = "breaking")]
    pub(crate) fail_on: DiffFailOn,
    /// How changes are written; json is one object a change, one a line; markdown is a table a file, for comments and
    /// summaries of jobs.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: DiffFormat,
}

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

#[derive(Debug, clap::Args)]
pub(crate) struct OpenapiArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// As OpenAPI v2 has it, which cannot say everything.
    #[arg(long, conflicts_with = "skeleton")]
    pub(crate) v2: bool,
    /// Without value validations.
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// Write to stdout the document that the server has at /openapi/v3/apis/GROUP/VERSION of these definitions; of those
    /// with one name the last counts.
    #[arg(long, value_name = "GROUP/VERSION", conflicts_with_all = ["v2", "skeleton", "output"])]
    pub(crate) group_version: Option<String>,
    /// How schemas are written; json is one object a version, one a line, with all schemas that it refers to.
    #[arg(long, value_enum, default_value = "yaml")]
    pub(crate) output: PreviewFormat,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Only show it, which is all that this command can do: it asks no server.
    #[arg(long, required = true)]
    pub(crate) dry_run: bool,
    /// Further definitions for the resources among the files: a file, a directory, or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    #[command(flatten)]
    pub(crate) stored: StoredArgs,
    /// What becomes of fields that the schema does not have, and of keys that stand twice; goes before the setting
    /// `fieldValidation`.
    #[arg(long, value_enum, ignore_case = true, value_name = "VALIDATION")]
    pub(crate) field_validation: Option<Validation>,
    /// How objects are written; json is one object a resource, one a line.
    #[arg(long, value_enum, default_value = "yaml")]
    pub(crate) output: PreviewFormat,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GatesArgs {
    /// Files, directories (walked for *.yaml, *.yml and *.json, without what .gitignore names), or - for stdin.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// How gates are written; json is one object a definition, one a line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SampleArgs {
    /// Kinds, or files and directories with definitions; kinds are looked for below the current directory.
    #[arg(required = true, value_name = "KIND|PATH")]
    pub(crate) names: Vec<String>,
    /// Where the definitions are: a file, a directory, or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    /// Only this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// How samples are written; json is one object a sample, one a line.
    #[arg(long, value_enum, default_value = "yaml")]
    pub(crate) output: PreviewFormat,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// The file with the definition, or - for stdin.
    #[arg(value_name = "DEFINITION")]
    pub(crate) definition: String,
    /// The file with the resource, or - for stdin.
    #[arg(value_name = "RESOURCE")]
    pub(crate) resource: String,
    /// Only the rule of that number, as it is shown without this.
    #[arg(long, value_name = "N", conflicts_with = "expression")]
    pub(crate) rule: Option<usize>,
    /// This expression instead, in which self is the whole resource.
    #[arg(long, value_name = "CEL")]
    pub(crate) expression: Option<String>,
    #[command(flatten)]
    pub(crate) stored: StoredArgs,
    /// How values are written; json is one object a resource, one a line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
    /// The Kubernetes release whose API server is asked.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

/// The names of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub(crate) enum Validation {
    /// The server refuses the object.
    Strict,
    /// The server warns.
    Warn,
    /// The server says nothing.
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
    /// Findings with the lines that they are in, for people.
    Human,
    /// One line for each finding.
    Concise,
    /// What scripts read.
    Json,
    /// Workflow commands, which GitHub shows beside the changed lines.
    Github,
    /// What code scanning services read.
    Sarif,
    /// Test results, as most CI servers show them.
    Junit,
    /// The report of GitLab Code Quality.
    Gitlab,
    /// The report of Checkstyle.
    Checkstyle,
}

impl OutputFormat {
    /// Whether programs read it, for which even a report of nothing has its form.
    pub(super) const fn is_for_machines(self) -> bool {
        !matches!(self, Self::Human | Self::Concise | Self::Github)
    }

    /// Whether it tells of fixes, which take time to find.
    pub(crate) const fn tells_fixes(self) -> bool {
        matches!(self, Self::Human | Self::Json | Self::Sarif)
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

/// Prints the help, for a terminal without a subcommand.
pub(crate) fn help() -> ExitCode {
    match <Cli as clap::CommandFactory>::command().print_help() {
        Ok(()) => ExitCode::from(CLEAN),
        Err(_) => ExitCode::from(FAILED),
    }
}

/// What is stored already.
#[derive(Debug, clap::Args)]
pub(crate) struct StoredArgs {
    /// What is stored, definitions and resources: a file, or a directory. What has the same name there is judged as an
    /// update of it; definitions in it judge resources of kinds that no other definition is known of.
    #[arg(long, value_name = "PATH")]
    pub(crate) old: Option<PathBuf>,
    /// A revision of the git repository: the definitions and resources that it has in the same files are what is stored.
    #[arg(long, value_name = "REVISION", conflicts_with = "old")]
    pub(crate) base: Option<String>,
}

/// The arguments that say which files and rules count, and what is written beside the findings.
#[derive(Debug, clap::Args)]
pub(crate) struct GateArgs {
    /// Leave out the files that PATTERN names, as in .gitignore, seen from the current directory; beside the setting
    /// `exclude`. What a PATH names itself is checked all the same.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<Pattern>,
    /// Leave out what is excluded even where a PATH names it, for hooks that pass the names of changed files.
    #[arg(long)]
    pub(crate) force_exclude: bool,
    /// Report these rules alone: codes, groups, or patterns with *, such as lint/cel-*; in place of the setting `select`.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<Selected>,
    /// Do not report these rules, beside those of the setting `ignore`; goes before --select.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<Selected>,
    /// Read the settings in FILE in place of the .crd-ls.toml of each project; its paths are seen from the current
    /// directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Write the findings alone, without table and summary.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Whether the human output has colours; auto: on a terminal, unless NO_COLOR has a value.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    /// The path that stdin stands for: it decides which settings count, and findings are told there.
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Do not report the findings that FILE holds, which --update-baseline writes.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write what is found to the file of --baseline: exit status 0.
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
