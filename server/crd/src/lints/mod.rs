//! What we say beyond the server: the codes of these lints, how bad they are, and which are looked for only when asked.
//!
//! Lints of schema nodes are found in the walk over schemas, those of what is around them beside its checks.

pub(crate) mod conversion;
pub(crate) mod size;
pub(crate) mod unbounded;
