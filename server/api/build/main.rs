//! Writes the tables that the crate includes: rules and checks, from their files.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

mod pages;
mod rules;

use std::path::Path;
use std::{env, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build");
    let directory = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    rules::write(Path::new(&directory))
}
