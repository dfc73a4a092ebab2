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
mod messages;
mod mutations;
mod published;
mod resources;
mod rules;
