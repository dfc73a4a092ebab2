//! The settings of kuttl and chainsaw: the directories of tests, and the name of the file of a test.

use std::path::{Path, PathBuf};

use ide::{TestTool, test_settings};

use super::{LEVELS, MAX_BYTES, is_chainsaw_test, is_yaml};
use crate::guarded_files::{RepositoryRoot, outside_reason};

/// Whether a file with this name may hold settings: `kuttl-test.yaml`, `.chainsaw.yaml`, `chainsaw-config.yaml`.
pub(super) fn is_settings(name: &str) -> bool {
    is_yaml(name) && !is_chainsaw_test(name) && (name.contains("kuttl-test") || name.contains("chainsaw"))
}

/// A run of tests.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    tool: TestTool,
    /// The directory of its settings.
    home: PathBuf,
    /// The directories with its tests.
    directories: Vec<PathBuf>,
    /// The name of the file of a test, if it is not the default.
    test_file: Option<String>,
}

impl Run {
    /// The runs whose settings are among the files with these `names` in `directory`.
    pub(super) fn all(directory: &Path, names: &[String]) -> Vec<Self> {
        let Ok(home) = dunce::canonicalize(directory) else { return Vec::new() };
        let inside = RepositoryRoot::of(&home);
        let files = names.iter().filter(|name| is_settings(name));
        // The tool of the test reports settings that cannot be read.
        let texts = files.filter_map(|name| inside.text(&home.join(name), MAX_BYTES).ok());
        let runs = texts.flat_map(|text| test_settings(&text)).map(|settings| Self {
            tool: settings.tool,
            directories: settings
                .directories
                .iter()
                .filter_map(|path| resolved(&inside, &home, path))
                .collect(),
            test_file: settings.test_file,
            home: home.clone(),
        });
        runs.collect()
    }

    /// Whether tests in the canonical `directory` belong to it: below its settings, or in a directory that these name.
    pub(super) fn covers(&self, directory: &Path) -> bool {
        directory.starts_with(&self.home) || self.names(directory)
    }

    /// Whether the settings name the canonical `directory`, or one that it is in.
    fn names(&self, directory: &Path) -> bool {
        self.directories.iter().any(|named| directory.starts_with(named))
    }

    /// Whether numbered files in the canonical `directory` are steps, regardless of other files there.
    pub(super) fn has_steps_in(&self, directory: &Path) -> bool {
        match self.tool {
            // A folder is a test, and may have further folders for its files.
            TestTool::Kuttl => {
                directory.parent().is_some_and(|parent| self.directories.iter().any(|named| named == parent))
            }
            TestTool::Chainsaw => self.names(directory),
        }
    }

    /// Whether a file with this name is a test of chainsaw.
    pub(super) fn is_test_file(&self, name: &str) -> bool {
        self.test_file.as_deref().is_some_and(|test_file| {
            let rest = name.strip_prefix(test_file);
            rest.is_some_and(|rest| match Path::new(test_file).extension() {
                Some(_) => rest.is_empty(),
                None => [".yaml", ".yml"].contains(&rest),
            })
        })
    }

    pub(super) fn is_of_kuttl(&self) -> bool {
        self.tool == TestTool::Kuttl
    }

    pub(super) fn is_of_chainsaw(&self) -> bool {
        self.tool == TestTool::Chainsaw
    }
}

/// The directory that settings in `home` name, relative to `home` or to a directory above, where the tool may be started.
fn resolved(inside: &RepositoryRoot, home: &Path, path: &str) -> Option<PathBuf> {
    if outside_reason(path).is_some() {
        return None;
    }
    for directory in home.ancestors().take(LEVELS) {
        let found = inside.canonical(&directory.join(path)).ok().filter(|found| found.is_dir());
        if found.is_some() || directory.join(".git").exists() {
            return found;
        }
    }
    None
}
