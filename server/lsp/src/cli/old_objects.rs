//! The stored definitions and resources, which `--old` and `--base` name.

use crate::args::StoredArgs;
use std::path::Path;

use ide::{Definitions, StoredObjects};

use super::input::text_of;
use super::print::report_problem;
use super::walk::{Source, sources};
use crate::definitions::{may_define, source_name};
use crate::git;

/// The definitions and resources that are stored before the files are applied.
#[derive(Debug, Default)]
pub(super) struct StoredState {
    /// The definitions and resources of `--old`.
    old_objects: Option<StoredObjects>,
    /// Its definitions, as those of a cluster.
    definitions: Vec<Definitions>,
    /// The revision of `--base`.
    base: Option<String>,
}

impl StoredState {
    /// Reads the objects that the arguments name; `paths` are compared with them. The error is for the user, and so are the `problems`, to
    /// which this function adds the files and objects that it skips.
    pub(super) fn read(
        args: &StoredArgs,
        paths: &[String],
        problems: &mut Vec<String>,
    ) -> Result<Self, String> {
        if let Some(base) = &args.base {
            if let Some(problem) = wrong_base(paths, base) {
                return Err(format!("--base: {problem}"));
            }
            return Ok(Self { base: Some(base.clone()), ..Self::default() });
        }
        let Some(old) = &args.old else { return Ok(Self::default()) };
        let (sources, unwalked) = sources(&[old.display().to_string()]);
        problems.extend(unwalked.into_iter().map(|problem| format!("--old: {problem}")));
        let mut texts = Vec::new();
        for source in sources {
            match text_of(&source) {
                Ok(text) => texts.push((source_name(&source.path), text)),
                Err(problem) if source.is_named => return Err(format!("--old: {problem}")),
                // A walk also finds unrelated files.
                Err(problem) => report_problem(&format!("--old: {problem}")),
            }
        }
        let stored = StoredObjects::of_texts(texts.iter().map(|(_, text)| text.as_str()));
        let unreadable = stored.unreadable().iter();
        problems.extend(
            unreadable.map(|object| format!("--old: {object} has syntax errors and is not compared")),
        );
        let defining = texts.iter().filter(|(_, text)| may_define(text.as_bytes()));
        let definitions = defining.filter_map(|(name, text)| Definitions::of_cluster(name, text));
        Ok(Self { definitions: definitions.collect(), old_objects: Some(stored), base: None })
    }

    /// The stored definitions and resources that those in a source replace. The error is for the user.
    pub(super) fn stored_of(&self, source: &Source) -> Result<Option<StoredObjects>, String> {
        match &self.base {
            Some(base) if source.path != Path::new("-") => {
                let text = git::any_text_at(&source.path, base)
                    .map_err(|problem| format!("{}: --base: {problem}", source.path.display()))?;
                Ok(text.as_deref().map(StoredObjects::in_cluster))
            }
            _ => Ok(self.old_objects.clone()),
        }
    }

    /// The stored definitions, which are used for kinds that no file defines.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &Definitions> {
        self.definitions.iter()
    }
}

/// The reason why the files at `paths` cannot be compared with `base`, if there is one. Files that do not exist are reported
/// elsewhere.
fn wrong_base(paths: &[String], base: &str) -> Option<String> {
    let paths = paths.iter().filter(|path| *path != "-" && Path::new(path).exists());
    paths.map(|path| (path, git::check(Path::new(path), base))).find_map(|(path, checked)| {
        let problem = checked.err()?;
        Some(format!("{path}: {problem}"))
    })
}
