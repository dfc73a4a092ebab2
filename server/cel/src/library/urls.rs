//! URLs.

use super::costs::{Forecast, Price, STRING};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::network::text;
use super::{Args, Context};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, Key, Map, MapBuilder, Outcome, Text, Url, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "getEscapedPath",
        doc: "the escaped path of a URL, or an empty string if it has none",
        example: Example::Gives("url('https://example.com:80/a%20b?x=1').getEscapedPath()", "'/a%20b'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "url_get_escaped_path", text: "(kubernetes.URL).getEscapedPath() -> string",
                since: Availability::Always, run: Run::Fitting(escaped_path),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getHost",
        doc: "the host and port of a URL, with an IPv6 address in brackets",
        example: Example::Gives("url('https://example.com:80/a%20b?x=1').getHost()", "'example.com:80'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "url_get_host", text: "(kubernetes.URL).getHost() -> string",
                since: Availability::Always, run: Run::Fitting(host), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getHostname",
        doc: "the host of a URL, without port or brackets",
        example: Example::Gives("url('https://example.com:80/a%20b?x=1').getHostname()", "'example.com'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "url_get_hostname", text: "(kubernetes.URL).getHostname() -> string",
                since: Availability::Always, run: Run::Fitting(hostname),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getPort",
        doc: "the port of a URL, as a string",
        example: Example::Gives("url('https://example.com:80/a%20b?x=1').getPort()", "'80'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "url_get_port", text: "(kubernetes.URL).getPort() -> string",
                since: Availability::Always, run: Run::Fitting(port), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getQuery",
        doc: "the parameters of a URL, each with its values",
        example: Example::Gives("url('https://example.com:80/a%20b?x=1').getQuery()", "{'x': ['1']}"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "url_get_query", text: "(kubernetes.URL).getQuery() -> map(string, list(string))",
                since: Availability::Always, run: Run::Fitting(query), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getScheme",
        doc: "the scheme of a URL",
        example: Example::Gives("url('https://example.com:80/a%20b?x=1').getScheme()", "'https'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "url_get_scheme", text: "(kubernetes.URL).getScheme() -> string",
                since: Availability::Always, run: Run::Fitting(scheme), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isURL",
        doc: "whether the string is an absolute URL or path",
        example: Example::Gives("isURL('/a/b')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "is_url_string", text: "isURL(string) -> bool",
                since: Availability::Always, run: Run::Fitting(is_url), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "url",
        doc: "an absolute URL or path; fails if the string is not one",
        example: Example::Gives("url('https://example.com/a').getHost()", "'example.com'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_to_url", text: "url(string) -> kubernetes.URL",
                since: Availability::Always, run: Run::Fitting(url),
                estimate: Forecast::Url, price: Price::Scan(0, STRING) },
        ],
    },
];

fn url<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Url(Url::parse(text(args)?)?.into()))
}

fn is_url<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(crate::value::Url::read_request_uri(text(args)?).is_ok()))
}

fn of_url<'a>(args: Args<'_, 'a>, read: impl Fn(&Url) -> String) -> Outcome<Value<'a>> {
    let [Value::Url(url)] = args else { return Err(EvalError::NoSuchOverload) };
    Ok(Value::text(read(url)))
}

fn scheme<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, |url| url.scheme.clone())
}

fn host<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::host)
}

fn hostname<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::hostname)
}

fn port<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::port)
}

fn escaped_path<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_url(args, Url::escaped_path)
}

fn query<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Url(url)] = args else { return Err(EvalError::NoSuchOverload) };
    let mut values = indexmap::IndexMap::<String, Vec<Value<'a>>>::new();
    for (name, value) in url.query() {
        values.entry(name).or_default().push(Value::text(value));
    }
    let entries = values.into_iter().map(|(name, values)| (Key::Text(Text::from(name)), Value::list(values)));
    Ok(Value::Map(Map::of(entries.collect::<MapBuilder<'a>>())))
}
