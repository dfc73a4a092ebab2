//! Findings on Go files, and their fixes in Go.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use super::{MAKEFILE, TYPES, check, generate, module, put, status, text, write_project};

/// The consequences of a module that is not downloaded are not findings.
#[test]
fn missing_types_cause_no_other_findings() {
    let folder = module();
    let go_mod = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    fs::write(folder.path().join("go.mod"), go_mod + "require example.org/far v1.0.0\n").unwrap();
    let types = TYPES.replace("import metav1", "import \"example.org/far\"\nimport metav1");
    let field =
        "// +kubebuilder:validation:XValidation:rule=\"self.x == 1\"\n\tB far.Thing `json:\"b\"`\n\tA string";
    fs::write(folder.path().join("api/v1/types.go"), types.replace("A string", field)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["check", "--output", "concise", "api/v1/types.go"])
        .current_dir(folder.path())
        .env("GOMODCACHE", folder.path().join("none"))
        .env("GOROOT", folder.path().join("none"))
        .output()
        .unwrap();
    assert!(!text(&output.stdout).contains("error["), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("go mod download example.org/far"), "{}", text(&output.stdout));
}

/// A rule is checked unless it names a field with a missing type, directly or below a known field.
#[test]
fn rules_beside_missing_types_are_checked() {
    let folder = module();
    let go_mod = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    fs::write(folder.path().join("go.mod"), go_mod + "require example.org/far v1.0.0\n").unwrap();
    let spec = r#"	Spec Spec `json:"spec"`
	Merged Merged `json:"merged"`
	Elements []far.Thing `json:"elements"`
}

// +kubebuilder:validation:XValidation:rule="self.siz > 1"
// +kubebuilder:validation:XValidation:rule="self.far.x == 1"
// +kubebuilder:validation:XValidation:rule="self.list[0].far.y"
// +kubebuilder:validation:XValidation:rule="self.far_map.size() > self.wrong"
// +kubebuilder:validation:XValidation:rule="self.size > 1",messageExpression="string(self.sise)"
type Spec struct {
	Size int32 `json:"size"`
	Far far.Thing `json:"far"`
	FarMap map[string]far.Thing `json:"far_map"`
	// +kubebuilder:validation:XValidation:rule="self.all(e, e.nme != '')"
	// +kubebuilder:validation:MaxItems=5
	List []Element `json:"list"`
}

type Element struct {
	// +kubebuilder:validation:MaxLength=5
	Name string `json:"name"`
	Far *far.Thing `json:"far,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.unknown == 1"
type Merged struct {
	far.Thing `json:",inline"`
	B string `json:"b"`
}
"#;
    let types = TYPES.replace("import metav1", "import \"example.org/far\"\nimport metav1");
    let types = types.trim_end().trim_end_matches('}').to_owned() + spec;
    put(folder.path(), "api/v1/types.go", &types);
    let output = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["check", "--output", "concise", "api/v1/types.go"])
        .current_dir(folder.path())
        .env("GOMODCACHE", folder.path().join("none"))
        .env("GOROOT", folder.path().join("none"))
        .output()
        .unwrap();
    let report = text(&output.stdout);
    let errors: Vec<&str> = report.lines().filter(|line| line.contains("error[")).collect();
    assert_eq!(errors.len(), 3, "{report}");
    for name in ["siz`", "sise`", "nme`"] {
        assert_eq!(errors.iter().filter(|line| line.contains(name)).count(), 1, "{name}: {report}");
    }
}

/// Keys of lists, paths of rules and paths of subresources name fields. They are checked unless a type on their way is missing.
#[test]
fn names_of_fields_beside_missing_types_are_checked() {
    let folder = module();
    let go_mod = fs::read_to_string(folder.path().join("go.mod")).unwrap();
    fs::write(folder.path().join("go.mod"), go_mod + "require example.org/far v1.0.0\n").unwrap();
    let rest = r#"	Spec Spec `json:"spec"`
	Status Status `json:"status,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.size > 1",fieldPath=".siez"
// +kubebuilder:validation:XValidation:rule="self.size > 2",fieldPath=".far.unknown"
type Spec struct {
	Size int32 `json:"size"`
	Far far.Thing `json:"far"`
	// +listType=map
	// +listMapKey=nmae
	List []Element `json:"list"`
	// +listType=map
	// +listMapKey=nmae
	Merged []Merged `json:"merged"`
}

type Element struct {
	Name string `json:"name"`
	Far far.Thing `json:"far"`
}

type Merged struct {
	far.Thing `json:",inline"`
	Name string `json:"name"`
}

type Status struct {
	Replicas int32 `json:"replicas,omitempty"`
}
"#;
    let types = TYPES.replace("import metav1", "import \"example.org/far\"\nimport metav1").replace(
        "// Thing is one.",
        "// Thing is one.\n// +kubebuilder:subresource:scale:specpath=.spec.sise,statuspath=.status.replicas",
    );
    let types = types.trim_end().trim_end_matches('}').to_owned() + rest;
    put(folder.path(), "api/v1/types.go", &types);
    let output = check_alone(folder.path());
    let names = ["`.siez` is not", "list map key `nmae`", "declares no field `sise`"];
    let found: Vec<&str> = output.lines().filter(|line| !line.contains("go/missing-module")).collect();
    for name in names {
        assert_eq!(found.iter().filter(|line| line.contains(name)).count(), 1, "{name}: {found:#?}");
    }
    assert!(!output.contains(".far.unknown"), "{output}");
}

/// The findings of a check without modules.
fn check_alone(folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["check", "--output", "concise", "api/v1/types.go"])
        .current_dir(folder)
        .env("GOMODCACHE", folder.join("none"))
        .env("GOROOT", folder.join("none"))
        .output()
        .unwrap();
    text(&output.stdout)
}

/// An embedded value gives its struct another type. The errors of the struct's rules that follow from that are not reported.
#[test]
fn consequences_of_a_field_without_a_name_are_not_reported() {
    let folder = module();
    let spec = "\tSpec Spec `json:\"spec\"`\n}\n\n// +kubebuilder:validation:XValidation:rule=\"self.c == 'a'\"\ntype Spec \
                struct {\n\t// +kubebuilder:validation:MaxLength=5\n\tC string `json:\"c\"`\n\tB string `json:\",b\"`\n}\n";
    let types = TYPES.trim_end().trim_end_matches('}').to_owned() + spec;
    put(folder.path(), "api/v1/types.go", &types);
    let report = text(&check(folder.path(), &["--output", "concise", "api/v1/types.go"]).stdout);
    assert_eq!(report.lines().count(), 1, "{report}");
    assert!(report.contains("`B` has no JSON name"), "{report}");
}

/// The command line selects rules in Go as it does in YAML, and a group of conventions is switched on by its name.
#[test]
fn rules_are_selected_in_go() {
    let folder = module();
    let types = TYPES
        .replace("MaxLength=5", "MaxLenght=5")
        .replace("// Thing is one.", "// Thing is one.\n// +kubebuilder:subresorce:status");
    fs::write(folder.path().join("api/v1/types.go"), types).unwrap();
    let codes = |args: &[&str]| {
        let args = [&["--output", "concise"], args, &["api/v1/types.go"]].concat();
        let out = text(&check(folder.path(), &args).stdout);
        let code = |line: &str| line.split_once('[')?.1.split(']').next().map(str::to_owned);
        let mut codes: Vec<String> = out.lines().filter_map(code).collect();
        codes.sort();
        codes.dedup();
        codes
    };
    assert_eq!(codes(&[]), ["go/marker-unknown"]);
    assert_eq!(codes(&["--ignore", "go"]), Vec::<String>::new());
    assert_eq!(
        codes(&["--select", "convention"]),
        ["convention/optional-or-required", "convention/unbounded"]
    );
    assert_eq!(codes(&["--select", "convention/unbounded"]), ["convention/unbounded"]);
}

/// Safe fixes of markers are applied, and other errors stay.
#[test]
fn a_misspelt_marker_is_corrected_in_go() {
    let folder = module();
    let file = folder.path().join("api/v1/types.go");
    fs::write(&file, TYPES.replace("MaxLength=5", "MaxLenght=5")).unwrap();
    let diff = check(folder.path(), &["--fix", "--diff", "api/v1/types.go"]);
    assert!(
        text(&diff.stdout).contains("+\t// +kubebuilder:validation:MaxLength=5\n"),
        "{}",
        text(&diff.stdout)
    );
    assert!(fs::read_to_string(&file).unwrap().contains("MaxLenght"));
    let output = check(folder.path(), &["--fix", "api/v1/types.go"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stdout));
    assert_eq!(fs::read_to_string(&file).unwrap(), TYPES);
}

/// Exported types of another package are candidates for misspelt names.
#[test]
fn a_misspelt_type_of_another_package_is_named() {
    let folder = module();
    let field = "\tB metav1.Durattion `json:\"b\"`\n";
    put(folder.path(), "api/v1/types.go", &TYPES.replace("\t// +kube", &format!("{field}\n\t// +kube")));
    let report = text(&check(folder.path(), &["api/v1/types.go"]).stdout);
    assert!(report.contains("is not declared; write `metav1.Duration`"), "{report}");
}

/// The effect of a fix is unknown while controller-gen rejects something else.
#[test]
fn rejected_markers_are_fixed_before_other_findings() {
    let folder = module();
    let file = folder.path().join("api/v1/types.go");
    let list = "\t// +kubebuilder:validation:UniqueItems:true\n\tB []string `json:\"b\"`\n\n\t// +kubebuilder:validation:MaxLength=x\n\tA string";
    let wrong = TYPES.replace("\tA string", list);
    fs::write(&file, &wrong).unwrap();
    check(folder.path(), &["--fix", "api/v1/types.go"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), wrong);
}

/// Errors in files that were not named are not fixed.
#[test]
fn only_named_files_are_fixed() {
    let folder = module();
    let wrong = TYPES.replace("MaxLength=5", "MaxLenght=5");
    let beside = wrong.replace("package v1", "package v2");
    let put = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("api/v1/types.go", &wrong);
    put("api/v2/types.go", &beside);
    check(folder.path(), &["--fix", "api/v1/types.go"]);
    assert_eq!(fs::read_to_string(folder.path().join("api/v1/types.go")).unwrap(), TYPES);
    assert_eq!(fs::read_to_string(folder.path().join("api/v2/types.go")).unwrap(), beside);
}

/// A convention is kept by markers that change nothing in the definition.
#[test]
fn fixes_of_conventions_do_not_change_the_definition() {
    let folder = module();
    let file = folder.path().join("api/v1/types.go");
    let many: String = (0..300)
        .map(|number| format!("\t// F{number} is one.\n\tF{number} string `json:\"f{number}\"`\n"))
        .collect();
    fs::write(&file, TYPES.replace("\tA string", &format!("{many}\tA string"))).unwrap();
    let definition = || text(&generate(folder.path(), &["--stdout", "./..."]).stdout);
    let before = definition();
    check(folder.path(), &["--fix", "--select", "convention/optional-or-required", "api/v1/types.go"]);
    let fixed = fs::read_to_string(&file).unwrap();
    assert_eq!(fixed.matches("\t// +required\n").count(), 301);
    assert_eq!(definition(), before);
    check(folder.path(), &["--fix", "--select", "convention/comment-start", "api/v1/types.go"]);
    assert!(fs::read_to_string(&file).unwrap().contains("\t// f299 is one.\n"));
    assert_eq!(definition(), before.replace("description: F", "description: f"));
}

/// A fix of the definition becomes a marker.
#[test]
fn a_fix_of_a_definition_is_made_in_go() {
    let folder = module();
    let file = folder.path().join("api/v1/types.go");
    let list = "// +kubebuilder:validation:XValidation:rule=\"self.all(x, self.exists(y, y.startsWith(x)))\"\n\tA []string";
    fs::write(&file, TYPES.replace("// +kubebuilder:validation:MaxLength=5\n\tA string", list)).unwrap();
    let output = check(folder.path(), &["--output", "json", "api/v1/types.go"]);
    let out = text(&output.stdout);
    assert!(out.contains("cel/rule-cost"), "{out}");
    assert!(out.contains("+kubebuilder:validation:MaxItems="), "{out}");
}

/// A generated definition leads to Go, and `--fix` changes both.
#[test]
fn a_generated_definition_is_fixed_at_its_source() {
    let folder = module();
    let file = folder.path().join("api/v1/types.go");
    fs::write(folder.path().join("Makefile"), MAKEFILE).unwrap();
    let types = TYPES.replace(
        "// +kubebuilder:validation:MaxLength=5\n\tA string",
        "// +kubebuilder:validation:UniqueItems=true\n\tA []string",
    );
    fs::write(&file, &types).unwrap();
    generate(folder.path(), &["./..."]);
    let output = check(folder.path(), &["--verbose", "config/crd"]);
    let out = text(&output.stdout);
    assert!(out.contains("schema/unique-items"), "{out}");
    assert!(out.contains("api/v1/types.go:11: the Go source of this"), "{out}");
    assert!(!out.contains("go/stale"), "{out}");
    check(folder.path(), &["--fix", "config/crd"]);
    let fixed = fs::read_to_string(&file).unwrap();
    assert!(fixed.contains("// +listType=set\n") && !fixed.contains("UniqueItems"), "{fixed}");
    let definition = fs::read_to_string(write_project(folder.path())).unwrap();
    assert!(
        definition.contains("x-kubernetes-list-type: set") && !definition.contains("uniqueItems"),
        "{definition}"
    );
    let again = check(folder.path(), &["config/crd"]);
    assert_eq!(status(&again), 0, "{}", text(&again.stdout));
}
