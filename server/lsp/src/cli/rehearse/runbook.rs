//! The steps to take, in order, as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use cases::Definition;
use cases::rehearse::{Effects, Validity, Violation};

/// The maximum number of objects that are listed for one reason; the others are counted.
const MOST_LISTED: usize = 20;
/// The maximum number of reasons that are listed; objects with others are counted.
const MOST_REASONS: usize = 100;
/// The maximum length of a value that is shown beside its object, in bytes.
const MOST_SHOWN: usize = 40;

/// A definition that kube-apiserver rejects.
struct RejectedDefinition {
    name: String,
    errors: String,
}

/// A version in which objects may be stored, and which the new definition does not have.
struct GoneVersion {
    /// The name of the definition.
    name: String,
    version: String,
}

/// A change of the storage version.
struct MovedStorage {
    /// The name of the definition.
    name: String,
    from: String,
    to: String,
}

/// The results for all objects.
#[derive(Default)]
pub(super) struct Runbook {
    rejected: Vec<RejectedDefinition>,
    gone: Vec<GoneVersion>,
    moved: Vec<MovedStorage>,
    objects: usize,
    valid: usize,
    ratcheted: Group,
    invalid: Group,
    lost: Group,
    filled: Group,
    unserved: Group,
}

/// Objects by reason.
#[derive(Default)]
struct Group {
    /// The number of all objects.
    count: usize,
    by_reason: BTreeMap<String, FailureGroup>,
    /// The number of objects with reasons that are not listed.
    unlisted_count: usize,
}

#[derive(Default)]
struct FailureGroup {
    count: usize,
    /// The first objects, each with its value.
    listed: Vec<String>,
    /// The first object, and how it can be repaired.
    repair: Option<(String, Vec<String>)>,
}

/// The way to repair an object, if one is found.
type Repair<'r> = &'r dyn Fn() -> Option<Vec<String>>;

impl Group {
    /// Adds an object with its reasons, each with the value that it is about.
    fn add(
        &mut self,
        object: &str,
        reasons: impl IntoIterator<Item = (String, Option<String>)>,
        repair: Option<Repair<'_>>,
    ) {
        let (mut has_any, mut has_others) = (false, false);
        // An object has the same reason several times if several items of a list have it; the first value is shown.
        let mut by_reason: BTreeMap<String, Option<String>> = BTreeMap::new();
        for (reason, value) in reasons {
            by_reason.entry(of_any_item(&reason)).or_insert(value);
        }
        for (reason, value) in by_reason {
            has_any = true;
            if self.by_reason.len() >= MOST_REASONS && !self.by_reason.contains_key(&reason) {
                has_others = true;
                continue;
            }
            let of_reason = self.by_reason.entry(reason).or_default();
            if of_reason.count == 0 {
                let edits = repair.and_then(|repair| repair());
                of_reason.repair = edits.map(|edits| (object.to_owned(), edits));
            }
            of_reason.count += 1;
            if of_reason.listed.len() < MOST_LISTED {
                let shown = value.filter(|value| (1..=MOST_SHOWN).contains(&value.len()));
                of_reason
                    .listed
                    .push(shown.map_or_else(|| object.to_owned(), |value| format!("{object} (`{value}`)")));
            }
        }
        self.count += usize::from(has_any);
        self.unlisted_count += usize::from(has_others);
    }

    fn write(&self, out: &mut String) {
        // Writing to a text cannot fail.
        for (reason, FailureGroup { count, listed, repair }) in &self.by_reason {
            let more = count - listed.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(out, "   - `{reason}`: {}{more}", listed.join(", "));
            if let Some((object, edits)) = repair {
                let _ = writeln!(out, "     - {object} is accepted after: {}", edits.join(", "));
            }
        }
        if self.unlisted_count > 0 {
            let _ = writeln!(
                out,
                "   - {} objects with further reasons, which `--output json` lists",
                self.unlisted_count
            );
        }
    }
}

/// A text with `[*]` for the indices of items, so that the reason is the same for all items.
fn of_any_item(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let is_index = digits > 0 && after[digits..].starts_with(']');
        out.extend([before, if is_index { "[*" } else { "[" }]);
        rest = if is_index { &after[digits..] } else { after };
    }
    out.push_str(rest);
    out
}

impl Runbook {
    /// Records the results that follow from the definitions alone.
    pub(super) fn compare(&mut self, old: &[Definition], new: &[Definition]) {
        for new in new {
            let errors = new.rejection(cases::CaseFormat::Own);
            if !errors.is_empty() {
                self.rejected.push(RejectedDefinition { name: new.name.clone(), errors: errors.join("; ") });
            }
            let Some(old) = old.iter().find(|old| old.name == new.name) else { continue };
            let storage = |of: &Definition| {
                of.versions.iter().find(|version| version.storage).map(|version| version.name.clone())
            };
            for version in old.stored_versions() {
                if !new.versions.iter().any(|own| own.name == version) {
                    self.gone.push(GoneVersion { name: new.name.clone(), version });
                }
            }
            if let (Some(from), Some(to)) = (storage(old), storage(new))
                && from != to
            {
                self.moved.push(MovedStorage { name: new.name.clone(), from, to });
            }
        }
    }

    /// Records the fate of an object.
    pub(super) fn add(&mut self, object: String, effects: Effects, repair: Repair<'_>) {
        self.objects += 1;
        let reasons = |violations: Vec<Violation>| {
            violations.into_iter().map(|violation| (violation.reason, Some(violation.value)))
        };
        match effects.validity {
            Validity::Valid => self.valid += 1,
            Validity::Ratcheted(of) => self.ratcheted.add(&object, reasons(of), Some(repair)),
            Validity::Invalid(of) => self.invalid.add(&object, reasons(of), Some(repair)),
            Validity::Unreadable(error) => self.invalid.add(&object, [(error, None)], None),
        }
        self.lost.add(&object, effects.lost.into_iter().map(|field| (field, None)), None);
        let filled = effects.filled.into_iter().map(|(field, value)| (format!("{field}: {value}"), None));
        self.filled.add(&object, filled, None);
        self.unserved.add(&object, effects.unserved.map(|version| (version, None)), None);
    }

    /// The number of checked objects.
    pub(super) const fn objects(&self) -> usize {
        self.objects
    }

    /// Whether something has to be done.
    pub(super) fn is_bad(&self) -> bool {
        !self.rejected.is_empty()
            || !self.gone.is_empty()
            || self.ratcheted.count + self.invalid.count + self.lost.count + self.unserved.count > 0
    }

    /// The steps.
    pub(super) fn markdown(&self) -> String {
        let out = format!(
            "# Rehearsal\n\n{} objects: {} valid, {} valid while unchanged, {} invalid, {} with lost fields, {} with new defaults\n\n",
            self.objects,
            self.valid,
            self.ratcheted.count,
            self.invalid.count,
            self.lost.count,
            self.filled.count
        );
        let mut steps = StepList::default();
        if !self.rejected.is_empty() {
            steps.add("Correct the new definitions, which kube-apiserver rejects.");
            for RejectedDefinition { name, errors } in &self.rejected {
                steps.add_item(&format!("{name}: `{errors}`"));
            }
        }
        if !self.gone.is_empty() {
            steps.add(
                "Rewrite all objects in a version that stays, and remove the old one from `status.storedVersions`.",
            );
            for GoneVersion { name, version } in &self.gone {
                steps.add_item(&format!(
                    "{name}: {version} may be stored, and the new definition does not have it"
                ));
            }
        }
        steps.add_group("Save the data of fields that the new definition drops.", &self.lost);
        steps.add_group("Move clients from versions that are no longer served.", &self.unserved);
        steps.add_group(
            "Correct objects that clients can no longer write after the new definition is applied, even unchanged.",
            &self.invalid,
        );
        steps.add("Apply the new definitions.");
        steps.add_group(
            "Correct objects that stay valid only as long as these fields do not change.",
            &self.ratcheted,
        );
        steps.add_group("Expect these defaults in objects.", &self.filled);
        for MovedStorage { name, from, to } in &self.moved {
            steps.add(&format!(
                "Rewrite all objects of {name}, so that they are stored in {to}; then remove {from} from `status.storedVersions`."
            ));
        }
        out + &steps.markdown
    }
}

/// Numbered steps.
#[derive(Default)]
struct StepList {
    markdown: String,
    count: usize,
}

impl StepList {
    fn add(&mut self, text: &str) {
        self.count += 1;
        self.markdown.push_str(&format!("{}. {text}\n", self.count));
    }

    fn add_item(&mut self, text: &str) {
        self.markdown.push_str(&format!("   - {text}\n"));
    }

    /// Adds a step for the objects of `group`, if it has any.
    fn add_group(&mut self, text: &str, group: &Group) {
        if group.count > 0 {
            self.add(text);
            group.write(&mut self.markdown);
        }
    }
}
