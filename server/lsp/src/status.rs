//! The exit statuses of the program.

/// Nothing at or above `--fail-on`.
pub(crate) const CLEAN: u8 = 0;
/// Findings at or above `--fail-on`.
pub(crate) const FINDINGS: u8 = 1;
/// Something could not be checked.
pub(crate) const FAILED: u8 = 2;
