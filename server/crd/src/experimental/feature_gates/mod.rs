//! Feature gates on the fields of a definition, according to the proposal on versioning by field: fields whose
//! gate is off are not stored.

mod hidden_parts;
#[cfg(test)]
mod tests;
mod validate;

pub(super) use validate::check;
