//! One error in Go has one finding, at its cause.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "one_cause/committed.rs"]
mod committed;
#[path = "one_cause/syntax.rs"]
mod syntax;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const META: &str =
    "\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n";

/// A module with these files, each in a package that can import `metav1`.
fn module(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put(".git/HEAD", "ref: refs/heads/main\n");
    put("go.mod", "module example.com/a\n\nrequire k8s.io/apimachinery v0.37.0\n");
    for (path, text) in files {
        put(path, &text.replace("META", META));
    }
    folder
}

/// The findings on the Go files of a module: the place, the code and the message of each, without hints.
fn findings_of(folder: &Path, fix: bool) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
    command.args(["check", "--output", "concise"]).args(fix.then_some("--fix")).arg(".");
    command.current_dir(folder).env("GOMODCACHE", folder.join("none")).env("GOROOT", folder.join("none"));
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let lines = output.lines().filter(|line| !line.contains(": hint["));
    lines.map(|line| line.trim_start_matches("./").to_owned()).collect()
}

fn file_header(imports: &str) -> String {
    format!(
        "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n{imports}\n\
         // +kubebuilder:object:root=true\ntype Thing struct {{\nMETA"
    )
}

/// A vendored module, with types that the user cannot change.
const FAR: [(&str, &str); 3] = [
    (
        "go.mod",
        "module example.com/a\n\ngo 1.24\n\nrequire (\n\texample.com/far v1.0.0\n\tk8s.io/apimachinery v0.37.0\n)\n",
    ),
    ("vendor/modules.txt", "# example.com/far v1.0.0\n## explicit\nexample.com/far\n"),
    (
        "vendor/example.com/far/far.go",
        "package far\n\ntype Item struct {\n\tName string `json:\"name\"`\n\tValue string `json:\"value,omitempty\"`\n}\n\n\
         // +kubebuilder:validation:XValidation:rule=\"self.items.all(i, self.items.all(j, i.contains(j)))\"\n\
         // +kubebuilder:validation:XValidation:rule=\"self.items.all(i, self.items.all(j, j.contains(i)))\"\n\
         type List struct {\n\tItems []string `json:\"items\"`\n}\n\n\
         type Untagged struct {\n\tA string\n\tB string\n}\n",
    ),
];

/// Errors of kube-apiserver or controller-gen on types in another module are reported once, at the field that has the type.
#[test]
fn errors_in_types_of_other_modules_are_reported_at_the_field() {
    let types = file_header("import \"example.com/far\"\n")
        + "\t// +listType=map\n\t// +listMapKey=value\n\tItems []far.Item `json:\"items\"`\n\
           \tLists []far.List `json:\"lists\"`\n\tBare *far.Untagged `json:\"bare\"`\n}\n";
    let mut files = FAR.to_vec();
    files.push(("v1/types.go", &types));
    let folder = module(&files);
    let found = findings_of(folder.path(), false);
    let with_code =
        |code: &str| -> Vec<&String> { found.iter().filter(|line| line.contains(code)).collect() };
    let [refused] = &*with_code("error[go/generation]") else { panic!("{found:?}") };
    assert!(
        refused.ends_with("controller-gen cannot generate the type `far.Untagged`; use another type"),
        "{refused}"
    );
    assert_eq!(refused.split(':').nth(1), Some("15"), "{refused}");
    // The other findings appear once something is generated.
    let fixed = types.replace("\tBare *far.Untagged `json:\"bare\"`\n", "");
    fs::write(folder.path().join("v1/types.go"), fixed.replace("META", META)).unwrap();
    let found = self::findings_of(folder.path(), false);
    let with_code =
        |code: &str| -> Vec<&String> { found.iter().filter(|line| line.contains(code)).collect() };
    let [key] = &*with_code("schema/list-map-key-default") else { panic!("{found:?}") };
    assert!(key.starts_with("v1/types.go:13:") && key.ends_with("choose a field that is required"), "{key}");
    let [cost] = &*with_code("cel/rule-cost") else { panic!("{found:?}") };
    assert!(cost.starts_with("v1/types.go:14:") && cost.ends_with("(1 more finding in its type)"), "{cost}");
}

/// A comment silences the rules that it names: on a field with its markers, on the declaration below it, in the whole file.
#[test]
fn comments_suppress_findings() {
    let field = "\t// +kubebuilder:validation:MaxLenght=3\n\tA string `json:\"a\"`";
    let comment = "// crd-ls: ignore[go/marker-unknown] another tool reads it";
    let types = |above: &str, following: &str| file_header("") + above + field + following + "\n}\n";
    let silent = |types: String| findings_of(module(&[("v1/types.go", &types)]).path(), false).is_empty();
    assert!(!silent(types("", "")));
    assert!(silent(types("", &format!(" {comment}"))));
    assert!(silent(types(&format!("\t{comment}\n\n"), "")));
    assert!(silent(format!("{comment}\n\n{}", types("", ""))));
    assert!(!silent(types("", " // crd-ls: ignore[go/json-tag]")));
}

/// A rule has one finding, even if its type is used several times.
#[test]
fn a_rule_of_a_type_that_is_used_twice_has_one_finding() {
    let types = file_header("")
        + "\tOne []Part `json:\"one\"`\n\tTwo []Part `json:\"two\"`\n}\n\n\
           // +kubebuilder:validation:XValidation:rule=\"self.names.all(a, self.names.all(b, a.contains(b)))\"\n\
           // +kubebuilder:validation:XValidation:rule=\"self.names.size() >= oldSelf.names.size()\"\n\
           type Part struct {\n\tNames []string `json:\"names\"`\n}\n";
    let found = findings_of(module(&[("v1/types.go", &types)]).path(), false);
    for code in ["cel/rule-cost", "cel/old-self-uncorrelatable"] {
        let lines: Vec<&String> = found.iter().filter(|line| line.contains(code)).collect();
        let [line] = &*lines else { panic!("{code}: {found:?}") };
        assert!(line.ends_with("(1 more finding where the type is used)"), "{line}");
    }
}

#[test]
fn an_error_in_an_imported_package_is_reported_in_that_package() {
    let types = file_header("import \"example.com/a/common\"\n")
        + "\tSpec common.Spec `json:\"spec\"`\n\tMore []common.Spec `json:\"more\"`\n}\n";
    let common = "package common\n\ntype Spec struct {\n\t// +kubebuilder:validation:MaxLength=a\n\tA string `json:\"a\"`\n}\n";
    let folder = module(&[("v1/types.go", &types), ("common/types.go", common)]);
    let found = findings_of(folder.path(), false);
    let (of_types, of_common): (Vec<_>, Vec<_>) =
        found.iter().partition(|line| line.starts_with("v1/types.go"));
    assert!(
        of_common.iter().any(|line| line.contains("common/types.go:4:39: error[go/generation]")),
        "{found:?}"
    );
    // The other package is checked as well, so the reference has no finding.
    assert!(of_types.is_empty(), "{of_types:?}");
}

#[test]
fn a_conflict_with_a_type_of_another_package_is_reported_at_the_marker() {
    let types = file_header("")
        + "\t// +kubebuilder:validation:Type=object\n\tAt metav1.Time `json:\"at\"`\n\n\t// +kubebuilder:validation:Type=string\n\t\
           Selector metav1.LabelSelector `json:\"selector\"`\n}\n";
    let folder = module(&[("v1/types.go", &types)]);
    let found = findings_of(folder.path(), false);
    let conflicts: Vec<_> = found.iter().filter(|line| line.contains(", and its Go type has `")).collect();
    assert!(!conflicts.is_empty(), "{found:?}");
    for line in conflicts {
        assert!(line.starts_with("v1/types.go:10:") || line.starts_with("v1/types.go:13:"), "{line}");
    }
}

#[test]
fn two_versions_without_a_storage_version_have_one_finding() {
    let of = |version: &str| file_header("").replace("package v1", &format!("package {version}")) + "}\n";
    let folder = module(&[("v1/types.go", &of("v1")), ("v2/types.go", &of("v2"))]);
    let found = findings_of(folder.path(), false);
    assert_eq!(
        found,
        [
            "v1/types.go:7:6: error[versions/one-storage] no version has `storage: true`; add `kubebuilder:storageversion` to the type of one version"
        ]
    );
}

#[test]
fn a_package_without_a_group_has_one_finding() {
    let types = (file_header("") + "}\n").replace("// +groupName=a.example.com\n", "");
    let other = types.replace("Thing", "Other");
    let folder = module(&[("v1/types.go", &types), ("v1/other.go", &other)]);
    let found = findings_of(folder.path(), false);
    let [one] = &*found else { panic!("one finding: {found:?}") };
    assert!(one.contains("[spec/group-required]"), "{one}");
}

#[test]
fn a_type_that_contains_itself_is_reported_as_recursive() {
    let types = file_header("")
        + "\tRoot *Node `json:\"root,omitempty\"`\n}\n\ntype Node struct {\n\tNext *Node `json:\"next,omitempty\"`\n}\n";
    let folder = module(&[("v1/types.go", &types)]);
    let before = fs::read_to_string(folder.path().join("v1/types.go")).unwrap();
    let found = findings_of(folder.path(), true);
    let [one] = &*found else { panic!("one finding: {found:?}") };
    assert!(one.starts_with("v1/types.go:14:") && one.contains("the type contains itself"), "{one}");
    assert_eq!(
        fs::read_to_string(folder.path().join("v1/types.go")).unwrap(),
        before,
        "no marker repairs it"
    );
}

#[test]
fn fixes_keep_line_ends() {
    let types = file_header("") + "\tA string `json:\"a,omitempty\"` // +nullable\n}\n";
    let folder = module(&[("v1/types.go", &types.replace("META", META).replace('\n', "\r\n"))]);
    findings_of(folder.path(), true);
    let after = fs::read_to_string(folder.path().join("v1/types.go")).unwrap();
    assert!(after.contains("\t// +nullable\r\n\tA string"), "{after:?}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}

/// kube-apiserver reports further errors on each token, which follow from the first one.
#[test]
fn a_token_has_one_finding() {
    for (fields, expected) in [
        (
            "// +listType=set\nA []In `json:\"a\"`",
            "10:15: error[schema/set-items-atomic] objects in a list of type `set` must be atomic; use `listType=map` or \
             `listType=atomic`, or put `structType=atomic` on the type of the items",
        ),
        (
            "// +listType=map\nA []string `json:\"a\"`",
            "10:15: error[schema/list-map-items-object] the items of a list of type `map` must be objects; use a struct for the items, \
             or, for scalars, `listType=set`",
        ),
        (
            "// +kubebuilder:validation:EmbeddedResource\nA string `json:\"a\"`",
            "10:5: error[structural/embedded-type] an embedded resource must be an object; use a struct or `runtime.RawExtension` as \
             the type of the field",
        ),
        (
            "// +kubebuilder:default=5\nA string `json:\"a\"`",
            "10:26: error[defaults/schema] `default` cannot be an integer; put it in quotes",
        ),
        (
            "// +kubebuilder:validation:XValidation:rule='self != \"a\"'\nA string `json:\"a\"`",
            "10:46: error[go/marker-value] `'` is part of the value 'self != \"a\"'; use `\"` as quotes",
        ),
        (
            "A string `json:\",\"`",
            "10:18: error[go/generation] `A` has no JSON name, and controller-gen cannot merge its type into the struct; write a \
             name in its `json` tag",
        ),
    ] {
        let fields = fields.replace('\n', "\n\t");
        let types =
            file_header("") + &format!("\t{fields}\n}}\n\ntype In struct {{\n\tB string `json:\"b\"`\n}}\n");
        let folder = module(&[("v1/types.go", &types)]);
        assert_eq!(findings_of(folder.path(), false), [format!("v1/types.go:{expected}")], "{fields}");
    }
}

/// A rule that does not compile may use `oldSelf` once it does.
#[test]
fn fields_that_a_broken_rule_uses_are_not_removed() {
    let types = file_header("")
        + "\t// +kubebuilder:validation:XValidation:rule=\"self == oldSelf\",optionalOldSelf=true\n\tA string `json:\"a\"`\n\n\t\
           // +kubebuilder:validation:EmbeddedResource\n\tB string `json:\"b\"`\n}\n";
    let folder = module(&[("v1/types.go", &types)]);
    let found = findings_of(folder.path(), true);
    let after = fs::read_to_string(folder.path().join("v1/types.go")).unwrap();
    assert!(after.contains("optionalOldSelf=true") && !after.contains("Type=object"), "{after}");
    assert!(found.iter().any(|line| line.contains("correct the rule first")), "{found:?}");
}

#[test]
fn a_field_missing_from_a_union_is_reported_at_its_name() {
    let types = file_header("")
        + "\tSpec Spec `json:\"spec\"`\n}\n\n// +kubebuilder:validation:AtMostOneOf=first;secnod\ntype Spec struct {\n\tFirst string \
           `json:\"first,omitempty\"`\n\tSecond string `json:\"second,omitempty\"`\n}\n";
    let folder = module(&[("v1/types.go", &types)]);
    let found = findings_of(folder.path(), false);
    let [one] = &*found else { panic!("one finding: {found:?}") };
    assert!(
        one.starts_with("v1/types.go:13:46: error[cel/rule-compile] `self` has no field `secnod`"),
        "{one}"
    );
}

/// A file with `marker` above a kind with `fields`.
fn kind_with(marker: &str, fields: &str) -> String {
    let head = file_header("").replace("type Thing", "MARKERtype Thing");
    format!("{}{fields}", head.replace("MARKER", marker))
}

fn assert_codes(cases: &[(&str, String, &str)]) {
    for (name, text, expected) in cases {
        let found = findings_of(module(&[("v1/types.go", text)]).path(), false);
        let code = |line: &String| line.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
        let codes: Vec<String> = found.iter().map(code).collect();
        assert_eq!(codes.join(" "), *expected, "{name}: {found:#?}");
    }
}

/// What is not shown is said.
#[test]
fn findings_that_may_follow_from_a_rejected_marker_are_counted() {
    let field = "\t// +kubebuilder:validation:Type=\n\t// +kubebuilder:default=true\n\tA map[string]string `json:\"a\"`\n}\n";
    let folder = module(&[("v1/types.go", &kind_with("", field))]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd-ls"));
    command.args(["check", "."]).current_dir(folder.path()).env("GOMODCACHE", folder.path().join("none"));
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(said.contains("v1: 1 finding may follow from a marker that controller-gen rejects"), "{said}");
}

/// controller-gen generates nothing from a package with a rejected marker. The other mistakes of a draft have their findings
/// nevertheless, except for those that the marker may cause.
#[test]
fn a_rejected_marker_hides_no_other_mistake() {
    let with = |marker: &str, field: &str| {
        let fields = format!("\t// +kubebuilder:{marker}\n\t{field}\n\n");
        let others =
            "\t// +kubebuilder:default=true\n\tSize int32 `json:\"size,omitempty\"`\n\n\tName string\n}\n";
        kind_with("", &(fields + others))
    };
    let rule = "XValidation:rule=\"self.all(n, self.exists_one(m, m.contains(n)))\"";
    let long = format!(
        "validation:MaxItems=\n\t// +kubebuilder:validation:items:MaxLength=9\n\t// +kubebuilder:validation:{rule}"
    );
    let others = "defaults/schema go/generation";
    assert_codes(&[
        (
            "with a fix",
            with("validation:Enum=a,b", "Mode string `json:\"mode\"`"),
            &format!("go/generation {others}"),
        ),
        (
            "without a fix",
            with("validation:MaxLength=a", "Mode string `json:\"mode\"`"),
            &format!("go/generation {others}"),
        ),
        // Another type may make the default valid, but its fix shows that it does not.
        (
            "of a type",
            with("validation:Type=string,", "Mode string `json:\"mode\"`"),
            &format!("go/generation {others}"),
        ),
        (
            "a limit of costs",
            with(&long, "Names []string `json:\"names\"`"),
            &format!("go/generation {others}"),
        ),
        (
            "a structure without a fix",
            with("validation:Type=", "Any map[string]string `json:\"any\"`"),
            "go/generation go/generation",
        ),
    ]);
}

/// Findings that follow from an error in a marker or a tag are not reported, although their places differ.
#[test]
fn an_error_in_a_marker_has_no_further_findings() {
    let spec = "\tSpec Spec `json:\"spec\"`\n\t// +optional\n\tStatus Status `json:\"status,omitempty\"`\n}\n\ntype Status struct {\n\t// +optional\n\tReady string `json:\"ready,omitempty\"`\n}\n\n";
    let part = "type Spec struct {\n\tSizes []int32 `json:\"sizes\"`\n}\n";
    assert_codes(&[
        (
            "the same value twice",
            kind_with(
                "",
                "\t// +kubebuilder:validation:Enum={\"a\",\"b\",\"a\"}\n\tA string `json:\"a\"`\n}\n",
            ),
            "go/marker-value",
        ),
        (
            "a rejected marker of the status",
            kind_with("// +kubebuilder:subresource:status=true\n", spec) + part,
            "go/generation",
        ),
        (
            "a misspelt JSON name that a column reads",
            kind_with(
                "// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.nodeName\n",
                "\tNodeName string `json:\"nodeNmae\"`\n}\n",
            ),
            "go/json-tag",
        ),
        (
            "a rejected value beside a valid one",
            kind_with(
                "",
                "\t// +mapType=Atomic\n\t// +mapType=atomic\n\tA map[string]string `json:\"a\"`\n}\n",
            ),
            "go/generation",
        ),
        (
            "an undeclared type of items",
            kind_with(
                "",
                "\t// +listType=map\n\t// +listMapKey=name\n\tA []Named `json:\"a\"`\n\n\t// +listType=set\n\tB []Named `json:\"b\"`\n}\n",
            ),
            "go/generation go/generation",
        ),
        (
            "a misspelt type that no kind uses",
            kind_with(
                "",
                "\tA string `json:\"a\"`\n}\n\ntype ThingList struct {\n\tItems []Tihng `json:\"items\"`\n}\n",
            ),
            "go/generation",
        ),
        (
            "the markers of a list on a string",
            kind_with("", "\t// +listType=map\n\t// +listMapKey=name\n\tA string `json:\"a\"`\n}\n"),
            "go/generation",
        ),
    ]);
}

#[test]
fn an_error_in_a_rule_or_a_default_has_no_further_findings() {
    let part = "type Spec struct {\n\tSizes []int32 `json:\"sizes\"`\n}\n";
    assert_codes(&[
        (
            "a default of an enum of other values",
            kind_with(
                "",
                "\t// +kubebuilder:default=1\n\t// +kubebuilder:validation:Enum=low;high\n\tA int32 `json:\"a\"`\n}\n",
            ),
            "go/marker-value",
        ),
        (
            "a default of a type whose rule does not compile",
            kind_with(
                "",
                "\t// +kubebuilder:default={sizes: {1}}\n\tA Spec `json:\"a\"`\n}\n\n// +kubebuilder:validation:XValidation:rule=\"self.sizes.every(x, x > 0)\"\n\
                 // +kubebuilder:validation:XValidation:rule=\"self.sizes.size() === 1\"\n",
            ) + &part.replace("\tSizes", "\t// +kubebuilder:validation:MaxItems=3\n\tSizes"),
            "cel/rule-compile cel/rule-compile",
        ),
        (
            "a default of a field whose rule does not compile, in the default of its parent",
            kind_with(
                "",
                "\t// +kubebuilder:default={name: x}\n\tA Spec `json:\"a\"`\n}\n\ntype Spec struct {\n\
                 \t// +kubebuilder:validation:XValidation:rule=\"value == oldSelf\"\n\t// +kubebuilder:default=y\n\tName string `json:\"name\"`\n}\n",
            ),
            "cel/rule-compile",
        ),
        (
            "a default that a bound of another format rejects",
            kind_with(
                "",
                "\t// +kubebuilder:default=1\n\t// +kubebuilder:validation:Maximum=99999999999999999999999\n\tA int32 `json:\"a\"`\n}\n",
            ),
            "lint/integer-range",
        ),
        (
            "a rule over its limit, and so over that of all rules",
            kind_with(
                "",
                "\t// +kubebuilder:validation:XValidation:rule=\"self.all(x, self.all(y, x.contains(y)))\"\n\tA []string `json:\"a\"`\n}\n",
            ),
            "cel/rule-cost",
        ),
        (
            "a rule that does not compile in a list without a limit",
            kind_with("", "\tA []Part `json:\"a\"`\n}\n")
                + "\ntype Part struct {\n\t// +kubebuilder:validation:XValidation:rule=\"self.toLower().matches('^(a|b)+$') || self.matches('^a')\"\n\tB string `json:\"b\"`\n}\n",
            "cel/rule-compile",
        ),
        (
            "an object as the default of a list",
            kind_with("", "\t// +kubebuilder:default={a:b}\n\tA []string `json:\"a,omitempty\"`\n}\n"),
            "defaults/schema",
        ),
        (
            "typographic quotes around a rule",
            kind_with(
                "",
                "\t// +kubebuilder:validation:XValidation:rule=\u{201c}self == oldSelf\u{201d}\n\tA string `json:\"a\"`\n}\n",
            ),
            "go/marker-value",
        ),
        (
            "a rejected default that a rule reads",
            kind_with("", "\tSpec Part `json:\"spec\"`\n}\n")
                + "\n// +kubebuilder:validation:XValidation:rule=\"has(self.b)\"\ntype Part struct {\n\t// +kubebuilder:default=1.5\n\tB int32 `json:\"b,omitempty\"`\n}\n",
            "defaults/schema",
        ),
    ]);
}

/// Without a call and definitions, the call may allow floating-point numbers.
#[test]
fn a_float_is_an_error_only_if_the_options_are_known() {
    let text = file_header("") + "\tA float64 `json:\"a\"`\n}\n";
    let severity = |files: &[(&str, &str)]| {
        let found = findings_of(module(files).path(), false);
        let [finding] = &*found else { panic!("{found:?}") };
        finding.split([' ', '[']).nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(severity(&[("v1/types.go", &text)]), "warning");
    let makefile = "manifests:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n";
    assert_eq!(severity(&[("v1/types.go", &text), ("Makefile", makefile)]), "error");
}
