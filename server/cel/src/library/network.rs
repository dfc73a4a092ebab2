//! URLs, addresses and ranges of addresses.

use std::net::IpAddr;

use super::Context;
use crate::value::{Cidr, EvalError, Key, Map, MapBuilder, Outcome, Text, Url, Value, parse_ip};

type Args<'s, 'a> = &'s mut [Value<'a>];

fn text<'s>(args: &'s [Value<'_>]) -> Outcome<&'s str> {
    match args {
        [Value::String(text)] => Ok(text),
        _ => Err(EvalError::NoSuchOverload),
    }
}

// ---- URLs

pub(super) fn url<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Url(Url::parse(text(args)?)?.into()))
}

pub(super) fn is_url<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(crate::value::Url::read_request_uri(text(args)?).is_ok()))
}

fn of_url<'a>(args: Args<'_, 'a>, read: impl Fn(&Url) -> String) -> Outcome<Value<'a>> {
    let [Value::Url(url)] = args else { return Err(EvalError::NoSuchOverload) };
    Ok(Value::text(read(url)))
}

pub(super) fn scheme<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, |url| url.scheme.clone())
}

pub(super) fn host<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::host)
}

pub(super) fn hostname<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::hostname)
}

pub(super) fn port<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::port)
}

pub(super) fn escaped_path<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::escaped_path)
}

pub(super) fn query<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Url(url)] = args else { return Err(EvalError::NoSuchOverload) };
    let mut values = indexmap::IndexMap::<String, Vec<Value<'a>>>::new();
    for (name, value) in url.query() {
        values.entry(name).or_default().push(Value::text(value));
    }
    let entries = values.into_iter().map(|(name, values)| (Key::Text(Text::from(name)), Value::list(values)));
    Ok(Value::Map(Map::of(entries.collect::<MapBuilder<'a>>())))
}

// ---- addresses

pub(super) fn ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    parse_ip(text(args)?).map(Value::Ip)
}

pub(super) fn is_ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(parse_ip(text(args)?).is_ok()))
}

pub(super) fn is_canonical<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let text = text(args)?;
    Ok(Value::Bool(parse_ip(text)?.to_string() == text))
}

fn address(args: &[Value<'_>]) -> Outcome<IpAddr> {
    match args {
        [Value::Ip(address)] => Ok(*address),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn family<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(if address(args)?.is_ipv4() { 4 } else { 6 }))
}

pub(super) fn is_unspecified<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(address(args)?.is_unspecified()))
}

pub(super) fn is_loopback<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(address(args)?.is_loopback()))
}

pub(super) fn is_link_local_multicast<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

pub(super) fn is_link_local_unicast<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    address(args).map(|address| Value::Bool(link_local(address)))
}

pub(super) fn is_global_unicast<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

pub(super) fn cidr<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    parse_cidr(text(args)?).map(Value::Cidr)
}

fn parse_cidr(text: &str) -> Outcome<Cidr> {
    Cidr::parse(text).map_err(|error| {
        EvalError::new(format!("network address parse error during conversion from string: {error}"))
    })
}

pub(super) fn is_cidr<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(Cidr::parse(text(args)?).is_ok()))
}

fn range(args: &[Value<'_>]) -> Outcome<Cidr> {
    match args.first() {
        Some(Value::Cidr(cidr)) => Ok(*cidr),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn contains_ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let cidr = range(args)?;
    let address = match args.get(1) {
        Some(Value::Ip(address)) => *address,
        // What is no address is told as if no function took it.
        Some(Value::String(text)) => parse_ip(text).map_err(|_| EvalError::NoSuchOverload)?,
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Bool(cidr.contains(address)))
}

pub(super) fn contains_cidr<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let cidr = range(args)?;
    let other = match args.get(1) {
        Some(Value::Cidr(other)) => *other,
        Some(Value::String(text)) => parse_cidr(text)?,
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Bool(cidr.contains_range(other)))
}

pub(super) fn cidr_ip<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Ip(range(args)?.address))
}

pub(super) fn prefix_length<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(i64::from(range(args)?.bits)))
}

pub(super) fn masked<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Cidr(range(args)?.masked()))
}
