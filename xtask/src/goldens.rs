//! `cargo xtask goldens`: what the API server's own code says of the fixtures.

use std::path::PathBuf;
use std::process::Command;

use crate::place;

/// Without `corpus` the one beside the checkout is taken, if there is one.
pub(crate) fn run(check: bool, minors: bool, corpus: Option<PathBuf>) -> Result<(), String> {
    let mut command = Command::new(place::repository().join("tests/oracle/regenerate.sh"));
    command.args(check.then_some("--check"));
    command.args(minors.then_some("--minors"));
    command.args(corpus.or_else(|| place::shared("corpus", "fixtures/corpus.tsv is left alone")));
    place::run(&mut command)
}
