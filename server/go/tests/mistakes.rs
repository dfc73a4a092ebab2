//! Text that controller-gen accepts, although its author means something else.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "../../../tests/support/beside.rs"]
mod beside;

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
            "{ignored} a blank precedes `=`; remove the blank [Change to `kubebuilder:validation:MinLength`]"
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
    assert_eq!(reported_in_struct("\tB string `yaml:\"a\" json:\"b\"`"), [""; 0]);
}

#[test]
fn blanks_in_names_and_markers_among_options_are_reported() {
    assert_eq!(
        reported_in_struct("\tB string `json:\"b ,omitempty\"`\n\tC string `json:\"c,required\"`"),
        [
            "7 Tag b : the blank in \"b \" is part of the JSON name; remove it [Change `b ` to `b`]",
            "8 Tag required: `required` is not an option of a JSON tag and has no effect; remove it, and write the marker `+required`",
        ]
    );
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
