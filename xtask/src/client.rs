//! A language client for measurements: it communicates with a program over pipes and notes when each answer was
//! complete.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The maximum time for an answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A message, the time at which its last byte was read, and its size in bytes.
pub(crate) struct ReceivedMessage {
    pub(crate) message: Value,
    pub(crate) at: Instant,
    pub(crate) bytes: usize,
}

/// A program and the communication with it.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    received: Receiver<ReceivedMessage>,
    /// Received messages that were not requested yet, in order.
    kept: VecDeque<ReceivedMessage>,
    next_id: i64,
    /// The start time of the program.
    pub(crate) started: Instant,
}

impl Client {
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let started = Instant::now();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("{command:?}: {error}"))?;
        let stdout = child.stdout.take().ok_or("the program has no stdout")?;
        let stdin = child.stdin.take();
        let (sender, received) = channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(body) = read(&mut stdout) {
                let at = Instant::now();
                let Ok(message) = serde_json::from_slice(&body) else { return };
                if sender.send(ReceivedMessage { message, at, bytes: body.len() }).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, stdin, received, kept: VecDeque::new(), next_id: 1, started })
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a notification. Returns the time at which writing started.
    pub(crate) fn notify(&mut self, method: &str, params: Value) -> Result<Instant, String> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request. Returns the time at which writing started, and the number of the request.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<(Instant, i64), String> {
        let id = self.next_id;
        self.next_id += 1;
        let at = self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok((at, id))
    }

    /// Sends a request and waits for its answer. Returns the elapsed time and the answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<(Duration, ReceivedMessage), String> {
        let (sent, id) = self.request(method, params)?;
        let answer = self.answer(id)?;
        Ok((answer.at.saturating_duration_since(sent), answer))
    }

    /// The answer to the request with a number.
    pub(crate) fn answer(&mut self, id: i64) -> Result<ReceivedMessage, String> {
        let answer = self.wait_for(|message| message["id"] == id && message.get("method").is_none())?;
        match answer.message.get("error") {
            Some(error) => Err(format!("request {id} was refused: {error}")),
            None => Ok(answer),
        }
    }

    /// Waits for the first message that `wanted` accepts. Requests of the program get empty answers.
    pub(crate) fn wait_for(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<ReceivedMessage, String> {
        if let Some(at) = self.kept.iter().position(|one| wanted(&one.message)) {
            return self.kept.remove(at).ok_or_else(|| "it was there".to_owned());
        }
        loop {
            let received = self.received.recv_timeout(PATIENCE);
            let received = received.map_err(|error| format!("no answer came: {error}"))?;
            if wanted(&received.message) {
                return Ok(received);
            }
            self.keep(received)?;
        }
    }

    /// Reads until no message has arrived for `quiet`, and returns the kept messages that `wanted` accepts.
    pub(crate) fn until_quiet(
        &mut self,
        quiet: Duration,
        wanted: impl Fn(&Value) -> bool,
    ) -> Result<Vec<ReceivedMessage>, String> {
        loop {
            match self.received.recv_timeout(quiet) {
                Ok(received) => self.keep(received)?,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err("the program has ended".to_owned()),
            }
        }
        let (taken, kept) = self.kept.drain(..).partition(|one: &ReceivedMessage| wanted(&one.message));
        let taken: VecDeque<ReceivedMessage> = taken;
        self.kept = kept;
        Ok(taken.into())
    }

    /// Sends `shutdown` and `exit`.
    pub(crate) fn leave(mut self) -> Result<ExitStatus, String> {
        self.ask("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        self.stdin = None;
        self.child.wait().map_err(|error| error.to_string())
    }

    fn keep(&mut self, received: ReceivedMessage) -> Result<(), String> {
        let message = &received.message;
        if message.get("method").is_some()
            && let Some(id) = message.get("id")
        {
            let answer = match message["params"]["items"].as_array() {
                Some(items) => json!({"jsonrpc": "2.0", "id": id, "result": vec![Value::Null; items.len()]}),
                None => json!({"jsonrpc": "2.0", "id": id, "result": null}),
            };
            self.send(&answer)?;
        }
        self.kept.push_back(received);
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Result<Instant, String> {
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let stdin = self.stdin.as_mut().ok_or("stdin is closed")?;
        let at = Instant::now();
        let written = stdin.write_all(framed.as_bytes()).and_then(|()| stdin.flush());
        written.map_err(|error| format!("the program does not read: {error}"))?;
        Ok(at)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The measurement has failed, or the program has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of the next message; `None` at the end.
fn read(stdout: &mut BufReader<ChildStdout>) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    stdout.read_exact(&mut body).ok()?;
    Some(body)
}
