//! YAML as the API server's decoder reads it.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "yaml/alias",
        severity: Severity::Error,
        since: None,
        title: "An alias names an anchor that does not exist, stands within its own anchor, or multiplies the document.",
        checks: r#"`*name` stands for the value that `&name` marks further up in the same document. The API server's decoder refuses

- `unknown anchor 'name' referenced`: no such anchor stands before the alias in its document;
- `anchor 'name' value contains itself`: the alias stands within the value that it names;
- `document contains excessive aliasing`: following all aliases makes far more values than the document holds."#,
        why: r#"The decoder replaces every alias by a copy of the value. Without the value there is nothing to copy, a value within
itself would never end, and aliases of aliases grow so fast that a short file could fill the server's memory."#,
        wrong: r#"type: object
properties:
  cpu: *number
  memory: &number {type: integer}"#,
        right: r#"type: object
properties:
  memory: &number {type: integer}
  cpu: *number"#,
        fix: "None: only the author knows which value was meant. Move the anchor up, or write the value out.",
        source: "YAML 1.1, section 7.1 (alias nodes); the decoder of the API server, go-yaml v2.",
    },
    Rule {
        code: "yaml/duplicate-key",
        severity: Severity::Warning,
        since: None,
        title: "A mapping has the same key twice.",
        checks: r#"Two entries of one mapping have keys that read as the same value, e.g. `type` and `"type"`. The finding stands at the later one and points to the earlier.

    yaml: unmarshal errors:
      line 7: key "type" already set in map"#,
        why: "With strict field validation the request is refused; without it the last entry wins, and what the first one said is lost without a word. kubectl turns YAML into JSON by itself and drops the duplicate before the server can see it, so a mistake of this kind often goes unnoticed.",
        wrong: r#"type: object
properties:
  replicas:
    type: integer
    minimum: 1
    maximum: 10
    minimum: 0"#,
        right: r#"type: object
properties:
  replicas:
    type: integer
    minimum: 0
    maximum: 10"#,
        fix: r#"*Suggested*, as only the author knows which of the two was meant: remove the earlier entry, which keeps what a server without
strict validation does, or remove the later one, so that the earlier counts. Comments stay."#,
        source: r#"- Kubernetes documentation on server-side field validation: duplicate fields.
- YAML 1.1, section on mappings: keys are unique."#,
    },
    Rule {
        code: "yaml/key-reading",
        severity: Severity::Warning,
        since: None,
        title: "A key without quotes is read as a boolean or a number, and becomes another text than the one that is written.",
        checks: r#"Every key of a definition: properties, labels, annotations, and keys within `default`, `enum` and `example`.

| written | becomes | why |
|---|---|---|
| `y`, `yes`, `on`, `True` | `true` | booleans of YAML 1.1 |
| `n`, `no`, `off`, `FALSE` | `false` | booleans of YAML 1.1 |
| `1.10`, `1e3` | `1.1`, `1000` | decimal numbers |
| `012`, `0x1F`, `0b11` | `10`, `31`, `3` | octal, hexadecimal and binary numbers |
| `1_000` | `1000` | `_` counts for nothing in numbers |

`true`, `80` and `1.5` stay what they are, so nothing is said of them. A null key (`~`, `null`) is an error of its own."#,
        why: r#"kube-apiserver accepts the definition, with a field of another name. YAML manifests of resources go the same way, so that
`y: 1` sets the field `true` there too. But clients that send JSON, such as controllers and client libraries, send `y`, which
the schema does not know: it is dropped, or refused where the request is strict:

    strict decoding error: unknown field "spec.y""#,
        wrong: r#"type: object
properties:
  x:
    type: integer
  y:
    type: integer"#,
        right: r#"type: object
properties:
  x:
    type: integer
  "y":
    type: integer"#,
        fix: r#"*Suggested*: put the key in quotes. It renames the field for the server, and values that are stored under the old name do
not move along. Resources in YAML need the quotes as well."#,
        source: r#"- go-yaml v2, the decoder of the API server, and `sigs.k8s.io/yaml`, which makes strings of keys.
- YAML 1.1, types `bool`, `int` and `float`."#,
    },
    Rule {
        code: "yaml/string-reading",
        severity: Severity::Warning,
        since: None,
        title: "A value of a schema with `type: string` is read as a boolean or a number.",
        checks: r#"The items of `enum`, the `default` and the `example` of a schema whose `type` is `string`, and those of the branches of its
`allOf`, `anyOf`, `oneOf` and `not` that name no type. Without quotes `on` and `no` are booleans, `1.10` is the number `1.1`, and
`012` is the number `10`. Null is left alone: a nullable string may have it."#,
        why: r#"- `enum`: kube-apiserver accepts the definition, but no string equals a boolean or a number. A resource with that value is refused with
  an answer that hides the reason:

      spec.a: Unsupported value: "true": supported values: "true", "auto"

- `default`: it refuses the definition:

      Invalid value: "boolean":  in body must be of type string: "boolean"

- `example`: it accepts it and shows the wrong value, `1.1` for `1.10`."#,
        wrong: r#"type: object
properties:
  mode:
    type: string
    enum:
    - on
    - off
    - auto"#,
        right: r#"type: object
properties:
  mode:
    type: string
    enum:
    - "on"
    - "off"
    - auto"#,
        fix: "*Suggested*: put the value in quotes. Where a number or boolean is meant, change `type` instead.",
        source: r#"- go-yaml v2, the decoder of the API server; YAML 1.1, types `bool`, `int` and `float`.
- The API server's validation of resources (`enum`) and of defaults."#,
    },
    Rule {
        code: "yaml/syntax",
        severity: Severity::Error,
        since: None,
        title: "The text is not YAML as kube-apiserver reads it.",
        checks: r#"The parser cannot go on at this place. Each message names the character and, where it is known, the cause; the server only gives a line, counted from 1 and sometimes one off.

    yaml: line 3: mapping values are not allowed in this context
    yaml: line 3: found character that cannot start any token
    yaml: line 2: did not find expected key

Common causes: `: ` inside a text without quotes; a text that begins with `@`, a backtick, `%`, `*` or `&`; a key that is not in the column of its siblings.

kube-apiserver's decoder, go-yaml v2, is not quite a reader of YAML 1.2, so a finding says whom it is about:

- Refused by both: an error.
- Refused by kube-apiserver alone, although other tools read the text: an error that ends with the server's own words.
  Among these are `%YAML 1.2`, the escape `\/`, `: value` without a key, text within brackets that begins with `:` or
  holds a `?`, a key in braces with its colon on the next line, an anchor with other characters than letters, digits, `-`
  and `_`, and keys that JSON cannot have: lists, mappings, null.
- Refused by YAML 1.2 alone: a hint. Among these are a comment without a space before its `#`, a line within brackets or
  quotes that is not indented, and the escape `\'`. `crd-ls check` leaves such hints out, but for `--output json`, unless
  the settings give the rule a level of its own. Text that the server silently ignores, because the document has
  already ended before it, is a warning.
- Read by both, but not alike: a warning."#,
        why: "A request body that does not parse is answered with status 400 before anything is validated. crd-ls still checks the parts of the file that it can read.",
        wrong: r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
  annotations:
    note: replaces: the old one
spec:
  group: example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}"#,
        right: r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
  annotations:
    note: 'replaces: the old one'
spec:
  group: example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}"#,
        fix: "None: what was meant cannot be read from a text that does not parse. Quotes around the value cure most cases; single quotes leave backslashes as they are.",
        source: r#"- YAML 1.1 as read by `sigs.k8s.io/yaml`, which kube-apiserver uses.
- YAML 1.2.2 and its test suite, for what other tools read."#,
    },
    Rule {
        code: "yaml/tab-indentation",
        severity: Severity::Error,
        since: None,
        title: "A line is indented with a tab.",
        checks: r#"The space before the first character of a line, where YAML counts columns, holds a tab. Tabs inside of texts and after a value are allowed.

kube-apiserver refuses some tabs that YAML 1.2 allows: at the start of a blank line or before a comment, behind `- `,
`? ` and the `: ` below it, and at the start of the first line of a text block. The message then ends with the server's
own words.

    yaml: line 4: found a tab character that violates indentation
    yaml: line 4: found character that cannot start any token"#,
        why: "YAML counts indentation in spaces, and a tab has no fixed width. The document does not parse.",
        wrong: r#"type: object
properties:
	replicas:
		type: integer"#,
        right: r#"type: object
properties:
  replicas:
    type: integer"#,
        fix: r#"*Safe*: spaces in the place of the tabs, in the whole document at once: for each tab as many as the document uses for one
level, if all entries stay where they were, else two. Tabs behind `- ` and `? ` become one space, those of blank lines go. There is
no fix where a tab stands within a text block, where it may be part of the text, nor where something else is wrong with the
lines: replace each tab by as many spaces as the file uses for one level."#,
        source: r#"- YAML 1.1, section on indentation.
- The scanner of the API server's decoder, go-yaml v2: it skips a tab only where no key may start."#,
    },
    Rule {
        code: "yaml/unclosed",
        severity: Severity::Error,
        since: None,
        title: "A bracket, a brace or a quotation mark is opened and not closed.",
        checks: r#"A `[`, `{`, `"` or `'` has no partner. The finding stands at the opening character; the server names the line where it gave up, which can be the end of the file.

    yaml: line 3: did not find expected ',' or ']'
    yaml: line 4: did not find expected ',' or '}'
    yaml: line 9: found unexpected end of stream"#,
        why: "The document does not parse. A quotation mark swallows all that follows up to the next one, so a message further down is often a consequence of this one.",
        wrong: r#"type: object
required: [spec
properties:
  spec:
    type: object"#,
        right: r#"type: object
required: [spec]
properties:
  spec:
    type: object"#,
        fix: "None: where the closing character belongs cannot be told for certain. An apostrophe inside single quotes is written twice: `'it''s'`.",
        source: "- YAML 1.1, sections on flow collections and on quoted scalars.",
    },
    Rule {
        code: "yaml/value-reading",
        severity: Severity::Hint,
        since: None,
        title: "A value means something to kube-apiserver that it does not mean to readers of YAML 1.2.",
        checks: r#"Values without quotes where a boolean, a number or any value may stand. The API server reads YAML 1.1:

| written | kube-apiserver | YAML 1.2 |
|---|---|---|
| `yes`, `on`, `y` | `true` | text |
| `no`, `off`, `n` | `false` | text |
| `012` | `10` | `12` |
| `1_000`, `0b11` | `1000`, `3` | text |

Nothing is said where both read the same (`1.10` is `1.1` for both), nor where the server refuses what it reads. Times such
as `1:30` are text for both."#,
        why: r#"kube-apiserver accepts it. But people and other tools (editors, templates, policy checkers) may read another value than the server does, so
this is a hint."#,
        wrong: r#"type: object
properties:
  mode:
    type: integer
    default: 010"#,
        right: r#"type: object
properties:
  mode:
    type: integer
    default: 8"#,
        fix: r#"*Suggested*: write the value as the server reads it, which all read alike. Where any value is allowed, there is a choice: quotes
make it text for all."#,
        source: r#"- go-yaml v2, the decoder of the API server; YAML 1.1, types `bool` and `int`.
- YAML 1.2.2, section 10.3.2 (core schema)."#,
    },
];
