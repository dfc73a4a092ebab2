//! Fixes for scalars whose type differs from their appearance.
//!
//! All of them are suggestions: each changes how some readers interpret the definition, and there may be
//! stored objects that were created with the old interpretation.

use std::collections::BTreeSet;

use text::TextEdit;
use yaml::edit::{Editor, NewValue};

use super::proof::Proof;
use super::request::FixRequest;
use crate::Fix;
use crate::analysis::readings::{self, Remedy, ScalarReading};

/// The maximum number of fixes that are proven one by one.
const MOST_ALONE: usize = 20;

/// The fixes for the touched findings of `request` that are about the type of a
/// scalar.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let wanted = request.with_codes(&ScalarReading::CODES);
    let wanted: BTreeSet<_> = wanted.map(|finding| (finding.range, finding.code)).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let readings = readings::KnownReadings::default().readings(request.document);
    let wanted = readings.iter().filter(|reading| wanted.contains(&(reading.range(), reading.code)));
    let mut quotes = Vec::new();
    let mut others = Vec::new();
    for reading in wanted {
        for remedy in &reading.remedies {
            let fixes = if *remedy == Remedy::Quote { &mut quotes } else { &mut others };
            fixes.extend(fix(reading, remedy, request.editor));
        }
    }
    let mut fixes = proven(quotes, proof);
    fixes.extend(proven(others, proof));
    fixes.sort_by_key(|fix| fix.repairs.first().map(|(_, range)| *range));
    fixes
}

/// The `fixes`, each of another scalar, that repair their findings and cause no new ones: all, if they hold
/// together, otherwise those that hold alone.
fn proven(mut fixes: Vec<Fix>, proof: &mut Proof) -> Vec<Fix> {
    let all: Vec<TextEdit> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    let codes: BTreeSet<_> = fixes.iter().flat_map(|fix| &fix.repairs).map(|(code, _)| *code).collect();
    if codes.into_iter().all(|code| proof.reduces(code, &all)) {
        return fixes;
    }
    fixes.truncate(MOST_ALONE);
    fixes.retain(|fix| fix.repairs.iter().all(|(code, _)| proof.reduces(*code, &fix.edits)));
    fixes
}

fn fix(reading: &ScalarReading<'_>, remedy: &Remedy, editor: &Editor<'_>) -> Option<Fix> {
    let mut editor = editor.fresh();
    let text = reading.text;
    let title = match remedy {
        Remedy::Quote => {
            editor.quote(reading.value).ok()?;
            format!("Quote `{text}`")
        }
        Remedy::Write(read) => {
            editor.replace(reading.value, NewValue::Raw(read.clone()));
            format!("Replace `{text}` with `{read}`, as kube-apiserver parses it")
        }
    };
    Some(Fix::suggested(title, editor.finish().ok()?, reading.code, reading.range()))
}
