//! The effects of slips that an earlier analysis found.

use std::hash::{Hash, Hasher};
use std::sync::PoisonError;

use memo::ByInput;
use rustc_hash::FxHasher;
use text::{TextRange, TextSize};
use yaml::Document;

use super::slips::is_wrong;
use super::{Causes, Consequences};
use crate::Finding;
use crate::analysis::caches::{Caches, SharedCaches};
use crate::analysis::text_at::text_of;

/// The number of bytes around each finding that decide its cause.
const AROUND: TextSize = 200;

/// A cached answer. The last part is the whole document.
#[derive(Clone, Debug)]
struct CachedConsequences {
    causes: Causes,
    /// The hidden findings with ranges relative to the unchecked part around them, and the index of that
    /// part.
    hidden: Vec<(usize, Finding)>,
}

/// The cached answer for the same findings with the same text around them and in `parts`, which are not
/// checked, or the result of `find`, which is then cached. An edit elsewhere is assumed not to change the
/// answer.
pub(super) fn cached_or(
    document: Document<'_>,
    (findings, parts): (&[Finding], &[(TextRange, u64)]),
    caches: &SharedCaches,
    find: impl FnOnce() -> Consequences,
) -> Consequences {
    let mut key = FxHasher::default();
    let whole = document.range();
    for (_, hash) in parts {
        hash.hash(&mut key);
    }
    for finding in findings {
        (finding.code, &finding.message.problem, &finding.field_path).hash(&mut key);
        if !is_wrong(finding) {
            continue;
        }
        let around = TextRange::new(
            finding.range.start.saturating_sub(AROUND).max(whole.start),
            finding.range.start.saturating_add(AROUND).min(whole.end),
        );
        text_of(document.syntax(), around).hash(&mut key);
    }
    // The key of an answer with hidden findings outside of all parts, which an edit anywhere may change.
    let mut whole_key = key.clone();
    document.syntax().node().hash().hash(&mut whole_key);
    let (key, whole_key) = (key.finish(), whole_key.finish());
    let part_range = |part: usize| parts.get(part).map_or(whole, |(range, _)| *range);
    let known = |caches: &mut Caches| {
        let table = caches.table::<ByInput<CachedConsequences>>();
        table.get(key).cloned().or_else(|| table.get(whole_key).cloned())
    };
    if let Some(CachedConsequences { causes, hidden }) =
        known(&mut caches.lock().unwrap_or_else(PoisonError::into_inner))
    {
        let here = |(part, finding): (usize, Finding)| finding.shifted(part_range(part).start);
        return Consequences { causes, hidden: hidden.into_iter().map(here).collect() };
    }
    let Consequences { causes, hidden } = find();
    let part_of = |finding: &Finding| {
        parts.iter().position(|(part, _)| part.contains_range(finding.range)).unwrap_or(parts.len())
    };
    let key = if hidden.iter().any(|finding| part_of(finding) == parts.len()) { whole_key } else { key };
    let relative = |finding: &Finding| {
        let part = part_of(finding);
        let start = part_range(part).start;
        let behind = |range: TextRange| {
            Some(TextRange::new(range.start.checked_sub(start)?, range.end.checked_sub(start)?))
        };
        let mut finding = Finding { range: behind(finding.range)?, ..finding.clone() };
        // Related ranges before the part cannot be relative to it, so they are omitted.
        finding.related.retain(|related| related.elsewhere.is_some() || related.range.start >= start);
        for related in finding.related.iter_mut().filter(|related| related.elsewhere.is_none()) {
            related.range = behind(related.range)?;
        }
        Some((part, finding))
    };
    let known =
        CachedConsequences { causes: causes.clone(), hidden: hidden.iter().filter_map(relative).collect() };
    let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
    caches.table::<ByInput<CachedConsequences>>().insert(key, known);
    Consequences { causes, hidden }
}
