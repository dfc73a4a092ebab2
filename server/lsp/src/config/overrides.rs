//! What `.crd-ls.toml` chooses for some files of a project alone.

use std::path::Path;

use serde::Deserialize;

use super::choices::{Choices, Rules, Selected, Validation, version};
use super::patterns::{Pattern, Patterns};
use ide::KubernetesVersion;

/// Each is asked of each file.
const MOST_OVERRIDES: usize = 1_000;

/// Choices for the files that `paths` names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Override {
    paths: Vec<Pattern>,
    #[serde(default, deserialize_with = "version")]
    kubernetes_version: Option<KubernetesVersion>,
    #[serde(default)]
    rules: Rules,
    select: Option<Vec<Selected>>,
    #[serde(default)]
    ignore: Vec<Selected>,
    field_validation: Option<Validation>,
    crds: Option<Vec<String>>,
}

/// Which files of a project are looked at, and what is chosen for some of them.
#[derive(Clone, Debug)]
pub(super) struct Files {
    include: Patterns,
    exclude: Patterns,
    overrides: Vec<(Patterns, Choices)>,
}

impl Files {
    /// Those of the project at `home`. The error is for the user.
    pub(super) fn new(home: &Path, choices: &Choices) -> Result<Self, String> {
        if choices.overrides.len() > MOST_OVERRIDES {
            return Err(format!(
                "overrides: there are {}, and at most {MOST_OVERRIDES} are read; join those that choose the same",
                choices.overrides.len()
            ));
        }
        let patterns = |name: &str, patterns: &[Pattern]| {
            Patterns::new(home, patterns).map_err(|problem| format!("{name}: {problem}"))
        };
        let of_override = |one: &Override| Ok((patterns("overrides", &one.paths)?, one.choices()));
        Ok(Self {
            include: patterns("include", &choices.include)?,
            exclude: patterns("exclude", &choices.exclude)?,
            overrides: choices.overrides.iter().map(of_override).collect::<Result<_, String>>()?,
        })
    }

    /// Whether a walk leaves out the directory or file at `path`.
    pub(super) fn leave_out(&self, path: &Path, is_directory: bool) -> bool {
        self.exclude.name(path, is_directory) || !is_directory && self.do_not_include(path)
    }

    /// Whether a walk does not come to the file at `path`.
    pub(super) fn exclude(&self, path: &Path) -> bool {
        self.exclude.hold(path) || self.do_not_include(path)
    }

    fn do_not_include(&self, path: &Path) -> bool {
        !self.include.is_empty() && !self.include.hold(path)
    }

    /// What is chosen for the file at `path` alone; the last goes first.
    pub(super) fn overrides<'f>(&'f self, path: &'f Path) -> impl Iterator<Item = &'f Choices> {
        self.overrides.iter().filter(|(paths, _)| paths.hold(path)).map(|(_, choices)| choices)
    }

    /// All that is chosen for some files alone.
    pub(super) fn all_overrides(&self) -> impl Iterator<Item = &Choices> {
        self.overrides.iter().map(|(_, choices)| choices)
    }
}

impl Override {
    fn choices(&self) -> Choices {
        let mut choices = Choices::default();
        choices.kubernetes_version = self.kubernetes_version;
        choices.rules = self.rules.clone();
        choices.select.clone_from(&self.select);
        choices.ignore.clone_from(&self.ignore);
        choices.field_validation = self.field_validation;
        choices.crds.clone_from(&self.crds);
        choices
    }
}
