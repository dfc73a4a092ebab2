//! Guards in rules: with them, a rule accepts the same generated objects as before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use text::TextRange;
use yaml::{Json, Tree};

use super::markers::definition;
use super::repository;
use crate::generate::Agreement;
use crate::{Cache, Options, Severity};

/// The results for the guards of many rules.
#[derive(Debug, Default)]
struct GuardCounts {
    rules: usize,
    /// The reads of values that may be absent, and how many of these have a guard.
    values: usize,
    guarded: usize,
    /// The number of guards that were tried on at least one object.
    proven: usize,
    differences: Vec<String>,
}

impl GuardCounts {
    /// Tries the rules of the definitions in `text` whose texts are not in `seen`.
    fn definitions(&mut self, text: &str, seen: &mut BTreeSet<String>) {
        let tree = Tree::parse(text);
        let mut cache = Cache::default();
        let all = TextRange::new(0, text.len() as u32);
        for document in tree.documents() {
            crate::rules::rules(document, &Options::default(), &mut cache, all, &mut |view| {
                if !seen.insert(view.rule.rule.to_string()) {
                    return;
                }
                self.rules += 1;
                for one in view.unguarded() {
                    self.values += 1;
                    let Some(guards) = view.guards(&one) else { continue };
                    self.guarded += 1;
                    let mut changes: Vec<_> = guards.into_iter().flat_map(|guard| guard.changes).collect();
                    changes.sort();
                    let mut after = view.rule.rule.to_string();
                    for (range, new) in changes.iter().rev() {
                        after.replace_range(range.as_usize(), new);
                    }
                    match view.agrees(&after) {
                        Agreement::Same(_) => self.proven += 1,
                        Agreement::Unknown => {}
                        differs => self.differences.push(format!("{}\n{after}\n{differs:?}", view.rule.rule)),
                    }
                }
            });
        }
    }
}

#[test]
fn guards_do_not_change_the_accepted_objects() {
    let text = definition(
        r#"type: object
properties:
  mode: {type: string, enum: [a, b]}
  size: {type: integer}
  port: {x-kubernetes-int-or-string: true}
  tags: {type: array, maxItems: 3, items: {type: object, properties: {key: {type: string}, n: {type: integer}}}}
  labels: {type: object, additionalProperties: {type: string}}
  inner: {type: object, properties: {deep: {type: object, properties: {x: {type: integer}}}}}
x-kubernetes-validations:
- rule: self.size > 3
- rule: "!has(self.size) || self.mode == 'a'"
- rule: "self.mode != 'a' || self.size < 5 && self.size > 1"
- rule: "!(self.mode == 'a' && self.size > 2)"
- rule: "self.mode == 'a' ? self.size > 2 : self.port == 80"
- rule: self.inner.deep.x > 1 || has(self.size)
- rule: "!has(self.tags) || self.tags.all(t, t.key != '' && t.n > 0)"
- rule: "has(self.tags) && self.tags.exists(t, !(t.key == 'a'))"
- rule: "has(self.tags) && self.tags.exists_one(t, t.key == 'a')"
- rule: "has(self.tags) && self.tags.filter(t, t.n > 0).size() == 1"
- rule: "has(self.tags) && self.tags.map(t, t.n).exists(n, n > 0)"
- rule: "self.labels['app'] == 'x' || self.labels.size() == 0"
- rule: "self.size >= oldSelf.size"
"#,
    );
    let mut tried = GuardCounts::default();
    tried.definitions(&text, &mut BTreeSet::new());
    assert!(tried.differences.is_empty(), "{}", tried.differences.join("\n\n"));
    assert_eq!(tried.rules, 13);
    assert_eq!((tried.guarded, tried.proven), (tried.values, tried.values), "{tried:?}");
}

#[test]
fn guards_do_not_change_the_objects_that_real_rules_accept() {
    let corpus = repository().join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: no corpus of real definitions beside the repository");
        return;
    }
    let mut tried = GuardCounts::default();
    let mut seen = BTreeSet::new();
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    for text in paths.iter().filter_map(|path| fs::read_to_string(path).ok()) {
        if !text.contains("x-kubernetes-validations") {
            continue;
        }
        // If nothing is required, rules read many more fields that may be absent.
        for document in Tree::parse(&text).documents() {
            let Ok(decoded) = yaml::decode(document) else { continue };
            let mut json = decoded.json;
            without_required(&mut json);
            tried.definitions(&json.to_string(), &mut seen);
        }
    }
    assert!(tried.differences.is_empty(), "{}", tried.differences.join("\n\n"));
    let GuardCounts { rules, values, guarded, proven, .. } = tried;
    eprintln!(
        "{rules} different rules read {values} values without a guard; {guarded} guards, {proven} of them proven"
    );
    assert!(
        rules > 250 && guarded * 10 >= values * 7 && proven * 10 >= guarded * 8,
        "{rules} {values} {guarded} {proven}"
    );
}

/// The number of findings on real rules by code; each was examined, and is correct.
const REPORTED: [(&str, usize); 0] = [];

#[test]
fn findings_on_real_rules_are_true() {
    let corpus = repository().join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: no corpus of real definitions beside the repository");
        return;
    }
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    paths.sort();
    let mut reported: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if !text.contains("x-kubernetes-validations") {
            continue;
        }
        for report in super::reports(&text) {
            for one in report.findings.iter().filter(|one| one.code.as_str().starts_with("lint/cel-")) {
                // A field that may be absent is only a hint if the error rejects the same objects as the
                // rule.
                if one.code == "lint/cel-optional-field" && one.severity == Severity::Hint {
                    continue;
                }
                eprintln!(
                    "{}: {} {} {}",
                    path.display(),
                    one.code.as_str(),
                    &text[one.range.as_usize()],
                    one.message
                );
                *reported.entry(one.code.as_str()).or_default() += 1;
            }
        }
    }
    assert_eq!(reported, BTreeMap::from(REPORTED));
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|it| it == "yaml" || it == "yml") {
            found.push(path);
        }
    }
}

/// Drops the lists of required fields; a property of that name is not a list.
fn without_required(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.retain(|key, value| key != "required" || !matches!(value, Json::Array(_)));
            members.iter_mut().for_each(|(_, value)| without_required(value));
        }
        Json::Array(items) => items.iter_mut().for_each(without_required),
        _ => {}
    }
}
