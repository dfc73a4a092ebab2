//! Texts that many patterns and formats accept.

/// Pairs of different texts of a format that are equal in CEL, because the format converts them to times or bytes.
const RESPELLED: [(&str, &str); 3] =
    [("2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"), ("1h", "60m"), ("ZXhhbXBsZQ==", "ZXhhbXBsZR==")];

/// Texts that patterns and formats often accept.
pub(super) const COMMON: [&str; 42] = [
    "example",
    "Example",
    "a",
    "A",
    "1",
    "0",
    "v1",
    "example.com",
    "https://example.com",
    "example.com/example",
    "10s",
    "1h",
    "10m",
    "1Gi",
    "100m",
    "1.0.0",
    "v1.0.0",
    "10%",
    "2024-01-01T00:00:00Z",
    "2024-01-01",
    "12:00",
    "10.0.0.1",
    "10.0.0.0/16",
    "fd00::1",
    "user@example.com",
    "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
    "ZXhhbXBsZQ==",
    "#00ff00",
    "/",
    "/example",
    "arn:aws:iam::123456789012:role/example",
    "sg-0123456789abcdef0",
    "registry.example.com/example:v1",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "Example=true",
    "*",
    "* * * * *",
    "true",
    "http://example.com",
    "EXAMPLE",
    "_",
    "",
];

/// Another spelling of a text that has a format.
pub(super) fn respelled(text: &str) -> Option<&'static str> {
    RESPELLED.iter().find(|(one, _)| *one == text).map(|(_, other)| *other)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::formats::{Format, examples};

    #[test]
    fn another_spelling_has_the_same_format() {
        for (one, other) in RESPELLED {
            let names = ["datetime", "duration", "byte"];
            let name = names.into_iter().find(|name| examples(name).contains(&one)).unwrap();
            assert!(Format::named(name).unwrap().validates(other), "{other}");
        }
    }
}
