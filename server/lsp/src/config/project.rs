//! `.crd-ls.toml`: settings that belong to a repository.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use answers::settings::{Files, Patterns};
use dashmap::DashMap;
use go::discover::Scripts;
use go::load::Library;
use ide::{Audience, Settings, TestUse};

use super::kustomize::{Kustomizations, is_kustomization};
use super::suites::Suites;
use super::{Calls, Choices, FILE_NAME, Pattern, definition_places};
use crate::definitions::DefinitionPlace;
use crate::guarded_files;
use crate::paths::absolute;

/// The maximum size of a settings file, in bytes.
const MAX_BYTES: usize = 1024 * 1024;
/// The maximum number of places of definitions, because each is walked.
const MOST_PLACES: usize = 200;

/// The settings files that were looked for, by directory. Cheap to clone; clones share the known settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projects {
    projects: Arc<DashMap<PathBuf, Project>>,
    kustomizations: Kustomizations,
    /// The settings file that the command line names for all files.
    project_for_all: Option<Arc<Project>>,
    /// The files that the command line excludes.
    excluded: Option<Arc<Patterns>>,
    suites: Suites,
    /// The Go files that were read.
    pub(crate) library: Library,
    /// The scripts that were read.
    pub(crate) scripts: Scripts,
    /// Whether settings files are ignored because the user does not trust the open folders.
    is_restricted: bool,
}

/// The project that a file belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Project {
    /// The choices of its settings file; empty if there is none or it cannot be read.
    pub(crate) choices: Arc<Choices>,
    /// The selection of its files, and the choices for some of them.
    files: Option<Arc<Files>>,
    /// How it calls controller-gen.
    pub(crate) calls: Arc<Calls>,
    /// The directory of its settings file.
    pub(crate) home: Option<PathBuf>,
    /// Whether the command line names the settings file, which then need not be in the repository.
    is_named: bool,
    /// The reason why the settings file cannot be used, if there is one.
    pub(crate) problem: Option<String>,
    /// The top directory of its repository; `None` if that is a home directory, where most files have nothing to do with the
    /// project.
    pub(crate) top: Option<PathBuf>,
    /// The directories in which the settings file was looked for: changes there matter.
    pub(crate) directories: Arc<[PathBuf]>,
}

impl Projects {
    /// The projects of the command line: with the settings in the file at `named` for all files, and without the files that
    /// `excluded` names. Both count paths from the directory `here`. The error is for the user.
    pub(crate) fn of_command_line(
        named: Option<&Path>,
        excluded: &[Pattern],
        here: &Path,
    ) -> Result<Self, String> {
        let named = named.map(|path| match choices(guarded_files::named_text(path, MAX_BYTES)) {
            Ok(Some(choices)) => match Project::new(choices, here) {
                Ok(project) => Ok(Arc::new(Project { is_named: true, ..project })),
                Err(problem) => Err(format!("--config: {}: {problem}", path.display())),
            },
            Ok(None) => Err(format!("--config: {}: no such file", path.display())),
            Err(problem) => Err(format!("--config: {}: {problem}", path.display())),
        });
        let excluded = (!excluded.is_empty()).then(|| Patterns::new(here, excluded)).transpose();
        let excluded = excluded.map_err(|problem| format!("--exclude: {problem}"))?.map(Arc::new);
        Ok(Self { project_for_all: named.transpose()?, excluded, ..Self::default() })
    }

    /// These projects, depending on whether the user trusts the open folders.
    pub(crate) fn trusted(&self, is_trusted: bool) -> Self {
        Self { is_restricted: !is_trusted, ..self.clone() }
    }

    /// Whether a walk skips the directory or file at the absolute `path`.
    pub(crate) fn leave_out(&self, path: &Path, is_directory: bool) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| excluded.name(path, is_directory))
            || self.project_of(path).files.is_some_and(|files| files.leave_out(path, is_directory))
    }

    /// Whether settings exclude the file at the absolute `path`, or a directory that it is in.
    pub(crate) fn exclude(&self, path: &Path) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| excluded.hold(path))
            || self.project_of(path).files.is_some_and(|files| files.exclude(path))
    }

    /// The project of the file at `path`: the nearest directory above it that has a settings file, looked for up to
    /// the root of the repository.
    pub(crate) fn project_of(&self, path: &Path) -> Project {
        let named = self.project_for_all.as_deref();
        let Some(directory) = path.parent().filter(|_| named.is_some() || !self.is_restricted) else {
            return named.cloned().unwrap_or_default();
        };
        if let Some(project) = self.projects.get(directory) {
            return project.clone();
        }
        let project = named.cloned().unwrap_or_else(|| find(directory));
        let project = Project { top: top_of(directory), ..project };
        self.projects.insert(directory.to_owned(), project.clone());
        project
    }

    /// `settings` with the facts that other files state about the objects in the file at `path`: whether kustomize merges them
    /// into others, and how tests use them.
    pub(crate) fn settings_of(&self, path: &Path, settings: Settings) -> Settings {
        let (patch, in_test) = (self.kustomizations.is_patch(path), self.suites.use_of(path));
        Settings { patch, in_test, ..settings }
    }

    /// Whether other files say that the objects in the file at `path` are no resources by themselves.
    pub(crate) fn is_part(&self, path: &Path) -> bool {
        self.kustomizations.is_patch(path) || self.suites.use_of(path) != TestUse::default()
    }

    /// Whether the file at `path` says which objects in others are no resources by themselves.
    pub(crate) fn decides(&self, path: &Path) -> bool {
        path.file_name()
            .is_some_and(|name| is_kustomization(name) || self.suites.is_test(&name.to_string_lossy()))
    }

    /// Takes account of the kustomizations and tests among `files`, in any directory. Returns whether they name new files.
    pub(crate) fn add_files<'a>(&self, files: impl Iterator<Item = &'a Path> + Clone) -> bool {
        let has_tests = self.suites.add_tests(files.clone());
        self.kustomizations.add_kustomizations(files) || has_tests
    }

    /// Forgets all files, because a settings file or a kustomization has changed.
    pub(crate) fn clear(&self) {
        self.kustomizations.clear();
        self.suites.clear();
        self.projects.clear();
    }
}

impl Project {
    /// The error is for the user.
    fn new(choices: Choices, home: &Path) -> Result<Self, String> {
        let files = Some(Arc::new(Files::new(home, &choices)?));
        let calls = Arc::new(Calls::new(&choices.go, home)?);
        Ok(Self { choices: Arc::new(choices), files, calls, home: Some(home.to_owned()), ..Self::default() })
    }

    /// The choices of its settings file for the file at `path`.
    pub(crate) fn choices_of(&self, path: &Path) -> Arc<Choices> {
        match &self.files {
            Some(files) => files.choices_of(path, &self.choices),
            None => Arc::clone(&self.choices),
        }
    }

    /// Whether its settings file names definitions, if only for some files.
    pub(crate) fn names_definitions(&self) -> bool {
        let mut overrides = self.files.iter().flat_map(|files| files.naming_definitions());
        self.choices.crds().is_some() || overrides.next().is_some()
    }

    /// The places of definitions in its settings file, and the problems with them.
    pub(crate) fn places(&self) -> (Vec<DefinitionPlace>, Vec<String>) {
        let Some(home) = self.home.as_deref() else { return Default::default() };
        let place = |text: &str| match self.is_named {
            true => DefinitionPlace::new(home, text),
            false => DefinitionPlace::of_repository(home, text),
        };
        let (mut places, mut problems) = definition_places(&self.choices, &place);
        if let Some(files) = &self.files {
            for (number, key, choices) in files.naming_definitions() {
                let (found, wrong) = definition_places(choices, &place);
                let holds = {
                    let files = Arc::clone(files);
                    move |source: &str| files.naming(&absolute(Path::new(source))) == Some(number)
                };
                let audience = Audience::new(format!("{} {number} {key}", home.display()), holds);
                places.extend(found.into_iter().map(|place| place.for_some(audience.clone())));
                problems.extend(wrong);
            }
        }
        if places.len() > MOST_PLACES {
            problems.push(format!("crds: only the first {MOST_PLACES} of {} paths are read", places.len()));
            places.truncate(MOST_PLACES);
        }
        (places, problems)
    }
}

/// The directories from `directory` upwards, up to a shared one such as `/tmp`, where anybody may have put files.
fn upwards(directory: &Path) -> impl Iterator<Item = &Path> {
    directory.ancestors().take_while(|directory| !guarded_files::is_shared(directory))
}

fn top_of(directory: &Path) -> Option<PathBuf> {
    let top = upwards(directory).find(|directory| is_top(directory))?;
    (std::env::home_dir().as_deref() != Some(top)).then(|| top.to_owned())
}

fn is_top(directory: &Path) -> bool {
    directory.join(".git").exists()
}

fn find(directory: &Path) -> Project {
    let mut directories = Vec::new();
    for directory in upwards(directory) {
        directories.push(directory.to_owned());
        let path = directory.join(FILE_NAME);
        let read = choices(guarded_files::found_text(&path, MAX_BYTES));
        let project = match read.and_then(|read| read.map(|it| Project::new(it, directory)).transpose()) {
            Ok(Some(project)) => project,
            Ok(None) if is_top(directory) => break,
            Ok(None) => continue,
            Err(problem) => {
                let problem = Some(format!("{}: {problem}", path.display()));
                Project { home: Some(directory.to_owned()), problem, ..Project::default() }
            }
        };
        return Project { directories: directories.into(), ..project };
    }
    Project { directories: directories.into(), ..Project::default() }
}

/// The choices in the text of a file; `None` if the file does not exist.
fn choices(read: io::Result<String>) -> Result<Option<Choices>, String> {
    let text = match read {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        read => read.map_err(|error| error.to_string())?,
    };
    Choices::from_file(&text).map(Some)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::fs;

    use ide::Settings;
    use tempfile::TempDir;

    use super::*;

    /// A repository with these files.
    fn repository(files: &[(&str, &str)]) -> TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(".git")).unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn minor(project: &Project) -> u8 {
        let mut settings = Settings::default();
        project.choices.apply(&mut settings);
        settings.kubernetes_version.minor
    }

    #[test]
    fn the_nearest_file_counts() {
        let root = repository(&[
            (FILE_NAME, "kubernetesVersion = \"1.30\"\n"),
            ("inner/.crd-ls.toml", "kubernetesVersion = \"1.31\"\n[rules]\nyaml = \"hint\"\n"),
        ]);
        let projects = Projects::default();
        assert_eq!(minor(&projects.project_of(&root.path().join("config/crd/a.yaml"))), 30);
        let inner = projects.project_of(&root.path().join("inner/deep/a.yaml"));
        assert_eq!(minor(&inner), 31);
        assert_eq!(*inner.directories, [root.path().join("inner/deep"), root.path().join("inner")]);
    }

    #[test]
    fn the_search_ends_with_the_repository() {
        let root = repository(&[]);
        let outer = root.path().join("outer");
        fs::create_dir_all(outer.join("repository/.git")).unwrap();
        fs::write(outer.join(FILE_NAME), "kubernetesVersion = \"1.30\"\n").unwrap();
        assert_eq!(minor(&Projects::default().project_of(&outer.join("repository/a.yaml"))), 37);
        assert_eq!(minor(&Projects::default().project_of(&outer.join("a.yaml"))), 30);
    }

    #[test]
    #[cfg(unix)]
    fn settings_files_that_others_may_write_do_not_count() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let (shared, own) = (root.path().join("shared"), root.path().join("shared/own"));
        fs::create_dir_all(&own).unwrap();
        fs::write(shared.join(FILE_NAME), "kubernetesVersion = \"1.30\"\n").unwrap();
        for (mode, expected) in [(0o1777, 37), (0o777, 30), (0o1775, 30), (0o755, 30)] {
            fs::set_permissions(&shared, fs::Permissions::from_mode(mode)).unwrap();
            let found =
                [&own, &shared].map(|folder| minor(&Projects::default().project_of(&folder.join("a.yaml"))));
            assert_eq!(found, [expected; 2], "{mode:o}");
        }
        fs::write(own.join(FILE_NAME), "kubernetesVersion = \"1.31\"\n").unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        assert_eq!(minor(&Projects::default().project_of(&own.join("a.yaml"))), 31);
    }

    #[test]
    fn a_changed_file_is_read_again_after_clear() {
        let root = repository(&[(FILE_NAME, "kubernetesVersion = \"1.30\"\n")]);
        let (projects, file) = (Projects::default(), root.path().join("a.yaml"));
        assert_eq!(minor(&projects.project_of(&file)), 30);
        fs::write(root.path().join(FILE_NAME), "kubernetesVersion = \"1.31\"\n").unwrap();
        assert_eq!(minor(&projects.project_of(&file)), 30);
        projects.clear();
        assert_eq!(minor(&projects.project_of(&file)), 31);
    }

    #[test]
    fn an_invalid_file_is_reported_with_its_place() {
        for (text, expected) in [
            ("kubernetesVersion = 1.30\n", "line 1, column 21: invalid type: floating point `1.3`"),
            ("\n[rules]\nnone = \"off\"\n", "line 3, column 1: unknown rule or group of rules 'none'"),
            (
                "versoin = 1\n",
                "line 1, column 1: unknown field `versoin`, expected one of `kubernetesVersion`, `rules`, `select`, `ignore`, `inlayHints`, `fieldValidation`, `crds`, `compareWith`, `compat`, `groupErrors`, `codeLens`, `experimental`, `go`, `include`, `exclude`, `overrides`",
            ),
            ("[", "line 1, column 2: "),
        ] {
            let root = repository(&[(FILE_NAME, text)]);
            let project = Projects::default().project_of(&root.path().join("a.yaml"));
            let problem = project.problem.clone().unwrap_or_default();
            assert!(problem.contains(expected), "{problem}");
            assert_eq!(minor(&project), 37);
        }
    }

    #[test]
    fn oversized_settings_are_reported_quickly() {
        let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
        let wide = many(40_000, &|at| format!("\"a*b?c[d-f]*{{x,y}}{at}*z\","));
        let overrides = many(1_001, &|_| "[[overrides]]\npaths = [\"a\"]\n".to_owned());
        for (text, expected) in [
            (format!("exclude = [{wide}]\n"), "exclude: the list of 40000 patterns is invalid"),
            (overrides, "overrides: 1001 entries exceed the limit of 1000"),
            (format!("#{}", "x".repeat(MAX_BYTES)), "the file is larger than 1024 KiB"),
            (format!("exclude = [\"{}\"]\n", "{".repeat(9)), "nests braces deeper than 8 levels"),
        ] {
            let root = repository(&[(FILE_NAME, &text)]);
            let start = std::time::Instant::now();
            let problem =
                Projects::default().project_of(&root.path().join("a.yaml")).problem.unwrap_or_default();
            assert!(problem.contains(expected), "{problem}");
            assert!(
                start.elapsed() < std::time::Duration::from_secs(10),
                "{expected}: {:?}",
                start.elapsed()
            );
        }
        let crds = many(300, &|_| "\".\",".to_owned());
        let root = repository(&[(FILE_NAME, &format!("crds = [{crds}]\n"))]);
        let (places, problems) = Projects::default().project_of(&root.path().join("a.yaml")).places();
        assert_eq!((places.len(), problems.len()), (MOST_PLACES, 1), "{problems:?}");
    }
}
