//! Work in parallel with the writer. However a job ends, the writer gets a message; otherwise it would wait forever for a job
//! that crashed.

use std::backtrace::Backtrace;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tracing::Span;

use super::inbox::{Inbox, Message};
use crate::log::observed;

/// Runs `work` on the pool. If it panics, the writer gets `crashed` instead of the result.
pub(super) fn start(
    inbox: &Inbox,
    span: Span,
    crashed: impl FnOnce() -> Message + Send + 'static,
    work: impl FnOnce(&Inbox) + Send + 'static,
) {
    let inbox = inbox.clone();
    tokio::task::spawn_blocking(move || run(&inbox, &span, crashed, work));
}

fn run(inbox: &Inbox, span: &Span, crashed: impl FnOnce() -> Message, work: impl FnOnce(&Inbox)) {
    observed(span, || {
        if catch_unwind(AssertUnwindSafe(|| work(inbox))).is_err() {
            inbox.send(crashed());
        }
    });
}

/// Reports panics with a backtrace on stderr, which clients show, and in the log.
pub(super) fn report_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        let backtrace = Backtrace::force_capture();
        // If stderr is closed, the backtrace cannot be reported.
        let _ = writeln!(io::stderr(), "{backtrace}");
        tracing::error!(%backtrace, "{panic}");
    }));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::sync::mpsc;

    use tokio::runtime::Handle;

    use super::*;
    use crate::server::output::Output;

    #[tokio::test]
    async fn a_panic_of_a_job_is_reported_to_the_writer() {
        let inbox = Inbox::new(Output::new(io::sink()), Handle::current());
        let (sender, receiver) = mpsc::channel();
        inbox.start(move |message| sender.send(message).unwrap());
        run(&inbox, &Span::none(), || Message::Compared(Vec::new()), |_| panic!("on purpose"));
        tokio::task::yield_now().await;
        assert!(matches!(receiver.try_recv(), Ok(Message::Compared(_))));
        run(&inbox, &Span::none(), || Message::Compared(Vec::new()), |inbox| inbox.process(Message::CatchUp));
        assert!(matches!(receiver.try_recv(), Ok(Message::CatchUp)));
        assert!(receiver.try_recv().is_err());
    }
}
