//! Slips with signs: characters that look like others, remarks behind a value, names in the wrong order.

/// The target, the marker or field with `«»` around the token, the message, and the text after the fix.
pub(crate) const CASES: &[(&str, &str, &str, &str)] = &[
    (
        "string",
        "+kubebuilder«：»validation:MinLength=1",
        "controller-gen ignores this marker, because `：` in its name is not `:`; write `kubebuilder:validation:MinLength`",
        "+kubebuilder:validation:MinLength=1",
    ),
    (
        "string",
        "+kubebuilder:validation:MinLength«＝»1",
        "controller-gen ignores this marker, because `＝` in its name is not `=`; write `kubebuilder:validation:MinLength`",
        "+kubebuilder:validation:MinLength=1",
    ),
    (
        "string",
        "+o«\u{200b}»ptional",
        "controller-gen ignores this marker, because its name has the invisible U+200B; write `optional`",
        "+optional",
    ),
    (
        "string",
        "+«optional»()",
        "controller-gen ignores this marker, because `()` follows `optional`; end the line there",
        "+optional",
    ),
    (
        "[]string",
        "+«kubebuilder:validation:items:Enum» {a,b}",
        "controller-gen ignores this marker, because `{a,b}` follows `kubebuilder:validation:items:Enum`; write `=` there",
        "+kubebuilder:validation:items:Enum={a,b}",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=a;«b (default)»",
        "the comment is part of the value \"b (default)\"; move it to a separate line",
        "+kubebuilder:validation:Enum=a;b",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=a;b«;»\n\t// +c;d",
        "the marker ends with its line, but its values go on in the next one; write them on one line",
        "+kubebuilder:validation:Enum=a;b;c;d",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=a;b; «\\»\n\t// c;d",
        "`\\` is a value of the enum, because a marker ends with its line; remove it",
        "+kubebuilder:validation:Enum=a;b;c;d",
    ),
    (
        "string",
        "+kubebuilder:validation:XValidation:rule=\"self != ''\"«,»\n\t// +message=\"m\"",
        "no argument follows the last `,`; write all arguments on one line",
        "+kubebuilder:validation:XValidation:rule=\"self != ''\",message=\"m\"\n",
    ),
    (
        "string",
        "+kubebuilder:validation:XValidation:rule=\"self != ''\",«\\»\n\t// message=\"m\"",
        "a marker ends with its line, also after `\\`; write all arguments on one line",
        "+kubebuilder:validation:XValidation:rule=\"self != ''\",message=\"m\"\n",
    ),
    (
        "string",
        "+kubebuilder:default=\"a\" «(b)»",
        "`(b)` follows the value of `kubebuilder:default`; remove it",
        "+kubebuilder:default=\"a\"\n",
    ),
    ("int32", "+default=«05»", "`default` takes JSON, which `05` is not; write `5`", "+default=5"),
    ("int32", "+default=«5s»", "`default` takes JSON, which `5s` is not; write `5`", "+default=5"),
    (
        "field",
        "// B is one. +«optional»\n\tB string `json:\"b\"`",
        "controller-gen ignores `optional`, because text precedes it on its line; write the marker on a separate line",
        "// B is one.\n\t// +optional\n\tB string `json:\"b\"`",
    ),
    (
        "field",
        "Hosts string `json:\"«{hosts}»\"`",
        "the signs in `{hosts}` are part of the JSON name; write `hosts`",
        "Hosts string `json:\"hosts\"`",
    ),
    (
        "field",
        "Version string `json:\"«apiVersion»\"`",
        "`TypeMeta` has a field `apiVersion` too, which Go neither reads nor writes because of this one; rename this field",
        "Version string `json:\"version\"`",
    ),
    (
        "field",
        "B string `json:\"b,omitempty\" «// optional»`",
        "Go does not read `// optional` after the value of `json`; write all of the value in one pair of quotes",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "Part «Hosts» `json:\"hosts\"`",
        "`Part` is the name of this field, and `Hosts` its type; write `Hosts Part`",
        "Hosts Part `json:\"hosts\"`",
    ),
    (
        "field",
        "string «Hosts» `json:\"hosts\"`",
        "`string` is the name of this field, and `Hosts` its type; write `Hosts string`",
        "Hosts string `json:\"hosts\"`",
    ),
    (
        "field",
        "Conditions []«metav1Condition» `json:\"conditions\"`",
        "the type `metav1Condition` is not declared; write `metav1.Condition`, or declare the type",
        "Conditions []metav1.Condition `json:\"conditions\"`",
    ),
];
