//! `crd-ls cost`.

use std::io::{self, Write};
use std::process::ExitCode;

use answers::forms::cost::{DefinitionOutput, first_line};
use ide::{DefinitionCost, EXPRESSION_LIMIT, File, RuleCost, SCHEMA_LIMIT, cost_words};
use text::{PositionEncoding, TextBuffer, TextSize};

use super::docs;
use super::input::{settings_of, text_of};
use super::print::report_problem;
use super::walk::{Source, sources};
use crate::args::{CostArgs, CostFormat};
use crate::config::Projects;
use crate::pages::Subject;
use crate::status::{CLEAN, FAILED};

/// The maximum length of a rule in the table, in characters; longer rules are truncated.
const MAX_SHOWN: usize = 60;

/// Lists the costs of the rules in the files that the arguments name.
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
            // A reader that closes the pipe early, as `head` does, is not a failure.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => problems.push(format!("cannot write the costs: {error}")),
        }
    }
    if let Err(error) = out.flush()
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        problems.push(format!("cannot write the costs: {error}"));
    }
    problems.iter().for_each(|problem| report_problem(problem));
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
        let line = first_line(text, document.start);
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

fn table(path: &str, text: &TextBuffer, definition: &DefinitionCost, out: &mut impl Write) -> io::Result<()> {
    for version in &definition.versions {
        let share = percent(version.total, SCHEMA_LIMIT);
        let (name, total, limit) = (&definition.name, cost_words(version.total), cost_words(SCHEMA_LIMIT));
        writeln!(out, "{name} {}: {total} of {limit} ({share})", version.version)?;
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
            write_row(path, text, rule, out)?;
        }
    }
    Ok(())
}

fn write_row(path: &str, text: &TextBuffer, rule: &RuleCost, out: &mut impl Write) -> io::Result<()> {
    if let Some(error) = &rule.error {
        writeln!(out, "  {:>57}  {}", "cost unknown", in_one_line(&rule.rule))?;
        writeln!(out, "  {:>57}    at {}", "", place(path, text, rule.range.start))?;
        return writeln!(out, "  {:>57}    {}", "", error.lines().next().unwrap_or_default());
    }
    let of_rule = percent(rule.total, EXPRESSION_LIMIT);
    let of_all = percent(rule.total, SCHEMA_LIMIT);
    let (call, times, total) = (cost_words(rule.per_call), cost_words(rule.times), cost_words(rule.total));
    writeln!(
        out,
        "  {call:>12} {times:>9} {total:>14} {of_rule:>9} {of_all:>9}  {}",
        in_one_line(&rule.rule)
    )?;
    writeln!(out, "  {:>57}    at {}", "", place(path, text, rule.range.start))?;
    if rule.message_expression_cost > 0 {
        let share = percent(rule.message_expression_cost, EXPRESSION_LIMIT);
        writeln!(
            out,
            "  {:>57}    its message costs {} ({share})",
            "",
            cost_words(rule.message_expression_cost)
        )?;
    }
    for one in &rule.unbounded {
        let at = place(path, text, one.range.start);
        writeln!(out, "  {:>57}    {} ({at})", "", one.problem())?;
    }
    Ok(())
}

fn percent(part: u64, total: u64) -> String {
    let share = part as f64 * 100.0 / total as f64;
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
fn in_one_line(rule: &str) -> String {
    let line = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
