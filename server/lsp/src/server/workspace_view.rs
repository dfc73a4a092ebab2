//! The view of the workspace for the answers of `answers`.

use answers::lsp::addresses::file_path;
use answers::lsp::convert::Converter;
use answers::lsp::error::{Error, Result};
use answers::lsp::{CountedResources, Workspace, WorkspaceText};
use ide::Property;
use text::TextBuffer;
use tower_lsp::ls_types::{Location, Uri};

use super::requests::Context;
use super::resource_counts;
use super::texts::{MOST_FILES, closed_files, closed_files_with, text_with};
use crate::git;

/// The maximum number of places; nobody looks through more.
const MOST_PLACES: usize = 2_000;

/// Fails if the request was cancelled.
pub(super) fn check_cancelled(context: &Context) -> Result<()> {
    if context.cancelled.is_cancelled() { Err(Error::request_cancelled()) } else { Ok(()) }
}

impl Workspace for Context {
    fn all_texts<'w>(
        &'w self,
        words: Vec<&'w str>,
    ) -> Result<Box<dyn Iterator<Item = Result<WorkspaceText>> + 'w>> {
        let files = closed_files(self);
        if files.len() > MOST_FILES {
            let problem = format!("the workspace has more than {MOST_FILES} files, too many to search");
            return Err(Error::request_failed(problem));
        }
        let open = self.snapshot.workspace_documents().map(|view| {
            let (uri, buffer, version) = (view.uri.clone(), view.buffer.clone(), Some(view.version));
            Ok(WorkspaceText { uri, buffer, version, is_current: view.is_current() })
        });
        let closed = files.into_iter().filter_map(move |path| match check_cancelled(self) {
            Ok(()) => text_with(&path, &words).map(|(uri, text)| {
                let buffer = TextBuffer::new(&text);
                Ok(WorkspaceText { uri, buffer, version: None, is_current: true })
            }),
            Err(cancelled) => Some(Err(cancelled)),
        });
        Ok(Box::new(open.chain(closed)))
    }

    fn resources(&self, group: &str, kind: &str) -> Result<Option<CountedResources>> {
        resource_counts::resources(self, group, kind)
    }

    fn texts_with<'w>(
        &'w self,
        kind: &'w str,
        group: &'w str,
    ) -> Box<dyn Iterator<Item = Result<(Uri, String)>> + 'w> {
        let open = self.snapshot.workspace_documents().filter_map(move |view| {
            let text = view.buffer.to_string();
            text.contains(kind).then(|| Ok((view.uri.clone(), text)))
        });
        // The disk is read only after the open documents.
        let closed = std::iter::once_with(move || closed_files_with(self, kind)).flatten();
        let closed = closed.filter_map(move |path| match check_cancelled(self) {
            Ok(()) => text_with(&path, &[kind, group]).map(Ok),
            Err(cancelled) => Some(Err(cancelled)),
        });
        Box::new(open.chain(closed))
    }

    fn uses(&self, property: &Property) -> Result<Vec<Location>> {
        let mut found = Vec::new();
        for view in self.snapshot.workspace_documents() {
            let analysis = view.analysis.borrow().clone();
            let Some((analysis, file)) = analysis.as_ref().and_then(|one| Some((one, one.file()?))) else {
                continue;
            };
            let converter = Converter::new(&analysis.buffer, &view.uri, &self.profile);
            found.extend(file.uses(property).into_iter().map(|range| converter.location(range)));
        }
        for path in closed_files(self) {
            check_cancelled(self)?;
            if found.len() >= MOST_PLACES {
                break;
            }
            let Some((uri, text)) = text_with(&path, &property.words()) else { continue };
            let buffer = TextBuffer::new(&text);
            let converter = Converter::new(&buffer, &uri, &self.profile);
            found.extend(property.uses(&text).into_iter().map(|range| converter.location(range)));
        }
        found.truncate(MOST_PLACES);
        Ok(found)
    }

    fn committed(&self) -> Option<String> {
        let path = file_path(&self.view.uri)?;
        git::any_text_at(&path, git::HEAD).ok().flatten()
    }
}
