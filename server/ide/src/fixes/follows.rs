//! Consequences of a slip: the findings that disappear when it is repaired.
//!
//! A missing colon or a deleted line moves keys to wrong places, which causes many findings. No table can
//! list them, but a repair of the slip shows them.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::PoisonError;

use api::Code;
use memo::ByQuestion;
use rustc_hash::FxHasher;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Value, ValueKind};

use super::proof::{Budget, Hidden, Proof, unread};
use super::{fixes_with, takes_away, unheaded};
use crate::analysis::caches::{Caches, SharedCaches};
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unfinished::{is_of_missing_key, is_of_storage, is_of_undeclared_path, owners};
use crate::analysis::unheaded::is_of_first;
use crate::analysis::written::{own_entry, string};
use crate::{Finding, Fix, Settings, Severity, Surroundings};

/// The largest document that is examined: this runs after each keystroke, and a check takes time in
/// proportion to the document.
const MOST_BYTES: TextSize = 100_000;
/// The maximum number of slips that are repaired for one answer.
const MOST_SLIPS: usize = 4;
/// The maximum number of slips of one rank that precede the others, if there are more slips than that.
const MOST_OF_RANK: usize = 2;
/// The maximum number of findings in a document whose causes are searched.
const MOST_FINDINGS: usize = 200;
/// The maximum number of hidden findings that are reported for one slip.
const MOST_HIDDEN: usize = 20;
/// The number of bytes around each finding that decide its cause.
const AROUND: TextSize = 200;
/// The number of bytes at the end in which the last line must begin.
const END: TextSize = 4_000;

/// For each finding of a document, the index of the slip that causes it, or `None`. Empty if no finding
/// causes another.
type Causes = Vec<Option<usize>>;

/// The effects of slips on the findings of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consequences {
    pub(crate) causes: Causes,
    /// The findings in parts that are not checked because of slips. They are not among the document's
    /// findings.
    pub(crate) hidden: Vec<Finding>,
}

/// The cause of each of `findings`, which are all findings of `document`, and the findings that slips hide.
pub(crate) fn consequences(
    document: Document<'_>,
    rest: (&Settings, &Surroundings),
    findings: &[Finding],
    caches: &SharedCaches,
) -> Consequences {
    found(document, rest, findings, caches, Wanted::Causes)
}

/// The findings that slips hide. Repairs are tried only if a part of the document is not checked.
pub(crate) fn hidden(
    document: Document<'_>,
    rest: (&Settings, &Surroundings),
    findings: &[Finding],
    caches: &SharedCaches,
) -> Vec<Finding> {
    found(document, rest, findings, caches, Wanted::Hidden).hidden
}

/// The results that a caller needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// The causes, and the hidden findings.
    Causes,
    /// Only the hidden findings.
    Hidden,
}

fn found(
    document: Document<'_>,
    rest: (&Settings, &Surroundings),
    findings: &[Finding],
    caches: &SharedCaches,
    wanted: Wanted,
) -> Consequences {
    if let Some(meant) = super::meant(document, rest.1, findings)
        && let Some(document) = meant.tree.documents().next()
    {
        let findings: Vec<Finding> = findings.iter().map(|finding| meant.finding(finding)).collect();
        let mut found = found(document, rest, &findings, caches, wanted);
        for finding in &mut found.hidden {
            *finding = meant.finding_in_file(finding);
        }
        return found;
    }
    let is_small = document.range().len() <= MOST_BYTES && findings.len() <= MOST_FINDINGS;
    let wrong = findings.iter().filter(|one| is_wrong(one)).count();
    if !is_small || wrong == 0 {
        return Consequences::default();
    }
    let parts: Vec<(TextRange, u64)> =
        findings.iter().filter_map(|finding| unread(document, finding)).collect();
    if (wrong == 1 || wanted == Wanted::Hidden) && parts.is_empty() {
        return Consequences::default();
    }
    let slips = slips(findings);
    let mut found = match slips.is_empty() {
        true => Consequences { causes: vec![None; findings.len()], hidden: Vec::new() },
        false => known_or(document, (findings, &parts), caches, || {
            repaired(document, rest, findings, slips, caches)
        }),
    };
    let causes = &mut found.causes;
    if let Some((cause, awaited)) = open_end(document, findings) {
        for index in awaited.into_iter().filter(|index| *index != cause) {
            if let Some(own) = causes.get_mut(index).filter(|own| own.is_none()) {
                *own = Some(cause);
            }
        }
    }
    // A finding must not follow from a consequence, so chains of causes are cut.
    for index in 0..causes.len() {
        if let Some(cause) = causes.get(index).copied().flatten()
            && causes.get(cause).copied().flatten().is_some()
            && let Some(own) = causes.get_mut(index)
        {
            *own = None;
        }
    }
    found
}

/// A cached answer.
#[derive(Clone, Debug)]
struct Known {
    causes: Causes,
    /// The hidden findings with ranges relative to the unchecked part around them, and the index of that
    /// part.
    hidden: Vec<(usize, Finding)>,
}

/// The cached answer for the same findings with the same text around them and in `parts`, which are not
/// checked, or the result of `find`, which is then cached. An edit elsewhere is assumed not to change the
/// answer.
fn known_or(
    document: Document<'_>,
    (findings, parts): (&[Finding], &[(TextRange, u64)]),
    caches: &SharedCaches,
    find: impl FnOnce() -> Consequences,
) -> Consequences {
    let mut question = FxHasher::default();
    let whole = document.range();
    for (_, hash) in parts {
        hash.hash(&mut question);
    }
    for finding in findings {
        (finding.code, &finding.message.problem, &finding.field_path).hash(&mut question);
        if !is_wrong(finding) {
            continue;
        }
        let around = TextRange::new(
            finding.range.start.saturating_sub(AROUND).max(whole.start),
            finding.range.start.saturating_add(AROUND).min(whole.end),
        );
        text_of(document.syntax(), around).hash(&mut question);
    }
    let question = question.finish();
    let known = |caches: &mut Caches| caches.table::<ByQuestion<Known>>().get(question).cloned();
    if let Some(Known { causes, hidden }) = known(&mut caches.lock().unwrap_or_else(PoisonError::into_inner))
    {
        let here = |(part, finding): (usize, Finding)| Some(finding.shifted(parts.get(part)?.0.start));
        return Consequences { causes, hidden: hidden.into_iter().filter_map(here).collect() };
    }
    let Consequences { causes, mut hidden } = find();
    let part_of = |finding: &Finding| parts.iter().position(|(part, _)| part.contains_range(finding.range));
    // The cache has ranges relative to parts, so that findings outside of all parts have no place in it.
    hidden.retain(|finding| part_of(finding).is_some());
    let relative = |finding: &Finding| {
        let part = part_of(finding)?;
        let start = parts.get(part)?.0.start;
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
    let known = Known { causes: causes.clone(), hidden: hidden.iter().filter_map(relative).collect() };
    let mut caches = caches.lock().unwrap_or_else(PoisonError::into_inner);
    caches.table::<ByQuestion<Known>>().insert(question, known);
    Consequences { causes, hidden }
}

/// The causes and the hidden findings that repairs of `slips` show.
fn repaired(
    document: Document<'_>,
    rest: (&Settings, &Surroundings),
    findings: &[Finding],
    slips: Vec<usize>,
    caches: &SharedCaches,
) -> Consequences {
    let mut hidden: Vec<Finding> = Vec::new();
    let causes = causes_of(document, rest, findings, slips, caches, &mut |shown| {
        let is_new =
            |one: &Finding| !hidden.iter().any(|other| (other.code, other.range) == (one.code, one.range));
        let found = independent(shown, rest, caches).into_iter();
        let new: Vec<Finding> = found.filter(is_new).take(MOST_HIDDEN).collect();
        hidden.extend(new);
    });
    Consequences { causes, hidden }
}

/// The cause of each of `findings` that repairs of `slips` show. Calls `tell` with the findings that each
/// repaired slip hides.
fn causes_of(
    document: Document<'_>,
    rest: (&Settings, &Surroundings),
    findings: &[Finding],
    slips: Vec<usize>,
    caches: &SharedCaches,
    tell: &mut dyn FnMut(Hidden),
) -> Causes {
    let mut causes = vec![None; findings.len()];
    let budget = Budget::of_keystroke();
    let mut proof = Proof::new(document, rest, &budget, caches);
    let mut tried = 0;
    for slip in slips {
        let is_explained = causes.get(slip).is_some_and(Option::is_some);
        let Some(finding) = findings.get(slip).filter(|_| !is_explained) else { continue };
        tried += 1;
        if tried > MOST_SLIPS {
            break;
        }
        let Some(edits) = repair(document, rest, finding, &mut proof) else { continue };
        let shown = proof.shown(&edits);
        for (index, other) in findings.iter().enumerate() {
            let follows = index != slip
                && causes.get(index) == Some(&None)
                && may_follow(other, finding)
                && shown.gone.contains(&(other.code, other.range));
            if let Some(cause) = causes.get_mut(index).filter(|_| follows) {
                *cause = Some(slip);
            }
        }
        tell(shown.hidden);
    }
    causes
}

/// The hidden findings that no other finding causes.
fn independent(hidden: Hidden, rest: (&Settings, &Surroundings), caches: &SharedCaches) -> Vec<Finding> {
    let Hidden { after, findings } = hidden;
    let is_one = findings.len() < 2;
    let document =
        after.as_ref().filter(|_| !is_one).and_then(|(tree, all)| Some((tree.documents().next()?, all)));
    let Some((document, all)) = document else {
        return findings.into_iter().map(|(_, finding)| finding).collect();
    };
    let slips = slips(all);
    let causes = causes_of(document, rest, all, slips, caches, &mut |_| ());
    let is_first = |index: usize| causes.get(index).is_none_or(Option::is_none);
    findings.into_iter().filter(|(index, _)| is_first(*index)).map(|(_, finding)| finding).collect()
}

/// Whether a finding is more than a remark.
fn is_wrong(finding: &Finding) -> bool {
    finding.severity <= Severity::Warning
}

/// The findings that may cause others, the likeliest first.
fn slips(findings: &[Finding]) -> Vec<usize> {
    let wrong = findings.iter().enumerate().filter(|(_, finding)| is_wrong(finding));
    let mut slips: Vec<(u8, usize)> =
        wrong.filter_map(|(index, finding)| Some((rank(finding)?, index))).collect();
    slips.sort_unstable();
    // Of many slips of one rank, the first causes the others, or another slip causes them all.
    if slips.len() > MOST_SLIPS {
        let mut seen = HashMap::<u8, usize>::new();
        slips.sort_by_cached_key(|(rank, _)| {
            let count = seen.entry(*rank).or_default();
            *count += 1;
            *count > MOST_OF_RANK
        });
    }
    slips.into_iter().map(|(_, index)| index).collect()
}

/// The rank of a finding as a cause; lower ranks cause higher ones.
fn rank(finding: &Finding) -> Option<u8> {
    Some(match finding.code {
        // It precedes the finding on the line below, which it leaves without a block.
        Code::DecodeType if is_of_first(finding) => 0,
        Code::DefinitionNotServed | Code::YamlUnclosed | Code::YamlTabIndentation | Code::YamlAlias => 0,
        Code::YamlSyntax | Code::YamlDuplicateKey => 1,
        Code::DecodeUnknownField | Code::ResourceUnknownField => 2,
        Code::SchemaTypeUnsupported => 3,
        Code::DecodeType | Code::ResourceType => 4,
        Code::StructuralTypeRequired => 5,
        _ => return None,
    })
}

/// The likeliest repair of a slip that removes nothing.
fn repair(
    document: Document<'_>,
    rest: (&Settings, &Surroundings),
    slip: &Finding,
    proof: &mut Proof,
) -> Option<Vec<TextEdit>> {
    let fixes = fixes_with(document, rest, std::slice::from_ref(slip), slip.range, proof);
    let repairs = |fix: &Fix| fix.repairs.contains(&(slip.code, slip.range));
    // A migration also rewrites places with other errors.
    let is_small = |fix: &Fix| {
        let is_here = |edit: &TextEdit| slip.range.contains_range(edit.range);
        slip.code != Code::DefinitionNotServed || fix.edits.iter().all(is_here)
    };
    let fix = fixes.into_iter().find(|fix| repairs(fix) && !takes_away(fix) && is_small(fix));
    fix.map(|fix| fix.edits).or_else(|| unheaded::unnamed(document, slip))
}

/// Whether `other` can be a consequence. Each tab is a separate slip, although one fix replaces all tabs. A
/// definition with missing parts looks like a partial definition.
fn may_follow(other: &Finding, slip: &Finding) -> bool {
    let may_follow = is_wrong(other) || other.code == Code::DefinitionPartial;
    // If a repair removes an alias, its `*` was the mistake, not a consequence.
    let is_alias = other.code == Code::YamlAlias && slip.code.group() != "yaml";
    may_follow && !is_alias && (other.code != slip.code || slip.code != Code::YamlTabIndentation)
}

/// For a document whose last line is being typed: the finding on that line, and the findings about text after
/// it.
fn open_end(document: Document<'_>, findings: &[Finding]) -> Option<(usize, Vec<usize>)> {
    let whole = document.range();
    let start = whole.end.saturating_sub(END).max(whole.start);
    let text = text_of(document.syntax(), TextRange::new(start, whole.end));
    let written = text.trim_end();
    let line = written.rfind('\n')? + 1;
    let indent = written.get(line..)?.len() - written.get(line..)?.trim_start_matches([' ', '-']).len();
    let (line, content, end) =
        (start + line as TextSize, start + (line + indent) as TextSize, start + written.len() as TextSize);
    let owners = owners(document, content);
    let last = values_to(document, end).last()?;
    let is_on_line = |finding: &Finding| finding.range.start >= line && is_wrong(finding);
    let is_open = |finding: &Finding| match finding.code {
        Code::YamlSyntax => finding.range.end >= end,
        Code::DecodeType | Code::ResourceType => last.as_scalar().is_some(),
        _ => matches!(last.kind(), ValueKind::Absent),
    };
    let on_line = findings.iter().rposition(|finding| is_on_line(finding) && is_open(finding));
    let cause = on_line.or_else(|| {
        let innermost = owners.last().filter(|_| matches!(last.kind(), ValueKind::Absent))?;
        findings.iter().rposition(|finding| finding.range == *innermost && is_wrong(finding))
    })?;
    let object = document.root()?;
    let (root, is_nameless) = (object.range().start, !has_parts_of_name(object));
    let is_awaited = |finding: &Finding| {
        is_of_undeclared_path(finding.code)
            || is_nameless && finding.code == Code::NamesMetadataName
            || is_of_missing_key(finding.code)
                && (is_of_storage(finding.code)
                    || finding.range.start == root
                    || owners.contains(&finding.range))
    };
    let awaited = findings.iter().enumerate().filter(|(_, finding)| is_awaited(finding));
    Some((cause, awaited.map(|(index, _)| index).collect()))
}

/// Whether a definition has the parts of its name.
fn has_parts_of_name(object: Value<'_>) -> bool {
    let has = |path: &[&str]| {
        let value = path.iter().try_fold(object, |value, key| Some(own_entry(value, key)?.value()));
        value.and_then(string).is_some()
    };
    has(&["spec", "group"]) && has(&["spec", "names", "plural"])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use crate::marked::WIDGET;
    use crate::{File, Finding, Settings};

    fn shown(text: &str) -> Vec<Finding> {
        File::new(text, &Settings::default()).grouped().findings
    }

    /// Checks that `written` in place of `right` causes one finding, at that text, whose first fix restores
    /// the right text.
    #[track_caller]
    fn check(right: &str, written: &str, code: &str, at: &str) {
        check_in(WIDGET, right, written, code, at);
    }

    #[track_caller]
    fn check_in(whole: &str, right: &str, written: &str, code: &str, at: &str) {
        assert!(whole.contains(right), "{right}");
        let text = whole.replacen(right, written, 1);
        let found = shown(&text);
        let told: Vec<(&str, &str)> =
            found.iter().map(|one| (one.code.as_str(), text.get(one.range.as_usize()).unwrap())).collect();
        assert_eq!(told, [(code, at)], "{written:?}: {found:#?}\n{text}");
        let fixes = File::new(&text, &Settings::default()).fixes(found[0].range);
        let mended: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
        assert_eq!(mended.first().map(String::as_str), Some(whole), "{written:?}: {fixes:#?}\n{text}");
    }

    #[test]
    fn a_description_in_a_wrong_column_is_one_finding() {
        let described = "              size:\n                description: |-\n                  The size\n                  of it.\n";
        let whole = WIDGET.replacen("              size:\n", described, 1);
        let right = "                description: |-\n";
        for (written, at) in [
            ("                  description: |-\n", "The size"),
            ("               description: |-\n", "type: integer"),
            ("              description: |-\n", "type: integer"),
            ("                 description: |-\n", "type: integer"),
        ] {
            check_in(&whole, right, written, "yaml/syntax", at);
        }
        for written in [
            "\tdescription: |-\n",
            "              \tdescription: |-\n",
            "                \tdescription: |-\n",
        ] {
            check_in(&whole, right, written, "yaml/tab-indentation", "\t");
        }
    }

    #[test]
    fn a_list_without_dashes_is_one_finding() {
        let right = "              modes:\n                type: array\n                items:\n                  type: string\n";
        let listed = right.replace(
            "type: string",
            "enum:\n                  - One\n                  - Two\n                  type: string",
        );
        let whole = WIDGET.replacen(right, &listed, 1);
        let written = "                    One\n                    Two\n";
        check_in(
            &whole,
            "                  - One\n                  - Two\n",
            written,
            "decode/type",
            "One\n                    Two",
        );
    }

    #[test]
    fn a_list_without_its_first_dash_is_one_finding() {
        let whole = WIDGET.replacen("            - size\n", "            - size\n            - modes\n", 1);
        let right = "            - size\n            - modes\n";
        check_in(&whole, right, "              size\n            - modes\n", "yaml/syntax", "-");
        check_in(&whole, right, "            size\n            - modes\n", "yaml/syntax", "-");
    }

    #[test]
    fn a_slip_is_one_finding_although_much_follows() {
        for (right, written, code, at) in [
            ("  versions:\n", "  versions\n", "yaml/syntax", "versions"),
            (
                "    additionalPrinterColumns:\n",
                "    additionalPrinterColumns\n",
                "yaml/syntax",
                "additionalPrinterColumns",
            ),
            ("    schema:\n", "    schema\n", "yaml/syntax", "schema"),
            ("          status:\n", "          status\n", "yaml/syntax", "status"),
            ("      type: integer\n", "      type integer\n", "yaml/syntax", "type integer"),
            ("  names:\n", "", "yaml/syntax", "kind: Widget"),
            ("          status:\n", "           status:\n", "yaml/syntax", "status:"),
            ("                type: array\n", "                 type: array\n", "yaml/syntax", "items:"),
            ("    kind: Widget\n", "  kind: Widget\n", "yaml/syntax", "listKind: WidgetList"),
            (
                "apiextensions.k8s.io/v1",
                "apiextensions.k8s.io/v1beta1",
                "definition/not-served",
                "apiextensions.k8s.io/v1beta1",
            ),
            ("spec:\n", "", "decode/unknown-field", "group"),
            ("    schema:\n", "", "decode/unknown-field", "openAPIV3Schema"),
            ("      openAPIV3Schema:\n", "", "decode/unknown-field", "type"),
            ("  - name: v1\n", "", "decode/type", "versions"),
            ("          spec:\n", "", "decode/type", "type"),
            ("              size:\n", "", "decode/type", "type"),
            ("          status:\n", "", "yaml/duplicate-key", "type"),
            ("              replicas:\n", "", "decode/type", "type"),
            ("                type: array\n", "\ttype: array\n", "yaml/tab-indentation", "\t"),
            ("    schema:\n      openAPIV3Schema:\n", "", "yaml/syntax", "type: object"),
            ("type: array", "type: *array", "yaml/alias", "*array"),
            ("listKind: WidgetList", "listKind: *WidgetList", "yaml/alias", "*WidgetList"),
            ("plural: widgets", "plural: @widgets", "yaml/syntax", "@widgets"),
            ("plural: widgets", "plural: %widgets", "yaml/syntax", "%widgets"),
            ("plural: widgets", "plural: `widgets", "yaml/syntax", "`widgets"),
            ("type: array", "type: >array", "yaml/syntax", "array"),
            ("scope: Namespaced", "scope: |Namespaced", "yaml/syntax", "Namespaced"),
            ("              modes:\n", "              modes=\n", "yaml/syntax", "modes="),
            ("              modes:\n", "              modes;\n", "yaml/syntax", "modes;"),
            ("              modes:\n", "              modes #:\n", "yaml/syntax", "modes #:"),
            (
                "          status:\n            type",
                "          - status:\n            type",
                "yaml/syntax",
                "-",
            ),
            (
                "          spec:\n            type",
                "          - spec:\n            type",
                "yaml/syntax",
                "status:",
            ),
            ("    listKind: W", "    - listKind: W", "yaml/syntax", "-"),
            (
                "            properties:\n              size",
                "            - properties:\n              size",
                "decode/type",
                "-",
            ),
            (
                "        properties:\n          spec",
                "        # properties:\n          spec",
                "yaml/syntax",
                "spec:",
            ),
            (
                "              modes:\n                type: array\n",
                "                type: array\n              modes:\n",
                "yaml/duplicate-key",
                "type",
            ),
            (
                "          status:\n            type",
                "\tstatus:\n            type",
                "yaml/tab-indentation",
                "\t",
            ),
        ] {
            check(right, written, code, at);
        }
    }

    #[test]
    fn what_is_not_written_yet_is_no_further_finding() {
        for (last, at) in [
            ("        ty", "ty"),
            ("          st", "st"),
            ("    sche", "sche"),
            ("  ver", "ver"),
            ("                ty", "ty"),
        ] {
            let indent = last.len() - last.trim_start().len();
            let line = WIDGET.lines().position(|line| line.starts_with(last)).unwrap();
            let mut text: String = WIDGET.lines().take(line).map(|line| format!("{line}\n")).collect();
            text.push_str(last);
            let found = shown(&text);
            let told: Vec<&str> = found.iter().map(|one| text.get(one.range.as_usize()).unwrap()).collect();
            assert_eq!(told, [at], "{indent}: {found:#?}\n{text}");
        }
    }

    #[test]
    fn a_mistake_in_what_a_repair_leaves_unread_stays() {
        let secret = "              secret:\n                description The secret\n                  of a widget.\n                properties:\n                  name:\n                    pattern: 5\n                    type: string\n                type: object\n";
        let text = WIDGET.replacen("              size:\n", &format!("{secret}              size:\n"), 1);
        assert_eq!(text.matches("pattern: 5").count(), 1, "{text}");
        let codes: Vec<String> = shown(&text).iter().map(|one| one.code.to_string()).collect();
        assert!(codes.iter().any(|code| code == "decode/type"), "{codes:?}\n{text}");
    }

    #[test]
    fn a_name_of_which_a_part_is_no_text_follows_from_that() {
        for part in ["group: example.com", "plural: widgets"] {
            let key = part.split(':').next().unwrap();
            let text = WIDGET.replacen(part, &format!("{key}: true"), 1);
            let codes: Vec<String> = shown(&text).iter().map(|one| one.code.to_string()).collect();
            assert_eq!(codes, ["decode/type"]);
        }
    }

    /// The text below these slips is checked only after a repair.
    #[test]
    fn a_slip_hides_none_below_it() {
        let below = ("                  type: string", "                  tpe: string");
        for slip in [
            ("    schema:\n", ""),
            ("      openAPIV3Schema:\n", ""),
            ("    schema:\n      openAPIV3Schema:\n", ""),
            ("        properties:\n", ""),
            ("        properties:\n", "      properties:\n"),
            ("        properties:\n", "        propertise:\n"),
            ("  versions:\n", "  version:\n"),
            ("spec:\n  group", "sepc:\n  group"),
            ("            properties:\n              size", "              size"),
        ] {
            let text = [slip, below].iter().fold(WIDGET.to_owned(), |text, (right, written)| {
                assert!(text.contains(right), "{right}");
                text.replacen(right, written, 1)
            });
            let found = shown(&text);
            let at = |one: &Finding| text.get(one.range.as_usize()).unwrap().to_owned();
            let told: Vec<String> = found.iter().map(at).collect();
            assert!(told.contains(&"tpe".to_owned()) && told.len() == 2, "{slip:?}: {found:#?}\n{text}");
        }
    }

    #[test]
    fn independent_slips_are_findings_of_their_own() {
        let text = WIDGET.replacen("          status:\n", "           status:\n", 1);
        let text = text.replacen("listKind:", "listKnd:", 1).replacen(
            "items:\n                  type: string",
            "items:\n                  type: strng",
            1,
        );
        let codes: Vec<String> = shown(&text).iter().map(|one| one.code.to_string()).collect();
        assert_eq!(codes, ["decode/unknown-field", "schema/type-unsupported", "yaml/syntax"]);
    }
}
