//! Choices of `.crd-ls.toml` for some files of a project only.

use std::path::Path;
use std::sync::Arc;

use super::{Choices, Override, Pattern, Patterns};

/// Each override is matched against each file.
const MOST_OVERRIDES: usize = 1_000;

/// The files of a project that are checked, and the choices for some of them.
#[derive(Clone, Debug)]
pub struct Files {
    include: Patterns,
    exclude: Patterns,
    overrides: Vec<ForSome>,
}

/// The choices for some files.
#[derive(Clone, Debug)]
struct ForSome {
    paths: Patterns,
    /// The patterns as they are written.
    key: String,
    choices: Choices,
}

impl Files {
    /// The files and overrides of the project at `home`.
    ///
    /// # Errors
    ///
    /// Describes the problem in the choices.
    pub fn new(home: &Path, choices: &Choices) -> Result<Self, String> {
        if choices.overrides.len() > MOST_OVERRIDES {
            return Err(format!(
                "overrides: {} entries exceed the limit of {MOST_OVERRIDES}; merge entries with the same settings",
                choices.overrides.len()
            ));
        }
        let patterns = |name: &str, patterns: &[Pattern]| {
            Patterns::new(home, patterns).map_err(|problem| format!("{name}: {problem}"))
        };
        let of_override = |one: &Override| {
            let (key, choices) = (format!("{:?}", one.paths), one.choices());
            Ok(ForSome { paths: patterns("overrides", &one.paths)?, key, choices })
        };
        Ok(Self {
            include: patterns("include", &choices.include)?,
            exclude: patterns("exclude", &choices.exclude)?,
            overrides: choices.overrides.iter().map(of_override).collect::<Result<_, String>>()?,
        })
    }

    /// Whether a walk skips the directory or file at `path`.
    #[must_use]
    pub fn leave_out(&self, path: &Path, is_directory: bool) -> bool {
        self.exclude.name(path, is_directory) || !is_directory && self.do_not_include(path)
    }

    /// Whether a walk does not reach the file at `path`.
    #[must_use]
    pub fn exclude(&self, path: &Path) -> bool {
        self.exclude.hold(path) || self.do_not_include(path)
    }

    fn do_not_include(&self, path: &Path) -> bool {
        !self.include.is_empty() && !self.include.hold(path)
    }

    /// The overrides that name definitions: their indexes among all overrides, the patterns as they are
    /// written, and the choices.
    pub fn naming_definitions(&self) -> impl Iterator<Item = (usize, &str, &Choices)> {
        let numbered = self.overrides.iter().enumerate();
        numbered
            .filter(|(_, one)| one.choices.crds().is_some())
            .map(|(at, one)| (at, one.key.as_str(), &one.choices))
    }

    /// The index of the last override that names definitions and applies to the file at `path`.
    #[must_use]
    pub fn naming(&self, path: &Path) -> Option<usize> {
        self.overrides.iter().rposition(|one| one.choices.crds().is_some() && one.paths.hold(path))
    }

    /// The project's choices for the file at `path`; `choices` are those for all its files.
    #[must_use]
    pub fn choices_of(&self, path: &Path, choices: &Arc<Choices>) -> Arc<Choices> {
        let overrides = self.overrides.iter().filter(|one| one.paths.hold(path));
        overrides.fold(Arc::clone(choices), |mut choices, one| {
            Arc::make_mut(&mut choices).override_with(one.choices.clone());
            choices
        })
    }
}
