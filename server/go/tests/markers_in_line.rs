//! Text around the name and the value of a marker: each case has one finding, and its fix leaves none.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod answers;

use answers::{outcome_of, repaired};
use go::version::Version;

/// A kind whose field `a` has the markers.
fn package(markers: &str) -> String {
    format!(
        "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\ntype \
         Word string\n\nconst (\n\tA Word = \"aaaa\"\n\tB Word = \
         \"bbbb\"\n)\n\ntype Thing struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta \
         `json:\"metadata,omitempty\"`\n\n{markers}}}\n"
    )
}

/// The one finding on the markers, its fix, and the text after the fix.
fn one(markers: &str) -> (String, String, String) {
    let text = package(markers);
    let outcome = outcome_of(&text, Version::NEWEST);
    let found = outcome.mistakes(false);
    let [mistake] = &*found else { return (format!("{found:?}"), String::new(), String::new()) };
    let repair = mistake.repairs.first().unwrap();
    let fixed = repaired(&text, repair);
    let left = outcome_of(&fixed, Version::NEWEST);
    assert!(left.problems.is_empty() && left.mistakes(false).is_empty(), "{fixed}");
    (
        format!("{}; {}", mistake.problem, mistake.remedy.as_deref().unwrap_or_default()),
        repair.title.clone(),
        fixed,
    )
}

#[test]
fn two_markers_on_a_line_are_separated() {
    let (message, title, fixed) = one("\t// +optional +nullable\n\tA *string `json:\"a,omitempty\"`\n");
    assert_eq!(
        message,
        "controller-gen ignores this marker, because another one follows `optional` on its line; write each marker on a \
         separate line"
    );
    assert_eq!(title, "Move `nullable` to a separate line");
    assert!(fixed.contains("\t// +optional\n\t// +nullable\n\tA"), "{fixed}");
}

#[test]
fn a_backtick_after_a_marker_is_shown_in_quotes() {
    let (message, title, fixed) = one("\t// +optional\t`\n\tA string `json:\"a,omitempty\"`\n");
    assert_eq!(
        message,
        "controller-gen ignores this marker, because \"`\" follows `optional`; end the line there"
    );
    assert_eq!(title, "Remove \"`\" after `optional`");
    assert!(fixed.contains("\t// +optional\n\tA"), "{fixed}");
}

#[test]
fn a_marker_without_a_value_is_removed() {
    let (message, title, fixed) =
        one("\t// +kubebuilder:validation:MaxLength=\n\tA string `json:\"a,omitempty\"`\n");
    assert_eq!(
        message,
        "`kubebuilder:validation:MaxLength` has no value; write `kubebuilder:validation:MaxLength=1`"
    );
    assert_eq!(title, "Remove `kubebuilder:validation:MaxLength`");
    assert!(!fixed.contains("MaxLength"), "{fixed}");
}

#[test]
fn a_colon_does_not_separate_arguments() {
    let (message, title, fixed) = one(
        "\t// +kubebuilder:validation:XValidation:rule=\"self != ''\":message=\"m\"\n\tA string `json:\"a,omitempty\"`\n",
    );
    assert_eq!(message, "`:` does not separate arguments; write `,`");
    assert_eq!(title, "Change `:` to `,`");
    assert!(fixed.contains("rule=\"self != ''\",message=\"m\"\n"), "{fixed}");
}

#[test]
fn a_name_without_a_plus_is_shown_without_its_colon() {
    let (message, _, fixed) =
        one("\t// kubebuilder:validation:MaxLength:=2\n\tA string `json:\"a,omitempty\"`\n");
    assert_eq!(
        message,
        "controller-gen ignores `kubebuilder:validation:MaxLength` without `+` directly after `//`; write `// \
         +kubebuilder:validation:MaxLength`"
    );
    assert!(fixed.contains("// +kubebuilder:validation:MaxLength:=2\n"), "{fixed}");
}

#[test]
fn a_number_in_a_form_of_go_is_explained() {
    for (written, title, after) in
        [("0x10", "Change `0x10` to `16`", "MaxLength=16\n"), ("1e", "Change `1e` to `1`", "MaxLength=1\n")]
    {
        let (message, found, fixed) =
            one(&format!("\t// +kubebuilder:validation:MaxLength={written}\n\tA string `json:\"a\"`\n"));
        let remedy = if written == "1e" { "write a whole number" } else { "write `16`" };
        let expected =
            format!("`kubebuilder:validation:MaxLength` takes an integer, not `{written}`; {remedy}");
        assert_eq!(message, expected);
        assert_eq!(found, title);
        assert!(fixed.contains(after), "{fixed}");
    }
}

#[test]
fn an_argument_without_a_value_takes_the_rest() {
    let (message, title, fixed) = one(
        "\t// +kubebuilder:validation:XValidation:message=,rule=\"self != ''\"\n\tA string `json:\"a,omitempty\"`\n",
    );
    assert_eq!(
        message,
        "`message` has no value, so controller-gen reads `,rule=\"self != ''\"`; write a value after `message=`"
    );
    assert_eq!(title, "Remove `message=`");
    assert!(fixed.contains("// +kubebuilder:validation:XValidation:rule=\"self != ''\"\n"), "{fixed}");
}

#[test]
fn an_option_of_a_tag_may_be_part_of_the_name() {
    let (message, title, fixed) = one("\tA string `json:\"aomitempty\"`\n");
    assert_eq!(
        message,
        "`omitempty` is part of the JSON name `aomitempty`, because no comma precedes it; write `,` before `omitempty`"
    );
    assert_eq!(title, "Change `aomitempty` to `a,omitempty`");
    assert!(fixed.contains("json:\"a,omitempty\""), "{fixed}");
}

/// The separator is one mistake; that the value is no constant follows from it.
#[test]
fn a_repeated_separator_is_one_mistake() {
    let (message, _, fixed) = one("\t// +kubebuilder:validation:Enum=aaaa;;bbbb\n\tA Word `json:\"a\"`\n");
    assert_eq!(message, "`;` is part of the value \";bbbb\"; remove one `;`");
    assert!(fixed.contains("Enum=aaaa;bbbb\n\tA"), "{fixed}");
}
