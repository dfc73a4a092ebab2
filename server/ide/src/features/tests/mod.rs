//! The features on small texts: hovers as Markdown, outlines and folds as indented lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod enter;
mod folds;
mod hover;
mod outline;
mod random_edits;
mod size;

pub(in crate::features) use crate::marked_texts::definition;
