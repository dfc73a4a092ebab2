//! What an editor chooses, and how it joins what a project does.

use ide::Settings;

use super::{Choices, Cluster};

/// What an editor has chosen. It may say so when it starts and anew at any time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Editor {
    /// From `initializationOptions`.
    pub initial: Choices,
    /// As the editor's settings stand; a newer answer replaces an older one.
    pub current: Choices,
}

impl Editor {
    /// The revision that a file of a project that has chosen `project` is compared with, if it is.
    #[must_use]
    pub fn compare_with(&self, project: &Choices) -> Option<String> {
        self.over(project).compare_with().map(str::to_owned)
    }

    /// The cluster whose definitions are to be known, if any. A project's file has no say in what is connected to.
    #[must_use]
    pub fn cluster(&self) -> Option<&Cluster> {
        let chosen = [&self.current, &self.initial].into_iter().find_map(Choices::cluster);
        chosen.filter(|cluster| cluster.enabled)
    }

    /// The revision that breaking changes in a file of such a project are told against, and whether those of alpha
    /// versions are.
    #[must_use]
    pub fn compat_base(&self, project: &Choices) -> Option<(String, bool)> {
        self.over(project).compat_base().map(|(base, alpha)| (base.to_owned(), alpha))
    }

    /// Whether the user trusts the workspace. Otherwise nothing counts that a repository chooses.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        [&self.current, &self.initial].into_iter().find_map(Choices::is_trusted).unwrap_or(true)
    }

    /// What it chooses put over what `project` does.
    #[must_use]
    pub fn over(&self, project: &Choices) -> Choices {
        let mut choices = project.clone();
        choices.adopt(self.initial.clone());
        choices.adopt(self.current.clone());
        choices
    }

    /// The settings for a file of a project that has chosen `project`. The editor goes first.
    #[must_use]
    pub fn settings(&self, project: &Choices) -> Settings {
        let mut settings = Settings::default();
        self.over(project).apply(&mut settings);
        settings
    }
}
