//! The problems that controller-gen reports for types and their markers: each kind has one explanation at its token.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod answers;

use answers::{outcome_of, repaired};
use go::version::Version;

/// Lines of a struct and of declarations below it, with `«»` around the token; the message, and the title of the fix.
const CASES: &[(&str, &str, &str, &str)] = &[
    // Markers.
    (
        "// +«kubebuilder:validation:MaxLength»=5\nA int32 `json:\"a\"`",
        "",
        "`kubebuilder:validation:MaxLength` applies to strings, not to an integer; remove the marker, or change the type",
        "Remove `kubebuilder:validation:MaxLength`",
    ),
    (
        "// +«k8s:enum»\nA string `json:\"a\"`",
        "",
        "`k8s:enum` is a marker of a type with constants, not of a field; move it above the type, or write \
         `kubebuilder:validation:Enum=a;b`",
        "Remove `k8s:enum`",
    ),
    (
        "// +«kubebuilder:validation:Minimum»=5\nA In `json:\"a\"`",
        "type In struct{}",
        "`kubebuilder:validation:Minimum` applies to numbers, not to the type `In`; remove the marker, or change the type",
        "Remove `kubebuilder:validation:Minimum`",
    ),
    (
        "// +«kubebuilder:validation:Pattern»=`a`\nA metav1.Duration `json:\"a\"`",
        "",
        "`kubebuilder:validation:Pattern` applies to strings, and controller-gen does not know that `Duration` is one; add \
         `kubebuilder:validation:Type=string`",
        "Remove `kubebuilder:validation:Pattern`",
    ),
    (
        "// +«kubebuilder:validation:items:MinLength»=1\nA Names `json:\"a\"`",
        "type Names []string",
        "`kubebuilder:validation:items:MinLength` does not apply to the items of the type `Names`; put the marker on the \
         declaration of that type",
        "Move `kubebuilder:validation:items:MinLength` to the type `Names`",
    ),
    (
        "// +listType=«Map»\nA []In `json:\"a\"`",
        "type In struct{}",
        "`Map` is not a value of `listType`; write `map`",
        "Change `Map` to `map`",
    ),
    (
        "// +mapType=«whole»\nA map[string]string `json:\"a\"`",
        "",
        "`whole` is not a value of `mapType`; write `granular` or `atomic`",
        "Change `whole` to `granular` | Change `whole` to `atomic`",
    ),
    (
        "// +kubebuilder:validation:XValidation:rule=`true`,reason=«FieldValueMissing»\nA string `json:\"a\"`",
        "",
        "`FieldValueMissing` is not a value of `reason`; write `FieldValueRequired`, `FieldValueInvalid`, `FieldValueForbidden` or \
         `FieldValueDuplicate`",
        "Change `FieldValueMissing` to `FieldValueRequired` | Change `FieldValueMissing` to `FieldValueInvalid` | Change \
         `FieldValueMissing` to `FieldValueForbidden` | Change `FieldValueMissing` to `FieldValueDuplicate`",
    ),
    (
        "// +kubebuilder:externalDocs:url=«\"example\"»\nA string `json:\"a\"`",
        "",
        "`\"example\"` is not a URL; write a URL such as `https://example.com`",
        "",
    ),
    (
        "// +kubebuilder:validation:Maximum=«1.5»\nA int32 `json:\"a\"`",
        "",
        "the bound of an integer cannot be `1.5`; write a whole number",
        "Change `1.5` to `1`",
    ),
    (
        "// +kubebuilder:validation:Minimum=«0.5»\nA int32 `json:\"a\"`",
        "",
        "the bound of an integer cannot be `0.5`; write a whole number",
        "Change `0.5` to `1`",
    ),
    (
        "// +«listMapKey»=a\nA []In `json:\"a\"`",
        "type In struct{}",
        "`listMapKey` applies only to lists of type `map`; add `listType=map`",
        "Add `listType=map` | Remove `listMapKey`",
    ),
    (
        "// +listType=atomic\n// +«listMapKey»=a\nA []In `json:\"a\"`",
        "type In struct{}",
        "`listMapKey` applies only to lists of type `map`, not of type `atomic`; write `listType=map`, or remove the key",
        "Change the type of the list to `map` | Remove `listMapKey`",
    ),
    // Types.
    (
        "«URLPath» string",
        "",
        "the field has no `json` tag; add a tag such as `json:\"name\"`, or `json:\"-\"`",
        "Add `json:\"urlPath\"`",
    ),
    (
        "A «float64» `json:\"a\"`",
        "",
        "controller-gen rejects `float64`, because languages differ in such numbers; use a string, or generate with \
         `crd:allowDangerousTypes=true`",
        "Change `float64` to `string`",
    ),
    (
        "// +optional\nA «chan int» `json:\"a,omitempty\" yaml:\"a\"`",
        "",
        "no schema describes the type `chan int`; use another type, or add the tag `json:\"-\"`",
        "Set `json:\"-\"` (the field is not part of the API)",
    ),
    (
        "A map[string]«interface{}» `json:\"a\"`",
        "",
        "no schema describes the type `interface{}`; use `apiextensionsv1.JSON`, or add `Schemaless` and `PreserveUnknownFields`",
        "Use `apiextensionsv1.JSON` | Allow any value with `Schemaless` and `PreserveUnknownFields`",
    ),
    (
        "A B `json:\"a\"`",
        "type B []«any»",
        "no schema describes the type `any`; use `apiextensionsv1.JSON`, or add `Schemaless` and `PreserveUnknownFields`",
        "Use `apiextensionsv1.JSON`",
    ),
    (
        "A map[«int»]string `json:\"a\"`",
        "",
        "the keys of a map are strings, not `int`; use `string` as the type of the keys",
        "Change `int` to `string`",
    ),
    (
        "A «Absent» `json:\"a\"`",
        "",
        "the type `Absent` is not declared; declare the type, or correct its name",
        "",
    ),
    (
        "A «time.Duration» `json:\"a\"`",
        "",
        "the package `time` is not imported; import `time`",
        "Add the import of `time`",
    ),
    (
        "// +«kubebuilder:validation:MinItems»=1\nA map[string]string `json:\"a\"`",
        "",
        "`kubebuilder:validation:MinItems` applies to lists, not to an object; write `kubebuilder:validation:MinProperties`",
        "Change to `kubebuilder:validation:MinProperties`",
    ),
    (
        "A «Boddy» `json:\"a\"`",
        "type Body struct {\n\tB string `json:\"b\"`\n}",
        "the type `Boddy` is not declared; write `Body`, or declare the type",
        "Change `Boddy` to `Body`",
    ),
    ("A «other.Kind» `json:\"a\"`", "", "the package `other` is not imported; import the package", ""),
    (
        "A «metva1.Time» `json:\"a\"`",
        "",
        "the package `metva1` is not imported; write `metav1`",
        "Change `metva1` to `metav1`",
    ),
    (
        "A «integer» `json:\"a\"`",
        "",
        "the type `integer` is not declared; write `int32` or `int64`",
        "Change `integer` to `int32` | Change `integer` to `int64`",
    ),
    (
        "A []«boolean» `json:\"a\"`",
        "",
        "the type `boolean` is not declared; write `bool`",
        "Change `boolean` to `bool`",
    ),
    (
        "A «struct{ B string }» `json:\"a\"`",
        "",
        "controller-gen does not support structs without a name; declare a type for it",
        "Declare the type AA",
    ),
    (
        "// +«kubebuilder:validation:items:MaxLength»=5\nA map[string]string `json:\"a\"`",
        "",
        "`kubebuilder:validation:items:MaxLength` applies to lists, not to an object; remove it, or write it above a type of the \
         values",
        "Declare the type AValue with the marker",
    ),
    (
        "// +«kubebuilder:validation:items:MaxLength»=5\nA string `json:\"a\"`",
        "",
        "`kubebuilder:validation:items:MaxLength` applies to lists, not to a string; write `kubebuilder:validation:MaxLength`",
        "Change to `kubebuilder:validation:MaxLength`",
    ),
];

#[test]
fn each_problem_is_explained_at_its_token() {
    let mut wrong = Vec::new();
    for (fields, below, expected, title) in CASES {
        let fields = fields.replace('\n', "\n\t");
        let marked = format!(
            "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype A struct \
             {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t{fields}\n}}\n\n{below}\n"
        );
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let outcome = outcome_of(&marked.replace(['«', '»'], ""), Version::NEWEST);
        let Some(problem) = outcome.problems.first() else {
            wrong.push(format!("{fields}: no problem"));
            continue;
        };
        let place = outcome.place_of(problem).unwrap();
        let mistake = outcome.explained(problem, place);
        let remedy = mistake.remedy.map_or_else(String::new, |remedy| format!("; {remedy}"));
        let explanation = format!("{}{remedy}", mistake.problem);
        let fix = mistake.repairs.iter().map(|repair| &*repair.title).collect::<Vec<_>>().join(" | ");
        let range = (place.span.start as usize, place.span.end as usize);
        if explanation != *expected || fix != *title || range != (start, end) {
            wrong
                .push(format!("{fields}: {explanation:?}, {fix:?}, {range:?} instead of {:?}", (start, end)));
        }
        let own = mistake.related.map(|(_, what)| what);
        if own.is_none_or(|own| !own.starts_with("controller-gen: ")) {
            wrong.push(format!("{fields}: the words of controller-gen are missing"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without imports, in a block, after a single import, and with the package imported by another name; both fixes are
/// accepted in each case.
#[test]
fn a_field_of_any_value_has_two_repairs() {
    const JSON: &str = "\"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1\"";
    let text = |imports: &str, of: &str, field: &str| {
        format!(
            "// +groupName=a.example.com\npackage v1{imports}\n\ntype A struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\t\
             metav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n{field}\tB {of} `json:\"b\"`\n}}\n"
        )
    };
    let meta = "metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"";
    for (imports, after, name) in [
        (
            format!("\n\nimport {meta}"),
            format!("\n\nimport {meta}\nimport apiextensionsv1 {JSON}"),
            "apiextensionsv1",
        ),
        (
            format!("\n\nimport (\n\t\"encoding/json\"\n\n\t{meta}\n)\n\nvar _ json.Number"),
            format!(
                "\n\nimport (\n\t\"encoding/json\"\n\n\t{meta}\n\tapiextensionsv1 {JSON}\n)\n\nvar _ json.Number"
            ),
            "apiextensionsv1",
        ),
        (
            format!("\n\nimport (\n\text {JSON}\n\t{meta}\n)"),
            format!("\n\nimport (\n\text {JSON}\n\t{meta}\n)"),
            "ext",
        ),
    ] {
        let of = if imports.contains("encoding") { "[]json.RawMessage" } else { "[]any" };
        let before = text(&imports, of, "");
        let outcome = outcome_of(&before, Version::NEWEST);
        let problem = outcome.problems.first().unwrap_or_else(|| panic!("{before}"));
        let mistake = outcome.explained(problem, outcome.place_of(problem).unwrap());
        let repaired: Vec<String> = mistake.repairs.iter().map(|repair| repaired(&before, repair)).collect();
        let markers =
            "\t// +kubebuilder:pruning:PreserveUnknownFields\n\t// +kubebuilder:validation:Schemaless\n";
        let expected = [text(&after, &format!("[]{name}.JSON"), ""), text(&imports, of, markers)];
        assert_eq!(repaired, expected);
        for text in repaired {
            let outcome = outcome_of(&text, Version::NEWEST);
            assert!(
                outcome.problems.is_empty() && outcome.files.len() == 1,
                "{text}\n{:?}",
                outcome.problems
            );
        }
    }
}

#[test]
fn a_conflict_with_several_types_is_one_error() {
    let text = "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype A struct \
                {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\tB B \
                `json:\"b\"`\n}\n\ntype B struct {\n\tC string `json:\",inline\"`\n\tD `json:\",inline\"`\n\tE \
                `json:\",inline\"`\n}\n\ntype D struct{}\n\ntype E struct{}\n";
    let outcome = outcome_of(text, Version::NEWEST);
    let mut problems: Vec<_> =
        outcome.problems.iter().map(|one| (&one.place, &one.message, one.token)).collect();
    let count = problems.len();
    problems.dedup();
    assert!(count > 0 && problems.len() == count, "{:?}", outcome.problems);
}
