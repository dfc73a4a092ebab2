//! The fix for a misspelt `kind` or group.

use yaml::edit::Editor;
use yaml::{Document, Reader};

use crate::analysis::kind_corrections::misnamed;
use crate::analysis::objects::objects;
use crate::fixes::repairs::Candidate;
use crate::fixes::rewrite::in_style_of;
use crate::{Finding, Fix, Surroundings};

/// The fix for an object without a known definition whose kind or group is misspelt.
pub(super) fn corrected_name<'t>(
    document: Document<'t>,
    reader: &Reader<'t>,
    surroundings: &Surroundings,
    finding: &Finding,
    editor: &Editor<'t>,
) -> Option<Candidate> {
    let objects = objects(document, reader);
    let object = objects.iter().find(|object| object.value.range().contains_range(finding.range))?;
    let correction = misnamed(&surroundings.catalog, &object.kind, &surroundings.source)?;
    let entry = reader.entry(reader.follow(object.value)?.as_mapping()?, correction.key())?;
    let mut editor = editor.fresh();
    editor.replace(entry.value(), in_style_of(entry.value().as_scalar()?, correction.intended_value()));
    let edits = editor.finish().ok()?;
    let title = format!("Change `{}` to `{}`", correction.key(), correction.intended_value());
    let fix = Fix::suggested(title, edits, finding.code, finding.range);
    Some(Candidate { rank: 0, fix, is_fallback: false, kept_verdicts: None })
}
