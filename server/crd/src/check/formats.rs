//! Unknown formats, which the server warns about and then ignores (warning W1).

use api::{Code, Difference};
use yaml::Value;

use super::Stage;
use super::outcome::{Builder, NodeFinding, name};
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema, TypeName};
use crate::suggest::closest;
use crate::{KubernetesVersion, Options, go};

/// The formats of strings, without hyphens, which the server ignores.
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
/// The formats of strings that 1.34 added, and that count only from a later version.
const OF_NAMES: [&str; 2] = ["k8sshortname", "k8slongname"];

/// Warns about the format of `schema`, whose type is `ty`.
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
    let (problem, remedy) = format_message(&format, ty, version);
    out.push(finding.with_problem(problem).advise(remedy));
}

fn is_known(format: &str, ty: &str, version: KubernetesVersion) -> bool {
    match ty {
        // Older versions check only the formats of strings.
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

/// The reason why the server ignores the format, and the remedy.
fn format_message(format: &str, ty: &str, version: KubernetesVersion) -> (String, String) {
    let home = match format {
        "int32" | "int64" => Some("integer"),
        "float" | "double" => Some("number"),
        _ => None,
    };
    let quoted = go::quoted(format);
    let unrecognized = || format!("kube-apiserver ignores the unrecognized format {quoted}");
    match (home, ty) {
        (Some(home), "") => (
            format!("kube-apiserver ignores `format: {format}` without a type"),
            format!("add `type: {home}`, or remove the format"),
        ),
        (Some(home), _) => (
            format!("kube-apiserver ignores `format: {format}` on `type: {ty}`"),
            format!("use `type: {home}`, or remove the format"),
        ),
        (None, "integer") => (unrecognized(), "use `int32` or `int64`".to_owned()),
        (None, "number") => (unrecognized(), "use `float` or `double`".to_owned()),
        (None, "" | "string") => match similar_format(format, version) {
            Some(near) => (unrecognized(), format!("write `{near}`, or use `pattern` or a CEL rule")),
            None => (unrecognized(), "use `pattern` or a CEL rule".to_owned()),
        },
        (None, _) => (
            format!("kube-apiserver ignores the format {quoted}, because `type: {ty}` has no formats"),
            "remove it".to_owned(),
        ),
    }
}

/// The format of strings most similar to `format`, in the spelling of the documentation.
fn similar_format(format: &str, version: KubernetesVersion) -> Option<&'static str> {
    let newer = OF_NAMES.into_iter().filter(|_| version.has(Difference::NameFormatsOfResources));
    let (near, _) = closest(&format.replace('-', ""), OF_STRINGS.into_iter().chain(newer))?;
    Some(match near {
        "datetime" => "date-time",
        "k8sshortname" => "k8s-short-name",
        "k8slongname" => "k8s-long-name",
        near => near,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_has_the_remedy_of_its_type() {
        for (format, ty, expected) in [
            (
                "DateTime",
                "string",
                "kube-apiserver ignores the unrecognized format \"DateTime\"; write `date-time`, or use `pattern` or a CEL rule",
            ),
            (
                "hostname2",
                "",
                "kube-apiserver ignores the unrecognized format \"hostname2\"; write `hostname`, or use `pattern` or a CEL rule",
            ),
            (
                "foo",
                "string",
                "kube-apiserver ignores the unrecognized format \"foo\"; use `pattern` or a CEL rule",
            ),
            (
                "int32",
                "string",
                "kube-apiserver ignores `format: int32` on `type: string`; use `type: integer`, or remove the format",
            ),
            (
                "uint32",
                "integer",
                "kube-apiserver ignores the unrecognized format \"uint32\"; use `int32` or `int64`",
            ),
            (
                "yesno",
                "boolean",
                "kube-apiserver ignores the format \"yesno\", because `type: boolean` has no formats; remove it",
            ),
        ] {
            let (problem, remedy) = format_message(format, ty, KubernetesVersion::default());
            assert_eq!(format!("{problem}; {remedy}"), expected);
        }
    }
}
