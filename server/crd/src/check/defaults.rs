//! The default values of a schema (checks 98 to 101), which the server looks at once the schema is structural.

use yaml::Reader;

use super::collect::HIDDEN;
use super::{Cache, Flags, Outcome, Reporting};
use crate::Options;
use crate::customresource::{DefaultsOf, validate_defaults};
use crate::field_path::FieldPath;
use crate::object::SchemaPlace;
use crate::report::Violation;
use crate::schema::structural::structural;

/// The code of check 98, which an update relaxes.
const UNKNOWN_FIELDS: &str = "defaults/unknown-fields";

/// What is wrong with the defaults of the schema at `place`, whose path is `server` to the server.
pub(super) fn check<'t>(
    place: &SchemaPlace<'t>,
    server: FieldPath,
    reporting: &Reporting<'_>,
    options: &Options,
    reader: &Reader<'t>,
    cache: &mut Cache,
) -> Vec<Violation> {
    if !reporting.flags.has(Flags::DEFAULTS) || reporting.flags.has(Flags::UNDECODABLE) {
        return Vec::new();
    }
    let Some((schema, base)) = structural(place.value, reader, cache.structural()) else { return Vec::new() };
    let reported = reporting.reaches_defaults();
    let defaults = DefaultsOf {
        schema: &schema,
        base,
        user: place.path.clone(),
        server,
        reported,
        requires_pruned: !reporting.ratchets.has_unpruned_defaults,
    };
    let mut violations = Vec::new();
    validate_defaults(&defaults, options.kubernetes_version, cache.fine_defaults(), &mut violations);
    if !reported && !reporting.has_syntax_errors {
        violations.iter_mut().for_each(|violation| violation.message.push_str(HIDDEN));
    }
    violations
}

/// Whether the stored schema at `place` has defaults with unknown fields, so that an update may have them, too.
pub(super) fn are_unpruned<'t>(
    place: &SchemaPlace<'t>,
    outcome: &Outcome,
    options: &Options,
    reader: &Reader<'t>,
    cache: &mut Cache,
) -> bool {
    if !outcome.flags.has(Flags::DEFAULTS)
        || outcome.flags.has(Flags::NON_STRUCTURAL | Flags::UNCONVERTIBLE | Flags::UNDECODABLE)
    {
        return false;
    }
    let Some((schema, base)) = structural(place.value, reader, cache.structural()) else { return false };
    let defaults = DefaultsOf {
        schema: &schema,
        base,
        user: FieldPath::root(),
        server: FieldPath::root(),
        reported: false,
        requires_pruned: true,
    };
    let mut violations = Vec::new();
    validate_defaults(&defaults, options.kubernetes_version, cache.fine_defaults(), &mut violations);
    violations.iter().any(|violation| violation.code == UNKNOWN_FIELDS)
}
