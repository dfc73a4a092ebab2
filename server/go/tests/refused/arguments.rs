//! Rejected markers with arguments: `kubebuilder:resource:shortname=w`.

use super::{Case, REMOVED};

pub(super) const CASES: &[Case] = &[
    (
        "string",
        "kubebuilder:validation:XValidation:rule=«self == 'a'\"»,message=\"x\"",
        "the opening `\"` of `rule` is missing; insert it",
        "kubebuilder:validation:XValidation:rule=\"self == 'a'\",message=\"x\"",
    ),
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
        "kubebuilder:«printcolumn»=name=A,type=string,JSONPath=\".b\"",
        "`kubebuilder:printcolumn` takes arguments, not a value; write `:` before them",
        "kubebuilder:printcolumn:name=A,type=string,JSONPath=\".b\"",
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
