//! Structural schemas.

pub(super) mod junctor_extensions;
pub(super) mod junctors;
pub(super) mod nodes;
pub(super) mod resources;
