//! What `.crd-ls.toml` chooses for some files of a project alone.

use std::path::Path;
use std::sync::Arc;

use ide::Audience;

use super::patterns::{Pattern, Patterns};
use super::{Choices, Override, definition_places};
use crate::definitions::DefinitionPlace;
use crate::paths::absolute;

/// Each is asked of each file.
const MOST_OVERRIDES: usize = 1_000;

/// Which files of a project are looked at, and what is chosen for some of them.
#[derive(Clone, Debug)]
pub(super) struct Files {
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
    /// Those of the project at `home`. The error is for the user.
    pub(super) fn new(home: &Path, choices: &Choices) -> Result<Self, String> {
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

    /// Which of those that name definitions counts for the file at `path`, by its number: the last.
    fn naming(&self, path: &Path) -> Option<usize> {
        self.overrides.iter().rposition(|one| one.choices.crds().is_some() && one.paths.hold(path))
    }

    /// Where what is chosen for some files alone says that their definitions are, seen from `home`, and what is wrong with
    /// that.
    pub(super) fn places(
        self: &Arc<Self>,
        home: &Path,
        place: impl Fn(&str) -> Result<DefinitionPlace, String>,
    ) -> (Vec<DefinitionPlace>, Vec<String>) {
        let (mut places, mut problems) = (Vec::new(), Vec::new());
        for (number, ForSome { key, choices, .. }) in self.overrides.iter().enumerate() {
            let files = Arc::clone(self);
            let holds = move |source: &str| files.naming(&absolute(Path::new(source))) == Some(number);
            let audience = Audience::new(format!("{} {number} {key}", home.display()), holds);
            let (found, wrong) = definition_places(choices, &place);
            places.extend(found.into_iter().map(|place| place.for_some(audience.clone())));
            problems.extend(wrong);
        }
        (places, problems)
    }

    /// What is chosen for the file at `path` alone; the last goes first.
    pub(super) fn overrides<'f>(&'f self, path: &'f Path) -> impl Iterator<Item = &'f Choices> {
        self.overrides.iter().filter(|one| one.paths.hold(path)).map(|one| &one.choices)
    }

    /// All that is chosen for some files alone.
    pub(super) fn all_overrides(&self) -> impl Iterator<Item = &Choices> {
        self.overrides.iter().map(|one| &one.choices)
    }
}
