//! Whether edits repair what they are to repair, and bring nothing new.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

use super::plan::Plan;
use crate::document::{self, Caches};
use crate::readings::Reading;
use crate::resources::RIVALS;
use crate::{Settings, Surroundings};

/// Above this many edits the whole text is read anew.
const MOST_STEPS: usize = 32;

/// A document before any edit, against which its text after edits is held.
pub(crate) struct Proof {
    settings: Settings,
    surroundings: Surroundings,
    text: String,
    start: TextSize,
    /// Looked at when it is first asked for: mostly there is nothing to prove.
    before: OnceCell<Before>,
    /// What was learned of the parts that no edit touched.
    caches: Caches,
}

struct Before {
    tree: Tree,
    known: HashSet<Known>,
    /// How many findings there are of each code.
    counts: Counts,
}

/// The code and the field path of a finding.
pub(super) type Known = (&'static str, String);
type Counts = HashMap<&'static str, usize>;

impl Proof {
    pub(crate) fn new(document: Document<'_>, settings: &Settings, surroundings: &Surroundings) -> Self {
        let mut text = String::new();
        document.syntax().write_text(&mut text);
        // What the user does not want to hear of must not come in by a fix either.
        let settings = Settings { rules: settings.rules.optional(), syntax_errors: true, ..settings.clone() };
        // What an update must keep is no matter of fixes.
        let surroundings = Surroundings { stored: None, base: None, ..surroundings.clone() };
        let (start, before) = (document.range().start, OnceCell::new());
        Self { settings, surroundings, text, start, before, caches: Caches::default() }
    }

    fn before(&mut self) -> &Before {
        let Self { settings, surroundings, text, before, caches, .. } = self;
        before.get_or_init(|| {
            let tree = Tree::parse(text);
            let known: Vec<Known> = known(&tree, (settings, surroundings), caches).collect();
            Before { counts: counts(&known), known: known.into_iter().collect(), tree }
        })
    }

    /// The findings after `edits`.
    fn after(&mut self, edits: &[TextEdit]) -> Vec<Known> {
        if edits.len() > MOST_STEPS {
            let tree = Tree::parse(&self.edited(edits));
            return known(&tree, (&self.settings, &self.surroundings), &mut self.caches).collect();
        }
        let mut tree = self.before().tree.clone();
        let mut text = self.text.clone();
        for edit in edits.iter().rev() {
            let range = TextRange::new(edit.range.start - self.start, edit.range.end - self.start);
            text.replace_range(range.as_usize(), &edit.new_text);
            let edit = TextEdit::replace(range, edit.new_text.clone());
            tree = tree.edited(&edit, &|range| text.get(range.as_usize()).unwrap_or_default().to_owned());
        }
        known(&tree, (&self.settings, &self.surroundings), &mut self.caches).collect()
    }

    /// The text after `edits`.
    fn edited(&self, edits: &[TextEdit]) -> String {
        text::applied(&self.text, self.start, edits)
    }

    pub(crate) fn brings_nothing_new(&mut self, edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        let before = self.before();
        after.iter().all(|finding| before.has(finding))
    }

    /// Whether `edits` bring no finding of a code that there was none of.
    pub(crate) fn brings_no_new_kind(&mut self, edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        let before = &self.before().counts;
        after.iter().all(|(code, _)| is_lint(code) || before.contains_key(code))
    }

    /// The findings, by code and field path, that `edits` rid the text of, where they leave no more broken YAML. Others may
    /// come: for edits that bring to its place what nothing judged where it stood.
    pub(super) fn gone(&mut self, edits: &[TextEdit]) -> HashSet<Known> {
        let after: HashSet<Known> = self.after(edits).into_iter().collect();
        let before = self.before();
        if after.iter().any(|finding| finding.0.starts_with("yaml/") && !before.has(finding)) {
            return HashSet::new();
        }
        before.known.difference(&after).cloned().collect()
    }

    /// Whether `edits` rid the text of all that `plan` is to repair, and bring nothing new.
    pub(super) fn repairs(&mut self, plan: &Plan<'_>, edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        let before = self.before();
        after.iter().all(|finding| {
            before.has(finding) && !is_left(finding, |path| plan.paths.iter().any(|other| other == path))
        })
    }

    /// Whether `edits` leave fewer findings of `code`, and those of no other at more fields. The field paths may change.
    pub(super) fn lessens(&mut self, code: &str, edits: &[TextEdit]) -> bool {
        self.lessens_each(&[code], edits)
    }

    /// Whether `edits` leave fewer findings of each of `codes`, and those of no other at more fields.
    pub(super) fn lessens_each(&mut self, codes: &[&str], edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        let places = counts(&after.iter().cloned().collect::<BTreeSet<_>>());
        let after = counts(&after);
        let of = |counts: &Counts, code: &str| counts.get(code).copied().unwrap_or(0);
        // Of very many only some are listed, and others follow.
        let before = &self.before().counts;
        let truncated = before.contains_key(document::TOO_MANY);
        codes.iter().all(|code| of(&after, code) < of(before, code) || truncated)
            && places.iter().all(|(code, count)| is_lint(code) || *count <= of(before, code))
    }

    /// Whether `edits` leave a rule wrong that was not: what they repair, another way would repair better.
    pub(super) fn spoils_rules(&mut self, edits: &[TextEdit]) -> bool {
        let of_rule = |(code, path): &Known| {
            // The number of a rule may change.
            code.starts_with("cel/").then(|| (*code, path.replace(|char: char| char.is_ascii_digit(), "")))
        };
        let after: BTreeSet<_> = self.after(edits).iter().filter_map(of_rule).collect();
        let before: BTreeSet<_> = self.before().known.iter().filter_map(of_rule).collect();
        !after.is_subset(&before)
    }

    /// Whether `edits` rid the text of all findings of `code`, and bring nothing new.
    pub(super) fn rids_of(&mut self, code: &str, edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        let before = self.before();
        after.iter().all(|finding| finding.0 != code && before.has(finding))
    }

    /// Whether `edits` rid the text of all that `plans` are to repair, and bring nothing new.
    pub(super) fn holds_together(&mut self, plans: &[&Plan<'_>], edits: &[TextEdit]) -> bool {
        let paths: HashSet<&str> =
            plans.iter().flat_map(|plan| plan.paths.iter().map(String::as_str)).collect();
        let after = self.after(edits);
        let before = self.before();
        after.iter().all(|finding| before.has(finding) && !is_left(finding, |path| paths.contains(path)))
    }
}

impl Before {
    /// Whether a finding was there. A scalar that reads otherwise than it looks is no news where it is moved.
    fn has(&self, finding: &Known) -> bool {
        let (code, _) = finding;
        is_lint(code) || Reading::CODES.contains(code) || self.known.contains(finding)
    }
}

/// What the server accepts is no reason to leave unrepaired what it refuses.
fn is_lint(code: &str) -> bool {
    code.starts_with("lint/")
}

/// Whether `finding` is one that was to be repaired.
fn is_left(finding: &Known, is_wanted: impl Fn(&str) -> bool) -> bool {
    !is_lint(finding.0) && is_wanted(&finding.1)
}

fn counts<'k>(known: impl IntoIterator<Item = &'k Known>) -> Counts {
    let mut counts = Counts::new();
    for (code, _) in known {
        *counts.entry(code).or_default() += 1;
    }
    counts
}

/// The codes and field paths of all findings in `tree`.
fn known<'f>(
    tree: &'f Tree,
    (settings, surroundings): (&'f Settings, &'f Surroundings),
    caches: &'f mut Caches,
) -> impl Iterator<Item = Known> + 'f {
    let findings =
        tree.documents().flat_map(|document| document::findings(document, settings, surroundings, caches));
    // That a copy of the definition is no longer the same is no reason, either.
    let findings = findings.filter(|finding| finding.code != RIVALS);
    findings.map(|finding| (finding.code, finding.field_path))
}
