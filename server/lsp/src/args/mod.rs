//! The command line: commands and their options.

mod shared;
mod values;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use go::version::Version;
use ide::KubernetesVersion;

pub(crate) use shared::{GateArgs, StoredArgs};
pub(crate) use values::{
    Color, CostFormat, DiffFailOn, DiffFormat, FailOn, OutputFormat, PreviewFormat, TestFormat, Validation,
    VersionsFailOn,
};

use crate::config;
use crate::help;
use crate::rules::ListFormat;
use crate::status::{CLEAN, FAILED};

/// Language server and checker for Kubernetes CustomResourceDefinitions and custom resources.
#[derive(Debug, Parser)]
#[command(name = "crd-ls", version, after_help = help::CRD_LS)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve an editor over standard input and output; the default without a command if input is not a terminal.
    #[command(after_help = help::SERVER)]
    Server {
        /// Accepted because clients pass it; it is the only transport.
        #[arg(long, hide = true)]
        stdio: bool,
        #[command(flatten)]
        log: crate::log::LogArgs,
    },
    /// Report the errors that kube-apiserver would report for definitions and resources.
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// Convert v1beta1 definitions to apiextensions.k8s.io/v1, in place.
    #[command(after_help = help::MIGRATE)]
    Migrate(MigrateArgs),
    /// Generate CRDs from Go packages with kubebuilder markers, as controller-gen does, without Go.
    #[command(after_help = help::GENERATE)]
    Generate(GenerateArgs),
    /// List CEL rule costs, most expensive first.
    #[command(after_help = help::COST)]
    Cost(CostArgs),
    /// Print the fields of definitions as an HTML page, with the versions side by side.
    #[command(after_help = help::DOCS)]
    Docs(DocsArgs),
    /// Print the OpenAPI schemas that kube-apiserver publishes for definitions.
    #[command(after_help = help::OPENAPI)]
    Openapi(OpenapiArgs),
    /// Print resources as kube-apiserver would store them.
    #[command(after_help = help::APPLY)]
    Apply(ApplyArgs),
    /// List the feature gates on fields, a proposal that kube-apiserver does not implement.
    #[command(after_help = help::GATES)]
    Gates(GatesArgs),
    /// Evaluate CEL rules on a resource and show the value of each part.
    #[command(after_help = help::EVAL)]
    Eval(EvalArgs),
    /// Print a commented sample of a kind that kube-apiserver accepts.
    #[command(after_help = help::SAMPLE)]
    Sample(SampleArgs),
    /// Run test cases of definitions against the answers that kube-apiserver would give.
    #[command(after_help = help::TEST)]
    Test(TestArgs),
    /// Show the effect of new definitions on stored objects, and the steps to take in order.
    #[command(after_help = help::REHEARSE)]
    Rehearse(RehearseArgs),
    /// Report changes of definitions that break stored objects or clients.
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
    #[command(after_help = help::MCP)]
    Mcp,
    /// Print the completion script for a shell.
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write a manual page for each command into a directory, for packagers.
    #[command(hide = true, after_help = help::MANUAL)]
    Manual {
        /// An existing directory.
        directory: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, directories (searched for *.yaml, *.yml and *.json that .gitignore does not exclude), or - for standard input. For
    /// a Go file with kubebuilder markers, crd-ls checks the definitions that controller-gen writes for its package.
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
    /// List the objects that are not checked, with the reason, and print all findings in full, including repeated ones and
    /// consequences.
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
    /// Packages as for the go command: ./..., ./api/v1, or import paths; without any, those that a call of controller-gen
    /// names, or else those with a group.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// The release of controller-gen to imitate; without it, the one named in scripts, go.mod or the generated
    /// definitions.
    #[arg(long, value_name = "vX.Y.Z")]
    pub(crate) controller_gen_version: Option<Version>,
    /// Cut descriptions to N bytes; 0 omits them.
    #[arg(long, value_name = "N")]
    pub(crate) max_desc_len: Option<i64>,
    /// Allow floating-point numbers.
    #[arg(long)]
    pub(crate) allow_dangerous_types: bool,
    /// Write the properties of embedded ObjectMeta fields.
    #[arg(long)]
    pub(crate) generate_embedded_object_meta: bool,
    /// Omit unexported fields, whose names begin with a lower-case letter.
    #[arg(long)]
    pub(crate) ignore_unexported_fields: bool,
    /// Write spec.preserveUnknownFields with this value.
    #[arg(long, value_name = "true|false")]
    pub(crate) preserve_unknown_fields: Option<bool>,
    /// Begin each file with the text of FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) header_file: Option<PathBuf>,
    /// The year that replaces YEAR in the header.
    #[arg(long, value_name = "YEAR")]
    pub(crate) year: Option<String>,
    /// Omit the annotation with the version of controller-gen.
    #[arg(long)]
    pub(crate) omit_tool_version: bool,
    /// Build tags, separated by commas; the default is ignore_autogenerated.
    #[arg(long, value_name = "LIST")]
    pub(crate) build_tags: Option<String>,
    /// The directory for the files; without it, the one that the project passes to controller-gen, or config/crd.
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
    /// Print an HTML page: the costs as a treemap, with the missing bounds.
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
    /// Also list fields that are equal in all versions.
    #[arg(long)]
    pub(crate) all: bool,
    /// The differences that make the exit status 1: fields that are lost between versions because nothing converts them, or any
    /// difference.
    #[arg(long, value_enum, default_value = "lost")]
    pub(crate) fail_on: VersionsFailOn,
    /// The output format; json prints one object per definition and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// The old and the new file, or with --base the files and directories to compare [default: .].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A git revision, `merge-base` (with the main branch) or `tag:PATTERN` (the latest matching tag).
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// List and count changes of alpha versions; without it, they are only summarized.
    #[arg(long)]
    pub(crate) alpha: bool,
    /// Print each change on its own line; without it, changes with the same cause share a line with a count.
    #[arg(long)]
    pub(crate) each: bool,
    /// The changes that make the exit status 1.
    #[arg(long, value_enum, default_value = "breaking")]
    pub(crate) fail_on: DiffFailOn,
    /// The output format; json prints one object per change and line, markdown one table per file for comments and job
    /// summaries.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: DiffFormat,
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
    /// Print the document that kube-apiserver serves at /openapi/v3/apis/GROUP/VERSION for these definitions; if several
    /// have the same name, the last one is used.
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
    /// Kinds or resources (Widget, widgets), or files and directories with definitions; crd-ls searches for kinds below the
    /// current directory.
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
    /// Run only cases with TEXT in their name, in the name of their suite or in its path.
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// The output format; json prints one object per case and line.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: TestFormat,
    /// Run again whenever a YAML or JSON file changes.
    #[arg(long, conflicts_with = "generate")]
    pub(crate) watch: bool,
    /// Add missing cases to NAME_test.yaml beside the definitions; PATH can name definitions as well.
    #[arg(long)]
    pub(crate) generate: bool,
    /// Change rules slightly and list the changes that no case detects; exit with 1 if there are any.
    #[arg(long)]
    pub(crate) mutate: bool,
    /// List the parts of the definitions that no case accepts or no case rejects.
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Write the coverage to FILE in the lcov format.
    #[arg(long, value_name = "FILE")]
    pub(crate) coverage_lcov: Option<PathBuf>,
    /// Write the coverage to FILE as an HTML page with the coloured definitions.
    #[arg(long, value_name = "FILE")]
    pub(crate) coverage_html: Option<PathBuf>,
    /// Exit with 1 if the coverage is below PERCENT.
    #[arg(long, value_name = "PERCENT")]
    pub(crate) coverage_fail_under: Option<f64>,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
}

impl TestArgs {
    /// Whether an option asks for coverage.
    pub(crate) fn wants_coverage(&self) -> bool {
        self.coverage
            || self.coverage_lcov.is_some()
            || self.coverage_html.is_some()
            || self.coverage_fail_under.is_some()
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct RehearseArgs {
    /// The current definitions: a file or a directory. Required without --cluster.
    #[arg(long, value_name = "PATH", required_unless_present = "cluster")]
    pub(crate) old: Option<String>,
    /// The definitions to apply: a file or a directory.
    #[arg(long, value_name = "PATH")]
    pub(crate) new: String,
    /// The stored objects: YAML files, directories, or - for the output of `kubectl get -A -o yaml`. Without it, objects are
    /// generated that the current definitions accept.
    #[arg(long, num_args = 1.., value_name = "PATH", conflicts_with = "cluster")]
    pub(crate) objects: Vec<String>,
    /// Read the stored objects from a live cluster, page by page, and the current definitions if --old is missing. Nothing is
    /// written. Requires a crd-ls that was built with `--features cluster`.
    #[arg(long)]
    pub(crate) cluster: bool,
    /// The context of the kubeconfig for --cluster, otherwise the current one.
    #[arg(long, value_name = "NAME", requires = "cluster")]
    pub(crate) context: Option<String>,
    /// The output format; json prints one line for each stored object as soon as it is read.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) output: CostFormat,
    /// The Kubernetes release to check against.
    #[arg(long, value_name = "1.NN", value_parser = config::parse_version)]
    pub(crate) kubernetes_version: Option<KubernetesVersion>,
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

/// Prints the help, for a terminal without a subcommand.
pub(crate) fn help() -> ExitCode {
    match <Cli as clap::CommandFactory>::command().print_help() {
        Ok(()) => ExitCode::from(CLEAN),
        Err(_) => ExitCode::from(FAILED),
    }
}
