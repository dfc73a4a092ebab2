//! The severity of findings.

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// kube-apiserver rejects the object.
    Error,
    /// kube-apiserver accepts the text, but it will not have the intended effect.
    Warning,
    /// Useful information.
    Information,
    /// A minor remark.
    Hint,
}

impl Severity {
    /// The name, capitalized for the start of a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Information => "Information",
            Self::Hint => "Hint",
        }
    }
}
