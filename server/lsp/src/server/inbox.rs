//! One queue for everything that can change the server's state, and the threads that process it.
//!
//! The writer is not a thread. A thread that leaves a message processes it, and those that arrive meanwhile, unless another
//! thread is already doing so: waking a thread takes longer than the work itself. Messages are processed one after another, in
//! the order of their arrival.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, FileEvent,
    WorkspaceFolder,
};

use super::analysis::FinishedAnalysis;
use super::checking::CheckProgress;
use super::cluster::ClusterResponse;
use super::indexing::IndexProgress;
use super::output::Output;
use super::snapshot::Snapshot;
use super::watcher::Watcher;
use answers::lsp::addresses::file_path;
use answers::lsp::profile::ClientProfile;

/// The queue of messages for the writer. It is unbounded: the writer does no long work, and a bound would stop the
/// transport from reading. Clones share the queue.
#[derive(Clone)]
pub(super) struct Inbox(Arc<InboxState>);

struct InboxState {
    waiting: Mutex<MessageQueue>,
    /// Used by the thread that has set [`MessageQueue::is_processing`].
    writer: Mutex<Option<Processor>>,
    /// The messages of the writer to the client.
    output: Output,
    runtime: Handle,
    stopped: CancellationToken,
}

/// The function that processes messages.
type Processor = Box<dyn FnMut(Message) + Send>;

#[derive(Default)]
struct MessageQueue {
    messages: VecDeque<Message>,
    is_processing: bool,
}

impl std::fmt::Debug for Inbox {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Inbox").finish_non_exhaustive()
    }
}

impl Inbox {
    /// An inbox in which messages wait until there is a writer.
    pub(super) fn new(output: Output, runtime: Handle) -> Self {
        let (waiting, writer, stopped) = Default::default();
        Self(Arc::new(InboxState { waiting, writer, output, runtime, stopped }))
    }

    /// Starts processing messages with `process`.
    pub(super) fn start(&self, process: impl FnMut(Message) + Send + 'static) {
        *self.0.writer.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(process));
        self.process_all();
    }

    /// Leaves a message that a task of the runtime processes: for threads that must not be delayed.
    pub(super) fn send(&self, message: Message) {
        self.leave(message);
        if !self.waiting().is_processing {
            let inbox = self.clone();
            self.0.runtime.spawn(async move { inbox.process_all() });
        }
    }

    /// Leaves a message and processes it.
    pub(super) fn process(&self, message: Message) {
        self.leave(message);
        self.process_all();
    }

    /// Leaves a message, processes it, and writes the output: for threads that may wait for the client. While this thread
    /// waits, other threads process messages.
    pub(super) fn process_and_write(&self, message: Message) {
        self.leave(message);
        let output = &self.0.output;
        let until_output =
            || if output.is_waiting() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        while self.process_until(until_output).is_break() {
            output.write();
        }
    }

    /// Cancelled when the writer has panicked, after which no message is processed.
    pub(super) fn stopped(&self) -> &CancellationToken {
        &self.0.stopped
    }

    fn leave(&self, message: Message) {
        self.waiting().messages.push_back(message);
    }

    fn process_all(&self) {
        let _ = self.process_until(|| {
            self.0.output.wake();
            ControlFlow::Continue(())
        });
    }

    /// Processes messages, unless another thread does, until there are none left or `then`, which is called after each
    /// message, breaks.
    fn process_until(&self, then: impl Fn() -> ControlFlow<()>) -> ControlFlow<()> {
        if std::mem::replace(&mut self.waiting().is_processing, true) {
            return ControlFlow::Continue(());
        }
        let mut writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        // The writer starts tasks, for which this thread may lack the runtime.
        let _runtime = self.0.runtime.enter();
        loop {
            let message = {
                let mut waiting = self.waiting();
                let message = if writer.is_some() { waiting.messages.pop_front() } else { None };
                waiting.is_processing = message.is_some();
                message
            };
            let (Some(message), Some(process)) = (message, &mut *writer) else {
                return ControlFlow::Continue(());
            };
            // After a panic the state may be inconsistent.
            if catch_unwind(AssertUnwindSafe(|| process(message))).is_err() {
                self.0.stopped.cancel();
                return ControlFlow::Continue(());
            }
            if then().is_break() {
                self.waiting().is_processing = false;
                return ControlFlow::Break(());
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, MessageQueue> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The messages that the writer processes.
#[derive(Debug)]
pub(super) enum Message {
    /// The client has sent `initialize`.
    Initialize {
        profile: Arc<ClientProfile>,
        options: Option<Value>,
        folders: Vec<PathBuf>,
    },
    /// The client is ready for requests.
    Initialized,
    Open(DidOpenTextDocumentParams),
    Change(DidChangeTextDocumentParams),
    Close(DidCloseTextDocumentParams),
    /// The client reports that settings have changed, with or without their values.
    ConfigurationChanged(DidChangeConfigurationParams),
    /// The client's answer to `workspace/configuration`.
    Configuration(Value),
    /// Files have changed, as reported by the client or the watcher.
    FilesChanged(Vec<PathBuf>),
    /// The client has opened and closed folders.
    FoldersChanged {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    /// The results of indexing files.
    Indexed(Box<IndexProgress>),
    /// The answer of a cluster to the request for its definitions.
    OfCluster(Box<ClusterResponse>),
    /// The folders are watched, or the reason why they are not.
    Watching(Result<Watcher, String>),
    /// It is time to pass new definitions on to documents.
    CatchUp,
    /// The client wants the findings of all files of the workspace.
    CheckAll {
        /// Whether the client pulls them.
        is_pulled: bool,
    },
    /// It is time to check files that are not open.
    CheckClosed,
    /// Files that are not open were checked.
    ClosedChecked(Box<CheckProgress>),
    /// It is time to refresh the code lenses of clients.
    RefreshLenses,
    /// Files have changed in a git repository.
    RepositoryChanged,
    /// It is time to find these changes.
    RefreshRepositories,
    /// The versions with which these files are compared have changed.
    Compared(Vec<PathBuf>),
    /// A request needs the state after all messages before this one.
    Snapshot(oneshot::Sender<Arc<Snapshot>>),
    /// An analysis has ended.
    Analysed(Box<FinishedAnalysis>),
    /// A notification whose parameters cannot be read.
    Unreadable(String),
}

impl Message {
    /// The message of a notification, if the notification changes the state.
    pub(super) fn of_notification(method: &str, params: Option<Value>) -> Option<Self> {
        let read = match method {
            "initialized" => Ok(Self::Initialized),
            "textDocument/didOpen" => read(params).map(Self::Open),
            "textDocument/didChange" => read(params).map(Self::Change),
            "textDocument/didClose" => read(params).map(Self::Close),
            "workspace/didChangeConfiguration" => read(params).map(Self::ConfigurationChanged),
            "workspace/didChangeWatchedFiles" => read(params).map(|params: DidChangeWatchedFilesParams| {
                let path = |event: FileEvent| file_path(&event.uri);
                Self::FilesChanged(params.changes.into_iter().filter_map(path).collect())
            }),
            "workspace/didChangeWorkspaceFolders" => {
                read(params).map(|params: DidChangeWorkspaceFoldersParams| {
                    let paths = |folders: &[WorkspaceFolder]| {
                        folders.iter().filter_map(|folder| file_path(&folder.uri)).collect()
                    };
                    Self::FoldersChanged {
                        added: paths(&params.event.added),
                        removed: paths(&params.event.removed),
                    }
                })
            }
            _ => return None,
        };
        Some(read.unwrap_or_else(|error| Self::Unreadable(format!("{method}: {error}"))))
    }
}

fn read<P: DeserializeOwned>(params: Option<Value>) -> Result<P, serde_json::Error> {
    serde_json::from_value(params.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::server::output::Outgoing;

    fn inbox(output: impl std::io::Write + Send + 'static) -> Inbox {
        Inbox::new(Output::new(output), Handle::current())
    }

    fn named(name: &str) -> Message {
        Message::Unreadable(name.to_owned())
    }

    /// The processed messages, by name.
    fn processed(inbox: &Inbox) -> mpsc::Receiver<String> {
        let (sender, receiver) = mpsc::channel();
        inbox.start(move |message| {
            let Message::Unreadable(name) = message else { return };
            sender.send(name).unwrap();
        });
        receiver
    }

    #[tokio::test]
    async fn messages_are_processed_in_order_and_nested_ones_last() {
        let inbox = inbox(std::io::sink());
        let (sender, receiver) = mpsc::channel();
        inbox.leave(named("first"));
        let within = inbox.clone();
        inbox.start(move |message| {
            let Message::Unreadable(name) = message else { return };
            if name == "second" {
                within.process(named("from within"));
                within.leave(named("last"));
            }
            sender.send(name).unwrap();
        });
        inbox.leave(named("second"));
        inbox.process(named("third"));
        assert_eq!(
            receiver.try_iter().collect::<Vec<_>>(),
            ["first", "second", "third", "from within", "last"]
        );
    }

    #[tokio::test]
    async fn senders_that_must_not_wait_leave_work_to_the_runtime() {
        let inbox = inbox(std::io::sink());
        let receiver = processed(&inbox);
        let sender = inbox.clone();
        // A thread that the runtime does not know.
        thread::spawn(move || sender.send(named("sent"))).join().unwrap();
        assert!(receiver.try_recv().is_err());
        tokio::task::yield_now().await;
        assert_eq!(receiver.try_recv().unwrap(), "sent");
    }

    #[tokio::test]
    async fn messages_are_processed_while_a_thread_waits_for_the_client() {
        /// Waits until it is allowed to write.
        struct Slow(mpsc::Receiver<()>, mpsc::Sender<()>);
        impl std::io::Write for Slow {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.1.send(()).unwrap();
                self.0.recv().unwrap();
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let ((go_on, may), (is_writing, writes)) = (mpsc::channel(), mpsc::channel());
        let inbox = inbox(Slow(may, is_writing));
        let (sender, receiver) = mpsc::channel();
        let output = inbox.0.output.clone();
        inbox.start(move |message| {
            let Message::Unreadable(name) = message else { return };
            output.leave(Outgoing::Message(name.clone().into_bytes()), None);
            sender.send(name).unwrap();
        });
        let job = inbox.clone();
        let job = thread::spawn(move || job.process_and_write(named("of a job")));
        writes.recv().unwrap();
        inbox.process(named("read meanwhile"));
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), ["of a job", "read meanwhile"]);
        // For both messages: the writing thread continues with messages that arrive meanwhile.
        go_on.send(()).unwrap();
        go_on.send(()).unwrap();
        job.join().unwrap();
    }

    #[tokio::test]
    async fn after_a_panic_no_message_is_processed() {
        let inbox = inbox(std::io::sink());
        inbox.start(|_| panic!("on purpose"));
        inbox.process(named("first"));
        assert!(inbox.stopped().is_cancelled() && inbox.waiting().is_processing);
    }
}
