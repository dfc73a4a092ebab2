//! Examples of pages, with comments from which `xtask/site/examples.js` makes links to the playground.

use api::{Example as OfRule, Rule};
use serde_json::json;

use super::{links, whole};
use found::{Example, Texts};

#[path = "../../../tests/support/examples.rs"]
mod found;

/// The document `name` with comments above its examples, and links to the rules of their findings below.
pub(super) fn of_document(name: &str, markdown: &str) -> String {
    let all = Example::all(markdown);
    let above = |example: &Example<'_>| {
        if !example.is_checked() || example.language != "yaml" || example.option("with").is_some() {
            return None;
        }
        let verdict = if example.is_wrong() { "wrong" } else { "right" };
        Some(comment(&example.texts(&all), verdict))
    };
    with_notes(markdown, &all, above, |example| rules_of(name, example.said))
}

/// A line with links to the pages of the rules that findings name.
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
    (!links.is_empty()).then(|| format!("{noun}: {}\n", links.join(", ")))
}

/// The page of a rule with comments above its examples, unless the playground cannot show them: it has no settings.
pub(super) fn of_rule(rule: &Rule, page: &str) -> String {
    let code = rule.code.as_str();
    let of = |text| of_fragment(code, text);
    let shown = match rule.example {
        OfRule::None(_) => return page.to_owned(),
        OfRule::Correction { wrong, right } => [(wrong, of(wrong), "wrong"), (right, of(right), "right")],
        OfRule::Change { old, new } => {
            [(old, of(old), ""), (new, Texts { old: of(old).definition, ..of(new) }, "")]
        }
    };
    if rule.is_optional || rule.experiment().is_some() {
        return page.to_owned();
    }
    let all = Example::all(page);
    let above = |example: &Example<'_>| {
        let is_shown = |text: &str| text.trim_end() == example.text.trim_end();
        let (_, texts, verdict) = shown.iter().find(|(text, _, _)| is_shown(text))?;
        Some(comment(texts, verdict))
    };
    with_notes(page, &all, above, |_| None)
}

/// The definitions and the other objects of an example on the page of the rule `code`.
fn of_fragment(code: &str, text: &str) -> Texts {
    let whole = whole::definition(code, text);
    let is_definition = |document: &&str| document.contains("\nkind: CustomResourceDefinition\n");
    let (definitions, others): (Vec<&str>, Vec<&str>) = whole.split("\n---\n").partition(is_definition);
    Texts { definition: definitions.join("\n---\n"), resource: others.join("\n---\n"), ..Texts::default() }
}

/// What the script on the page reads: JSON, in which nothing ends the comment.
fn comment(texts: &Texts, verdict: &str) -> String {
    let Texts { definition, resource, old, .. } = texts;
    let json =
        json!({"verdict": verdict, "texts": {"definition": definition, "resource": resource, "old": old}});
    format!("<!-- playground {} -->\n", json.to_string().replace("--", "-\\u002d"))
}

/// `markdown` with the comment `above` each example in place of its mark, and the line `below` its findings.
fn with_notes(
    markdown: &str,
    all: &[Example<'_>],
    above: impl Fn(&Example<'_>) -> Option<String>,
    below: impl Fn(&Example<'_>) -> Option<String>,
) -> String {
    let mut out = String::new();
    for (number, line) in markdown.lines().enumerate() {
        if let Some(note) = all.iter().find(|example| example.line == number).and_then(&above) {
            out.push_str(&note);
            out.push('\n');
        }
        if !(line.starts_with("<!-- example: ") || line.starts_with("<!-- not checked: ")) {
            out.push_str(line);
            out.push('\n');
        }
        if let Some(note) = all.iter().find(|example| example.end == number).and_then(&below) {
            out.push('\n');
            out.push_str(&note);
        }
    }
    out
}
