//! Syntax errors of Go, and the packages that need the types of the file.

use super::{file_header, findings_of, module};

/// One slip in the syntax hides the rest of its declaration from Go's parser, and all types of its package from others. Only
/// the slip is reported, and what does not depend on it.
#[test]
fn a_syntax_error_has_one_finding() {
    let types = file_header("import \"example.com/a/v1\"\n").replace("package v1", "package v2")
        + "\tSpec v1.Spec `json:\"spec\"`\n\tPart v1.Part `json:\"part\"`\n}\n";
    let spec = "type Spec struct {\n\t// +optional\n\tA string `json:\"a,omitempty\"`\n\n\t// +kubebuilder:default=1\n\t\
                B int32 `json:\"b\"`\n}\n\n// +kubebuilder:validation:Enum=a;b\ntype Part string\n";
    let with = |right: &str, wrong: &str| {
        assert!(spec.contains(right), "{right}");
        let broken = file_header("") + "}\n\n" + &spec.replacen(right, wrong, 1);
        findings_of(module(&[("v2/types.go", &types), ("v1/types.go", &broken)]).path(), false)
    };
    for (right, wrong, expected) in [
        ("struct {", "struct", "12:11: error[go/generation] `{` is missing after `struct`; add it"),
        (
            "struct {",
            "strcut {",
            "12:11: error[go/generation] `strcut` is not a keyword of Go; write `struct`",
        ),
        ("type Spec", "Spec", "12:1: error[go/generation] `type` is missing before `Spec`; add it"),
        ("`\n\n", "\n\n", "14:11: error[go/generation] the tag has no backtick at its end; add one"),
        (
            "// +optional",
            "/ +optional",
            "13:2: error[go/generation] a comment begins with `//`, not with `/`; write `//`",
        ),
        (
            "`json:\"b\"`\n}",
            "`json:\"b\"`",
            "17:10: error[go/generation] `{` of line 12 is not closed before `type`; add `}`",
        ),
    ] {
        assert_eq!(with(right, wrong), [format!("v1/types.go:{expected}")], "{wrong}");
    }
    // A mistake in another declaration does not follow from the slip.
    let two = spec.replace("Enum=a;b", "Enun=a;b").replace("struct {", "struct");
    let found = findings_of(module(&[("v1/types.go", &(file_header("") + "}\n\n" + &two))]).path(), false);
    let [slip, marker] = &*found else { panic!("{found:?}") };
    assert!(slip.contains("`{` is missing"), "{slip}");
    assert!(marker.contains("go/marker-unknown"), "{marker}");
}

/// A package with syntax errors; and a type that only a type parameter declares.
#[test]
fn an_unknown_type_is_reported_with_the_reason() {
    let types = file_header("import \"example.com/a/common\"\n")
        + "\tSpec common.Spec `json:\"spec\"`\n\tMore []common.Spec `json:\"more\"`\n}\n";
    let folder = module(&[
        ("v1/types.go", &types),
        ("common/types.go", "package common\n\ntype Spec struct {\n\tA []]\n}\n"),
    ]);
    let found = findings_of(folder.path(), false);
    let [reference] = &*found else { panic!("{found:?}") };
    assert!(
        reference.ends_with(
            "the type `common.Spec` has no schema, because its package has errors; correct common/types.go:4:6 first"
        ),
        "{reference}"
    );
    let types = file_header("")
        + "\tSpec Texts `json:\"spec\"`\n}\n\ntype Of[T any] struct {\n\tItems []T `json:\"items\"`\n}\n\ntype Texts = Of[string]\n";
    let found = findings_of(module(&[("v1/types.go", &types)]).path(), false);
    let [reference] = &*found else { panic!("{found:?}") };
    assert!(reference.contains("the type `v1.T` is not declared"), "{reference}");
}
