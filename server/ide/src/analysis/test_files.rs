//! References from the test files of kuttl and chainsaw to other files: files whose objects are only compared
//! with those of a cluster, and files that are applied, in their order.

use yaml::{Document, Entry, Mapping, Reader, Tree, Value, ValueKind};

use crate::analysis::objects::objects;

/// The API groups of such tests.
pub(crate) const GROUPS: [&str; 3] = ["kuttl.dev", "chainsaw.kyverno.io", "cli.kyverno.io"];

/// The files that a test names, relative to the test. The names may be patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Files with objects that a cluster should or should not have, and files that are merged into its
    /// objects.
    pub compared: Vec<String>,
    /// Files that are applied, in their order. They are merged into objects that already exist.
    pub applied: Vec<String>,
    /// Files with steps that several tests use.
    pub templates: Vec<String>,
}

/// A tool that runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestTool {
    /// kuttl.
    Kuttl,
    /// chainsaw.
    Chainsaw,
}

/// The settings of a run of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSettings {
    /// The tool with these settings.
    pub tool: TestTool,
    /// The directories with tests, as written.
    pub directories: Vec<String>,
    /// The name of the file that is a test, perhaps without its extension; `None` if the settings do not name
    /// it.
    pub test_file: Option<String>,
}

/// The name of an object in a test: its kind, then its name.
pub type ObjectName = (String, String);

/// How a test uses a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestUse {
    /// Whether its objects are compared with those of a cluster, or merged into them, so that they are not
    /// resources.
    pub is_compared: bool,
    /// Whether chainsaw evaluates text in parentheses before it applies the objects.
    pub has_bindings: bool,
    /// The objects that earlier steps created. Objects of the file with these names are merged into them.
    pub earlier: std::sync::Arc<[ObjectName]>,
}

impl TestUse {
    /// Whether an earlier step created the object of that kind and name.
    pub(crate) fn is_created_earlier(&self, kind: &str, name: &str) -> bool {
        self.earlier.iter().any(|(of, called)| of == kind && called == name)
    }
}

/// The files that the tests in `text` name.
#[must_use]
pub fn files_named_by_tests(text: &str) -> TestFiles {
    let tree = Tree::parse(text);
    let mut files = TestFiles::default();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for object in objects(document, &reader) {
            let Some(root) = object.value.as_mapping() else { continue };
            match (object.kind.group.as_str(), object.kind.kind.as_str()) {
                ("kuttl.dev", "TestStep") => {
                    files.compared.extend(texts(root, "assert", &reader));
                    files.compared.extend(texts(root, "error", &reader));
                    files.applied.extend(texts(root, "apply", &reader));
                }
                ("chainsaw.kyverno.io", "Test" | "StepTemplate") => files.chainsaw(object.value),
                _ => {}
            }
        }
    }
    files
}

/// The settings of test runs in `text`.
#[must_use]
pub fn test_settings(text: &str) -> Vec<TestSettings> {
    let tree = Tree::parse(text);
    let mut all = Vec::new();
    for document in tree.documents() {
        let reader = Reader::new(document);
        for object in objects(document, &reader) {
            let Some(root) = object.value.as_mapping() else { continue };
            match (object.kind.group.as_str(), object.kind.kind.as_str()) {
                ("kuttl.dev", "TestSuite") => all.push(TestSettings {
                    tool: TestTool::Kuttl,
                    directories: texts(root, "testDirs", &reader),
                    test_file: None,
                }),
                ("chainsaw.kyverno.io", "Configuration") => all.push(of_chainsaw(root, &reader)),
                _ => {}
            }
        }
    }
    all
}

/// The settings in a chainsaw configuration; `discovery` is a field of v1alpha2.
fn of_chainsaw<'t>(root: Mapping<'t>, reader: &Reader<'t>) -> TestSettings {
    let below = |object: Mapping<'t>, key| reader.follow(reader.entry(object, key)?.value())?.as_mapping();
    let spec = below(root, "spec");
    let discovery = spec.and_then(|spec| below(spec, "discovery"));
    let places: Vec<Mapping<'t>> = spec.into_iter().chain(discovery).collect();
    let test_file = |place: &Mapping<'t>| {
        let value = reader.follow(reader.entry(*place, "testFile")?.value())?;
        Some(value.as_scalar()?.as_str()?.into_owned())
    };
    TestSettings {
        tool: TestTool::Chainsaw,
        directories: places.iter().flat_map(|place| texts(*place, "testDirs", reader)).collect(),
        test_file: places.iter().find_map(test_file).filter(|name| !name.is_empty()),
    }
}

impl TestFiles {
    /// Adds the files that the operations of a chainsaw test name, in the order of the text. It descends in a
    /// loop.
    fn chainsaw(&mut self, test: Value<'_>) {
        let mut pending = vec![test];
        while let Some(value) = pending.pop() {
            let before = pending.len();
            match value.kind() {
                ValueKind::Mapping(mapping) => {
                    for entry in mapping.entries() {
                        let key = entry.key_text().unwrap_or_default();
                        if let Some(named) = entry.value().as_mapping() {
                            self.operation(&key, named);
                        }
                        pending.push(entry.value());
                    }
                }
                ValueKind::Sequence(sequence) => pending.extend(sequence.items().map(|item| item.value())),
                ValueKind::Scalar(_) | ValueKind::Alias(_) | ValueKind::Absent => {}
            }
            if let Some(new) = pending.get_mut(before..) {
                new.reverse();
            }
        }
    }

    fn operation(&mut self, key: &str, operation: Mapping<'_>) {
        let named = |wanted: &str| {
            let mut entries = operation.entries();
            let entry = entries.find(|entry| entry.key_text().is_some_and(|key| key == wanted))?;
            Some(entry.value().as_scalar()?.as_str()?.into_owned())
        };
        match key {
            "assert" | "error" | "patch" => self.compared.extend(named("file")),
            "apply" | "create" | "update" if expects_error(operation) => {
                self.compared.extend(named("file"));
            }
            "apply" | "create" | "update" => self.applied.extend(named("file")),
            "use" => self.templates.extend(named("template")),
            _ => {}
        }
    }
}

/// Whether a check of a chainsaw operation expects the server to reject it: `($error != null): true`.
fn expects_error(operation: Mapping<'_>) -> bool {
    let wants = |entry: Entry<'_>| {
        let key = entry.key_text().unwrap_or_default().replace(char::is_whitespace, "");
        let is_true = entry.value().as_scalar().is_none_or(|value| value.text() != "false");
        key.contains("$error") && key.contains("==null") != is_true
    };
    let expected = operation.entries().filter(|entry| entry.key_text().is_some_and(|key| key == "expect"));
    let checks = expected.filter_map(|entry| entry.value().as_sequence()).flat_map(yaml::Sequence::items);
    let checks = checks.filter_map(|item| item.value().as_mapping()).flat_map(Mapping::entries);
    let checks = checks.filter(|entry| entry.key_text().is_some_and(|key| key == "check"));
    checks.filter_map(|entry| entry.value().as_mapping()).flat_map(Mapping::entries).any(wants)
}

fn texts<'t>(object: Mapping<'t>, key: &str, reader: &Reader<'t>) -> Vec<String> {
    let items = reader.entry(object, key).and_then(|entry| entry.value().as_sequence());
    let texts = items.into_iter().flat_map(yaml::Sequence::items);
    texts.filter_map(|item| item.value().as_scalar()?.as_str().map(|text| text.into_owned())).collect()
}

/// The kinds and names of the objects in `text`.
#[must_use]
pub fn object_names(text: &str) -> Vec<ObjectName> {
    let tree = Tree::parse(text);
    let of = |document: Document<'_>| {
        let reader = Reader::new(document);
        let objects = objects(document, &reader).into_iter();
        objects
            .filter_map(|object| Some((object.kind.kind, name(object.value, &reader)?)))
            .collect::<Vec<_>>()
    };
    tree.documents().flat_map(of).collect()
}

/// The name of an object.
pub(crate) fn name<'t>(object: Value<'t>, reader: &Reader<'t>) -> Option<String> {
    let metadata = reader.entry(object.as_mapping()?, "metadata")?.value();
    let name = reader.entry(reader.follow(metadata)?.as_mapping()?, "name")?.value();
    reader.follow(name)?.as_scalar()?.as_str().map(|name| name.into_owned())
}

/// Whether a file of that name has the assertions of a kuttl step: `00-assert.yaml`, `01-errors-more.yaml`.
pub(crate) fn is_named_as_assertion(source: &str) -> bool {
    let name = source.rsplit(['/', '\\']).next().unwrap_or_default();
    is_assertion(name).is_some_and(|has_index| has_index)
}

/// Whether `name`, that of a file with the assertions of a kuttl step, begins with a number; `None` for other
/// files.
#[must_use]
pub fn is_assertion(name: &str) -> Option<bool> {
    let name = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"))?;
    let name = name.strip_suffix(".gotmpl").unwrap_or(name);
    let behind = name.trim_start_matches(|char: char| char.is_ascii_digit());
    let (has_index, words) = match behind.strip_prefix('-').filter(|_| behind.len() < name.len()) {
        Some(words) => (true, words),
        None => (false, name),
    };
    let first = words.split('-').next().unwrap_or_default();
    ["assert", "errors"].iter().any(|word| first.eq_ignore_ascii_case(word)).then_some(has_index)
}

#[cfg(test)]
mod tests {
    use crate::analysis::test_files::*;

    #[test]
    fn names_of_assertions() {
        for name in [
            "00-assert.yaml",
            "01-errors.yaml",
            "2-assert-more.yaml",
            "a/b/10-assert.yml",
            "1-assert.gotmpl.yaml",
        ] {
            assert!(is_named_as_assertion(name), "{name}");
        }
        for name in [
            "assert.yaml",
            "00-install.yaml",
            "00-asserted.yaml",
            "assert/00-install.yaml",
            "-assert.yaml",
            "",
        ] {
            assert!(!is_named_as_assertion(name), "{name}");
        }
        assert_eq!(
            ["assert.yaml", "errors-b.yaml", "b.yaml"].map(is_assertion),
            [Some(false), Some(false), None]
        );
    }

    #[test]
    fn a_test_names_files() {
        let test = "apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
spec:
  steps:
  - use: {template: ../steps/one.yaml}
  - try:
    - apply: {file: one.yaml}
    - create: {file: two.yaml}
    - assert: {file: ../three.yaml, timeout: 1m}
    - error: {resource: {apiVersion: v1, kind: Pod}}
    - apply: {file: bad.yaml, expect: [{check: {($error != null): true}}]}
    - apply: {file: good.yaml, expect: [{check: {($error == null): true}}]}
    catch:
    - patch: {file: four.yaml}
---
apiVersion: kuttl.dev/v1beta1
kind: TestStep
apply: [files/a.yaml]
assert: [files/b.yaml]
error: [files/c.yaml]
";
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            files_named_by_tests(test),
            TestFiles {
                compared: all(&["../three.yaml", "bad.yaml", "four.yaml", "files/b.yaml", "files/c.yaml"]),
                applied: all(&["one.yaml", "two.yaml", "good.yaml", "files/a.yaml"]),
                templates: all(&["../steps/one.yaml"]),
            }
        );
        assert_eq!(files_named_by_tests("a: b\n"), TestFiles::default());
    }

    #[test]
    fn settings_name_the_directories_of_tests() {
        let settings = "apiVersion: kuttl.dev/v1beta1
kind: TestSuite
testDirs: [./e2e]
---
apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Configuration
spec: {testDirs: [tests], testFile: case.yaml}
---
apiVersion: chainsaw.kyverno.io/v1alpha2
kind: Configuration
spec: {discovery: {testFile: case}}
---
apiVersion: chainsaw.kyverno.io/v1alpha2
kind: Configuration
---
apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
";
        let of = |tool, directories: &[&str], test_file: Option<&str>| TestSettings {
            tool,
            directories: directories.iter().map(|name| (*name).to_owned()).collect(),
            test_file: test_file.map(str::to_owned),
        };
        assert_eq!(
            test_settings(settings),
            [
                of(TestTool::Kuttl, &["./e2e"], None),
                of(TestTool::Chainsaw, &["tests"], Some("case.yaml")),
                of(TestTool::Chainsaw, &[], Some("case")),
                of(TestTool::Chainsaw, &[], None),
            ]
        );
    }
}
