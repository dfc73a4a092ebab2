#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

mod corpus;
mod defaults;
mod hostile;
mod mutations;
mod published;
mod resources;
mod rules;

use std::path::{Path, PathBuf};

/// The first of those directories below the root of the repository that is there.
fn cases(candidates: &[&str]) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    candidates.iter().map(|candidate| root.join(candidate)).find(|path| path.is_dir())
}
