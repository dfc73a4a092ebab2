//! Suites of test cases: how files are recognized as suites, and which definitions they test.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cases::manifest::{Gates, is_wanted};
use cases::{
    Admission, Case, CaseFormat, Definition, Failure, Object, ResourceVersion, Suite, Value, openshift,
    own_format,
};
use ide::{KubernetesVersion, TestedKind};

use crate::definitions::may_define;
use crate::guarded_files;
use crate::limits::MAX_BYTES;
use crate::walk::has_our_name;

/// The directory with the manifests of a suite of OpenShift, relative to the suite.
const MANIFESTS: &str = "../../zz_generated.crd-manifests";
/// The directory in which a repository of OpenShift lists the gates that its feature sets enable.
const GATES: &str = "payload-manifests/featuregates";
/// The number of directories above a suite in which its definition is searched for.
const LEVELS: usize = 3;

/// The suites to run.
#[derive(Default)]
pub(crate) struct LoadedSuites {
    pub(crate) suites: Vec<LoadedSuite>,
    /// The suites that cannot run, and the reasons, with the file and the line.
    pub(crate) problems: Vec<String>,
}

/// A suite with the definitions that it tests.
pub(crate) struct LoadedSuite {
    pub(crate) path: String,
    pub(crate) suite: Suite,
    pub(crate) targets: Vec<Target>,
}

/// A definition that a suite tests.
pub(crate) struct Target {
    pub(crate) file: PathBuf,
    /// The text of the file.
    pub(crate) text: Arc<str>,
    pub(crate) definition: Arc<Definition>,
    /// The version that all cases test; `None` if each case names one.
    version: Option<ResourceVersion>,
}

impl Target {
    /// The version that a case tests.
    pub(crate) fn version_of(&self, case: &Case) -> Result<&ResourceVersion, String> {
        if let Some(version) = &self.version {
            return Ok(version);
        }
        let versions = &self.definition.versions;
        let found = match text(&case.object, "apiVersion") {
            Some(wanted) => versions.iter().find(|version| {
                version.served && wanted.split_once('/') == Some((&version.group, &version.name))
            }),
            None => versions.iter().find(|version| version.storage),
        };
        found.ok_or_else(|| match text(&case.object, "apiVersion") {
            Some(wanted) => format!("{} does not serve {wanted}", self.definition.name),
            None => format!("{} has no storage version", self.definition.name),
        })
    }
}

fn text<'c>(object: &'c Object, name: &str) -> Option<&'c str> {
    object.as_ref().ok()?.get(name).and_then(Value::as_str)
}

/// The definitions of files that were read.
pub(crate) type Definitions = BTreeMap<PathBuf, (Arc<str>, Vec<Arc<Definition>>)>;

/// The suites in the text of a file that the user named or a walk found; `None` if the file is not a suite.
pub(crate) fn suites_in(path: &Path, text: &str, is_named: bool) -> Option<Vec<Suite>> {
    let format = format_by_name(path);
    let is_openshift = match format {
        Some(Format::OpenShift { is_certain: certain }) => certain || is_named || openshift::is_suite(text),
        Some(Format::Own) if is_named || is_own(text) => false,
        Some(Format::Own) => return None,
        // Cases are generated for a definition.
        None if !is_named || may_define(text.as_bytes()) => return None,
        None => openshift::is_suite(text),
    };
    if !is_openshift && matches!(format, Some(Format::OpenShift { .. })) {
        return None;
    }
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    let file = |name: &str| {
        let bytes =
            guarded_files::read_named(&directory.join(name), MAX_BYTES).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())
    };
    Some(if is_openshift { vec![openshift::read(text)] } else { own_format::read(text, &file) })
}

/// Whether a file of that name may have suites.
pub(crate) fn may_have_suites(path: &Path) -> bool {
    format_by_name(path).is_some()
}

/// The result of a case, or an error in a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaseResult {
    /// The line of the case or of the error, from 1.
    pub(crate) line: usize,
    /// The name of the case; `None` for an error in the suite.
    pub(crate) name: Option<String>,
    /// The reason why it failed; `None` if it passed.
    pub(crate) failure: Option<String>,
}

/// The results of a text with suites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cases {
    /// The results of the cases, in the order of their lines.
    pub(crate) results: Vec<CaseResult>,
    /// The kind that each non-empty document tests, if it is known; `None` for a suite of OpenShift.
    pub(crate) tested: Option<Vec<Option<TestedKind>>>,
}

/// Runs the cases in the text of a file; `None` if it has no suites. `open` has the texts of definitions that are open in the
/// editor.
pub(crate) fn results_in(
    path: &Path,
    text: &str,
    server: KubernetesVersion,
    open: &dyn Fn(&Path) -> Option<String>,
) -> Option<Cases> {
    let suites = suites_in(path, text, false)?;
    let mut results = Vec::new();
    let mut tested = Vec::new();
    let read = |file: &Path| match open(file) {
        Some(text) => definitions_of(text, server),
        None => definitions_in(file, server),
    };
    for suite in suites {
        let files = files_for(path, &suite, &[]);
        let definitions: Definitions = files.iter().map(|file| (file.clone(), read(file))).collect();
        tested.push(tested_by(&suite, &files, &definitions));
        let mistake = |line, text: String| CaseResult { line, name: None, failure: Some(text) };
        results.extend(suite.problems.iter().map(|problem| mistake(problem.line, problem.text.clone())));
        if suite.cases.is_empty() {
            continue;
        }
        let gates = match suite.feature_gates.is_empty() {
            true => Arc::default(),
            false => gates_above(path, &mut HashMap::new()),
        };
        match targets(&suite, &files, &definitions, &gates) {
            Err(problem) => results.push(mistake(suite.line, problem)),
            Ok(targets) => {
                results.extend(suite.cases.iter().map(|case| result_of(case, &targets, server)));
            }
        }
    }
    results.sort_by_key(|result| result.line);
    let is_own = matches!(format_by_name(path), Some(Format::Own));
    Some(Cases { results, tested: is_own.then_some(tested) })
}

/// The kind that a suite tests, from the first matching definition.
fn tested_by(suite: &Suite, files: &[PathBuf], definitions: &Definitions) -> Option<TestedKind> {
    let all = files.iter().filter_map(|file| definitions.get(file)).flat_map(|(_, definitions)| definitions);
    let definition = all.into_iter().find(|definition| suite.file.is_some() || fits(suite, definition))?;
    let version = definition.versions.iter().find(|version| match &suite.version {
        Some(name) => version.name == *name,
        None => version.storage,
    })?;
    let (group, version, kind) = (version.group.clone(), version.name.clone(), version.kind.clone());
    Some(TestedKind { group, version, kind })
}

/// The result of a case with all definitions that it tests.
fn result_of(case: &Case, targets: &[Target], server: KubernetesVersion) -> CaseResult {
    let run = |target: &Target| {
        let version = target.version_of(case)?;
        run_case(case, &target.definition, version, server, &mut |_| {}).map_err(|failure| failure.reason)
    };
    let failure = targets.iter().find_map(|target| run(target).err());
    CaseResult { line: case.line, name: Some(case.name.clone()), failure }
}

/// Runs a case.
///
/// # Errors
/// The reason why it fails.
pub(crate) fn run_case(
    case: &Case,
    definition: &Definition,
    version: &ResourceVersion,
    server: KubernetesVersion,
    observe: &mut dyn FnMut(&Admission),
) -> Result<(), Failure> {
    match definition.rejection(case.form).as_slice() {
        [] => cases::run(case, definition, version, server, observe),
        errors => {
            let reason = format!("the definition is rejected: {}", errors.join("; "));
            Err(Failure { reason, ..Failure::default() })
        }
    }
}

/// The format of a suite, from the name of its file.
enum Format {
    /// `certain` if the name alone identifies the format.
    OpenShift {
        is_certain: bool,
    },
    Own,
}

fn format_by_name(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"))?;
    if stem.ends_with(".testsuite") {
        return Some(Format::OpenShift { is_certain: true });
    }
    if stem.ends_with("_test") {
        return Some(Format::Own);
    }
    let above = path.parent()?.parent()?.file_name()?;
    (above == "tests" && name.ends_with(".yaml")).then_some(Format::OpenShift { is_certain: false })
}

/// Whether a file with the name of our suites is one: other programs use such names for their tests as well.
fn is_own(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("cases:") || line.starts_with("definition:"))
}

/// The files in which the definition of a suite may be.
pub(crate) fn files_for(path: &Path, suite: &Suite, named: &[PathBuf]) -> Vec<PathBuf> {
    let directory = path.parent().unwrap_or(Path::new(""));
    if let Some(file) = &suite.file {
        return vec![directory.join(file)];
    }
    if suite.definition.is_some() {
        let manifests = listed(&directory.join(MANIFESTS));
        if !manifests.is_empty() {
            return manifests;
        }
        let above = std::iter::successors(Some(directory), |above| above.parent()).take(LEVELS);
        return named.iter().cloned().chain(above.flat_map(listed)).collect();
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let definition_name = name.replacen("_test.", ".", 1);
    if definition_name != name && directory.join(&definition_name).is_file() {
        return vec![directory.join(definition_name)];
    }
    named.iter().cloned().chain(listed(directory)).collect()
}

/// The files of a directory that may hold definitions, by name.
pub(crate) fn listed(directory: &Path) -> Vec<PathBuf> {
    let directory = if directory == Path::new("") { Path::new(".") } else { directory };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| has_our_name(path)).collect();
    files.sort();
    files
}

pub(crate) fn definitions_in(file: &Path, server: KubernetesVersion) -> (Arc<str>, Vec<Arc<Definition>>) {
    let bytes = guarded_files::read_named(file, MAX_BYTES).ok().filter(|bytes| may_define(bytes));
    definitions_of(bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default(), server)
}

fn definitions_of(text: String, server: KubernetesVersion) -> (Arc<str>, Vec<Arc<Definition>>) {
    let definitions = Definition::all(&text, server).into_iter().map(Arc::new).collect();
    (text.into(), definitions)
}

/// Adds a suite with its definitions.
pub(crate) fn load(
    path: PathBuf,
    suite: Suite,
    files: &[PathBuf],
    definitions: &Definitions,
    gates: &mut HashMap<PathBuf, Arc<Gates>>,
    found: &mut LoadedSuites,
) {
    let shown = path.strip_prefix(".").unwrap_or(&path).display().to_string();
    let problems = suite.problems.iter();
    found.problems.extend(problems.map(|problem| format!("{shown}:{}: {}", problem.line, problem.text)));
    // Without cases, the tested definitions do not matter.
    if suite.cases.is_empty() {
        return;
    }
    let gates = match suite.feature_gates.is_empty() {
        true => Arc::default(),
        false => gates_above(&path, gates),
    };
    match targets(&suite, files, definitions, &gates) {
        Ok(targets) => found.suites.push(LoadedSuite { path: shown, suite, targets }),
        Err(problem) => found.problems.push(format!("{shown}:{}: {problem}", suite.line)),
    }
}

fn targets(
    suite: &Suite,
    files: &[PathBuf],
    definitions: &Definitions,
    gates: &Gates,
) -> Result<Vec<Target>, String> {
    let mut targets = Vec::new();
    for file in files {
        let Some((text, definitions)) = definitions.get(file) else { continue };
        for definition in definitions {
            let is_named = match &suite.definition {
                Some(name) => definition.name == *name,
                None => suite.file.is_some() || fits(suite, definition),
            };
            if is_named && is_wanted(definition, suite, gates)? {
                targets.push(Target {
                    file: file.strip_prefix(".").unwrap_or(file).to_owned(),
                    text: text.clone(),
                    definition: definition.clone(),
                    version: None,
                });
            }
        }
    }
    if targets.is_empty() {
        return Err(match (&suite.file, &suite.definition) {
            (Some(file), _) => format!("{file} has no definition; correct the path"),
            (None, Some(name)) => {
                format!("no manifest of {name} matches this suite; name its file with --crd")
            }
            (None, None) => {
                "no definition has the kind of its cases; name the file with `definition` or --crd".to_owned()
            }
        });
    }
    if suite.cases.iter().any(|case| case.form == CaseFormat::OpenShift) || suite.version.is_some() {
        fix_version(suite, &mut targets)?;
    }
    Ok(targets)
}

/// Whether `definition` defines the kind of a suite's objects.
fn fits(suite: &Suite, definition: &Definition) -> bool {
    let kinds = suite.cases.iter().filter_map(|case| {
        let (group, _) = text(&case.object, "apiVersion")?.split_once('/')?;
        Some((group, text(&case.object, "kind")?))
    });
    let mut kinds = kinds.peekable();
    let version = definition.versions.first();
    kinds.peek().is_none()
        || version.is_some_and(|version| kinds.any(|kind| kind == (&version.group, &version.kind)))
}

/// Sets the version that all cases test, as if the definition had no other version.
fn fix_version(suite: &Suite, targets: &mut [Target]) -> Result<(), String> {
    let mut only = suite.version.clone();
    for target in &mut *targets {
        let name = match (&only, target.definition.versions.as_slice()) {
            (Some(name), [one]) if suite.version.is_none() && one.name != *name => {
                return Err(format!("`version` is missing; the manifests have {name} and {}", one.name));
            }
            (Some(name), _) => name.clone(),
            (None, [one]) => one.name.clone(),
            (None, _) => return Err("`version` is missing; the definition has several".to_owned()),
        };
        let own = target.definition.versions.iter().find(|version| version.name == name);
        let own = own.ok_or_else(|| format!("{} has no version {name}", target.definition.name))?;
        target.version = Some(ResourceVersion { served: true, storage: true, ..own.clone() });
        only = Some(name);
    }
    Ok(())
}

/// The gates that the feature sets of the repository around a suite enable.
fn gates_above(path: &Path, known: &mut HashMap<PathBuf, Arc<Gates>>) -> Arc<Gates> {
    let absolute = crate::paths::absolute(path);
    let place = absolute.ancestors().map(|above| above.join(GATES)).find(|place| place.is_dir());
    let Some(place) = place else { return Arc::default() };
    let read = |place: &Path| {
        let files = listed(place);
        let texts: Vec<String> =
            files.iter().filter_map(|file| guarded_files::found_text(file, MAX_BYTES).ok()).collect();
        Arc::new(Gates::read(texts.iter().map(String::as_str)))
    };
    known.entry(place).or_insert_with_key(|place| read(place)).clone()
}
