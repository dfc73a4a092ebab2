//! Feature gates on the fields of a definition, as the proposal on versioning by field has them: a gate that is off keeps
//! its fields out of what is stored.

mod hidden;
#[cfg(test)]
mod tests;
mod validate;

pub(super) use validate::check;
