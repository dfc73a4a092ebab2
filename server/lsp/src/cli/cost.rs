//! `crd-ls cost`.

use std::io::{self, Write};
use std::process::ExitCode;

use ide::{DefinitionCost, EXPRESSION_LIMIT, File, RuleCost, SCHEMA_LIMIT, VersionCost, is_unbounded};
use serde::Serialize;
use text::{PositionEncoding, TextBuffer, TextRange, TextSize};

use super::docs;
use super::input::{settings_of, text_of};
use super::print::complain;
use super::walk::{Source, sources};
use crate::args::{CostArgs, CostFormat};
use crate::config::Projects;
use crate::pages::Subject;
use crate::status::{CLEAN, FAILED};

/// What one evaluation may cost when it runs.
const RUNTIME_LIMIT: u64 = 1_000_000;
/// Longer rules are cut in the table, in characters.
const MAX_SHOWN: usize = 60;

/// Prices the rules of what the arguments name.
pub(crate) fn run(args: &CostArgs) -> ExitCode {
    if args.html {
        return docs::print(&args.paths, args.kubernetes_version, Subject::Cost);
    }
    let projects = Projects::default();
    let (sources, mut problems) = sources(&args.paths);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for source in &sources {
        let written = match priced(source, args, &projects) {
            Ok((text, file)) => {
                write(&source.path.display().to_string(), &text, &file, args.output, &mut out)
            }
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        match written {
            Ok(()) => {}
            // A reader that has seen enough, as `head`, is no failure.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => problems.push(format!("cannot write the costs: {error}")),
        }
    }
    if let Err(error) = out.flush()
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        problems.push(format!("cannot write the costs: {error}"));
    }
    problems.iter().for_each(|problem| complain(problem));
    ExitCode::from(if problems.is_empty() { CLEAN } else { FAILED })
}

fn priced(source: &Source, args: &CostArgs, projects: &Projects) -> Result<(TextBuffer, File), String> {
    let text = text_of(source)?;
    let buffer = TextBuffer::new(&text);
    let settings = settings_of(source, args.kubernetes_version, projects)?;
    let file = File::new(&buffer.to_string(), &settings);
    Ok((buffer, file))
}

fn write(
    path: &str,
    text: &TextBuffer,
    file: &File,
    format: CostFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    for document in file.costs() {
        let line = text.position(document.start, PositionEncoding::Utf8).line + 1;
        let line = if has_marker(text, document.start) { line + 1 } else { line };
        for definition in &document.definitions {
            match format {
                CostFormat::Json => {
                    let priced = DefinitionOutput::new(path, document.index, line, definition);
                    serde_json::to_writer(&mut *out, &priced)?;
                    writeln!(out)?;
                }
                CostFormat::Human => table(path, text, definition, out)?,
            }
        }
    }
    Ok(())
}

/// Whether the line at `start` is nothing but the marker of a document.
fn has_marker(text: &TextBuffer, start: TextSize) -> bool {
    let line = text.slice(TextRange::new(start, text.len().min(start + 80)));
    let rest = line.lines().next().and_then(|line| line.strip_prefix("---")).map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

// ---- for scripts; names and order are those of the project's oracle

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DefinitionOutput<'a> {
    file: &'a str,
    doc_index: usize,
    line: u32,
    name: &'a str,
    versions: Vec<VersionOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionOutput<'a> {
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    total: u64,
    per_rule_limit: u64,
    total_limit: u64,
    runtime_per_call_limit: u64,
    rules: Vec<RuleOutput<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleOutput<'a> {
    path: String,
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    per_call: u64,
    max_cardinality: u64,
    bounded: bool,
    total: u64,
    uses_old_self: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    message_expression: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_expression_error: Option<&'a str>,
    #[serde(skip_serializing_if = "is_zero")]
    message_expression_cost: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'a> DefinitionOutput<'a> {
    fn new(file: &'a str, doc_index: usize, line: u32, cost: &'a DefinitionCost) -> Self {
        let versions = cost.versions.iter().map(VersionOutput::new).collect();
        Self { file, doc_index, line, name: &cost.name, versions }
    }
}

impl<'a> VersionOutput<'a> {
    fn new(cost: &'a VersionCost) -> Self {
        Self {
            version: &cost.version,
            error: cost.error.as_deref(),
            total: cost.total,
            per_rule_limit: EXPRESSION_LIMIT,
            total_limit: SCHEMA_LIMIT,
            runtime_per_call_limit: RUNTIME_LIMIT,
            rules: cost.rules.iter().map(RuleOutput::new).collect(),
        }
    }
}

impl<'a> RuleOutput<'a> {
    fn new(cost: &'a RuleCost) -> Self {
        Self {
            path: cost.path.to_string(),
            rule: &cost.rule,
            error: cost.error.as_deref(),
            per_call: cost.per_call,
            max_cardinality: cost.times,
            bounded: cost.bounded,
            total: cost.total,
            uses_old_self: cost.uses_old_self,
            message_expression: &cost.message_expression,
            message_expression_error: cost.message_expression_error.as_deref(),
            message_expression_cost: cost.message_expression_cost,
        }
    }
}

// ---- for people

fn table(path: &str, text: &TextBuffer, definition: &DefinitionCost, out: &mut impl Write) -> io::Result<()> {
    for version in &definition.versions {
        let share = percent(version.total, SCHEMA_LIMIT);
        let (name, total) = (&definition.name, version.total);
        let total = words(total);
        writeln!(out, "{name} {}: {total} of {SCHEMA_LIMIT} ({share})", version.version)?;
        if let Some(error) = &version.error {
            writeln!(out, "  {error}")?;
        }
        let mut rules: Vec<&RuleCost> = version.rules.iter().collect();
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.total));
        if !rules.is_empty() {
            let head = ("per call", "times", "total", "of rule", "of all");
            writeln!(out, "  {:>12} {:>9} {:>14} {:>9} {:>9}  rule", head.0, head.1, head.2, head.3, head.4)?;
        }
        for rule in rules {
            row(path, text, rule, out)?;
        }
    }
    Ok(())
}

fn row(path: &str, text: &TextBuffer, rule: &RuleCost, out: &mut impl Write) -> io::Result<()> {
    if let Some(error) = &rule.error {
        writeln!(out, "  {:>57}  {}", "cost unknown", shown(&rule.rule))?;
        writeln!(out, "  {:>57}    at {}", "", place(path, text, rule.range.start))?;
        return writeln!(out, "  {:>57}    {}", "", error.lines().next().unwrap_or_default());
    }
    let of_rule = percent(rule.total, EXPRESSION_LIMIT);
    let of_all = percent(rule.total, SCHEMA_LIMIT);
    let (call, times, total) = (words(rule.per_call), rule.times, words(rule.total));
    writeln!(out, "  {call:>12} {times:>9} {total:>14} {of_rule:>9} {of_all:>9}  {}", shown(&rule.rule))?;
    writeln!(out, "  {:>57}    at {}", "", place(path, text, rule.range.start))?;
    if rule.message_expression_cost > 0 {
        let share = percent(rule.message_expression_cost, EXPRESSION_LIMIT);
        writeln!(out, "  {:>57}    its message costs {} ({share})", "", words(rule.message_expression_cost))?;
    }
    for one in &rule.unbounded {
        let at = place(path, text, one.range.start);
        writeln!(out, "  {:>57}    no `{}` on {} ({at})", "", one.keyword(), one.place())?;
    }
    Ok(())
}

/// A cost for people; in JSON it stays the number of the estimate, of which 1,844,674,407,370,955,161 and more mean that
/// nothing bounds it.
fn words(cost: u64) -> String {
    if is_unbounded(cost) { "unbounded".to_owned() } else { cost.to_string() }
}

fn percent(part: u64, whole: u64) -> String {
    let share = part as f64 * 100.0 / whole as f64;
    match share {
        0.0 => "0 %".to_owned(),
        share if share < 0.1 => "< 0.1 %".to_owned(),
        share if share > 10_000.0 => "> 100x".to_owned(),
        share => format!("{share:.1} %"),
    }
}

fn place(path: &str, text: &TextBuffer, offset: TextSize) -> String {
    let position = text.position(offset, PositionEncoding::Utf32);
    format!("{path}:{}:{}", position.line + 1, position.character + 1)
}

/// A rule in one line.
fn shown(rule: &str) -> String {
    let line = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
