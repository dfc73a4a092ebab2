//! The log of slow, abandoned and rejected work. Off by default.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id};
use tracing::{Metadata, Span, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The environment variable with the level, if no argument sets it.
pub(crate) const VARIABLE: &str = "CRD_LS_LOG";

/// The time after which work is slow.
const SLOW: Duration = Duration::from_secs(1);
/// The time after which unfinished work is reported; it is reported again after each doubling of that time.
const HANGS: Duration = Duration::from_secs(5);
/// The interval at which unfinished work is checked.
const LOOKED_FOR: Duration = Duration::from_secs(1);

/// The destination of the log, and its content.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LogArgs {
    /// Append the log to FILE; without it, the log goes to standard error, which editors show.
    #[arg(long, value_name = "FILE")]
    log: Option<std::path::PathBuf>,
    /// The level of the log: off, error, warn (slow, abandoned and rejected work), info, debug (start and end of each
    /// analysis and request) or trace. The default is the value of CRD_LS_LOG, otherwise info with --log and off without it.
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<LevelFilter>,
}

impl LogArgs {
    /// Starts the log, if it is on. The error is for the user.
    pub(crate) fn start(&self) -> Result<(), String> {
        let Some(level) = self.level()? else { return Ok(()) };
        let writer = match &self.log {
            Some(path) => BoxMakeWriter::new(Mutex::new(opened(path)?)),
            None => BoxMakeWriter::new(io::stderr),
        };
        let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false).with_target(false);
        let running = OpenSpans::default();
        let started = tracing_subscriber::registry().with(level).with(lines).with(running.clone()).try_init();
        started.map_err(|error| format!("the log cannot be started: {error}"))?;
        running.watch();
        tracing::info!(version = env!("CARGO_PKG_VERSION"), process = std::process::id(), "the log starts");
        Ok(())
    }

    fn level(&self) -> Result<Option<LevelFilter>, String> {
        let level = match (self.log_level, std::env::var(VARIABLE)) {
            (Some(level), _) => Some(level),
            (None, Ok(named)) if !named.is_empty() => {
                let wrong = || {
                    format!(
                        "{VARIABLE}: '{named}' is not a level; use off, error, warn, info, debug or trace"
                    )
                };
                Some(named.parse().map_err(|_| wrong())?)
            }
            _ => self.log.is_some().then_some(LevelFilter::INFO),
        };
        Ok(level.filter(|level| *level != LevelFilter::OFF))
    }
}

fn opened(path: &Path) -> Result<std::fs::File, String> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.map_err(|error| format!("--log: {}: {error}", path.display()))
}

/// Runs `work`, and logs its beginning, its end, and whether it was slow. While it runs, its span is open.
pub(crate) fn observed<T>(span: &Span, work: impl FnOnce() -> T) -> T {
    let _inside = span.enter();
    let start = Instant::now();
    tracing::debug!("begins");
    let done = work();
    let took = start.elapsed();
    let ms = took.as_millis();
    if took >= SLOW {
        tracing::warn!(ms, "ends; it was slow");
    } else {
        tracing::debug!(ms, "ends");
    }
    done
}

/// The open spans, so that hanging work can be reported.
#[derive(Clone, Debug, Default)]
struct OpenSpans {
    open: Arc<Mutex<BTreeMap<u64, OpenSpan>>>,
}

#[derive(Debug)]
struct OpenSpan {
    description: String,
    since: Instant,
    /// The age at which the work is reported next.
    next_report_at: Duration,
}

impl OpenSpans {
    fn watch(self) {
        let watching = move || {
            loop {
                thread::sleep(LOOKED_FOR);
                for (what, age) in self.hanging(Instant::now()) {
                    tracing::warn!("{what} has been running for {} s", age.as_secs());
                }
            }
        };
        if let Err(error) = thread::Builder::new().name("log".to_owned()).spawn(watching) {
            tracing::warn!("slow work is not logged: {error}");
        }
    }

    /// The long-running work to report now, with its age.
    fn hanging(&self, now: Instant) -> Vec<(String, Duration)> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let hanging = open.values_mut().filter_map(|one| {
            let age = now.saturating_duration_since(one.since);
            (age >= one.next_report_at).then(|| {
                one.next_report_at = age * 2;
                (one.description.clone(), age)
            })
        });
        hanging.collect()
    }
}

impl<S: Subscriber> Layer<S> for OpenSpans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        let mut what = SpanText::of(attributes.metadata());
        attributes.record(&mut what);
        let open = OpenSpan { description: what.0, since: Instant::now(), next_report_at: HANGS };
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.into_u64(), open);
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.into_u64());
    }
}

/// A span with its fields, in one line.
struct SpanText(String);

impl SpanText {
    fn of(metadata: &Metadata<'_>) -> Self {
        Self(metadata.name().to_owned())
    }
}

impl Visit for SpanText {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Writing to a string does not fail.
        let _ = write!(self.0, " {}={value:?}", field.name());
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn hanging_work_is_reported_after_5_and_10_seconds_and_not_between() {
        let running = OpenSpans::default();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(running.clone()), || {
            let span = tracing::error_span!("analysis", uri = "file:///a.yaml", version = 3);
            let start = Instant::now();
            let after = |seconds| running.hanging(start + Duration::from_secs(seconds));
            assert!(after(4).is_empty());
            let [(what, _)] = &*after(6) else { unreachable!() };
            assert_eq!(what, "analysis uri=\"file:///a.yaml\" version=3");
            assert!(after(9).is_empty());
            assert_eq!(after(13).len(), 1);
            drop(span);
            assert!(after(100).is_empty());
        });
    }
}
