//! Default values of a schema (checks 98 to 101), which the server checks only if the structure is valid.

use super::walked_schema::{StructuralAt, WalkedSchema};
use crate::cache::Cache;
use crate::check::ReportingConditions;
use crate::customresource::{DefaultsOf, validate_defaults};
use crate::field_path::FieldPath;
use crate::finding::Finding;
use crate::schema::Flags;

/// The path of a schema in the server's errors, and which errors the server reports.
pub(super) type Reporting<'a> = (&'a FieldPath, &'a ReportingConditions<'a>);

/// The errors on defaults that a check looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DefaultErrors {
    /// All errors, which the server reports.
    Reported,
    /// All errors, of which the server reports none.
    Hidden,
    /// Only errors of types, of which the server reports none.
    HiddenTypes,
}

/// The findings on the defaults of `schema`. `reporting` is `None` for a stored definition.
pub(super) fn check(
    schema: &WalkedSchema<'_, '_>,
    reporting: Option<Reporting<'_>>,
    cache: &mut Cache,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let flags = schema.outcome.flags;
    let is_reached = reporting.is_some_and(|(_, conditions)| conditions.reaches_defaults());
    // Of a stored definition, only schemas that the server checks are relevant.
    let is_stored = reporting.is_none() && !flags.contains(Flags::UNCONVERTIBLE | Flags::UNDECODABLE);
    if flags.contains(Flags::DEFAULTS) && (is_reached || is_stored) {
        let errors = if is_reached { DefaultErrors::Reported } else { DefaultErrors::Hidden };
        findings = findings_in(schema, schema.written(cache), reporting, errors, cache);
    }
    let Some((_, conditions)) = reporting else { return findings };
    let has_more = flags.contains(Flags::UNKNOWN_FIELDS);
    if has_more || flags.contains(Flags::DEFAULTS) && !is_reached {
        let repaired = schema.repaired(cache);
        let mut hidden = findings_in(schema, repaired, reporting, DefaultErrors::Hidden, cache);
        // If the type of a node is wrong, repair uses the type of the default, while the server rejects the default. The
        // written schema omits the parts that the server cannot convert or decode, but these give no node a type.
        if !is_reached && flags.contains(Flags::UNKNOWN_TYPES | Flags::SCHEMA_ERRORS) {
            let written = schema.written(cache);
            let mut rejected = findings_in(schema, written, reporting, DefaultErrors::HiddenTypes, cache);
            rejected.retain(|one| !is_among(one, &hidden));
            hidden.extend(rejected);
        }
        hidden.retain(|one| !is_among(one, &findings));
        if !conditions.has_syntax_errors {
            hidden.iter_mut().for_each(|finding| finding.message.is_later = true);
        }
        findings.extend(hidden);
    }
    findings
}

/// Whether `others` has a finding of the same code at the same place as `one`.
fn is_among(one: &Finding, others: &[Finding]) -> bool {
    others.iter().any(|other| (other.code, other.range) == (one.code, one.range))
}

/// The findings on the defaults of one form of `schema`.
fn findings_in(
    schema: &WalkedSchema<'_, '_>,
    form: Option<StructuralAt>,
    reporting: Option<Reporting<'_>>,
    errors: DefaultErrors,
    cache: &mut Cache,
) -> Vec<Finding> {
    let Some((structural, base)) = form else { return Vec::new() };
    let defaults = DefaultsOf {
        schema: &structural,
        base,
        user: schema.place.path.clone(),
        server: reporting.map(|(server, _)| server.clone()).unwrap_or_default(),
        reported: errors == DefaultErrors::Reported,
        requires_pruned: reporting.is_none_or(|(_, conditions)| conditions.requires_pruned_defaults()),
        types_only: errors == DefaultErrors::HiddenTypes,
    };
    let mut findings = Vec::new();
    validate_defaults(&defaults, schema.options.kubernetes_version, cache.fine_defaults(), &mut findings);
    findings
}
