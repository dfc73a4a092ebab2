//! Examples of pages, with comments from which `xtask/site/examples.js` makes links to the playground.

use api::{Example as OfRule, Rule};
use serde_json::json;

use super::whole;
use found::{Example, Texts};

#[path = "../../../tests/support/examples.rs"]
mod found;

/// The document with comments above its examples.
pub(super) fn of_document(markdown: &str) -> String {
    let all = Example::all(markdown);
    let comment = |example: &Example<'_>| {
        if !example.is_checked() || example.language != "yaml" || example.option("with").is_some() {
            return None;
        }
        let verdict = if example.is_wrong() { "wrong" } else { "right" };
        Some(comment(&example.texts(&all), verdict))
    };
    with_comments(markdown, &all, comment)
}

/// The page of a rule with comments above its examples, unless the playground cannot show them: it has no settings.
pub(super) fn of_rule(rule: &Rule, page: &str) -> String {
    let code = rule.code.as_str();
    let (first, second, verdicts) = match rule.example {
        OfRule::None(_) => return page.to_owned(),
        OfRule::Correction { wrong, right } => (wrong, right, ["wrong", "right"]),
        OfRule::Change { old, new } => (old, new, ["", ""]),
    };
    if rule.is_optional || rule.experiment().is_some() {
        return page.to_owned();
    }
    let is_change = matches!(rule.example, OfRule::Change { .. });
    let mut second_texts = of_fragment(code, second);
    if is_change {
        second_texts.old = of_fragment(code, first).definition;
    }
    let shown = [(first, of_fragment(code, first)), (second, second_texts)];
    let all = Example::all(page);
    let comment = |example: &Example<'_>| {
        let found =
            shown.iter().zip(verdicts).find(|((text, _), _)| text.trim_end() == example.text.trim_end());
        found.map(|((_, texts), verdict)| comment(texts, verdict))
    };
    with_comments(page, &all, comment)
}

/// The definitions and the other objects of an example on the page of the rule `code`.
fn of_fragment(code: &str, text: &str) -> Texts {
    let whole = whole::definition(code, text);
    let is_definition = |document: &&str| document.contains("\nkind: CustomResourceDefinition\n");
    let (definitions, others): (Vec<&str>, Vec<&str>) = whole.split("\n---\n").partition(is_definition);
    Texts { definition: definitions.join("\n---\n"), resource: others.join("\n---\n"), old: String::new() }
}

/// What the script on the page reads: JSON, in which nothing ends the comment.
fn comment(texts: &Texts, verdict: &str) -> String {
    let Texts { definition, resource, old } = texts;
    let json =
        json!({"verdict": verdict, "texts": {"definition": definition, "resource": resource, "old": old}});
    format!("<!-- playground {} -->\n", json.to_string().replace("--", "-\\u002d"))
}

/// `markdown` with a comment above each of these examples that has one, in place of its own mark.
fn with_comments(
    markdown: &str,
    all: &[Example<'_>],
    comment: impl Fn(&Example<'_>) -> Option<String>,
) -> String {
    let mut out = String::new();
    for (number, line) in markdown.lines().enumerate() {
        if let Some(comment) = all.iter().find(|example| example.line == number).and_then(&comment) {
            out.push_str(&comment);
            out.push('\n');
        }
        if !(line.starts_with("<!-- example: ") || line.starts_with("<!-- not checked: ")) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
