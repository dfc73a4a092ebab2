//! `additionalPrinterColumns` (`ValidateCustomResourceColumnDefinition`): checks 156 to 161.

use std::borrow::Cow;

use api::Code;

use super::findings::{Findings, Problem};
use super::internal::ServerValue;
use crate::jsonpath;
use crate::message::Message;
use crate::object::Node;
use crate::report::{ApiVersion, ErrorType};

const TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
const FORMATS: &[&str] = &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/// The columns with all their fields, with which the server compares versions.
pub(super) type Columns<'t> = Vec<([Cow<'t, str>; 5], i64)>;

/// The columns at `node`, in the form that the server compares.
pub(super) fn read<'t>(node: &Node<'_, 't>) -> Columns<'t> {
    read_as(node, "jsonPath")
}

/// The columns of v1beta1 at `node`.
pub(super) fn read_beta<'t>(node: &Node<'_, 't>) -> Columns<'t> {
    read_as(node, "JSONPath")
}

fn read_as<'t>(node: &Node<'_, 't>, path: &'static str) -> Columns<'t> {
    let columns = node.items().map(|column| {
        let [name, ty, format, description, path, priority] =
            column.children(["name", "type", "format", "description", path, "priority"]);
        (
            [name.text(), ty.text(), format.text(), description.text(), path.text()],
            priority.integer().unwrap_or_default(),
        )
    });
    columns.collect()
}

/// Checks the columns at `home`.
pub(super) fn check(home: &ServerValue<'_, '_>, api_version: ApiVersion, findings: &mut Findings<'_>) {
    for (index, column) in home.node.items().enumerate() {
        check_column(&column, &format!("{}[{index}]", home.server), api_version, findings);
    }
}

fn check_column(column: &Node<'_, '_>, base: &str, api_version: ApiVersion, findings: &mut Findings<'_>) {
    let path_name = if api_version == ApiVersion::V1 { "jsonPath" } else { "JSONPath" };
    let [name, ty, format, path] = column.children(["name", "type", "format", path_name]);
    let one_of = |list: &[&str]| format!("must be one of {}", list.join(","));
    if name.text().is_empty() {
        let (code, field) = (Code::ColumnsNameRequired, format!("{base}.name"));
        let (error, detail) = (ErrorType::Required, String::new());
        let advice = "add `name` with the heading of the column";
        findings.add(&name, Problem { code, error, field: &field, detail, advice });
        findings.reword(Message::new("the column has no `name`"));
    }
    let mut add = |node: &Node<'_, '_>, code, error, field: &str, detail: String, advice: &str| {
        findings.add(node, Problem { code, error, field: &format!("{base}.{field}"), detail, advice });
    };
    let text = ty.text();
    if text.is_empty() {
        add(&ty, Code::ColumnsTypeRequired, ErrorType::Required, "type", one_of(TYPES), "");
    } else if !TYPES.contains(&text.as_ref()) {
        add(&ty, Code::ColumnsType, ErrorType::Invalid, "type", one_of(TYPES), "");
    }
    let text = format.text();
    if !text.is_empty() && !FORMATS.contains(&text.as_ref()) {
        add(&format, Code::ColumnsFormat, ErrorType::Invalid, "format", one_of(FORMATS), "");
    }
    let text = path.text();
    if text.is_empty() {
        let (code, error, advice) =
            (Code::ColumnsJsonPathRequired, ErrorType::Required, "add a path such as `.status.phase`");
        add(&path, code, error, "JSONPath", String::new(), advice);
        findings.reword(Message::new(format!("the column has no `{path_name}`")));
    } else if !text.starts_with('.') {
        let detail = "must be a simple json path starting with .".to_owned();
        let advice = jsonpath::intended_path(&text)
            .map_or_else(|| "start it with `.`".to_owned(), |better| format!("write `{better}`"));
        add(&path, Code::ColumnsJsonPath, ErrorType::Invalid, "JSONPath", detail, &advice);
        findings.reword(Message::new(format!("`{path_name}` does not start with `.`")));
    }
}
