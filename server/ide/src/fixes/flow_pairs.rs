//! The fix for a key in braces that contains its value, because the colon or the space after it is missing:
//! `{type string}`.

use api::Code;
use yaml::{Mapping, ValueKind};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::separated;
use crate::analysis::separator::Separator;
use crate::analysis::text_at::text_of;
use crate::analysis::values::entry_at;
use crate::{Finding, Fix};

const CODES: [Code; 2] = [Code::DecodeUnknownField, Code::ResourceUnknownField];
/// The maximum number of findings with fixes in one answer.
const MOST: usize = 10;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let mut fix = |finding: &Finding| {
        let (holder, entry) = entry_at(document, finding.range)?;
        let is_bare = matches!(entry.value().kind(), ValueKind::Absent);
        holder.as_mapping().filter(|mapping: &Mapping<'_>| mapping.is_flow() && is_bare)?;
        let separator = Separator::of(&text_of(document.syntax(), entry.key_range()))?;
        separator.name().filter(|_| !matches!(separator, Separator::Word(_)))?;
        let (title, edits) = separated::fix_of(&separator, entry.key_range().start);
        let fix = Fix::suggested(title, edits, finding.code, finding.range);
        proof.reduces(finding.code, &fix.edits).then_some(fix)
    };
    request.with_codes(&CODES).take(MOST).filter_map(&mut fix).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn a_key_in_braces_without_its_separator_is_one_finding_with_a_fix() {
        let right = "              modes:\n                type: array\n                items:\n                  type: string\n";
        for (written, repaired) in [("{type string}", "{type: string}"), ("{type:string}", "{type: string}")]
        {
            let with = |items: &str| {
                let lines = format!(
                    "              modes:\n                type: array\n                items: {items}\n"
                );
                WIDGET.replacen(right, &lines, 1)
            };
            let text = with(written);
            assert_ne!(text, WIDGET);
            let file = File::new(&text, &Settings::default());
            let mut found = file.grouped().findings;
            found.retain(|finding| finding.severity <= Severity::Warning);
            assert_eq!(found.len(), 1, "{written}: {found:#?}");
            let fixes = file.fixes(found[0].range);
            assert_eq!(text::applied(&text, 0, &fixes.first().unwrap().edits), with(repaired), "{written}");
        }
    }
}
