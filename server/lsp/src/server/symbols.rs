//! `workspace/symbol`: definitions, their versions and properties, and resources of the workspace, by name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use answers::lsp::addresses::file_uri;
use answers::lsp::convert::{Converter, source_of};
use answers::lsp::symbols::{FoundSymbol, MOST};
use ide::Query;
use memchr::memmem;
use text::TextBuffer;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{SymbolInformation, Uri, WorkspaceSymbolParams};

use super::requests::Workspace;
use super::texts::{closed_files_of, closed_files_of_kind};
use crate::guarded_files;
use crate::limits::MAX_BYTES;

/// The maximum number of files with definitions that are read for one answer.
const MOST_SOURCES: usize = 256;
/// The number of bytes after which no further files are searched for one answer.
const MOST_BYTES: usize = 128 << 20;
/// The minimum length of a query for which files are searched for resources.
const LETTERS: usize = 2;

pub(super) fn symbols(
    workspace: &Workspace,
    params: &WorkspaceSymbolParams,
) -> Result<Vec<SymbolInformation>> {
    let query = Query::new(&params.query);
    let mut found = of_open_documents(workspace, &query);
    let files = files_with_definitions(workspace, &query);
    for path in &files {
        check_cancelled(workspace)?;
        found.extend(of_file(workspace, path, &query, &[]));
    }
    if query.len() >= Query::LETTERS_OF_PROPERTY {
        found.extend(of_properties(workspace, &query, &files)?);
    }
    if query.len() >= LETTERS {
        found.extend(of_resources(workspace, &query, &files)?);
    }
    Ok(answers::lsp::symbols::best(found))
}

/// The symbols in the current texts of open documents.
fn of_open_documents(workspace: &Workspace, query: &Query) -> Vec<FoundSymbol> {
    let views = workspace.snapshot.workspace_documents();
    views.flat_map(|view| in_text(workspace, &view.buffer, &view.uri, query)).collect()
}

/// The files that are not open and whose definitions match `query`.
fn files_with_definitions(workspace: &Workspace, query: &Query) -> BTreeSet<PathBuf> {
    let snapshot = &workspace.snapshot;
    let open: BTreeSet<String> = snapshot.documents.values().map(|view| source_of(&view.uri)).collect();
    let sources = snapshot.catalog.sources_with(query).filter(|source| !open.contains(*source));
    sources.map(PathBuf::from).filter(|path| path.is_absolute()).take(MOST_SOURCES).collect()
}

/// The properties that closed files declare, except the files in `known`. As for resources, files are searched for the words
/// before they are parsed as YAML.
fn of_properties(
    workspace: &Workspace,
    query: &Query,
    known: &BTreeSet<PathBuf>,
) -> Result<Vec<FoundSymbol>> {
    of_files(workspace, query, files_with_definitions(workspace, &Query::new("")).difference(known))
}

/// The resources in files that are not open and not in `known`. A file must contain the words of the query literally, so most
/// files need not be parsed as YAML.
fn of_resources(workspace: &Workspace, query: &Query, known: &BTreeSet<PathBuf>) -> Result<Vec<FoundSymbol>> {
    let snapshot = &workspace.snapshot;
    let kinds: BTreeSet<&str> = snapshot.catalog.kinds().map(|(_, kind)| kind).collect();
    let files: BTreeSet<PathBuf> = if snapshot.resources.is_complete {
        kinds.iter().flat_map(|kind| closed_files_of_kind(snapshot, kind)).collect()
    } else {
        closed_files_of(snapshot)
    };
    of_files(workspace, query, files.difference(known))
}

/// The symbols in closed files, up to the limits for symbols and for bytes.
fn of_files<'p>(
    workspace: &Workspace,
    query: &Query,
    files: impl Iterator<Item = &'p PathBuf>,
) -> Result<Vec<FoundSymbol>> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    for path in files {
        check_cancelled(workspace)?;
        if found.len() >= MOST || bytes >= MOST_BYTES {
            break;
        }
        bytes += std::fs::metadata(path).map_or(0, |file| usize::try_from(file.len()).unwrap_or(MOST_BYTES));
        found.extend(of_file(workspace, path, query, query.words()));
    }
    Ok(found)
}

/// The symbols in the file at `path`, if it contains all of `words` in any case. A file that cannot be read was reported when
/// it was indexed.
fn of_file(workspace: &Workspace, path: &Path, query: &Query, words: &[String]) -> Vec<FoundSymbol> {
    let Ok(mut bytes) = guarded_files::read_found(path, MAX_BYTES) else { return Vec::new() };
    if bytes.len() > MAX_BYTES {
        return Vec::new();
    }
    let text = bytes.clone();
    bytes.make_ascii_lowercase();
    let is_missing = |word: &String| memmem::find(&bytes, word.as_bytes()).is_none();
    if words.iter().any(is_missing) {
        return Vec::new();
    }
    let (Ok(text), Some(uri)) = (String::from_utf8(text), file_uri(path)) else {
        return Vec::new();
    };
    in_text(workspace, &TextBuffer::new(&text), &uri, query)
}

fn in_text(workspace: &Workspace, buffer: &TextBuffer, uri: &Uri, query: &Query) -> Vec<FoundSymbol> {
    let converter = Converter::new(buffer, uri, &workspace.snapshot.profile);
    answers::lsp::symbols::in_text(&converter, &workspace.snapshot.catalog, query)
}

fn check_cancelled(workspace: &Workspace) -> Result<()> {
    if workspace.cancelled.is_cancelled() { Err(Error::request_cancelled()) } else { Ok(()) }
}
