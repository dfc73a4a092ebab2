//! The language server. It uses tower-lsp for transport and life cycle, but its own scheduling.
//!
//! Notifications enter the inbox in wire order. Only the [`writer`] changes state. Requests are answered from snapshots
//! on the blocking pool. The thread that reads the client's messages never waits for the client.

mod adapter;
mod analysis;
mod checking;
mod closed_files;
mod cluster;
mod definition_answers;
mod document;
mod exit;
mod features;
mod folders;
mod go_answers;
mod go_files;
mod go_origins;
mod go_rename;
mod golang;
mod inbox;
mod indexing;
mod jobs;
mod outbox;
mod output;
mod repositories;
mod requests;
mod resource_counts;
mod snapshot;
mod suites;
mod symbols;
mod texts;
mod transport;
mod watcher;
mod wire;
mod workspace;
mod workspace_report;
mod workspace_view;
mod writer;

use std::io::{self, Write};
use std::process::ExitCode;

use tokio::runtime::{Builder, Handle};
use tower_lsp::LspService;

use adapter::{Adapter, Lifecycle};
use exit::Exit;
use inbox::Inbox;
use outbox::Outbox;
use output::Output;
use writer::Writer;

use crate::limits::STACK_BYTES;
use crate::log::LogArgs;

/// The maximum number of concurrent analyses and requests, each with a thread; two further threads serve stdin and stdout. A
/// document has one analysis and a few requests at a time, so more than a hundred documents with expensive requests are
/// necessary before another one waits for a thread. The system shares the processors among them.
const BLOCKING_THREADS: usize = 512;

/// Serves an editor over stdin and stdout until it sends `exit` or closes stdin.
pub(crate) fn run(log: &LogArgs) -> ExitCode {
    if let Err(problem) = log.start() {
        report_problem(&problem);
        return ExitCode::FAILURE;
    }
    jobs::report_panics();
    let runtime = Builder::new_multi_thread()
        .enable_time()
        .thread_stack_size(STACK_BYTES)
        .max_blocking_threads(BLOCKING_THREADS)
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            report_problem(&format!("cannot start: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let exit = Exit::default();
    runtime.block_on(serve(&exit));
    // A thread may still read stdin or analyse; the process does not wait for it.
    runtime.shutdown_background();
    exit.code()
}

async fn serve(exit: &Exit) {
    let output = Output::new(output::stdout());
    let inbox = Inbox::new(output.clone(), Handle::current());
    let (service, socket) = LspService::new(Lifecycle::new);
    let outbox = Outbox::new(service.inner().client().clone(), output.clone());
    let mut writer = Writer::new(inbox.clone(), outbox);
    inbox.start(move |message| writer.process(message));
    let adapter = Adapter::new(service, inbox.clone(), exit.clone());
    tokio::select! {
        () = transport::serve(adapter, socket, output, exit.clone()) => {}
        // The writer ends only after a bug. Without it nothing can be answered, so the process ends and the client restarts
        // it.
        () = inbox.stopped().cancelled() => report_problem("the writer stopped: it panicked"),
    }
}

/// Writes to stderr, which clients show in a log.
fn report_problem(problem: &str) {
    // If stderr is closed, the problem cannot be reported.
    let _ = writeln!(io::stderr(), "crd-ls: {problem}");
}
