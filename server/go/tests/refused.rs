//! Markers that controller-gen rejects: each has one explanation, and its fix makes a marker that
//! controller-gen accepts.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;

use answers::{outcome_of, repaired};
use go::version::Version;
use go::{Mistake, MistakeKind};

/// The text of a package with a marker on a field of this type, or on a kind.
fn package(marker: &str, on: &str) -> String {
    let (kind, field) = match on {
        "kind" => (format!("// +{marker}\n"), "// +optional".to_owned()),
        _ => (String::new(), format!("// +{marker}")),
    };
    let of_field = if on == "kind" { "string" } else { on };
    format!(
        "// +groupName=a.example.com\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n{kind}type A \
         struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\n\t{field}\n\tB \
         {of_field} `json:\"b,omitempty\"`\n}}\n"
    )
}

/// The explanations of the rejected markers in a text, and the messages of controller-gen.
fn explained(text: &str, version: Version) -> (Vec<Mistake>, Vec<String>) {
    let outcome = outcome_of(text, version);
    let problems = outcome.problems.iter().map(|problem| problem.message.clone());
    let mistakes = outcome.mistakes(false).into_iter();
    (mistakes.filter(|mistake| mistake.kind == MistakeKind::Refused).collect(), problems.collect())
}

/// The fix removes the marker.
const REMOVED: &str = "-";

/// The target of the marker, the marker with `«»` around the token, the message, and the marker after the fix.
const CASES: &[(&str, &str, &str, &str)] = &[
    // Quotes.
    (
        "string",
        "kubebuilder:validation:XValidation:rule=«self == 'a'\"»,message=\"x\"",
        "the opening `\"` of `rule` is missing; insert it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:Pattern=«^[a-z]{0,6}$\"»",
        "the opening `\"` of `kubebuilder:validation:Pattern` is missing; insert it",
        "kubebuilder:validation:Pattern=\"^[a-z]{0,6}$\"",
    ),
    (
        "string",
        "kubebuilder:default=«\"\"60s\"\"»",
        "the quotes around `60s` are written twice; write `\"60s\"`",
        "kubebuilder:default=\"60s\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=«\"self == 'a'`»,message=\"x\"",
        "the value begins with `\"` and ends with a backtick; use the same quote at both ends",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:default=«\"a'»",
        "the value begins with `\"` and ends with `'`; use the same quote at both ends",
        "kubebuilder:default=\"a\"",
    ),
    (
        "string",
        "kubebuilder:validation:Enum=«\"a»;b",
        "the closing `\"` of `a` is missing; insert it, or remove the other one",
        "kubebuilder:validation:Enum=a;b",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=«“size(self) > 1, true”»",
        "the quotes around the value of `rule` are typographic; use `\"` as quotes",
        "kubebuilder:validation:XValidation:rule=\"size(self) > 1, true\"",
    ),
    // Names of arguments.
    (
        "string",
        "kubebuilder:validation:XValidation:«\"self == 'a'\"»,message=\"x\"",
        "the value \"self == 'a'\" has no argument in `kubebuilder:validation:XValidation`; write `rule=` before it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,«.metadata.name»",
        "the value .metadata.name has no argument in `kubebuilder:printcolumn`; write `JSONPath=` before it",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=.metadata.name",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\" «and» message=\"x\"",
        "`and` does not separate arguments; write `,`",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",«,»message=\"x\"",
        "no argument precedes this `,`; remove it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    // The same marker again.
    (
        "string",
        "kubebuilder:validation:MaxLength=4«kubebuilder:validation:MaxLength=4»",
        "another marker follows the value of `kubebuilder:validation:MaxLength`; write each marker on a separate line",
        "kubebuilder:validation:MaxLength=4",
    ),
    // Brackets and words.
    (
        "string",
        "kubebuilder:validation:MaxLength=«[4]»",
        "`kubebuilder:validation:MaxLength` takes an integer, not `[4]`; write `4`",
        "kubebuilder:validation:MaxLength=4",
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=4 «characters»",
        "`characters` follows the value of `kubebuilder:validation:MaxLength`; remove it",
        "kubebuilder:validation:MaxLength=4",
    ),
    // Separators.
    (
        "[]string",
        "kubebuilder:validation:MaxItems=«50;»",
        "`kubebuilder:validation:MaxItems` takes an integer, not `50;`; write a whole number",
        "kubebuilder:validation:MaxItems=50",
    ),
    (
        "[]string",
        "kubebuilder:validation:MaxItems=«50s»",
        "`kubebuilder:validation:MaxItems` takes an integer, not `50s`; write a whole number",
        "kubebuilder:validation:MaxItems=50",
    ),
    (
        "bool",
        "kubebuilder:validation:Enum=true «false»",
        "`;` is missing before `false`; insert it, or quote the value",
        "kubebuilder:validation:Enum=true;false",
    ),
    (
        "string",
        "kubebuilder:validation:Enum=\"\"«|»OK|error",
        "`;` is missing before `|`; insert it, or quote the value",
        "kubebuilder:validation:Enum=\"\";OK;error",
    ),
    (
        "string",
        "kubebuilder:validation:Enum=a;b«,»",
        "`,` ends the values of `kubebuilder:validation:Enum`; remove it",
        "kubebuilder:validation:Enum=a;b",
    ),
    // Values.
    (
        "string",
        "kubebuilder:validation:MinLength=«\"1\"»",
        "`kubebuilder:validation:MinLength` takes an integer, not `\"1\"`; write `1`",
        "kubebuilder:validation:MinLength=1",
    ),
    (
        "string",
        "kubebuilder:validation:MinLength=«one»",
        "`kubebuilder:validation:MinLength` takes an integer, not `one`; write `1`",
        "kubebuilder:validation:MinLength=1",
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=«08»",
        "`08` is octal, because it begins with 0; write `8`",
        "kubebuilder:validation:MaxLength=8",
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=«99999999999999999999»",
        "`99999999999999999999` does not fit into 64 bits; write a smaller number",
        "",
    ),
    (
        "[]string",
        "kubebuilder:validation:MaxItems=«1.5»",
        "`kubebuilder:validation:MaxItems` takes an integer, not `1.5`; write a whole number",
        REMOVED,
    ),
    (
        "[]string",
        "«kubebuilder:validation:MaxItems»=",
        "`kubebuilder:validation:MaxItems` has no value; write `kubebuilder:validation:MaxItems=1`",
        REMOVED,
    ),
    (
        "int32",
        "kubebuilder:validation:Minimum=«\"1\"»",
        "`kubebuilder:validation:Minimum` takes a number, not `\"1\"`; write `1`",
        "kubebuilder:validation:Minimum=1",
    ),
    (
        "int32",
        "kubebuilder:validation:Minimum=«1,2»",
        "`kubebuilder:validation:Minimum` takes a number, not `1,2`; write a number",
        REMOVED,
    ),
    (
        "int32",
        "kubebuilder:validation:MultipleOf=«abc»",
        "`kubebuilder:validation:MultipleOf` takes a number, not `abc`; write a number",
        REMOVED,
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=«unlimited»",
        "`kubebuilder:validation:MaxLength` takes an integer, not `unlimited`; write a whole number",
        REMOVED,
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=«1_000»",
        "`kubebuilder:validation:MaxLength` takes an integer, not `1_000`; write `1000`",
        "kubebuilder:validation:MaxLength=1000",
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=1«,000»",
        "`kubebuilder:validation:MaxLength` takes an integer, not `1,000`; write `1000`",
        "kubebuilder:validation:MaxLength=1000",
    ),
    (
        "string",
        "kubebuilder:validation:MaxLength=64«Ki»",
        "`kubebuilder:validation:MaxLength` takes an integer, not `64Ki`; write `65536`",
        "kubebuilder:validation:MaxLength=65536",
    ),
    (
        "int32",
        "kubebuilder:validation:Maximum=«1,000,000»",
        "`kubebuilder:validation:Maximum` takes a number, not `1,000,000`; write `1000000`",
        "kubebuilder:validation:Maximum=1000000",
    ),
    (
        "[]string",
        "kubebuilder:validation:MaxItems=«1e2»",
        "`kubebuilder:validation:MaxItems` takes an integer, not `1e2`; write `100`",
        "kubebuilder:validation:MaxItems=100",
    ),
    (
        "[]string",
        "kubebuilder:validation:MaxItems=«10 # at most»",
        "`kubebuilder:validation:MaxItems` takes an integer, not `10 # at most`; write `10`",
        "kubebuilder:validation:MaxItems=10",
    ),
    (
        "int32",
        "kubebuilder:validation:Minimum=«Zero»",
        "`kubebuilder:validation:Minimum` takes a number, not `Zero`; write `0`",
        "kubebuilder:validation:Minimum=0",
    ),
    (
        "[]string",
        "kubebuilder:validation:UniqueItems=«yes»",
        "`kubebuilder:validation:UniqueItems` takes `true` or `false`, not `yes`; write `true`",
        "kubebuilder:validation:UniqueItems=true",
    ),
    (
        "[]string",
        "kubebuilder:validation:UniqueItems=«maybe»",
        "`kubebuilder:validation:UniqueItems` takes `true` or `false`, not `maybe`; write one of the two",
        "",
    ),
    (
        "string",
        "«kubebuilder:validation:Format»",
        "`kubebuilder:validation:Format` has no value; write `kubebuilder:validation:Format=…`",
        REMOVED,
    ),
    (
        "string",
        "«kubebuilder:validation:Enum»=",
        "`kubebuilder:validation:Enum` has no value; write `kubebuilder:validation:Enum=a;b`",
        REMOVED,
    ),
    // Lists and braces.
    (
        "string",
        "kubebuilder:validation:Enum=a«,b,c»",
        "`,` ends the values of `kubebuilder:validation:Enum`; separate them with `;`",
        "kubebuilder:validation:Enum=a;b;c",
    ),
    (
        "string",
        "kubebuilder:validation:Enum={a«;»b;\"c;d\"}",
        "`;` does not separate values in braces; write `,`",
        "kubebuilder:validation:Enum={a,b,\"c;d\"}",
    ),
    (
        "map[string]int32",
        "kubebuilder:default={a:«1»",
        "`}` is missing at the end of `kubebuilder:default`; insert it",
        "kubebuilder:default={a:1}",
    ),
    (
        "[]string",
        "kubebuilder:default={\"a\" «\"b\"»}",
        "`,` is missing in braces before `\"b\"`; insert it, or quote the text",
        "",
    ),
    // Texts.
    (
        "string",
        "kubebuilder:default=«\"a»",
        "the closing `\"` is missing; insert it",
        "kubebuilder:default=\"a\"",
    ),
    (
        "string",
        "kubebuilder:default=«`a»",
        "the closing backtick is missing; insert it",
        "kubebuilder:default=`a`",
    ),
    (
        "string",
        "kubebuilder:validation:Pattern=«\"^\\d+$\"»",
        "`\\d` is no escape in a text in double quotes; use backticks as quotes",
        "kubebuilder:validation:Pattern=`^\\d+$`",
    ),
    (
        "string",
        "kubebuilder:validation:Pattern=«\"^\\\\d\\.$\"»",
        "`\\.` is no escape in a text in double quotes; write `\\\\.`",
        "kubebuilder:validation:Pattern=\"^\\\\d\\\\.$\"",
    ),
    (
        "string",
        "kubebuilder:validation:Format=date«,time»",
        "`,time` follows the value of `kubebuilder:validation:Format`; put the whole value in backticks",
        "kubebuilder:validation:Format=`date,time`",
    ),
    ("string", "default=«a»", "`default` takes JSON, which `a` is not; write `\"a\"`", "default=\"a\""),
    ("string", "default=«\"a»", "`default` takes JSON, which `\"a` is not; correct the value", ""),
    // Text after the value.
    (
        "string",
        "kubebuilder:validation:MaxLength=10 «# at most»",
        "`# at most` follows the value of `kubebuilder:validation:MaxLength`; remove it",
        "kubebuilder:validation:MaxLength=10",
    ),
    ("string", "optional=«true»", "`optional` takes no value; remove `=true`", "optional"),
    // Arguments.
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == \"«a»\"\",message=no",
        "the value of `rule` ends at `\"`, before `a`; put it in backticks",
        "kubebuilder:validation:XValidation:rule=`self == \"a\"`,message=no",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=«\"self == 'a'»,message=\"x\"",
        "the closing `\"` of `rule` is missing; insert it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=self in ['a', «'»b'],message=\"x\"",
        "the value of `rule` ends at `,`, before `'`; put it in backticks",
        "kubebuilder:validation:XValidation:rule=`self in ['a', 'b']`,message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\" «message»=\"x\"",
        "`,` is missing before the argument `message`; insert it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\"«,»",
        "no argument follows the last `,`; remove it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",«mesage»=\"x\"",
        "`kubebuilder:validation:XValidation` has no argument `mesage`; write `message`",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",«foo»=\"x\"",
        "`kubebuilder:validation:XValidation` has no argument `foo`; choose among `rule`, `message`, `messageExpression` and 3 others",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\"",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=.b,priority«=»",
        "`priority` has no value; write `priority=1`",
        "",
    ),
    // The comment below looks like the rest of the marker.
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\"«,»\n\t//   message=\"x\"",
        "no argument follows the last `,`; write all arguments on one line",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",«m»",
        "`m` has no value; write `m=…`",
        "",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\"«;»message=\"x\"",
        "`;` does not separate arguments; write `,`",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A«;»type=string,JSONPath=.b",
        "`;` does not separate arguments; write `,`",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=.b",
    ),
    (
        "int32",
        "kubebuilder:validation:ExclusiveMinimum=«0»",
        "`kubebuilder:validation:ExclusiveMinimum` takes `true` or `false`, not `0`; write the number as `kubebuilder:validation:Minimum=0`, and `true` here",
        "kubebuilder:validation:ExclusiveMinimum=true",
    ),
    (
        "int32",
        "kubebuilder:validation:Minimum=«=1»",
        "`kubebuilder:validation:Minimum` takes a number, not `=1`; write `1`",
        "kubebuilder:validation:Minimum=1",
    ),
    (
        "int32",
        "kubebuilder:validation:Minimum=«1,Maximum=5»",
        "another marker follows the value of `kubebuilder:validation:Minimum`; write each marker on a separate line",
        "kubebuilder:validation:Maximum=5",
    ),
    (
        "string",
        "kubebuilder:validation:MinLength=1 «+kubebuilder:validation:MaxLength=5»",
        "another marker follows the value of `kubebuilder:validation:MinLength`; write each marker on a separate line",
        "kubebuilder:validation:MaxLength=5",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,«path»=\".a\"",
        "`kubebuilder:printcolumn` has no argument `path`; write `JSONPath`",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".a\"",
    ),
    (
        "kind",
        "kubebuilder:resource:«plural»=as,shortNames=x",
        "`kubebuilder:resource` has no argument `plural`; write `path`",
        "kubebuilder:resource:path=as,shortName=x",
    ),
    (
        "kind",
        "kubebuilder:resource:path=as,«namespaced»=false",
        "`kubebuilder:resource` has no argument `namespaced`; write `scope=Cluster`",
        "kubebuilder:resource:path=as,scope=Cluster",
    ),
    (
        "kind",
        "kubebuilder:deprecatedversion:«text»=\"x\"",
        "`kubebuilder:deprecatedversion` has no argument `text`; write `warning`",
        "kubebuilder:deprecatedversion:warning=\"x\"",
    ),
    (
        "string",
        "kubebuilder:validation:«XValidation»=\"self == 'a'\"",
        "`kubebuilder:validation:XValidation` takes arguments, not a value; write `kubebuilder:validation:XValidation:rule=…`",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\"",
    ),
    (
        "string",
        "«kubebuilder:validation:XValidation»:message=\"no\"",
        "`kubebuilder:validation:XValidation` needs the argument `rule`; add `rule=…`",
        REMOVED,
    ),
    (
        "kind",
        "kubebuilder:resource:shortName=a,«b»,c,scope=Cluster",
        "`,` ends the values of `shortName` before `b`; separate them with `;`",
        "kubebuilder:resource:shortName=a;b;c,scope=Cluster",
    ),
    (
        "kind",
        "kubebuilder:resource:scope=Cluster,«shortname»=w",
        "`kubebuilder:resource` has no argument `shortname`; write `shortName`",
        "kubebuilder:resource:scope=Cluster,shortName=w",
    ),
    (
        "kind",
        "kubebuilder:metadata:labels=\"a=b\",«annotations»",
        "`annotations` has no value; write `annotations=…`",
        "",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=.b,priority=«high»",
        "`priority` takes an integer, not `high`; write a whole number",
        "",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\",description=\"it is \"«a»\"\"",
        "the value of `description` ends at `\"`, before `a`; put it in backticks",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\",description=`it is \"a\"`",
    ),
    (
        "kind",
        "kubebuilder:subresource:status=«true»",
        "`kubebuilder:subresource:status` takes no value; remove `=true`",
        "kubebuilder:subresource:status",
    ),
    (
        "kind",
        "kubebuilder:«printcolumn»=name=A,type=string,JSONPath=\".b\"",
        "`kubebuilder:printcolumn` takes arguments, not a value; write `:` before them",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\"",
    ),
    (
        "string",
        "kubebuilder:validation:Format=date-time«;»",
        "`;` follows the value of `kubebuilder:validation:Format`; remove it",
        "kubebuilder:validation:Format=date-time",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\",«width»=5",
        "`kubebuilder:printcolumn` has no argument `width`; choose among `name`, `type`, `JSONPath` and 3 others",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\"",
    ),
    (
        "kind",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\",description=\"a\",«descripton»=\"x\"",
        "`kubebuilder:printcolumn` has no argument `descripton`, and `description` is already given; remove it",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\",description=\"a\"",
    ),
    (
        "string",
        "kubebuilder:validation:XValidation:rule=\"true\",«optionalOldSelf»",
        "`optionalOldSelf` has no value; write `optionalOldSelf=true`",
        "kubebuilder:validation:XValidation:rule=\"true\",optionalOldSelf=true",
    ),
    (
        "kind",
        "«kubebuilder:printcolumn»:type=string,JSONPath=\".spec.nodeName\"",
        "`kubebuilder:printcolumn` needs the argument `name`; add `name=…`, such as `name=\"NodeName\"`",
        "kubebuilder:printcolumn:name=\"NodeName\",type=string,JSONPath=\".spec.nodeName\"",
    ),
    (
        "kind",
        "«kubebuilder:printcolumn»:type=string,JSONPath=`.status.conditions[?(@.type==\"Ready\")].status`",
        "`kubebuilder:printcolumn` needs the argument `name`; add `name=…`, such as `name=\"Ready\"`",
        "kubebuilder:printcolumn:name=\"Ready\",type=string,JSONPath=`.status.conditions[?(@.type==\"Ready\")].status`",
    ),
];

#[test]
fn each_refusal_is_explained_at_its_token_and_repaired() {
    let mut wrong = Vec::new();
    for (on, marked, expected, after) in CASES {
        let text = package(&marked.replace(['«', '»'], ""), on);
        let (mistakes, problems) = explained(&text, Version::NEWEST);
        let [mistake] = &*mistakes else {
            wrong.push(format!("{marked}: {} explanations of {problems:?}", mistakes.len()));
            continue;
        };
        let explanation = format!("{}; {}", mistake.problem, mistake.remedy.as_deref().unwrap_or_default());
        let mut shown = text.clone();
        shown.insert(mistake.place.span.end as usize, '»');
        shown.insert(mistake.place.span.start as usize, '«');
        if explanation != *expected || !shown.contains(&format!("// +{marked}\n")) {
            wrong.push(format!(
                "{marked}: {explanation} in {}",
                shown.lines().find(|line| line.contains('«')).unwrap()
            ));
        }
        let fixed = mistake.repairs.first().map(|repair| repaired(&text, repair));
        match &fixed {
            Some(fixed) if *after == REMOVED => {
                let name = marked.split('=').next().unwrap_or(marked).replace(['«', '»'], "");
                if fixed.contains(&name) {
                    wrong.push(format!("{marked}: repaired to {fixed}"));
                }
            }
            Some(fixed) if !after.is_empty() => {
                let line = fixed.lines().find(|line| line.trim_start() == format!("// +{after}"));
                let (_, left) = explained(fixed, Version::NEWEST);
                if line.is_none() || left.iter().any(|problem| problem.contains("<input>")) {
                    wrong.push(format!("{marked}: repaired to {fixed}, where {left:?}"));
                }
            }
            None if after.is_empty() => {}
            _ => wrong.push(format!("{marked}: repaired to {fixed:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_flag_that_is_false_is_removed() {
    let text = package("nullable=false", "string");
    let (mistakes, _) = explained(&text, Version::NEWEST);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.remedy.as_deref(), Some("remove the marker"));
    assert!(!mistake.repairs[0].is_safe);
    assert_eq!(repaired(&text, &mistake.repairs[0]), text.replace("\t// +nullable=false\n", ""));
}

#[test]
fn an_argument_of_a_later_release_is_named() {
    let text = package("kubebuilder:validation:XValidation:rule=\"true\",optionalOldSelf=true", "string");
    let (mistakes, _) = explained(&text, Version::new(14, 0));
    let problems: Vec<&str> = mistakes.iter().map(|mistake| &*mistake.problem).collect();
    assert_eq!(
        problems,
        ["controller-gen v0.14.0 does not know `optionalOldSelf` of `kubebuilder:validation:XValidation`"]
    );
    assert_eq!(explained(&text, Version::NEWEST).0, []);
}

#[test]
fn a_value_that_continues_on_the_next_lines_is_joined_into_one() {
    let rule = "kubebuilder:validation:XValidation:rule=\"self != 'a' &&\n\t// self != 'b'\",message=\"m\"";
    let text = package(rule, "string");
    let (mistakes, _) = explained(&text, Version::NEWEST);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.problem, "the marker ends with its line, but its value goes on in the next one");
    assert_eq!(mistake.repairs[0].title, "Merge the lines");
    assert_eq!(repaired(&text, &mistake.repairs[0]), text.replace("&&\n\t// self", "&& self"));
    // The next line is another marker, or there is no closing quote.
    for rule in [
        "kubebuilder:validation:XValidation:rule=\"true\n\t// +kubebuilder:title=\"a\"",
        "kubebuilder:validation:XValidation:rule=\"true\n\t// More.",
    ] {
        let (mistakes, _) = explained(&package(rule, "string"), Version::NEWEST);
        assert_eq!(mistakes[0].problem, "the closing `\"` is missing");
    }
}

#[test]
fn arguments_on_the_next_lines_are_joined_to_the_marker() {
    let column = "kubebuilder:printcolumn:name=\"A\",\n// type=string,\n// JSONPath=\".b\"";
    let text = package(column, "kind");
    let (mistakes, _) = explained(&text, Version::NEWEST);
    let [mistake] = &*mistakes else { panic!("{mistakes:?}") };
    assert_eq!(mistake.problem, "no argument follows the last `,`");
    assert_eq!(mistake.repairs[0].title, "Merge the lines");
    let joined = text.replace(",\n// type=string,\n// JSONPath", ",type=string,JSONPath");
    assert_eq!(repaired(&text, &mistake.repairs[0]), joined);
}
