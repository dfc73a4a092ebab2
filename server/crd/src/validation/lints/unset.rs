//! Lists of names, columns and other parts of a definition without a value.

use api::Code;
use yaml::ValueKind;

use super::super::findings::Findings;
use super::super::internal::InternalDefinition;
use crate::message::Message;
use crate::object::Node;

const OF_NAMES: [&str; 2] = ["shortNames", "categories"];
const OF_VERSION: [&str; 3] = ["additionalPrinterColumns", "selectableFields", "subresources"];

/// Checks the optional parts of the names and of each version.
pub(super) fn check(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    check_parts(&internal.spec.child("names"), &OF_NAMES, findings);
    for version in &internal.versions {
        check_parts(&version.node, &OF_VERSION, findings);
    }
}

/// Checks the parts of `node` with these names, except for its last one: its value may be about to be typed.
fn check_parts(node: &Node<'_, '_>, names: &[&'static str], findings: &mut Findings<'_>) {
    let Some(mapping) = node.value().and_then(yaml::Value::as_mapping) else { return };
    let Some(last) = mapping.entries().next_back().map(|entry| entry.range()) else { return };
    for entry in mapping.entries().filter(|entry| entry.range() != last) {
        let Some(name) = names.iter().find(|name| entry.key_text().is_some_and(|key| key == **name)) else {
            continue;
        };
        if matches!(entry.value().kind(), ValueKind::Absent) {
            let words = Message::new(format!("`{name}` has no value, so kube-apiserver ignores it"))
                .advise("add the value, or remove the key");
            findings.lint(Code::LintUnsetKeyword, entry.key_range(), &node.child(name), words);
        }
    }
}
