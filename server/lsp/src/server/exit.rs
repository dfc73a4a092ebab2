//! The end of the process.

use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};

/// How long answers under way may take after `exit` or the end of stdin.
const GRACE: Duration = Duration::from_millis(500);

/// Ends the process on time, with the exit status that LSP demands: 0 after `shutdown`, 1 without it.
#[derive(Clone, Debug, Default)]
pub(super) struct Exit {
    shut_down: Arc<AtomicBool>,
    begun: Arc<AtomicBool>,
}

impl Exit {
    /// The client has asked for `shutdown`.
    pub(super) fn shut_down(&self) {
        self.shut_down.store(true, Ordering::SeqCst);
    }

    /// The client has said `exit` or gone: whatever still runs, the process ends within [`GRACE`].
    pub(super) fn begin(&self) {
        if self.begun.swap(true, Ordering::SeqCst) {
            return;
        }
        let status = i32::from(!self.shut_down.load(Ordering::SeqCst));
        let last_resort = move || {
            thread::sleep(GRACE);
            std::process::exit(status);
        };
        if thread::Builder::new().spawn(last_resort).is_err() {
            std::process::exit(status);
        }
    }

    /// The status for an orderly end.
    pub(super) fn code(&self) -> ExitCode {
        ExitCode::from(u8::from(!self.shut_down.load(Ordering::SeqCst)))
    }
}

/// An input that begins the exit where it ends; the transport alone would wait for all answers first.
pub(super) struct WatchedInput<I> {
    input: I,
    exit: Exit,
}

impl<I> WatchedInput<I> {
    pub(super) const fn new(input: I, exit: Exit) -> Self {
        Self { input, exit }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for WatchedInput<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        let ended = match &polled {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.exit.begin();
        }
        polled
    }
}
