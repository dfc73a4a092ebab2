//! Default values of a schema (checks 98 to 101), which the server looks at once the structure is right.

use yaml::Reader;

use super::collect::HIDDEN;
use super::{Cache, Flags, Outcome, Reporting};
use crate::Options;
use crate::customresource::{DefaultsOf, validate_defaults};
use crate::field_path::FieldPath;
use crate::object::SchemaPlace;
use crate::report::Violation;
use crate::schema::structural::judged;

/// What is wrong with the defaults of the schema at `place`. `about` has its path as the server names it, and what the
/// server reports of it; a stored definition has none.
pub(crate) fn check<'t>(
    place: &SchemaPlace<'t>,
    outcome: &Outcome,
    about: Option<(&FieldPath, &Reporting<'_>)>,
    reader: &Reader<'t>,
    options: &Options,
    cache: &mut Cache,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    if !outcome.flags.has(Flags::DEFAULTS) || outcome.flags.has(Flags::UNCONVERTIBLE | Flags::UNDECODABLE) {
        return violations;
    }
    let Some((schema, base)) = judged(place.value, reader, cache) else { return violations };
    let defaults = DefaultsOf {
        schema: &schema,
        base,
        user: place.path.clone(),
        server: about.map(|(server, _)| server.clone()).unwrap_or_default(),
        reported: about.is_some_and(|(_, reporting)| reporting.reaches_defaults()),
        requires_pruned: about.is_none_or(|(_, reporting)| reporting.requires_pruned_defaults()),
    };
    validate_defaults(&defaults, options.kubernetes_version, cache.fine_defaults(), &mut violations);
    if !defaults.reported && about.is_some_and(|(_, reporting)| !reporting.has_syntax_errors) {
        violations.iter_mut().for_each(|violation| violation.message.push_str(HIDDEN));
    }
    violations
}
