//! What the settings of kuttl and chainsaw say: where tests are, and how the file of a test is called.

use std::path::{Path, PathBuf};

use ide::{TestTool, test_settings};

use super::{LEVELS, MAX_BYTES, is_chainsaw_test, is_yaml};
use crate::guarded::{Inside, elsewhere};

/// Whether a file of that name may hold settings: `kuttl-test.yaml`, `.chainsaw.yaml`, `chainsaw-config.yaml`.
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
    /// How the file of a test is called, if not as usual.
    test_file: Option<String>,
}

impl Run {
    /// Those whose settings are among the files with these `names` in `directory`.
    pub(super) fn all(directory: &Path, names: &[String]) -> Vec<Self> {
        let Ok(home) = directory.canonicalize() else { return Vec::new() };
        let inside = Inside::of(&home);
        let files = names.iter().filter(|name| is_settings(name));
        // What is wrong with one that cannot be read is for its tool to tell.
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

    /// Whether tests in the canonical `directory` belong to it: below its settings, or where these say.
    pub(super) fn covers(&self, directory: &Path) -> bool {
        directory.starts_with(&self.home) || self.names(directory)
    }

    /// Whether the settings name the canonical `directory`, or one that it is in.
    fn names(&self, directory: &Path) -> bool {
        self.directories.iter().any(|named| directory.starts_with(named))
    }

    /// Whether numbered files in the canonical `directory` are steps, whatever else is there.
    pub(super) fn has_steps_in(&self, directory: &Path) -> bool {
        match self.tool {
            // A folder is a test, and may have further ones for its files.
            TestTool::Kuttl => {
                directory.parent().is_some_and(|parent| self.directories.iter().any(|named| named == parent))
            }
            TestTool::Chainsaw => self.names(directory),
        }
    }

    /// Whether a file of that name is a test of chainsaw.
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

/// The directory that settings in `home` name: seen from there, or from a directory above, where the tool is started.
fn resolved(inside: &Inside, home: &Path, path: &str) -> Option<PathBuf> {
    if elsewhere(path).is_some() {
        return None;
    }
    for directory in home.ancestors().take(LEVELS) {
        let found = inside.real(&directory.join(path)).ok().filter(|found| found.is_dir());
        if found.is_some() || directory.join(".git").exists() {
            return found;
        }
    }
    None
}
