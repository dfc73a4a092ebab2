//! What `.crd-ls.toml` chooses for some files of a project alone.

use std::path::Path;
use std::sync::Arc;

use super::{Choices, Override, Pattern, Patterns};

/// Each is asked of each file.
const MOST_OVERRIDES: usize = 1_000;

/// Which files of a project are looked at, and what is chosen for some of them.
#[derive(Clone, Debug)]
pub struct Files {
    include: Patterns,
    exclude: Patterns,
    overrides: Vec<ForSome>,
}

/// What is chosen for some files.
#[derive(Clone, Debug)]
struct ForSome {
    paths: Patterns,
    /// The patterns as they are written.
    key: String,
    choices: Choices,
}

impl Files {
    /// Those of the project at `home`.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the choices.
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

    /// Whether a walk leaves out the directory or file at `path`.
    #[must_use]
    pub fn leave_out(&self, path: &Path, is_directory: bool) -> bool {
        self.exclude.name(path, is_directory) || !is_directory && self.do_not_include(path)
    }

    /// Whether a walk does not come to the file at `path`.
    #[must_use]
    pub fn exclude(&self, path: &Path) -> bool {
        self.exclude.hold(path) || self.do_not_include(path)
    }

    fn do_not_include(&self, path: &Path) -> bool {
        !self.include.is_empty() && !self.include.hold(path)
    }

    /// What is chosen for some files alone that names definitions: the patterns as they are written, and the choices. The
    /// number of one is its place among all.
    pub fn naming_definitions(&self) -> impl Iterator<Item = (usize, &str, &Choices)> {
        let numbered = self.overrides.iter().enumerate();
        numbered
            .filter(|(_, one)| one.choices.crds().is_some())
            .map(|(at, one)| (at, one.key.as_str(), &one.choices))
    }

    /// Which of those that name definitions counts for the file at `path`, by its number: the last.
    #[must_use]
    pub fn naming(&self, path: &Path) -> Option<usize> {
        self.overrides.iter().rposition(|one| one.choices.crds().is_some() && one.paths.hold(path))
    }

    /// What the project chooses for the file at `path`, with `choices` for all its files.
    #[must_use]
    pub fn choices_of(&self, path: &Path, choices: &Arc<Choices>) -> Arc<Choices> {
        let overrides = self.overrides.iter().filter(|one| one.paths.hold(path));
        overrides.fold(Arc::clone(choices), |mut choices, one| {
            Arc::make_mut(&mut choices).adopt(one.choices.clone());
            choices
        })
    }
}
