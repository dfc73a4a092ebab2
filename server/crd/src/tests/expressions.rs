//! Rules of schemas: the places of their errors, the expressions that edits compile again, and the costs in
//! real definitions.

use std::collections::BTreeMap;
use std::fs;

use super::markers::definition;
use super::{reports, repository};
use crate::beside;
use crate::rules::{VersionCost, costs};
use crate::{Cache, Finding, KubernetesVersion, Options, check};

/// A schema with one rule, in the form `written`.
fn with_rule(written: &str) -> String {
    let schema = "type: object\nproperties:\n  size:\n    type: integer\nx-kubernetes-validations:\n- message: m\n  rule: ";
    definition(&format!("{schema}{written}\n"))
}

fn rule_findings(text: &str) -> Vec<Finding> {
    let findings = reports(text).remove(0).findings;
    findings.into_iter().filter(|finding| finding.code.as_str().starts_with("cel/")).collect()
}

#[test]
fn an_error_has_its_range_in_every_scalar_style() {
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
        let found = rule_findings(&text);
        let words: Vec<_> = found
            .iter()
            .map(|one| (one.code.as_str(), text.get(one.range.as_usize()).unwrap_or_default()))
            .collect();
        assert_eq!(words, [("cel/rule-compile", "sise")], "{written}");
        assert!(found.iter().all(|one| one.api_server.is_some()), "{written}");
    }
}

#[test]
fn an_unknown_field_in_has_is_the_range_of_the_error() {
    let text = with_rule("has(self.sise) && has( self . naem )");
    let found = rule_findings(&text);
    let parts: Vec<_> = found.iter().map(|one| text.get(one.range.as_usize()).unwrap_or_default()).collect();
    assert_eq!(parts, ["sise", "naem"]);
}

#[test]
fn a_feature_of_newer_servers_is_reported_with_its_version() {
    let text = with_rule("\"[3, 1].sort() == [1, 3]\"");
    let tree = yaml::Tree::parse(&text);
    let options = Options { kubernetes_version: KubernetesVersion { minor: 34 }, ..Options::default() };
    let document = tree.documents().next().unwrap();
    let found = check(document, &options, &mut Cache::default()).findings;
    let found: Vec<_> = found.iter().filter(|one| one.code == "cel/rule-compile").collect();
    assert!(
        found[0].message.problem.ends_with("sort is available to new rules since Kubernetes 1.35"),
        "{found:?}"
    );
}

#[test]
fn each_error_names_its_compilation_step() {
    let text = with_rule("\"ip('::1').family() == 6 && semver('1.0.0').major() == 1\"");
    let tree = yaml::Tree::parse(&text);
    let options = Options { kubernetes_version: KubernetesVersion { minor: 28 }, ..Options::default() };
    let document = tree.documents().next().unwrap();
    let found = check(document, &options, &mut Cache::default()).findings;
    let found = found.iter().filter(|one| one.code == "cel/rule-compile");
    let words: Vec<_> = found.map(|one| one.message.problem.split("; ").next().unwrap()).collect();
    assert_eq!(
        words,
        [
            "there is no function `ip`",
            "there is no function `family`",
            "there is no function `semver`",
            "there is no function `major`",
        ]
    );
}

/// A definition that is being edited.
struct EditedDefinition {
    text: String,
    tree: yaml::Tree,
    cache: Cache,
}

impl EditedDefinition {
    fn new(schema: &str) -> Self {
        let text = definition(schema);
        let tree = yaml::Tree::parse(&text);
        Self { text, tree, cache: Cache::default() }
    }

    /// Checks the definition; returns the codes of the findings and the number of answers on expressions that
    /// were computed.
    fn check(&mut self) -> (Vec<&'static str>, usize) {
        let before = self.cache.computed();
        let document = self.tree.documents().next().unwrap();
        let found = check(document, &Options::default(), &mut self.cache).findings;
        (found.iter().map(|one| one.code.as_str()).collect(), self.cache.computed() - before)
    }

    /// Inserts `inserted` after `needle`, and checks the definition.
    fn typed(&mut self, needle: &str, inserted: &str) -> (Vec<&'static str>, usize) {
        let at = self.text.find(needle).unwrap() + needle.len();
        self.text.insert_str(at, inserted);
        let edit = text::TextEdit::insert(at as u32, inserted);
        self.tree = self.tree.edited(&edit, &|range| self.text[range.as_usize()].to_owned());
        self.check()
    }
}

#[test]
fn only_edited_rules_are_compiled_again() {
    let mut edited = EditedDefinition::new(
        "type: object
x-kubernetes-validations:
- rule: self.size > 0
- rule: self.size == oldSelf.size
  message: size is immutable
- rule: self.port > 5
properties:
  size: {type: integer, description: How many}
  port: {x-kubernetes-int-or-string: true, description: Which}
  note: {type: string, description: Which}
required: [size, port]
",
    );
    let (codes, _) = edited.check();
    assert_eq!(codes, ["lint/cel-int-or-string"]);
    assert_eq!(edited.typed("How many", "!"), (codes.clone(), 0), "a description");
    // A field that no rule reads still affects the generated objects.
    assert_eq!(edited.typed("note: {", "pattern: a, "), (codes, 1), "a property that no rule reads");
    // Two rules read it, and all are evaluated again; none is compiled again, because its type is unchanged.
    let codes = vec!["lint/cel-never-fails", "lint/cel-int-or-string"];
    assert_eq!(edited.typed("size: {", "minimum: 1, "), (codes, 3), "a bound");
    let (_, count) = edited.typed("self.size > 0", "0");
    assert_eq!(count, 3, "an expression: compiled, decided by the schema, tried");
}

#[test]
fn costs_of_real_rules_equal_those_of_the_server() {
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
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

/// The lines of `corpus-costs.tsv`, without the column for the file.
fn rows(name: &str, version: &VersionCost) -> Vec<String> {
    let row = |rule: &crate::rules::RuleCost| {
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
fn costs_of(schema: &str) -> Vec<crate::rules::RuleCost> {
    let text = definition(schema);
    let tree = yaml::Tree::parse(&text);
    let document = tree.documents().next().unwrap();
    costs(document, &Options::default(), &mut Cache::default()).remove(0).versions.remove(0).rules
}

/// The server gives no number for a rule that it cannot evaluate, unless outer bounds already determine it.
#[test]
fn rules_that_cannot_run_are_counted_like_on_the_server() {
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
fn a_blank_message_expression_has_the_cost_of_the_server() {
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
