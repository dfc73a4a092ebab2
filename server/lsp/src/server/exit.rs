//! The end of the process.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The maximum time for running answers after `exit` or the end of stdin.
const GRACE: Duration = Duration::from_millis(500);

/// Ends the process on time, with the exit status that LSP requires: 0 after `shutdown`, 1 without it.
#[derive(Clone, Debug, Default)]
pub(super) struct Exit {
    shut_down: Arc<AtomicBool>,
    has_begun: Arc<AtomicBool>,
}

impl Exit {
    /// Records that the client has requested `shutdown`.
    pub(super) fn shut_down(&self) {
        self.shut_down.store(true, Ordering::SeqCst);
    }

    /// Begins the exit after `exit` or the end of stdin: the process ends within [`GRACE`], even if answers are still running.
    pub(super) fn begin(&self) {
        if self.has_begun.swap(true, Ordering::SeqCst) {
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
