//! Rules of schemas: where their errors stand, what edits compile again, and what those of real definitions cost.

use std::collections::BTreeMap;
use std::fs;

use super::markers::definition;
use super::{reports, repository};
use crate::cel::{VersionCost, costs};
use crate::{Cache, KubernetesVersion, Options, Violation, check};

/// A schema with one rule, which is written as `written`.
fn with_rule(written: &str) -> String {
    let schema = "type: object\nproperties:\n  size:\n    type: integer\nx-kubernetes-validations:\n- message: m\n  rule: ";
    definition(&format!("{schema}{written}\n"))
}

fn rule_violations(text: &str) -> Vec<Violation> {
    let violations = reports(text).remove(0).violations;
    violations.into_iter().filter(|violation| violation.code.starts_with("cel/")).collect()
}

#[test]
fn an_error_stands_at_its_characters_in_every_style_of_scalar() {
    for written in [
        "self.sise > 0",
        "'self.sise > 0'",
        "\"self.sise > 0\"",
        "\"\\x73elf.sise > 0\"",
        "|\n    self.sise\n      > 0",
        ">-\n    true &&\n    self.sise > 0",
        "'true ||\n    ''a'' == ''b'' || self.sise > 0'",
        "true &&\n    self.sise > 0",
    ] {
        let text = with_rule(written);
        let found = rule_violations(&text);
        let words: Vec<_> =
            found.iter().map(|one| (one.code, text.get(one.range.as_usize()).unwrap_or_default())).collect();
        assert_eq!(words, [("cel/rule-compile", "sise")], "{written}");
        assert!(found.iter().all(|one| one.server.is_some()), "{written}");
    }
}

#[test]
fn a_field_that_has_asks_for_is_what_is_wrong() {
    let text = with_rule("has(self.sise) && has( self . naem )");
    let found = rule_violations(&text);
    let parts: Vec<_> = found.iter().map(|one| text.get(one.range.as_usize()).unwrap_or_default()).collect();
    assert_eq!(parts, ["sise", "naem"]);
}

#[test]
fn what_newer_servers_know_says_since_when() {
    let text = with_rule("\"[3, 1].sort() == [1, 3]\"");
    let tree = yaml::Tree::parse(&text);
    let options = Options { kubernetes_version: KubernetesVersion { minor: 34 }, ..Options::default() };
    let document = tree.documents().next().unwrap();
    let found = check(document, &options, &mut Cache::default()).violations;
    let found: Vec<_> = found.iter().filter(|one| one.code == "cel/rule-compile").collect();
    assert!(found[0].message.ends_with("new rules may use sort from Kubernetes 1.35 on"), "{found:?}");
}

#[test]
fn each_error_names_what_it_waits_for() {
    let text = with_rule("\"ip('::1').family() == 6 && semver('1.0.0').major() == 1\"");
    let tree = yaml::Tree::parse(&text);
    let options = Options { kubernetes_version: KubernetesVersion { minor: 28 }, ..Options::default() };
    let document = tree.documents().next().unwrap();
    let found = check(document, &options, &mut Cache::default()).violations;
    let found = found.iter().filter(|one| one.code == "cel/rule-compile");
    let words: Vec<_> = found.map(|one| one.message.split("; ").next().unwrap()).collect();
    assert_eq!(
        words,
        [
            "undeclared reference to 'ip': new rules may use ip from Kubernetes 1.31 on",
            "undeclared reference to 'family': new rules may use family from Kubernetes 1.31 on",
            "undeclared reference to 'semver': new rules may use semver from Kubernetes 1.34 on",
            "undeclared reference to 'major': new rules may use major from Kubernetes 1.34 on",
        ]
    );
}

#[test]
fn only_changed_expressions_are_compiled_again() {
    let text = with_rule("self.size > 0\n- message: n\n  rule: self.size < 9");
    let tree = yaml::Tree::parse(&text);
    let mut cache = Cache::default();
    let mut compiled = |tree: &yaml::Tree| {
        for document in tree.documents() {
            let report = check(document, &Options::default(), &mut cache);
            assert!(report.violations.iter().all(|one| !one.code.starts_with("cel/")), "{report:?}");
        }
        cache.compiled()
    };
    assert_eq!(compiled(&tree), 2);
    let at = text.find("self.size < 9").unwrap() + "self.size < 9".len();
    let edit = text::TextEdit::insert(at as u32, "0");
    let edited = format!("{}0{}", &text[..at], &text[at..]);
    let tree = tree.edited(&edit, &|range| edited[range.as_usize()].to_owned());
    assert_eq!(compiled(&tree), 3);
}

#[test]
fn rules_of_real_definitions_cost_what_the_server_says() {
    let corpus = repository().join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: no corpus of real definitions beside the repository");
        return;
    }
    let golden = fs::read_to_string(repository().join("fixtures/cel/corpus-costs.tsv")).unwrap();
    let mut theirs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (file, rest) in golden.lines().skip(1).filter_map(|line| line.split_once('\t')) {
        theirs.entry(file).or_default().push(rest);
    }
    let mut equal = 0;
    for (file, theirs) in theirs {
        let Ok(text) = fs::read_to_string(corpus.join(file)) else { continue };
        let tree = yaml::Tree::parse(&text);
        let mut cache = Cache::default();
        let mut ours = Vec::new();
        for document in tree.documents() {
            for definition in costs(document, &Options::default(), &mut cache) {
                ours.extend(definition.versions.iter().flat_map(|version| rows(&definition.name, version)));
            }
        }
        assert_eq!(ours, theirs, "{file}");
        equal += ours.len();
    }
    eprintln!("{equal} rules of the corpus cost what the server says");
    assert!(equal >= 1_700, "only {equal} rules");
}

/// The lines of `corpus-costs.tsv`, without the file.
fn rows(name: &str, version: &VersionCost) -> Vec<String> {
    let row = |rule: &crate::cel::RuleCost| {
        format!(
            "{name}/{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:?}",
            version.version,
            rule.path,
            rule.per_call,
            rule.times,
            rule.bounded,
            rule.total,
            rule.uses_old_self,
            rule.message_expression_cost,
            rule.error.as_deref().unwrap_or_default()
        )
    };
    version.rules.iter().map(row).collect()
}

/// The costs of the rules of one version whose schema is `schema`.
fn costs_of(schema: &str) -> Vec<crate::cel::RuleCost> {
    let text = definition(schema);
    let tree = yaml::Tree::parse(&text);
    let document = tree.documents().next().unwrap();
    costs(document, &Options::default(), &mut Cache::default()).remove(0).versions.remove(0).rules
}

/// The server says no number for a rule that it cannot run, but where bounds around it already do.
#[test]
fn what_cannot_run_is_evaluated_as_often_as_the_server_says() {
    for (rule, bound, times) in [
        ("self.sise > 0", "", 0),
        ("'  '", "", 0),
        ("self.size", "", 0),
        ("self.sise > 0", "  maxItems: 3\n", 3),
        ("'  '", "  maxItems: 3\n", 3),
    ] {
        let rules = costs_of(&format!(
            "type: object\nproperties:\n list:\n  type: array\n{bound}  items:\n   type: object\n   properties:\n    \
             size:\n     type: integer\n   x-kubernetes-validations:\n   - rule: {rule}\n   - rule: self.size > 0\n"
        ));
        let found: Vec<_> = rules.iter().map(|one| (one.rule.as_str(), one.times)).collect();
        assert_eq!(found[0].1, times, "{found:?}");
        assert!(found[1].1 >= 3, "{found:?}");
    }
}

#[test]
fn a_blank_message_expression_is_priced_as_the_server_does_it() {
    let rules = costs_of(
        "type: integer\nx-kubernetes-validations:\n- rule: self > 0\n  messageExpression: ' '\n- rule: self > 1\n  \
         messageExpression: ''\n",
    );
    let errors: Vec<_> = rules.iter().map(|one| one.message_expression_error.as_deref()).collect();
    let words =
        "messageExpression compilation failed: ERROR: <input>:1:2: Syntax error: mismatched input '<EOF>'";
    assert!(errors[0].is_some_and(|error| error.starts_with(words)), "{errors:?}");
    assert_eq!(errors[1], None);
}
