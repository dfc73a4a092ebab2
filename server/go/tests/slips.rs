//! Misspelt names of markers and mistakes in tags: each has one finding at its token, and its fix leaves none.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "slips/intentions.rs"]
mod intentions;
#[path = "slips/roots.rs"]
mod roots;
#[path = "slips/signs.rs"]
mod signs;
#[path = "slips/syntax.rs"]
mod syntax;

use answers::{outcome_of, repaired};
use go::version::Version;

const HEAD: &str =
    "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n";

/// A kind with a marker, or with a field and its marker.
fn package(on: &str, written: &str) -> String {
    let (kind, field) = match on {
        "kind" => (format!("// {written}\n"), String::new()),
        "field" => (String::new(), format!("\t{written}\n")),
        of_type => (String::new(), format!("\t// {written}\n\tB {of_type} `json:\"b,omitempty\"`\n")),
    };
    format!(
        "{HEAD}type Part struct {{\n\tC string `json:\"c\"`\n}}\n\n{kind}type A struct {{\n\tmetav1.TypeMeta \
         `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n{field}}}\n"
    )
}

/// The target, the marker or field with `«»` around the token, the message, and the text after the fix: empty if the marker
/// is removed.
const CASES: &[(&str, &str, &str, &str)] = &[
    // Values.
    (
        "string",
        "+kubebuilder:validation:Enum=«a b|c d»",
        "the enum has the one value \"a b|c d\"; write `\"a b\";\"c d\"`",
        "+kubebuilder:validation:Enum=\"a b\";\"c d\"",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=«=a»;b",
        "`=` is part of the value \"=a\"; remove it",
        "+kubebuilder:validation:Enum=a;b",
    ),
    (
        "string",
        "+kubebuilder:validation:Format=«=date-time»",
        "`=` is part of the value `=date-time`; remove one `=`",
        "+kubebuilder:validation:Format=date-time",
    ),
    (
        "Part",
        "+kubebuilder:validation:Enum=«a;b»",
        "the enum admits no object, because none of its values is one; move it to a field of the object, or remove it",
        "",
    ),
    (
        "string",
        "+«kubebuilder:validation:MaxLength» = 4",
        "controller-gen ignores this marker, because a space precedes `=`; remove the space",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«optional» true",
        "controller-gen ignores this marker, because `true` follows `optional`; end the line there",
        "+optional",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=«Read or Write»",
        "the enum has the one value \"Read or Write\"; write `Read;Write`",
        "+kubebuilder:validation:Enum=Read;Write",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=«Read/Write»",
        "the enum has the one value \"Read/Write\"; write `Read;Write`",
        "+kubebuilder:validation:Enum=Read;Write",
    ),
    (
        "string",
        "+kubebuilder:validation:Enum=«'a';'b'»",
        "`'` is part of each value of the enum; use `\"` as quotes",
        "+kubebuilder:validation:Enum=\"a\";\"b\"",
    ),
    (
        "bool",
        "+kubebuilder:default=«ture»",
        "the default is the text \"ture\"; write `true`",
        "+kubebuilder:default=true",
    ),
    (
        "int32",
        "+kubebuilder:default=«(2)»",
        "the default is the text \"(2)\"; write `2`",
        "+kubebuilder:default=2",
    ),
    // Form.
    (
        "string",
        "+«kubebuilder:validation:MaxLength»[4]",
        "controller-gen ignores this marker, because `[4]` follows `kubebuilder:validation:MaxLength`; write `=` there",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«kubebuilder:validation:MaxLength»>=4",
        "controller-gen ignores this marker, because `>` follows `kubebuilder:validation:MaxLength`; write only `=` there",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«kubebuilder:validation:Max Length»=4",
        "controller-gen ignores this marker, because its name has a space; write `kubebuilder:validation:MaxLength`",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«optional», +kubebuilder:validation:MaxLength=4",
        "controller-gen ignores this marker, because another one follows `optional` on its line; write each marker on a \
         separate line",
        "+optional\n\t// +kubebuilder:validation:MaxLength=4",
    ),
    (
        "kind",
        "+«kubebuilder:resource»,shortName=a,scope=Cluster",
        "controller-gen ignores this marker, because `,` follows `kubebuilder:resource`; write `:` in its place",
        "+kubebuilder:resource:shortName=a,scope=Cluster",
    ),
    (
        "string",
        "*+«kubebuilder:validation:MaxLength»=4",
        "controller-gen ignores `kubebuilder:validation:MaxLength` without `+` directly after `//`; write `// \
         +kubebuilder:validation:MaxLength`",
        "// +kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "«@MaxLength»(4)",
        "controller-gen ignores `@MaxLength`, which is not a marker; write `+kubebuilder:validation:MaxLength=…`",
        "// +kubebuilder:validation:MaxLength=4",
    ),
    // Names.
    (
        "string",
        "+«kubebuilder:validation:LengthMax»=4",
        "controller-gen does not know the marker `kubebuilder:validation:LengthMax` and ignores it; write \
         `kubebuilder:validation:MaxLength`",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«maxLength: »4",
        "controller-gen does not know the marker `maxLength` and ignores it; write `kubebuilder:validation:MaxLength=`",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«MaxLength»=4",
        "controller-gen does not know the marker `MaxLength` and ignores it; write `kubebuilder:validation:MaxLength`",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«k8s:optonal»",
        "controller-gen does not know the marker `k8s:optonal` and ignores it; write `k8s:optional`",
        "+k8s:optional",
    ),
    (
        "string",
        "+«enum»",
        "controller-gen does not know the marker `enum` and ignores it; write `kubebuilder:validation:Enum=a;b`",
        "",
    ),
    (
        "string",
        "+«enum»=a;b",
        "controller-gen does not know the marker `enum` and ignores it; write `kubebuilder:validation:Enum=a;b`",
        "+kubebuilder:validation:Enum=a;b",
    ),
    (
        "string",
        "+«kubebuilder:validation:MaximumLength»=4",
        "controller-gen does not know the marker `kubebuilder:validation:MaximumLength` and ignores it; write \
         `kubebuilder:validation:MaxLength`",
        "+kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "+«optional» - may be empty",
        "controller-gen ignores this marker, because `- may be empty` follows `optional`; end the line there",
        "may be empty\n\t// +optional",
    ),
    (
        "kind",
        "+«kubebuilder:storageversion:true»",
        "controller-gen ignores this marker, because `kubebuilder:storageversion` takes no value; remove `:true`",
        "+kubebuilder:storageversion",
    ),
    (
        "kind",
        "+«kubebuilder:unservedversion:false»",
        "controller-gen ignores this marker, because `kubebuilder:unservedversion` takes no value; remove the marker",
        "",
    ),
    (
        "kind",
        "+«kubebuidler:printcolumn:name»=A,type=string,JSONPath=.metadata.name",
        "controller-gen does not know the marker `kubebuidler:printcolumn:name` and ignores it; write \
         `kubebuilder:printcolumn:name`",
        "+kubebuilder:printcolumn:name=A,type=string,JSONPath=.metadata.name",
    ),
    (
        "string",
        "+«kubebuildr:validation:XValidation:rule»=\"self != ''\",message=\"a.b\"",
        "controller-gen does not know the marker `kubebuildr:validation:XValidation:rule` and ignores it; write \
         `kubebuilder:validation:XValidation:rule`",
        "+kubebuilder:validation:XValidation:rule=\"self != ''\",message=\"a.b\"",
    ),
    (
        "kind",
        "+«validation:XValidation:rule»=\"true\"",
        "controller-gen does not know the marker `validation:XValidation:rule` and ignores it; write \
         `kubebuilder:validation:XValidation:rule`",
        "+kubebuilder:validation:XValidation:rule=\"true\"",
    ),
    (
        "string",
        "+«kbebuilder:default»:=a",
        "controller-gen does not know the marker `kbebuilder:default` and ignores it; write `kubebuilder:default`",
        "+kubebuilder:default:=a",
    ),
    (
        "kind",
        "+«kubebuilder:subresource»",
        "controller-gen does not know the marker `kubebuilder:subresource` and ignores it; write \
         `kubebuilder:subresource:status`",
        "+kubebuilder:subresource:status",
    ),
    // Arguments.
    (
        "kind",
        "+«kubebuilder:printcolumn»:name=A,JSONPath=.metadata.name",
        "`kubebuilder:printcolumn` needs the argument `type`; add `type=…`, such as `type=string`",
        "+kubebuilder:printcolumn:name=A,JSONPath=.metadata.name,type=string",
    ),
    (
        "string",
        "+«kubebuilder:validation:XValidation»:message=\"m\"",
        "`kubebuilder:validation:XValidation` needs the argument `rule`; add `rule=…`",
        "",
    ),
    // Tags.
    (
        "field",
        "B string `json:\"«b omitempty»\"`",
        "the space in \"b omitempty\" is part of the JSON name; write `,` before an option",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B string `json:\"«omitempty»,b\"`",
        "`omitempty` is the JSON name of the field, because no comma precedes it; write `,` before `omitempty`",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B string `json:\"«b(omitempty)»\"`",
        "`(omitempty` is part of the JSON name `b(omitempty)`; write `,` before an option",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B string `json:\"b,«notnull»\"`",
        "`notnull` is not an option of a JSON tag and has no effect; remove it",
        "B string `json:\"b\"`",
    ),
    (
        "field",
        "B string `json:\"b\"«,omitempty»`",
        "Go does not read `,omitempty` after the value of `json`; write all of the value in one pair of quotes",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B string `json:\"b\" «json:\"omitempty\"»`",
        "Go reads only the first `json` of a tag; remove this one",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "BigPart string `json:\"«big Part»\"`",
        "the space in \"big Part\" is part of the JSON name; remove it",
        "BigPart string `json:\"bigPart\"`",
    ),
    (
        "field",
        "B string `json:\"b,«omit»\"`",
        "`omit` is not an option of a JSON tag and has no effect; write `omitempty`",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B string `json:\"«-,»\"`",
        "the JSON name of this field is `-`, because a comma follows it; write `json:\"-\"` to exclude the field",
        "B string `json:\"-\"`",
    ),
    (
        "field",
        "B Part `json:\"«b,inline»\"`",
        "Go encodes this field as `b`, but controller-gen merges its schema into the struct; remove `inline`",
        "B Part `json:\"b\"`",
    ),
    (
        "field",
        "Part Part `json:\"«,omitempty»\"`",
        "Go encodes this field as `Part`, but controller-gen merges its schema into the struct; write a name in its `json` tag, or \
         embed the type",
        "Part Part `json:\"part,omitempty\"`",
    ),
    (
        "int32",
        "+kubebuilder:validation:Enum=«low;high»",
        "the enum admits no integer, because none of its values is one; remove it, or change the type of the field",
        "",
    ),
    (
        "bool",
        "+kubebuilder:validation:Enum=«low;high»",
        "the enum admits no boolean, because none of its values is one; remove it, or change the type of the field",
        "",
    ),
    (
        "int32",
        "+kubebuilder:validation:Enum=«\"1\";\"2\"»",
        "the enum admits no integer, because its values are strings; remove the quotes",
        "+kubebuilder:validation:Enum=1;2",
    ),
    (
        "field",
        "NodeName string `json:\"«nodeNmae»,omitempty\"`",
        "the JSON name `nodeNmae` differs from the field `NodeName`; write `nodeName`",
        "NodeName string `json:\"nodeName,omitempty\"`",
    ),
    (
        "string",
        "+«+optional»",
        "controller-gen ignores this marker, because another `+` precedes `optional`; write `+optional`",
        "+optional",
    ),
    (
        "kind",
        "+«kubebuilder:validation:XValidation::rule»=\"true\"",
        "controller-gen ignores this marker, because it has `::` in its name; write `+kubebuilder:validation:XValidation:rule`",
        "+kubebuilder:validation:XValidation:rule=\"true\"",
    ),
    (
        "bool",
        "+kubebuilder:validation:Enum=«yes;no»",
        "2 values such as `yes` are texts, and the field is a boolean; write `true` and `false`",
        "+kubebuilder:validation:Enum=true;false",
    ),
    (
        "field",
        "// @«optional»\n\tB string `json:\"b,omitempty\"`",
        "controller-gen ignores `optional` without `+` directly after `//`; write `// +optional`",
        "// +optional\n\tB string",
    ),
    (
        "field",
        "/* +«optional» */\n\tB string `json:\"b,omitempty\"`",
        "controller-gen ignores `optional` between `/*` and `*/`; write it after `//`",
        "// +optional\n\tB string",
    ),
    (
        "kind",
        "+kubebuilder:printcolumn:name=A,type=date,JSONPath=.metadata.creationTimestamp\n// +kubebuilder:printcolumn:name=«A»,type=string,JSONPath=.metadata.name",
        "two columns have the name `A`; rename one",
        "JSONPath=.metadata.creationTimestamp\n// +kubebuilder:printcolumn:name=\"Name\",type=string,JSONPath=.metadata.name",
    ),
    (
        "field",
        "Replicas int32 `json:\"«replicsa»\"`",
        "the JSON name `replicsa` differs from the field `Replicas`; write `replicas`",
        "Replicas int32 `json:\"replicas\"`",
    ),
    (
        "field",
        "Replicas int32 `json:\"«replcas»\"`",
        "the JSON name `replcas` differs from the field `Replicas`; write `replicas`",
        "Replicas int32 `json:\"replicas\"`",
    ),
    (
        "field",
        "Replicas int32 `json:\"«repllicas»\"`",
        "the JSON name `repllicas` differs from the field `Replicas`; correct the one that is misspelt",
        "Replicas int32 `json:\"replicas\"`",
    ),
    (
        "field",
        "Spec Part `json:\"«sepc»\"`",
        "the JSON name `sepc` differs from the field `Spec`; write `spec`",
        "Spec Part `json:\"spec\"`",
    ),
    (
        "field",
        "B string `json:\"b,omitempty«,»\"`",
        "the `,` at the end of the tag has no effect; remove it",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B string `json:\"b,omitempty,«omitempty»\"`",
        "`omitempty` is given twice in this tag; remove one",
        "B string `json:\"b,omitempty\"`",
    ),
    (
        "field",
        "B int32 `json:\"b\"`\n\t«B» int64 `json:\"size\"`",
        "the struct has two fields `B`; rename one",
        "B int32 `json:\"b\"`\n\tSize int64 `json:\"size\"`",
    ),
];

#[test]
fn json_names_that_are_intended_are_no_mistakes() {
    for fields in [
        // Plurals, abbreviations and other words.
        "\tItems []string `json:\"item\"`\n\tPolicy string `json:\"policies\"`",
        "\tPort int32 `json:\"prot\"`",
        "\tReplicas int32 `json:\"count\"`",
        "\tAWSRegion string `json:\"awsRegion\"`\n\tHTTPPort int32 `json:\"httpPort\"`",
        // Which of both names is misspelt is unknown, or both are intended.
        "\tResoureType string `json:\"resourceType\"`\n\tClustersCount int32 `json:\"clusterCount\"`",
        "\tVersion1Name string `json:\"version2Name\"`\n\tPolicy string `json:\"policyy\"`",
        // Another style.
        "\tNodeName string `json:\"node_name\"`\n\tPodName string `json:\"pod_name\"`",
        // A field of JSON schemas.
        "\tSchema string `json:\"$schema\"`",
        // Another field has the name.
        "\tNodeName string `json:\"nodeNmae\"`\n\tOther string `json:\"nodeName\"`",
    ] {
        let text = package("field", fields.trim_start());
        assert_eq!(outcome_of(&text, Version::NEWEST).mistakes(false), [], "{fields}");
    }
}

#[test]
fn a_misspelt_type_is_reported_in_types_that_no_kind_uses() {
    let text = format!(
        "{HEAD}type Part struct {{\n\tC string `json:\"c\"`\n}}\n\ntype Other struct {{\n\tParts []Prat `json:\"parts\"`\n}}\n"
    );
    let found = outcome_of(&text, Version::NEWEST).mistakes(false);
    let [mistake] = &*found else { panic!("{found:?}") };
    assert!(mistake.is_of_go);
    assert_eq!(mistake.problem, "the type `Prat` is not declared");
    assert_eq!(repaired(&text, &mistake.repairs[0]), text.replace("Prat", "Part"));
    // A name that resembles none may come from a file that is not read.
    assert_eq!(outcome_of(&text.replace("Prat", "Generated"), Version::NEWEST).mistakes(false), []);
}

#[test]
fn each_slip_has_one_finding_and_a_repair_that_leaves_none() {
    let mut wrong = Vec::new();
    for (on, marked, expected, after) in CASES.iter().chain(signs::CASES).chain(intentions::CASES) {
        let written = marked.replace(['«', '»'], "");
        let text = package(on, &written);
        let found = outcome_of(&text, Version::NEWEST).mistakes(false);
        let [mistake] = &*found else {
            wrong.push(format!("{marked}: {found:?}"));
            continue;
        };
        let explanation = format!("{}; {}", mistake.problem, mistake.remedy.as_deref().unwrap_or_default());
        let mut shown = text.clone();
        shown.insert(mistake.place.span.end as usize, '»');
        shown.insert(mistake.place.span.start as usize, '«');
        if explanation != *expected || !shown.contains(marked) {
            let line = shown.lines().find(|line| line.contains('«'));
            wrong.push(format!("{marked}: {explanation} in {line:?}"));
        }
        let Some(repair) = mistake.repairs.first() else {
            wrong.push(format!("{marked}: no repair"));
            continue;
        };
        let fixed = repaired(&text, repair);
        let left = outcome_of(&fixed, Version::NEWEST).mistakes(false);
        let is_written = if after.is_empty() { !fixed.contains(&written) } else { fixed.contains(after) };
        if !is_written || !left.is_empty() {
            wrong.push(format!("{marked}: repaired to {fixed}, where {left:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Markers that other generators read, and names that are intended as written.
#[test]
fn names_of_other_tools_are_left_alone() {
    for (on, written) in [
        ("string", "+k8s:minLength=1"),
        ("[]string", "+k8s:minItems=1"),
        ("string", "+Type=x"),
        ("string", "+Widget=x"),
        ("Part", "+enum"),
        ("string", "+k8s:deepcopy-gen=true"),
    ] {
        let found = outcome_of(&package(on, written), Version::NEWEST).mistakes(false);
        let found: Vec<&str> = found.iter().map(|mistake| &*mistake.problem).collect();
        assert!(found.is_empty() || written == "+Type=x", "{written}: {found:?}");
    }
}

/// No value of an enum on a struct is an object.
#[test]
fn an_enum_above_a_struct_is_reported() {
    let text = package("string", "+optional");
    let text = text.replace("type Part struct", "// +kubebuilder:validation:Enum=a;b\ntype Part struct");
    let outcome = outcome_of(&text, Version::NEWEST);
    let problems: Vec<String> =
        outcome.mistakes(false).into_iter().map(|one| one.problem.to_string()).collect();
    assert_eq!(problems, ["the enum admits no object, because none of its values is one"]);
}

/// An enum of operators contains values that begin with `=`.
#[test]
fn an_equals_sign_of_an_operator_is_no_mistake() {
    for values in ["=;!=", "==;!=", "=~;!~", "\"==\";\"!=\""] {
        let text = package("string", &format!("+kubebuilder:validation:Enum={values}"));
        let outcome = outcome_of(&text, Version::NEWEST);
        assert!(outcome.mistakes(false).is_empty(), "{values}: {:?}", outcome.mistakes(false));
    }
}

#[test]
fn an_option_without_its_comma_is_one_mistake() {
    let text = package("string", "+optional").replace("json:\",inline\"", "json:\"inline\"");
    let mistakes = outcome_of(&text, Version::NEWEST).mistakes(false);
    let problems: Vec<&str> = mistakes.iter().map(|one| &*one.problem).collect();
    assert_eq!(problems, ["`inline` is the JSON name of the field, because no comma precedes it"]);
    assert_eq!(repaired(&text, &mistakes[0].repairs[0]), package("string", "+optional"));
    let of_metadata = "json:\"metadata;omitempty\"";
    let text = package("string", "+optional").replace("json:\"metadata,omitempty\"", of_metadata);
    let mistakes = outcome_of(&text, Version::NEWEST).mistakes(false);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(repaired(&text, &mistake.repairs[0]), package("string", "+optional"));
    for tag in ["json:\"inline,\"", "json:\",\"inline\""] {
        let text = package("string", "+optional").replace("json:\",inline\"", tag);
        let mistakes = outcome_of(&text, Version::NEWEST).mistakes(false);
        let [mistake] = &*mistakes else { panic!("{tag}: {mistakes:?}") };
        assert_eq!(repaired(&text, &mistake.repairs[0]), package("string", "+optional"), "{tag}");
    }
}

#[test]
fn a_marker_directly_below_the_last_field_is_moved_above_it() {
    let below = "\tB string `json:\"b,omitempty\"`\n\t// +kubebuilder:validation:MinLength=1\n}";
    let text = package("string", "+optional").replace("\tB string `json:\"b,omitempty\"`\n}", below);
    let mistakes = outcome_of(&text, Version::NEWEST).mistakes(false);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.repairs[0].title, "Move `kubebuilder:validation:MinLength` above B");
    let after = repaired(&text, &mistake.repairs[0]);
    assert!(
        after.contains("// +kubebuilder:validation:MinLength=1\n\tB string `json:\"b,omitempty\"`\n}"),
        "{after}"
    );
    let apart = text.replace("\n\t// +kubebuilder:validation", "\n\n\t// +kubebuilder:validation");
    assert!(outcome_of(&apart, Version::NEWEST).mistakes(false)[0].repairs.is_empty());
}
