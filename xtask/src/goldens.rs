//! `cargo xtask goldens`: the answers of the API server's own code for the fixtures.

use std::path::PathBuf;
use std::process::Command;

use crate::place;

/// Without `corpus`, uses the one beside the checkout, if it exists.
pub(crate) fn run(check: bool, minors: bool, corpus: Option<PathBuf>) -> Result<(), String> {
    let mut command = Command::new(place::repository().join("tests/oracle/regenerate.sh"));
    command.args(check.then_some("--check"));
    command.args(minors.then_some("--minors"));
    command.args(corpus.or_else(|| place::shared("corpus", "fixtures/corpus.tsv is left alone")));
    place::run(&mut command)
}
