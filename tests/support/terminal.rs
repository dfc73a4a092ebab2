//! A program in a separate terminal of tmux, to which keys are sent and whose screen is read.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The maximum time of a step. The machine may be busy with other work.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time between two reads of the screen.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// An Escape that is followed by a key within this time would be that key with Alt.
const ESCAPE_ALONE: Duration = Duration::from_millis(300);

/// A terminal of 160 columns and 50 lines.
pub(crate) struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Starts `program` in the directory `work`. `prepare` gives the command its environment.
    pub(crate) fn start(program: &[&str], work: &Path, prepare: impl FnOnce(&mut Command)) -> Self {
        let terminal = Self { socket: work.join("tmux") };
        let mut command = terminal.tmux(&["new-session", "-d", "-x", "160", "-y", "50"]);
        command.args(program).current_dir(work).env("LC_ALL", "C.UTF-8");
        prepare(&mut command);
        succeeded(&command.output().unwrap());
        terminal
    }

    /// Presses keys, by tmux's names or as text.
    pub(crate) fn press(&self, keys: &[&str]) {
        for key in keys {
            succeeded(&self.tmux(&["send-keys", key]).output().unwrap());
            if *key == "Escape" {
                sleep(ESCAPE_ALONE);
            }
        }
    }

    /// The lines of the screen once they are as `wanted`.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            assert!(Instant::now() < end, "waited in vain for {what}:\n{}", screen.join("\n"));
            sleep(LOOK_AGAIN);
        }
    }

    /// Waits until `text` is visible.
    pub(crate) fn until_seen(&self, text: &str) {
        self.until(text, |screen| screen.iter().any(|line| line.contains(text)));
    }

    fn screen(&self) -> Vec<String> {
        let output = self.tmux(&["capture-pane", "-p"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    fn tmux(&self, args: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        // Without the settings of the user who runs the tests, and in UTF-8.
        command.args(["-f", "/dev/null", "-u", "-S"]).arg(&self.socket).args(args);
        command
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // If the program has already ended, its terminal has as well.
        let _ = self.tmux(&["kill-server"]).output();
    }
}

/// The reason why no terminal is available, if there is none.
pub(crate) fn is_missing() -> Option<String> {
    Command::new("tmux").arg("-V").output().err().map(|error| format!("tmux cannot be run: {error}"))
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "tmux: {}", String::from_utf8_lossy(&output.stderr));
}
