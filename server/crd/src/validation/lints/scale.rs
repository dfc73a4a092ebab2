//! Paths of the scale subresource that lead nowhere.

use api::Code;

use super::super::findings::Findings;
use super::super::internal::Home;
use super::path::{Target, follow};
use crate::jsonpath::PathStep;
use crate::schema::{Schema, TypeName};

/// The paths, and the type that the server wants there.
const PATHS: [(&str, &str); 3] =
    [("specReplicasPath", "integer"), ("statusReplicasPath", "integer"), ("labelSelectorPath", "string")];

/// Looks at the scale subresource at `home`, whose paths lead into `schema`.
pub(super) fn check(home: &Home<'_, '_>, schema: &Schema<'_, '_>, findings: &mut Findings<'_>) {
    let scale = home.node.child("scale");
    for (name, wanted) in PATHS {
        let node = scale.child(name);
        let path = node.text();
        // Other paths are refused, or are being typed.
        let Some(names) = path.strip_prefix('.').filter(|names| !names.split('.').any(str::is_empty)) else {
            continue;
        };
        let steps: Vec<PathStep> = names.split('.').map(|name| PathStep::Field(name.to_owned())).collect();
        let words = match follow(schema, &steps) {
            Target::Missing { words, .. } => words,
            Target::Field(field) => match field.type_name() {
                TypeName::Named(ty) if ty != wanted => {
                    format!("the field has type `{ty}`, but scale reads a value of type `{wanted}`").into()
                }
                _ => continue,
            },
            Target::Meta(_) | Target::Unknown => continue,
        };
        findings.lint(Code::LintScalePath, node.range(), &node, words.about("scaling does not work"));
    }
}
