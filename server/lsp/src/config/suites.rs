//! The files that the tests of kuttl and chainsaw compare with a cluster, and those that they apply.

mod settings;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ide::{ObjectName, TestFiles, TestUse, files_named_by_tests, is_assertion, object_names};
use settings::{Run, is_settings};

use crate::globs;
use crate::guarded_files::{self, RepositoryRoot};
use crate::paths::canonical;

/// The number of directories above a file that are searched for a test that names it.
const LEVELS: usize = 8;
/// The maximum size of a file of a test, in bytes.
const MAX_BYTES: usize = 1024 * 1024;
/// The maximum number of files in the directory of a test.
const MOST_FILES: usize = 10_000;

/// Whether the name of a file shows that it defines tests.
fn is_test(name: &str) -> bool {
    is_chainsaw_test(name) || is_settings(name)
}

fn is_chainsaw_test(name: &str) -> bool {
    name.starts_with("chainsaw-test") && is_yaml(name)
}

fn is_yaml(name: &str) -> bool {
    name.ends_with(".yaml") || name.ends_with(".yml")
}

/// The tests that were read. Cheap to clone; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Suites {
    suites: Arc<Mutex<KnownSuites>>,
}

#[derive(Debug, Default)]
struct KnownSuites {
    tests: HashMap<PathBuf, Arc<Test>>,
    /// The tests that apply to the files of a directory, without those that name no files.
    above: HashMap<PathBuf, Arc<[Arc<Test>]>>,
    /// The runs by the directory of their settings.
    runs: HashMap<PathBuf, Runs>,
    /// The directories of the settings that were found so far: they may name directories anywhere.
    settings: BTreeSet<PathBuf>,
    /// The directories of the tests that were found so far: they may name files anywhere.
    met: BTreeSet<PathBuf>,
    /// The uses of files in these tests.
    elsewhere: Option<Arc<UsesByPath>>,
}

type Runs = Arc<[Arc<Run>]>;

/// The uses of files, by their canonical paths.
type UsesByPath = HashMap<PathBuf, TestUse>;

/// The test in a directory.
#[derive(Debug, Default)]
struct Test {
    uses: UsesByPath,
    is_chainsaw: bool,
    /// The objects that the steps read so far create.
    created_objects: BTreeSet<ObjectName>,
}

impl Test {
    fn compare(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        for file in files {
            self.uses.entry(file).or_default().is_compared = true;
        }
    }

    /// Adds a file with the objects of the next step.
    fn apply(&mut self, file: PathBuf, objects: Vec<ObjectName>) {
        let earlier = objects.iter().filter(|name| self.created_objects.contains(name)).cloned().collect();
        let applied = TestUse { is_compared: false, has_bindings: self.is_chainsaw, earlier };
        join(self.uses.entry(file).or_default(), &applied);
        self.created_objects.extend(objects);
    }
}

/// Merges another use of a file into `one`.
fn join(one: &mut TestUse, other: &TestUse) {
    one.is_compared |= other.is_compared;
    one.has_bindings |= other.has_bindings;
    if !other.earlier.is_empty() {
        let all: BTreeSet<&ObjectName> = one.earlier.iter().chain(other.earlier.iter()).collect();
        one.earlier = all.into_iter().cloned().collect();
    }
}

impl Suites {
    /// How tests use the file at `path`: the tests in its directory or above, up to the root of the repository, and those
    /// that were found earlier.
    pub(super) fn use_of(&self, path: &Path) -> TestUse {
        let mut found = TestUse::default();
        let Some(directory) = path.parent() else { return found };
        let (above, elsewhere) = (self.tests_above(directory), self.uses_of_others());
        let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        // In the folder of a step, file names need no number.
        let is_in_step = named(directory).is_some_and(|name| index(&name).is_some())
            && named(path).is_some_and(|name| is_assertion(&name).is_some());
        if above.is_empty() && elsewhere.is_empty() && !is_in_step {
            return found;
        }
        let Ok(path) = dunce::canonicalize(path) else { return found };
        found.is_compared = is_in_step && self.runs_for(directory).iter().any(|run| run.is_of_kuttl());
        let uses = above.iter().map(|test| &test.uses).chain([&*elsewhere]);
        uses.filter_map(|uses| uses.get(&path)).for_each(|used| join(&mut found, used));
        found
    }

    fn tests_above(&self, directory: &Path) -> Arc<[Arc<Test>]> {
        let above = self.lock().above.get(directory).cloned();
        above.unwrap_or_else(|| {
            let above: Arc<[Arc<Test>]> = self.look_above(directory).into();
            self.lock().above.insert(directory.to_owned(), Arc::clone(&above));
            above
        })
    }

    fn look_above(&self, directory: &Path) -> Vec<Arc<Test>> {
        let mut tests = Vec::new();
        for directory in directory.ancestors().take(LEVELS) {
            tests.push(self.test_in(directory));
            if directory.join(".git").exists() {
                break;
            }
        }
        tests.retain(|test| !test.uses.is_empty());
        tests
    }

    fn uses_of_others(&self) -> Arc<UsesByPath> {
        let met = {
            let known = self.lock();
            if let Some(elsewhere) = &known.elsewhere {
                return Arc::clone(elsewhere);
            }
            known.met.clone()
        };
        let mut all = UsesByPath::new();
        for directory in met {
            let test = self.test_in(&directory);
            test.uses.iter().for_each(|(file, used)| join(all.entry(file.clone()).or_default(), used));
        }
        Arc::clone(self.lock().elsewhere.insert(Arc::new(all)))
    }

    /// Takes account of the tests among `files`. Returns whether any of them is new.
    pub(super) fn add_tests<'a>(&self, files: impl Iterator<Item = &'a Path> + Clone) -> bool {
        let is_more = self.meet_settings(files.clone());
        let is_ours = |path: &&Path| {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            self.is_test(&name) || index(&name).is_some() && is_yaml(&name)
        };
        let directories = files.filter(is_ours).filter_map(|path| Some(path.parent()?.to_owned()));
        let directories: Vec<PathBuf> = directories.collect();
        let mut known = self.lock();
        let count = known.met.len();
        known.met.extend(directories);
        let is_more = is_more || known.met.len() > count;
        if is_more {
            known.elsewhere = None;
        }
        is_more
    }

    /// Takes account of the settings of runs in the directories of `files` and above. Returns whether any of them is new. A
    /// walk does not find those of chainsaw, because they are hidden.
    fn meet_settings<'a>(&self, files: impl Iterator<Item = &'a Path>) -> bool {
        let directories: BTreeSet<&Path> = files.filter_map(Path::parent).collect();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for directory in directories {
            // If a directory was seen, all directories above it were seen as well.
            let new = directory.ancestors().take(LEVELS).take_while(|directory| seen.insert(*directory));
            for directory in new {
                if !self.runs_in(directory).is_empty() {
                    found.push(directory.to_owned());
                }
                if directory.join(".git").exists() {
                    break;
                }
            }
        }
        let mut known = self.lock();
        let count = known.settings.len();
        known.settings.extend(found);
        let is_more = known.settings.len() > count;
        if is_more {
            known.tests.clear();
            known.above.clear();
        }
        is_more
    }

    /// Whether a file with this name defines tests.
    pub(super) fn is_test(&self, name: &str) -> bool {
        let has = |runs: &Runs| runs.iter().any(|run| run.is_test_file(name));
        is_test(name) || self.lock().runs.values().any(has)
    }

    /// The runs whose settings are in `directory`.
    fn runs_in(&self, directory: &Path) -> Runs {
        let runs = self.lock().runs.get(directory).cloned();
        runs.unwrap_or_else(|| {
            let all = Run::all(directory, &names_in(directory)).into_iter().map(Arc::new);
            let runs: Runs = all.collect();
            self.lock().runs.insert(directory.to_owned(), Arc::clone(&runs));
            runs
        })
    }

    /// The runs to which tests in `directory` belong.
    fn runs_for(&self, directory: &Path) -> Vec<Arc<Run>> {
        let Ok(directory) = dunce::canonicalize(directory) else { return Vec::new() };
        let met: Vec<PathBuf> = self.lock().settings.iter().cloned().collect();
        let mut all: Vec<Arc<Run>> = met.iter().flat_map(|home| self.runs_in(home).to_vec()).collect();
        for home in directory.ancestors().take(LEVELS) {
            all.extend(self.runs_in(home).iter().cloned());
            if home.join(".git").exists() {
                break;
            }
        }
        all.retain(|run| run.covers(&directory));
        all
    }

    /// Forgets all tests.
    pub(super) fn clear(&self) {
        let mut known = self.lock();
        known.tests.clear();
        known.above.clear();
        known.runs.clear();
        known.elsewhere = None;
    }

    fn test_in(&self, directory: &Path) -> Arc<Test> {
        let test = self.lock().tests.get(directory).cloned();
        test.unwrap_or_else(|| {
            let test = Arc::new(read(directory, &self.runs_for(directory)));
            self.lock().tests.insert(directory.to_owned(), Arc::clone(&test));
            test
        })
    }

    fn lock(&self) -> MutexGuard<'_, KnownSuites> {
        self.suites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number at the beginning of the name of a step.
fn index(name: &str) -> Option<u64> {
    name.split_once('-')?.0.parse().ok()
}

/// The names of the files in a directory; empty if it cannot be read.
fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().take(MOST_FILES);
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

/// The test in `directory`, which belongs to `runs`.
fn read(directory: &Path, runs: &[Arc<Run>]) -> Test {
    let mut test = Test::default();
    let mut names = names_in(directory);
    names.sort_by_key(|name| (index(name), name.clone()));
    let files = Files(RepositoryRoot::of(directory));
    let mut seen = BTreeSet::new();
    let is_test_file =
        |name: &&String| is_chainsaw_test(name) || runs.iter().any(|run| run.is_test_file(name));
    for name in names.iter().filter(is_test_file) {
        test.is_chainsaw = true;
        files.follow(directory, &directory.join(name), &mut test, &mut seen);
    }
    test.created_objects.clear();
    let real = canonical(directory);
    let has_steps = !test.is_chainsaw && runs.iter().any(|run| run.has_steps_in(&real));
    test.is_chainsaw |= runs.iter().any(|run| run.is_of_chainsaw());
    let assertions: Vec<&String> = names.iter().filter(|name| is_assertion(name) == Some(true)).collect();
    if !assertions.is_empty() || has_steps {
        // Many assertions are links to files that several tests share.
        test.compare(assertions.iter().filter_map(|name| dunce::canonicalize(directory.join(name)).ok()));
        files.steps(directory, &names, &mut test);
    }
    test
}

/// The files that a test can name. Only files of its repository are read.
struct Files(RepositoryRoot);

impl Files {
    /// Adds the files that the file of a chainsaw test names, and the files with steps that it uses.
    fn follow(&self, directory: &Path, file: &Path, test: &mut Test, seen: &mut BTreeSet<PathBuf>) {
        // Templates do not use templates, but a file may name itself.
        if seen.len() > MOST_FILES || !seen.insert(file.to_owned()) {
            return;
        }
        let Some(text) = self.text_of(file) else { return };
        let TestFiles { compared, applied, templates, .. } = files_named_by_tests(&text);
        let home = file.parent().unwrap_or(directory);
        test.compare(compared.iter().flat_map(|path| self.files_named(home, path)));
        for path in applied.iter().flat_map(|path| self.files_named(home, path)) {
            let names = self.text_of(&path).map(|text| object_names(&text)).unwrap_or_default();
            test.apply(path, names);
        }
        for template in templates.iter().filter(|path| guarded_files::outside_reason(path).is_none()) {
            self.follow(directory, &home.join(template), test, seen);
        }
    }

    /// Adds the steps of a kuttl test: the files and folders whose names begin with a number.
    fn steps(&self, directory: &Path, names: &[String], test: &mut Test) {
        for name in names.iter().filter(|name| index(name).is_some()) {
            let path = directory.join(name);
            let files = if path.is_dir() { self.files_in(&path) } else { vec![path] };
            for file in files {
                let name =
                    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                if !is_yaml(&name) || is_assertion(&name).is_some() {
                    continue;
                }
                let (Some(text), Ok(file)) = (self.text_of(&file), dunce::canonicalize(file)) else {
                    continue;
                };
                test.apply(file, object_names(&text));
                if !text.contains("kuttl.dev/") {
                    continue;
                }
                let TestFiles { compared, applied, .. } = files_named_by_tests(&text);
                test.compare(compared.iter().flat_map(|path| self.files_named(directory, path)));
                for path in applied.iter().flat_map(|path| self.files_named(directory, path)) {
                    let names = self.text_of(&path).map(|text| object_names(&text)).unwrap_or_default();
                    test.apply(path, names);
                }
            }
        }
    }

    /// The files in a directory, by name.
    fn files_in(&self, directory: &Path) -> Vec<PathBuf> {
        let entries = self.0.canonical(directory).and_then(fs::read_dir).ok();
        let entries = entries.into_iter().flatten().take(MOST_FILES);
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        let mut files: Vec<PathBuf> =
            names.map(|name| directory.join(name)).filter(|path| path.is_file()).collect();
        files.sort();
        files
    }

    /// The files that `path` names, relative to `directory`: one, those in a directory, or those of a pattern.
    fn files_named(&self, directory: &Path, path: &str) -> Vec<PathBuf> {
        if guarded_files::outside_reason(path).is_some() {
            return Vec::new();
        }
        let path = directory.join(path);
        if path.is_dir() {
            return self.files_in(&path).iter().filter_map(|file| dunce::canonicalize(file).ok()).collect();
        }
        if path.exists() {
            return dunce::canonicalize(path).into_iter().collect();
        }
        let Some(home) = path.parent().and_then(|home| dunce::canonicalize(home).ok()) else {
            return Vec::new();
        };
        let pattern = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if globs::bounded(&pattern).is_err() {
            return Vec::new();
        }
        let Ok(matcher) = globs::matcher(&pattern) else { return Vec::new() };
        let is_selected = |file: &PathBuf| file.file_name().is_some_and(|name| matcher.is_match(name));
        self.files_in(&home).into_iter().filter(is_selected).collect()
    }

    /// The text of a file; `None` if it cannot be read or is too large, which the tool of the test reports.
    fn text_of(&self, path: &Path) -> Option<String> {
        self.0.text(path, MAX_BYTES).ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: one}\n";

    fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [(".git/HEAD", "")].iter().chain(files) {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn a_chainsaw_test_names_what_it_compares_and_applies() {
        let test = "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nspec:\n  steps:\n  - use: {template: \
            ../../steps.yaml}\n  - try:\n    - apply: {file: one.yaml}\n    - assert: {file: '*-there.yaml'}\n    - \
            apply: {file: two.yaml}\n    - create: {file: ../shared/three.yaml}\n";
        let template = "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: StepTemplate\nspec:\n  try:\n  - assert: \
            {file: always.yaml}\n";
        let root = repository(&[
            ("t/a/chainsaw-test.yaml", test),
            ("steps.yaml", template),
            ("always.yaml", POD),
            ("t/a/one.yaml", POD),
            ("t/a/is-there.yaml", POD),
            ("t/a/two.yaml", POD),
            ("t/a/other.yaml", POD),
            ("t/shared/three.yaml", POD),
        ]);
        let suites = Suites::default();
        let path = |path: &str| root.path().join(path);
        assert!(!suites.use_of(&path("t/shared/three.yaml")).has_bindings, "nobody has met the test");
        let files = [path("t/a/chainsaw-test.yaml")];
        assert!(suites.add_tests(files.iter().map(PathBuf::as_path)));
        let use_of = |name: &str| {
            let TestUse { is_compared, has_bindings, earlier } = suites.use_of(&path(name));
            (is_compared, has_bindings, earlier.len())
        };
        assert_eq!(use_of("t/a/is-there.yaml"), (true, false, 0));
        assert_eq!(use_of("always.yaml"), (true, false, 0));
        assert_eq!(use_of("t/a/one.yaml"), (false, true, 0));
        assert_eq!(use_of("t/a/two.yaml"), (false, true, 1));
        assert_eq!(use_of("t/shared/three.yaml"), (false, true, 1));
        assert_eq!(use_of("t/a/other.yaml"), (false, false, 0));
    }

    #[test]
    fn steps_of_kuttl_are_ordered_by_their_numbers() {
        let step =
            "apiVersion: kuttl.dev/v1beta1\nkind: TestStep\napply: [files/a.yaml]\nassert: [files/b.yaml]\n";
        let root = repository(&[
            ("kuttl-test.yaml", "apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\ntestDirs: [t]\n"),
            ("t/a/00-install.yaml", POD),
            ("t/a/00-assert.yaml", POD),
            ("t/a/01-step.yaml", step),
            ("t/a/files/a.yaml", POD),
            ("t/a/files/b.yaml", POD),
            ("t/a/02-more/assert.yaml", POD),
            ("t/a/02-more/pod.yaml", POD),
            ("samples/assert.yaml", POD),
            ("t/common/shared.yaml", POD),
        ]);
        #[cfg(unix)]
        std::os::unix::fs::symlink("../common/shared.yaml", root.path().join("t/a/04-assert.yaml")).unwrap();
        let suites = Suites::default();
        let use_of = |name: &str| {
            let TestUse { is_compared, earlier, .. } = suites.use_of(&root.path().join(name));
            (is_compared, earlier.len())
        };
        assert_eq!(use_of("t/a/00-install.yaml"), (false, 0));
        assert_eq!(use_of("t/a/files/a.yaml"), (false, 1));
        assert_eq!(use_of("t/a/files/b.yaml"), (true, 0));
        assert_eq!(use_of("t/a/02-more/assert.yaml"), (true, 0));
        assert_eq!(use_of("t/a/02-more/pod.yaml"), (false, 1));
        assert_eq!(use_of("samples/assert.yaml"), (false, 0));
        assert_eq!(use_of("t/common/shared.yaml"), (false, 0), "nobody has met the test");
        let files = [root.path().join("t/a/00-install.yaml")];
        assert!(suites.add_tests(files.iter().map(PathBuf::as_path)));
        assert_eq!(use_of("t/common/shared.yaml"), (cfg!(unix), 0));
    }
}
