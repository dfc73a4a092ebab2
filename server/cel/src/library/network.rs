//! Addresses and ranges of addresses.

use std::net::IpAddr;

use super::costs::{Forecast, Price, STRING};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context};
use crate::documentation::{Example, Origin};
use crate::value::{Cidr, EvalError, Outcome, Value, parse_ip};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "cidr",
        doc: "an address range such as `'10.0.0.0/8'`; fails if the string is not one",
        example: Example::Gives("cidr('10.0.0.0/8').prefixLength()", "8"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_to_cidr", text: "cidr(string) -> net.CIDR",
                since: Availability::Release(30), run: Run::Fitting(cidr),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "containsCIDR",
        doc: "whether the range contains the other range",
        example: Example::Gives("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::ContainsCidr { reads: false },
        signatures: &[
            Signature { id: "cidr_contains_cidr_string", text: "(net.CIDR).containsCIDR(string) -> bool",
                since: Availability::Release(30), run: Run::Fitting(contains_cidr),
                estimate: Forecast::ContainsCidr { reads: true }, price: Price::ContainsCidr { reads: true } },
            Signature { id: "cidr_contains_cidr", text: "(net.CIDR).containsCIDR(net.CIDR) -> bool",
                since: Availability::Release(30), run: Run::Fitting(contains_cidr),
                estimate: Forecast::ContainsCidr { reads: false }, price: Price::ContainsCidr { reads: false } },
        ],
    },
    Function {
        name: "containsIP",
        doc: "whether the range contains the address",
        example: Example::Gives("cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::ContainsIp { reads: false },
        signatures: &[
            Signature { id: "cidr_contains_ip_string", text: "(net.CIDR).containsIP(string) -> bool",
                since: Availability::Release(30), run: Run::Fitting(contains_ip),
                estimate: Forecast::ContainsIp { reads: true }, price: Price::ContainsIp { reads: true } },
            Signature { id: "cidr_contains_ip_ip", text: "(net.CIDR).containsIP(net.IP) -> bool",
                since: Availability::Release(30), run: Run::Fitting(contains_ip),
                estimate: Forecast::ContainsIp { reads: false }, price: Price::ContainsIp { reads: false } },
        ],
    },
    Function {
        name: "family",
        doc: "the IP version of the address: 4 or 6",
        example: Example::Gives("ip('::1').family()", "6"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ip_family", text: "(net.IP).family() -> int",
                since: Availability::Release(30), run: Run::Fitting(family),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "ip",
        doc: "an IP address, or the address of a range; fails if the string is not one",
        example: Example::Gives("ip('10.0.0.1').family()", "4"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_to_ip", text: "ip(string) -> net.IP",
                since: Availability::Release(30), run: Run::Fitting(ip),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
            Signature { id: "cidr_ip", text: "(net.CIDR).ip() -> net.IP",
                since: Availability::Release(30), run: Run::Fitting(cidr_ip),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "ip.isCanonical",
        doc: "whether the address is written in its canonical form",
        example: Example::Gives("ip.isCanonical('0::1')", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, 2.0 * STRING),
        signatures: &[
            Signature { id: "ip_is_canonical", text: "ip.isCanonical(string) -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_canonical),
                estimate: Forecast::Parse(2.0 * STRING), price: Price::Scan(0, 2.0 * STRING) },
        ],
    },
    Function {
        name: "isCIDR",
        doc: "whether the string is an address range",
        example: Example::Gives("isCIDR('10.0.0.0/8')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "is_cidr", text: "isCIDR(string) -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_cidr),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "isGlobalUnicast",
        doc: "whether the address is a global unicast address",
        example: Example::Gives("ip('8.8.8.8').isGlobalUnicast()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ip_is_global_unicast", text: "(net.IP).isGlobalUnicast() -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_global_unicast),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isIP",
        doc: "whether the string is an IP address",
        example: Example::Gives("isIP('10.0.0.256')", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "is_ip", text: "isIP(string) -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_ip),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "isLinkLocalMulticast",
        doc: "whether the address is a link-local multicast address",
        example: Example::Gives("ip('224.0.0.1').isLinkLocalMulticast()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ip_is_link_local_multicast", text: "(net.IP).isLinkLocalMulticast() -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_link_local_multicast),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isLinkLocalUnicast",
        doc: "whether the address is a link-local unicast address",
        example: Example::Gives("ip('169.254.1.1').isLinkLocalUnicast()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ip_is_link_local_unicast", text: "(net.IP).isLinkLocalUnicast() -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_link_local_unicast),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isLoopback",
        doc: "whether the address is a loopback address",
        example: Example::Gives("ip('127.0.0.1').isLoopback()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ip_is_loopback", text: "(net.IP).isLoopback() -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_loopback),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isUnspecified",
        doc: "whether the address is unspecified: `0.0.0.0` or `::`",
        example: Example::Gives("ip('0.0.0.0').isUnspecified()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ip_is_unspecified", text: "(net.IP).isUnspecified() -> bool",
                since: Availability::Release(30), run: Run::Fitting(is_unspecified),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "masked",
        doc: "the range with its host bits cleared",
        example: Example::Gives("cidr('10.1.2.3/8').masked()", "cidr('10.0.0.0/8')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "cidr_masked", text: "(net.CIDR).masked() -> net.CIDR",
                since: Availability::Release(30), run: Run::Fitting(masked),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "prefixLength",
        doc: "the length of the prefix in bits",
        example: Example::Gives("cidr('10.0.0.0/8').prefixLength()", "8"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "cidr_prefix_length", text: "(net.CIDR).prefixLength() -> int",
                since: Availability::Release(30), run: Run::Fitting(prefix_length),
                estimate: Forecast::One, price: Price::One },
        ],
    },
];

/// The only argument, a text.
pub(super) fn text<'s>(args: &'s [Value<'_>]) -> Outcome<&'s str> {
    match args {
        [Value::String(text)] => Ok(text),
        _ => Err(EvalError::NoSuchOverload),
    }
}

// ---- addresses

fn ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    parse_ip(text(args)?).map(Value::Ip)
}

fn is_ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(parse_ip(text(args)?).is_ok()))
}

fn is_canonical<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let text = text(args)?;
    Ok(Value::Bool(parse_ip(text)?.to_string() == text))
}

fn address(args: &[Value<'_>]) -> Outcome<IpAddr> {
    match args {
        [Value::Ip(address)] => Ok(*address),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn family<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(if address(args)?.is_ipv4() { 4 } else { 6 }))
}

fn is_unspecified<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(address(args)?.is_unspecified()))
}

fn is_loopback<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(address(args)?.is_loopback()))
}

fn is_link_local_multicast<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(match address(args)? {
        IpAddr::V4(address) => address.octets().starts_with(&[224, 0, 0]),
        IpAddr::V6(address) => address.segments().first().is_some_and(|first| first & 0xff0f == 0xff02),
    }))
}

fn link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

fn is_link_local_unicast<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    address(args).map(|address| Value::Bool(link_local(address)))
}

fn is_global_unicast<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let address = address(args)?;
    let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    let is_other = is_broadcast
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || link_local(address);
    Ok(Value::Bool(!is_other))
}

// ---- ranges

fn cidr<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    parse_cidr(text(args)?).map(Value::Cidr)
}

fn parse_cidr(text: &str) -> Outcome<Cidr> {
    Cidr::parse(text).map_err(|error| {
        EvalError::new(format!("network address parse error during conversion from string: {error}"))
    })
}

fn is_cidr<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(Cidr::parse(text(args)?).is_ok()))
}

fn range(args: &[Value<'_>]) -> Outcome<Cidr> {
    match args.first() {
        Some(Value::Cidr(cidr)) => Ok(*cidr),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn contains_ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let cidr = range(args)?;
    let address = match args.get(1) {
        Some(Value::Ip(address)) => *address,
        // An invalid address is reported as a missing overload.
        Some(Value::String(text)) => parse_ip(text).map_err(|_| EvalError::NoSuchOverload)?,
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Bool(cidr.contains(address)))
}

fn contains_cidr<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let cidr = range(args)?;
    let other = match args.get(1) {
        Some(Value::Cidr(other)) => *other,
        Some(Value::String(text)) => parse_cidr(text)?,
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Bool(cidr.contains_range(other)))
}

fn cidr_ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Ip(range(args)?.address))
}

fn prefix_length<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(i64::from(range(args)?.bits)))
}

fn masked<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Cidr(range(args)?.masked()))
}
