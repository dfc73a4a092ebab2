//! Bounds for what the rules of a schema cost together.

use crd::cel::{SCHEMA_LIMIT, Unbounded, grouped};
use crd::cel::{VersionCost, costs};
use text::TextEdit;
use yaml::edit::{Editor, New, NewEntry, Position};
use yaml::{Document, Reader, Tree};

use super::expression::BOUNDS;
use crate::document::Caches;
use crate::{Finding, Fix, Settings};

pub(super) const TOTAL: &str = "cel/crd-cost-total";
/// How many places get bounds together, the dearest rules' first.
const TRIED: [usize; 4] = [1, 2, 4, 64];

/// Bounds the fewest of the dearest places that are enough, with the greatest bound that is.
pub(super) fn total(
    document: Document<'_>,
    settings: &Settings,
    finding: &Finding,
    editor: &Editor<'_>,
    caches: &mut Caches,
) -> Option<Fix> {
    let index = version(finding);
    let mut version = dearest(document, settings, index, caches)?;
    version.rules.sort_by_key(|rule| std::cmp::Reverse(rule.total));
    let mut places: Vec<Unbounded> = Vec::new();
    for place in version.rules.into_iter().flat_map(|rule| rule.unbounded) {
        if !places.iter().any(|other| other.path == place.path && other.keyword == place.keyword) {
            places.push(place);
        }
    }
    let mut tried = 0;
    for count in TRIED.map(|count| count.min(places.len())) {
        if count <= tried {
            continue;
        }
        tried = count;
        let some = places.get(..count)?;
        for bound in BOUNDS {
            let edits = bounded(document, editor, some, bound)?;
            let cost = dearest_after(document, settings, index, &edits)?;
            if cost <= SCHEMA_LIMIT {
                return Some(Fix::suggested(title(some, bound, cost), edits, finding.code, finding.range));
            }
        }
    }
    None
}

/// The number of the version that the finding is of.
fn version(finding: &Finding) -> Option<usize> {
    let rest = finding.field_path.strip_prefix("spec.versions[")?;
    rest.split(']').next()?.parse().ok()
}

/// The costs of the dearest version of that number.
fn dearest(
    document: Document<'_>,
    settings: &Settings,
    index: Option<usize>,
    caches: &mut Caches,
) -> Option<VersionCost> {
    let definitions = costs(document, &settings.options(), &mut caches.crd);
    let of_number = definitions.into_iter().filter_map(|definition| {
        let mut versions = definition.versions.into_iter();
        match index {
            Some(index) => versions.nth(index),
            None => versions.max_by_key(|version| version.total),
        }
    });
    of_number.max_by_key(|version| version.total)
}

/// The edits that set `bound` at all `places`.
pub(super) fn bounded(
    document: Document<'_>,
    editor: &Editor<'_>,
    places: &[Unbounded],
    bound: u32,
) -> Option<Vec<TextEdit>> {
    let reader = Reader::new(document);
    let root = document.root()?;
    let mut editor = editor.fresh();
    for place in places {
        let schema = crd::value_at(root, place.path.segments(), &reader)?;
        editor.insert(schema, Position::End, NewEntry::new(place.keyword(), New::Raw(bound.to_string())));
    }
    editor.finish().ok()
}

fn dearest_after(
    document: Document<'_>,
    settings: &Settings,
    index: Option<usize>,
    edits: &[TextEdit],
) -> Option<u64> {
    let mut text = String::new();
    document.syntax().write_text(&mut text);
    let tree = Tree::parse(&text::applied(&text, document.range().start, edits));
    let mut caches = Caches::default();
    let versions = tree.documents().filter_map(|document| dearest(document, settings, index, &mut caches));
    versions.map(|version| version.total).max()
}

fn title(places: &[Unbounded], bound: u32, cost: u64) -> String {
    let first = places.first().map(|place| format!("`{}: {bound}` on `{}`", place.keyword(), place.place()));
    let first = first.unwrap_or_default();
    let more = match places.len() - 1 {
        0 => String::new(),
        more => format!(" and bounds at {more} more places"),
    };
    let share = cost as f64 / SCHEMA_LIMIT as f64 * 100.0;
    format!("Set {first}{more}: cost {}, {share:.1} % of the limit of all rules", grouped(cost))
}
