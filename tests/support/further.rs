//! Further families: constructs that generators or attackers repeat around schemas, in resources and in the text itself.

use super::families::{AROUND, Family, RESOURCE, family, properties, repeat_joined, repeated, rules, schema};

/// All further families.
pub(crate) const FURTHER: &[Family] = &[
    family("rules that do not spell names out", 200, |n| {
        let fields = repeated(n, |at| format!("          o-{at}: {{type: integer}}\n"));
        let rules = repeated(n, |at| format!("        - rule: self.o-{at} > 1\n"));
        format!("{}        x-kubernetes-validations:\n{rules}", schema(&fields))
    }),
    family("directives", 500, |n| {
        let codes = repeated(n, |at| format!("# crd-ls: ignore lint/unheard{at}\n"));
        format!("{codes}{}", schema("          a: {type: strin}\n"))
    }),
    family("rivals with resources", 40, |n| {
        repeated(n, |at| {
            let rival = schema(&format!("          a{at}: {{type: string}}\n"));
            format!("{rival}---\n{RESOURCE}a{at}: 1\n---\n")
        })
    }),
    family("resources of one definition", 250, |n| {
        let resources = repeated(n, |at| format!("---\n{RESOURCE}a{at}: 3\n"));
        format!("{}{resources}", schema("          a: {type: integer}\n"))
    }),
    family("resources in a list", 200, |n| {
        let item = "- {apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, a: text}\n";
        let items = item.repeat(n);
        format!(
            "{}---\napiVersion: v1\nkind: List\nitems:\n{items}",
            schema("          a: {type: integer}\n")
        )
    }),
    family("kinds without definition", 200, |n| {
        repeated(n, |at| format!("apiVersion: example.com/v1\nkind: W{at}\nmetadata: {{name: a}}\n---\n"))
    }),
    family("labels", 300, |n| {
        let labels = repeated(n, |at| format!("    -a{at}: ä\n"));
        format!(
            "{}---\napiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\n  labels:\n{labels}",
            schema("          a: {type: integer}\n")
        )
    }),
    family("anchors used once", 300, |n| {
        schema(&repeated(n, |at| {
            format!("          a{at}: &a{at} {{type: strin}}\n          b{at}: *a{at}\n")
        }))
    }),
    family("one anchor again and again", 300, |n| {
        schema(&repeated(n, |at| format!("          a{at}: &a {{type: strin}}\n          b{at}: *a\n")))
    }),
    family("unknown aliases", 300, |n| {
        schema(&repeated(n, |at| {
            format!("          a{at}: &anchor{at} {{type: string}}\n          b{at}: *archon{at}\n")
        }))
    }),
    family("nested items", 12, |n| {
        schema(&format!("          a: {}{}\n", "{type: array, items: ".repeat(n), "}".repeat(n)))
    }),
    family("nested additional properties", 12, |n| {
        let opened = "{type: object, additionalProperties: ".repeat(n);
        schema(&format!("          a: {opened}{}\n", "}".repeat(n)))
    }),
    family("nested branches", 10, |n| {
        let opened = repeated(n, |at| format!("{{properties: {{b{at}: {{type: string}}}}, allOf: ["));
        schema(&format!("          a: {opened}{}\n", "]}".repeat(n)))
    }),
    family("closed branches", 150, |n| {
        let all = repeat_joined(n, ", ", |at| format!("a{at}: {{}}"));
        let branches = repeated(n, |at| {
            format!("            - {{properties: {{a{at}: {{}}}}, additionalProperties: false}}\n")
        });
        schema(&format!(
            "          a:\n            type: object\n            properties: {{{all}}}\n            oneOf:\n            - \
             {{properties: {{{all}}}, additionalProperties: false}}\n{branches}"
        ))
    }),
    family("branches that describe", 200, |n| {
        let branches = repeated(n, |at| format!("            - {{description: b{at}, title: t{at}}}\n"));
        schema(&format!("          a:\n            type: string\n            anyOf:\n{branches}"))
    }),
    family("branches of fields with branches", 100, |n| {
        let branches = repeated(n, |at| {
            format!("            - properties: {{a: {{anyOf: [{{type: string, minLength: {at}}}]}}}}\n")
        });
        schema(&format!("          a:\n            anyOf:\n{branches}"))
    }),
    family("long messages", 20, |n| {
        rules(n, |at| format!("self.i + > {at}\", message: \"{}", "word ".repeat(200)))
    }),
    family("equal messages", 200, |n| rules(n, |_| "self.i > 1\", message: \"a\nb".to_owned())),
    family("message expressions", 200, |n| {
        rules(n, |at| format!("self.i > {at}\", messageExpression: \"self.missing{at}"))
    }),
    family("field paths", 200, |n| rules(n, |at| format!("self.i > {at}\", fieldPath: \".missing{at}"))),
    family("wrong types in rules", 200, |n| rules(n, |at| format!("self.s == {at}"))),
    family("lists compared in rules", 200, |n| rules(n, |at| format!("self.l == {at}"))),
    family("names of other fields in rules", 200, |n| {
        rules(n, |at| format!("i == {at} && self.oo{at} == 1"))
    }),
    family("parentheses", 100, |n| rules(n, |_| format!("{}self.i > 1{}", "(".repeat(20), ")".repeat(20)))),
    family("functions that nothing has", 200, |n| rules(n, |at| format!("self.s.startWith{at}('a')"))),
    family("paths of columns", 1_500, |n| {
        let path = ".a".repeat(n);
        schema_of(&format!("    additionalPrinterColumns: [{{name: a, type: string, jsonPath: {path}}}]\n"))
    }),
    family("filters in paths of columns", 300, |n| {
        let path = "[?(@.a==\\\"b\\\")]".repeat(n);
        schema_of(&format!(
            "    additionalPrinterColumns: [{{name: a, type: string, jsonPath: \".spec{path}\"}}]\n"
        ))
    }),
    family("equal columns", 200, |n| {
        let column = "    - {name: c, type: string, jsonPath: .spec.a}\n".repeat(n);
        schema_of(&format!("    additionalPrinterColumns:\n{column}"))
    }),
    family("selectable fields", 300, |n| {
        let fields = repeated(n, |at| format!("    - {{jsonPath: .spec.missing{}}}\n", at / 2));
        schema_of(&format!("    selectableFields:\n{fields}"))
    }),
    family("one line", 20_000, |n| {
        let sizes = repeat_joined(n, ", ", |at| format!("\"size {at}\""));
        format!(
            "{{\"apiVersion\": \"example.com/v1\", \"kind\": \"Sizes\", \"spec\": {{\"sizes\": [{sizes}]}}}}\n"
        )
    }),
    family("short names", 800, |n| {
        let names = repeat_joined(n, ", ", |at| format!("Wi{}", at / 2));
        let text = schema("          a: {type: string}\n");
        text.replace("kind: Widget,", &format!("kind: Widget, shortNames: [{names}], categories: [{names}],"))
    }),
    family("required twice", 800, |n| {
        let names = repeat_joined(n, ", ", |at| format!("b{}", at / 2));
        let fields = repeat_joined(n / 2, ", ", |at| format!("b{at}: {{type: string}}"));
        schema(&format!("          a: {{type: object, properties: {{{fields}}}, required: [{names}]}}\n"))
    }),
    family("keys twice", 400, |n| {
        schema(&repeated(n, |at| format!("          a{}: {{type: string}}\n", at / 2)))
    }),
    family("nested repetitions", 3, |n| {
        properties(10 * n, |at| {
            format!(
                "{{type: string, pattern: '((a{{1,9}}){{1,9}}){{1,{}}}', default: {}}}",
                at % 9 + 1,
                "a".repeat(60)
            )
        })
    }),
    family("long patterns", 300, |n| {
        let words = repeat_joined(n, "|", |at| format!("word{at}"));
        schema(&format!(
            "          a: {{type: string, pattern: '^(({words})+)+$', default: {}!}}\n",
            "word1".repeat(n)
        ))
    }),
    family("enums of objects", 200, |n| {
        let values = repeat_joined(n, ", ", |at| format!("{{a: {at}, b: [x, {{c: {at}}}]}}"));
        schema(&format!(
            "          a: {{type: object, properties: {{a: {{type: integer}}}}, enum: [{values}], default: {{a: -1}}}}\n"
        ))
    }),
    family("enums with equal values", 800, |n| {
        let values = repeat_joined(n, ", ", |at| format!("v{}", at / 2));
        schema(&format!("          a: {{type: string, enum: [{values}]}}\n"))
    }),
    family("keys of a list map", 100, |n| {
        let fields = repeat_joined(n, ", ", |at| format!("k{at}: {{type: string}}"));
        let keys = repeat_joined(n, ", ", |at| format!("k{at}, m{at}"));
        schema(&format!(
            "          a: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{keys}], items: {{type: \
             object, properties: {{{fields}}}}}}}\n"
        ))
    }),
    family("items of a list map", 400, |n| {
        let items = repeated(n, |at| format!("- {{k: v{}}}\n", at / 2));
        let schema = schema(
            "          a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: \
             object, required: [k], properties: {k: {type: string}}}}\n",
        );
        format!("{schema}---\n{RESOURCE}a:\n{items}")
    }),
    family("items of a set", 400, |n| {
        let items = repeated(n, |at| format!("- {{k: [{}, {{b: a}}]}}\n", at / 2));
        let schema = schema(
            "          a: {type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic, \
             x-kubernetes-preserve-unknown-fields: true}}\n",
        );
        format!("{schema}---\n{RESOURCE}a:\n{items}")
    }),
    family("items of few branches", 300, |n| {
        let branches = repeat_joined(20, ", ", |at| format!("{{required: [b{at}]}}"));
        let items = repeated(n, |at| format!("- {{b{}: 1}}\n", at % 30));
        let fields = repeat_joined(20, ", ", |at| format!("b{at}: {{type: integer}}"));
        let schema = schema(&format!(
            "          a: {{type: array, items: {{type: object, properties: {{{fields}}}, oneOf: [{branches}]}}}}\n"
        ));
        format!("{schema}---\n{RESOURCE}a:\n{items}")
    }),
    family("fields that are nowhere in a default", 400, |n| {
        let fields = repeat_joined(n, ", ", |at| format!("x{at}: 1"));
        schema(&format!(
            "          a: {{type: object, properties: {{b: {{type: string}}}}, default: {{{fields}}}}}\n"
        ))
    }),
    family("references", 300, |n| properties(n, |at| format!("{{$ref: '#/definitions/d{at}'}}"))),
    family("versions with schemas", 40, |n| {
        let fields = repeat_joined(10, ", ", |at| format!("a{at}: {{type: string}}"));
        let version = |at| {
            format!(
                "  - name: v{at}\n    served: true\n    storage: {}\n    schema: {{openAPIV3Schema: {{type: object, \
                 properties: {{{fields}}}}}}}\n",
                at == 0
            )
        };
        format!("{AROUND}  versions:\n{}", repeated(n, version))
    }),
    family("one long line", 500, |n| {
        let fields = repeat_joined(n, ", ", |at| format!("ä{at}: {{type: strin, description: 'ä😀'}}"));
        schema(&format!("          a: {{type: object, properties: {{{fields}}}}}\n"))
    }),
    family("carriage returns", 400, |n| properties(n, |_| "{type: strin}".to_owned()).replace('\n', "\r\n")),
    family("lone carriage returns", 400, |n| {
        properties(n, |_| "{type: strin}".to_owned()).replace('\n', "\r")
    }),
    family("bytes that are zero", 400, |n| properties(n, |_| "\"\0\"".to_owned())),
    family("marks of byte order", 400, |n| properties(n, |_| "\u{feff}{type: strin}".to_owned())),
    family("separators of lines", 400, |n| properties(n, |_| "{type: strin\u{2028}\u{85}}".to_owned())),
    family("tags", 400, |n| properties(n, |at| format!("!t{at} {{type: !!str strin}}"))),
    family("directives of YAML", 300, |n| {
        format!("%YAML 1.2\n{}---\na: b\n", repeated(n, |at| format!("%TAG !t{at}! tag:a\n")))
    }),
    family("explicit keys", 400, |n| {
        schema(&repeated(n, |at| format!("          ? a{at}\n          : {{type: strin}}\n")))
    }),
    family("lines without a colon", 400, |n| schema(&repeated(n, |at| format!("          word{at}\n")))),
    family("lists in lists", 100, |n| schema(&format!("          a:\n            {}b\n", "- ".repeat(n)))),
    family("braces that nothing closes", 400, |n| {
        schema(&repeated(n, |at| format!("          a{at}: {{type: strin, b: [\n")))
    }),
    family("lines to the left", 300, |n| {
        schema(&repeated(n, |at| format!("          a{at}: {{type: strin}}\n       b{at}:\n")))
    }),
    family("texts that read otherwise", 400, |n| {
        properties(n, |_| "{type: string, default: on, example: 1_000}".to_owned())
    }),
    family("unknown fields around a schema", 400, |n| {
        format!(
            "{}{}",
            schema("          a: {type: string}\n"),
            repeated(n, |at| format!("    servd{at}: true\n"))
        )
    }),
    family("keywords in the wrong place", 200, |n| {
        schema(&repeated(n, |at| {
            format!(
                "          a{at}: {{type: object, properties: {{b: {{type: string}}, required: [b{at}]}}}}\n"
            )
        }))
    }),
    family("owners", 300, |n| {
        let owners = repeated(n, |at| {
            format!("  - {{apiVersion: v1, kind: K{at}, name: '', uid: '', controller: true}}\n")
        });
        format!(
            "{}---\napiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\n  ownerReferences:\n{owners}",
            schema("          a: {type: integer}\n")
        )
    }),
];

/// A definition whose version has these further fields, each indented by four blanks.
fn schema_of(version: &str) -> String {
    format!("{}{version}", schema("          spec: {type: object, properties: {a: {type: string}}}\n"))
}
