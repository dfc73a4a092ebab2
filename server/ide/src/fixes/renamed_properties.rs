//! The fix for references to the earlier name of a property: in required fields, rules, columns and other
//! paths.
//!
//! The text shows which property it was: with its earlier name, several findings disappear and none are new,
//! and no other property of the object has this effect.

use std::sync::Arc;

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Entry, Reader, Tree};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::fix::Title;
use crate::analysis::text_at::text_of;
use crate::analysis::undeclared::{UndeclaredField, is_of_name};
use crate::analysis::values::entry_at;
use crate::features::rename::Rename;
use crate::features::resources::declared_by;
use crate::{Finding, Fix, Settings};

/// The maximum number of findings that are examined.
const MOST_FINDINGS: usize = 4;
/// The maximum number of properties of an object that is examined.
const MOST_PROPERTIES: usize = 24;
/// The fewest references that are sufficient evidence of a rename.
const LEAST_REPAIRED: usize = 2;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, findings, editor, .. } = *request;
    let mut fixes = fixes_of_properties(request, proof);
    let wanted = request.touched().filter(|finding| is_of_name(finding.code));
    let wanted: Vec<&Finding> = wanted.take(MOST_FINDINGS).collect();
    // A single reference is not sufficient.
    if wanted.is_empty() || findings.iter().filter(|one| is_of_name(one.code)).count() < LEAST_REPAIRED {
        return fixes;
    }
    let offers = wanted.into_iter().filter_map(|finding| {
        let UndeclaredField { name, properties, .. } =
            UndeclaredField::of(document, request.reader, finding)?;
        let properties = Some(properties).filter(|entries| entries.len() <= MOST_PROPERTIES)?;
        let (entry, back) = renamed(&name, &properties, editor, proof)?;
        let new = entry.key_text()?;
        // The server reads a key such as `n` as a boolean, so its name differs from the text.
        let written = text_of(document.syntax(), entry.key_range());
        (written.trim_matches(['"', '\'']) == new).then_some(())?;
        let edits = references(document, request.settings(), &back, &new)?;
        let title = Title::rename(format_args!("the references to `{name}` to `{new}`"));
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    });
    fixes.extend(offers);
    fixes
}

/// The fixes that give misspelt properties the name that other parts of the definition use.
fn fixes_of_properties(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let fix = |finding: &Finding| {
        let (_, entry) = entry_at(request.document, finding.range)?;
        let known = finding.message.missing_field.as_deref();
        let name = known.or_else(|| crd::root_field(&entry.key_text()?))?;
        let mut editor = request.editor.fresh();
        editor.rename(entry, name);
        let edits = editor.finish().ok()?;
        let title = Title::rename(format_args!("`{}` to `{name}`", entry.key_text()?));
        proof.reduces(finding.code, &edits).then(|| Fix::suggested(title, edits, finding.code, finding.range))
    };
    request.with_codes(&[Code::LintMisspeltProperty]).take(MOST_FINDINGS).filter_map(fix).collect()
}

/// The property that repairs the most findings when it gets the earlier `name` back, if only one does; and
/// the edit.
fn renamed<'t>(
    name: &str,
    entries: &[Entry<'t>],
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Option<(Entry<'t>, TextEdit)> {
    let mut best: Option<(usize, Entry<'t>, TextEdit)> = None;
    let mut is_tied = false;
    for entry in entries {
        let mut editor = editor.fresh();
        editor.rename(*entry, name);
        let Ok([edit]) = <[TextEdit; 1]>::try_from(editor.finish().ok()?) else { continue };
        let Some(repaired) = proof.repaired(std::slice::from_ref(&edit)) else { continue };
        let most = best.as_ref().map_or(0, |(most, ..)| *most);
        is_tied = repaired == most || is_tied && repaired < most;
        if repaired > most {
            best = Some((repaired, *entry, edit));
        }
    }
    let (repaired, entry, edit) = best?;
    (!is_tied && repaired >= LEAST_REPAIRED).then_some((entry, edit))
}

/// The edits of the references: a rename in the text in which the edit `back` restores the property's earlier
/// name.
fn references(
    document: Document<'_>,
    settings: &Settings,
    back: &TextEdit,
    new: &str,
) -> Option<Vec<TextEdit>> {
    let start = document.range().start;
    let relative = TextEdit::replace(
        TextRange::new(back.range.start.checked_sub(start)?, back.range.end.checked_sub(start)?),
        back.new_text.clone(),
    );
    let earlier = text::applied(&document.syntax().text(), 0, std::slice::from_ref(&relative));
    let tree = Tree::parse(&earlier);
    let of_earlier = tree.documents().next()?;
    let at = relative.range.start;
    let property = declared_by(of_earlier, &Reader::new(of_earlier), at)?;
    let version = property.version.clone();
    let mut rename = Rename::new(property, &tree, new, settings).ok()?;
    if let Some(version) = version {
        rename = rename.in_version(&version);
    }
    let key = TextRange::at(at, back.new_text.len() as TextSize);
    let by = i64::from(back.range.len()) - i64::from(key.len());
    let edits = rename.edits_in(&tree, &Arc::default()).ok()?.into_iter();
    let others = edits.filter(|edit| !edit.range.touches(key.start) && !key.contains_range(edit.range));
    let moved = others.map(|edit| {
        let by = if edit.range.start >= key.end { by } else { 0 };
        let at = |offset: TextSize| TextSize::try_from(i64::from(offset + start) + by).ok();
        Some(TextEdit::replace(TextRange::new(at(edit.range.start)?, at(edit.range.end)?), edit.new_text))
    });
    moved.collect::<Option<Vec<TextEdit>>>().filter(|edits| !edits.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::sync::LazyLock;

    use text::TextRange;

    use crate::marked_texts::definition_of_version;
    use crate::{File, FixKind, Settings};

    static DEFINITION: LazyLock<String> = LazyLock::new(|| {
        definition_of_version(
            "\
additionalPrinterColumns:
- name: Size
  type: integer
  jsonPath: .spec.size
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec:
        type: object
        required: [size]
        properties:
          size: {type: integer, format: int32}
          mode: {type: string, maxLength: 9}
          other: {type: boolean}
        x-kubernetes-validations:
        - rule: self.size > 1
          fieldPath: .size
subresources:
  scale:
    specReplicasPath: .spec.size
    statusReplicasPath: .status.replicas
",
        )
    });

    fn fixes(text: &str) -> Vec<(String, String)> {
        let file = File::new(text, &Settings::default());
        let fixes = file.fixes(TextRange::new(0, text.len() as u32)).into_iter();
        let of_names = fixes.filter(|fix| fix.kind == FixKind::Rename);
        of_names.map(|fix| (fix.title, text::applied(text, 0, &fix.edits))).collect()
    }

    #[test]
    fn references_to_the_earlier_name_of_a_property_get_the_new_one() {
        for new in ["count", "numberOfReplicas", "x"] {
            let renamed = DEFINITION.replace("              size:", &format!("              {new}:"));
            let title = format!("Rename the references to `size` to `{new}`");
            let paths = |text: &str| text.replace(".size", &format!(".{new}"));
            let wanted = paths(&renamed).replace("[size]", &format!("[{new}]"));
            let found = fixes(&renamed);
            assert!(
                !found.is_empty() && found.iter().all(|one| *one == (title.clone(), wanted.clone())),
                "{found:#?}"
            );
        }
    }

    #[test]
    fn an_ambiguous_earlier_name_is_not_renamed() {
        // The property was removed, and nothing indicates its replacement.
        let line = "              size: {type: integer, format: int32}\n";
        let twins = "              a: {type: integer, format: int32}\n              b: {type: integer, format: int32}\n";
        assert_eq!(fixes(&DEFINITION.replace(line, "")), []);
        assert_eq!(fixes(&DEFINITION.replace(line, twins)), []);
    }
}
