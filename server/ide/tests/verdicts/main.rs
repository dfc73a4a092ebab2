//! The effect of each action that changes an expression on the objects that a definition accepts.
//!
//! All fixes, fixes for several places, refactorings and formatting of rules are applied, one by one, to
//! small definitions: examples for each kind, and the schema nodes of the fixtures and of the corpus. The
//! changed definition must have the same verdicts on generated objects as the original one, by the complete
//! admission. `CRD_LS_CASES` sets the number of nodes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod acceptance;
mod examples;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use acceptance::{AcceptanceGuarantee, TriedObjects, compare, expressions};
use ide::{File, Settings};
use serde_json::Value as Json;
use text::{TextEdit, TextRange};

/// The promise of each kind of action, by its title without names and numbers; `None` if it mostly repairs a
/// rule that did not compile, so that there was no verdict.
const KINDS: &[(&str, Option<AcceptanceGuarantee>)] = &[
    ("Add the guard `` (the rule accepts the same objects)", Some(AcceptanceGuarantee::Same)),
    (
        "Add the guard `` (the rule accepts the same objects) in several places",
        Some(AcceptanceGuarantee::Same),
    ),
    ("Add `` (values of type `` stay rejected)", Some(AcceptanceGuarantee::Same)),
    ("Add `` (values of type `` stay rejected) in several places", Some(AcceptanceGuarantee::Same)),
    ("Add `` (accepts values of type ``)", Some(AcceptanceGuarantee::SameWhereEvaluated)),
    ("Add `` (accepts values of type ``) in several places", Some(AcceptanceGuarantee::SameWhereEvaluated)),
    ("Merge `filter` and `all` into one `all`", Some(AcceptanceGuarantee::Same)),
    ("Merge `map` and `all` into one `all`", Some(AcceptanceGuarantee::Same)),
    ("Replace `filter` and `size` with `exists`", Some(AcceptanceGuarantee::Same)),
    ("Replace `filter` and `size` with `exists_one`", Some(AcceptanceGuarantee::Same)),
    ("Replace `exists` with `in`", Some(AcceptanceGuarantee::Same)),
    ("Replace `all` with `in`", Some(AcceptanceGuarantee::Same)),
    ("Build the string with `format`", Some(AcceptanceGuarantee::Same)),
    ("Replace the rule with `` on ``", Some(AcceptanceGuarantee::Same)),
    ("Replace the rule with `` on this list", Some(AcceptanceGuarantee::Same)),
    (
        "Replace the rule with `` on `` (accepts objects without ``)",
        Some(AcceptanceGuarantee::SameWhereEvaluated),
    ),
    ("Replace the rule with `` and the key `` on ``", Some(AcceptanceGuarantee::Same)),
    (
        "Replace the rule with `` and the key `` on `` (accepts objects without ``)",
        Some(AcceptanceGuarantee::SameWhereEvaluated),
    ),
    ("Convert `pattern` to a CEL rule", Some(AcceptanceGuarantee::Same)),
    ("Convert `oneOf` to a CEL rule", Some(AcceptanceGuarantee::Same)),
    ("Convert `anyOf` to a CEL rule", Some(AcceptanceGuarantee::Same)),
    ("Convert `allOf` to a CEL rule", Some(AcceptanceGuarantee::Same)),
    ("Convert `not` to a CEL rule", Some(AcceptanceGuarantee::Same)),
    ("Convert this rule to `pattern`", Some(AcceptanceGuarantee::Same)),
    ("Convert this rule to `required`", Some(AcceptanceGuarantee::Same)),
    ("Convert this rule to `oneOf`", Some(AcceptanceGuarantee::Same)),
    ("Convert this rule to `anyOf`", Some(AcceptanceGuarantee::Same)),
    ("Convert this rule to `allOf`", Some(AcceptanceGuarantee::Same)),
    ("Convert this rule to `not`", Some(AcceptanceGuarantee::Same)),
    ("Format this rule", Some(AcceptanceGuarantee::Same)),
    ("Replace `messageExpression` with a `message` that shows the rule", Some(AcceptanceGuarantee::Same)),
    ("Remove `messageExpression` and use `message`", Some(AcceptanceGuarantee::Same)),
    ("Replace the access with the key check ``", None),
    ("Replace the comparison with `` (every item must match)", None),
    ("Replace the comparison with `` (one matching item is enough)", None),
    ("Compare the size with : ``", None),
    ("Compare the size with : `` in several places", None),
    ("Compare `` as a string: ``", None),
    ("Convert the value to a string: ``", None),
    ("Move the rules out of the branch (they apply only if its required fields are set)", None),
    ("Quote the rule", None),
    ("Convert `` to a list with ``", None),
    ("Convert `` to a list of one item", None),
    ("Add `` before ``", None),
    ("Move the text to `message`", None),
    ("Remove `messageExpression`", None),
    ("Remove `messageExpression` in several places", None),
    ("Remove the empty entry", None),
    ("Rename `` to ``", None),
    ("Rename the references to `size` to ``", None),
    ("Change `` to ``", None),
    ("Change `size` to ``", None),
    ("Change `` to `` in several places", None),
    ("Change `` to `` in ``", None),
    ("Change to the raw string ``", None),
    ("Insert ``", None),
    ("Remove ``", None),
    ("Replace `` with ``", None),
    ("Replace `` with `` in several places", None),
    ("Replace the operators with ``", None),
    ("Replace the operators with ``, ``", None),
    ("Replace the operators with ``, ``, ``", None),
];

fn promise_of(kind: &str) -> Option<Option<AcceptanceGuarantee>> {
    KINDS.iter().find(|(known, _)| *known == kind).map(|(_, promise)| *promise)
}

/// An action that changes an expression.
struct Action {
    title: String,
    text_after: String,
    /// Whether there was no verdict before: the expression did not compile, or was at a place where the
    /// server allows none.
    is_first: bool,
}

/// All actions on the definition that change an expression.
fn actions(text: &str) -> Vec<Action> {
    let file = File::new(text, &Settings::default());
    let before = expressions(text);
    let mut found: Vec<(String, Vec<TextEdit>, bool)> = Vec::new();
    let fixes = file.fixes(TextRange::new(0, text.len() as u32));
    let alike = file.similar_fixes(&fixes, &file.budget());
    for fix in fixes.into_iter().chain(alike) {
        let had_no_verdict = |code: &str| {
            let of_other_groups = ["yaml/", "structural/", "decode/"];
            matches!(code, "cel/rule-compile" | "cel/message-expression-compile" | "cel/rule-required")
                || of_other_groups.iter().any(|group| code.starts_with(group))
        };
        let is_first = fix.repairs.iter().any(|(code, _)| had_no_verdict(code.as_str()));
        found.push((fix.title, fix.edits, is_first));
    }
    let is_broken = file.findings().iter().any(|finding| finding.code == "cel/rule-compile");
    let words = ["rule\":", "pattern\":", "oneOf\":", "anyOf\":", "allOf\":", "not\":"];
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        // Only at `spec` itself: nodes below it have separate definitions.
        let depth = line.len() - line.trim_start_matches([' ', '-']).len();
        let is_wanted = words.iter().any(|word| line.trim_start_matches([' ', '-', '"']).starts_with(word));
        if is_wanted && depth <= 16 {
            let at = (line_start + depth + 1) as u32;
            let offers = file.refactorings(TextRange::empty(at)).into_iter();
            found.extend(offers.map(|offer| (offer.title, offer.edits, is_broken)));
        }
        if let Some(column) = line.find("rule\":") {
            // Within the text of the rule.
            let at = (line_start + column + "rule\": ".len() + 1) as u32;
            let fix = [at, (line_start + line.len() + depth + 3) as u32]
                .into_iter()
                .find_map(|at| file.format_rule(at));
            found.extend(fix.map(|fix| (fix.title, fix.edits, is_broken)));
        }
        line_start += line.len();
    }
    let mut seen = BTreeSet::new();
    let mut actions = Vec::new();
    for (title, edits, is_first) in found {
        let mut after = text.to_owned();
        edits.iter().rev().for_each(|edit| after.replace_range(edit.range.as_usize(), &edit.new_text));
        if expressions(&after) != before && seen.insert((title.clone(), after.clone())) {
            actions.push(Action { title, text_after: after, is_first });
        }
    }
    actions
}

/// Words that distinguish kinds.
const WORDS: [&str; 16] = [
    "all",
    "allOf",
    "anyOf",
    "exists",
    "exists_one",
    "filter",
    "format",
    "in",
    "map",
    "message",
    "messageExpression",
    "not",
    "oneOf",
    "pattern",
    "required",
    "size",
];

/// The kinds of an action, from its title without names, numbers, bounds and costs.
fn kinds(title: &str) -> Vec<String> {
    let title = title.split(" (cost ").next().unwrap();
    let mut words = String::new();
    for (index, part) in title.split('`').enumerate() {
        match index % 2 {
            1 if WORDS.contains(&part) => words.extend(["`", part, "`"]),
            1 => words.push_str("``"),
            _ => words.extend(part.chars().filter(|char| !char.is_ascii_digit())),
        }
    }
    let words = words.replace(" (its message is lost)", "");
    let several = [" in all  places", " in both places", " in  ", ", and repair "];
    let (what, places) = match several.iter().find_map(|mark| words.split_once(mark)) {
        Some((what, _)) => (what.to_owned(), " in several places"),
        None => (words, ""),
    };
    let parts = what.split("; ").filter(|part| !part.starts_with("set ") && !part.starts_with("add "));
    // The second part of a title begins with a lowercase letter.
    let capitalised = |part: &str| -> String {
        let mut letters = part.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    };
    parts.map(|part| format!("{}{places}", capitalised(part))).collect()
}

/// The number of times that a kind was applied, and the objects on which it was tried.
#[derive(Debug, Default)]
struct Count {
    applied: usize,
    tried: TriedObjects,
}

/// Applies all actions to definitions of `nodes`.
fn take_all(nodes: &[Json]) -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut wrong = Vec::new();
    for node in nodes {
        let text = sources::definition(node);
        for Action { title, text_after: after, is_first } in actions(&text) {
            let promises: Vec<_> = kinds(&title).into_iter().map(|kind| (promise_of(&kind), kind)).collect();
            if let Some((_, kind)) = promises.iter().find(|(promise, _)| promise.is_none()) {
                wrong.push(format!("an unknown kind: {kind} ({title}) in\n{text}"));
                continue;
            }
            let promise = promises
                .iter()
                .filter_map(|(promise, _)| (*promise)?)
                .max()
                .unwrap_or(AcceptanceGuarantee::Same);
            let tried = match Some(promise).filter(|_| !is_first) {
                Some(promise) => match compare(&text, &after, promise) {
                    Ok(tried) => tried,
                    Err(difference) => {
                        wrong.push(format!("{title}\n{difference}\n{after}"));
                        continue;
                    }
                },
                None => TriedObjects::default(),
            };
            for (_, kind) in promises {
                let count = counts.entry(kind).or_default();
                count.applied += 1;
                count.tried.objects += tried.objects;
                count.tried.accepted += tried.accepted;
            }
        }
    }
    println!("{:>6} {:>9} {:>9}  kind of action", "taken", "objects", "accepted");
    for (kind, Count { applied: taken, tried }) in &counts {
        println!("{taken:>6} {:>9} {:>9}  {kind}", tried.objects, tried.accepted);
    }
    assert!(wrong.is_empty(), "{}\n{} in all", wrong.join("\n\n"), wrong.len());
    counts
}

#[test]
fn each_kind_of_action_keeps_the_promised_verdicts() {
    let counts = take_all(&examples::nodes());
    for (kind, _) in KINDS.iter().filter(|(_, promise)| promise.is_some()) {
        let count = counts.get(*kind).unwrap_or_else(|| panic!("no example of: {kind}"));
        let TriedObjects { objects, accepted } = count.tried;
        // There must be accepted and rejected objects; otherwise the test proves nothing.
        assert!(0 < accepted && accepted < objects, "{kind}: {count:?}");
    }
}

#[test]
fn actions_in_fixtures_keep_verdicts() {
    some_of("../../fixtures", 40);
}

#[test]
fn actions_in_real_definitions_keep_verdicts() {
    some_of("../../../shared/corpus", 30);
}

/// Applies all actions to `most` of the nodes below `folder`, or to the number that the user sets.
fn some_of(folder: &str, most: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return;
    }
    let most = environment::at_most(most);
    let all = sources::nodes(&folder);
    let some: Vec<Json> = all.iter().step_by(all.len().div_ceil(most).max(1)).cloned().collect();
    let counts = take_all(&some);
    let taken: usize = counts.values().map(|count| count.applied).sum();
    println!("{taken} actions on {} of {} schema nodes below {}", some.len(), all.len(), folder.display());
    assert!(taken > 0);
}
