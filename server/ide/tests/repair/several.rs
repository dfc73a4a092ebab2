//! Several planted mistakes in one definition: all must be reported at once, each must have the fix that it
//! has alone, and the definition must be accepted after all fixes.
//!
//! `CRD_LS_CASES` and `CRD_LS_SEED` select the cases. With `CRD_LS_ORACLE`, the API server's code checks
//! whether it accepts the result; otherwise our own verdict counts.

use std::collections::{BTreeMap, BTreeSet};

use ide::{File, Finding, Fix, Settings, Severity};
use serde_json::Value as Json;
use text::TextRange;

use crate::edits::Random;
use crate::kinds::KINDS;
use crate::{Definition, Oracle, applied, corpus, data_of, errors, fixtures, grounds, more, plant, rules};

/// The number of mistakes in one definition.
const FEWEST: usize = 2;
const MOST: usize = 8;
/// The maximum number of fixes that are applied to one definition, one after another.
const MOST_STEPS: usize = 40;

/// The required results: in percent of the possible ones, and for `reported_later`, in percent of the
/// definitions.
struct RequiredResults {
    reported: usize,
    fixed: usize,
    accepted: usize,
    reported_later: usize,
}

const OF_CORPUS: RequiredResults =
    RequiredResults { reported: 100, fixed: 99, accepted: 98, reported_later: 0 };
/// Fixtures are intentionally unusual: planted mistakes often coincide with theirs.
const OF_FIXTURES: RequiredResults =
    RequiredResults { reported: 100, fixed: 99, accepted: 99, reported_later: 0 };

/// A changed part of a definition: its place as a JSON pointer, and the new value; `None` if it is removed.
pub(crate) type ChangedPart = (String, Option<Json>);

/// A code, and a path without the indexes of items, which change with earlier items.
pub(crate) type FindingKey = (&'static str, String);

/// A mistake, and its results alone.
struct Mistake {
    kind: &'static str,
    parts: Vec<ChangedPart>,
    /// The findings that report it.
    reported: BTreeSet<FindingKey>,
    /// Those of them with a fix.
    fixed: BTreeSet<FindingKey>,
    /// Whether fixes alone lead to a definition without errors.
    is_repairable: bool,
}

#[derive(Default)]
struct RepairFigures {
    cases: usize,
    mistakes: usize,
    /// Mistakes that other mistakes make right; they do not count in `mistakes`.
    lost: usize,
    reported: usize,
    fixable: usize,
    fixed: usize,
    repairable: usize,
    accepted: usize,
    reported_later: usize,
    files_reported_later: usize,
}

#[test]
fn several_mistakes_are_reported_at_once_and_repaired() {
    let corpus = corpus();
    let least = if corpus.is_some() { OF_CORPUS } else { OF_FIXTURES };
    let definitions = corpus.unwrap_or_else(fixtures);
    let (wanted, seed) = (environment::made_up(24), environment::seed(1));
    println!("{wanted} cases of {} definitions, seed {seed}", definitions.len());
    let mut random = Random(seed);
    let mut figures = RepairFigures::default();
    let mut oracle = Oracle::new();
    for case in 0..wanted {
        let definition = &definitions[random.below(definitions.len())];
        let count = FEWEST + case % (MOST - FEWEST + 1);
        // In every second case, fixes can repair all mistakes, so that the result must be accepted.
        let mistakes = mistakes(definition, count, case % 2 == 1, &mut random);
        let Some((text, _)) = planted(definition, mistakes.iter().flat_map(|mistake| &mistake.parts)) else {
            continue;
        };
        if mistakes.len() >= FEWEST {
            try_case(definition, &mistakes, &text, &mut figures, &mut oracle);
        }
    }
    let refused =
        figures.accepted - if oracle.program.is_some() { oracle.accepted().len() } else { figures.accepted };
    figures.accepted -= refused;
    report(&figures, &least);
}

fn report(figures: &RepairFigures, least: &RequiredResults) {
    let RepairFigures {
        cases,
        mistakes,
        lost,
        reported,
        fixable,
        fixed,
        repairable,
        accepted,
        reported_later,
        files_reported_later,
    } = figures;
    let share = |part: &usize, all: &usize| {
        format!("{part} of {all}, {:.1} %", *part as f64 * 100.0 / (*all).max(1) as f64)
    };
    println!("cases: {cases}, mistakes: {mistakes}, cancelled by others: {lost}");
    println!("told in the first report: {}", share(reported, mistakes));
    println!("with the fix that each has alone: {}", share(fixed, fixable));
    println!("accepted after all fixes: {}", share(accepted, repairable));
    println!("told later: {reported_later} in {files_reported_later} definitions");
    assert!(*cases > 0 && *mistakes > 0 && *fixable > 0 && *repairable > 0, "nothing was planted");
    assert!(reported * 100 >= mistakes * least.reported, "{reported} of {mistakes} are told at once");
    assert!(fixed * 100 >= fixable * least.fixed, "{fixed} of {fixable} have their fix");
    assert!(accepted * 100 >= repairable * least.accepted, "{accepted} of {repairable} are accepted");
    assert!(
        files_reported_later * 100 <= cases * least.reported_later,
        "{files_reported_later} of {cases} tell something later"
    );
}

fn try_case(
    definition: &Definition,
    mistakes: &[Mistake],
    text: &str,
    figures: &mut RepairFigures,
    oracle: &mut Oracle,
) {
    let kinds: Vec<&str> = mistakes.iter().map(|mistake| mistake.kind).collect();
    let place = format!("case {}, {} with {kinds:?}", figures.cases, definition.name);
    keep(text, figures.cases);
    figures.cases += 1;
    let file = File::new(text, &Settings::default());
    let reported: BTreeSet<FindingKey> = file
        .findings()
        .iter()
        .flat_map(|finding| [finding_key(finding), known_by_problem(finding)])
        .collect();
    let fixable = with_fix(&file, text, |_| true);
    for mistake in mistakes {
        figures.mistakes += 1;
        let is_reported =
            |finding: &FindingKey| grounds::is_reported(finding, |known| reported.contains(known));
        let others = || mistakes.iter().filter(|other| !std::ptr::eq(*other, mistake));
        let codes = mistake.reported.iter().map(|(code, _)| *code);
        if mistake.reported.iter().any(is_reported) {
            figures.reported += 1;
        } else if grounds::are_lost(
            codes,
            &mistake.parts,
            others().flat_map(|other| &other.parts),
            &definition.data,
        ) {
            println!("LOST {}: {:?} in {place}", mistake.kind, mistake.reported);
            figures.mistakes -= 1;
            figures.lost += 1;
        } else {
            println!("UNREPORTED {}: {:?} in {place}", mistake.kind, mistake.reported);
        }
        if mistake.fixed.is_empty() {
            continue;
        }
        figures.fixable += 1;
        let without_fix: Vec<&FindingKey> = mistake
            .fixed
            .iter()
            .filter(|finding| reported.contains(*finding) && !fixable.contains(*finding))
            .collect();
        if without_fix.is_empty() {
            figures.fixed += 1;
        } else {
            println!("NO FIX {}: {without_fix:?} in {place}", mistake.kind);
        }
    }
    let FixRunResult { text, later } = followed(text.to_owned(), &reported);
    if !later.is_empty() {
        println!("REPORTED LATER {later:?} in {place}");
        figures.reported_later += later.len();
        figures.files_reported_later += 1;
    }
    if mistakes.iter().all(|mistake| mistake.is_repairable) {
        figures.repairable += 1;
        let left = errors(&text);
        if left.is_empty() {
            figures.accepted += 1;
            oracle.push("several", true, place, text);
        } else {
            println!("LEFT {left:?} in {place}");
        }
    }
}

/// Writes the case to the folder that `CRD_LS_KEEP` names, if set.
fn keep(text: &str, number: usize) {
    if let Some(folder) = environment::keep() {
        std::fs::write(folder.join(format!("{number}.yaml")), text).unwrap();
    }
}

/// Up to `count` mistakes in separate parts of the definition.
fn mistakes(
    definition: &Definition,
    count: usize,
    are_repairable: bool,
    random: &mut Random,
) -> Vec<Mistake> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    for _ in 0..count * 10 {
        if mistakes.len() == count {
            break;
        }
        // A third of them are in rules.
        let parts = if random.below(3) == 0 {
            let (kind, plant) = rules::KINDS[random.below(rules::KINDS.len())];
            plant(&definition.data, random).and_then(|(right, wrong)| {
                let right = difference(&definition.data, &right);
                let is_right = planted(definition, &right).is_some_and(|(text, _)| errors(&text).is_empty());
                is_right.then(|| (kind, difference(&definition.data, &wrong)))
            })
        } else {
            let index = random.below(KINDS.len() + more::KINDS.len());
            let (kind, plant) = KINDS.get(index).unwrap_or_else(|| &more::KINDS[index - KINDS.len()]);
            let mut data = definition.data.clone();
            plant(&mut data, random).map(|()| (*kind, difference(&definition.data, &data)))
        };
        let Some((kind, parts)) = parts else { continue };
        let is_free = |(at, _): &ChangedPart| {
            mistakes
                .iter()
                .flat_map(|other| &other.parts)
                .all(|(other, _)| !is_within(at, other) && !is_within(other, at) && !is_of_rule(at, other))
        };
        if parts.is_empty() || !parts.iter().all(is_free) {
            continue;
        }
        let mistake = alone(definition, kind, parts);
        mistakes.extend(mistake.filter(|mistake| mistake.is_repairable || !are_repairable));
    }
    mistakes
}

/// The results of a mistake alone; `None` if it causes no error.
fn alone(definition: &Definition, kind: &'static str, parts: Vec<ChangedPart>) -> Option<Mistake> {
    let (text, _) = planted(definition, &parts)?;
    let file = File::new(&text, &Settings::default());
    let wrong = file.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let reported: BTreeSet<FindingKey> = wrong.map(finding_key).collect();
    if reported.is_empty() {
        return None;
    }
    let fixed = with_fix(&file, &text, |finding| finding.severity == Severity::Error);
    let is_repairable = errors(&followed(text, &BTreeSet::new()).text).is_empty();
    Some(Mistake { kind, parts, reported, fixed, is_repairable })
}

/// The wanted findings of `file` that have a fix.
fn with_fix(file: &File, text: &str, is_wanted: impl Fn(&Finding) -> bool) -> BTreeSet<FindingKey> {
    let fixes = file.fixes(TextRange::new(0, text.len() as u32));
    let repaired: BTreeSet<_> = fixes.iter().flat_map(|fix| &fix.repairs).copied().collect();
    let wanted = file.findings().iter().filter(|finding| is_wanted(finding));
    wanted.filter(|finding| repaired.contains(&(finding.code, finding.range))).map(finding_key).collect()
}

pub(crate) fn fixes_of(file: &File, finding: &Finding) -> Vec<Fix> {
    let mut fixes = file.fixes(finding.range);
    fixes.retain(|fix| fix.repairs.contains(&(finding.code, finding.range)));
    fixes
}

/// A text after fixes, and the findings that were reported only after some of them.
pub(crate) struct FixRunResult {
    pub(crate) text: String,
    pub(crate) later: BTreeSet<FindingKey>,
}

/// Applies all safe fixes, then the first fix for the first error that has one, repeatedly.
pub(crate) fn followed(mut text: String, reported: &BTreeSet<FindingKey>) -> FixRunResult {
    let mut later = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for _ in 0..MOST_STEPS {
        let file = File::new(&text, &Settings::default());
        let wrong = || file.findings().iter().filter(|finding| finding.severity == Severity::Error);
        let is_new = |finding: &&Finding| {
            !reported.contains(&finding_key(finding)) && !reported.contains(&known_by_problem(finding))
        };
        later.extend(wrong().filter(is_new).map(finding_key));
        let mut edits = file.fix_all();
        if edits.is_empty() {
            let Some(fix) = wrong().find_map(|finding| fixes_of(&file, finding).into_iter().next()) else {
                break;
            };
            edits = fix.edits;
        }
        text = applied(&text, &edits);
        if !seen.insert(text.clone()) {
            break;
        }
    }
    FixRunResult { text, later }
}

pub(crate) fn finding_key(finding: &Finding) -> FindingKey {
    let path = finding.field_path.to_string();
    let items = path.split(']').map(|step| step.trim_end_matches(|char: char| char.is_ascii_digit()));
    (finding.code.as_str(), items.collect())
}

/// The code and the words of a finding. A fix may change its path.
pub(crate) fn known_by_problem(finding: &Finding) -> FindingKey {
    (finding.code.as_str(), finding.message.without_notes().to_string())
}

/// The text of `definition` with `parts`, and its data; `None` if the text cannot contain them.
fn planted<'p>(
    definition: &Definition,
    parts: impl IntoIterator<Item = &'p ChangedPart>,
) -> Option<(String, Json)> {
    let mut data = definition.data.clone();
    let mut sorted: BTreeMap<&str, &Option<Json>> = BTreeMap::new();
    sorted.extend(parts.into_iter().map(|(at, value)| (at.as_str(), value)));
    for (at, value) in sorted {
        put(&mut data, at, value.as_ref())?;
    }
    let tree = yaml::Tree::parse(&definition.text);
    let edits = plant::edits(tree.documents().next()?, &definition.data, &data)?;
    let text = applied(&definition.text, &edits);
    (data_of(&text).as_ref() == Some(&data)).then_some((text, data))
}

fn put(data: &mut Json, at: &str, value: Option<&Json>) -> Option<()> {
    let (holder, last) = at.rsplit_once('/')?;
    let last = last.replace("~1", "/").replace("~0", "~");
    match (data.pointer_mut(holder)?, value) {
        (Json::Object(entries), Some(value)) => {
            entries.insert(last, value.clone());
        }
        (Json::Object(entries), None) => {
            entries.remove(&last)?;
        }
        (Json::Array(items), Some(value)) => {
            let index: usize = last.parse().ok()?;
            match items.get_mut(index) {
                Some(item) => *item = value.clone(),
                None => items.push(value.clone()),
            }
        }
        _ => return None,
    }
    Some(())
}

/// The parts of `new` that differ from `old`.
fn difference(old: &Json, new: &Json) -> Vec<ChangedPart> {
    let mut parts = Vec::new();
    compare(old, new, String::new(), &mut parts);
    parts
}

fn compare(old: &Json, new: &Json, at: String, parts: &mut Vec<ChangedPart>) {
    let below = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
    match (old, new) {
        _ if old == new => {}
        (Json::Object(old), Json::Object(new)) => {
            for (name, old) in old {
                match new.get(name) {
                    Some(new) => compare(old, new, below(name), parts),
                    None => parts.push((below(name), None)),
                }
            }
            let added = new.iter().filter(|(name, _)| !old.contains_key(*name));
            parts.extend(added.map(|(name, value)| (below(name), Some(value.clone()))));
        }
        (Json::Array(old), Json::Array(new)) if old.len() <= new.len() => {
            for (index, new) in new.iter().enumerate() {
                match old.get(index) {
                    Some(old) => compare(old, new, below(&index.to_string()), parts),
                    None => parts.push((below(&index.to_string()), Some(new.clone()))),
                }
            }
        }
        _ => parts.push((at, Some(new.clone()))),
    }
}

/// Whether one of two places is a format below an object, and the other is the rules of the object: a format may change
/// the type of a string, for which the rules were not written.
fn is_of_rule(one: &str, other: &str) -> bool {
    let is_of = |format: &str, rules: &str| {
        let object = rules.split("/x-kubernetes-validations").next().filter(|object| *object != rules);
        format.ends_with("/format") && object.is_some_and(|object| is_within(format, object))
    };
    is_of(one, other) || is_of(other, one)
}

/// Whether the place `inner` is `outer`, or below it.
fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
