//! Fixes in rules: unknown names, and rules that YAML reads as something else.
//!
//! A rule that compiles keeps its verdicts: guards (in this module) and cheaper expressions (`cost::cheaper`)
//! are offered only if they agree with the rule on generated values (`crd::generate::agree`). A rule that
//! does not compile has no verdicts to keep, so fixes of names, quotes and foreign syntax are only suggested.

use api::Code;
use crd::cel::{CorrectionEffect, Purpose};
use crd::{FieldPath, Segment};
use text::{TextEdit, TextRange};
use yaml::Document;

use super::proof::Proof;
use super::request::FixRequest;
use super::{guard, items};
use crate::analysis::caches::Caches;
use crate::analysis::cel::misread_rule::{self, misread_rule, refused};
use crate::analysis::fix::Title;
use crate::fixes::rewrite::changed;
use crate::{Finding, Fix};

const COMPILE: [Code; 2] = [Code::CelRuleCompile, Code::CelMessageExpressionCompile];

/// The fixes for the touched findings of `request` that are about rules that do not compile.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut caches = Caches::default();
    for finding in request.touched() {
        let mut found = Vec::new();
        if misread_rule::CODES.contains(&finding.code) {
            fixes.extend(
                quote(request.document, finding).filter(|fix| makes_rule_readable(fix, finding, proof)),
            );
        }
        if COMPILE.contains(&finding.code) && proof.may_walk_schema() {
            found.extend(names(request, finding, &mut caches));
            found.extend(items::compare_items(request, finding, &mut caches));
            found.extend(rewrites(request, finding, &mut caches));
        }
        if finding.code == Code::LintCelLiteral && proof.may_walk_schema() {
            found.extend(literal(request, finding, &mut caches));
        }
        fixes.extend(proven(found, proof));
    }
    fixes
}

/// Replaces a string literal that no value can equal with the intended one.
fn literal(request: &FixRequest<'_, '_>, finding: &Finding, caches: &mut Caches) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let mut fixes = Vec::new();
    request.visit_rules(finding, caches, &mut |view| {
        let Some((text, place)) = view.expression(Purpose::Rule) else { return };
        let at = |range| place.range_of(range, view.base());
        let wrong = view.literals().into_iter().find(|wrong| at(wrong.range) == finding.range);
        let Some((range, new)) = wrong.and_then(|wrong| Some((wrong.range, wrong.intended?))) else {
            return;
        };
        let written = text.get(range.as_usize()).unwrap_or_default();
        let title = format!("Replace `{written}` with `{new}`");
        let edits = changed(document, editor, finding.range.start, &[(range, new)], at);
        fixes.extend(edits.map(|edits| Fix::suggested(title, edits, finding.code, finding.range)));
    });
    fixes
}

/// The fixes for rules that compile and may fail. They take much longer to find than all others, because
/// values are generated for them.
pub(super) fn guards(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut caches = Caches::default();
    for finding in request.with_codes(&[guard::OPTIONAL_FIELD, guard::INT_OR_STRING]) {
        if proof.may_generate_values() {
            let found = guard::guards(request, finding, &mut caches);
            fixes.extend(proven(found, proof));
        }
    }
    fixes
}

/// The fixes of `found` that `proof` accepts. The caller tries finding after finding, so that the first
/// findings have all of their fixes if there are too many to prove.
fn proven(mut found: Vec<Fix>, proof: &mut Proof) -> Vec<Fix> {
    found.retain(|fix| fix.repairs.iter().all(|(code, _)| proof.reduces(*code, &fix.edits)));
    found
}

/// Quotes a rule that YAML reads as something else.
fn quote(document: Document<'_>, finding: &Finding) -> Option<Fix> {
    let misread_rule = misread_rule(document, finding).or_else(|| refused(document, finding))?;
    let edits = vec![TextEdit::replace(misread_rule.range, quoted(document, &misread_rule.text))];
    Some(Fix::suggested("Quote the rule", edits, finding.code, finding.range))
}

/// Whether the server can read the quoted rule. The rule may have other errors, because it could not be
/// compiled before.
fn makes_rule_readable(fix: &Fix, finding: &Finding, proof: &mut Proof) -> bool {
    let path = finding.field_path.to_string();
    proof.reduces(finding.code, &fix.edits) || proof.removed(&fix.edits).contains(&(finding.code, path))
}

/// The expression in the style of the other rules of `document`: a block scalar if it has several lines and
/// they use one.
fn quoted(document: Document<'_>, expression: &str) -> String {
    let text = document.syntax().text();
    let others =
        || text.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("rule: "));
    let has = |quote: char| others().any(|value| value.starts_with(quote));
    if let Some((_, below)) = expression.split_once('\n') {
        let header = others().find(|value| value.starts_with(['|', '>']) && value.trim_end().len() <= 2);
        let indent = below.lines().map(|line| line.len() - line.trim_start().len()).min();
        if let (Some(header), Some(indent)) = (header, indent) {
            return format!("{}\n{:indent$}{expression}", header.trim_end(), "");
        }
    } else if has('"') && !has('\'') && !expression.contains(['"', '\\']) {
        return format!("\"{expression}\"");
    }
    format!("'{}'", expression.replace('\'', "''"))
}

/// Replaces unknown names with the intended ones.
fn names(request: &FixRequest<'_, '_>, finding: &Finding, caches: &mut Caches) -> Vec<Fix> {
    let mut fixes = Vec::new();
    request.visit_rules(finding, caches, &mut |view| {
        for purpose in [Purpose::Rule, Purpose::Message] {
            let Some((text, place)) = view.expression(purpose) else { continue };
            let is_wanted = |range| place.range_of(range, view.base()).overlaps(finding.range);
            for suggestion in view.suggestions(purpose, &is_wanted) {
                let range = place.range_of(suggestion.range, view.base());
                if !range.overlaps(finding.range) {
                    continue;
                }
                let title = match suggestion.property {
                    Some(property) => format!("Replace `{property}` with `{}`", suggestion.name),
                    None => {
                        let written = text.get(suggestion.range.as_usize()).unwrap_or_default();
                        format!("Change `{written}` to `{}`", suggestion.name)
                    }
                };
                let edits = vec![TextEdit::replace(range, suggestion.name)];
                fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
            }
        }
    });
    fixes
}

/// Replaces foreign syntax and wrong types in a rule with those of CEL.
fn rewrites(request: &FixRequest<'_, '_>, finding: &Finding, caches: &mut Caches) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let mut fixes = Vec::new();
    request.visit_rules(finding, caches, &mut |view| {
        let [rule, message] = COMPILE;
        for (code, purpose) in [(rule, Purpose::Rule), (message, Purpose::Message)] {
            let Some((text, place)) = view.expression(purpose).filter(|_| code == finding.code) else {
                continue;
            };
            let at = |range| place.range_of(range, view.base());
            if !at(TextRange::new(0, text.len() as u32)).overlaps(finding.range) {
                continue;
            }
            for correction in view.corrections(purpose, &holder(&finding.field_path)) {
                let changes = &correction.changes;
                let Some(edits) = changed(document, editor, finding.range.start, changes, at) else {
                    continue;
                };
                let title = title(&correction.meaning);
                fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
            }
        }
    });
    fixes
}

fn title(meaning: &CorrectionEffect) -> Title {
    let text = match meaning {
        CorrectionEffect::Operators(written) => {
            format!("Replace the operators with `{}`", written.join("`, `"))
        }
        CorrectionEffect::Key { key, map } => {
            format!("Replace the access with the key check `{key} in {map}`")
        }
        CorrectionEffect::Converted { written, new } => format!("Replace `{written}` with `{new}`"),
        CorrectionEffect::AsText { written, new } => format!("Compare `{written}` as a string: `{new}`"),
        CorrectionEffect::Raw { text, is_raw: true } => format!("Change to the raw string `r{text}`"),
        CorrectionEffect::Raw { text, is_raw: false } => format!("Change `\\` to `\\\\` in `{text}`"),
        CorrectionEffect::Inserted(text) => format!("Insert `{text}`"),
        CorrectionEffect::Removed(text) => return Title::removal(format_args!("`{text}`")),
        CorrectionEffect::Positive(new) => format!("Compare the size with 0: `{new}`"),
        CorrectionEffect::NotEmpty(new) => format!("Compare the size with 0: `{new}`"),
        CorrectionEffect::Text(new) => format!("Convert the value to a string: `{new}`"),
    };
    text.into()
}

/// The field of objects that contains a rule, from the field path of the rule: `spec.a`, empty for the object
/// itself.
fn holder(path: &FieldPath) -> String {
    let properties = path.segments().windows(2).filter_map(|steps| match steps {
        [Segment::Name(keyword), Segment::Key(name)] if keyword == "properties" => Some(&**name),
        _ => None,
    });
    properties.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn rules_in_the_style_of_other_languages_have_the_fix_that_writes_cel() {
        for (written, right) in [
            ("self.modes < 3", "self.modes.size() < 3"),
            ("3 >= self.modes", "3 >= self.modes.size()"),
            ("self['size'] > 1", "self.size > 1"),
            ("self.modes[0] in ('a')", "self.modes[0] in ['a']"),
            ("self.modes[0].equals('a')", "(self.modes[0] == 'a')"),
            ("self.modes[0].Equals('a' + 'b')", "(self.modes[0] == ('a' + 'b'))"),
        ] {
            let rule =
                |rule: &str| WIDGET.replace("!has(self.modes) || self.size > 1", &rule.replace('\'', "''"));
            let text = rule(&format!("!has(self.modes) || {written}"));
            let file = File::new(&text, &Settings::default());
            let mut found = file.grouped().findings;
            found.retain(|finding| finding.severity <= Severity::Warning);
            assert_eq!(found.len(), 1, "{written}: {found:#?}");
            let fixes = file.fixes(found[0].range);
            let texts: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert_eq!(texts.first(), Some(&rule(&format!("!has(self.modes) || {right}"))), "{fixes:#?}");
        }
    }
}
