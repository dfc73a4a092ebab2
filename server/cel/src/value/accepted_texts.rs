//! The texts that parsing functions accept.

use super::ip::{Cidr, parse_ip};
use super::quantity::Quantity;
use super::semver::Semver;
use super::time::{Timestamp, parse_duration};
use super::url::Url;

/// Whether a function that parses a text, such as `quantity`, accepts the text; `None` for any other function.
#[must_use]
pub fn accepts(function: &str, text: &str) -> Option<bool> {
    Some(match function {
        "cidr" => Cidr::parse(text).is_ok(),
        "duration" => parse_duration(text).is_some(),
        "ip" => parse_ip(text).is_ok(),
        "quantity" => Quantity::parse(text).is_ok(),
        "semver" => Semver::parse(text).is_ok(),
        "timestamp" => matches!(Timestamp::parse(text), Ok(Some(_))),
        "url" => Url::parse(text).is_ok(),
        _ => return None,
    })
}
