//! Formats that the server does not know, which it warns of and then ignores (warning W1).

use api::{Code, Difference};
use yaml::Value;

use super::Stage;
use super::outcome::{Builder, NodeFinding, name};
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema, TypeName};
use crate::{KubernetesVersion, Options, go};

/// The formats of strings, without hyphens, which do not count.
const OF_STRINGS: [&str; 24] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
];
/// The formats of strings that came with 1.34, and count from one version later on.
const OF_NAMES: [&str; 2] = ["k8sshortname", "k8slongname"];

/// Warns of the format of `schema`, whose type is `ty`.
pub(crate) fn check(schema: &Schema<'_, '_>, ty: &TypeName<'_>, options: &Options, out: &mut Builder) {
    let version = options.kubernetes_version;
    if !version.has(Difference::FormatWarnings) || !schema.has_any(Keyword::Format.bit()) {
        return;
    }
    let Some(format) = schema.string(Keyword::Format).filter(|format| !format.is_empty()) else { return };
    let ty = match ty {
        TypeName::Unreadable => return,
        TypeName::Missing => "",
        TypeName::Named(ty) => ty.as_ref(),
    };
    if is_known(&format, ty, version) {
        return;
    }
    let place = out.at_or_owner(schema.get(Keyword::Format).map(Value::range));
    let detail = format!("unrecognized format {}", go::quoted(&format));
    let tail = vec![name(Keyword::Format)];
    let finding = NodeFinding::new(
        Stage::Warning,
        Code::WarnUnrecognizedFormat,
        ErrorType::Invalid,
        place,
        tail,
        detail,
    );
    let (reason, advice) = words(&format, ty);
    let finding = finding.explain(match reason.is_empty() {
        true => IGNORED.to_owned(),
        false => format!("{IGNORED}; {reason}"),
    });
    out.push(finding.advise(advice));
}

fn is_known(format: &str, ty: &str, version: KubernetesVersion) -> bool {
    match ty {
        // Only the types of strings were looked at before.
        _ if ty != "string" && !version.has(Difference::FormatsByType) => true,
        "" | "string" => {
            let plain = format.replace('-', "");
            OF_STRINGS.contains(&plain.as_str())
                || version.has(Difference::NameFormatsOfResources) && OF_NAMES.contains(&plain.as_str())
        }
        "integer" => matches!(format, "int32" | "int64"),
        "number" => matches!(format, "float" | "double"),
        _ => false,
    }
}

const IGNORED: &str = "kube-apiserver ignores it";

/// Why the server does not know the format, and what to do.
fn words(format: &str, ty: &str) -> (String, &'static str) {
    let home = match format {
        "int32" | "int64" => Some(("integer", "use `type: integer`, or remove the format")),
        "float" | "double" => Some(("number", "use `type: number`, or remove the format")),
        _ => None,
    };
    match (home, ty) {
        (Some((home, advice)), _) => (format!("`{format}` applies to `type: {home}`"), advice),
        (None, "integer") => (String::new(), "use `int32` or `int64` for integers"),
        (None, "number") => (String::new(), "use `float` or `double` for numbers"),
        (None, "" | "string") => (String::new(), "use `pattern` or a CEL rule instead"),
        (None, _) => (format!("`type: {ty}` has no formats"), "remove it"),
    }
}
