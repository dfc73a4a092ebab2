//! What controller-gen takes as it is, and what is not meant so.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod answers;
#[path = "../../../tests/support/beside.rs"]
mod beside;

use std::fs;
use std::path::{Path, PathBuf};

use answers::{args, ours};
use go::generate::Outcome;
use go::version::Version;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/go").join(name).canonicalize().unwrap()
}

/// One line for each mistake: its line, its kind, its token, what is said of it, and what repairs it.
fn told(outcome: &Outcome) -> Vec<String> {
    let mistakes = outcome.mistakes().into_iter();
    let told = mistakes.map(|mistake| {
        let file = outcome.source(mistake.place.file).unwrap();
        let (line, _) = file.position(mistake.place.span.start);
        let repair = mistake.repair.map_or_else(String::new, |repair| format!(" [{}]", repair.title));
        format!("{line} {:?} {}: {}{repair}", mistake.kind, file.slice(mistake.place.span), mistake.message)
    });
    told.collect()
}

#[test]
fn each_slip_is_told_at_its_token() {
    for name in ["slips", "dead"] {
        compare(&fixture(name));
    }
}

fn compare(case: &Path) {
    let (_, outcome) = ours(case, &args(case), Version::NEWEST);
    let told = told(&outcome.unwrap()).join("\n") + "\n";
    let expected = case.join("expected.mistakes");
    if environment::updates() {
        fs::write(&expected, &told).unwrap();
    }
    assert_eq!(told, fs::read_to_string(&expected).unwrap_or_else(|_| String::new()));
}
