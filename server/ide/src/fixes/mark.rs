//! The fix for a partial definition that is meant as a patch: a comment that marks it.

use api::Code;
use text::{TextEdit, TextRange};
use yaml::Document;

use super::proof::Proof;
use crate::migrate::comments::Notes;
use crate::{Finding, Fix};

const CODE: Code = Code::DefinitionPartial;

/// The fix for those of `findings`, all of `document`, that touch `range`.
pub(super) fn fixes(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    proof: &mut Proof,
) -> Option<Fix> {
    let finding = findings.iter().find(|finding| finding.code == CODE && finding.range.overlaps(range))?;
    // JSON has no comments.
    let root = document.root().filter(|root| root.as_mapping().is_some_and(|mapping| !mapping.is_flow()))?;
    let comment = format!("# crd-ls: patch{}", Notes::of(document).line_break());
    let edits = vec![TextEdit::replace(TextRange::empty(root.range().start), comment)];
    let title = "Mark the document as a patch: `# crd-ls: patch`";
    proof.reduces(CODE, &edits).then(|| Fix::suggested(title.to_owned(), edits, CODE, finding.range))
}
