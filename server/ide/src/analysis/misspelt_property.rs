//! Properties whose name is probably a misspelling, because other parts of the definition use a similar name
//! that no property has. One finding at the property explains the findings at all these places.

use std::cell::LazyCell;
use std::collections::HashMap;

use api::Code;
use crd::{FieldPath, Message, Segment};
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Reader};

use crate::analysis::undeclared::{UndeclaredField, is_of_name};
use crate::analysis::values::{own_entry, string};
use crate::{Finding, RelatedInformation, Severity};

/// The maximum number of findings of one document that are examined.
const MOST: usize = 40;
/// The number of places with the same name that are sufficient evidence.
const LEAST_USES: usize = 2;
/// The largest document in which other properties with one of the names are counted.
const MOST_BYTES: TextSize = 500_000;

/// A property, and the name that other parts of the definition use.
struct Misspelling<'t> {
    property: Entry<'t>,
    name: String,
    /// The path of the property.
    path: FieldPath,
    /// The indexes of the findings on the places that use the other name.
    uses: Vec<usize>,
    /// The number of rules, lists and paths with these places: who writes a rule repeats a slip in it.
    parts: usize,
}

/// Adds a finding for each misspelt property that `findings` show, with their places as related places.
pub(crate) fn report(document: Document<'_>, findings: &mut Vec<Finding>) {
    let mut wanted =
        findings.iter().enumerate().filter(|(_, one)| is_of_name(one.code)).take(MOST).peekable();
    if wanted.peek().is_none() {
        return;
    }
    let reader = Reader::new(document);
    let mut misspellings: Vec<Misspelling<'_>> = Vec::new();
    for (index, finding) in wanted {
        let Some(field) = UndeclaredField::of(document, &reader, finding) else { continue };
        let Some((property, path)) = nearest(&field) else { continue };
        let is_same = |one: &&mut Misspelling<'_>| {
            one.property.key_range() == property.key_range() && one.name == field.name
        };
        match misspellings.iter_mut().find(is_same) {
            Some(known) => {
                let last = known.uses.last().and_then(|last| findings.get(*last));
                known.parts += usize::from(last.is_none_or(|last| last.field_path != finding.field_path));
                known.uses.push(index);
            }
            None => misspellings.push(Misspelling {
                property,
                name: field.name,
                path,
                uses: vec![index],
                parts: 1,
            }),
        }
    }
    // Few rules with an error have such a property beside them, and only some of these need the text.
    let text = LazyCell::new(|| (document.range().len() <= MOST_BYTES).then(|| document.syntax().text()));
    misspellings.retain(|one| one.is_shown(|| text.as_deref()));
    for misspelling in misspellings {
        let related: Vec<RelatedInformation> = misspelling
            .uses
            .iter()
            .filter_map(|index| findings.get(*index))
            .map(|one| RelatedInformation::here(one.range, one.message.without_notes().to_string()))
            .collect();
        let uses = misspelling.uses.iter().filter_map(|index| findings.get(*index));
        let severity = uses.map(|one| one.severity).min().unwrap_or(Severity::Warning);
        let range = misspelling.property.key_range();
        let is_known = |one: &&mut Finding| one.code == Code::LintMisspeltProperty && one.range == range;
        match findings.iter_mut().find(is_known) {
            Some(known) => {
                known.related.extend(related);
                known.severity = known.severity.min(severity);
            }
            None => findings.push(misspelling.finding(range, severity, related)),
        }
    }
}

/// The property whose name is similar to the undeclared `field`, if it is not required itself, and its path.
fn nearest<'t>(field: &UndeclaredField<'t>) -> Option<(Entry<'t>, FieldPath)> {
    let names: Vec<_> = field.properties.iter().filter_map(|entry| entry.key_text()).collect();
    let near = crd::closest_in_words(&field.name, names.iter().map(AsRef::as_ref))?;
    let property = field.properties.iter().find(|entry| entry.key_text().is_some_and(|key| key == near))?;
    let mut path = FieldPath::from(field.object.clone());
    path.extend(&[Segment::Name("properties".into()), Segment::Key(near.into())]);
    Some((*property, path))
}

impl Misspelling<'_> {
    /// Whether the definition shows that the property is misspelt, and not the places that use the other name.
    fn is_shown<'x>(&self, text: impl FnOnce() -> Option<&'x str>) -> bool {
        let Some(own) = self.property.key_text() else { return false };
        let described =
            own_entry(self.property.value(), "description").and_then(|entry| string(entry.value()));
        let described = described.unwrap_or_default();
        let has = |name: &str| words(&described).any(|word| word.eq_ignore_ascii_case(name));
        // Comments of Go begin with the name of the field.
        let counts = (has(&self.name), has(&own));
        if counts.0 != counts.1 {
            return counts.0;
        }
        if let Some(text) = text() {
            let count = |name: &str| {
                text.match_indices(name)
                    .filter(|(at, _)| {
                        let before = text.get(..*at).and_then(|before| before.chars().next_back());
                        let behind = text.get(at + name.len()..).unwrap_or_default();
                        let is_apart = |char: char| !char.is_alphanumeric() && char != '-' && char != '_';
                        before.is_none_or(is_apart) && behind.trim_start_matches(['"', '\'']).starts_with(':')
                    })
                    .count()
            };
            let (others, same) = (count(&self.name), count(&own).saturating_sub(1));
            if (others > 0) != (same > 0) {
                return others > 0;
            }
        }
        self.parts >= LEAST_USES
    }

    fn finding(&self, range: TextRange, severity: Severity, related: Vec<RelatedInformation>) -> Finding {
        let own = self.property.key_text().unwrap_or_default();
        let name = &self.name;
        let users = match self.uses.len() {
            1 => "another part of the definition uses".to_owned(),
            count => format!("{count} other places use"),
        };
        let problem = format!("`{own}` is probably a misspelling of `{name}`, which {users}");
        let message = Message {
            missing_field: Some(name.clone()),
            ..Message::new(problem).advise(format!("rename it to `{name}`"))
        };
        Finding {
            code: Code::LintMisspeltProperty,
            severity,
            message,
            range,
            field_path: self.path.clone(),
            api_server: None,
            related,
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The findings that a misspelt property explains: each with the index of the finding on the property before it.
pub(crate) fn uses(findings: &[Finding]) -> Vec<(usize, usize)> {
    let properties = findings.iter().enumerate().filter(|(_, one)| one.code == Code::LintMisspeltProperty);
    let mut causes: HashMap<TextRange, usize> = HashMap::new();
    for (index, property) in properties {
        let places = property.related.iter().filter(|related| related.elsewhere.is_none());
        causes.extend(places.map(|related| (related.range, index)));
    }
    let used = findings.iter().enumerate().filter(|(_, one)| is_of_name(one.code));
    used.filter_map(|(index, one)| Some((*causes.get(&one.range)?, index))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::LazyLock;

    use crate::marked_texts::definition_of_version;
    use crate::{File, Settings, Severity};

    static DEFINITION: LazyLock<String> = LazyLock::new(|| {
        definition_of_version(
            "\
additionalPrinterColumns:
- name: Replicas
  type: integer
  jsonPath: .spec.replicas
selectableFields:
- jsonPath: .spec.ref.color
schema:
  openAPIV3Schema:
    type: object
    properties:
      kind: {type: string}
      spec:
        type: object
        required: [replicas, mode]
        properties:
          replicas: {type: integer, format: int32}
          mode: {type: string, maxLength: 9, description: Mode is the mode of operation.}
          ref:
            type: object
            properties:
              color: {type: string}
        x-kubernetes-validations:
        - rule: self.replicas > 1 || self.mode == 'a'
",
        )
    });

    /// Checks that `written` in place of `right` is one finding at `at`, whose first fix restores the text.
    #[track_caller]
    fn check(right: &str, written: &str, code: &str, at: &str) {
        let text = DEFINITION.replacen(right, written, 1);
        assert_ne!(text, *DEFINITION, "{right}");
        let file = File::new(&text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|one| one.severity <= Severity::Warning);
        let reported: Vec<(&str, &str)> =
            found.iter().map(|one| (one.code.as_str(), text.get(one.range.as_usize()).unwrap())).collect();
        assert_eq!(reported, [(code, at)], "{found:#?}");
        let fixes = file.fixes(found[0].range);
        let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
        assert_eq!(repaired.first().map(String::as_str), Some(DEFINITION.as_str()), "{fixes:#?}");
    }

    #[test]
    fn a_misspelt_property_is_one_finding_wherever_it_is_used() {
        let code = "lint/misspelt-property";
        for (right, written) in [
            ("              replicas:", "              repilcas:"),
            ("              mode:", "              moed:"),
            ("          kind:", "          kidn:"),
            ("          spec:", "          sepc:"),
        ] {
            check(right, written, code, written.trim().trim_end_matches(':'));
        }
    }

    #[test]
    fn a_misspelt_use_is_a_finding_at_that_place() {
        for (right, written, code, at) in [
            ("[replicas, ", "[repilcas, ", "lint/required-undefined", "repilcas"),
            ("self.replicas > 1", "self.repilcas > 1", "cel/rule-compile", "repilcas"),
            (", mode]", ", moed]", "lint/required-undefined", "moed"),
            (".spec.replicas", ".spec.repilcas", "lint/column-path", ".repilcas"),
            (".spec.ref.color", ".spec.ref.colro", "selectable-fields/path", ".spec.ref.colro"),
        ] {
            check(right, written, code, at);
        }
    }

    #[test]
    fn other_names_at_the_root_are_no_misspellings() {
        for name in ["specs", "state", "data", "kinds", "statuses"] {
            let text = DEFINITION.replacen(
                "          kind: {",
                &format!("          {name}: {{type: string}}\n          kind: {{"),
                1,
            );
            let found = File::new(&text, &Settings::default()).grouped().findings;
            assert_eq!(found, [], "{name}");
        }
    }
}
