//! Arguments that several commands have.

use std::path::PathBuf;

use super::Color;
use crate::config::{Pattern, RuleSelector};

/// The options that name the stored definitions and resources.
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

/// The options that select files and rules, and that control the output besides the findings.
#[derive(Debug, clap::Args)]
pub(crate) struct GateArgs {
    /// Exclude files that match PATTERN, as in .gitignore, relative to the current directory; adds to the setting `exclude`.
    /// A PATH that you name is checked anyway.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<Pattern>,
    /// Also exclude files that a PATH names, for hooks that pass the names of changed files.
    #[arg(long)]
    pub(crate) force_exclude: bool,
    /// Report only these rules: codes, groups or patterns such as lint/cel-*; replaces the setting `select`.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<RuleSelector>,
    /// Do not report these rules; adds to the setting `ignore` and takes precedence over --select.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) ignore: Vec<RuleSelector>,
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
