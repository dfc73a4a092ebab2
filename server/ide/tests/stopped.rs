//! An analysis that is not needed any more ends soon, and its partial results are right.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpu_time::ThreadTime;
use families::FAMILIES;
use ide::{AnalysisBasis, File, Finding, Settings, StopSignal, StoredObjects, Surroundings, compat};
use text::{TextBuffer, TextEdit};

#[path = "../../../tests/support/families.rs"]
mod families;

const SOURCE: &str = "text.yaml";
/// The maximum number of points at which an analysis is stopped.
const POINTS: usize = 16;

/// The surroundings of a text: its own definitions, and the text that it replaces.
fn surroundings(text: &str, stored: Option<&str>) -> Surroundings {
    let around = Surroundings { source: SOURCE.into(), ..Surroundings::default() };
    let file = File::with_surroundings(text, &Settings::default(), around.clone());
    let own = file.definitions(SOURCE, &TextBuffer::new(text));
    let stored = stored.map(|stored| StoredObjects::at_revision(stored, "HEAD"));
    let base = stored.clone().map(|stored| compat::Base::new(stored, true));
    Surroundings { stored, base, ..file.surroundings_with(around, own) }
}

/// A `StopSignal` that is due at query number `at`, counted from 0, with the number of queries so far.
fn stop_at(at: usize) -> (StopSignal, Arc<AtomicUsize>) {
    let checks = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&checks);
    (StopSignal::when(move || count.fetch_add(1, Ordering::Relaxed) == at), checks)
}

fn to_end(basis: AnalysisBasis, around: &Surroundings) -> File {
    basis.analyse(around.clone(), &StopSignal::default()).unwrap()
}

fn fresh(text: &str, around: &Surroundings) -> Vec<Finding> {
    File::with_surroundings(text, &Settings::default(), around.clone()).findings().to_vec()
}

/// The number of queries in an analysis of `text` from scratch.
fn count_checks(text: &str, around: &Surroundings) -> usize {
    let (stop, checks) = stop_at(usize::MAX);
    let file = AnalysisBasis::new(text, &Settings::default()).analyse(around.clone(), &stop);
    assert_eq!(file.unwrap().findings(), fresh(text, around));
    checks.load(Ordering::Relaxed)
}

/// Stops an analysis of `text` at each point, and continues from there: with the same text, with an edited
/// one, and with further stops.
fn stopped_everywhere(name: &str, text: &str, around: &Surroundings) {
    let settings = Settings::default();
    let expected = fresh(text, around);
    let edit = TextEdit::insert(0, "# first\n");
    let edited = format!("# first\n{text}");
    let expected_edited = fresh(&edited, around);
    let count = count_checks(text, around);
    assert!(count > 0, "{name}");
    let stopped = |at: usize| {
        let (stop, _) = stop_at(at);
        AnalysisBasis::new(text, &settings).analyse(around.clone(), &stop).unwrap_err()
    };
    for at in (0..count).step_by(count.div_ceil(POINTS)) {
        assert_eq!(to_end(stopped(at), around).findings(), expected, "{name}, stopped at {at} of {count}");
        let after = stopped(at).edited(&edit, &|range| edited[range.as_usize()].to_owned());
        assert_eq!(to_end(after, around).findings(), expected_edited, "{name}, edited, at {at} of {count}");
    }
    let mut basis = AnalysisBasis::new(text, &settings);
    let mut rounds = 0;
    let file = loop {
        rounds += 1;
        let (stop, _) = stop_at(count / POINTS + rounds);
        match basis.analyse(around.clone(), &stop) {
            Ok(file) => break file,
            Err(left) => basis = left,
        }
    };
    assert_eq!(file.findings(), expected, "{name}, after {rounds} rounds");
}

#[test]
fn a_resumed_analysis_has_the_findings_of_a_fresh_one() {
    for family in FAMILIES {
        let text = (family.text)((family.size / 100).max(3));
        stopped_everywhere(family.name, &text, &surroundings(&text, None));
    }
}

#[test]
fn a_resumed_analysis_has_the_same_comparison_with_another_revision() {
    for name in ["rules", "wrong defaults", "columns", "branches with properties", "versions"] {
        let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
        let (stored, text) = ((family.text)(6), (family.text)(4));
        stopped_everywhere(name, &text, &surroundings(&text, Some(&stored)));
    }
}

/// The results for parts of a document are kept, however often an analysis is stopped.
#[test]
fn each_stopped_analysis_makes_progress() {
    let family = FAMILIES.iter().find(|family| family.name == "misspelt keywords").unwrap();
    let text = (family.text)(200);
    let around = surroundings(&text, None);
    let count = count_checks(&text, &around);
    let mut basis = AnalysisBasis::new(&text, &Settings::default());
    for _ in 0..4 {
        // Slightly more than half of the queries are repeated in each round, because the repaired schema is
        // not kept.
        let (stop, _) = stop_at(count * 3 / 4);
        match basis.analyse(around.clone(), &stop) {
            Ok(file) => return assert_eq!(file.findings(), fresh(&text, &around)),
            Err(left) => basis = left,
        }
    }
    panic!("no end after four rounds of {count} questions");
}

/// The longest time between two queries, and the total time.
fn longest_silence(text: &str, around: &Surroundings) -> (Duration, Duration) {
    let basis = AnalysisBasis::new(text, &Settings::default());
    let now = || ThreadTime::now().as_duration();
    let start = now();
    let times = Arc::new(Mutex::new((start, Duration::ZERO)));
    let kept = Arc::clone(&times);
    let note = move || {
        let (last, longest) = &mut *kept.lock().unwrap();
        let now = now();
        *longest = (*longest).max(now.saturating_sub(*last));
        *last = now;
        false
    };
    let end = note.clone();
    basis.analyse(around.clone(), &StopSignal::when(note)).unwrap();
    end();
    let (end, longest) = *times.lock().unwrap();
    (longest, end.saturating_sub(start))
}

/// The analysis of an outdated text occupies its thread only for a small part of its time, or only briefly.
#[test]
fn an_analysis_checks_its_stop_often() {
    const SHORT: Duration = Duration::from_millis(150);
    let times = environment::times();
    let mut wrong = Vec::new();
    for family in FAMILIES {
        let text = (family.text)(family.size * 4 * times);
        let around = surroundings(&text, None);
        let (longest, all) = longest_silence(&text, &around);
        println!("{}: {} bytes, {all:?}, longest {longest:?}", family.name, text.len());
        if longest > SHORT.max(all / 4) {
            wrong.push(format!("{}: {longest:?} of {all:?}", family.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
