//! Addresses and ranges of addresses, parsed as in Go's `netip`, with its error texts.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{EvalError, Outcome, quote};

/// A range of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cidr {
    /// The address as written; bits after the prefix are kept.
    pub address: IpAddr,
    /// The length of the common prefix of the range's addresses, in bits.
    pub bits: u8,
}

/// The length of an address in bytes.
pub(super) const fn address_bytes(address: IpAddr) -> u64 {
    match address {
        IpAddr::V4(_) => 4,
        IpAddr::V6(_) => 16,
    }
}

fn masked(address: IpAddr, bits: u8) -> IpAddr {
    let bits = u32::from(bits);
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - bits.min(32)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - bits.min(128)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
        }
    }
}

impl Cidr {
    /// The number of bytes that the prefix covers.
    pub(super) const fn size(self) -> u64 {
        (self.bits as u64).div_ceil(8)
    }

    /// The range with all bits after the prefix set to zero.
    pub(crate) fn masked(self) -> Self {
        Self { address: masked(self.address, self.bits), bits: self.bits }
    }

    pub(crate) fn contains(self, address: IpAddr) -> bool {
        self.address.is_ipv4() == address.is_ipv4()
            && masked(address, self.bits) == masked(self.address, self.bits)
    }

    pub(crate) fn contains_range(self, other: Self) -> bool {
        self.bits <= other.bits && self.contains(other.address)
    }

    /// `10.0.0.0/8`
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        let wrong = |why: String| {
            EvalError::new(format!(
                "network address parse error during conversion from string: netip.ParsePrefix({}): {why}",
                quote(text)
            ))
        };
        let (address, digits) = text.rsplit_once('/').ok_or_else(|| wrong("no '/'".to_owned()))?;
        let (address, zone) = parse_address(address).map_err(wrong)?;
        if zone {
            return Err(wrong("IPv6 zones cannot be present in a prefix".to_owned()));
        }
        let bad = || wrong(format!("bad bits after slash: {}", quote(digits)));
        let is_signed = digits.starts_with(['+', '-']) || digits.starts_with('0');
        if digits.len() > 1 && is_signed {
            return Err(bad());
        }
        let bits: u64 = digits.parse().map_err(|_| bad())?;
        let most = address_bytes(address) * 8;
        let bits = u8::try_from(bits).ok().filter(|bits| u64::from(*bits) <= most);
        let bits = bits.ok_or_else(|| wrong("prefix length out of range".to_owned()))?;
        if is_mapped(address) {
            let message = format!("IPv4-mapped IPv6 address {} is not allowed", quote(text));
            return Err(EvalError::new(message));
        }
        Ok(Self { address, bits })
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

/// Parses an address as `ip()` does.
pub(crate) fn parse_ip(text: &str) -> Outcome<IpAddr> {
    let (address, zone) = parse_address(text).map_err(|why| {
        let text = quote(text);
        EvalError::new(format!("IP Address {text} parse error during conversion from string: {why}"))
    })?;
    if zone {
        let message = format!("IP address {} with zone value is not allowed", quote(text));
        return Err(EvalError::new(message));
    }
    if is_mapped(address) {
        let message = format!("IPv4-mapped IPv6 address {} is not allowed", quote(text));
        return Err(EvalError::new(message));
    }
    Ok(address)
}

/// `netip.ParseAddr`: the address, and whether it has a zone.
pub(super) fn parse_address(text: &str) -> Result<(IpAddr, bool), String> {
    let wrong = |why: &str, at: &str| {
        let at = if at.is_empty() { String::new() } else { format!(" (at {})", quote(at)) };
        format!("ParseAddr({}): {why}{at}", quote(text))
    };
    match text.find(['.', ':', '%']).and_then(|at| text.as_bytes().get(at)) {
        Some(b'.') => match read_v4(text) {
            Ok(bytes) => Ok((IpAddr::from(bytes), false)),
            Err((why, at)) => Err(wrong(why, at)),
        },
        Some(b':') => match read_v6(text) {
            Ok((groups, zone)) => Ok((IpAddr::from(groups), zone)),
            Err((why, at)) => Err(wrong(why, at)),
        },
        Some(_) => Err(wrong("missing IPv6 address", "")),
        None => Err(wrong("unable to parse IP", "")),
    }
}

type AddressError<'t> = (&'static str, &'t str);

fn read_v4(text: &str) -> Result<[u8; 4], AddressError<'_>> {
    let mut fields = [0u8; 4];
    let (mut value, mut digits, mut place) = (0u32, 0, 0);
    let mut previous = '.';
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        match c {
            '0'..='9' => {
                if digits == 1 && value == 0 {
                    return Err(("IPv4 field has octet with leading zero", ""));
                }
                value = value * 10 + (u32::from(c) - u32::from('0'));
                digits += 1;
                if value > 255 {
                    return Err(("IPv4 field has value >255", ""));
                }
            }
            '.' => {
                if previous == '.' || rest.len() == 1 {
                    return Err(("IPv4 field must have at least one digit", rest));
                }
                match fields.get_mut(place).filter(|_| place < 3) {
                    Some(field) => *field = value as u8,
                    None => return Err(("IPv4 address too long", "")),
                }
                place += 1;
                (value, digits) = (0, 0);
            }
            _ => return Err(("unexpected character", rest)),
        }
        previous = c;
    }
    if place < 3 {
        return Err(("IPv4 address too short", ""));
    }
    fields[3] = value as u8;
    Ok(fields)
}

fn read_v6(text: &str) -> Result<([u16; 8], bool), AddressError<'_>> {
    let (mut rest, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(("zone must be a non-empty string", "")),
        Some((address, _)) => (address, true),
        None => (text, false),
    };
    let mut groups: Vec<u16> = Vec::with_capacity(8);
    let mut ellipsis = None;
    if let Some(following) = rest.strip_prefix("::") {
        (ellipsis, rest) = (Some(0), following);
        if rest.is_empty() {
            return Ok(([0; 8], zone));
        }
    }
    while groups.len() < 8 {
        let len = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if len > 4 {
            return Err(("each group must have 4 or less digits", rest));
        }
        if len == 0 {
            return Err(("each colon-separated field must have at least one digit", rest));
        }
        let (group, following) = rest.split_at_checked(len).unwrap_or((rest, ""));
        if following.starts_with('.') {
            groups.extend(read_embedded_v4(rest, groups.len(), ellipsis.is_some())?);
            rest = "";
            break;
        }
        let number = u16::from_str_radix(group, 16);
        groups.push(number.map_err(|_| ("each group must have 4 or less digits", rest))?);
        rest = following;
        if rest.is_empty() {
            break;
        }
        let Some(following) = rest.strip_prefix(':') else {
            return Err(("unexpected character, want colon", rest));
        };
        if following.is_empty() {
            return Err(("colon must be followed by more characters", rest));
        }
        rest = following;
        if let Some(following) = rest.strip_prefix(':') {
            if ellipsis.is_some() {
                return Err(("multiple :: in address", rest));
            }
            (ellipsis, rest) = (Some(groups.len()), following);
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(("trailing garbage after address", rest));
    }
    Ok((expanded(groups, ellipsis)?, zone))
}

/// The last two groups of an address, written as an IPv4 address. `before` groups precede them.
fn read_embedded_v4(text: &str, before: usize, has_ellipsis: bool) -> Result<[u16; 2], AddressError<'_>> {
    if !has_ellipsis && before != 6 {
        return Err(("embedded IPv4 address must replace the final 2 fields of the address", text));
    }
    if before > 6 {
        return Err(("too many hex fields to fit an embedded IPv4 at the end of the address", text));
    }
    let [a, b, c, d] = read_v4(text)?;
    Ok([u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])])
}

/// The eight groups of an address, with zeros in place of `::`, which is before the group at `ellipsis`.
fn expanded(mut groups: Vec<u16>, ellipsis: Option<usize>) -> Result<[u16; 8], AddressError<'static>> {
    match ellipsis {
        Some(at) if groups.len() < 8 => {
            let missing = 8 - groups.len();
            groups.splice(at..at, std::iter::repeat_n(0, missing));
        }
        Some(_) => return Err(("the :: must expand to at least one field of zeros", "")),
        None => {}
    }
    groups.try_into().map_err(|_| ("address string too short", ""))
}
