//! A module with a package of any number of lines: kinds with their own types, and a type that all kinds share.

pub(crate) mod woven;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The number of lines of one kind and its types.
const LINES_OF_A_KIND: usize = 320;

/// The text of the only file of the package.
pub(crate) fn text(lines: usize) -> String {
    let mut text = "// +groupName=large.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n".to_owned();
    text.push_str("// Shared is part of many kinds.\ntype Shared struct {\n\t// +kubebuilder:validation:MaxLength=63\n\tName string `json:\"name\"`\n}\n\n");
    for kind in 0..lines / LINES_OF_A_KIND {
        of_kind(kind, &mut text);
        let _ = write!(
            text,
            "// Names{kind} are known.\nvar Names{kind} = map[string]bool{{\n\t\"one\": true, // one\n\t\"two\": false,\n}}\n\n"
        );
    }
    text
}

fn of_kind(kind: usize, text: &mut String) {
    let _ = write!(
        text,
        "// Kind{kind} is one of many.\n// +kubebuilder:object:root=true\n// +kubebuilder:subresource:status\n// +kubebuilder:printcolumn:name=\"A\",type=string,JSONPath=`.spec.part0.field0`\ntype Kind{kind} struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t// Spec is what is wanted.\n\tSpec Kind{kind}Spec `json:\"spec\"`\n}}\n\n// Kind{kind}Spec is what is wanted of a kind.\n// +kubebuilder:validation:XValidation:rule=\"self.part0.field0 <= self.part1.field0\",message=\"too large\"\ntype Kind{kind}Spec struct {{\n"
    );
    for part in 0..8 {
        let _ = writeln!(
            text,
            "\t// Part is number {part}.\n\tPart{part} Kind{kind}Part{part} `json:\"part{part}\"`\n"
        );
    }
    text.push_str("\t// +optional\n\tShared *Shared `json:\"shared,omitempty\"`\n}\n\n");
    for part in 0..8 {
        let _ =
            writeln!(text, "// Kind{kind}Part{part} has some fields.\ntype Kind{kind}Part{part} struct {{");
        for field in 0..4 {
            let _ = writeln!(
                text,
                "\t// Field{field} is a number of the part that it is in.\n\t// It has a bound.\n\t// +kubebuilder:validation:Minimum=0\n\t// +kubebuilder:validation:Maximum={}\n\t// +optional\n\tField{field} int32 `json:\"field{field},omitempty\"`\n",
                100_000 + kind * 100 + part * 10 + field
            );
        }
        text.push_str("}\n\n");
    }
}

/// Writes the module.
pub(crate) fn module(root: &Path, lines: usize) {
    fs::create_dir_all(root.join("v1")).unwrap();
    fs::write(root.join("go.mod"), "module example.com/large\n").unwrap();
    fs::write(root.join("v1/types.go"), text(lines)).unwrap();
}
