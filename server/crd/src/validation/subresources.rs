//! `subresources` (`ValidateCustomResourceDefinitionSubresources`): checks 149 to 155.

use std::borrow::Cow;

use api::Code;

use super::findings::{Findings, Problem};
use super::internal::ServerValue;
use crate::message::Message;
use crate::object::Node;
use crate::report::ErrorType;

/// The parts of `subresources` that the server compares between versions.
#[derive(PartialEq, Eq)]
pub(super) struct Subresources<'t> {
    has_status: bool,
    scale: Option<ScalePaths<'t>>,
}

/// The paths of the scale subresource.
#[derive(PartialEq, Eq)]
struct ScalePaths<'t> {
    spec: Cow<'t, str>,
    status: Cow<'t, str>,
    selector: Option<Cow<'t, str>>,
}

/// The subresources at `node`, in the form that the server compares; `None` if it is absent.
pub(super) fn read<'t>(node: &Node<'_, 't>) -> Option<Subresources<'t>> {
    node.value()?;
    let [status, scale] = node.children(["status", "scale"]);
    let paths = || {
        let [spec, status, selector] =
            scale.children(["specReplicasPath", "statusReplicasPath", "labelSelectorPath"]);
        ScalePaths { spec: spec.text(), status: status.text(), selector: selector.optional_text() }
    };
    Some(Subresources { has_status: status.is_set(), scale: scale.is_set().then(paths) })
}

/// Checks the paths of the scale subresource.
pub(super) fn check(home: &ServerValue<'_, '_>, findings: &mut Findings<'_>) {
    let scale = home.node.child("scale");
    if !scale.is_set() {
        return;
    }
    let rules = [
        Rule {
            name: "specReplicasPath",
            codes: [Some(Code::ScaleSpecReplicasRequired), Some(Code::ScaleSpecReplicasPath)],
            prefixes: &[".spec."],
            detail: "should be a json path under .spec",
            home: "`.spec`",
            example: "use a path such as `.spec.replicas`",
        },
        Rule {
            name: "statusReplicasPath",
            codes: [Some(Code::ScaleStatusReplicasRequired), Some(Code::ScaleStatusReplicasPath)],
            prefixes: &[".status."],
            detail: "should be a json path under .status",
            home: "`.status`",
            example: "use a path such as `.status.replicas`",
        },
        Rule {
            name: "labelSelectorPath",
            codes: [None, Some(Code::ScaleLabelSelectorPath)],
            prefixes: &[".spec.", ".status."],
            detail: "should be a json path under either .spec or .status",
            home: "`.spec` or `.status`",
            example: "use a path such as `.status.selector`",
        },
    ];
    for rule in rules {
        rule.check(&scale, &home.server, findings);
    }
}

/// The rule for one path.
struct Rule {
    name: &'static str,
    /// The codes for a missing and for an invalid path; a path that may be missing has no code for that.
    codes: [Option<Code>; 2],
    prefixes: &'static [&'static str],
    detail: &'static str,
    /// The allowed parent of the field, for messages.
    home: &'static str,
    example: &'static str,
}

impl Rule {
    fn check(&self, scale: &Node<'_, '_>, base: &str, findings: &mut Findings<'_>) {
        let node = scale.child(self.name);
        let path = node.text();
        let field = format!("{base}.scale.{}", self.name);
        let [missing, wrong] = self.codes;
        let (code, error, detail) = if path.is_empty() {
            (missing, ErrorType::Required, "")
        } else if !path.starts_with('.') {
            (wrong, ErrorType::Invalid, "must be a simple json path starting with .")
        } else if !self.prefixes.iter().any(|prefix| path.starts_with(prefix)) {
            (wrong, ErrorType::Invalid, self.detail)
        } else {
            return;
        };
        if let Some(code) = code {
            let with_dot = format!(".{path}");
            let advice = match self.prefixes.iter().any(|prefix| with_dot.starts_with(prefix)) {
                true => format!("write `{with_dot}`"),
                false => self.example.to_owned(),
            };
            let problem = Problem { code, error, field: &field, detail: detail.to_owned(), advice: &advice };
            findings.add(&node, problem);
            match detail {
                "" => {}
                detail if detail == self.detail => {
                    findings.reword(Message::new(format!(
                        "`{}` must lead to a field below {}",
                        self.name, self.home
                    )));
                }
                _ => findings.reword(Message::new(format!("`{}` must start with `.`", self.name))),
            }
        }
    }
}
