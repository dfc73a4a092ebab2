//! Text that controller-gen accepts, although its author means something else.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "../../../tests/support/beside.rs"]
mod beside;
#[path = "mistakes/names.rs"]
mod names;
#[path = "mistakes/values.rs"]
mod values;

use std::fs;
use std::path::{Path, PathBuf};

use answers::{args, ours, outcome_of};
use go::generate::Outcome;
use go::version::Version;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/go").join(name).canonicalize().unwrap()
}

/// One line for each mistake: its line, its kind, its token, its message and its fix.
fn reported(outcome: &Outcome) -> Vec<String> {
    reported_with(outcome, false)
}

/// The same lines, including violations of the conventions.
fn reported_with(outcome: &Outcome, conventions: bool) -> Vec<String> {
    let mistakes = outcome.mistakes(conventions).into_iter();
    let lines = mistakes.map(|mistake| {
        let file = outcome.source(mistake.place.file).unwrap();
        let (line, _) = file.position(mistake.place.span.start);
        let repairs: String = mistake.repairs.iter().map(|repair| format!(" [{}]", repair.title)).collect();
        let remedy = mistake.remedy.map_or_else(String::new, |remedy| format!("; {remedy}"));
        let text = file.slice(mistake.place.span);
        format!("{line} {:?} {text}: {}{remedy}{repairs}", mistake.kind, mistake.problem)
    });
    lines.collect()
}

#[test]
fn each_slip_is_reported_at_its_token() {
    for name in ["slips", "dead"] {
        compare(&fixture(name), false);
    }
}

#[test]
fn conventions_are_reported_only_on_request() {
    let case = fixture("conventions");
    compare(&case, true);
    let (_, outcome) = ours(&case, &args(&case), Version::NEWEST);
    assert_eq!(reported(&outcome.unwrap()), Vec::<String>::new());
}

fn compare(case: &Path, conventions: bool) {
    let (_, outcome) = ours(case, &args(case), Version::NEWEST);
    let lines = reported_with(&outcome.unwrap(), conventions).join("\n") + "\n";
    let expected = case.join("expected.mistakes");
    if environment::updates() {
        fs::write(&expected, &lines).unwrap();
    }
    assert_eq!(lines, fs::read_to_string(&expected).unwrap_or_else(|_| String::new()));
}

/// The mistakes in a package with the types in `text`.
fn reported_in(text: &str) -> Vec<String> {
    reported_by_release(text, Version::NEWEST)
}

/// The mistakes for another release.
fn reported_by_release(text: &str, version: Version) -> Vec<String> {
    let head = "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n";
    reported(&outcome_of(&format!("{head}{text}"), version))
}

#[test]
fn of_two_fields_with_one_json_name_the_one_with_another_go_name_is_renamed() {
    let of = |fields: &str| reported_in(&format!("type A struct {{\n{fields}}}\n"));
    let problem = "the JSON name `name` is given twice, so Go encodes neither field; rename one";
    for (line, fields) in [
        (8, "\tName string `json:\"name\"`\n\tExtra string `json:\"name\"`\n"),
        (7, "\tExtra string `json:\"name\"`\n\tName string `json:\"name\"`\n"),
    ] {
        assert_eq!(of(fields), [format!("{line} Tag name: {problem} [Change `name` to `extra`]")]);
    }
}

#[test]
fn a_field_that_a_union_counts_twice_is_reported() {
    let types = |names: &str| {
        format!(
            "// +kubebuilder:validation:AtMostOneOf={names}\ntype A struct {{\n\tB string `json:\"b,omitempty\"`\n\tC string \
             `json:\"c,omitempty\"`\n}}\n"
        )
    };
    assert_eq!(reported_in(&types("b;c")), Vec::<String>::new());
    assert_eq!(
        reported_in(&types("b;c;b")),
        ["6 Value b: the rule counts the field `b` twice; remove one [Remove the second `b`]".to_owned()]
    );
}

#[test]
fn markers_of_types_and_fields_that_are_commented_out_are_no_mistakes() {
    let found = reported_in(
        "// Mode is gone.\n// +kubebuilder:validation:Enum=a;b\n//type Mode string\n\n// type Part struct {\n// +required\n\
         // +kubebuilder:validation:MaxLength=5\n// Name string `json:\"name\"`\n// }\n\nconst a = 1\n",
    );
    assert_eq!(found, Vec::<String>::new());
    let found = reported_in(
        "// +kubebuilder:validation:Enum=a;b\n\n// type of nothing in particular\n\nconst a = 1\n",
    );
    assert_eq!(found.len(), 1, "{found:?}");
}

/// controller-gen keeps the path and the singular of a marker that a second one follows, and resets its other
/// arguments.
#[test]
fn a_second_resource_resets_all_but_the_names() {
    let kind = "type A struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n";
    let of = |first: &str| {
        reported_in(&format!(
            "// +kubebuilder:resource:{first}\n// +kubebuilder:resource:scope=Cluster\n{kind}"
        ))
    };
    assert_eq!(of("path=as"), [""; 0]);
    assert_eq!(
        of("path=as,shortName=x"),
        [
            "6 Overridden kubebuilder:resource: another `kubebuilder:resource` resets `shortName` of this one; merge the two into one marker [Merge the two markers]"
        ]
    );
    assert_eq!(
        of("shortName=x"),
        [
            "6 Overridden kubebuilder:resource: another `kubebuilder:resource` resets `shortName` of this one; merge the two into one marker [Merge the two markers]"
        ]
    );
}

#[test]
fn tags_and_types_of_lists_are_reported() {
    let of = |field: &str| reported_in(&format!("type A struct {{\n\t{field}\n}}\n"));
    assert_eq!(
        of("B string `json:\"x;omitempty\"`"),
        [
            "7 Tag x;omitempty: `;omitempty` is part of the JSON name `x;omitempty`; write `,` before an option [Change `;` to `,` after `x`]"
        ]
    );
    assert_eq!(
        of("// +kubebuilder:validation:Type=object\n\tB []string `json:\"b\"`"),
        [
            "7 Value object: Go cannot decode a value of type `object` as a list; write `array` [Change to `array`]"
        ]
    );
    assert_eq!(of("// +kubebuilder:validation:Type=string\n\tB []byte `json:\"b\"`"), [""; 0]);
    assert_eq!(
        of("// +required\n\tmetav1.TypeMeta `json:\",inline\"`"),
        [
            "7 Target required: `required` on an inlined field requires a property with an empty name; remove it [Remove `required`]"
        ]
    );
}

#[test]
fn markers_of_an_alias_are_reported() {
    let types = "type Base struct {\n\tA string `json:\"a\"`\n}\n\n// +kubebuilder:validation:MinProperties=1\ntype Other = Base\n\n\
                 // +kubebuilder:validation:MaxLength=5\ntype Text = string\n";
    assert_eq!(
        reported_in(types),
        [
            "10 Unused kubebuilder:validation:MinProperties: fields of this package do not have `kubebuilder:validation:MinProperties`, \
          because Other is an alias of Base; declare `type Other Base`, or move the marker to Base"
        ]
    );
}

#[test]
fn a_kind_without_its_type_is_reported_once() {
    let found = reported_in(
        "// +kubebuilder:subresource:status\n// +kubebuilder:resource:scope=Cluster\ntype A struct {\n\tmetav1.ObjectMeta \
         `json:\"metadata,omitempty\"`\n}\n",
    );
    assert_eq!(
        found,
        [
            "8 Unused A: no definition is generated of A, because it does not embed `metav1.TypeMeta`; embed `metav1.TypeMeta` before `metav1.ObjectMeta` [Embed `metav1.TypeMeta`]"
        ]
    );
}

/// The mistakes in a struct with these lines.
fn reported_in_struct(lines: &str) -> Vec<String> {
    reported_in(&format!("type A struct {{\n{lines}\n}}\n"))
}

#[test]
fn a_tag_that_go_does_not_read_is_reported_at_the_tag() {
    for (tag, better) in [
        ("json: \"a\"", "json:\"a\""),
        ("json:b,omitempty", "json:\"b,omitempty\""),
        ("json=\"c\"", "json:\"c\""),
        ("JSON:\"d\"", "json:\"d\""),
        ("json:'e'", "json:\"e\""),
    ] {
        assert_eq!(
            reported_in_struct(&format!("\tB string `{tag}`")),
            [format!(
                "7 Refused `{tag}`: Go reads no `json` in this tag; write `json:\"name\"` [Change the tag to `{better}`]"
            )]
        );
    }
    assert_eq!(
        reported_in_struct("\t// +optional\n\tNodeName string `json`"),
        [
            "8 Refused `json`: Go reads no `json` in this tag; write `json:\"name\"` [Change the tag to `json:\"nodeName,omitempty\"`]"
        ]
    );
    assert_eq!(reported_in_struct("\tB string `yaml:\"a\" json:\"b\"`"), [""; 0]);
}

#[test]
fn blanks_in_names_and_markers_among_options_are_reported() {
    assert_eq!(
        reported_in_struct("\tB string `json:\"b ,omitempty\"`\n\tC string `json:\"c,required\"`"),
        [
            "7 Tag b : the space in \"b \" is part of the JSON name; remove it [Change `b ` to `b`]",
            "8 Tag required: `required` is not an option of a JSON tag and has no effect; remove it, and write the marker `+required` [Remove `,required`]",
        ]
    );
}

#[test]
fn two_resource_markers_are_merged() {
    let found = reported_in(
        "// +kubebuilder:resource:scope=Cluster\n// +kubebuilder:resource:shortName=ww\ntype A struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}\n",
    );
    assert_eq!(
        found,
        [
            "6 Overridden kubebuilder:resource: another `kubebuilder:resource` resets `scope` of this one; merge the two into one marker [Merge the two markers]"
        ]
    );
}

#[test]
fn a_marker_without_a_target_is_moved_to_its_target() {
    let of = |marker: &str| reported_in(&format!("// +{marker}\nconst B = 1\n"));
    for (marker, place) in [
        ("kubebuilder:storageversion", "move it above a type"),
        ("kubebuilder:validation:MaxLength=1", "move it above a field or a type"),
        ("kubebuilder:skip", "move it above the `package` clause"),
    ] {
        let found = of(marker);
        assert!(found.len() == 1 && found[0].contains(place), "{found:?}");
    }
}

#[test]
fn structs_that_embed_the_same_names_have_one_finding_each() {
    let fields: String = (0..200).map(|at| format!("\tF{at} string `json:\"f{at}\"`\n")).collect();
    let both = "\tBase `json:\",inline\"`\n\tOther `json:\",inline\"`\n";
    let mut text = format!("type Base struct {{\n{fields}}}\n\ntype Other struct {{\n{fields}}}\n");
    // Each of these structs embeds all structs before it, which are examined only once.
    let mut above = String::new();
    for at in 0..50 {
        text.push_str(&format!("\ntype S{at} struct {{\n{both}{above}}}\n"));
        above.push_str(&format!("\tS{at} `json:\",inline\"`\n"));
    }
    let reported = reported_in(&text);
    assert_eq!(reported.len(), 50, "{reported:?}");
    assert!(
        reported.iter().all(|one| one.contains("`Base` and `Other` both have a field `f0`")),
        "{reported:?}"
    );
}

/// The mistakes of a marker on a field with a type, without the line.
fn reported_on(marker: &str, of: &str) -> Vec<String> {
    let found = reported_in_struct(&format!("\t// +{marker}\n\tB {of} `json:\"b\"`"));
    found.into_iter().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

#[test]
fn obvious_repairs_are_offered() {
    for (marker, fix) in [
        ("kubebuilder:validation:MinLength=-1", "Remove `kubebuilder:validation:MinLength`"),
        ("maxLength=4", "Change `maxLength` to `kubebuilder:validation:MaxLength`"),
        ("x-kubernetes-list-type=set", "Change `x-kubernetes-list-type` to `listType`"),
        ("kubebuilder:immutable", "Change `kubebuilder:immutable` to"),
        ("optional,nullable", "Remove `,nullable` after `optional`"),
    ] {
        let found = reported_on(marker, "string");
        assert!(found.len() == 1 && found[0].contains(fix), "{marker}: {found:?}");
    }
    for marker in ["size=4", "someName=4", "openapi:maxLength=4"] {
        assert_eq!(reported_on(marker, "string"), [""; 0], "{marker}");
    }
    let tag = reported_in_struct("\tB string `json:\"b.omitempty\"`");
    assert!(tag[0].ends_with("[Change `.` to `,` after `b`]"), "{tag:?}");
    assert_eq!(reported_in_struct("\tB string `json:\"b.string\"`"), [""; 0]);
    let out = reported_in_struct("\t// #kubebuilder:validation:MaxLength=5\n\tB string `json:\"b\"`");
    assert!(out[0].contains("without `+` directly after `//`"), "{out:?}");
}

#[test]
fn markers_of_elements_are_reported_with_the_type_that_takes_them() {
    let of_values = "kubebuilder:validation:values:MaxLength";
    assert_eq!(
        reported_on(&format!("{of_values}=5"), "map[string]string"),
        [format!(
            "Unknown {of_values}: controller-gen ignores `{of_values}`, because no marker applies to the values of a map; write the \
             marker above a named type for them [Declare the type BValue with the marker]"
        )]
    );
    for (marker, of, fix) in [
        (
            "kubebuilder:validation:keys:MaxLength=5",
            "map[string]string",
            "Remove `kubebuilder:validation:keys:MaxLength`",
        ),
        (
            "kubebuilder:validation:items:items:MaxLength=5",
            "[][]string",
            "Declare the type BValue with the marker",
        ),
        (
            "kubebuilder:validation:item:MaxLength=5",
            "[]string",
            "Change `kubebuilder:validation:item:MaxLength` to `kubebuilder:validation:items:MaxLength`",
        ),
    ] {
        let found = reported_on(marker, of);
        assert!(found.len() == 1 && found[0].ends_with(&format!("[{fix}]")), "{found:?}");
    }
    assert_eq!(reported_on("kubebuilder:validation:items:MaxLength=5", "[]string"), [""; 0]);
}

#[test]
fn fields_of_a_union_by_their_go_names_are_reported() {
    let of = |names: &str| {
        reported_in(&format!(
            "// +kubebuilder:validation:ExactlyOneOf={names}\ntype A struct {{\n\tFirst *string `json:\"first,omitempty\"`\n\tOther \
             *string `json:\"second,omitempty\"`\n}}\n"
        ))
    };
    assert_eq!(of("first;second"), Vec::<String>::new());
    assert_eq!(of("first;third"), Vec::<String>::new());
    assert_eq!(
        of("First;Other"),
        [
            "6 Value First: no field is called `First` in JSON; write `first` [Change `First` to `first`]",
            "6 Value Other: no field is called `Other` in JSON; write `second` [Change `Other` to `second`]"
        ]
    );
}

#[test]
fn a_bound_outside_the_range_of_the_type_is_reported() {
    let of = |marker: &str, expr: &str| {
        reported_in(&format!(
            "type A struct {{\n\t// +kubebuilder:validation:{marker}\n\tB {expr} `json:\"b\"`\n}}\n"
        ))
    };
    let admits = |marker: &str, value: &str, expr: &str, limit: &str| {
        format!(
            "7 Bounds {value}: `kubebuilder:validation:{marker}` admits numbers that `{expr}` cannot hold; write {limit} [Change to `{limit}`]"
        )
    };
    assert_eq!(of("Minimum=-1", "uint32"), [admits("Minimum=-1", "-1", "uint32", "0")]);
    let most = "Maximum=40000";
    assert_eq!(of(most, "int16"), [admits(most, "40000", "int16", "32767")]);
    for (marker, expr) in
        [("Minimum=0", "uint32"), ("Maximum=2147483648", "int32"), ("Minimum=-1", "int64"), (most, "int64")]
    {
        assert_eq!(of(marker, expr), [""; 0], "{marker} {expr}");
    }
}
