//! Quick-fixes and the action that applies all safe fixes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::error::{Error, Result};
use api::Code;
use ide::{Applicability, Budget, File, Finding, Fix, GroupedFindings, Refactoring, RefactoringKind};
use ls_types::{
    CodeAction, CodeActionContext, CodeActionDisabled, CodeActionKind, CodeActionParams,
    CodeActionTriggerKind, Diagnostic, DocumentChanges, NumberOrString, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextEdit as LspEdit, Uri,
    WorkspaceEdit,
};
use text::{TextEdit, TextRange};

use super::Context;
use super::convert::Converter;
use super::profile::{ClientProfile, FIX_ALL, REFACTORINGS};
use crate::analyse::{fix_all, fix_all_of};
use crate::fix_bytes;

/// The maximum number of diagnostics outside the requested range for which an answer has fixes.
const MOST_NAMED: usize = 20;
/// The maximum number of repaired diagnostics that one fix lists, and that all fixes of an answer list together. Each
/// fix lists at least one.
const MOST_REPAIRED: usize = 100;
const MOST_REPAIRED_OF_ALL: usize = 1_000;
/// The maximum number of fixes in one answer: nobody reads a longer menu.
pub const MOST_ACTIONS: usize = 100;
/// The maximum number of bytes of fixes in one answer: a constant part, and a part for each byte of the text.
const ACTION_BYTES: usize = 256 * 1024;
const ACTION_BYTES_EACH: usize = 4;
/// The name of the action that applies all safe fixes.
pub const FIX_ALL_TITLE: &str = "Apply all safe fixes in the file";
/// The entry that represents fixes that are not offered.
const UNPROVEN: &str = "More fixes exist: checking them all takes too long";

/// The actions for the findings at a place. They include their edits, because some clients cannot request
/// them later.
pub fn code_actions(context: &Context<'_>, params: CodeActionParams) -> Result<Option<Vec<CodeAction>>> {
    let Some(file) = context.file else { return Ok(None) };
    let range = context.converter().text_range(params.range);
    let mut actions: Vec<CodeAction> = Vec::new();
    let waiting = Arc::clone(&context.request);
    let is_idle = move || waiting.is_cancelled() || !waiting.is_current();
    let budget = file.budget().until(is_idle);
    let mut fixes = if is_requested(&params.context, &CodeActionKind::QUICKFIX) {
        requested_fixes(context, file, &params, &budget)
    } else {
        Vec::new()
    };
    fixes.truncate(fitting_count(&fixes, context.buffer.len() as usize));
    actions.extend(quick_fixes(context, file, &fixes)?);
    if budget.is_spent() && context.profile.disabled_actions {
        let disabled = Some(CodeActionDisabled { reason: UNPROVEN.to_owned() });
        let kind = Some(CodeActionKind::QUICKFIX);
        actions.push(CodeAction { title: UNPROVEN.to_owned(), kind, disabled, ..CodeAction::default() });
    }
    if is_requested(&params.context, &CodeActionKind::REFACTOR_REWRITE) {
        actions.extend(file.format_rule(range.start).map(|fix| CodeAction {
            title: fix.title,
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            edit: Some(edit_of(context, &fix.edits)),
            ..CodeAction::default()
        }));
        let written = file.write_defaults(range).into_iter().map(|fix| CodeAction {
            edit: Some(edit_of(context, &fix.edits)),
            title: fix.title,
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            ..CodeAction::default()
        });
        actions.extend(written);
    }
    if !is_automatic(&params.context) {
        actions.extend(similar_fixes(context, file, &fixes, &budget)?);
        actions.extend(fix_all_of_rules(context, file, &fixes, requested_range(context, params.range))?);
        actions.extend(refactorings(context, file, range, &params.context));
        if is_requested(&params.context, &FIX_ALL) {
            actions.extend(fix_all_action(context, file));
        }
    }
    if context.request.is_cancelled() {
        return Err(Error::request_cancelled());
    }
    // The answer is incomplete because the text changed during the proofs.
    if budget.is_spent() && !context.request.is_current() {
        return Err(Error::content_modified());
    }
    // Without `document_changes`, edits carry no version that the client could compare.
    if !actions.is_empty() && !context.profile.document_changes && !context.request.is_current() {
        return Err(Error::content_modified());
    }
    Ok(Some(actions))
}

/// The range that a request means: for a cursor its line, because many clients send only the cursor.
#[must_use]
pub fn requested_range(context: &Context<'_>, range: Range) -> TextRange {
    let converter = context.converter();
    let requested = converter.text_range(range);
    if requested.is_empty() { converter.line(range.start) } else { requested }
}

/// The fixes for the requested range and for the diagnostics that the client names, those at the range itself
/// first.
fn requested_fixes(
    context: &Context<'_>,
    file: &File,
    params: &CodeActionParams,
    budget: &Budget,
) -> Vec<Fix> {
    let converter = context.converter();
    let range = converter.text_range(params.range);
    let requested = requested_range(context, params.range);
    let mut fixes = file.fixes_within(requested, budget);
    let mut named: Vec<(Code, TextRange)> = Vec::new();
    for diagnostic in &params.context.diagnostics {
        let Some(NumberOrString::String(code)) = &diagnostic.code else { continue };
        let place = converter.text_range(diagnostic.range);
        let found =
            file.findings().iter().find(|finding| finding.range == place && finding.code == code.as_str());
        named.extend(found.filter(|_| !place.overlaps(requested)).map(|finding| (finding.code, place)));
    }
    named.sort_by_key(|(code, place)| (*place, *code));
    named.dedup();
    for of in named.into_iter().take(MOST_NAMED) {
        let more: Vec<Fix> = file
            .fixes_within(of.1, budget)
            .into_iter()
            .filter(|fix| fix.repairs.contains(&of) && !fixes.contains(fix))
            .collect();
        fixes.extend(more);
    }
    let distance = |fix: &Fix| {
        let touches = |range: TextRange| fix.repairs.iter().any(|(_, place)| place.overlaps(range));
        if touches(range) { 0 } else { 1 + u8::from(!touches(requested)) }
    };
    fixes.sort_by_key(distance);
    fixes
}

/// The number of the first `fixes` that fit into an answer about a text of `bytes` bytes; at least one.
fn fitting_count(fixes: &[Fix], bytes: usize) -> usize {
    let mut room = ACTION_BYTES + ACTION_BYTES_EACH * bytes;
    let fits = |fix: &&Fix| {
        let size = fix_bytes(fix);
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    };
    fixes.iter().take(MOST_ACTIONS).take_while(fits).count().max(1)
}

/// Kinds are hierarchical: a request for `source` includes `source.fixAll`.
pub fn is_requested(context: &CodeActionContext, kind: &CodeActionKind) -> bool {
    let covers = |requested: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(requested.as_str());
        rest.is_some_and(|rest| requested.as_str().is_empty() || rest.is_empty() || rest.starts_with('.'))
    };
    context.only.as_ref().is_none_or(|only| only.iter().any(covers))
}

fn quick_fixes(context: &Context<'_>, file: &File, fixes: &[Fix]) -> Result<Vec<CodeAction>> {
    let rivals = safe_fixes_by_finding(fixes);
    let grouped = context.profile.groups(file).then(|| file.grouped());
    let mut actions = Vec::with_capacity(fixes.len());
    let mut room = MOST_REPAIRED_OF_ALL;
    for fix in fixes {
        if context.request.is_cancelled() {
            return Err(Error::request_cancelled());
        }
        let repaired = repaired(context, file, fix, grouped.as_ref(), room.clamp(1, MOST_REPAIRED));
        room = room.saturating_sub(repaired.len());
        actions.push(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(repaired),
            edit: Some(edit_of(context, &fix.edits)),
            is_preferred: (context.profile.preferred_actions && is_preferred(fix, &rivals)).then_some(true),
            ..CodeAction::default()
        });
    }
    Ok(actions)
}

/// The diagnostics of the first `most` findings that `fix` repairs, as the client shows them.
fn repaired(
    context: &Context<'_>,
    file: &File,
    fix: &Fix,
    grouped: Option<&GroupedFindings>,
    most: usize,
) -> Vec<Diagnostic> {
    let converter = context.converter();
    let repairs = fix.repairs.iter().take(most);
    if let Some(grouped) = grouped {
        let mut findings: Vec<&Finding> =
            repairs.filter_map(|(code, range)| grouped.representative(*code, *range)).collect();
        findings.sort_by_key(|finding| (finding.range, finding.code));
        findings.dedup_by_key(|finding| (finding.range, finding.code));
        return findings.into_iter().map(|finding| converter.diagnostic(finding)).collect();
    }
    let findings = file.findings();
    let of = |(code, range): &(Code, TextRange)| {
        // Findings are sorted by range, then code.
        let start = findings.partition_point(|finding| (finding.range, finding.code) < (*range, *code));
        let same = |finding: &&Finding| (finding.range, finding.code) == (*range, *code);
        findings
            .iter()
            .skip(start)
            .take_while(same)
            .take(most)
            .map(|finding| converter.diagnostic(finding))
            .collect()
    };
    // A problem in an anchor is a problem at each of its aliases.
    repairs.flat_map(|repaired| -> Vec<Diagnostic> { of(repaired) }).take(most).collect()
}

/// The number of safe fixes for a finding, by its code and range.
type SafeFixes = BTreeMap<(Code, TextRange), usize>;

fn safe_fixes_by_finding(fixes: &[Fix]) -> SafeFixes {
    let mut counts = SafeFixes::new();
    for fix in fixes.iter().filter(|fix| fix.applicability == Applicability::Safe) {
        for repaired in &fix.repairs {
            *counts.entry(*repaired).or_default() += 1;
        }
    }
    counts
}

/// Whether a client may apply the fix without asking: it is safe, and no other safe fix repairs the same
/// findings.
fn is_preferred(fix: &Fix, safe: &SafeFixes) -> bool {
    fix.applicability == Applicability::Safe
        && !fix.repairs.is_empty()
        && fix.repairs.iter().all(|repaired| safe.get(repaired) == Some(&1))
}

/// Whether an editor sends the request automatically, at each move of the cursor: such a request does not
/// need the fixes of the whole file.
#[must_use]
pub fn is_automatic(context: &CodeActionContext) -> bool {
    context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC) && context.only.is_none()
}

/// The fixes that a person has to choose, each at all places with the same problem. Safe fixes are handled by
/// [`fix_all_of_rules`].
fn similar_fixes(
    context: &Context<'_>,
    file: &File,
    fixes: &[Fix],
    budget: &Budget,
) -> Result<Vec<CodeAction>> {
    let is_choice = |fix: &&Fix| fix.applicability == Applicability::Suggested;
    let choices: Vec<Fix> = fixes.iter().filter(is_choice).cloned().collect();
    quick_fixes(context, file, &file.similar_fixes(&choices, budget))
}

/// For each rule with a safe fix among `fixes` at `range` and with further findings in the file: all of its
/// safe fixes.
fn fix_all_of_rules(
    context: &Context<'_>,
    file: &File,
    fixes: &[Fix],
    range: TextRange,
) -> Result<Vec<CodeAction>> {
    let findings = file.findings();
    let safe = fixes.iter().filter(|fix| fix.applicability == Applicability::Safe);
    let repaired = safe.flat_map(|fix| &fix.repairs).filter(|(_, place)| place.overlaps(range));
    let codes: BTreeSet<Code> = repaired.map(|(code, _)| *code).collect();
    let mut actions = Vec::new();
    for code in codes {
        if context.request.is_cancelled() {
            return Err(Error::request_cancelled());
        }
        let is_repeated = findings.iter().filter(|finding| finding.code == code.as_str()).nth(1).is_some();
        if !is_repeated {
            continue;
        }
        let fixed = fix_all_of(file, context.buffer, code);
        if fixed.edits.is_empty() {
            continue;
        }
        actions.push(CodeAction {
            title: format!("Fix all '{code}' in this file"),
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(edit_of(context, &fixed.edits)),
            ..CodeAction::default()
        });
    }
    Ok(actions)
}

/// The actions other than fixes.
fn refactorings(
    context: &Context<'_>,
    file: &File,
    range: TextRange,
    requested: &CodeActionContext,
) -> Vec<CodeAction> {
    if !REFACTORINGS.iter().any(|kind| is_requested(requested, kind)) {
        return Vec::new();
    }
    let action = |refactoring: Refactoring| {
        let kind = kind_of(refactoring.kind);
        is_requested(requested, &kind).then(|| CodeAction {
            title: refactoring.title,
            kind: Some(kind),
            edit: Some(edit_of(context, &refactoring.edits)),
            ..CodeAction::default()
        })
    };
    file.refactorings(range).into_iter().filter_map(action).collect()
}

fn kind_of(kind: RefactoringKind) -> CodeActionKind {
    match kind {
        RefactoringKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        RefactoringKind::Inline => CodeActionKind::REFACTOR_INLINE,
        RefactoringKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
    }
}

fn fix_all_action(context: &Context<'_>, file: &File) -> Option<CodeAction> {
    let fixed = fix_all(file, context.buffer);
    (!fixed.edits.is_empty()).then(|| CodeAction {
        title: FIX_ALL_TITLE.to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(edit_of(context, &fixed.edits)),
        ..CodeAction::default()
    })
}

/// The edits of one file.
pub struct FileEdits {
    uri: Uri,
    /// The version of an open document.
    version: Option<i32>,
    edits: Vec<LspEdit>,
}

impl FileEdits {
    /// `None` if there are no edits.
    pub fn new(converter: Converter<'_>, version: Option<i32>, edits: &[TextEdit]) -> Option<Self> {
        let uri = converter.uri().clone();
        let edits: Vec<LspEdit> = edits.iter().map(|edit| converter.edit(edit)).collect();
        (!edits.is_empty()).then_some(Self { uri, version, edits })
    }
}

/// The edits of the text that the request is about.
#[must_use]
pub fn edit_of(context: &Context<'_>, edits: &[TextEdit]) -> WorkspaceEdit {
    let edits = FileEdits::new(context.converter(), Some(context.version), edits);
    workspace_edit(context.profile, edits.into_iter().collect())
}

/// The edits, with the version if the client compares it, so that it rejects edits of an older text.
pub fn workspace_edit(profile: &ClientProfile, files: Vec<FileEdits>) -> WorkspaceEdit {
    if !profile.document_changes {
        let changes = files.into_iter().map(|file| (file.uri, file.edits)).collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let edits = files.into_iter().map(|FileEdits { uri, version, edits }| {
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() }
    });
    let document_changes = Some(DocumentChanges::Edits(edits.collect()));
    WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn fix(applicability: Applicability, repairs: &[Code]) -> Fix {
        let repairs = repairs.iter().map(|code| (*code, TextRange::default())).collect();
        Fix::with_title(String::new(), Vec::new(), applicability, repairs)
    }

    #[test]
    fn kinds_are_hierarchical() {
        let requested = |only: &[&'static str], kind: &CodeActionKind| {
            let only = only.iter().map(|kind| CodeActionKind::new(kind)).collect();
            let context = CodeActionContext { only: Some(only), ..CodeActionContext::default() };
            is_requested(&context, kind)
        };
        for (only, expected) in [
            ("", true),
            ("source", true),
            ("source.fixAll", true),
            ("source.fixAll.crd-ls", true),
            ("source.fix", false),
            ("source.fixAll.other", false),
            ("quickfix", false),
        ] {
            assert_eq!(requested(&[only], &FIX_ALL), expected, "{only}");
        }
        assert!(requested(&["refactor", "quickfix"], &CodeActionKind::QUICKFIX));
        assert!(is_requested(&CodeActionContext::default(), &FIX_ALL));
    }

    #[test]
    fn the_single_safe_fix_of_a_finding_is_preferred() {
        let fixes = [
            fix(Applicability::Safe, &[Code::YamlAlias]),
            fix(Applicability::Suggested, &[Code::YamlAlias]),
            fix(Applicability::Safe, &[Code::YamlSyntax, Code::YamlUnclosed]),
            fix(Applicability::Safe, &[Code::YamlUnclosed]),
        ];
        let preferred: Vec<bool> =
            fixes.iter().map(|fix| is_preferred(fix, &safe_fixes_by_finding(&fixes))).collect();
        assert_eq!(preferred, [true, false, false, false]);
    }
}
