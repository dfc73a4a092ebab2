//! The formats of strings that kube-apiserver validates, with the results of its library
//! (`kube-openapi/strfmt`), which differ from the standards with the same names.

mod address;
mod email;
mod examples;
mod name;
mod number;
#[cfg(test)]
mod tests;
mod time;

pub use examples::examples;
pub(crate) use name::is_dns_label;
pub(crate) use time::is_date;

use api::{Difference, KubernetesVersion};
use cel::value::Url;

/// A format of strings that the server supports, as its index in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format(usize);

/// Whether a text has a format.
type Validates = fn(&str) -> bool;

/// All formats of strings, by name without dashes.
const FORMATS: &[(&str, Validates)] = &[
    ("bsonobjectid", number::is_bson_object_id),
    ("byte", number::is_base64),
    ("cidr", address::is_cidr),
    ("creditcard", number::is_credit_card),
    ("date", time::is_date),
    ("datetime", time::is_date_time),
    ("duration", time::is_duration),
    ("email", email::is_email),
    ("hexcolor", number::is_hex_color),
    ("hostname", name::is_hostname),
    ("ipv4", address::is_ipv4),
    ("ipv6", address::is_ipv6),
    ("isbn", number::is_isbn),
    ("isbn10", number::is_isbn10),
    ("isbn13", number::is_isbn13),
    ("k8slongname", name::is_long_name),
    ("k8sshortname", name::is_short_name),
    ("mac", address::is_mac),
    ("password", |_| true),
    ("rgbcolor", number::is_rgb_color),
    ("ssn", number::is_ssn),
    ("uri", |text| Url::read_request_uri(text).is_ok()),
    ("uuid", number::is_uuid),
    ("uuid3", number::is_uuid3),
    ("uuid4", number::is_uuid4),
    ("uuid5", number::is_uuid5),
];

impl Format {
    /// The format with this name; dashes are ignored (`date-time` is `datetime`), letter case matters.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name: String = name.chars().filter(|c| *c != '-').collect();
        FORMATS.binary_search_by(|(known, _)| (*known).cmp(&name)).ok().map(Self)
    }

    /// Whether `text` has the format.
    #[must_use]
    pub fn validates(self, text: &str) -> bool {
        FORMATS.get(self.0).is_some_and(|(_, validates)| validates(text))
    }

    /// Whether a server of this version applies the format in a schema. The server compares with its previous
    /// minor version, so that `k8s-short-name` and `k8s-long-name`, of 1.34, apply from 1.35 on.
    #[must_use]
    pub fn is_heeded(self, version: KubernetesVersion) -> bool {
        let name = FORMATS.get(self.0).map_or("", |(name, _)| name);
        !name.starts_with("k8s") || version.has(Difference::NameFormatsOfResources)
    }
}

/// Whether a server of this version applies `format` in the schema of a resource whose type is `type_name`
/// (empty for no or several types); it ignores other formats.
#[must_use]
pub fn is_heeded(format: &str, type_name: &str, version: KubernetesVersion) -> bool {
    let of_strings = || Format::named(format).is_some_and(|format| format.is_heeded(version));
    if !version.has(Difference::FormatsByType) {
        return of_strings();
    }
    match type_name {
        "" | "string" => of_strings(),
        "integer" => matches!(format, "int32" | "int64"),
        "number" => matches!(format, "float" | "double"),
        _ => false,
    }
}
