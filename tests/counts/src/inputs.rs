//! The texts of the scenarios, the same on every machine.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

#[path = "../../support/generated.rs"]
mod generated;

/// Definitions of about `lines` lines.
#[must_use]
pub fn bundle(lines: usize) -> String {
    generated::bundle(lines)
}

/// One definition of about 1,400 lines.
pub(crate) fn single() -> String {
    generated::single()
}

/// A resource of that definition.
pub(crate) fn resource() -> String {
    generated::resource(0)
}

/// A definition with `count` properties, each with a rule that does not exceed its budget.
pub(crate) fn with_rules(count: usize) -> String {
    let mut text = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: rules.example.com\n\
         spec:\n  group: example.com\n  names:\n    kind: Rule\n    listKind: RuleList\n    plural: rules\n    singular: rule\n  \
         scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        \
         type: object\n        properties:\n          spec:\n            type: object\n            properties:\n"
        .to_owned();
    for number in 0..count {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "              listener{number}:\n                type: object\n                description: A listener of a gateway, \
             number {number}.\n                required: [port]\n                properties:\n                  port:\n                    \
             type: integer\n                    minimum: 1\n                  protocol:\n                    type: string\n                    \
             maxLength: 8\n                    enum: [TCP, TLS, HTTP]\n                  hosts:\n                    type: array\n                    \
             maxItems: 16\n                    items:\n                      type: string\n                      maxLength: 253\n                \
             x-kubernetes-validations:\n                - rule: self.port < {} && (!has(self.hosts) || self.hosts.all(h, h.size() > 0))\n                  \
             message: ports and hosts\n",
            1_000 + number
        );
    }
    text
}

/// Writes a folder with definitions and resources of them, some of which are wrong.
///
/// # Errors
///
/// The folder cannot be written.
pub fn folder(into: &Path) -> io::Result<()> {
    fs::create_dir_all(into.join("resources"))?;
    fs::write(into.join("single.yaml"), single())?;
    fs::write(into.join("rules.yaml"), with_rules(60))?;
    for number in 0..60 {
        let text = generated::resource(number);
        let text = if number % 10 == 0 { text.replace("port4: http", "port4: [http]") } else { text };
        fs::write(into.join("resources").join(format!("thing{number}.yaml")), text)?;
    }
    Ok(())
}
