//! Messages on stdin and stdout. One thread reads, and never waits for work of the runtime. Answers are encoded before they
//! arrive here, so that a large one does not delay others.

use std::io::{self, BufRead, BufReader};
use std::sync::Arc;

use futures_util::{Sink, SinkExt, StreamExt};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tower_lsp::ClientSocket;
use tower_lsp::jsonrpc::{Error, Id, Response};

use super::adapter::Adapter;
use super::exit::Exit;
use super::output::{Outgoing, Output};
use super::wire::{self, Incoming};

/// The maximum number of concurrent requests. A waiting request holds no thread, so that a cancelled or fast one never queues
/// behind slow ones.
const CONCURRENT_REQUESTS: u32 = 1024;

/// Serves until the client sends `exit` or closes stdin, and all running answers are written.
pub(super) async fn serve(adapter: Adapter, socket: ClientSocket, output: Output, exit: Exit) {
    let (mut requests, responses) = socket.split();
    let permits = Arc::new(Semaphore::new(CONCURRENT_REQUESTS as usize));
    let writing = spawn_blocking({
        let output = output.clone();
        move || output.serve()
    });
    let questions = output.clone();
    let asking = tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            if let Some(message) = Outgoing::of(&request) {
                questions.send(message, None);
            }
        }
    });
    let connection = Connection {
        adapter,
        responses,
        output: output.clone(),
        permits: Arc::clone(&permits),
        runtime: Handle::current(),
    };
    // The reading ends with the input, or if it panics.
    let _ = spawn_blocking(move || connection.read(BufReader::new(io::stdin().lock()))).await;
    exit.begin();
    // Wait for the running answers.
    let _ = permits.acquire_many(CONCURRENT_REQUESTS).await;
    asking.abort();
    let _ = asking.await;
    output.close();
    let _ = writing.await;
}

/// The reading side of the connection.
struct Connection<R> {
    adapter: Adapter,
    /// Takes answers to requests of the server.
    responses: R,
    output: Output,
    permits: Arc<Semaphore>,
    runtime: Handle,
}

impl<R: Sink<Response> + Unpin> Connection<R> {
    /// Processes one message after another until there are no more.
    fn read(mut self, mut input: impl BufRead) {
        while let Ok(Some(incoming)) = wire::next(&mut input) {
            match incoming {
                Incoming::Request(request) => {
                    let (is_first, is_last) = (request.method() == "initialize", request.method() == "exit");
                    let permit = request.id().is_some().then(|| self.permit());
                    let Some(answer) = self.adapter.call(request) else { continue };
                    let output = self.output.clone();
                    let answering = self.runtime.spawn(async move {
                        if let Some(answer) = answer.await {
                            output.send(answer, permit.flatten());
                        }
                    });
                    // tower-lsp is ready for other requests once it has answered this one.
                    if is_first {
                        let _ = self.runtime.block_on(answering);
                    }
                    if is_last {
                        return;
                    }
                }
                // An answer to a request that the server did not send is ignored.
                Incoming::Response(response) => drop(self.runtime.block_on(self.responses.send(response))),
                Incoming::Unreadable => {
                    let response = Outgoing::of(&Response::from_error(Id::Null, Error::parse_error()));
                    if let Some(response) = response {
                        let permit = self.permit();
                        self.output.send(response, permit);
                    }
                }
            }
        }
    }

    /// Waits for one of the permits, which are never closed: messages of a client that does not read its answers are not read
    /// either.
    fn permit(&self) -> Option<OwnedSemaphorePermit> {
        self.runtime.block_on(Arc::clone(&self.permits).acquire_owned()).ok()
    }
}
