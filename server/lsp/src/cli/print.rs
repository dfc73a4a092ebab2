//! Shared code of commands that show something: they write to stdout and report their problems on stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::status::{CLEAN, FAILED, FINDINGS};

/// The output of a command.
#[derive(Debug, Default)]
pub(super) struct CommandOutput {
    /// The text for stdout.
    pub(super) text: String,
    /// Further notes, for stderr.
    pub(super) notes: Vec<String>,
    /// Whether it shows something bad, which makes the exit status 1.
    pub(super) bad: bool,
    /// The problems, for stderr.
    pub(super) problems: Vec<String>,
}

impl CommandOutput {
    /// Adds a value as one line of JSON.
    pub(super) fn json_line(&mut self, value: &impl serde::Serialize) {
        match serde_json::to_string(value) {
            Ok(line) => self.text.extend([&*line, "\n"]),
            Err(error) => self.problems.push(format!("cannot write JSON: {error}")),
        }
    }

    /// Writes all of it.
    pub(super) fn write(mut self) -> ExitCode {
        let mut out = io::stdout().lock();
        if let Err(error) = out.write_all(self.text.as_bytes()).and_then(|()| out.flush())
            // A reader that closes the pipe early, as `head` does, is not a failure.
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.problems.push(format!("cannot write: {error}"));
        }
        self.notes.iter().for_each(|note| print_note(note));
        self.problems.iter().for_each(|problem| report_problem(problem));
        ExitCode::from(match (self.problems.is_empty(), self.bad) {
            (false, _) => FAILED,
            (true, true) => FINDINGS,
            (true, false) => CLEAN,
        })
    }
}

/// A JSON text as a raw value, which can be part of other values.
pub(super) fn parsed(json: &str) -> Option<Box<serde_json::value::RawValue>> {
    serde_json::value::RawValue::from_string(json.to_owned()).ok()
}

/// Prints to stderr why something was not checked.
pub(super) fn report_problem(problem: &str) {
    print_note(&format!("crd-ls: {problem}"));
}

/// Writes a line to stderr.
pub(super) fn print_note(line: &str) {
    // If stderr is closed, the line cannot be reported; the exit status still shows the result.
    let _ = writeln!(io::stderr(), "{line}");
}
