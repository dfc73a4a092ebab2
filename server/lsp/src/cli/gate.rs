//! What makes `check` a gate that a repository can keep: which files and rules count, and what is known already.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use ide::Selection;

use super::walk::Wanted;
use crate::config::{Choices, Pattern, Projects, Selected};
use crate::output::Style;
use crate::walk::absolute;

/// The arguments that say which files and rules count, and what is written beside the findings.
#[derive(Debug, clap::Args)]
pub(crate) struct GateArgs {
    /// Leave out the files that PATTERN names, as in .gitignore, seen from the current directory; beside the setting
    /// `exclude`. What a PATH names itself is checked all the same.
    #[arg(long, value_name = "PATTERN")]
    pub(super) exclude: Vec<Pattern>,
    /// Leave out what is excluded even where a PATH names it, for hooks that pass the names of changed files.
    #[arg(long)]
    pub(super) force_exclude: bool,
    /// Report these rules alone: codes, groups, or patterns with *, such as lint/cel-*; in place of the setting `select`.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(super) select: Vec<Selected>,
    /// Do not report these rules, beside those of the setting `ignore`; goes before --select.
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(super) ignore: Vec<Selected>,
    /// Read the settings in FILE in place of the .crd-ls.toml of each project; its paths are seen from the current
    /// directory.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Write the findings alone, without table and summary.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Whether the human output has colours; auto: on a terminal, unless NO_COLOR has a value.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(super) color: Color,
    /// The path that stdin stands for: it decides which settings count, and findings are told there.
    #[arg(long, value_name = "PATH")]
    pub(super) stdin_filename: Option<PathBuf>,
    /// Do not report the findings that FILE holds, which --update-baseline writes.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write what is found to the file of --baseline: exit status 0.
    #[arg(long, requires = "baseline")]
    pub(super) update_baseline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl GateArgs {
    /// The projects of the files as the command line sees them. The error is for the user.
    pub(super) fn projects(&self) -> Result<Projects, String> {
        let here = absolute(Path::new(""));
        Projects::of_command_line(self.config.as_deref(), &self.exclude, &here)
    }

    /// The files that are wanted.
    pub(super) fn wanted(&self, projects: &Projects) -> Wanted<'_> {
        Wanted {
            projects: projects.clone(),
            force_exclude: self.force_exclude,
            stdin_name: self.stdin_filename.as_deref(),
        }
    }

    /// What it chooses for all files.
    pub(super) fn choices(&self) -> Choices {
        Choices::of_rules(&self.select, &self.ignore)
    }

    /// The rules that the command line itself selects.
    pub(super) fn selection(&self) -> Selection {
        Selected::selection((!self.select.is_empty()).then_some(&*self.select), &self.ignore)
    }

    /// The style of what is written to a stream.
    pub(super) fn style(&self, stream: &impl IsTerminal) -> Style {
        match self.color {
            Color::Auto => Style::for_terminal(stream.is_terminal()),
            Color::Always => Style::Coloured,
            Color::Never => Style::Plain,
        }
    }
}
