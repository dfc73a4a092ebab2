//! Documents with slips that hide the inputs of their text. The other findings are on the corrected text, so their
//! fixes are made there.

use std::sync::PoisonError;

use api::Code;
use text::{TextEdit, TextRange};
use yaml::Document;

use super::{Budget, signs};
use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::joined_objects::JoinedObjects;
use crate::analysis::json::RepairedJson;
use crate::analysis::repaired_object::RepairedObject;
use crate::analysis::repaired_text::RepairedText;
use crate::analysis::syntax::is_of_syntax;
use crate::{Finding, Fix, Surroundings};

/// A document with such slips, and its corrected text.
pub(crate) enum CorrectedDocument {
    /// A slip in `apiVersion`, `kind` or `metadata`.
    Object(Box<RepairedObject>),
    /// Wrong characters of JSON.
    Json(Box<(RepairedJson, RepairedText)>),
    /// Objects without a `---` between them.
    Joined(Box<JoinedObjects>),
}

impl CorrectedDocument {
    /// The corrected text of `document`, if `findings` has such slips.
    pub(crate) fn of(
        document: Document<'_>,
        surroundings: &Surroundings,
        findings: &[Finding],
        caches: &SharedCaches,
    ) -> Option<Self> {
        let has_syntax = findings.iter().any(|one| is_of_syntax(one.code));
        let json = || {
            // A panic in another thread does not corrupt them, because they only receive finished results.
            let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
            RepairedJson::of(document, surroundings, &mut caches)
        };
        let may_be_joined = findings.iter().any(|one| one.code == Code::YamlDuplicateKey);
        if let Some(joined) = may_be_joined.then(|| JoinedObjects::of(document)).flatten() {
            return Some(Self::Joined(Box::new(joined)));
        }
        let corrected = match has_syntax.then(json).flatten() {
            Some(json) => {
                let repaired = json.repaired(document);
                Self::Json(Box::new((json, repaired)))
            }
            None => {
                let may_be = |one: &Finding| one.code == Code::ResourceUnknownKind || is_of_syntax(one.code);
                let object =
                    findings.iter().any(may_be).then(|| RepairedObject::of(document, surroundings))??;
                Self::Object(Box::new(object))
            }
        };
        findings.iter().any(|finding| corrected.is_slip(finding)).then_some(corrected)
    }

    pub(crate) fn repaired(&self) -> &RepairedText {
        match self {
            Self::Object(object) => &object.repaired,
            Self::Json(json) => &json.1,
            Self::Joined(joined) => &joined.repaired,
        }
    }

    /// Whether `finding` is about such a slip.
    fn is_slip(&self, finding: &Finding) -> bool {
        match self {
            Self::Object(object) => (finding.code, finding.range) == (object.slip.code, object.slip.range),
            Self::Json(json) => {
                finding.code.group() == "yaml" && json.0.slips.iter().any(|slip| slip.range == finding.range)
            }
            Self::Joined(joined) => finding.code == Code::YamlDuplicateKey && joined.begins_at(finding.range),
        }
    }

    /// The fixes for those of `findings`, all of `document`, that touch `range`.
    pub(super) fn fixes(
        &self,
        document: Document<'_>,
        inputs: DocumentInputs<'_>,
        findings: &[Finding],
        range: TextRange,
        budget: &Budget,
        caches: &SharedCaches,
    ) -> Vec<Fix> {
        let (slips, others): (Vec<Finding>, Vec<Finding>) =
            findings.iter().cloned().partition(|finding| self.is_slip(finding));
        let mut fixes = match self {
            Self::Object(object) if object.slip.range.overlaps(range) => {
                let (title, edits) = (object.title.clone(), object.edits.clone());
                vec![Fix::suggested(title, edits, object.slip.code, object.slip.range)]
            }
            Self::Object(_) => Vec::new(),
            Self::Json(json) => signs::of_characters(document, &json.0, &slips, range),
            Self::Joined(joined) => {
                let fixes = joined.fixes_in(range);
                fixes
                    .map(|(first, title, edit)| {
                        Fix::suggested(title, vec![edit], Code::YamlDuplicateKey, first)
                    })
                    .collect()
            }
        };
        let repaired = self.repaired();
        let others: Vec<Finding> =
            others.iter().map(|finding| repaired.finding_in_repaired(finding)).collect();
        let in_file = |fix: Fix| {
            let edits: Option<Vec<TextEdit>> =
                fix.edits.iter().map(|edit| repaired.edit_in_file(edit)).collect();
            let repairs =
                fix.repairs.iter().map(|(code, range)| (*code, repaired.range_in_file(*range))).collect();
            Some(Fix { edits: edits?, repairs, ..fix })
        };
        let requested = repaired.range_in_repaired(range);
        for corrected in repaired.tree.documents() {
            let own = others.iter().filter(|finding| corrected.range().contains_range(finding.range));
            let own: Vec<Finding> = own.cloned().collect();
            let of_others = super::fixes(corrected, inputs, &own, requested, budget, caches);
            fixes.extend(of_others.into_iter().filter_map(in_file));
        }
        fixes
    }
}
