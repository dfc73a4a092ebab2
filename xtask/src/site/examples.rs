//! The examples on pages, with comments that `xtask/site/examples.js` turns into links to the playground.

use std::collections::BTreeMap;

use api::{Example as OfRule, Rule};
use serde_json::{Value, json};

use super::{completed, links};
use found::{Example, Texts};

#[path = "../../../tests/support/examples.rs"]
mod found;

/// Lines to add to a page, by the number of the adjacent line.
#[derive(Default)]
struct Notes {
    above: BTreeMap<usize, String>,
    below: BTreeMap<usize, String>,
}

/// The document `name` with comments above its examples, and links to the rules of their findings below.
pub(super) fn of_document(name: &str, markdown: &str) -> Result<String, String> {
    let all = Example::all(markdown);
    let mut notes = Notes::default();
    for example in &all {
        if let Some(rules) = rules_of(name, example.listed) {
            notes.below.insert(example.end, rules);
        }
        if example.is_checked() && example.language == "yaml" && example.option("with").is_none() {
            let verdict = if example.is_wrong() { "wrong" } else { "right" };
            let texts = example.texts(&all).map_err(|problem| format!("docs/{name}: {problem}"))?;
            notes.above.insert(example.line, comment(&texts, verdict, &Value::Null));
        }
    }
    Ok(notes.added(markdown))
}

/// A line with links to the pages of the rules of findings.
fn rules_of(name: &str, findings: &str) -> Option<String> {
    let mut codes: Vec<&str> = Vec::new();
    for code in findings.split(['[', ']']).filter_map(|part| Some(api::rule(part)?.code.as_str())) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let links: Vec<String> = codes
        .iter()
        .map(|code| format!("[{code}]({})", links::relative(name, &format!("rules/{code}.md"))))
        .collect();
    let noun = if links.len() == 1 { "Rule" } else { "Rules" };
    (!links.is_empty()).then(|| format!("{noun}: {}", links.join(", ")))
}

/// The page of a rule with comments above its examples, with the settings that the rule needs.
pub(super) fn of_rule(rule: &Rule, page: &str) -> Result<String, String> {
    let of = |text| of_fragment(rule.code.as_str(), text);
    let shown = match rule.example {
        OfRule::None(_) | OfRule::Transcript(_) => return Ok(page.to_owned()),
        OfRule::Correction { wrong, right } => [(wrong, of(wrong)?, "wrong"), (right, of(right)?, "right")],
        OfRule::Change { old, new } => {
            [(old, of(old)?, ""), (new, Texts { old: of(old)?.definition, ..of(new)? }, "")]
        }
    };
    let settings = settings_of(rule);
    let mut notes = Notes::default();
    for example in Example::all(page) {
        let is_shown = |text: &str| text.trim_end() == example.text.trim_end();
        if let Some((_, texts, verdict)) = shown.iter().find(|(text, _, _)| is_shown(text)) {
            notes.above.insert(example.line, comment(texts, verdict, &settings));
        }
    }
    Ok(notes.added(page))
}

/// The settings with which a rule reports something; null if the defaults suffice.
fn settings_of(rule: &Rule) -> Value {
    match rule.experiment().and_then(|setting| setting.split_once('.')) {
        Some((group, name)) => json!({group: {name: true}}),
        None if rule.is_optional => {
            json!({"rules": {rule.code.as_str(): rule.severity.name().to_lowercase()}})
        }
        None => Value::Null,
    }
}

/// The definitions and the other objects of an example on the page of the rule `code`.
fn of_fragment(code: &str, text: &str) -> Result<Texts, String> {
    let completed = completed::definition(code, text).map_err(|problem| format!("{code}: {problem}"))?;
    let is_definition = |document: &&str| document.contains("\nkind: CustomResourceDefinition\n");
    let (definitions, others): (Vec<&str>, Vec<&str>) = completed.split("\n---\n").partition(is_definition);
    Ok(Texts {
        definition: definitions.join("\n---\n"),
        resource: others.join("\n---\n"),
        ..Texts::default()
    })
}

/// The data for the script on the page: JSON that does not end the comment.
fn comment(texts: &Texts, verdict: &str, settings: &Value) -> String {
    let Texts { definition, resource, old, .. } = texts;
    let mut texts = json!({"definition": definition, "resource": resource, "old": old});
    if !settings.is_null() {
        texts["settings"] = settings.clone();
    }
    let json = json!({"verdict": verdict, "texts": texts});
    format!("<!-- playground {} -->", json.to_string().replace("--", "-\\u002d"))
}

impl Notes {
    /// `markdown` with the notes, which replace the marks of examples.
    fn added(&self, markdown: &str) -> String {
        let is_mark =
            |line: &str| ["<!-- example: ", "<!-- not checked: "].iter().any(|mark| line.starts_with(mark));
        let mut lines: Vec<&str> = Vec::new();
        for (number, line) in markdown.lines().enumerate() {
            lines.extend(self.above.get(&number).into_iter().flat_map(|note| [note.as_str(), ""]));
            if !is_mark(line) {
                lines.push(line);
            }
            lines.extend(self.below.get(&number).into_iter().flat_map(|note| ["", note.as_str()]));
        }
        lines.join("\n") + "\n"
    }
}
