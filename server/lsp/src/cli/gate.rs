//! The options that let a repository use `check` as a gate: the selection of files and rules, and the baseline.

use crate::args::{CheckArgs, Color, GateArgs};
use std::io::IsTerminal;
use std::path::Path;

use ide::{Selection, Settings};

use super::input::settings_with;
use super::walk::{FileSelection, Source};
use crate::config::{Choices, Projects, RuleSelector};
use crate::output::Style;
use crate::paths::absolute;

impl CheckArgs {
    /// The settings for a file: the command line takes precedence over its project. The error is for the user.
    pub(super) fn settings_of(&self, source: &Source, projects: &Projects) -> Result<Settings, String> {
        let mut choices = Choices::of_version(self.kubernetes_version);
        choices.override_with(self.gate.choices());
        let mut settings = settings_with(source, choices, projects)?;
        if let Some(validation) = self.field_validation {
            settings.field_validation = validation.into();
        }
        // A report covers the whole project, so a conflict of definitions is reported at one of them only.
        settings.reports_each_rival = false;
        Ok(settings)
    }
}

impl GateArgs {
    /// The projects of the files as the command line sees them. The error is for the user.
    pub(super) fn projects(&self) -> Result<Projects, String> {
        let here = absolute(Path::new(""));
        Projects::of_command_line(self.config.as_deref(), &self.exclude, &here)
    }

    /// The files that are wanted.
    pub(super) fn selected_files(&self, projects: &Projects) -> FileSelection<'_> {
        FileSelection {
            projects: projects.clone(),
            force_exclude: self.force_exclude,
            stdin_name: self.stdin_filename.as_deref(),
        }
    }

    /// The choices of the command line for all files.
    pub(super) fn choices(&self) -> Choices {
        Choices::of_rules(&self.select, &self.ignore)
    }

    /// The rules that the command line itself selects.
    pub(super) fn selection(&self) -> Selection {
        RuleSelector::selection((!self.select.is_empty()).then_some(&*self.select), &self.ignore)
    }

    /// The style of the text on a stream.
    pub(super) fn style(&self, stream: &impl IsTerminal) -> Style {
        match self.color {
            Color::Auto => Style::for_terminal(stream.is_terminal()),
            Color::Always => Style::Coloured,
            Color::Never => Style::Plain,
        }
    }
}
