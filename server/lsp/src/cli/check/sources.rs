//! The checks of the sources, on all processors.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ide::{File, ParsedText, Severity, Surroundings};

use super::context::{CheckedSource, Context};
use crate::analyse::{MAX_ROUNDS, fix_all};
use crate::cli::print::report_problem;
use crate::cli::walk::Source;
use crate::definitions;
use crate::limits::{MAX_BYTES, STACK_BYTES, UndecodableBytes, not_utf8, too_large};
use crate::opened_files::OpenResult;
use crate::replace;
use crate::report::{Coverage, Report, undecodable};

pub(super) type Outcome = Result<Report, String>;

/// The outcome for each source, in their order, computed on all processors.
pub(super) fn check_all(sources: &[Source], context: &Context<'_>) -> Vec<Outcome> {
    let crashed =
        |source: &Source| Err(format!("{}: the check crashed; please report it", source.path.display()));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(at) else { return done };
            let outcome = catch_unwind(AssertUnwindSafe(|| check_one(source, context)));
            done.push((at, outcome.unwrap_or_else(|_| crashed(source))));
        }
    };
    let wanted = thread::available_parallelism().map_or(1, NonZero::get).min(sources.len());
    let done = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..wanted).filter_map(|at| start(at).ok()).collect();
        if workers.is_empty() {
            work()
        } else {
            workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect::<Vec<_>>()
        }
    });
    // A source whose worker panicked keeps this outcome, which reports the crash.
    let mut outcomes: Vec<Outcome> = sources.iter().map(crashed).collect();
    for (at, outcome) in done {
        if let Some(place) = outcomes.get_mut(at) {
            *place = outcome;
        }
    }
    outcomes
}

fn check_one(source: &Source, context: &Context<'_>) -> Outcome {
    let args = context.args;
    let path = source.path.display().to_string();
    let opened = context.take_opened(source);
    if let Some(OpenResult::Done(settled)) = opened {
        return settled.report(&source.path, &context.catalog);
    }
    let (parsed, file) = match analysed(source, opened, context)? {
        Ok(analysed) => analysed,
        Err(mut report) => {
            let rules = context.args.settings_of(source, &context.projects)?.rules;
            report.findings.retain_mut(|finding| rules.admit(finding));
            return Ok(*report);
        }
    };
    // A generated file changes with its source.
    if !context.fixes || context.origins.owns(&source.path) {
        return Ok(context.report(source, &parsed, &file));
    }
    let buffer = parsed.buffer().clone();
    let fixed = fix_all(&file, &buffer);
    if fixed.is_cut {
        report_problem(&format!(
            "{path}: not all safe fixes were applied within {MAX_ROUNDS} rounds; run --fix again"
        ));
    }
    let changed = fixed.buffer != buffer;
    if changed && !source.is_stdin() && !args.diff {
        replace::replace(&source.path, &buffer.to_string(), &fixed.buffer.to_string())
            .map_err(|error| format!("{path}: cannot write the fixes: {error}"))?;
    }
    let coverage = Coverage::of(&fixed.file, &|| fixed.buffer.to_string());
    let report =
        Report::analysed(path, fixed.buffer.into(), &fixed.file, coverage, context.form(&source.path));
    Ok(if changed { report.fixed_from(buffer, !args.diff) } else { report })
}

/// The analysis of a source, or a report with the reason why there is none.
pub(super) fn analysed(
    source: &Source,
    opened: Option<OpenResult<CheckedSource>>,
    context: &Context<'_>,
) -> Result<Result<(ParsedText, File), Box<Report>>, String> {
    let parsed = match opened {
        Some(OpenResult::Parsed(parsed)) => parsed,
        opened => match text_to_check(source, opened, context)? {
            Ok(text) => ParsedText::new(text),
            Err(report) => return Ok(Err(report)),
        },
    };
    let settings = context.args.settings_of(source, &context.projects)?;
    let surroundings = Surroundings {
        catalog: context.catalog.clone(),
        source: definitions::source_name(&source.path).into(),
        stored: context.stored_state.stored_of(source)?,
        base: None,
    };
    let file = File::of(&parsed, &settings, surroundings);
    Ok(Ok((parsed, file)))
}

/// The text of a source, or a report with the reason why there is none.
fn text_to_check(
    source: &Source,
    opened: Option<OpenResult<CheckedSource>>,
    context: &Context<'_>,
) -> Result<Result<String, Box<Report>>, String> {
    let path = source.path.display().to_string();
    let bytes = match context.read(source, opened) {
        // The file was removed after the walk.
        Err(_) if !source.is_named && !source.path.exists() => {
            return Ok(Err(Box::new(Report::deleted(path))));
        }
        read => read.map_err(|error| format!("{path}: {error}"))?,
    };
    // A walk may find any kind of file; a file that the user names should be readable.
    let severity = if source.is_named { Severity::Error } else { Severity::Warning };
    if bytes.len() > MAX_BYTES {
        return Ok(Err(Box::new(Report::unanalysed(path, "", vec![too_large(severity)]))));
    }
    if let Some(undecodable) = UndecodableBytes::at_start_of(&bytes) {
        let finding = not_utf8(severity, undecodable);
        return Ok(Err(Box::new(Report::unanalysed(path, "", vec![finding]))));
    }
    Ok(String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        Box::new(undecodable(path, error.as_bytes(), valid, severity))
    }))
}
