//! Fixes for scalars that read otherwise than they look.
//!
//! None is made without asking: each changes what some reader makes of the definition, and objects may be stored that
//! were read by it.

use std::collections::BTreeSet;

use text::TextRange;
use yaml::Document;
use yaml::edit::{Editor, New};

use super::MOST_PROOFS;
use super::proof::Proof;
use crate::readings::{self, Reading, Remedy};
use crate::{Applicability, Finding, Fix};

/// The fixes for those of `findings`, all of `document`, that touch `range` and are about how scalars are read.
pub(super) fn fixes(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Vec<Fix> {
    let touched = findings.iter().filter(|finding| finding.range.overlaps(range));
    let wanted: BTreeSet<_> = touched
        .filter(|finding| Reading::CODES.contains(&finding.code))
        .map(|finding| (finding.range, finding.code))
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let readings = readings::Known::default().readings(document);
    let wanted = readings.iter().filter(|reading| wanted.contains(&(reading.range(), reading.code)));
    let wanted = wanted.flat_map(|reading| reading.remedies.iter().map(move |remedy| (reading, remedy)));
    wanted.take(MOST_PROOFS).filter_map(|(reading, remedy)| fix(reading, remedy, editor, proof)).collect()
}

fn fix(reading: &Reading<'_>, remedy: &Remedy, editor: &Editor<'_>, proof: &mut Proof) -> Option<Fix> {
    let mut editor = editor.fresh();
    let text = reading.text;
    let title = match remedy {
        Remedy::Quote => {
            editor.quote(reading.value).ok()?;
            format!("Quote `{text}`, so that it is text")
        }
        Remedy::Write(read) => {
            editor.replace(reading.value, New::Raw(read.clone()));
            format!("Write `{text}` as `{read}`, which is what kube-apiserver reads")
        }
    };
    let edits = editor.finish().ok()?;
    proof.lessens(reading.code, &edits).then(|| Fix {
        title,
        edits,
        applicability: Applicability::Suggested,
        repairs: vec![(reading.code, reading.range())],
    })
}
