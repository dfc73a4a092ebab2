//! Example texts of each format.

/// Example texts by the name of the format, without dashes.
const OF_FORMATS: [(&str, &[&str]); 26] = [
    ("bsonobjectid", &["507f1f77bcf86cd799439011"]),
    ("byte", &["ZXhhbXBsZQ==", "YQ=="]),
    ("cidr", &["10.0.0.0/16", "10.0.0.0/8", "fd00::/8"]),
    ("creditcard", &["4111111111111111"]),
    ("date", &["2024-01-01", "2025-12-31"]),
    ("datetime", &["2024-01-01T00:00:00Z", "2025-12-31T23:59:59Z"]),
    ("duration", &["1h", "10s", "30m", "0s", "1ms"]),
    ("email", &["user@example.com", "a@b.c"]),
    ("hexcolor", &["#00ff00", "00ff00", "#fff"]),
    ("hostname", &["example.com", "a"]),
    ("ipv4", &["10.0.0.1", "192.168.0.1"]),
    ("ipv6", &["fd00::1", "::1"]),
    ("isbn", &["0321751043", "9783161484100"]),
    ("isbn10", &["0321751043"]),
    ("isbn13", &["9783161484100"]),
    ("k8slongname", &["example.com", "example"]),
    ("k8sshortname", &["example", "a"]),
    ("mac", &["00:00:5e:00:53:01"]),
    ("password", &["example"]),
    ("rgbcolor", &["rgb(0, 128, 255)"]),
    ("ssn", &["111-22-3333"]),
    ("uri", &["https://example.com", "http://example.com:8080/path", "/path"]),
    ("uuid", &["6ba7b810-9dad-41d1-80b4-00c04fd430c8", "a3bb189e-8bf9-3888-9912-ace4e6543002"]),
    ("uuid3", &["a3bb189e-8bf9-3888-9912-ace4e6543002"]),
    ("uuid4", &["6ba7b810-9dad-41d1-80b4-00c04fd430c8"]),
    ("uuid5", &["886313e1-3b8a-5372-9b90-0c9aee199e5d"]),
];

/// Example texts of the format `name`, if the server checks it; dashes are ignored.
#[must_use]
pub fn examples(name: &str) -> &'static [&'static str] {
    let name: String = name.chars().filter(|c| *c != '-').collect();
    let found = OF_FORMATS.iter().find(|(known, _)| *known == name);
    found.map_or(&[], |(_, texts)| texts)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::formats::Format;

    #[test]
    fn texts_have_their_formats() {
        for (name, texts) in OF_FORMATS {
            let format = Format::named(name).unwrap();
            assert!(!texts.is_empty() && texts.iter().all(|text| format.validates(text)), "{name}");
        }
        assert_eq!(examples("date-time"), examples("datetime"));
    }
}
