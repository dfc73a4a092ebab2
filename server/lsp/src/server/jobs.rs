//! Work beside the writer. However it ends, the writer hears of it: one that waited for a job that crashed would wait for
//! ever.

use std::backtrace::Backtrace;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tracing::Span;

use super::inbox::{Inbox, Message};
use crate::log::observed;

/// Runs `work` on the pool. Where it panics, the writer gets `crashed` in place of what the work would have told.
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
            // The writer ends only with the process.
            let _ = inbox.send(crashed());
        }
    });
}

/// Panics are told with a backtrace, on stderr, which clients show, and in the log.
pub(super) fn tell_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        let backtrace = Backtrace::force_capture();
        // Nobody is left to tell when stderr is closed.
        let _ = writeln!(io::stderr(), "{backtrace}");
        tracing::error!(%backtrace, "{panic}");
    }));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use tokio::sync::mpsc;

    use super::*;

    #[test]
    fn the_writer_hears_of_a_job_that_panics() {
        let (inbox, mut messages) = mpsc::unbounded_channel();
        run(&inbox, &Span::none(), || Message::Compared(Vec::new()), |_| panic!("on purpose"));
        assert!(matches!(messages.try_recv(), Ok(Message::Compared(_))));
        run(
            &inbox,
            &Span::none(),
            || Message::Compared(Vec::new()),
            |inbox| {
                inbox.send(Message::CatchUp).unwrap();
            },
        );
        assert!(matches!(messages.try_recv(), Ok(Message::CatchUp)));
        assert!(messages.try_recv().is_err());
    }
}
