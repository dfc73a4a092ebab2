//! The CEL fields in the text of definitions, for findings and fixes.

pub(crate) mod line;
pub(crate) mod spot;
pub(crate) mod swallowed;
