//! Paths of the scale subresource that lead to no field.

use api::Code;

use super::super::findings::Findings;
use super::super::internal::ServerValue;
use super::path::{Fault, Target, follow};
use crate::jsonpath::PathStep;
use crate::message::Message;
use crate::schema::{Schema, TypeName};

/// The paths, and the types that the server requires at their ends.
const PATHS: [(&str, &str); 3] =
    [("specReplicasPath", "integer"), ("statusReplicasPath", "integer"), ("labelSelectorPath", "string")];

/// The effect of a path that leads to no field.
const EFFECT: &str = "`kubectl scale` and autoscalers do not work";

/// Checks the scale subresource at `home`, whose paths refer to `schema`.
pub(super) fn check(home: &ServerValue<'_, '_>, schema: &Schema<'_, '_>, findings: &mut Findings<'_>) {
    let scale = home.node.child("scale");
    for (name, wanted) in PATHS {
        let node = scale.child(name);
        let path = node.text();
        // The server rejects other paths, or they are being typed.
        let Some(names) = path.strip_prefix('.').filter(|names| !names.split('.').any(str::is_empty)) else {
            continue;
        };
        let steps: Vec<PathStep> = names.split('.').map(|name| PathStep::Field(name.to_owned())).collect();
        let message = match follow(schema, &steps) {
            // A path of the scale subresource has no brackets.
            Target::Missing { fault: fault @ Fault::InList(_), .. } => {
                fault.message(EFFECT).advise("use the path of a field outside lists")
            }
            Target::Missing { fault, .. } => fault.message(EFFECT),
            Target::Field(field) => match field.type_name() {
                TypeName::Named(ty) if ty != wanted => {
                    Message::new(format!("the field has type `{ty}`, not `{wanted}`, so {EFFECT}"))
                        .advise(format!("use a field of type `{wanted}`, or change the type"))
                }
                _ => continue,
            },
            Target::Meta(_) | Target::Unknown => continue,
        };
        findings.lint(Code::LintScalePath, node.range(), &node, message);
    }
}
