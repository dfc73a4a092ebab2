//! The fix for a list of named objects of a definition that is written as an object with their names as keys.

use api::Code;
use text::{TextEdit, TextRange};
use yaml::Entry;

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::text_at::values_to;
use crate::{Finding, Fix};

const CODES: [Code; 1] = [Code::DecodeType];
/// The lists whose items have a `name`.
const LISTS: [&str; 2] = ["versions", "additionalPrinterColumns"];
/// The maximum number of findings with fixes in one answer.
const MOST: usize = 4;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let mut fix = |finding: &Finding| {
        let entries = values_to(document, finding.range.start + 1)
            .filter_map(|value| value.as_mapping()?.entry_before(finding.range.start + 1));
        let is_here = |entry: &Entry<'_>| {
            entry.key_range() == finding.range || entry.value().range().start == finding.range.start
        };
        let list = entries.filter(is_here).last()?;
        let name = list.key_text().filter(|name| LISTS.contains(&&**name))?;
        let objects = list.value().as_mapping().filter(|mapping| !mapping.is_flow())?;
        let column = objects.column()?;
        // The fields of each item are then in the column of its `name`.
        let edit = |entry: Entry<'_>| {
            let fields = entry.value().as_mapping().filter(|fields| fields.column() == Some(column + 2))?;
            let key = entry.key_range();
            let name = format!("- name: {}", entry.key_text()?);
            let colon = entry.colon()?.range();
            fields.entries().next().map(|_| TextEdit::replace(TextRange::new(key.start, colon.end), name))
        };
        let edits: Vec<TextEdit> = objects.entries().map(edit).collect::<Option<_>>()?;
        let is_repair = !edits.is_empty() && proof.reduces(finding.code, &edits);
        let title = format!("Convert the keys of `{name}` to a list");
        is_repair.then(|| Fix::suggested(title, edits, finding.code, finding.range))
    };
    request.with_codes(&CODES).take(MOST).filter_map(&mut fix).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn versions_by_their_names_become_a_list() {
        let (head, version) = WIDGET.split_once("  - name: v1\n").unwrap();
        let fields = version.lines().fold(String::new(), |lines, line| lines + "  " + line + "\n");
        let text = format!("{head}    v1:\n{fields}");
        let file = File::new(&text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|finding| finding.severity <= Severity::Warning);
        assert_eq!(found.len(), 1, "{found:#?}");
        let fixes = file.fixes(found[0].range);
        let repaired = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
        assert_eq!(
            repaired.as_deref(),
            Some(format!("{head}    - name: v1\n{fields}").as_str()),
            "{fixes:#?}"
        );
    }
}
