//! How bad findings are.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// kube-apiserver refuses the object.
    Error,
    /// Accepted, but it will not do what it says.
    Warning,
    /// Worth knowing.
    Information,
    /// A remark in passing.
    Hint,
}

impl Severity {
    /// Its name, as it begins a sentence.
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
