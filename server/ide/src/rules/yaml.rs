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
        wrong: r#"limits: *defaults
defaults: &defaults {cpu: 1}"#,
        right: r#"defaults: &defaults {cpu: 1}
limits: *defaults"#,
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
        fix: "None: only the author knows which of the two was meant. Deleting the earlier one keeps what a server without strict validation does.",
        source: r#"- Kubernetes documentation on server-side field validation: duplicate fields.
- YAML 1.1, section on mappings: keys are unique."#,
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
  quotes that is not indented, and the escape `\'`. Text that the server silently ignores, because the document has
  already ended before it, is a warning.
- Read by both, but not alike: a warning."#,
        why: "A request body that does not parse is answered with status 400 before anything is validated. crd-ls still checks the parts of the file that it can read.",
        wrong: r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
  annotations:
    note: replaces: the old one"#,
        right: r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.example.com
  annotations:
    note: 'replaces: the old one'"#,
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
        fix: "None. Replace each tab in the indentation by as many spaces as the file uses for one level; most editors have a command for it.",
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
];
