//! Proposals that no API server implements: their checks of definitions and resources, if the settings enable them.

pub mod feature_gates;
pub mod unions;

use api::{Code, Severity};
use text::TextRange;
use yaml::{Document, Reader};

use crate::field_path::{FieldPath, Segment};
use crate::finding::Finding;
use crate::message::Message;
use crate::object::{CustomResourceDefinition, definitions};
use crate::{Cache, Options};

/// The enabled proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Experiments {
    /// Feature gates on fields: `spec.featureGates` and `spec.customFeatureGates`.
    pub feature_gates: bool,
    /// Unions: `x-kubernetes-unions` in schemas.
    pub unions: bool,
}

/// The keyword of the proposal on unions.
pub const UNIONS: &str = "x-kubernetes-unions";

impl Experiments {
    /// Whether `finding` only reports an unknown field that an enabled proposal defines.
    #[must_use]
    pub fn explain(self, finding: &Finding) -> bool {
        if finding.code != Code::DecodeUnknownField {
            return false;
        }
        match finding.field_path.segments() {
            [.., Segment::Name(name)] if name == UNIONS => self.unions,
            [Segment::Name(spec), Segment::Name(name)]
            | [_, Segment::Index(_), Segment::Name(spec), Segment::Name(name)] => {
                self.feature_gates && spec == "spec" && crate::gates::FORMS.contains(&name.as_ref())
            }
            _ => false,
        }
    }
}

/// The findings of the enabled proposals for the definitions in `document`; nothing for parts of definitions.
#[must_use]
pub fn check(
    document: Document<'_>,
    experiments: Experiments,
    options: &Options,
    cache: &mut Cache,
) -> Vec<Finding> {
    if experiments == Experiments::default() {
        return Vec::new();
    }
    let reader = Reader::new(document);
    let mut findings = Vec::new();
    for definition in definitions(document, &reader).iter().filter(|definition| !definition.is_partial()) {
        if experiments.feature_gates {
            cache.prepare(options);
            findings.extend(feature_gates::check(definition, options, cache));
        }
        if experiments.unions {
            findings.extend(unions::check(definition));
        }
    }
    findings
}

/// A finding that no server reports.
fn finding(
    code: Code,
    severity: Severity,
    place: (TextRange, FieldPath),
    message: impl Into<Message>,
) -> Finding {
    let ((range, field_path), message) = (place, message.into());
    Finding { code, severity, message, range, field_path, api_server: None, related: Vec::new() }
}

type Definition<'r, 't> = CustomResourceDefinition<'r, 't>;
