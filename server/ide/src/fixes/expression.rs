//! Fixes in rules: names that nothing has, and rules that YAML reads as something else.
//!
//! A rule that compiles keeps its verdicts: guards here and cheaper words (`cost::cheaper`) are offered only where they
//! agree with the rule on generated values (`crd::generate::agree`). A rule that does not compile has no verdict that
//! could be kept, so that names, quotes and words of other languages are only suggested.

use crd::cel::Purpose;
use text::{TextEdit, TextRange};
use yaml::Document;
use yaml::edit::Editor;

use super::proof::Proof;
use super::{conversions, guard, items, wording};
use crate::cel::changed;
use crate::cel::suggest::suggestions;
use crate::cel::swallowed::{self, swallowed};
use crate::document::Caches;
use crate::{Finding, Fix, Settings};

const COMPILE: [&str; 2] = ["cel/rule-compile", "cel/message-expression-compile"];

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
        let mut found = Vec::new();
        if swallowed::CODES.contains(&finding.code) {
            found.extend(quote(document, finding));
        }
        if COMPILE.contains(&finding.code) && proof.may_look() {
            found.extend(names(document, settings, finding, &mut caches));
            found.extend(items::compared(document, settings, finding, editor, &mut caches));
            found.extend(rewrites(document, settings, finding, editor, &mut caches));
        }
        if matches!(finding.code, guard::LACKING | guard::DYNAMIC) && proof.may_try() {
            found.extend(guard::guards(document, settings, finding, editor, &mut caches));
        }
        // Each by itself, so that the first findings have all of theirs where there are too many to prove.
        found.retain(|fix| fix.repairs.iter().all(|(code, _)| proof.lessens(code, &fix.edits)));
        fixes.extend(found);
    }
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
            let is_wanted = |range| place.at(range, view.base()).overlaps(finding.range);
            for suggestion in suggestions(view, purpose, text, is_wanted) {
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
