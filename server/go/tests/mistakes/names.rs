//! Names of markers that controller-gen does not know.

use std::fs;

use crate::answers::ours;
use go::version::Version;

use super::{reported_by_release, reported_in, reported_on};

#[test]
fn a_marker_of_a_later_release_is_reported_with_the_release() {
    let of = |marker: &str| {
        reported_by_release(
            &format!("type A struct {{\n\t// +{marker}\n\tB string `json:\"b\"`\n}}\n"),
            Version::new(15, 0),
        )
    };
    assert_eq!(
        of("required"),
        [
            "7 Unknown required: controller-gen v0.15.0 does not know `required`, v0.16.0 does; update controller-gen"
        ]
    );
    assert_eq!(of("optional"), [""; 0]);
}

#[test]
fn metadata_under_other_names_is_reported_at_the_name() {
    let found = reported_in(
        "type A struct {\n\tmetav1.TypeMeta `json:\"type\"`\n\tmetav1.ObjectMeta `json:\"meta,omitempty\"`\n}\n",
    );
    let tokens: Vec<&str> = found.iter().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(tokens, ["7 Tag type", "8 Tag meta"], "{found:?}");
    assert!(found[1].ends_with("[Change `meta` to `metadata`]"), "{found:?}");
    let sound = "type A struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n";
    assert_eq!(reported_in(sound), Vec::<String>::new());
    // An object may contain the metadata of another object under any name.
    let part = "type A struct {\n\tmetav1.ObjectMeta `json:\"meta,omitempty\"`\n}\n";
    assert_eq!(reported_in(part), Vec::<String>::new());
}

#[test]
fn markers_of_other_generators_are_known_by_their_first_part() {
    let above = |marker: &str| reported_in(&format!("// {marker}\ntype A string\n"));
    for known in ["+kubebuilder:rbac:groups=a", "+kubebuilder:webhook:path=/a", "+kubebuilder:mine:a=b"] {
        assert_eq!(above(known), Vec::<String>::new(), "{known}");
    }
    for (written, intended) in [
        ("kubebuilder:rback:groups", "kubebuilder:rbac:groups"),
        ("kubebuilder:webhok:path", "kubebuilder:webhook:path"),
    ] {
        let expected = format!(
            "6 Unknown {written}: no generator knows the marker `{written}`, so it has no effect; write `{intended}` [Change \
             `{written}` to `{intended}`]"
        );
        assert_eq!(above(&format!("+{written}=a")), [expected]);
    }
    assert_eq!(above("+kubebuilder:object:root=true"), Vec::<String>::new());
    assert_eq!(
        above("+kubebuilder:object:root:true"),
        [
            "6 Form kubebuilder:object:root:: controller-gen ignores this marker, because the value of `kubebuilder:object:root` \
             follows `:`; write `=` instead [Change `:` to `=` after `kubebuilder:object:root`]"
        ]
    );
}

/// A list in prose and a marker that a dash disables have no safe fix: the definition would differ.
#[test]
fn the_fix_for_a_marker_after_a_dash_is_not_safe() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("go.mod"), "module example.com/a\n").unwrap();
    let head = "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n";
    let lines = [
        "- kubebuilder:validation:MaxLength=3",
        "-kubebuilder:validation:MaxLength=4",
        "- +kubebuilder:validation:MaxLength=5",
    ];
    let fields =
        lines.map(|line| format!("\t// {line}\n\tF{} string `json:\"f{}\"`\n", line.len(), line.len()));
    let types = format!(
        "type A struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n{}}}\n",
        fields.concat()
    );
    fs::write(root.join("types.go"), format!("{head}{types}")).unwrap();
    let (_, outcome) = ours(&root, "crd paths=./... output:dir=out", Version::NEWEST);
    let mistakes = outcome.unwrap().mistakes(false);
    let reported: Vec<_> = mistakes
        .iter()
        .map(|mistake| (mistake.is_hint, mistake.repairs.first().map(|repair| repair.is_safe)))
        .collect();
    assert_eq!(reported, [(true, Some(false)); 3], "{mistakes:?}");
}

#[test]
fn names_with_other_marks_or_blanks_are_reported() {
    for written in [
        "kubebuilder-validation:MaxLength",
        "kubebuilder/validation/MaxLength",
        "Kubebuilder:Validation:MaxLength",
        "kubebuilder: validation:MaxLength",
        "kubebuilder:validation: MaxLength",
    ] {
        let found = reported_on(&format!("{written}=5"), "string");
        let intended = "kubebuilder:validation:MaxLength";
        assert!(found.len() == 1 && found[0].ends_with(&format!("to `{intended}`]")), "{found:?}");
        assert!(found[0].contains(&format!(" {written}: ")), "{found:?}");
    }
    assert_eq!(reported_on("kubebuilder-tool:a=5", "string"), [""; 0]);
}

#[test]
fn arguments_of_rules_written_as_markers_are_added_to_the_preceding_rule() {
    for rule in ["kubebuilder:validation:XValidation:rule", "kubebuilder:validation:Rule"] {
        let found =
            reported_on(&format!("{rule}=\"self > 1\"\n\t// +kubebuilder:validation:Message=\"m\""), "int32");
        assert!(found.last().unwrap().ends_with("[Add `message` to the rule before it]"), "{found:?}");
    }
    let found = reported_on("kubebuilder:validation:Message=\"m\"", "int32");
    assert!(found.len() == 1 && !found[0].contains('['), "{found:?}");
}

#[test]
fn keys_under_another_name_are_reported_if_the_list_has_no_key() {
    let of = |markers: &str| reported_on(markers, "[]metav1.Condition");
    let found = of("listType=map\n\t// +listMapKeys=type");
    assert!(found.len() == 1 && found[0].ends_with("[Change `listMapKeys` to `listMapKey`]"), "{found:?}");
    let found = of("listType=map\n\t// +listMapKey=type\n\t// +listMapKeys=type");
    assert!(
        found.len() == 1 && found[0].ends_with("names the key; remove it [Remove `listMapKeys`]"),
        "{found:?}"
    );
    assert_eq!(of("listType=map\n\t// +listMapKey=type\n\t// +listMapKeys=status"), [""; 0]);
    assert_eq!(of("listMapKeys=type"), [""; 0]);
}

#[test]
fn metadata_of_lists_and_a_status_under_another_name_are_reported() {
    let kind = |meta: &str, rest: &str| {
        reported_in(&format!(
            "// +kubebuilder:object:root=true\n// +kubebuilder:subresource:status\ntype A struct {{\n\tmetav1.TypeMeta \
             `json:\",inline\"`\n\tmetav1.{meta} `json:\"metadata,omitempty\"`\n{rest}}}\n"
        ))
    };
    let found = kind("ListMeta", "");
    assert!(
        found.len() == 1 && found[0].ends_with("[Change `metav1.ListMeta` to `metav1.ObjectMeta`]"),
        "{found:?}"
    );
    let found = kind("ObjectMeta", "\tStatus string `json:\"state,omitempty\"`\n");
    assert!(found.len() == 1 && found[0].ends_with("[Change `state` to `status`]"), "{found:?}");
    assert_eq!(kind("ObjectMeta", "\tStatus string `json:\"status,omitempty\"`\n"), [""; 0]);
    assert_eq!(kind("ListMeta", "\tItems []string `json:\"items\"`\n"), [""; 0]);
}

#[test]
fn a_union_of_another_language_has_two_candidates() {
    let found = reported_in(
        "// +kubebuilder:validation:OneOf=b\ntype A struct {\n\tB *string `json:\"b,omitempty\"`\n}\n",
    );
    assert!(found.len() == 1 && found[0].contains("ExactlyOneOf`] [Change"), "{found:?}");
    assert!(found[0].ends_with("to `kubebuilder:validation:AtMostOneOf`]"), "{found:?}");
}

#[test]
fn a_marker_that_stands_for_several_markers_becomes_those() {
    let of = |marker: &str, of: &str, version: Version| {
        reported_by_release(
            &format!("type A struct {{\n\t// +{marker}\n\tB {of} `json:\"b\"`\n}}\n"),
            version,
        )
    };
    let reported = |marker: &str, expr: &str| of(marker, expr, Version::NEWEST);
    let validation = "kubebuilder:validation";
    let unknown = |name: &str| {
        format!("7 Unknown {name}: controller-gen does not know the marker `{name}` and ignores it")
    };
    for (expr, least) in
        [("string", "MinLength"), ("[]string", "MinItems"), ("map[string]string", "MinProperties")]
    {
        let name = format!("{validation}:NonEmpty");
        let intended = format!("{validation}:{least}=1");
        assert_eq!(
            reported(&name, expr),
            [format!("{}; write `{intended}` [Change `{name}` to `{intended}`]", unknown(&name))]
        );
    }
    let name = format!("{validation}:Range");
    let intended = format!("`{validation}:Minimum=1` and `{validation}:Maximum=5`");
    for range in ["1..5", "1-5", "[1,5]", "1,5"] {
        let expected =
            format!("{}; write {intended} [Change `{name}={range}` to {intended}]", unknown(&name));
        assert_eq!(reported(&format!("{name}={range}"), "int32"), [expected]);
    }
    let name = format!("{validation}:ReadOnly");
    let problem = format!("7 Unknown {name}: no marker makes a field read-only, so `{name}` has no effect");
    let remedy = "move the field to the status, or add the rule `self == oldSelf`";
    assert_eq!(reported(&name, "string"), [format!("{problem}; {remedy} [Remove `{name}`]")]);
    let change = |intended: &str| {
        format!("{}; write `{intended}` [Change `immutable` to `{intended}`]", unknown("immutable"))
    };
    assert_eq!(reported("immutable", "string"), [change("k8s:immutable")]);
    let rule = format!("{validation}:XValidation:rule=\"self == oldSelf\"");
    assert_eq!(of("immutable", "string", Version::new(18, 0)), [change(&rule)]);
    assert_eq!(reported(&format!("immutable\n\t// +{rule}"), "string"), [""; 0]);
}
