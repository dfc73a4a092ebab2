//! Errors that answer requests.

/// An answer, or the reason why there is none.
pub type Result<T> = std::result::Result<T, Error>;

/// The error that a client receives in place of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error code of the protocol.
    pub code: i64,
    /// The text for people.
    pub message: String,
}

impl Error {
    /// The parameters do not fit the method.
    #[must_use]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32_602, message: message.into() }
    }

    /// The request cannot be fulfilled; the client shows the reason.
    #[must_use]
    pub fn request_failed(problem: impl Into<String>) -> Self {
        Self { code: -32_803, message: problem.into() }
    }

    /// A defect in the program.
    #[must_use]
    pub fn internal() -> Self {
        Self { code: -32_603, message: "Internal error".to_owned() }
    }

    /// The client cancelled the request.
    #[must_use]
    pub fn request_cancelled() -> Self {
        Self { code: -32_800, message: "Canceled".to_owned() }
    }

    /// The text has changed since the request.
    #[must_use]
    pub fn content_modified() -> Self {
        Self { code: -32_801, message: "Content modified".to_owned() }
    }
}
