//! Why there is no answer.

/// An answer, or why there is none.
pub type Result<T> = std::result::Result<T, Error>;

/// What a client is told in the place of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The number that the protocol has for it.
    pub code: i64,
    /// For people.
    pub message: String,
}

impl Error {
    /// The parameters are not what the method takes.
    #[must_use]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32_602, message: message.into() }
    }

    /// The request cannot be fulfilled; the client shows the reason.
    #[must_use]
    pub fn request_failed(problem: impl Into<String>) -> Self {
        Self { code: -32_803, message: problem.into() }
    }

    /// A defect.
    #[must_use]
    pub fn internal() -> Self {
        Self { code: -32_603, message: "Internal error".to_owned() }
    }

    /// The client wants no answer any more.
    #[must_use]
    pub fn request_cancelled() -> Self {
        Self { code: -32_800, message: "Canceled".to_owned() }
    }

    /// The text is another one by now.
    #[must_use]
    pub fn content_modified() -> Self {
        Self { code: -32_801, message: "Content modified".to_owned() }
    }
}
