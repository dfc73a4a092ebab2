//! The fix for a partial definition that is meant as a patch: a comment that marks it.

use api::Code;
use text::{TextEdit, TextRange};

use super::proof::Proof;
use super::request::FixRequest;
use crate::Fix;
use crate::migrate::comments::Notes;

const CODE: Code = Code::DefinitionPartial;

/// The fix for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Option<Fix> {
    let finding = request.with_codes(&[CODE]).next()?;
    let document = request.document;
    // JSON has no comments.
    let root = document.root().filter(|root| root.as_mapping().is_some_and(|mapping| !mapping.is_flow()))?;
    let comment = format!("# crd-ls: patch{}", Notes::of(document).line_break());
    let edits = vec![TextEdit::replace(TextRange::empty(root.range().start), comment)];
    let title = "Mark the document as a patch: `# crd-ls: patch`";
    proof.reduces(CODE, &edits).then(|| Fix::suggested(title.to_owned(), edits, CODE, finding.range))
}
