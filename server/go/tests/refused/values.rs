//! Rejected markers with a value: `kubebuilder:validation:MaxItems=50;`.

use super::{Case, REMOVED};

pub(super) const CASES: &[Case] = &[
    // Quotes.
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
        "`\\d` is not an escape in a text in double quotes; use backticks as quotes",
        "kubebuilder:validation:Pattern=`^\\d+$`",
    ),
    (
        "string",
        "kubebuilder:validation:Pattern=«\"^\\\\d\\.$\"»",
        "`\\.` is not an escape in a text in double quotes; write `\\\\.`",
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
        "kubebuilder:subresource:status=«true»",
        "`kubebuilder:subresource:status` takes no value; remove `=true`",
        "kubebuilder:subresource:status",
    ),
    (
        "string",
        "kubebuilder:validation:Format=date-time«;»",
        "`;` follows the value of `kubebuilder:validation:Format`; remove it",
        "kubebuilder:validation:Format=date-time",
    ),
];
