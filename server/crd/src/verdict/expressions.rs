//! Checks the rules of a schema (checks 138 to 146), which the server compiles only if the structure and the
//! defaults are valid.

use rustc_hash::FxHashSet;

use super::walked_schema::WalkedSchema;
use crate::cache::Cache;
use crate::cel::StoredTexts;
use crate::check::ReportingConditions;
use crate::check::outcome::Findings;
use crate::field_path::{FieldPath, Segment};
use crate::finding::Finding;
use crate::rules;
use crate::rules::RulesOf;
use crate::schema::Flags;

/// The facts that affect rules in addition to their schema.
pub(super) struct RuleFacts<'a> {
    /// The path of the schema in the server's errors.
    pub(super) server: &'a FieldPath,
    pub(super) reporting: &'a ReportingConditions<'a>,
    /// Whether the server reports errors in the defaults.
    pub(super) has_wrong_defaults: bool,
    /// Whether an update leaves the schema unchanged.
    pub(super) is_unchanged: bool,
    pub(super) stored_texts: &'a StoredTexts,
}

/// The findings for the rules of `schema`.
pub(super) fn check(schema: &WalkedSchema<'_, '_>, facts: &RuleFacts<'_>, cache: &mut Cache) -> Vec<Finding> {
    let WalkedSchema { place, outcome, options, .. } = *schema;
    if !outcome.flags.contains(Flags::RULES | Flags::UNKNOWN_FIELDS) {
        return Vec::new();
    }
    let reporting = facts.reporting;
    let reaches_rules = reporting.reaches_defaults() && !facts.has_wrong_defaults;
    let written = schema.written(cache);
    let (reported, unreached) = if reaches_rules { (written, None) } else { (None, written) };
    let mut hidden = FxHashSet::default();
    if let Some(findings) = &outcome.findings {
        note_errors(findings, reporting, &mut Vec::new(), &mut hidden);
    }
    let is_unsound = outcome.flags.contains(Flags::UNSOUND) || reporting.has_syntax_errors;
    let hides_some = is_unsound || !reaches_rules || !hidden.is_empty();
    let repaired = if hides_some { schema.repaired(cache) } else { None };
    let Some(base) = reported.as_ref().or(repaired.as_ref()).map(|(_, base)| *base) else {
        return Vec::new();
    };
    let of = RulesOf {
        reported: reported.as_ref().map(|(schema, _)| &**schema),
        unreached: unreached.as_ref().map(|(schema, _)| &**schema),
        repaired: repaired.as_ref().map(|(schema, _)| &**schema),
        base,
        key: place.key,
        user: &place.path,
        server: facts.server,
        reports_later: !reporting.has_syntax_errors,
        hidden: &hidden,
        has_more: outcome.flags.contains(Flags::UNKNOWN_FIELDS),
        limits_expressions: !facts.is_unchanged,
        stored_texts: facts.stored_texts,
        version: options.kubernetes_version,
        stop: cache.stop().clone(),
    };
    rules::check(&of, cache)
}

/// Adds to `hidden` the paths of nodes with a schema error in the node or below it. Returns whether there is any.
fn note_errors(
    findings: &Findings,
    reporting: &ReportingConditions<'_>,
    path: &mut Vec<Segment>,
    hidden: &mut FxHashSet<FieldPath>,
) -> bool {
    let mut any = findings.own.iter().any(|finding| reporting.hides_rules(finding.stage));
    for below in &findings.below {
        let depth = path.len();
        below.step.push_to(path);
        any |= note_errors(&below.findings, reporting, path, hidden);
        path.truncate(depth);
    }
    if any {
        hidden.insert(FieldPath::root().join(path));
    }
    any
}
