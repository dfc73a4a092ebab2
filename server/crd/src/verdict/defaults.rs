//! Default values of a schema (checks 98 to 101), which the server checks only if the structure is valid.

use std::sync::Arc;

use text::TextSize;
use yaml::Reader;

use crate::Options;
use crate::cache::Cache;
use crate::check::{Outcome, ReportingConditions};
use crate::customresource::{DefaultsOf, validate_defaults};
use crate::field_path::FieldPath;
use crate::finding::Finding;
use crate::object::SchemaPlace;
use crate::schema::Flags;
use crate::schema::structural::{Structural, structural};
use crate::verdict::repaired_schema::RepairedSchema;

/// The findings on the defaults of the schema at `place`. `about` has its path in the server's errors, and
/// which errors the server reports; `None` for a stored definition.
pub(crate) fn check<'t>(
    place: &SchemaPlace<'t>,
    outcome: &Outcome,
    about: Option<(&FieldPath, &ReportingConditions<'_>)>,
    repaired: &RepairedSchema,
    reader: &Reader<'t>,
    options: &Options,
    cache: &mut Cache,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_reached = about.is_some_and(|(_, reporting)| reporting.reaches_defaults());
    // Of a stored definition, only schemas that the server checks are relevant.
    let is_stored = about.is_none() && !outcome.flags.contains(Flags::UNCONVERTIBLE | Flags::UNDECODABLE);
    if outcome.flags.contains(Flags::DEFAULTS) && (is_reached || is_stored) {
        let written = structural(place.value, reader, cache);
        check_defaults(place, written, about, (is_reached, false), options, cache, &mut findings);
    }
    let Some((_, reporting)) = about else { return findings };
    let has_more = outcome.flags.contains(Flags::UNKNOWN_FIELDS);
    if has_more || outcome.flags.contains(Flags::DEFAULTS) && !is_reached {
        let repaired = repaired.get_or_build(place, reader, cache);
        let mut hidden = Vec::new();
        check_defaults(place, repaired, about, (false, false), options, cache, &mut hidden);
        if !is_reached {
            let mut refused = of_wrong_type(place, outcome, about, options, reader, cache);
            refused.retain(|one| !is_among(one, &hidden));
            hidden.extend(refused);
        }
        hidden.retain(|one| !is_among(one, &findings));
        if !reporting.has_syntax_errors {
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

/// Defaults of another type than their node names, if that type itself is wrong: repair uses the type of the
/// default, while the server rejects the default.
fn of_wrong_type<'t>(
    place: &SchemaPlace<'t>,
    outcome: &Outcome,
    about: Option<(&FieldPath, &ReportingConditions<'_>)>,
    options: &Options,
    reader: &Reader<'t>,
    cache: &mut Cache,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The schema as written omits the parts that the server cannot convert or decode, but these give no node
    // a type.
    if outcome.flags.contains(Flags::UNKNOWN_TYPES | Flags::SCHEMA_ERRORS) {
        let written = structural(place.value, reader, cache);
        check_defaults(place, written, about, (false, true), options, cache, &mut findings);
    }
    findings
}

/// Adds the findings on the defaults of `schema`, which starts at the byte beside it: the errors that the
/// server reports, or else only errors of types.
fn check_defaults(
    place: &SchemaPlace<'_>,
    schema: Option<(Arc<Structural>, TextSize)>,
    about: Option<(&FieldPath, &ReportingConditions<'_>)>,
    (reported, types_only): (bool, bool),
    options: &Options,
    cache: &mut Cache,
    findings: &mut Vec<Finding>,
) {
    let Some((schema, base)) = schema else { return };
    let defaults = DefaultsOf {
        schema: &schema,
        base,
        user: place.path.clone(),
        server: about.map(|(server, _)| server.clone()).unwrap_or_default(),
        reported,
        requires_pruned: about.is_none_or(|(_, reporting)| reporting.requires_pruned_defaults()),
        types_only,
    };
    validate_defaults(&defaults, options.kubernetes_version, cache.fine_defaults(), findings);
}
