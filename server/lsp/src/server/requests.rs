//! Requests: they are answered on the blocking pool, from the snapshot at their place in the message stream, unless they are
//! cancelled.

use std::sync::Arc;

use answers::lsp::convert::Converter;
use answers::lsp::profile::ClientProfile;
use answers::lsp::{Handler, JsonText, PendingRequest, Subject};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tracing::Span;

use super::analysis::Analysis;
use super::closed_files::ClosedFindings;
use super::snapshot::{Snapshot, View};
use crate::log::observed;

use super::go_answers::GoSubject;
use super::suites::SuiteSubject;
use super::{definition_answers, features, go_answers, go_rename, suites, symbols, workspace_report};

/// The places of the document's URI in parameters: of most requests, of items to resolve, of commands.
const PLACES_OF_URI: [&str; 3] = ["/textDocument/uri", "/data/uri", "/arguments/0/uri"];

/// The input of a request.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) view: View,
    pub(super) analysis: Arc<Analysis>,
    pub(super) profile: Arc<ClientProfile>,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) cancelled: CancellationToken,
}

impl Context {
    pub(super) fn converter(&self) -> Converter<'_> {
        Converter::new(&self.analysis.buffer, &self.view.uri, &self.profile)
    }

    /// The context of answers that the server and the browser share, for `subject`, otherwise for the file.
    pub(super) fn shared<'a>(&'a self, subject: Option<&'a dyn Subject>) -> answers::lsp::Context<'a> {
        let of_file = || self.analysis.file().map(|file| file as &dyn Subject);
        answers::lsp::Context {
            uri: &self.view.uri,
            version: self.view.version,
            typed_at: self.view.typed_at,
            buffer: &self.analysis.buffer,
            file: self.analysis.file(),
            subject: subject.or_else(of_file),
            profile: &self.profile,
            catalog: &self.snapshot.catalog,
            request: Arc::new(RequestWait { cancelled: self.cancelled.clone(), view: self.view.clone() }),
            workspace: self,
        }
    }

    /// Calls `handler`, unless the document is a Go file that answers the request differently.
    fn ask(&self, handler: Handler, method: &str, params: Value) -> Result<JsonText> {
        let Some(go) = self.analysis.go() else {
            let written = self.analysis.go_source.as_deref();
            let generated_result =
                written.and_then(|source| definition_answers::answer(self, source, (method, &params)));
            if let Some(answer) = generated_result {
                return answer;
            }
            if method == "textDocument/rename" {
                let renamed = read(params.clone()).map(|params| go_rename::from_resource(self, &params))?;
                if let Some(renamed) = renamed {
                    return renamed.and_then(|edit| body(&edit));
                }
            }
            let suite = SuiteSubject::of(self);
            let subject = suite.as_ref().map(|suite| suite as &dyn Subject);
            return handler(&self.shared(subject), params).map_err(protocol_error);
        };
        if let Some(answer) = go_answers::answer(self, go, method, &params) {
            return answer;
        }
        let subject = GoSubject { go, context: self };
        handler(&self.shared(Some(&subject)), params).map_err(protocol_error)
    }
}

/// The state of the client's wait for an answer.
struct RequestWait {
    cancelled: CancellationToken,
    view: View,
}

impl PendingRequest for RequestWait {
    fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }

    fn is_current(&self) -> bool {
        self.view.is_current()
    }
}

/// An error in the transport's type.
pub(super) fn protocol_error(error: answers::lsp::error::Error) -> Error {
    Error { code: ErrorCode::from(error.code), message: error.message.into(), data: None }
}

/// The way to answer a method.
#[derive(Clone, Copy)]
pub(super) enum RequestWork {
    /// From the text alone.
    OnText(fn(&View) -> Value),
    /// From the analysis of the text; the value is the answer for a document that is not open.
    OnAnalysis(fn(&Context, Value) -> Result<JsonText>, fn() -> Value),
    /// Likewise, with a handler that the browser also uses.
    Shared(Handler),
    /// Likewise, with proofs of the offered fixes.
    OnProofs(Handler),
    /// From the findings of all files of the workspace, once they are known.
    OnAll(fn(&Workspace, &ClosedFindings, Value) -> Result<JsonText>),
    /// From the whole workspace; the parameters name no document.
    Workspace(fn(&Workspace, Value) -> Result<JsonText>),
}

/// The input of a request on the whole workspace.
#[derive(Debug)]
pub(super) struct Workspace {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) cancelled: CancellationToken,
}

/// The methods that are answered here.
pub(super) fn work(method: &str, params: &Value) -> Option<RequestWork> {
    Some(match method {
        _ if workspace_report::is_check(method, params) => RequestWork::OnAll(workspace_report::summary),
        _ if suites::is_test(method, params) => {
            on_analysis(|context, value| typed(context, value, suites::run))
        }
        // Lets a client check that it and the server have the same text.
        "crd-ls/documentText" => RequestWork::OnText(|view| Value::String(view.buffer.to_string())),
        // Lets a client check whether the published findings include those on changes since the versions in git.
        "crd-ls/isCompared" => on_analysis(|context, _| body(&context.analysis.is_compared)),
        "textDocument/codeLens" => on_analysis(|context, _| body(&suites::with_lenses(context))),
        "workspace/diagnostic" => RequestWork::OnAll(workspace_report::report),
        "workspace/symbol" => {
            RequestWork::Workspace(|workspace, value| body(&symbols::symbols(workspace, &read(value)?)?))
        }
        "textDocument/diagnostic" => RequestWork::OnAnalysis(
            |context, value| typed(context, value, features::diagnostics),
            features::no_diagnostics,
        ),
        "textDocument/codeAction" => RequestWork::OnProofs(answers::lsp::handler(method)?),
        _ => RequestWork::Shared(answers::lsp::handler(method)?),
    })
}

fn on_analysis(handler: fn(&Context, Value) -> Result<JsonText>) -> RequestWork {
    RequestWork::OnAnalysis(handler, || Value::Null)
}

/// The encoded value of an answer.
pub(super) fn body(value: &impl Serialize) -> Result<JsonText> {
    JsonText::of(value).map_err(protocol_error)
}

/// Decodes parameters from the client.
pub(super) fn read<P: DeserializeOwned>(params: Value) -> Result<P> {
    answers::lsp::read(params).map_err(protocol_error)
}

/// Decodes the parameters and encodes the answer, on the pool as well, because both can be large.
fn typed<P: DeserializeOwned, A: Serialize>(
    context: &Context,
    params: Value,
    handler: fn(&Context, P) -> Result<A>,
) -> Result<JsonText> {
    body(&handler(context, read(params)?)?)
}

/// Answers a request of `method`; with RequestCancelled as soon as it is cancelled.
pub(super) async fn answer(
    (work, method): (RequestWork, String),
    params: Value,
    snapshot: oneshot::Receiver<Arc<Snapshot>>,
    cancelled: CancellationToken,
) -> Result<JsonText> {
    tokio::select! {
        biased;
        () = cancelled.cancelled() => Err(Error::request_cancelled()),
        answer = answer_in_full(work, method, params, snapshot, cancelled.clone()) => answer,
    }
}

async fn answer_in_full(
    work: RequestWork,
    method: String,
    params: Value,
    snapshot: oneshot::Receiver<Arc<Snapshot>>,
    cancelled: CancellationToken,
) -> Result<JsonText> {
    let snapshot = snapshot.await.map_err(|_| Error::internal_error())?;
    if let RequestWork::OnAll(handler) = work {
        let mut closed = snapshot.closed.clone().ok_or_else(Error::internal_error)?;
        let complete = closed.wait_for(|found| found.is_complete).await;
        // The writer lives as long as the process.
        let found = complete.map(|found| (*found).clone()).map_err(|_| Error::internal_error())?;
        let workspace = Workspace { snapshot, cancelled };
        return on_pool(move || handler(&workspace, &found, params)).await;
    }
    if let RequestWork::Workspace(handler) = work {
        let workspace = Workspace { snapshot, cancelled };
        return on_pool(move || handler(&workspace, params)).await;
    }
    let uri = PLACES_OF_URI.iter().find_map(|place| params.pointer(place)).and_then(Value::as_str);
    let uri = uri.ok_or_else(|| Error::invalid_params("the URI of a document is missing"))?;
    let view = snapshot.documents.get(uri).cloned();
    match (work, view) {
        // These were answered above.
        (RequestWork::Workspace(_) | RequestWork::OnAll(_), _) => Err(Error::internal_error()),
        (RequestWork::OnText(_), None) => Err(Error::invalid_params("the document is not open")),
        (RequestWork::OnText(handler), Some(view)) => on_pool(move || body(&handler(&view))).await,
        (RequestWork::OnAnalysis(_, not_open), None) => body(&not_open()),
        (RequestWork::OnProofs(_) | RequestWork::Shared(_), None) => body(&Value::Null),
        (RequestWork::OnAnalysis(..) | RequestWork::OnProofs(_) | RequestWork::Shared(_), Some(view)) => {
            let analysis = match work {
                RequestWork::OnProofs(_) => view.clone().compared_analysis().await?,
                _ => view.clone().analysis().await?,
            };
            let profile = Arc::clone(&snapshot.profile);
            let permits = Arc::clone(&view.permits);
            // The semaphore is never closed.
            let permit = permits.acquire_owned().await.map_err(|_| Error::internal_error())?;
            let proofs = Arc::clone(&snapshot.proofs.0);
            let proofs = match work {
                RequestWork::OnProofs(_) => {
                    Some(proofs.acquire_owned().await.map_err(|_| Error::internal_error())?)
                }
                _ => None,
            };
            let context = Context { view, analysis, profile, snapshot, cancelled };
            let work = move || {
                // The permits are kept until the work ends, even if nobody waits for it any more.
                let _permits = (permit, proofs);
                match work {
                    RequestWork::OnAnalysis(handler, _) => handler(&context, params),
                    RequestWork::OnProofs(handler) | RequestWork::Shared(handler) => {
                        context.ask(handler, &method, params)
                    }
                    _ => Err(Error::internal_error()),
                }
            };
            on_pool(work).await
        }
    }
}

/// Runs `work` on the blocking pool. A panic, which the panic hook has written to stderr, becomes an internal
/// error.
async fn on_pool<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let span = Span::current();
    spawn_blocking(move || observed(&span, work)).await.unwrap_or_else(|_| Err(Error::internal_error()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use serde_json::json;
    use text::TextBuffer;
    use tokio::sync::watch;
    use tower_lsp::jsonrpc::ErrorCode;

    use super::super::analysis::Outcome;
    use super::*;

    const URI: &str = "file:///a.yaml";

    fn view(revision: u64) -> (View, watch::Sender<Option<Arc<Analysis>>>) {
        let (sender, analysis) = watch::channel(None);
        let edited = Arc::new(AtomicU64::new(revision));
        let uri = URI.parse().unwrap();
        let buffer = TextBuffer::new("a: b\n");
        let permits = Arc::new(tokio::sync::Semaphore::new(2));
        let typed_at = None;
        (View { uri, version: 1, revision, buffer, typed_at, analysis, edited, permits }, sender)
    }

    fn analysed(revision: u64) -> Option<Arc<Analysis>> {
        let (buffer, outcome) = (TextBuffer::new("a: b\n"), Outcome::Foreign);
        let since = revision;
        let (is_excluded, is_compared, cases) = (false, true, None);
        Some(Arc::new(Analysis {
            revision,
            since,
            buffer,
            outcome,
            is_excluded,
            is_compared,
            cases,
            go_source: None,
        }))
    }

    async fn ask(work: RequestWork, view: View, token: CancellationToken) -> Result<JsonText> {
        let documents = [(URI.to_owned(), view)].into();
        let (sender, snapshot) = oneshot::channel();
        sender.send(Arc::new(Snapshot { documents, ..Snapshot::default() })).unwrap();
        answer((work, String::new()), json!({"textDocument": {"uri": URI}}), snapshot, token).await
    }

    fn code(answer: Result<JsonText>) -> ErrorCode {
        answer.unwrap_err().code
    }

    const ANSWER: RequestWork = RequestWork::OnAnalysis(|_, _| body(&"answer"), || Value::Null);

    #[tokio::test]
    async fn a_request_waits_for_the_analysis_of_its_revision() {
        let (view, analysis) = view(3);
        analysis.send_replace(analysed(2));
        let answer = tokio::spawn(ask(ANSWER, view, CancellationToken::new()));
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!answer.is_finished());
        analysis.send_replace(analysed(3));
        assert_eq!(answer.await.unwrap(), body(&"answer"));
    }

    #[tokio::test]
    async fn a_request_on_an_older_text_fails_with_content_modified() {
        let (mut view, analysis) = view(3);
        view.buffer = TextBuffer::new("a: c\n");
        analysis.send_replace(analysed(4));
        assert_eq!(code(ask(ANSWER, view, CancellationToken::new()).await), ErrorCode::ContentModified);
    }

    #[tokio::test]
    async fn a_later_analysis_of_the_same_text_answers_a_request() {
        let (view, analysis) = view(3);
        analysis.send_replace(analysed(4));
        assert_eq!(ask(ANSWER, view, CancellationToken::new()).await, body(&"answer"));
    }

    #[tokio::test]
    async fn a_request_on_a_closed_document_fails_with_content_modified() {
        let (view, analysis) = view(3);
        drop(analysis);
        assert_eq!(code(ask(ANSWER, view, CancellationToken::new()).await), ErrorCode::ContentModified);
    }

    #[tokio::test]
    async fn a_cancelled_request_is_answered_while_its_work_still_runs() {
        let slow = RequestWork::OnText(|view| {
            while view.edited.load(Ordering::SeqCst) != 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
            Value::Null
        });
        let (view, _analysis) = view(1);
        let running = Arc::clone(&view.edited);
        let token = CancellationToken::new();
        let pending_answer = tokio::spawn(ask(slow, view, token.clone()));
        tokio::time::sleep(Duration::from_millis(20)).await;
        token.cancel();
        assert_eq!(code(pending_answer.await.unwrap()), ErrorCode::RequestCancelled);
        running.store(0, Ordering::SeqCst);
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error() {
        let (view, _analysis) = view(1);
        let crash = RequestWork::OnText(|_| panic!("on purpose"));
        assert_eq!(code(ask(crash, view, CancellationToken::new()).await), ErrorCode::InternalError);
    }
}
