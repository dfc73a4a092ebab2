//! Fixes for rules that read what may be absent: a condition before what reads it.

use cel::ast::{Ast, ExprId, ExprKind, Function, Operator};
use cel::presence::Unguarded;
use crd::cel::{Purpose, RuleView};
use text::TextRange;
use yaml::Document;
use yaml::edit::Editor;

use crate::cel::changed;
use crate::document::Caches;
use crate::{Finding, Fix, Settings};

pub(super) const LACKING: &str = "lint/cel-optional-field";

/// Guards what `finding` is about: the rule passes without it, or demands it.
pub(super) fn guards(
    document: Document<'_>,
    settings: &Settings,
    finding: &Finding,
    editor: &Editor<'_>,
    caches: &mut Caches,
) -> Vec<Fix> {
    let mut fixes = Vec::new();
    crd::cel::rules(document, &settings.options(), &mut caches.crd, finding.range, &mut |view| {
        let found = guarded(view, finding).into_iter().flatten();
        let Some((_, place)) = view.expression(Purpose::Rule) else { return };
        for (title, changes) in found {
            let at = |range| place.at(range, view.base());
            let Some(edits) = changed(document, editor, finding.range.start, &changes, at) else { continue };
            fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
        }
    });
    fixes
}

/// A title, and what is put where.
type Guarded = (String, Vec<(TextRange, String)>);

/// What to add to the rule of `view`, with the titles.
fn guarded(view: &RuleView<'_>, finding: &Finding) -> Option<[Guarded; 2]> {
    let (text, place) = view.expression(Purpose::Rule)?;
    // A comment would swallow what stands behind it.
    if text.contains("//") {
        return None;
    }
    let all = view.unguarded();
    let of = |one: &Unguarded| place.at(one.name, view.base());
    let this = all.iter().find(|one| of(one) == finding.range)?;
    let written = text.get(this.range.as_usize())?;
    let inspected = view.inspect(Purpose::Rule, text)?;
    let ast = &inspected.ast;
    let body = body(ast, this.range, text)?;
    // Who has `a.b` must have `a` first.
    let is_before = |one: &&Unguarded| {
        let outer = text.get(one.range.as_usize()).unwrap_or_default();
        written.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let mut chain: Vec<&Unguarded> = all.iter().filter(is_before).collect();
    chain.sort_by_key(|one| one.range.len());
    let present: Vec<String> = chain.iter().map(|one| condition(text, one)).collect::<Option<_>>()?;
    let absent: Vec<String> = present.iter().map(|condition| negated(condition)).collect();
    let range = ast.expr(body).range;
    let operator = match ast.kind(body) {
        ExprKind::Call { function: Function::Operator(operator), .. } => Some(*operator),
        _ => None,
    };
    let wrapped = |conditions: &[String], joint: &str, binds_weaker: bool| {
        let (open, close) = if binds_weaker { ("(", ")") } else { ("", "") };
        let head = format!("{}{joint}{open}", conditions.join(joint));
        let mut changes = vec![(TextRange::empty(range.start), head)];
        if binds_weaker {
            changes.push((TextRange::empty(range.end), close.to_owned()));
        }
        changes
    };
    let chooses = operator == Some(Operator::Conditional);
    Some([
        (format!("Let the rule pass without `{written}`"), wrapped(&absent, " || ", chooses)),
        (
            format!("Make the rule demand `{written}`"),
            wrapped(&present, " && ", chooses || operator == Some(Operator::Or)),
        ),
    ])
}

/// What is true where it is there.
fn condition(text: &str, one: &Unguarded) -> Option<String> {
    let operand = text.get(one.operand.as_usize())?;
    Some(match one.owner {
        Some(_) => format!("has({})", text.get(one.range.as_usize())?),
        None if one.field.contains(['\'', '\\', '\n']) => return None,
        None => format!("'{}' in {operand}", one.field),
    })
}

fn negated(condition: &str) -> String {
    if condition.starts_with("has(") { format!("!{condition}") } else { format!("!({condition})") }
}

/// The innermost condition around `part` in which all its variables are known: the whole rule, or the body of a macro.
fn body(ast: &Ast, part: TextRange, text: &str) -> Option<ExprId> {
    let variables: Vec<&str> = cel::tokenize(text.get(part.as_usize())?)
        .iter()
        .filter(|token| token.kind == cel::TokenKind::Identifier)
        .filter_map(|token| text.get(part.as_usize())?.get(token.range.as_usize()))
        .collect();
    let around = ast.macros().iter().filter_map(|call| {
        let args = ast.list(call.args);
        let (body, binders) = args.split_last()?;
        let range = ast.expr(*body).range;
        let binds = binders.iter().any(|binder| match ast.kind(*binder) {
            ExprKind::Ident(name) => variables.contains(&ast.name(*name)),
            _ => false,
        });
        (binds && range.contains_range(part)).then_some((range.len(), call, *body))
    });
    match around.min_by_key(|(length, ..)| *length) {
        None => Some(ast.root()),
        Some((_, call, body)) => {
            matches!(ast.name(call.name), "all" | "exists" | "exists_one" | "existsOne" | "filter")
                .then_some(body)
        }
    }
}
