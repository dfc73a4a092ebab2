//! Fields of rules, as far as findings and fixes need them.

pub(crate) mod line;
pub(crate) mod spot;
pub(crate) mod swallowed;
