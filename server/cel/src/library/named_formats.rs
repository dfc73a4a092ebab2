//! Named formats.

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context};
use crate::documentation::{Example, Origin};
use crate::value::NamedFormat;
use crate::value::find_format;
use crate::value::{EvalError, Outcome, Value};

fn named_format<'a>(key: &str) -> Outcome<Value<'a>> {
    find_format(key).map(Value::Format).ok_or(EvalError::NoSuchOverload)
}

macro_rules! constant_format {
    ($key:literal) => {{
        fn make<'a>(_: &Context<'_>, _: &mut [Value<'a>]) -> Outcome<Value<'a>> {
            named_format($key)
        }
        make
    }};
}

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "format.byte",
        doc: "the format of bytes in base64",
        example: Example::Gives("format.byte().validate('YWJj').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.byte", text: "format.byte() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("byte")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.date",
        doc: "the format of a date (`2006-01-02`)",
        example: Example::Gives("format.date().validate('2024-02-30').hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.date", text: "format.date() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("date")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.datetime",
        doc: "the format of a point in time (RFC 3339)",
        example: Example::Gives("format.datetime().validate('2024-01-01T00:00:00Z').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.datetime", text: "format.datetime() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("datetime")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.dns1035Label",
        doc: "the format of an RFC 1035 label",
        example: Example::Gives("format.dns1035Label().validate('1a').hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.dns1035Label", text: "format.dns1035Label() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("dns1035Label")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.dns1035LabelPrefix",
        doc: "the format of an RFC 1035 label, as a prefix in `generateName`",
        example: Example::Gives("format.dns1035LabelPrefix().validate('a-').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.dns1035LabelPrefix",
                text: "format.dns1035LabelPrefix() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("dns1035LabelPrefix")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.dns1123Label",
        doc: "the format of an RFC 1123 label",
        example: Example::Gives("format.dns1123Label().validate('a_b').hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.dns1123Label", text: "format.dns1123Label() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("dns1123Label")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.dns1123LabelPrefix",
        doc: "the format of an RFC 1123 label, as a prefix in `generateName`",
        example: Example::Gives("format.dns1123LabelPrefix().validate('a-').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.dns1123LabelPrefix",
                text: "format.dns1123LabelPrefix() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("dns1123LabelPrefix")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.dns1123Subdomain",
        doc: "the format of an RFC 1123 subdomain",
        example: Example::Gives("format.dns1123Subdomain().validate('a.b').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.dns1123Subdomain",
                text: "format.dns1123Subdomain() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("dns1123Subdomain")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.dns1123SubdomainPrefix",
        doc: "the format of an RFC 1123 subdomain, as a prefix in `generateName`",
        example: Example::Gives("format.dns1123SubdomainPrefix().validate('a.b-').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.dns1123SubdomainPrefix",
                text: "format.dns1123SubdomainPrefix() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("dns1123SubdomainPrefix")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.labelValue",
        doc: "the format of a label value",
        example: Example::Gives("format.labelValue().validate('a b').hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.labelValue", text: "format.labelValue() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("labelValue")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.named",
        doc: "the format with that name, as an optional",
        example: Example::Gives("format.named('uuid').hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format-named",
                text: "format.named(string) -> optional_type(kubernetes.NamedFormat)",
                since: Availability::Release(31), run: Run::Fitting(format_named),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.qualifiedName",
        doc: "the format of a qualified name, such as a label key",
        example: Example::Gives("format.qualifiedName().validate('example.com/a').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.qualifiedName", text: "format.qualifiedName() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("qualifiedName")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.uri",
        doc: "the format of a URI",
        example: Example::Gives("format.uri().validate('http://example.com/a').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.uri", text: "format.uri() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("uri")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "format.uuid",
        doc: "the format of a UUID",
        example: Example::Gives("format.uuid().validate('abc').hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "format.uuid", text: "format.uuid() -> kubernetes.NamedFormat",
                since: Availability::Release(31), run: Run::Fitting(constant_format!("uuid")),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "validate",
        doc: "the errors of the string in that format as an optional, or none if it is valid",
        example: Example::Gives("format.dns1123Label().validate('a').hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Validate,
        signatures: &[
            Signature { id: "format-validate",
                text: "(kubernetes.NamedFormat).validate(string) -> optional_type(list(string))",
                since: Availability::Release(31), run: Run::Fitting(validate),
                estimate: Forecast::Validate, price: Price::Validate },
        ],
    },
];

const WRONG: EvalError = EvalError::NoSuchOverload;

fn format_named<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(name)] = args else { return Err(WRONG) };
    Ok(match find_format(name) {
        Some(format) => Value::some(Value::Format(format)),
        None => Value::Optional(None),
    })
}

fn validate<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Format(NamedFormat { check, .. }), Value::String(text)] = args else { return Err(WRONG) };
    let problems = check(text);
    if problems.is_empty() {
        return Ok(Value::Optional(None));
    }
    Ok(Value::some(Value::list(problems.into_iter().map(Value::text).collect())))
}
