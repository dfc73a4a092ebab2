//! The settings of a file: from the editor, from the settings file of its project, and from kustomizations,
//! which merge files into others. The client has sent the texts of these files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use answers::settings::{Choices, Editor, FILE_NAME, Files};
use ide::{KUSTOMIZATIONS, Settings};
use ls_types::Uri;

/// A file or a directory: the scheme and authority (`vscode-vfs://github`), and the path without `.` and `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    root: String,
    path: PathBuf,
}

/// The settings of the editor and of the files of the workspace.
#[derive(Debug, Default)]
pub(super) struct HostSettings {
    pub(super) editor: Editor,
    /// By directory.
    projects: BTreeMap<Place, Project>,
    /// The files that each kustomization names.
    patches: BTreeMap<Place, BTreeSet<Place>>,
}

#[derive(Debug)]
struct Project {
    choices: Arc<Choices>,
    files: Files,
}

/// Whether the file at `uri` is the settings file of a project.
pub(super) fn has_settings(uri: &Uri) -> bool {
    Place::of(uri).name() == Some(FILE_NAME)
}

impl HostSettings {
    /// Stores the `text` of a settings file or a kustomization, or removes it if `text` is `None`. Returns
    /// whether settings may have changed. The error says why the settings are invalid: then the project has
    /// none.
    pub(super) fn take(&mut self, uri: &Uri, text: Option<&str>) -> Result<bool, String> {
        let place = Place::of(uri);
        let (Some(name), Some(directory)) = (place.name(), place.parent()) else { return Ok(false) };
        if name == FILE_NAME {
            self.projects.remove(&directory);
            if let Some(text) = text {
                let problem = |problem| format!("{}: {problem}", place.path.display());
                let choices = Choices::from_file(text).map_err(problem)?;
                let files = Files::new(&directory.path, &choices).map_err(problem)?;
                self.projects.insert(directory, Project { choices: Arc::new(choices), files });
            }
            return Ok(true);
        }
        if !KUSTOMIZATIONS.contains(&name) {
            return Ok(false);
        }
        let named = text.map(ide::patches_named_in).unwrap_or_default();
        let named: BTreeSet<Place> = named.iter().filter_map(|path| directory.join(path)).collect();
        let was_known = self.patches.remove(&place).is_some();
        let names_some = !named.is_empty();
        if names_some {
            self.patches.insert(place, named);
        }
        Ok(names_some || was_known)
    }

    /// The settings for the file at `uri`, and whether its project excludes it. The editor takes precedence
    /// over the project, which is that of the nearest parent directory with settings.
    pub(super) fn settings_of(&self, uri: &Uri) -> (Settings, bool) {
        let place = Place::of(uri);
        let project = std::iter::successors(place.parent(), Place::parent)
            .filter(|_| self.editor.is_trusted())
            .find_map(|directory| self.projects.get(&directory));
        let of_project = project.map(|Project { choices, files }| files.choices_of(&place.path, choices));
        let is_patch = self.patches.values().any(|named| named.contains(&place));
        let settings = self.editor.settings(&of_project.unwrap_or_default());
        let is_excluded = project.is_some_and(|project| project.files.exclude(&place.path));
        (Settings { patch: is_patch, ..settings }, is_excluded)
    }
}

impl Place {
    fn of(uri: &Uri) -> Self {
        let path = uri.path().decode().to_string_lossy().into_owned();
        let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
        Self { root: format!("{}://{authority}", uri.scheme().as_str()), path: path.into() }
    }

    fn name(&self) -> Option<&str> {
        self.path.file_name()?.to_str()
    }

    fn parent(&self) -> Option<Self> {
        self.path.parent().map(|path| Self { root: self.root.clone(), path: path.to_owned() })
    }

    /// The place that `path` refers to from this directory, unless it is a URL or absolute.
    fn join(&self, path: &str) -> Option<Self> {
        if path.contains("://") || path.starts_with('/') {
            return None;
        }
        let mut joined = self.path.clone();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    joined.pop();
                }
                part => joined.push(part),
            }
        }
        Some(Self { root: self.root.clone(), path: joined })
    }
}
