//! The command line: what may be asked, and how.

use crate::config::Pattern;
use crate::config::Selected;
use std::path::PathBuf;
use std::process::ExitCode;

use answers::report::Form;
use clap::{Parser, Subcommand, ValueEnum};
use go::version::Version;
use ide::{FieldValidation, KubernetesVersion, Severity};

use crate::config;
use crate::help;
use crate::rules::ListFormat;
use crate::status::{CLEAN, FAILED};

/// Language server and checker for Kubernetes CustomResourceDefinitions and custom resources.
#[derive(Debug, Parser)]
#[command(name = "crd-ls", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve an editor over standard input and output; the default without a command if input is not a terminal.
    Server {
        /// Accepted because clients pass it; it is the only transport.
        #[arg(long, hide = true)]
        stdio: bool,
        #[command(flatten)]
        log: crate::log::LogArgs,
    },
    /// Report what kube-apiserver would report about definitions and resources.
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// Convert v1beta1 definitions to apiextensions.k8s.io/v1, in place.
    #[command(after_help = help::MIGRATE)]
    Migrate(MigrateArgs),
    /// Write the CRDs of Go packages with kubebuilder markers, as controller-gen does, without Go.
    #[command(after_help = help::GENERATE)]
    Generate(GenerateArgs),
    /// List CEL rule costs, most expensive first.
    #[command(after_help = help::COST)]
    Cost(CostArgs),
    /// Print the fields of definitions as a page in HTML, version beside version.
    #[command(after_help = help::DOCS)]
    Docs(DocsArgs),
    /// Print the OpenAPI schemas that kube-apiserver publishes for definitions.
    #[command(after_help = help::OPENAPI)]
    Openapi(OpenapiArgs),
    /// Print what kube-apiserver would store for resources.
    #[command(after_help = help::APPLY)]
    Apply(ApplyArgs),
    /// List the feature gates on fields, a proposal that kube-apiserver does not implement.
    #[command(after_help = help::GATES)]
    Gates(GatesArgs),
    /// Evaluate CEL rules on a resource, part by part.
    #[command(after_help = help::EVAL)]
    Eval(EvalArgs),
    /// Print a commented sample of a kind that kube-apiserver accepts.
    #[command(after_help = help::SAMPLE)]
    Sample(SampleArgs),
    /// Run test cases of definitions as kube-apiserver would answer them.
    #[command(after_help = help::TEST)]
    Test(TestArgs),
    /// Tell what happens to stored objects when new definitions are applied, and in which order to act.
    #[command(after_help = help::REHEARSE)]
    Rehearse(RehearseArgs),
    /// Report what a change of definitions breaks for stored objects and clients.
    #[command(after_help = help::DIFF)]
    Diff(DiffArgs),
    /// Show the fields in which the versions of a definition differ.
    #[command(after_help = help::VERSIONS)]
    Versions(VersionsArgs),
    /// List all rules with their severities.
    #[command(after_help = help::RULES)]
    Rules {
        /// The output format.
        #[arg(long, value_enum, default_value = "human")]
        output: ListFormat,
    },
    /// Explain a rule; without a code, list all rules.
    #[command(after_help = help::EXPLAIN)]
    Explain {
        /// The code of the rule.
        code: Option<String>,
    },
    /// Serve a coding agent over standard input and output (Model Context Protocol).
    #[cfg(feature = "mcp")]
    Mcp,
    /// Print the completions of a shell.
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
    /// Write a manual page for each command into a directory, for packagers.
    #[command(hide = true)]
    Manual {
        /// An existing directory.
        directory: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input. Of
    /// Go files with kubebuilder markers, the definitions that controller-gen writes of their package are checked.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// The output format.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: OutputFormat,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
    /// More definitions for the resources: a file, a directory or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    #[command(flatten)]
    pub(crate) stored: StoredArgs,
    /// How to treat unknown fields and duplicate keys in resources; overrides the setting `fieldValidation`.
    #[arg(long, value_enum, ignore_case = true, value_name = "VALIDATION")]
    pub(crate) field_validation: Option<Validation>,
    /// List all definitions of each kind in order of precedence, with the resources that each validates, and check nothing;
    /// supports --output human and json.
    #[arg(long, conflicts_with = "fix")]
    pub(crate) explain_definitions: bool,
    /// The lowest severity that makes the exit status 1.
    #[arg(long, value_enum, default_value = "error")]
    pub(crate) fail_on: FailOn,
    /// Exit with 1 if an object is not checked because its kind or version has no definition or because it cannot be decoded.
    #[arg(long)]
    pub(crate) fail_on_unjudged: bool,
    /// List what is not checked, with the reason, and print all findings in full, including repeated ones.
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Apply all safe fixes and report the rest; for -, the fixed text goes to standard output and findings to standard error.
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix: write no file, print the changes as a unified diff and the findings to standard error; exit with 1 if
    /// anything would change.
    #[arg(long, requires = "fix")]
    pub(crate) diff: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MigrateArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input,
    /// whose result goes to standard output.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Write no file and print the changes as a unified diff.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Prune undeclared fields that v1beta1 kept.
    #[arg(long)]
    pub(crate) drop_unknown_fields: bool,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// Packages as for the go command: ./..., ./api/v1, or import paths.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// The release of controller-gen to imitate; without it, the one that the project names in scripts, go.mod or its
    /// definitions.
    #[arg(long, value_name = "vX.Y.Z")]
    pub(crate) controller_gen_version: Option<Version>,
    /// Cut descriptions to N bytes; 0 omits them.
    #[arg(long, value_name = "N")]
    pub(crate) max_desc_len: Option<i64>,
    /// Allow floating point numbers.
    #[arg(long)]
    pub(crate) allow_dangerous_types: bool,
    /// Write the properties of an ObjectMeta inside an object.
    #[arg(long)]
    pub(crate) generate_embedded_object_meta: bool,
    /// Omit unexported fields, whose names begin with a lower-case letter.
    #[arg(long)]
    pub(crate) ignore_unexported_fields: bool,
    /// Write spec.preserveUnknownFields with this value.
    #[arg(long, value_name = "true|false")]
    pub(crate) preserve_unknown_fields: Option<bool>,
    /// Begin each file with the text of F.
    #[arg(long, value_name = "F")]
    pub(crate) header_file: Option<PathBuf>,
    /// The year that replaces YEAR in that text.
    #[arg(long, value_name = "Y")]
    pub(crate) year: Option<String>,
    /// Omit the annotation with the version of controller-gen.
    #[arg(long)]
    pub(crate) omit_tool_version: bool,
    /// Build tags, separated by commas, in place of the default ignore_autogenerated.
    #[arg(long, value_name = "LIST")]
    pub(crate) build_tags: Option<String>,
    /// The directory for the files; without it, that of the project's own call, or config/crd.
    #[arg(long, value_name = "DIR", conflicts_with = "stdout")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Print to standard output.
    #[arg(long, conflicts_with = "check")]
    pub(crate) stdout: bool,
    /// Write no file; print the changes as a unified diff and exit with 1 if there are any.
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CostArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// The output format; json prints one object per definition and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
    /// Print a page in HTML: the costs as a picture, with the missing bounds.
    #[arg(long, conflicts_with = "output")]
    pub(crate) html: bool,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DocsArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VersionsArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// List fields that are equal in all versions as well.
    #[arg(long)]
    pub(crate) all: bool,
    /// What makes the exit status 1: fields that are lost between versions because nothing converts them, or any
    /// difference.
    #[arg(long, value_enum, default_value = "lost")]
    pub(crate) fail_on: VersionsFailOn,
    /// The output format; json prints one object per definition and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// The old and the new file, or with --base the files and directories to compare.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A git revision, `merge-base` (with the main branch) or `tag:PATTERN` (the latest matching tag).
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// List and count changes of alpha versions as well; without it, they are only summarized.
    #[arg(long)]
    pub(crate) alpha: bool,
    /// Print each change on its own line; without it, changes with one cause are one line with a count.
    #[arg(long)]
    pub(crate) each: bool,
    /// What makes the exit status 1.
    #[arg(long, value_enum, default_value = "breaking")]
    pub(crate) fail_on: DiffFailOn,
    /// The output format; json prints one object per change and line, markdown one table per file for comments and job
    /// summaries.
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
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Print OpenAPI v2, which cannot express every schema.
    #[arg(long, conflicts_with = "skeleton")]
    pub(crate) v2: bool,
    /// Omit value validations.
    #[arg(long)]
    pub(crate) skeleton: bool,
    /// Print the document that kube-apiserver serves at /openapi/v3/apis/GROUP/VERSION for these definitions; of several with
    /// one name, the last is used.
    #[arg(long, value_name = "GROUP/VERSION", conflicts_with_all = ["v2", "skeleton", "output"])]
    pub(crate) group_version: Option<String>,
    /// The output format; json prints one object per version and line, with all referenced schemas.
    #[arg(long, value_enum, default_value = "yaml")]
    pub(crate) output: PreviewFormat,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Required: this command contacts no server and stores nothing.
    #[arg(long, required = true)]
    pub(crate) dry_run: bool,
    /// More definitions for the resources: a file, a directory or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    #[command(flatten)]
    pub(crate) stored: StoredArgs,
    /// How to treat unknown fields and duplicate keys; overrides the setting `fieldValidation`.
    #[arg(long, value_enum, ignore_case = true, value_name = "VALIDATION")]
    pub(crate) field_validation: Option<Validation>,
    /// The output format; json prints one object per resource and line.
    #[arg(long, value_enum, default_value = "yaml")]
    pub(crate) output: PreviewFormat,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GatesArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// The output format; json prints one object per definition and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SampleArgs {
    /// Kinds, or files and directories with definitions; kinds are searched for below the current directory.
    #[arg(required = true, value_name = "KIND|PATH")]
    pub(crate) names: Vec<String>,
    /// Where the definitions are: a file, a directory or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    /// Only this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// The output format; json prints one object per sample and line.
    #[arg(long, value_enum, default_value = "yaml")]
    pub(crate) output: PreviewFormat,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TestArgs {
    /// Suites, or directories that are searched for NAME_test.yaml, *.testsuite.yaml and tests/NAME/*.yaml.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// More definitions for the suites: a file, a directory or a pattern.
    #[arg(long = "crd", value_name = "PATH")]
    pub(crate) crds: Vec<String>,
    /// Only cases with this text in their name, in that of their suite or in its path.
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// The output format; json prints one object per case and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: TestFormat,
    /// Run again whenever a file of YAML or JSON changes.
    #[arg(long, conflicts_with = "generate")]
    pub(crate) watch: bool,
    /// Write the cases that are missing to NAME_test.yaml beside the definitions, which PATH may name, too.
    #[arg(long)]
    pub(crate) generate: bool,
    /// Change rules a little, and list the changes that no case notices; the exit status is 1 if there are any.
    #[arg(long)]
    pub(crate) mutate: bool,
    /// Print which parts of the definitions no case accepts, and which none rejects.
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Write the coverage in the format of lcov.
    #[arg(long, value_name = "FILE")]
    pub(crate) coverage_lcov: Option<PathBuf>,
    /// Write the coverage as a page with the definitions coloured.
    #[arg(long, value_name = "FILE")]
    pub(crate) coverage_html: Option<PathBuf>,
    /// Exit with 1 if less than this is covered.
    #[arg(long, value_name = "PERCENT")]
    pub(crate) coverage_fail_under: Option<f64>,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

impl TestArgs {
    /// Whether anything asks for coverage.
    pub(crate) fn wants_coverage(&self) -> bool {
        self.coverage
            || self.coverage_lcov.is_some()
            || self.coverage_html.is_some()
            || self.coverage_fail_under.is_some()
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct RehearseArgs {
    /// The present definitions: a file or a directory.
    #[arg(long, value_name = "PATH")]
    pub(crate) old: String,
    /// The definitions that are to be applied: a file or a directory.
    #[arg(long, value_name = "PATH")]
    pub(crate) new: String,
    /// The stored objects: YAML files, directories, or - for what `kubectl get -A -o yaml` prints.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    pub(crate) objects: Vec<String>,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    Human,
    Json,
    Junit,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// The file with the definition, or - for standard input.
    #[arg(value_name = "DEFINITION")]
    pub(crate) definition: String,
    /// The file with the resource, or - for standard input.
    #[arg(value_name = "RESOURCE")]
    pub(crate) resource: String,
    /// Evaluate only the rule with this number, as printed without this option.
    #[arg(long, value_name = "N", conflicts_with = "expression")]
    pub(crate) rule: Option<usize>,
    /// Evaluate this expression instead; self is the whole resource.
    #[arg(long, value_name = "CEL")]
    pub(crate) expression: Option<String>,
    #[command(flatten)]
    pub(crate) stored: StoredArgs,
    /// The output format; json prints one object per resource and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

/// The names of the API.
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
    /// Whether programs read it, for which even a report of nothing has its form.
    pub(super) const fn is_for_machines(self) -> bool {
        !matches!(self, Self::Human | Self::Concise | Self::Github)
    }

    /// Whether it tells of fixes, which take time to find.
    pub(crate) const fn tells_fixes(self) -> bool {
        matches!(self, Self::Human | Self::Json | Self::Sarif)
    }

    /// What it tells of a file.
    pub(crate) const fn form(self) -> Form {
        Form { tells_fixes: self.tells_fixes(), is_whole: matches!(self, Self::Json) }
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
    /// A file or directory with the stored definitions and resources. Objects with the same name are validated as updates.
    /// Its definitions validate resources of kinds without another definition.
    #[arg(long, value_name = "PATH")]
    pub(crate) old: Option<PathBuf>,
    /// A git revision whose versions of the same files are the stored definitions and resources.
    #[arg(long, value_name = "REVISION", conflicts_with = "old")]
    pub(crate) base: Option<String>,
}

/// The arguments that say which files and rules count, and what is written beside the findings.
#[derive(Debug, clap::Args)]
pub(crate) struct GateArgs {
    /// Exclude files that match PATTERN, as in .gitignore, relative to the current directory; adds to the setting `exclude`.
    /// A PATH that you name is checked anyway.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<Pattern>,
    /// Exclude excluded files even if a PATH names them, for hooks that pass the names of changed files.
    #[arg(long)]
    pub(crate) force_exclude: bool,
    /// Report only these rules: codes, groups or patterns such as lint/cel-*; replaces the setting `select`.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<Selected>,
    /// Do not report these rules; adds to the setting `ignore` and takes precedence over --select.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<Selected>,
    /// Read the settings from FILE instead of .crd-ls.toml; its paths are relative to the current directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print only the findings, without table and summary.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Whether human output has colors; auto means on a terminal unless NO_COLOR is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    /// The path of standard input: it selects the settings and appears in findings.
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Do not report the findings that FILE records; --update-baseline writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Record all findings in the file of --baseline and exit with 0.
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
