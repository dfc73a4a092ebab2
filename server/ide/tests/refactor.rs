//! Refactorings: the offers at a place, and their results.
//!
//! In the suites of `fixtures/refactor`, `before` has a `‸` at the cursor, and in its first line, after `: `,
//! the title of the refactoring; `after` is the result. `CRD_LS_UPDATE=1` writes it again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod oracle;

use ide::preview::stored;
use ide::{Catalog, Definitions, File, Refactoring, Settings, Surroundings};
use suites::Case;
use text::{TextEdit, TextRange};

const CURSOR: char = '‸';

fn part<'c>(case: &'c Case, part: &str) -> &'c str {
    case.part(part).unwrap().as_utf8().unwrap()
}

fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

/// The text without the cursor, and the offers at the cursor.
fn offers(marked: &str) -> (String, Vec<Refactoring>) {
    let at = marked.find(CURSOR).unwrap() as u32;
    let text = marked.replace(CURSOR, "");
    let offers = File::new(&text, &Settings::default()).refactorings(TextRange::empty(at));
    (text, offers)
}

fn titles(marked: &str) -> Vec<String> {
    offers(marked).1.into_iter().map(|offer| offer.title).collect()
}

/// The text after the refactoring with that title.
fn refactored_text(marked: &str, title: &str) -> String {
    let (text, offers) = offers(marked);
    let titles: Vec<&str> = offers.iter().map(|offer| offer.title.as_str()).collect();
    let offer = offers.iter().find(|offer| offer.title == title);
    applied(&text, &offer.unwrap_or_else(|| panic!("{title} is not among {titles:?}")).edits)
}

fn comments(text: &str) -> Vec<&str> {
    let mut comments: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("# ")).map(|(_, comment)| comment.trim()).collect();
    comments.sort_unstable();
    comments
}

fn errors(text: &str) -> Vec<String> {
    let file = File::new(text, &Settings::default());
    file.findings()
        .iter()
        .filter(|finding| finding.api_server.is_some())
        .map(|finding| finding.message.to_string())
        .collect()
}

#[test]
fn before_becomes_after() {
    let folder = suites::fixtures().join("refactor");
    let made = |case: &Case| {
        let marked = part(case, "before");
        refactored_text(marked, marked.lines().next().unwrap().split_once(": ").unwrap().1)
    };
    if environment::updates() {
        suites::record(&folder, "yaml after", |case| Some(made(case))).unwrap();
    }
    let cases = suites::cases(&folder).unwrap();
    for case in &cases {
        let (text, after) = (made(case), part(case, "after"));
        assert!(text == after, "{}", case.failed(after, &text));
        assert_eq!(errors(&text), Vec::<String>::new(), "{text}");
        let (kept, had) = (comments(&text), part(case, "before").replace(CURSOR, ""));
        for comment in comments(&had) {
            assert!(kept.contains(&comment), "{}", case.failed(comment, &text));
        }
        if let Some(refused) = oracle::refused(&text) {
            assert_eq!(refused, "", "{}", case.name);
        }
    }
    assert!(cases.len() >= 13, "{}", cases.len());
}

fn widget(schema: &str) -> String {
    let schema: String = schema.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: widgets, kind: Widget}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n{schema}"
    )
}

/// For each of these values of `spec`, whether the definition accepts it.
fn verdicts(definition: &str, values: &[String]) -> Vec<bool> {
    let known = Definitions::read("crd", definition, Definitions::load_kept(definition)).unwrap();
    let catalog = Catalog::default().with([("crd".into(), Some(known))]);
    let surroundings = Surroundings { catalog, source: "crd".into(), stored: None, base: None };
    let verdict = |value: &String| {
        let object =
            format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: a}}\nspec: {value}\n");
        let (objects, unknown) = stored(&object, &surroundings, &Settings::default());
        assert!(unknown.is_empty(), "{unknown:?}");
        objects[0].errors.is_empty()
    };
    values.iter().map(verdict).collect()
}

/// Each field absent, set, empty and null, in all combinations.
fn objects() -> Vec<String> {
    let choices = |name: &str| {
        vec![String::new(), format!("{name}: x, "), format!("{name}: '', "), format!("{name}: null, ")]
    };
    let mut all = Vec::new();
    for a in choices("a") {
        for b in choices("b") {
            for c in choices("c-d") {
                all.push(format!("{{{a}{b}{c}}}"));
            }
        }
    }
    all
}

/// A validation becomes a rule, and the rule becomes a validation again: all three accept the same objects.
#[test]
fn rules_accept_what_validations_accept() {
    let fields = "properties:\n  spec:\n    type: object\n    properties:\n      a: {type: string, maxLength: 9}\n      \
                  b: {type: string, default: q}\n      c-d: {type: string}\n";
    let without_default = fields.replace(", default: q", "");
    let conditions = [
        "oneOf: [{required: [a]}, {required: [b]}]",
        "oneOf: [{required: [a]}, {required: [b]}, {required: [c-d]}]",
        "oneOf: [{required: [a, b]}, {not: {anyOf: [{required: [a]}, {required: [c-d]}]}}]",
        "anyOf: [{required: [a]}, {required: [b, c-d]}, {}]",
        "anyOf: [{required: [a]}, {required: [b, c-d]}]",
        "not: {required: [a, b]}",
        "not: {oneOf: [{required: [a]}, {required: [c-d]}]}",
        "allOf: [{not: {required: [a]}}, {anyOf: [{required: [b]}, {required: [c-d]}]}]",
    ];
    let objects = objects();
    let mut compared = 0;
    for fields in [fields, &without_default] {
        for condition in conditions {
            let key = condition.split(':').next().unwrap();
            let marked = widget(&format!("type: object\n{fields}    {CURSOR}{condition}\n"));
            let before = marked.replace(CURSOR, "");
            if condition.contains("{}") {
                // A branch that always holds becomes the rule `true`, which is pointless.
                continue;
            }
            let with_rule = refactored_text(&marked, &format!("Convert `{key}` to a CEL rule"));
            assert!(!with_rule.contains(condition), "{with_rule}");
            let expected = verdicts(&before, &objects);
            assert!(expected.contains(&true) && expected.contains(&false), "{condition}");
            assert_eq!(verdicts(&with_rule, &objects), expected, "{with_rule}");
            let at = with_rule.find("rule:").unwrap();
            let mut marked = with_rule.clone();
            marked.insert(at, CURSOR);
            let (_, offers) = offers(&marked);
            let back = offers.iter().find(|offer| offer.title.starts_with("Convert this rule to `"));
            let back = back.unwrap_or_else(|| panic!("no way back from {with_rule}"));
            let again = applied(&with_rule, &back.edits);
            assert!(!again.contains("rule:"), "{again}");
            assert_eq!(verdicts(&again, &objects), expected, "{again}");
            compared += 1;
        }
    }
    assert_eq!(compared, 14);
}

#[test]
fn rules_match_what_patterns_match() {
    let values: Vec<String> =
        ["", "a", "ab", "xaby", "A", "a\\nb", "ä", "'", "\\\\d", "1", "12", "é1", "\\t"]
            .iter()
            .map(|text| format!("{{a: \"{text}\"}}"))
            .chain(["{}".to_owned(), "{a: null}".to_owned(), "{a: 1}".to_owned()])
            .collect();
    for pattern in
        ["'^a'", "'^[a-z]+$'", "\"'\"", "'\\d{1,2}$'", "'^(?i)AB?$'", "'.'", "'^\\\\'", "'(?s)a.b'", "'\\pL'"]
    {
        let schema = format!(
            "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      a:\n        type: string\n        \
             maxLength: 20\n        {CURSOR}pattern: {pattern}\n"
        );
        let marked = widget(&schema);
        let before = marked.replace(CURSOR, "");
        let with_rule = refactored_text(&marked, "Convert `pattern` to a CEL rule");
        let expected = verdicts(&before, &values);
        assert!(expected.contains(&true), "{pattern}");
        assert_eq!(verdicts(&with_rule, &values), expected, "{with_rule}");
        let at = with_rule.find("rule:").unwrap();
        let mut marked = with_rule.clone();
        marked.insert(at, CURSOR);
        let back = refactored_text(&marked, "Convert this rule to `pattern` (its message is lost)");
        assert_eq!(verdicts(&back, &values), expected, "{back}");
    }
}

/// If the two would differ, or the server would reject the result, nothing is offered.
#[test]
fn inequivalent_conversions_are_not_offered() {
    let at = |spec: &str| {
        let spec: String = spec.lines().map(|line| format!("    {line}\n")).collect();
        let titles = titles(&widget(&format!("type: object\nproperties:\n  spec:\n{spec}")));
        titles.into_iter().filter(|title| title.starts_with("Convert")).collect::<Vec<_>>()
    };
    let none: Vec<String> = Vec::new();
    for spec in [
        // `required` and `has` treat a null as set, but a rule on a null object does not run.
        "type: object\nnullable: true\nproperties: {a: {type: string}, b: {type: string}}\n‸oneOf: [{required: [a]}, {required: [b]}]",
        "type: object\nproperties: {a: {type: string, nullable: true}, b: {type: string}}\n‸oneOf: [{required: [a]}, {required: [b]}]",
        "type: object\nproperties: {a: {type: string}}\n‸oneOf: [{required: [a]}, {required: [undeclared]}]",
        "type: object\nproperties: {a: {type: string}}\n‸anyOf: [{required: [a]}, {minProperties: 1}]",
        "x-kubernetes-int-or-string: true\n‸pattern: ^a",
        "type: string\nallOf:\n- ‸pattern: ^a",
        "type: string\nx-kubernetes-validations:\n- ‸rule: self.matches('a') || self == 'b'",
        "type: string\npattern: ^b\nx-kubernetes-validations:\n- ‸rule: self.matches('a')",
        "type: object\nproperties: {a: {type: string}}\nx-kubernetes-validations:\n- ‸rule: has(self.a) || self.a == 'b'",
    ] {
        assert_eq!(at(spec), none, "{spec}");
    }
    // Without a bound on its length, the search in the string costs too much in a list with many items.
    let list = "type: array\nitems:\n  type: object\n  properties:\n    a:\n      type: array\n      items:\n        type: string\n        ‸pattern: ^a";
    assert_eq!(at(list), none);
    let bounded =
        list.replace("‸", "maxLength: 10\n        ‸").replace("type: array\n", "type: array\nmaxItems: 10\n");
    let bounded = bounded.replacen("      type: array\nmaxItems", "      type: array\n      maxItems", 1);
    assert_eq!(at(&bounded), ["Convert `pattern` to a CEL rule"]);
}

#[test]
fn nothing_is_offered_in_broken_or_other_documents() {
    for text in [
        "apiVersion: v1\nkind: ConfigMap\ndata:\n  ‸a: b\n",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  ‸versions: [\n",
    ] {
        assert_eq!(titles(text), Vec::<String>::new(), "{text}");
    }
}
