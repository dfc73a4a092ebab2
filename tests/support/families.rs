//! Families of texts that grow with a number: each repeats one construct that people may write, or generate, too often.

use std::fmt::Write;

/// A family.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The text of a size.
    pub(crate) text: fn(usize) -> String,
    /// A size whose text has about ten or twenty KB, if possible.
    pub(crate) size: usize,
}

pub(super) const fn family(name: &'static str, size: usize, text: fn(usize) -> String) -> Family {
    Family { name, text, size }
}

/// All families.
pub(crate) const FAMILIES: &[Family] = &[
    family("chained filters", 60, |n| rule(&format!("self.l{}.size() > 0", filters(n)))),
    family("chained maps", 60, |n| rule(&format!("self.l{}.size() > 0", ".map(v, v)".repeat(n)))),
    family("nested macros", 8, |n| rule(&nested(n))),
    family("concatenations", 400, |n| rule(&format!("self.s == 'a'{}", " + self.s".repeat(n)))),
    family("ternaries", 100, |n| rule(&format!("{}true", "self.i > 1 ? self.b : ".repeat(n)))),
    family("conditions", 200, |n| {
        rule(&repeat_joined(n, " || ", |at| format!("has(self.o{at}) && self.o{at} > 1")))
    }),
    family("implications", 100, |n| {
        rule(&repeat_joined(n, " && ", |at| format!("(!has(self.o{at}) || self.o{at} > 1)")))
    }),
    family("long lists in a rule", 1_000, |n| {
        rule(&format!("self.s in [{}]", repeat_joined(n, ", ", |at| format!("'v{at}'"))))
    }),
    family("rules", 200, |n| rules(n, |at| format!("self.i > {at}"))),
    family("broken rules", 400, |n| rules(n, |at| format!("self.i + > {at}"))),
    family("rules that read unknown fields", 300, |n| rules(n, |at| format!("self.missing{at} > 1"))),
    family("rules that read what may be absent", 200, |n| rules(n, |at| format!("self.o{at} > 1"))),
    family("expensive rules", 50, |n| {
        properties(n, |_| {
            "{type: array, items: {type: string}, x-kubernetes-validations: [{rule: \"self.all(a, self.all(b, a == b))\"}]}"
                .to_owned()
        })
    }),
    family("many errors in one rule", 200, |n| {
        rule(&repeat_joined(n, " || ", |at| format!("self.missing{at} > 1")))
    }),
    family("branches with properties", 200, |n| {
        let branches = repeated(n, |at| format!("            - properties: {{a{at}: {{type: string}}}}\n"));
        schema(&format!("          a:\n            anyOf:\n{branches}"))
    }),
    family("branches with types", 300, |n| {
        let branches = repeated(n, |at| format!("            - {{type: string, minLength: {at}}}\n"));
        schema(&format!("          a:\n            oneOf:\n{branches}"))
    }),
    family("misspelt keywords", 400, |n| properties(n, |_| "{type: strin, maxLenght: 3}".to_owned())),
    family("unknown keywords", 400, |n| properties(n, |at| format!("{{type: string, unheard{at}: 3}}"))),
    family("missing types", 400, |n| properties(n, |_| "{description: a}".to_owned())),
    family("unknown names in required", 400, |n| {
        let names = repeat_joined(n, ", ", |at| format!("missing{at}"));
        schema(&format!(
            "          a: {{type: object, properties: {{b: {{type: string}}}}, required: [{names}]}}\n"
        ))
    }),
    family("wrong bounds", 400, |n| properties(n, |_| "{type: integer, minimum: 3, maximum: 1}".to_owned())),
    family("broken patterns", 400, |n| properties(n, |at| format!("{{type: string, pattern: '({at}'}}"))),
    family("wrong defaults", 400, |n| properties(n, |at| format!("{{type: integer, default: a{at}}}"))),
    family("list maps", 200, |n| {
        properties(n, |_| {
            "{type: array, x-kubernetes-list-type: map, items: {type: object, properties: {a: {type: string}}}}".to_owned()
        })
    }),
    family("merge keys", 200, |n| {
        let shared = repeat_joined(20, ", ", |at| format!("s{at}: {{type: string}}"));
        let merging =
            repeated(n, |at| format!("          m{at}: {{type: object, properties: {{<<: *m}}}}\n"));
        schema(&format!("          m: {{type: object, properties: &m {{{shared}}}}}\n{merging}"))
    }),
    family("wide merge keys", 60, |n| {
        let shared = repeat_joined(n, ", ", |at| format!("s{at}: {{type: strin}}"));
        let merging =
            repeated(n, |at| format!("          m{at}: {{type: object, properties: {{<<: *m}}}}\n"));
        schema(&format!("          m: {{type: object, properties: &m {{{shared}}}}}\n{merging}"))
    }),
    family("alias fans", 400, |n| {
        let fan = repeated(n, |at| format!("          f{at}: *f\n"));
        schema(&format!("          f: &f {{type: strin, properties: {{a: {{}}}}}}\n{fan}"))
    }),
    family("enums with wrong values", 150, |n| {
        let names = repeat_joined(n, ", ", |at| format!("value{at}"));
        let wrong = repeat_joined(n, ", ", |at| format!("wrong{at}"));
        schema(&format!(
            "          a: {{type: array, items: {{type: string, enum: [{names}]}}, default: [{wrong}]}}\n"
        ))
    }),
    family("enums with wrong resources", 300, |n| {
        let names = repeat_joined(n, ", ", |at| format!("value{at}"));
        let wrong = repeat_joined(n, ", ", |at| format!("wrong{at}"));
        let schema =
            schema(&format!("          a: {{type: array, items: {{type: string, enum: [{names}]}}}}\n"));
        format!("{schema}---\n{RESOURCE}a: [{wrong}]\n")
    }),
    family("names that no property has", 300, |n| {
        let schema = properties(n, |_| "{type: string}".to_owned());
        format!("{schema}---\n{RESOURCE}{}", repeated(n, |at| format!("q{at}: a\n")))
    }),
    family("resources with many findings", 400, |n| {
        let schema = properties(n, |_| "{type: integer, maximum: 3}".to_owned());
        format!("{schema}---\n{RESOURCE}{}", repeated(n, |at| format!("p{at}: text\n")))
    }),
    family("resources", 100, |n| {
        let resource = format!("---\n{RESOURCE}a: 3\nb: 4\n");
        format!("{}{}", schema("          a: {type: string}\n"), resource.repeat(n))
    }),
    family("placeholders", 200, |n| {
        let schema = properties(n, |_| "{type: integer}".to_owned());
        format!("{schema}---\n{RESOURCE}{}", repeated(n, |at| format!("p{at}: \"${{VALUE_{at}}}\"\n")))
    }),
    family("templates", 400, |n| {
        format!("{RESOURCE}{}", repeated(n, |at| format!("p{at}: {{{{ .Values.a{at} }}}}\n")))
    }),
    family("rival definitions", 40, |n| {
        repeated(n, |at| format!("{}---\n", schema(&format!("          a{at}: {{type: strin}}\n"))))
    }),
    family("rivals of a resource", 40, |n| {
        let rivals =
            repeated(n, |at| format!("{}---\n", schema(&format!("          a{at}: {{type: string}}\n"))));
        format!("{rivals}{RESOURCE}a: 1\nb: 2\n")
    }),
    family("versions", 60, |n| {
        let version = |at| {
            format!(
                "  - name: v{at}\n    served: true\n    storage: true\n    schema: {{openAPIV3Schema: {{type: object, \
                 properties: {{a{at}: {{type: strin}}}}}}}}\n"
            )
        };
        format!("{AROUND}  versions:\n{}", repeated(n, version))
    }),
    family("equal versions", 60, |n| {
        let version =
            "  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
        format!("{AROUND}  versions:\n{}", version.repeat(n))
    }),
    family("columns", 150, |n| {
        let columns =
            repeated(n, |at| format!("    - {{name: c{at}, type: strin, jsonPath: .spec.missing{at}}}\n"));
        format!(
            "{AROUND}  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: \
             {{openAPIV3Schema: {{type: object}}}}\n    additionalPrinterColumns:\n{columns}"
        )
    }),
    family("documents", 100, |n| repeated(n, |at| format!("a: {at}\nb: [1, 2\n---\n"))),
    family("definitions", 30, |n| {
        repeated(n, |at| {
            let text = schema("          a: {type: strin}\n");
            format!(
                "{}---\n",
                text.replace("Widget", &format!("W{at}x")).replace("widgets", &format!("w{at}xs"))
            )
        })
    }),
    family("comments", 1_000, |n| {
        format!("{}{}", "# crd-ls: ignore lint/size\n".repeat(n), schema("          a: {type: strin}\n"))
    }),
    family("comments between", 500, |n| {
        schema(&repeated(n, |at| {
            format!("          # crd-ls: ignore structural/type-unknown\n          a{at}: {{type: strin}}\n")
        }))
    }),
    family("quotes", 600, |n| schema(&repeated(n, |at| format!("          a{at}: \"\n")))),
    family("equal keys", 800, |n| schema(&"          a: {type: string}\n".repeat(n))),
    family("flow brackets", 5_000, |n| schema(&format!("          a: {}\n", "[".repeat(n)))),
    family("nested mappings", 30, |n| {
        schema(&format!("          a: {}{}\n", "{type: object, properties: {a: ".repeat(n), "}}".repeat(n)))
    }),
    family("tabs", 1_000, |n| schema(&repeated(n, |at| format!("\t  a{at}: 1\n")))),
    family("long scalars", 20_000, |n| schema(&format!("          a: {{type: {}}}\n", "x".repeat(n)))),
    family("folded scalars", 1_000, |n| {
        schema(&format!(
            "          a:\n            description: >\n{}            type: strin\n",
            "              words and words\n".repeat(n)
        ))
    }),
    family("long rules of blanks", 10_000, |n| rule(&format!("self.i >{} 'a'", " ".repeat(n)))),
];

pub(super) const AROUND: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
";

pub(super) const RESOURCE: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n";

/// A definition whose schema has these `properties`, each indented by ten blanks.
pub(super) fn schema(properties: &str) -> String {
    format!(
        "{AROUND}  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        \
         type: object\n        properties:\n{properties}"
    )
}

pub(super) fn properties(count: usize, of: fn(usize) -> String) -> String {
    schema(&repeated(count, |at| format!("          p{at}: {}\n", of(at))))
}

/// A definition with one rule.
fn rule(rule: &str) -> String {
    with_rules(500, &format!("        - rule: \"{rule}\"\n"))
}

pub(super) fn rules(count: usize, of: fn(usize) -> String) -> String {
    with_rules(count, &repeated(count, |at| format!("        - rule: \"{}\"\n", of(at))))
}

fn with_rules(fields: usize, rules: &str) -> String {
    let fields = repeated(fields, |at| format!("          o{at}: {{type: integer}}\n"));
    let schema = schema(&format!(
        "          l: {{type: array, maxItems: 3, items: {{type: object, properties: {{x: {{type: integer}}}}}}}}\n          \
         s: {{type: string, maxLength: 5}}\n          i: {{type: integer}}\n          b: {{type: boolean}}\n{fields}"
    ));
    format!("{schema}        required: [l, s, i, b]\n        x-kubernetes-validations:\n{rules}")
}

fn filters(count: usize) -> String {
    ".filter(v, has(v.x) && v.x > 1)".repeat(count)
}

fn nested(count: usize) -> String {
    let opened = repeated(count, |at| format!("self.l.all(v{at}, "));
    let read = repeat_joined(count, " && ", |at| format!("v{at}.x > 1"));
    format!("{opened}{read}{}", ")".repeat(count))
}

pub(super) fn repeated(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, at| {
        // Writing into a string cannot fail.
        let _ = write!(all, "{}", of(at));
        all
    })
}

pub(super) fn repeat_joined(count: usize, between: &str, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect::<Vec<_>>().join(between)
}
