//! Fixes in rules: names that nothing has, rules that YAML reads as something else, and bounds for what is too dear.

use crd::cel::{EXPRESSION_LIMIT, Purpose, Unbounded, grouped};
use text::{TextEdit, TextRange};
use yaml::edit::Editor;
use yaml::{Document, Tree};

use super::proof::Proof;
use super::{budget, conversions, guard, items, wording};
use crate::cel::changed;
use crate::cel::suggest::suggestions;
use crate::cel::swallowed::{self, swallowed};
use crate::document::Caches;
use crate::{Finding, Fix, Settings};

const COMPILE: [&str; 2] = ["cel/rule-compile", "cel/message-expression-compile"];
const COST: [&str; 2] = ["cel/rule-cost", "cel/crd-cost-contributor"];
/// The bounds that are tried, the greatest first.
pub(super) const BOUNDS: [u32; 5] = [1_024, 256, 64, 16, 4];
/// How many places get a fix of their own.
const MOST_PLACES: usize = 4;

/// The fixes for those of `findings`, all of `document`, that touch `range` and are about rules.
pub(super) fn fixes(
    document: Document<'_>,
    settings: &Settings,
    findings: &[Finding],
    range: TextRange,
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut caches = Caches::default();
    for finding in findings.iter().filter(|finding| finding.range.overlaps(range)) {
        if swallowed::CODES.contains(&finding.code) {
            fixes.extend(quote(document, finding));
        }
        if COMPILE.contains(&finding.code) {
            fixes.extend(names(document, settings, finding, &mut caches));
            fixes.extend(items::compared(document, settings, finding, editor, &mut caches));
            fixes.extend(rewrites(document, settings, finding, editor, &mut caches));
        }
        if matches!(finding.code, guard::LACKING | guard::DYNAMIC) {
            fixes.extend(guard::guards(document, settings, finding, editor, &mut caches));
        }
    }
    fixes.retain(|fix| fix.repairs.iter().all(|(code, _)| proof.lessens(code, &fix.edits)));
    let dear =
        findings.iter().filter(|finding| COST.contains(&finding.code) && finding.range.overlaps(range));
    for finding in dear {
        fixes.extend(bounds(document, settings, finding, editor, &mut caches));
    }
    let total =
        findings.iter().filter(|finding| finding.code == budget::TOTAL && finding.range.overlaps(range));
    fixes.extend(total.filter_map(|finding| budget::total(document, settings, finding, editor, &mut caches)));
    fixes
}

/// Puts a rule in quotes that YAML reads as something else.
fn quote(document: Document<'_>, finding: &Finding) -> Option<Fix> {
    let swallowed = swallowed(document, finding)?;
    let quoted = format!("'{}'", swallowed.text.replace('\'', "''"));
    let edits = vec![TextEdit::replace(swallowed.range, quoted)];
    Some(Fix::suggested("Put the rule in quotes", edits, finding.code, finding.range))
}

/// Replaces names by those that were meant.
fn names(document: Document<'_>, settings: &Settings, finding: &Finding, caches: &mut Caches) -> Vec<Fix> {
    let mut fixes = Vec::new();
    crd::cel::rules(document, &settings.options(), &mut caches.crd, finding.range, &mut |view| {
        for purpose in [Purpose::Rule, Purpose::Message] {
            let Some((text, place)) = view.expression(purpose) else { continue };
            for suggestion in suggestions(view, purpose, text) {
                let range = place.at(suggestion.range, view.base());
                if !range.overlaps(finding.range) {
                    continue;
                }
                let title = match suggestion.property {
                    Some(property) => format!("Write `{property}` as `{}`", suggestion.name),
                    None => format!("Replace by `{}`", suggestion.name),
                };
                let edits = vec![TextEdit::replace(range, suggestion.name)];
                fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
            }
        }
    });
    fixes
}

/// Writes a rule in the words and types of CEL.
fn rewrites(
    document: Document<'_>,
    settings: &Settings,
    finding: &Finding,
    editor: &Editor<'_>,
    caches: &mut Caches,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    crd::cel::rules(document, &settings.options(), &mut caches.crd, finding.range, &mut |view| {
        let [rule, message] = COMPILE;
        for (code, purpose) in [(rule, Purpose::Rule), (message, Purpose::Message)] {
            let Some((text, place)) = view.expression(purpose).filter(|_| code == finding.code) else {
                continue;
            };
            let at = |range| place.at(range, view.base());
            if !at(TextRange::new(0, text.len() as u32)).overlaps(finding.range) {
                continue;
            }
            let mut rewrites = wording::reworded(view, text, &holder(&finding.field_path));
            rewrites.extend(conversions::converted(view, purpose, text));
            for (title, changes) in rewrites {
                let Some(edits) = changed(document, editor, finding.range.start, &changes, at) else {
                    continue;
                };
                fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
            }
        }
    });
    fixes
}

/// The field of objects that a rule is about, by the field path of the rule: `spec.a`, empty for the object itself.
fn holder(path: &str) -> String {
    let steps = path.split("openAPIV3Schema.").nth(1).unwrap_or_default();
    let names = steps.split("properties[").skip(1).filter_map(|step| step.split(']').next());
    names.collect::<Vec<_>>().join(".")
}

/// Bounds what a rule depends on: each place that is enough alone, else all together.
fn bounds(
    document: Document<'_>,
    settings: &Settings,
    finding: &Finding,
    editor: &Editor<'_>,
    caches: &mut Caches,
) -> Vec<Fix> {
    let mut places: Vec<Unbounded> = Vec::new();
    crd::cel::rules(document, &settings.options(), &mut caches.crd, finding.range, &mut |view| {
        if view.range().contains_range(finding.range) {
            places.extend(view.unbounded());
        }
    });
    places.dedup();
    let trial = Trial { document, settings, editor, finding };
    let alone = places.iter().take(MOST_PLACES).filter_map(|place| trial.fix(std::slice::from_ref(place)));
    let mut fixes: Vec<Fix> = alone.collect();
    if fixes.is_empty() && places.len() > 1 {
        fixes.extend(trial.fix(&places));
    }
    fixes
}

/// A rule whose cost is to come down.
struct Trial<'t, 'd> {
    document: Document<'d>,
    settings: &'t Settings,
    editor: &'t Editor<'d>,
    finding: &'t Finding,
}

impl Trial<'_, '_> {
    /// The greatest of the [`BOUNDS`] with which the rule is cheap enough.
    fn fix(&self, places: &[Unbounded]) -> Option<Fix> {
        BOUNDS.iter().find_map(|bound| {
            let edits = budget::bounded(self.document, self.editor, places, *bound)?;
            let cost = self.cost_after(&edits)?;
            let (code, range) = (self.finding.code, self.finding.range);
            (cost <= EXPRESSION_LIMIT)
                .then(|| Fix::suggested(title(places, *bound, cost), edits, code, range))
        })
    }

    /// What the rule costs after `edits`.
    fn cost_after(&self, edits: &[TextEdit]) -> Option<u64> {
        let mut text = String::new();
        self.document.syntax().write_text(&mut text);
        let start = self.document.range().start;
        let before = edits.iter().filter(|edit| edit.range.end <= self.finding.range.start);
        let at = before.fold(self.finding.range.start - start, |at, edit| {
            at + edit.new_text.len() as u32 - edit.range.len()
        });
        let tree = Tree::parse(&text::applied(&text, start, edits));
        let mut caches = Caches::default();
        let mut cost = None;
        let within = TextRange::at(at, 1);
        for document in tree.documents() {
            let options = self.settings.options();
            crd::cel::rules(document, &options, &mut caches.crd, within, &mut |view| {
                cost = cost.or(view.figures.map(|figures| figures.total));
            });
        }
        cost
    }
}

fn title(places: &[Unbounded], bound: u32, cost: u64) -> String {
    let named = |place: &Unbounded| format!("`{}: {bound}` on `{}`", place.keyword(), place.place());
    let what = match places {
        [one] => format!("Set {}", named(one)),
        [first, ..] => format!("Set {} and bounds at {} more places", named(first), places.len() - 1),
        [] => String::new(),
    };
    let share = cost as f64 / EXPRESSION_LIMIT as f64 * 100.0;
    format!("{what}: cost {}, {share:.1} % of the limit", grouped(cost))
}
