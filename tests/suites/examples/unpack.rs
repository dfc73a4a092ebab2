//! Writes the texts of the suites in a folder as files, so that other programs can read them:
//! `cargo run -p crd-ls-suites --example unpack -- fixtures/crd/cases INTO`.

use std::io::{Error, Result};
use std::path::PathBuf;

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, into] = arguments.as_slice() else {
        return Err(Error::other("want a folder of suites and a directory to write to"));
    };
    suites::unpack(folder, into)
}
