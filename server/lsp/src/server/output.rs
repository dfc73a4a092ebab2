//! Messages to the client, in the order in which they are left here. A thread waits for them and writes them. A thread that
//! may wait for the client writes them itself, which avoids waking the other thread.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use answers::lsp::JsonText;
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tower_lsp::jsonrpc::{Id, Response, Result};
use tower_lsp::ls_types::PublishDiagnosticsParams;
use tower_lsp::ls_types::notification::{Notification, PublishDiagnostics};

/// The size of the buffer; most messages are smaller and are written in one piece.
const BUFFERED: usize = 64 << 10;

/// A message to the client, encoded.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A complete message.
    Message(Vec<u8>),
    /// The answer to a request, without a copy of its text.
    Answer { id: Id, result: JsonText },
}

/// A notification in its encoding.
#[derive(Serialize)]
struct NotificationMessage<'p, P> {
    jsonrpc: &'static str,
    method: &'static str,
    params: &'p P,
}

impl Outgoing {
    pub(super) fn answer(id: Id, result: Result<JsonText>) -> Option<Self> {
        match result {
            Ok(result) => Some(Self::Answer { id, result }),
            Err(error) => Self::of(&Response::from_error(id, error)),
        }
    }

    pub(super) fn notification<N: Notification>(params: &N::Params) -> Option<Self> {
        Self::of(&NotificationMessage { jsonrpc: "2.0", method: N::METHOD, params })
    }

    /// The encoding of a message of the protocol; all of them can be encoded.
    pub(super) fn of(message: &impl Serialize) -> Option<Self> {
        serde_json::to_vec(message).ok().map(Self::Message)
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut write_parts = |parts: &[&[u8]]| {
            let length: usize = parts.iter().map(|part| part.len()).sum();
            write!(output, "Content-Length: {length}\r\n\r\n")?;
            parts.iter().try_for_each(|part| output.write_all(part))
        };
        match self {
            Self::Message(message) => write_parts(&[message]),
            Self::Answer { id, result } => {
                let id = serde_json::to_vec(id)?;
                write_parts(&[
                    br#"{"jsonrpc":"2.0","id":"#,
                    &id,
                    br#","result":"#,
                    result.as_str().as_bytes(),
                    b"}",
                ])
            }
        }
    }
}

/// The queue of messages to the client. Leaving a message never blocks. Clones share the queue.
#[derive(Clone)]
pub(super) struct Output(Arc<OutputState>);

struct OutputState {
    queue: Mutex<OutputQueue>,
    /// Notified when there is something to write, or when the output is closed.
    changed: Condvar,
    /// Used by the thread that has set [`OutputQueue::is_writing`].
    client: Mutex<Box<dyn Write + Send>>,
}

#[derive(Default)]
struct OutputQueue {
    messages: VecDeque<QueuedOutput>,
    /// The latest diagnostics of each document with a publication among the messages.
    publications: BTreeMap<String, PublishDiagnosticsParams>,
    is_writing: bool,
    /// Whether the client no longer reads, or the server has ended.
    is_closed: bool,
}

enum QueuedOutput {
    /// A message, with a permit that is released once the message is written.
    Message(Outgoing, Option<OwnedSemaphorePermit>),
    /// The latest diagnostics of the document with this URI.
    Publication(String),
}

impl std::fmt::Debug for Output {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    pub(super) fn new(client: impl Write + Send + 'static) -> Self {
        let client = Mutex::new(Box::new(BufWriter::with_capacity(BUFFERED, client)) as Box<_>);
        Self(Arc::new(OutputState { queue: Mutex::default(), changed: Condvar::new(), client }))
    }

    /// Leaves a message and wakes the writing thread; `permit` is held until the message is written.
    pub(super) fn send(&self, message: Outgoing, permit: Option<OwnedSemaphorePermit>) {
        self.leave(message, permit);
        self.wake();
    }

    /// Leaves a message for the next thread that writes.
    pub(super) fn leave(&self, message: Outgoing, permit: Option<OwnedSemaphorePermit>) {
        let mut waiting = self.waiting();
        if !waiting.is_closed {
            waiting.messages.push_back(QueuedOutput::Message(message, permit));
        }
    }

    /// Leaves the diagnostics of a document for the next thread that writes. They replace those that have not been written
    /// yet.
    pub(super) fn publish(&self, publication: PublishDiagnosticsParams) {
        let mut waiting = self.waiting();
        let uri = publication.uri.as_str().to_owned();
        if !waiting.is_closed && waiting.publications.insert(uri.clone(), publication).is_none() {
            waiting.messages.push_back(QueuedOutput::Publication(uri));
        }
    }

    /// Whether there are messages that no thread is writing.
    pub(super) fn is_waiting(&self) -> bool {
        let waiting = self.waiting();
        !waiting.messages.is_empty() && !waiting.is_writing
    }

    /// Wakes the writing thread, if there are messages for it.
    pub(super) fn wake(&self) {
        if self.is_waiting() {
            self.0.changed.notify_one();
        }
    }

    /// Writes the waiting messages, unless another thread does. Blocks if the client reads slowly.
    pub(super) fn write(&self) {
        let mut waiting = self.waiting();
        if !waiting.messages.is_empty() && !waiting.is_writing {
            waiting.is_writing = true;
            drop(waiting);
            self.write_all();
        }
    }

    /// Writes messages until [`Self::close`], including those that are waiting then.
    pub(super) fn serve(&self) {
        loop {
            let waiting = self.waiting();
            let is_idle = |waiting: &mut OutputQueue| {
                waiting.is_writing || waiting.messages.is_empty() && !waiting.is_closed
            };
            let mut waiting =
                self.0.changed.wait_while(waiting, is_idle).unwrap_or_else(PoisonError::into_inner);
            if waiting.messages.is_empty() {
                return;
            }
            waiting.is_writing = true;
            drop(waiting);
            self.write_all();
        }
    }

    /// Closes the output: no more messages are accepted.
    pub(super) fn close(&self) {
        self.waiting().is_closed = true;
        self.0.changed.notify_all();
    }

    /// Writes all messages, including those that arrive meanwhile.
    fn write_all(&self) {
        let mut client = self.0.client.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_flushed = true;
        loop {
            let next = {
                let mut waiting = self.waiting();
                let next = waiting.messages.pop_front();
                if next.is_none() && is_flushed {
                    waiting.is_writing = false;
                    if waiting.is_closed {
                        self.0.changed.notify_all();
                    }
                    return;
                }
                match next {
                    Some(QueuedOutput::Publication(uri)) => {
                        waiting.publications.remove(&uri).map(EncodedOutput::Published)
                    }
                    Some(QueuedOutput::Message(message, permit)) => {
                        Some(EncodedOutput::Message(message, permit))
                    }
                    None => None,
                }
            };
            is_flushed = next.is_none();
            let written = match next {
                Some(next) => next.write(&mut *client),
                None => client.flush(),
            };
            if written.is_err() {
                return self.close_without_client();
            }
        }
    }

    /// Closes the output and drops its messages, because the client no longer reads.
    fn close_without_client(&self) {
        let mut waiting = self.waiting();
        *waiting = OutputQueue { is_closed: true, ..OutputQueue::default() };
        self.0.changed.notify_all();
    }

    fn waiting(&self) -> MutexGuard<'_, OutputQueue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum EncodedOutput {
    Message(Outgoing, Option<OwnedSemaphorePermit>),
    Published(PublishDiagnosticsParams),
}

impl EncodedOutput {
    /// Writes the message and releases its permit.
    fn write(self, client: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Message(message, _permit) => message.write(client),
            Self::Published(publication) => Outgoing::notification::<PublishDiagnostics>(&publication)
                .map_or(Ok(()), |message| message.write(client)),
        }
    }
}

/// The process's standard output without the line buffer of [`io::stdout`], which would write each message in two
/// pieces.
pub(super) fn stdout() -> Box<dyn Write + Send> {
    #[cfg(unix)]
    let own = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let own = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    match own {
        Ok(own) => Box::new(std::fs::File::from(own)),
        Err(_) => Box::new(io::stdout()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// A client that reports the bytes it reads, once it is allowed to read.
    struct Client {
        may_read: mpsc::Receiver<()>,
        read: mpsc::Sender<String>,
    }

    impl Write for Client {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.may_read.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.read.send(String::from_utf8(bytes.to_vec()).unwrap()).unwrap();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn client() -> (Output, mpsc::Sender<()>, mpsc::Receiver<String>) {
        let ((let_read, may_read), (read, texts)) = (mpsc::channel(), mpsc::channel());
        (Output::new(Client { may_read, read }), let_read, texts)
    }

    fn message(text: &str) -> Outgoing {
        Outgoing::Message(text.as_bytes().to_vec())
    }

    fn publication(version: i32) -> PublishDiagnosticsParams {
        let uri = "file:///a.yaml".parse().unwrap();
        PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: Some(version) }
    }

    #[test]
    fn a_writing_thread_writes_later_messages_and_only_the_newest_diagnostics() {
        let (output, let_read, texts) = client();
        output.leave(message("first"), None);
        let writing = thread::spawn({
            let output = output.clone();
            move || output.write()
        });
        // Wait until that thread writes.
        while output.is_waiting() {
            thread::yield_now();
        }
        output.publish(publication(1));
        output.leave(message("last"), None);
        output.publish(publication(2));
        // This does not wait for the other thread.
        output.write();
        (0..3).for_each(|_| let_read.send(()).unwrap());
        writing.join().unwrap();
        drop(output);
        let texts: Vec<String> = texts.iter().collect();
        let all = texts.concat();
        assert!(all.contains(r#""version":2"#) && !all.contains(r#""version":1"#), "{all}");
        assert!(all.ends_with("Content-Length: 4\r\n\r\nlast"), "{all}");
    }

    #[test]
    fn remaining_messages_are_written_before_the_end() {
        let (output, let_read, texts) = client();
        let serving = thread::spawn({
            let output = output.clone();
            move || output.serve()
        });
        let_read.send(()).unwrap();
        output.send(message("one"), None);
        assert_eq!(texts.recv().unwrap(), "Content-Length: 3\r\n\r\none");
        output.leave(message("two"), None);
        output.close();
        output.leave(message("three"), None);
        let_read.send(()).unwrap();
        serving.join().unwrap();
        assert_eq!(texts.recv().unwrap(), "Content-Length: 3\r\n\r\ntwo");
        assert!(!output.is_waiting());
    }

    #[test]
    fn writing_ends_without_a_client() {
        let (output, let_read, _texts) = client();
        drop(let_read);
        output.leave(message("one"), None);
        output.serve();
        output.leave(message("two"), None);
        assert!(!output.is_waiting());
    }
}
