//! Errors that authors of Go types make, each reported at its token, on the real program. The suites are in `tests/planted`,
//! whose README describes their form.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const HEAD: &str = "// +groupName=planted.example.com\npackage v1\n\n";
const IMPORT: &str = "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n";
const KIND: &str = "type Thing struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta \
                    `json:\"metadata,omitempty\"`\n\n\tSpec ThingSpec `json:\"spec\"`\n}\n";

/// Fixes of generated definitions that are not possible in Go: the rule, the beginning of the title, and the reason.
const ONLY_IN_YAML: [(&str, &str, &str); 5] = [
    ("structural/pattern", "Convert the negative lookahead", "no marker sets `not`"),
    (
        "structural/embedded-properties",
        "Add `x-kubernetes-preserve",
        "the Go type is a string, which cannot be embedded",
    ),
    ("structural/embedded-additional-properties", "Remove `additionalProperties`", "the Go type is a map"),
    ("cel/rule-compile", "Change `c` to `a`", "controller-gen makes the rule from a marker with names"),
    ("structural/embedded-type", "Change `type: string` to `type: object`", "Go decodes a string there"),
];

/// A heading whose fixes in YAML give the field a type, although its Go type contains itself.
const RECURSION: &str = "fields: a type that contains itself";

/// The errors below a heading of a suite.
struct Kind {
    name: String,
    rule: String,
    wrong: String,
    right: String,
    /// The places of the findings in the wrong code, and their rules.
    tokens: Vec<(Range<usize>, Vec<String>)>,
}

impl Kind {
    fn read(suite: &str, section: &str) -> Self {
        let (heading, rest) = section.split_once('\n').unwrap();
        let name = format!("{suite}: {heading}");
        let (rule, rest) = rest.split_once("```go\n").unwrap_or_else(|| panic!("{name} has no code"));
        let code = rest.split_once("```").unwrap_or_else(|| panic!("{name} is not closed")).0;
        let rule = rule.trim().trim_matches('`').to_owned();
        let mut kind = Self { name, rule, wrong: String::new(), right: String::new(), tokens: Vec::new() };
        kind.add(&whole(code));
        kind
    }

    /// Splits code with marks into wrong and right code.
    fn add(&mut self, code: &str) {
        let mut rest = code;
        while let Some(at) = rest.find(['⟦', '⟪']) {
            let is_token = rest[at..].starts_with('⟦');
            let end = at + rest[at..].find(['⟧', '⟫']).unwrap();
            let inner = &rest[at + '⟦'.len_utf8()..end];
            let (inner, rules) = inner.split_once('¦').unwrap_or((inner, &self.rule));
            let rules = rules.split(',').map(str::to_owned).collect();
            let (wrong, right) = inner.split_once('→').unwrap_or((inner, inner));
            self.both(&rest[..at]);
            if is_token {
                self.tokens.push((self.wrong.len()..self.wrong.len() + wrong.len(), rules));
            }
            self.wrong.push_str(wrong);
            self.right.push_str(right);
            rest = &rest[end + '⟧'.len_utf8()..];
        }
        self.both(rest);
    }

    fn both(&mut self, text: &str) {
        self.wrong.push_str(text);
        self.right.push_str(text);
    }
}

/// Code with the clauses and types that it omits.
fn whole(code: &str) -> String {
    if code.lines().any(|line| line.contains("package ")) {
        let has_kind = code.contains("metav1.ObjectMeta");
        return if has_kind {
            code.to_owned()
        } else {
            format!("{code}\n{IMPORT}{KIND}\ntype ThingSpec struct{{}}\n")
        };
    }
    let has_types = code.lines().any(|line| line.starts_with("type "));
    let types = if has_types { code.to_owned() } else { format!("type ThingSpec struct {{\n{code}}}\n") };
    let kind = if types.contains("metav1.ObjectMeta") { "" } else { KIND };
    format!("{HEAD}{IMPORT}{types}\n{kind}")
}

fn kinds() -> Vec<Kind> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/planted");
    let mut suites: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    suites.sort();
    let suites = suites.iter().filter(|path| !path.ends_with("README.md"));
    let mut kinds = Vec::new();
    for suite in suites {
        let name = suite.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(suite).unwrap();
        kinds.extend(text.split("\n## ").skip(1).map(|section| Kind::read(name, section)));
    }
    kinds
}

/// The program in a directory, without modules.
fn program(root: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
    let none = root.join("none");
    command.args(args).current_dir(root).env("GOMODCACHE", &none).env("GOROOT", &none).output().unwrap()
}

/// A module in a repository.
fn put_module(root: &Path) {
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(root.join("go.mod"), "module example.com/a\n").unwrap();
}

/// The titles of the fixes below a directory, by rule.
fn fixes(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let report: Value =
        serde_json::from_slice(&program(root, &["check", "--output", "json", "."]).stdout).unwrap();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in report["files"].as_array().unwrap() {
        let titles: BTreeMap<u64, &str> = file["fixes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fix| (fix["id"].as_u64().unwrap(), fix["title"].as_str().unwrap()))
            .collect();
        for one in file["diagnostics"].as_array().unwrap() {
            let ids = one["fixes"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap());
            let of_rule = found.entry(one["code"].as_str().unwrap().to_owned()).or_default();
            of_rule.extend(ids.map(|id| titles[&id].to_owned()));
        }
    }
    found
}

/// The findings of the program on each text: the rule, the token in bytes, and the message.
type Findings = BTreeMap<String, Vec<(String, Range<usize>, String)>>;

fn findings(texts: &BTreeMap<String, &str>) -> Findings {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    put_module(&root);
    for (name, text) in texts {
        fs::create_dir_all(root.join(name).join("v1")).unwrap();
        fs::write(root.join(name).join("v1/types.go"), text).unwrap();
    }
    let output = program(&root, &["check", "--output", "json", "."]);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let mut found = Findings::new();
    for file in report["files"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        let name = path.trim_start_matches("./").split('/').next().unwrap();
        let text = texts.get(name).unwrap_or_else(|| panic!("{path}: {file}"));
        for one in file["diagnostics"].as_array().unwrap() {
            let at = |end: &str| offset(text, &one["range"][end]);
            let code = one["code"].as_str().unwrap().to_owned();
            let message = one["message"].as_str().unwrap().to_owned();
            found.entry(name.to_owned()).or_default().push((code, at("start")..at("end"), message));
        }
    }
    found
}

/// The byte at a position.
fn offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| usize::try_from(position[key].as_u64().unwrap()).unwrap();
    let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    let line = text[start..].split_inclusive('\n').next().unwrap_or_default();
    let characters = line.chars().scan(0, |units, char| {
        let before = *units;
        *units += char.len_utf16();
        (before < number("character")).then_some(char.len_utf8())
    });
    start + characters.sum::<usize>()
}

/// The differences from the suite; empty if there are none.
fn differences(kind: &Kind, wrong: &str, right: &str, found: &Findings) -> String {
    let mut lines = String::new();
    let mut of_wrong = found.get(wrong).cloned().unwrap_or_default();
    let expected = kind.tokens.iter().flat_map(|(token, rules)| rules.iter().map(move |rule| (token, rule)));
    for (token, rule) in expected {
        match of_wrong.iter().position(|(other, range, _)| other == rule && range == token) {
            Some(at) => drop(of_wrong.remove(at)),
            None => {
                let _ = writeln!(lines, "  not reported: {rule} at `{}`", &kind.wrong[token.clone()]);
            }
        }
    }
    for (rule, range, message) in of_wrong {
        let _ = writeln!(lines, "  reported: {rule} at `{}`: {message}", &kind.wrong[range]);
    }
    for (rule, range, message) in found.get(right).into_iter().flatten() {
        let _ = writeln!(
            lines,
            "  reported of right code: {rule} at `{}`: {message}",
            &kind.right[range.clone()]
        );
    }
    lines
}

/// Projects with conversions have the types of all versions once more, without JSON names.
#[test]
fn types_for_conversions_are_not_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let put = |path: &str, text: &str| {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    };
    put_module(&root);
    put(
        "thing/v1/types.go",
        &format!("{HEAD}{IMPORT}{KIND}\ntype ThingSpec struct {{\n\tA string `json:\"a\"`\n}}\n"),
    );
    let internal = |package: &str| {
        let head = HEAD.replace("v1", package);
        format!(
            "{head}import (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\tv1 \"example.com/a/thing/v1\"\n)\n\n\
             type Thing struct {{\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n\n\tSpec v1.ThingSpec\n}}\n\n\
             type ThingList struct {{\n\tItems []v1.Thing `json:\"items\"`\n}}\n"
        )
    };
    let failures = |package: &str| {
        put("thing/types.go", &internal(package));
        let output = program(&root, &["check", "--output", "json", "thing/types.go", "thing/v1/types.go"]);
        String::from_utf8_lossy(&output.stdout).matches("without JSON tag").count()
    };
    assert_eq!(failures("thing"), 0);
    assert!(failures("v2") > 0);
}

/// A module that is not downloaded hides only the findings that depend on its types.
#[test]
fn names_and_columns_are_reported_although_types_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    put_module(&root);
    fs::write(root.join("go.mod"), "module example.com/a\n\nrequire example.com/other v1.0.0\n").unwrap();
    let imports = "import (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\tother \"example.com/other/v1\"\n)\n\n";
    let spec = "type ThingSpec struct {\n\tA string `json:\"a\"`\n\tB other.B `json:\"b\"`\n}\n";
    let columns = [("C", "text", ".spec.a"), ("D", "string", ".spec.x"), ("E", "string", ".spec.b.x")];
    let markers = columns.map(|(name, kind, path)| {
        format!("// +kubebuilder:printcolumn:name={name},type={kind},JSONPath={path}\n")
    });
    let markers = format!("// +kubebuilder:resource:path=Things,scope=cluster\n{}", markers.concat());
    fs::create_dir_all(root.join("v1")).unwrap();
    fs::write(root.join("v1/types.go"), format!("{HEAD}{imports}{spec}\n{markers}{KIND}")).unwrap();
    let found = fixes(&root);
    let codes: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(
        codes,
        ["columns/type", "go/missing-module", "lint/column-path", "names/plural", "spec/scope-unsupported"]
    );
    let output = program(&root, &["check", "--output", "concise", "."]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(printed.matches("lint/column-path").count(), 1, "{printed}");
}

/// Each version has a separate package, so no suite has two.
#[test]
fn two_storage_versions_are_reported_at_their_markers() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    put_module(&root);
    let storage = "// +kubebuilder:storageversion\n";
    let put = |version: &str, marker: &str| {
        fs::create_dir_all(root.join(version)).unwrap();
        let head = HEAD.replace("v1", version);
        let spec = "type ThingSpec struct {\n\tA string `json:\"a\"`\n}\n";
        let text = format!("{head}{IMPORT}{marker}{KIND}\n{spec}");
        fs::write(root.join(version).join("types.go"), text).unwrap();
    };
    put("v1", storage);
    put("v1beta1", storage);
    let output = program(&root, &["check", "--output", "concise", "."]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = printed.lines().filter(|line| line.contains("versions/one-storage")).collect();
    assert!(lines.len() == 1 && lines[0].contains("more than one version has"), "{printed}");
    assert!(lines[0].contains("types.go:6:"), "{printed}");
    let titles = fixes(&root).remove("versions/one-storage").unwrap_or_default();
    assert!(titles.iter().any(|title| title.contains("storageversion")), "{titles:?}");
    put("v1beta1", "");
    let output = program(&root, &["check", "--output", "concise", "."]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("one-storage"));
}

#[test]
fn each_mistake_is_reported_at_its_token_and_nothing_else() {
    let kinds = kinds();
    let name = |side: &str, number: usize| format!("{side}{number:03}");
    let mut texts = BTreeMap::new();
    for (number, kind) in kinds.iter().enumerate() {
        texts.insert(name("wrong", number), kind.wrong.as_str());
        texts.insert(name("right", number), kind.right.as_str());
    }
    let found = findings(&texts);
    let mut failed = String::new();
    for (number, kind) in kinds.iter().enumerate() {
        let found_differences = differences(kind, &name("wrong", number), &name("right", number), &found);
        if !found_differences.is_empty() {
            let _ = writeln!(failed, "{}\n{found_differences}", kind.name);
        }
    }
    println!("{} kinds of mistakes", kinds.len());
    assert!(failed.is_empty(), "\n{failed}");
}

/// A title in which markers and the keywords that they generate are the same: `listType=map` and `x-kubernetes-list-type:
/// map`.
fn without_keywords(title: &str) -> String {
    let parts = title.split('`').enumerate().map(|(number, part)| {
        let part = part.replace("x-kubernetes-", "").replace(": true", "").replace(": ", "=");
        let part = part.replace("ReplicasPath=", "path=").replace("labelSelectorPath=", "selectorpath=");
        if number % 2 == 0 { part } else { part.replace('-', "").to_lowercase() }
    });
    parts.collect::<Vec<_>>().join("`")
}

/// At least one of the fixes of a generated definition is offered at the finding in Go.
#[test]
fn fixes_of_definitions_repair_go() {
    let mut missing = String::new();
    let mut count = 0;
    for kind in kinds().into_iter().filter(|kind| kind.name != RECURSION) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (module, made) = (root.join("module"), root.join("made"));
        fs::create_dir_all(module.join("v1")).unwrap();
        fs::create_dir_all(&made).unwrap();
        put_module(&module);
        fs::write(module.join("v1/types.go"), &kind.wrong).unwrap();
        fs::write(made.join("made.yaml"), program(&module, &["generate", "--stdout", "./v1"]).stdout)
            .unwrap();
        let (in_go, in_yaml) = (fixes(&module), fixes(&made));
        for (rule, titles) in in_yaml.iter().filter(|(_, titles)| !titles.is_empty()) {
            // Without such a finding, controller-gen's own error is reported.
            let Some(offered) = in_go.get(rule) else { continue };
            count += 1;
            let has_none = |title: &String| {
                ONLY_IN_YAML.iter().any(|(other, start, _)| other == rule && title.starts_with(start))
            };
            let offered: BTreeSet<String> = offered.iter().map(|title| without_keywords(title)).collect();
            if !titles.iter().any(|title| offered.contains(&without_keywords(title)) || has_none(title)) {
                let _ = writeln!(missing, "{}: {rule}: {titles:?}; in Go: {offered:?}", kind.name);
            }
        }
    }
    println!("{count} findings with fixes");
    assert!(count > 75, "{count}");
    assert!(missing.is_empty(), "\n{missing}");
}
