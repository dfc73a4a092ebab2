//! The fix for an object without a valid `apiVersion` or `kind`, which prevents all other checks of it.

use api::Code;
use text::{TextEdit, TextRange};
use yaml::Document;
use yaml::edit::{Editor, NewEntry, Position};

use super::columns::separated;
use super::keyless::key_above;
use crate::analysis::nameless::{KIND, METADATA, Nameless, Slip};
use crate::analysis::written::raw;
use crate::{Finding, Fix, Surroundings};

/// The fix for the only finding of `document`, if that touches `range`.
pub(super) fn fix(
    document: Document<'_>,
    surroundings: &Surroundings,
    findings: &[Finding],
    range: TextRange,
) -> Option<Fix> {
    let [finding] = findings else { return None };
    let is_ours = matches!(finding.code, Code::ResourceUnknownKind | Code::YamlSyntax);
    if !is_ours || !finding.range.overlaps(range) {
        return None;
    }
    let nameless = Nameless::of(document, &surroundings.catalog, &surroundings.source)?;
    let (title, edits) = change(document, &nameless).filter(|_| nameless.finding().range == finding.range)?;
    Some(Fix::suggested(title, edits, finding.code, finding.range))
}

/// The title and the edits, if only one way exists.
fn change<'t>(document: Document<'t>, nameless: &Nameless<'t>) -> Option<(String, Vec<TextEdit>)> {
    let mut editor = Editor::new(document);
    let title = match nameless.slip {
        Slip::Misspelt(key, entry) => {
            editor.rename(entry, key);
            format!("Rename `{}` to `{key}`", entry.key_text()?)
        }
        Slip::Unseparated(entry, _) => return separated(document, entry.range()),
        Slip::NoText(key, entry) => {
            let meant = nameless.meant.as_ref()?;
            editor.replace(entry.value(), raw(meant));
            format!("Set `{key}: {meant}`")
        }
        Slip::Missing(key, beside) => {
            let meant = nameless.meant.as_ref()?;
            let position = if key == KIND { Position::After(beside) } else { Position::Start };
            editor.insert(nameless.root, position, NewEntry::new(key, raw(meant)));
            format!("Add `{key}: {meant}`")
        }
        Slip::Headless(lines) => {
            let edit = key_above(document, lines.start, 0, METADATA)?;
            return Some((format!("Add `{METADATA}:` above this line"), vec![edit]));
        }
    };
    Some((title, editor.finish().ok()?))
}
