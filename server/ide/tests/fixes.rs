//! The results of "fix all": in the suites of `fixtures/fixes`, `before` becomes `after`, byte for byte; in
//! those of `fixtures/fixes/suggested`, the results of one suggestion after another.
//!
//! The API server's code accepts each `after` (except for `conflict`, which no edit can repair). To write
//! them again: `CRD_LS_UPDATE=1 cargo test -p crd-ls-ide --test fixes`, then check the difference and ask the
//! oracle.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "support/fix_all.rs"]
mod fix_all;

use std::collections::BTreeMap;
use std::path::PathBuf;

use fix_all::{applied, fixed};
use ide::{Applicability, Catalog, Definitions, File, Fix, Settings, Surroundings};
use suites::Case;
use text::TextEdit;

fn fixtures(below: &str) -> Vec<(PathBuf, String)> {
    suites::texts(&suites::fixtures().join(below)).unwrap()
}

fn part<'c>(case: &'c Case, part: &str) -> &'c str {
    case.part(part).unwrap().as_utf8().unwrap()
}

/// The findings that fixes should repair: without lints, which the server accepts.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    let file = File::new(text, &Settings::default());
    let findings = file.findings().iter().filter(|finding| !finding.code.as_str().starts_with("lint/"));
    findings.map(|finding| (finding.code.as_str(), finding.field_path.to_string())).collect()
}

#[test]
fn before_becomes_after() {
    let folder = suites::fixtures().join("fixes");
    if environment::updates() {
        suites::record(&folder, "yaml after", |case| Some(fixed(part(case, "before")))).unwrap();
    }
    let cases = suites::cases(&folder).unwrap();
    for case in &cases {
        let text = fixed(part(case, "before"));
        let after = part(case, "after");
        assert!(text == after, "{}", case.failed(after, &text));
        let conflict = case.name.contains("conflict");
        let left = findings(&text);
        assert_eq!(left.is_empty(), !conflict, "{}", case.failed("no findings", &format!("{left:#?}")));
    }
    println!("{} cases", cases.len());
    assert!(cases.len() >= 41);
}

/// Applies the first suggestion for the first finding about YAML, an unknown field or a default, until none remains.
fn followed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..100 {
        let file = File::new(&text, &Settings::default());
        let is_expected = |code: &str| {
            code.starts_with("yaml/") || matches!(code, "decode/unknown-field" | "defaults/schema")
        };
        let mut suggested = file.findings().iter().filter(|finding| is_expected(finding.code.as_str()));
        let Some(finding) = suggested.next() else { return text };
        let fixes = file.fixes(finding.range);
        let fix = fixes.iter().find(|fix| fix.repairs.contains(&(finding.code, finding.range)));
        text = applied(&text, &fix.unwrap_or_else(|| panic!("nothing for {finding:?} in {text}")).edits);
    }
    panic!("fixing does not end: {text}");
}

/// `fixtures/fixes/suggested`: only the requested suggestions are applied.
#[test]
fn suggestions_are_made_one_by_one() {
    let folder = suites::fixtures().join("fixes/suggested");
    if environment::updates() {
        suites::record(&folder, "yaml after", |case| Some(followed(part(case, "before")))).unwrap();
    }
    let cases = suites::cases(&folder).unwrap();
    for case in &cases {
        let before = part(case, "before");
        let text = fixed(before);
        assert!(text == before, "{}", case.failed(before, &text));
        let text = followed(before);
        let after = part(case, "after");
        assert!(text == after, "{}", case.failed(after, &text));
    }
    assert!(cases.len() >= 4);
}

#[test]
fn line_ends_stay_what_they_are() {
    let text = fixed(&suites::read(&suites::fixtures().join("fixes/crlf.before.yaml")).unwrap());
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn fix_all_of_a_fixture_ends_without_new_findings() {
    for (path, text) in
        ["crd/structural", "crd/editor", "documents", "fixes/catalogue"].into_iter().flat_map(fixtures)
    {
        let before = findings(&text);
        for finding in findings(&fixed(&text)) {
            assert!(before.contains(&finding), "{}: {finding:?}", path.display());
        }
    }
}

/// The first fix for a finding removes no text, whenever that is possible.
#[test]
fn removing_is_offered_last() {
    // A safe removal is the only right repair.
    let removes = |fix: &Fix| {
        fix.applicability == Applicability::Suggested
            && (fix.title.starts_with("Remove ") || fix.title.starts_with("Drop "))
    };
    let folders =
        ["crd/cases", "crd/structural", "crd/editor", "fixes", "fixes/catalogue", "fixes/titles", "refactor"];
    let (mut several, mut wrong) = (0, Vec::new());
    for (path, text) in folders.into_iter().flat_map(fixtures) {
        let file = File::new(&text, &Settings::default());
        for finding in file.findings() {
            let fixes = file.fixes(finding.range);
            let ours = fixes.iter().filter(|fix| fix.repairs.contains(&(finding.code, finding.range)));
            let order: Vec<bool> = ours.map(removes).collect();
            several += usize::from(order.contains(&true) && order.contains(&false));
            if !order.is_sorted() {
                wrong.push((path.clone(), finding.code.as_str()));
            }
        }
    }
    assert_eq!(wrong, []);
    assert!(several > 20, "only {several} findings have both");
}

#[test]
fn each_fix_of_a_fixture_removes_its_findings() {
    let mut count = 0;
    let folders = [
        "crd/structural",
        "crd/editor",
        "documents",
        "fixes",
        "fixes/suggested",
        "fixes/catalogue",
        "fixes/titles",
    ];
    for (path, text) in folders.into_iter().flat_map(fixtures) {
        let file = File::new(&text, &Settings::default());
        for finding in file.findings() {
            for fix in file
                .fixes(finding.range)
                .iter()
                .filter(|fix| fix.repairs.contains(&(finding.code, finding.range)))
            {
                // Two undeclared fields may have findings at the same range; a fix for one of them has that
                // range.
                let at_place: Vec<(&ide::FieldPath, &ide::Message)> = file
                    .findings()
                    .iter()
                    .filter(|other| {
                        (other.code.as_str(), other.range) == (finding.code.as_str(), finding.range)
                    })
                    .map(|other| (&other.field_path, &other.message))
                    .collect();
                let count_of = |text: &str| {
                    let file = File::new(text, &Settings::default());
                    let is_same = |other: &&ide::Finding| {
                        other.code.as_str() == finding.code.as_str()
                            && at_place.contains(&(&other.field_path, &other.message))
                    };
                    file.findings().iter().filter(is_same).count()
                };
                // Another document may have the same finding.
                let left = count_of(&applied(&text, &fix.edits));
                assert!(left < count_of(&text), "{}: {:?} leaves {finding:?}", path.display(), fix.title);
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count} fixes");
}

/// A definition with the schema `schema` for `spec.port`.
fn with_port(schema: &str) -> String {
    let schema: String = schema.lines().map(|line| format!("                {line}\n")).collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.b.c\nspec:\n  group: b.c\n  scope: Cluster\n  \
         names: {{kind: A, plural: as}}\n  versions:\n  - name: v1\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         properties:\n          spec:\n            type: object\n            properties:\n              port:\n{schema}"
    )
}

fn titles(schema: &str) -> Vec<String> {
    let text = with_port(schema);
    let file = File::new(&text, &Settings::default());
    let whole = text::TextRange::new(0, text.len() as u32);
    let sign = |applicability| if applicability == Applicability::Safe { "safe" } else { "suggested" };
    file.fixes(whole).iter().map(|fix| format!("{}: {}", sign(fix.applicability), fix.title)).collect()
}

#[test]
fn titles_describe_the_change() {
    assert_eq!(
        titles("anyOf:\n- type: string\n  maxLength: 3\n- type: string\n  minLength: 9\n"),
        ["safe: Move `type: string` from 2 branches of `anyOf` to `port`"]
    );
    assert_eq!(
        titles("anyOf:\n- type: string\n- type: integer\n"),
        ["safe: Set `x-kubernetes-int-or-string: true` in `port`"]
    );
    assert_eq!(titles("pattern: ^a\n"), ["safe: Add `type: string` to `port`"]);
    assert_eq!(
        titles("description: what\n"),
        ["suggested: Add `type: string` to `port`", "suggested: Add `type: object` to `port`"]
    );
    assert_eq!(
        titles("type: string\nanyOf:\n- description: one\n- description: other\n"),
        ["safe: Move `description` from 2 branches of `anyOf` to `port`"]
    );
    assert_eq!(
        titles("description: what\ntype: string\nanyOf:\n- description: one\n- description: other\n"),
        ["safe: Convert `description` of the branches of `anyOf` to comments in `port`"]
    );
    assert_eq!(
        titles("description: what\ntype: string\nanyOf: [{description: one}]\n"),
        ["suggested: Remove `description` from the branches of `anyOf` in `port`"]
    );
    assert_eq!(
        titles("anyOf:\n- type: boolean\n- type: string\n"),
        [
            "suggested: Replace `type` in `port` with `x-kubernetes-preserve-unknown-fields: true` (accepts any value)"
        ]
    );
}

#[test]
fn a_number_gets_the_formats_of_its_type() {
    let formats = |schema: &str| -> Vec<String> {
        let titles = titles(schema).into_iter();
        titles.filter_map(|title| Some(title.strip_prefix("suggested: Set `format: ")?.to_owned())).collect()
    };
    assert_eq!(formats("type: integer\nformat: int\n"), ["int32`", "int64`"]);
    assert_eq!(formats("type: integer\nformat: uint32\n"), ["int64`", "int32`"]);
    assert_eq!(formats("type: number\nformat: decimal\n"), ["float`", "double`"]);
    assert_eq!(formats("type: string\nformat: DateTime\n"), ["date-time`"]);
}

#[test]
fn an_object_does_not_become_an_integer_or_string() {
    let marks = "x-kubernetes-int-or-string: true\nx-kubernetes-preserve-unknown-fields: true\n";
    let dropped = ["suggested: Remove `x-kubernetes-int-or-string` from `port`"];
    assert_eq!(titles(&format!("type: object\n{marks}")), dropped);
    assert_eq!(titles(&format!("type: object\nx-kubernetes-embedded-resource: true\n{marks}")), dropped);
    assert_eq!(
        titles(&format!("properties:\n  a:\n    type: string\n{marks}")),
        ["suggested: Remove `x-kubernetes-int-or-string` from `port` (and 1 more change)"]
    );
    assert_eq!(titles(marks), ["safe: Remove `x-kubernetes-preserve-unknown-fields` from `port`"]);
}

/// The server treats `1` and `1.0` in a JSON request as two items of a set; for `uniqueItems`, they are
/// equal.
#[test]
fn a_set_of_numbers_is_weaker_than_unique_items() {
    let first = |own: &str, of: &str| {
        titles(&format!("type: array\nuniqueItems: true\n{own}items: {{type: {of}}}\n")).remove(0)
    };
    let set = "x-kubernetes-list-type: set\n";
    for of in ["string", "boolean"] {
        assert_eq!(first("", of), "safe: Replace `uniqueItems` with `x-kubernetes-list-type: set`");
        assert_eq!(first(set, of), "safe: Remove `uniqueItems` (a set already has unique items)");
    }
    for of in ["integer", "number"] {
        assert_eq!(first("", of), "suggested: Replace `uniqueItems` with `x-kubernetes-list-type: set`");
        assert_eq!(first(set, of), "suggested: Remove `uniqueItems` (a set already has unique items)");
    }
}

#[test]
fn a_root_is_no_integer_or_string() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.b.c\nspec:\n  group: b.c\n  scope: Cluster\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        x-kubernetes-int-or-string: true\n        x-kubernetes-preserve-unknown-fields: true\n        anyOf:\n        - type: object\n";
    let file = File::new(text, &Settings::default());
    let fixes = file.fixes(text::TextRange::new(0, text.len() as u32));
    for finding in file.findings().iter().filter(|one| one.severity == ide::Severity::Error) {
        let is_fixed = fixes.iter().any(|fix| fix.repairs.contains(&(finding.code, finding.range)));
        assert!(is_fixed, "{}: {fixes:#?}", finding.code);
    }
}

/// A kind that is not a valid name does not determine the plural if other names do.
#[test]
fn an_invalid_kind_does_not_determine_the_plural() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.org\nspec:\n  group: example.com\n  scope: Cluster\n  names: {kind: Gadget_x, singular: widget}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n";
    let titles = |text: &str| -> Vec<String> {
        let fixes = File::new(text, &Settings::default()).fixes(text::TextRange::new(0, text.len() as u32));
        fixes.into_iter().map(|fix| fix.title).collect()
    };
    assert!(
        titles(text).contains(&"Add `plural: widgets` (from `metadata.name`)".to_owned()),
        "{:?}",
        titles(text)
    );
    let alone = text.replace(", singular: widget", "");
    assert!(titles(&alone).contains(&"Add `plural: gadgetxes`".to_owned()), "{:?}", titles(&alone));
}

/// kube-apiserver reads a key without a value as null, so the subresource is off.
#[test]
fn a_subresource_without_a_value_gets_one() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: as.b.c\nspec:\n  group: b.c\n  scope: Cluster\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    subresources:\n      status:\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          status: {type: object}\n";
    let file = File::new(text, &Settings::default());
    let [finding] = file.findings() else { panic!("{:#?}", file.findings()) };
    assert_eq!(
        finding.message.to_string(),
        "`status` has no value, so the status subresource is off; write `status: {}`"
    );
    assert_eq!(finding.range.start as usize, text.find("status:").unwrap());
    let fix = file.fixes(finding.range).into_iter().next().unwrap();
    assert_eq!(text::applied(text, 0, &fix.edits), text.replacen("      status:\n", "      status: {}\n", 1));
}

/// Guards of rules are searched with generated values, which takes most of the steps of a request.
#[test]
fn hints_leave_enough_budget_for_errors() {
    let hint = "x-kubernetes-validations: [{rule: self.a == 'a'}]";
    let filler = format!("description: {}", "a ".repeat(25_000));
    let part = format!("type: object\n  properties:\n    a: {{type: string, maxLength: 9}}\n  {hint}\n");
    let parts: String = (0..12).map(|number| format!("p{number}:\n  {part}")).collect();
    let wrong = "wrong:\n  type: object\n  properties:\n    a: {type: string, maxLength: 9}\n  x-kubernetes-validations: [{rule: self.a.startWith('a')}]\n";
    let schema = format!("type: object\n{filler}\nproperties:\n{}", indented(&format!("{parts}{wrong}")));
    assert!(titles(&schema).contains(&"suggested: Change `startWith` to `startsWith`".to_owned()));
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// `int` means integer, but a rule compares the field with a string: the fix is only suggested.
#[test]
fn a_fix_that_contradicts_a_rule_is_not_safe() {
    let schema = "type: object\nmaxProperties: 9\nadditionalProperties:\n  type: object\n  properties:\n    tags:\n      type: object\n      \
                  maxProperties: 9\n      additionalProperties: {type: int}\n      x-kubernetes-validations:\n      - rule: \
                  self.all(key, self[key] != '')\n  x-kubernetes-validations:\n  - rule: has(self.tags)\n";
    assert_eq!(titles(schema)[0], "suggested: Set `type: integer`");
    let text = with_port(schema);
    assert_eq!(fixed(&text), text);
    let sound = schema.replace("!= ''", "!= 0");
    assert_eq!(titles(&sound)[0], "safe: Set `type: integer`");
}

#[test]
fn tabs_become_the_indentation_of_the_file() {
    let four = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n    group: a\n\tscope: Cluster\n\tnames:\n\t\tkind: A\n";
    assert_eq!(fixed(four), four.replace('\t', "    "));
    let two = four.replace("    group", "  group");
    assert_eq!(fixed(&two), two.replace('\t', "  "));
    let only_tabs = four.replace("    group", "\tgroup");
    assert_eq!(fixed(&only_tabs), only_tabs.replace('\t', "  "));
    let many = format!("{two}\t\tshortNames:\n{}", "\t\t- a\n".repeat(300));
    assert_eq!(fixed(&many), many.replace('\t', "  "));
    let behind_dash = format!("{two}\tversions:\n\t-\tname: v1\n\t- \tname: v2\n\t\n");
    let expected = behind_dash.replace("-\t", "- ").replace("- \t", "- ").replace("\t\n", "\n");
    assert_eq!(fixed(&behind_dash), expected.replace('\t', "  "));
}

#[test]
fn tabs_within_text_blocks_are_left_to_the_author() {
    let text = with_port("type: string\ndescription: |\n\tone\n");
    assert!(findings(&text).iter().any(|(code, _)| *code == "yaml/tab-indentation"), "{:?}", findings(&text));
    assert_eq!(fixed(&text), text);
}

#[test]
fn either_of_two_equal_keys_can_go() {
    let schema = "type: string\nminLength: 1\nminLength: 2\n";
    assert_eq!(
        titles(schema),
        [
            "suggested: Remove the earlier `minLength`, which has no effect",
            "suggested: Remove this `minLength` and use the earlier one"
        ]
    );
    let text = with_port(schema);
    let fixes = File::new(&text, &Settings::default()).fixes(text::TextRange::new(0, text.len() as u32));
    let after: Vec<String> = fixes.iter().map(|fix| applied(&text, &fix.edits)).collect();
    assert_eq!(after, [with_port("type: string\nminLength: 2\n"), with_port("type: string\nminLength: 1\n")]);
}

/// A resource with `count` fields that its definition does not declare.
fn with_unknown_fields(count: usize) -> (String, File) {
    let definition = with_port("type: string\n").replace("storage: true", "served: true\n    storage: true");
    let definitions = Definitions::read("a.yaml", &definition, Definitions::load_kept(&definition));
    let catalog = Catalog::default().with([("a.yaml".into(), definitions)]);
    let surroundings = Surroundings { catalog, source: "b.yaml".into(), ..Surroundings::default() };
    let fields: String = (0..count).map(|index| format!("  unknown{index}: a\n")).collect();
    let text = format!("apiVersion: b.c/v1\nkind: A\nmetadata: {{name: a}}\nspec:\n  port: a\n{fields}");
    let file = File::with_surroundings(&text, &Settings::default(), surroundings);
    (text, file)
}

#[test]
fn a_crowded_resource_gets_its_fixes() {
    let (text, file) = with_unknown_fields(3_000);
    let at = text::TextRange::empty(text.find("unknown0:").unwrap() as u32 + 1);
    let titles: Vec<String> = file.fixes(at).into_iter().map(|fix| fix.title).collect();
    assert_eq!(titles, ["Remove `unknown0` (not in the schema)"]);
    // The number is limited, and they are proven together.
    let all = file.fixes(text::TextRange::new(0, text.len() as u32));
    assert_eq!(all.len(), 100);
    assert!(all.iter().all(|fix| fix.title.starts_with("Remove `unknown")));
}

/// The number of occurrences of each comment.
fn comments(text: &str) -> BTreeMap<String, usize> {
    fn visit(node: yaml::syntax::NodeRef<'_>, comments: &mut BTreeMap<String, usize>) {
        for token in node.tokens().filter(|token| token.kind == yaml::SyntaxKind::Comment) {
            *comments.entry(token.text.trim_end().to_owned()).or_default() += 1;
        }
        node.nodes().for_each(|below| visit(below, comments));
    }
    let mut comments = BTreeMap::new();
    yaml::Tree::parse(text).documents().for_each(|document| visit(document.syntax(), &mut comments));
    comments
}

fn assert_harmless(place: &str, text: &str, edits: &[TextEdit]) {
    let are_disjoint = edits.is_sorted_by(|one, other| one.range.end <= other.range.start);
    assert!(are_disjoint, "{place}: {edits:?}");
    let after = comments(&applied(text, edits));
    for (comment, count) in comments(text) {
        assert!(after.get(&comment).is_some_and(|left| *left >= count), "{place} loses {comment}: {edits:?}");
    }
}

#[test]
fn no_fix_of_any_fixture_loses_a_comment_or_edits_a_place_twice() {
    let folders =
        ["crd/structural", "crd/editor", "documents", "fixes", "fixes/suggested", "fixes/catalogue"];
    let mut count = 0;
    for (path, text) in folders.into_iter().flat_map(fixtures) {
        let file = File::new(&text, &Settings::default());
        let place = |what: &str| format!("{}: {what}", path.display());
        assert_harmless(&place("fix-all"), &text, &file.fix_all());
        for fix in file.fixes(text::TextRange::new(0, text.len() as u32)) {
            assert_harmless(&place(&fix.title), &text, &fix.edits);
            count += 1;
        }
        let fixed = fixed(&text);
        assert_eq!(File::new(&fixed, &Settings::default()).fix_all(), [], "{}", place("idempotence"));
    }
    assert!(count > 500, "{count} fixes");
}
