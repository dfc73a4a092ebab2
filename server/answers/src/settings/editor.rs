//! The choices of an editor, and how they combine with those of a project.

use ide::Settings;

use super::{Choices, Cluster};

/// The choices of an editor. It may send them when it starts, and again at any time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Editor {
    /// From `initializationOptions`.
    pub initial: Choices,
    /// From the editor's settings; a newer answer replaces an older one.
    pub current: Choices,
}

impl Editor {
    /// The revision that a file of a project with the choices `project` is compared with, if any.
    #[must_use]
    pub fn compare_with(&self, project: &Choices) -> Option<String> {
        self.choices_over(project).compare_with().map(str::to_owned)
    }

    /// The cluster whose definitions are loaded, if any. A project's file cannot choose it.
    #[must_use]
    pub fn cluster(&self) -> Option<&Cluster> {
        let chosen = [&self.current, &self.initial].into_iter().find_map(Choices::cluster);
        chosen.filter(|cluster| cluster.enabled)
    }

    /// The revision for findings on breaking changes in a file of a project with the choices `project`, and
    /// whether alpha versions count.
    #[must_use]
    pub fn compat_base(&self, project: &Choices) -> Option<(String, bool)> {
        self.choices_over(project).compat_base().map(|(base, alpha)| (base.to_owned(), alpha))
    }

    /// Whether the user trusts the workspace. Otherwise, the choices of a repository do not count.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        [&self.current, &self.initial].into_iter().find_map(Choices::is_trusted).unwrap_or(true)
    }

    /// The choices of `project`, overridden by those of the editor.
    #[must_use]
    pub fn choices_over(&self, project: &Choices) -> Choices {
        let mut choices = project.clone();
        choices.override_with(self.initial.clone());
        choices.override_with(self.current.clone());
        choices
    }

    /// The settings for a file of a project with the choices `project`. The editor takes precedence.
    #[must_use]
    pub fn settings(&self, project: &Choices) -> Settings {
        let mut settings = Settings::default();
        self.choices_over(project).apply(&mut settings);
        settings
    }
}
