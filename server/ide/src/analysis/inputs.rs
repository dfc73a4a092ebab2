use crate::{Settings, Surroundings};

/// All that the findings of a document depend on besides its text.
#[derive(Clone, Copy)]
pub(crate) struct DocumentInputs<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) surroundings: &'a Surroundings,
}
