//! Malicious input: every input gets an answer in bounded time.

use std::time::Duration;

use super::markers::definition;
use super::reports;
use cpu_time::ThreadTime;

/// Runs on a stack as small as that of most threads, and within a time that only super-linear work exceeds.
fn bounded(name: &str, text: String) {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let run = move || {
        let start = ThreadTime::now();
        let findings: usize = reports(&text).iter().map(|report| report.findings.len()).sum();
        (findings, start.elapsed())
    };
    let (findings, elapsed) = thread.spawn(run).expect("a thread").join().expect("no panic");
    assert!(elapsed < Duration::from_secs(20), "{name}: {elapsed:?} for {findings} findings");
}

#[test]
fn deep_schemas() {
    let mut block = "type: object\n".to_owned();
    for depth in 0..190 {
        let indent = " ".repeat(2 * depth);
        block.push_str(&format!("{indent}properties:\n{indent} a:\n"));
    }
    bounded("block", definition(&block));
    bounded("flow", definition(&format!("{}{}", "{items: ".repeat(10_000), "}".repeat(10_000))));
    bounded("junctors", definition(&format!("{}{}", "{not: ".repeat(10_000), "}".repeat(10_000))));
}

#[test]
fn alias_bombs() {
    let mut bomb = "x0: &x0 {properties: {a: {}}}\n".to_owned();
    for level in 1..60 {
        let below = level - 1;
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let members = names.map(|name| format!("{name}: *x{below}")).join(", ");
        bomb.push_str(&format!("x{level}: &x{level} {{properties: {{{members}}}}}\n"));
    }
    bomb.push_str("properties: {a: *x59}\nanyOf: [*x59, *x58]\ntype: object\n");
    bounded("bomb", definition(&bomb));
}

#[test]
fn long_chains_of_aliases() {
    let mut chain = "x0: &x0 {type: string}\n".to_owned();
    for level in 1..20_000 {
        chain.push_str(&format!("x{level}: &x{level} {{properties: {{a: *x{}}}}}\n", level - 1));
    }
    chain.push_str("properties: {a: *x19999}\ndefault: *x19999\ntype: object\n");
    bounded("chain", definition(&chain));
    bounded(
        "cycle",
        definition("type: object\nproperties: &a\n  b: {properties: *a}\nanyOf: [&c {not: *c}]\n"),
    );
}

#[test]
fn wide_schemas() {
    let mut wide = "type: object\nproperties:\n".to_owned();
    let mut branches = "anyOf:\n".to_owned();
    for field in 0..20_000 {
        wide.push_str(&format!("  f{field}: {{}}\n"));
        branches.push_str(&format!("- properties: {{f{field}: {{type: string}}, g{field}: {{}}}}\n"));
    }
    bounded("wide", definition(&(wide + &branches)));
}

#[test]
fn empty_and_odd_documents() {
    for text in
        ["", "---\n---\n", "\u{feff}", "[]", "a", "!!x &y", "? [a]\n: b", "kind: {a: b}\napiVersion: *x"]
    {
        bounded(text, text.to_owned());
    }
}

#[test]
fn many_versions_with_many_mistakes() {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\nspec:\n  group: b.c\n  names: {plural: a, kind: A}\n  versions:\n";
    let mistyped =
        "  - {name: 1, nmae: v1, served: [], schema: {openAPIV3Schema: {tpye: object, maximum: x}}}\n";
    bounded("mistyped", format!("{head}{}", mistyped.repeat(20_000)));
    let stored = (0..20_000)
        .map(|at| format!("  - {{name: v{at}, storage: true, selectableFields: [{{jsonPath: .a}}]}}\n"));
    bounded("stored", format!("{head}{}", stored.collect::<String>()));
}

#[test]
fn long_lists_around_the_schemas() {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    let list = |what: &str| (0..30_000).map(|at| what.replace('N', &at.to_string())).collect::<String>();
    bounded(
        "finalizers",
        format!(
            "{head}metadata:\n  finalizers: [{}]\nspec: {{group: a.b, names: {{}}, versions: []}}\n",
            list("aN, ")
        ),
    );
    bounded(
        "labels",
        format!(
            "{head}metadata:\n  labels: {{{}}}\nspec: {{group: a.b, names: {{}}, versions: []}}\n",
            list("-N: -, ")
        ),
    );
    bounded(
        "review versions",
        format!(
            "{head}spec: {{group: a.b, names: {{}}, versions: [], conversion: {{strategy: Webhook, webhook: {{conversionReviewVersions: [{}]}}}}}}\n",
            list("vN, ")
        ),
    );
    let fields = format!(
        "{{name: v1, schema: {{openAPIV3Schema: {{type: object, additionalProperties: {{type: string}}}}}}, selectableFields: [{}]}}",
        list("{jsonPath: .aN}, ")
    );
    bounded("selectable fields", format!("{head}spec: {{group: a.b, names: {{}}, versions: [{fields}]}}\n"));
}

/// Each step of a chain repeats the text before it.
#[test]
fn chained_macros() {
    for step in [
        ".filter(v, has(v.x) && v.x > 1)",
        ".map(v, v)",
        ".filter(v, v.x > 1).map(v, v)",
        ".filter(v, v.x > 1 || !has(v.x))",
        ".map(v, v.x > 1, v)",
    ] {
        for count in [24, 400] {
            let rule = format!("self.l{}.all(v, v.x > 0)", step.repeat(count));
            let schema = format!(
                "type: object\nproperties:\n  l: {{type: array, maxItems: 3, items: {{type: object, properties: {{x: \
                 {{type: integer}}}}}}}}\nx-kubernetes-validations:\n- rule: '{rule}'\n"
            );
            bounded(&format!("{count} × {step}"), definition(&schema));
        }
    }
}
