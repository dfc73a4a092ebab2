//! Completion of markers: names, arguments and values.

use crate::editor::{Editor, TYPES};

#[test]
fn names_arguments_and_values_of_markers_are_proposed() {
    let mut editor = Editor::open(TYPES);
    editor.edit("\tMinimum int32", "\t// +kubebuilder:validation:Mul\n\tMinimum int32");
    let names = editor.labels("validation:Mul");
    assert_eq!(names[0], "+kubebuilder:validation:MultipleOf", "{names:?}");
    editor.edit("kubebuilder:validation:Mul\n", "maxi\n");
    let names = editor.labels("// +maxi");
    assert_eq!(names[0], "+kubebuilder:validation:Maximum");
    assert!(!names.iter().any(|name| name.contains("MaxItems")), "it is an int32: {names:?}");
    editor.edit("+maxi\n", "+kubebuilder:validation:Mul\n");
    assert!(names.iter().any(|name| name == "+optional"), "{names:?}");
    editor.edit("validation:Mul\n", "validation:Format=\n");
    assert_eq!(editor.labels("validation:Format="), ["int32", "int64", "double", "float"]);
    editor.edit("\tMode Mode", "\t// +kubebuilder:validation:Format=d\n\tMode string");
    assert_eq!(editor.labels("validation:Format=d")[..2], ["date-time", "date"], "the most usual ones first");
    editor.edit("\t// +kubebuilder:validation:Format=d\n\tMode string", "\tMode Mode");
    editor.edit("message=\"too small\"", "");
    let arguments = editor.labels("self.size\",");
    assert_eq!(arguments, ["message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"]);
}

/// Common words lead to rules, and the marker of another generator has its value.
#[test]
fn markers_are_proposed_for_words_of_other_schemas() {
    let mut editor = Editor::open(TYPES);
    for word in ["cel", "rul", "immut"] {
        editor.edit("\tMinimum int32", &format!("\t// +{word}\n\tMinimum int32"));
        let names = editor.labels(&format!("// +{word}"));
        assert!(names[0].starts_with("+kubebuilder:validation:XValidation"), "{word}: {names:?}");
        editor.edit(&format!("\t// +{word}\n"), "");
    }
    editor.edit("\tMinimum int32", "\t// +immut\n\tMinimum int32");
    let found = editor.labels("// +immut");
    assert!(found[0].contains("rule=\"self == oldSelf\""), "{found:?}");
    editor.edit("\t// +immut\n", "");
    editor.edit("// +kubebuilder:subresource:status", "// +kubebuilder:object:root=");
    assert_eq!(editor.labels("+kubebuilder:object:root="), ["true"]);
    editor.edit("\tMode Mode", "\tZeta int32 `json:\"ze\"`\n\tMode Mode");
    assert_eq!(editor.labels("Zeta int32 `json:\"ze"), ["zeta", "zeta,omitempty"]);
}

/// Kinds need a marker of another generator.
#[test]
fn common_markers_come_first() {
    let mut editor = Editor::open(
        "package v1\n\ntype A struct {\n\tB string `json:\"b\"`\n\n\t// C counts.\n\t// +\n}\n\n// +\n",
    );
    let of_field = editor.labels("C counts.\n\t// +");
    assert_eq!(
        of_field[..3],
        ["+optional", "+required", "+kubebuilder:default"],
        "the field is not there yet"
    );
    assert!(!of_field.iter().any(|name| name.starts_with("+k8s:")), "few projects use them");
    editor.edit("C counts.\n\t// +", "C counts.\n\t// +kubebuilder:validation:XValidation:rule=\"a > se\"");
    assert_eq!(editor.labels("a > se"), ["self", "oldSelf"], "its type is not known");
    editor.edit("+kubebuilder:validation:XValidation:rule=\"a > se\"", "+");
    let of_type = editor.labels("}\n\n// +");
    assert_eq!(of_type[..2], ["+kubebuilder:object:root=true", "+kubebuilder:printcolumn"]);

    editor.edit("C counts.\n\t// +", "C counts.\n\t// +k8s:");
    assert_eq!(editor.labels("C counts.\n\t// +k8s:")[0], "+k8s:enum");
    editor.edit("C counts.\n\t// +k8s:", "C counts.\n\t// +k8s:optional\n\t// +mini");
    let of_field = editor.labels("+mini");
    assert_eq!(of_field[0], "+kubebuilder:validation:Minimum");
    assert!(of_field.iter().any(|name| name == "+k8s:minimum"), "the file uses them");
}

#[test]
fn markers_of_other_generators_are_proposed_for_types() {
    let mut editor = Editor::open(TYPES);
    editor.edit("// +kubebuilder:subresource:status", "// +kubebuilder:obj");
    assert_eq!(editor.labels("+kubebuilder:obj")[0], "+kubebuilder:object:root=true");
    editor.edit("+kubebuilder:obj\n", "+kubebuilder:object\n");
    let found = editor.findings();
    assert!(found[0].1.ends_with("write `kubebuilder:object:root`"), "{found:?}");
}

/// The values of the schema are proposed, even if a named type in another file has the enum, and while nothing is generated.
#[test]
fn values_of_a_default_are_proposed() {
    let mut editor = Editor::open(TYPES);
    editor.edit("\tMode Mode", "\t// +kubebuilder:default=\n\tMode Mode");
    assert_eq!(editor.labels("+kubebuilder:default="), ["fast", "slow"]);
    editor.edit("+kubebuilder:default=\n", "+kubebuilder:default=f\n");
    assert_eq!(editor.labels("+kubebuilder:default=f"), ["fast", "slow"]);
    editor.edit("+kubebuilder:default=f\n", "+default=\n");
    assert_eq!(editor.labels("+default="), ["\"fast\"", "\"slow\""]);
    editor.edit("+default=\n\tMode Mode `", "+kubebuilder:default=\n\tMode bool `");
    assert_eq!(editor.labels("+kubebuilder:default="), ["true", "false"]);
    editor.edit("Mode bool `", "Mode string `");
    assert_eq!(editor.labels("+kubebuilder:default="), Vec::<String>::new());
}
