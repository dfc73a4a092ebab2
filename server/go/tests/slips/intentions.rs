//! Slips whose fix needs more than another name: a value that the intended marker does not take, or a prefix of another tool.

/// The target, the marker or field with `«»` around the token, the message, and the text after the fix.
pub(crate) const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "string",
        "+«controller-gen:validation:MinLength»=1",
        "controller-gen does not know the marker `controller-gen:validation:MinLength` and ignores it; write \
         `kubebuilder:validation:MinLength`",
        "+kubebuilder:validation:MinLength=1",
    ),
    (
        "string",
        "+«openapi:validation:MaxLength»=3",
        "controller-gen does not know the marker `openapi:validation:MaxLength` and ignores it; write \
         `kubebuilder:validation:MaxLength`",
        "+kubebuilder:validation:MaxLength=3",
    ),
    (
        "string",
        "+«option»",
        "controller-gen does not know the marker `option` and ignores it; write `optional`",
        "+optional",
    ),
    (
        "string",
        "+«omitempty»",
        "controller-gen does not know the marker `omitempty` and ignores it; write `optional`",
        "+optional",
    ),
    (
        "string",
        "+«Optional»=true",
        "controller-gen does not know the marker `Optional` and ignores it; write `kubebuilder:validation:Optional`",
        "// +kubebuilder:validation:Optional\n",
    ),
    (
        "string",
        "+«requierd»=false",
        "controller-gen does not know the marker `requierd` and ignores it; write `optional`",
        "// +optional\n",
    ),
    (
        "string",
        "+«kubebuilder:validation:MinLength1»",
        "controller-gen does not know the marker `kubebuilder:validation:MinLength1` and ignores it; write \
         `kubebuilder:validation:MinLength=1`",
        "+kubebuilder:validation:MinLength=1",
    ),
    (
        "string",
        "+«kubebuilder:description»=a b",
        "controller-gen does not know the marker `kubebuilder:description` and ignores it; write the description as a comment",
        "// a b\n",
    ),
    (
        "kind",
        "+kubebuilder:object:root=«ture»",
        "`kubebuilder:object:root` takes `true` or `false`, not `ture`; write `true`",
        "+kubebuilder:object:root=true",
    ),
    (
        "int32",
        "+kubebuilder:validation:Minimum=«0 +operator-sdk:csv:customresourcedefinitions:type=spec»",
        "another marker follows the value of `kubebuilder:validation:Minimum`; write each marker on a separate line",
        "// +kubebuilder:validation:Minimum=0\n\t// +operator-sdk:csv:customresourcedefinitions:type=spec\n",
    ),
    (
        "[]string",
        "+kubebuilder:validation:MaxItems=«1, listType=atomic»",
        "another marker follows the value of `kubebuilder:validation:MaxItems`; write each marker on a separate line",
        "// +kubebuilder:validation:MaxItems=1\n\t// +listType=atomic\n",
    ),
];
