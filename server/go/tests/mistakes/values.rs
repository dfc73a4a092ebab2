//! Values and arguments of markers that mean something else than they seem to.

use std::fs;

use crate::answers::ours;
use go::version::Version;

use super::{reported_in, reported_in_struct};

#[test]
fn duplicate_enum_values_are_reported_in_any_notation() {
    let of = |kind: &str, values: &str| {
        reported_in(&format!("// +kubebuilder:validation:Enum={values}\ntype A {kind}\n")).len()
    };
    assert_eq!(
        [of("string", "a;\"a\""), of("string", "a;b"), of("int32", "1;2;1"), of("int32", "1;2")],
        [1, 0, 1, 0]
    );
}

#[test]
fn an_argument_that_is_unknown_is_the_token_of_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("go.mod"), "module example.com/a\n").unwrap();
    let text = "// +groupName=a.example.com\npackage v1\n\n// +kubebuilder:validation:XValidation:rule=\"true\",mesage=\"b\"\ntype A struct{}\n";
    fs::write(root.join("types.go"), text).unwrap();
    let (_, outcome) = ours(&root, "crd paths=./... output:dir=out", Version::NEWEST);
    let outcome = outcome.unwrap();
    let token = outcome.problems[0].token.unwrap();
    assert_eq!(outcome.source(token.file).unwrap().slice(token.span), "mesage");
}

/// The text after a name is shown with a remedy.
#[test]
fn text_after_a_marker_name_is_shown() {
    let of = |marker: &str| {
        let found =
            reported_in(&format!("type A struct {{\n\t// {marker}\n\tB string `json:\"b,omitempty\"`\n}}\n"));
        found.into_iter().map(|reported| reported.split_once(": ").unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    let ignored = "controller-gen ignores this marker, because";
    assert_eq!(
        of("+optional."),
        [format!("{ignored} `.` follows `optional`; end the line there [Remove `.` after `optional`]")]
    );
    assert_eq!(
        of("+optional:"),
        [format!("{ignored} `:` follows `optional`; end the line there [Remove `:` after `optional`]")]
    );
    assert_eq!(
        of("+kubebuilder:validation:MinLength = 1"),
        [format!(
            "{ignored} a space precedes `=`; remove the space [Change to `kubebuilder:validation:MinLength`]"
        )]
    );
    assert_eq!(
        of("+optional +nullable"),
        [format!(
            "{ignored} another one follows `optional` on its line; write each marker on a separate line [Move `nullable` to a \
             separate line]"
        )]
    );
    assert_eq!(
        of("+kubebuilder:items:MaxLength=5")
            .first()
            .map(|reported| reported.contains("write `kubebuilder:validation:items:MaxLength`")),
        Some(true)
    );
}

#[test]
fn values_with_another_meaning_than_they_seem_to_have_are_reported() {
    let of = |values: &str| {
        let found = reported_in(&format!("// +kubebuilder:validation:Enum={values}\ntype A string\n"));
        found.into_iter().map(|reported| reported.split_once(": ").unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of("a;;b"), ["`;` is part of the value \";b\"; remove one `;` [Change `;b` to `b`]"]);
    assert_eq!(
        of("a;b # letters"),
        ["the comment is part of the value \"b # letters\"; move it to a separate line [Change to `b`]"]
    );
    assert_eq!(of("a ; b ; c").len(), 2, "{:?}", of("a ; b ; c"));
    let group = "// +groupName=b.example.com # the group\ntype A string\n";
    let found = reported_in(group);
    assert!(found.iter().all(|reported| !reported.contains("Change to `the group`")), "{found:?}");
}

#[test]
fn a_value_after_a_blank_or_in_parentheses_is_reported_with_the_missing_sign() {
    let of = |marker: &str| reported_in_struct(&format!("\t// +{marker}\n\tB string `json:\"b\"`"));
    for (marker, name, sign) in [
        ("kubebuilder:validation:MaxLength 5", "kubebuilder:validation:MaxLength", '='),
        ("kubebuilder:validation:MaxLength(5)", "kubebuilder:validation:MaxLength", '='),
        (
            "kubebuilder:validation:XValidation rule=\"self != 'a'\"",
            "kubebuilder:validation:XValidation",
            ':',
        ),
    ] {
        let found = of(marker);
        assert!(found.len() == 1 && found[0].starts_with(&format!("7 Form {name}: ")), "{found:?}");
        assert!(
            found[0].ends_with(&format!("; write `{sign}` there [Insert `{sign}` after `{name}`]")),
            "{found:?}"
        );
    }
}

#[test]
fn the_first_argument_without_an_equals_sign_is_reported_with_the_sign_in_its_place() {
    let of = |marker: &str| reported_in(&format!("// +{marker}\ntype A struct {{}}\n"));
    let ignored = "controller-gen ignores this marker, because";
    for (marker, expected) in [
        (
            "kubebuilder:validation:XValidation:rule:\"true\",message=\"m\"",
            "kubebuilder:validation:XValidation:rule: {ignored} the value of `rule` follows `:`; write `=` instead \
             [Change `:` to `=` after `kubebuilder:validation:XValidation:rule`]",
        ),
        (
            "kubebuilder:printcolumn:name:Foo,type=string,JSONPath=.a",
            "kubebuilder:printcolumn:name: {ignored} the value of `name` follows `:`; write `=` instead [Change `:` to `=` \
             after `kubebuilder:printcolumn:name`]",
        ),
        (
            "kubebuilder:resource:scope Cluster",
            "kubebuilder:resource:scope: {ignored} `=` is missing after `scope`; write it there [Insert `=` after `scope`]",
        ),
        (
            "kubebuilder:resource:scope",
            "kubebuilder:resource:scope: {ignored} `=` is missing after `scope`; write `kubebuilder:resource:scope=…`",
        ),
    ] {
        let expected = format!("6 Form {}", expected.replace("{ignored}", ignored));
        assert_eq!(of(marker), [expected], "{marker}");
    }
    for sound in ["kubebuilder:resource:scope=Cluster", "kubebuilder:resource:scope =Cluster"] {
        assert_eq!(of(sound), Vec::<String>::new());
    }
}

#[test]
fn quotes_of_another_language_in_arguments_are_reported() {
    let of = |marker: &str| reported_in_struct(&format!("\t// +{marker}\n\tB string `json:\"b\"`"));
    assert_eq!(
        of("kubebuilder:validation:XValidation:rule=\"self != 'a'\",message='not a'"),
        ["7 Value 'not a': `'` is part of the value 'not a'; use `\"` as quotes [Change to `\"not a\"`]"]
    );
    assert_eq!(of("kubebuilder:validation:XValidation:rule='self.size() > 0'").len(), 1);
    assert_eq!(of("kubebuilder:validation:XValidation:rule='a' == self || self == 'b'"), [""; 0]);
}

#[test]
fn enums_with_blanks_or_with_an_extra_separator_are_reported() {
    let of =
        |values: &str| reported_in(&format!("// +kubebuilder:validation:Enum={values}\ntype A string\n"));
    let one = "6 Value a b c: the enum has the one value \"a b c\"; write `a;b;c` [Change to `a;b;c`]";
    assert_eq!(of("a b c"), [one]);
    assert_eq!(of("\"a b c\""), [""; 0]);
    assert_eq!(of("a b c;d"), [""; 0]);
    let last =
        "6 Value ;: the `;` behind the last value adds no value to the enum; remove it [Remove the last `;`]";
    assert_eq!(of("a;b;"), [last]);
    assert_eq!(of("a;b"), [""; 0]);
}
