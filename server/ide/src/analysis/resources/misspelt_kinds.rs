//! Findings on objects without a definition whose `kind` or group is misspelt.

use crd::{FieldPath, Message};
use text::TextRange;
use yaml::{Document, Reader, Value};

use api::Code;

use crate::analysis::kind_corrections::{NameCorrection, is_version, misnamed};
use crate::analysis::kinds::Kind;
use crate::analysis::objects::Object;
use crate::analysis::short::code;
use crate::analysis::validation_coverage::UnvalidatedReason;
use crate::{Finding, Severity, Surroundings};

/// The maximum number of characters of a name in a message.
const SHOWN: usize = 40;

/// The finding on an object in `document` that has no known definition, if there is a correction.
pub(super) fn finding(
    document: Document<'_>,
    object: &Object<'_>,
    reader: &Reader<'_>,
    surroundings: &Surroundings,
) -> Option<Finding> {
    use UnvalidatedReason::{NoDefinition, UnknownVersion, Unreadable, UnsupportedKind};
    match object.reason_if_unknown(document) {
        NoDefinition | UnknownVersion | UnsupportedKind => {}
        // A syntax error elsewhere does not hide the slip.
        Unreadable if !object.kind.kind.is_empty() && !object.api_version.is_empty() => {}
        _ => return None,
    }
    let misnamed = misnamed(&surroundings.catalog, &object.kind, &surroundings.source)?;
    let Kind { group, version, kind } = &object.kind;
    let (kind, group, version) = (code(kind, SHOWN), code(group, SHOWN), code(version, SHOWN));
    let problem = match &misnamed {
        NameCorrection::Kind { .. } => format!("no definition has the kind {kind} in the group {group}"),
        NameCorrection::ApiVersion { .. } if object.kind.kind == "CustomResourceDefinition" => {
            let written = code(&object.api_version, SHOWN);
            format!("{written} is not an `apiVersion` of `CustomResourceDefinition`")
        }
        NameCorrection::ApiVersion { .. }
            if is_version(&object.kind.version) && object.kind.group.is_empty() =>
        {
            format!("the core group has no kind {kind}")
        }
        NameCorrection::ApiVersion { .. } if object.kind.group.is_empty() => {
            format!("{version} is a group without a version")
        }
        NameCorrection::ApiVersion { .. } => format!("no definition has the group {group}"),
    };
    let message =
        Message::new(problem).advise(format!("write {}", code(misnamed.intended_value(), 2 * SHOWN)));
    Some(Finding {
        code: Code::ResourceUnknownKind,
        severity: Severity::Warning,
        message,
        range: value_range(object.value, misnamed.key(), reader)?,
        field_path: FieldPath::of_names([misnamed.key()]),
        api_server: None,
        related: Vec::new(),
    })
}

fn value_range(object: Value<'_>, key: &str, reader: &Reader<'_>) -> Option<TextRange> {
    Some(reader.entry(reader.follow(object)?.as_mapping()?, key)?.value().range())
}
