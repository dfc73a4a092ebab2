//! Keywords of schemas.

pub(super) mod keywords;
pub(super) mod lists;
