//! Messages on stdin and stdout. A thread reads and a thread writes: neither waits for what the runtime does, and an answer
//! is text before it comes here, so that a large one holds up nothing.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::sync::Arc;

use futures_util::{Sink, SinkExt, StreamExt};
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tower_lsp::ClientSocket;
use tower_lsp::jsonrpc::{Error, Id, Response, Result};

use super::adapter::Adapter;
use super::exit::Exit;
use super::wire::{self, Incoming};

/// How many requests are looked after at once. Each waits without holding a thread, so that a cancelled or a quick one
/// never queues behind slow ones.
const CONCURRENT_REQUESTS: u32 = 1024;

/// How many messages wait for a client that does not read.
const QUEUE: usize = 64;

/// A message to the client, written.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// As it is.
    Message(Vec<u8>),
    /// The answer to a request, without a copy of its text.
    Answer { id: Id, result: Body },
}

/// A value as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body(String);

impl Body {
    /// # Errors
    ///
    /// Where the value cannot be written as JSON.
    pub(super) fn of(value: &impl Serialize) -> Result<Self> {
        serde_json::to_string(value).map(Self).map_err(|_| Error::internal_error())
    }
}

impl Outgoing {
    pub(super) fn answer(id: Id, result: Result<Body>) -> Option<Self> {
        match result {
            Ok(result) => Some(Self::Answer { id, result }),
            Err(error) => Self::of(&Response::from_error(id, error)),
        }
    }

    /// A message that tower-lsp made; they can all be written.
    pub(super) fn of(message: &impl Serialize) -> Option<Self> {
        serde_json::to_vec(message).ok().map(Self::Message)
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let whole = |output: &mut dyn Write, parts: &[&[u8]]| {
            let length: usize = parts.iter().map(|part| part.len()).sum();
            write!(output, "Content-Length: {length}\r\n\r\n")?;
            parts.iter().try_for_each(|part| output.write_all(part))
        };
        match self {
            Self::Message(message) => whole(output, &[message]),
            Self::Answer { id, result } => {
                let id = serde_json::to_vec(id)?;
                whole(
                    output,
                    &[br#"{"jsonrpc":"2.0","id":"#, &id, br#","result":"#, result.0.as_bytes(), b"}"],
                )
            }
        }
    }
}

/// Serves until the client says `exit` or closes stdin, and all answers under way are written.
pub(super) async fn serve(adapter: Adapter, socket: ClientSocket, exit: Exit) {
    let (mut requests, responses) = socket.split();
    let (output, queue) = mpsc::channel(QUEUE);
    let permits = Arc::new(Semaphore::new(CONCURRENT_REQUESTS as usize));
    let writing = spawn_blocking(move || write(BufWriter::new(io::stdout().lock()), queue));
    let questions = output.clone();
    let asking = tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            if let Some(message) = Outgoing::of(&request)
                && questions.send(message).await.is_err()
            {
                return;
            }
        }
    });
    let connection =
        Connection { adapter, responses, output, permits: Arc::clone(&permits), runtime: Handle::current() };
    // It ends with the input, also where it panics.
    let _ = spawn_blocking(move || connection.read(BufReader::new(io::stdin().lock()))).await;
    exit.begin();
    // The answers under way.
    let _ = permits.acquire_many(CONCURRENT_REQUESTS).await;
    asking.abort();
    let _ = asking.await;
    let _ = writing.await;
}

/// The side of the client's messages.
struct Connection<R> {
    adapter: Adapter,
    /// Takes answers to questions of ours.
    responses: R,
    output: mpsc::Sender<Outgoing>,
    permits: Arc<Semaphore>,
    runtime: Handle,
}

impl<R: Sink<Response> + Unpin> Connection<R> {
    /// Acts on one message after another until there are no more.
    fn read(mut self, mut input: impl BufRead) {
        while let Ok(Some(incoming)) = wire::next(&mut input) {
            match incoming {
                Incoming::Request(request) => {
                    let (is_first, is_last) = (request.method() == "initialize", request.method() == "exit");
                    let Ok(permit) = self.runtime.block_on(Arc::clone(&self.permits).acquire_owned()) else {
                        return;
                    };
                    let answer = self.adapter.call(request);
                    let output = self.output.clone();
                    let answering = self.runtime.spawn(async move {
                        if let Some(answer) = answer.await {
                            // Otherwise nobody reads any more.
                            let _ = output.send(answer).await;
                        }
                        drop(permit);
                    });
                    // tower-lsp is ready for others once it has answered.
                    if is_first {
                        let _ = self.runtime.block_on(answering);
                    }
                    if is_last {
                        return;
                    }
                }
                // An answer to a question that nobody asked is no concern of ours.
                Incoming::Response(response) => drop(self.runtime.block_on(self.responses.send(response))),
                Incoming::Unreadable => {
                    let told = Outgoing::of(&Response::from_error(Id::Null, Error::parse_error()));
                    if let Some(told) = told {
                        let _ = self.output.blocking_send(told);
                    }
                }
            }
        }
    }
}

/// Writes messages until there are no more to come, or the client does not read any more.
fn write(mut output: impl Write, mut queue: mpsc::Receiver<Outgoing>) {
    let mut next = queue.blocking_recv();
    while let Some(message) = next {
        if message.write(&mut output).is_err() {
            return;
        }
        next = match queue.try_recv() {
            Ok(message) => Some(message),
            Err(_) if output.flush().is_err() => return,
            Err(_) => queue.blocking_recv(),
        };
    }
}
