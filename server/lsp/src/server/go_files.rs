//! The writer's part in Go files: the open texts, and the documents that depend on the definitions generated from them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::analysis::FinishedAnalysis;
use super::document::Document;
use super::golang::{GoSource, OpenTexts};
use super::writer::Writer;
use crate::golang::is_go_file;
use answers::lsp::addresses::file_path;

impl Writer {
    /// Uses the text of a document that was opened or changed, if it is Go.
    pub(super) fn go_edited(&mut self, uri: &str) {
        let Some((path, text)) = self.documents.get(uri).and_then(Document::go_text) else { return };
        let mut texts = self.packages.texts();
        Arc::make_mut(&mut texts).insert(path, text);
        self.packages.replace_open_texts(texts);
    }

    /// Uses the text on disk again, because a Go file was closed.
    pub(super) fn go_closed(&mut self, path: PathBuf) {
        let open: OpenTexts = Arc::new(self.documents.values().filter_map(Document::go_text).collect());
        self.packages.replace_open_texts(open);
        // The definitions of the files that are still open are found again.
        self.workspace.unmake(|_| true);
        self.catch_up_next();
        self.revise_go(|_| true);
        self.revise_written(|_| true);
        self.go_no_longer_open(path);
    }

    /// Takes account of files that have changed on disk.
    pub(super) fn go_files_changed(&mut self, paths: &[PathBuf]) {
        let matters = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // A name without an extension may be a directory.
            name.ends_with(".go") || matches!(name, "go.mod" | "go.work" | "Makefile") || !name.contains('.')
        };
        if paths.iter().any(matters) {
            self.note_saved(paths);
            self.packages.clear();
            self.revise_go(|_| true);
            self.revise_written(|_| true);
        }
        self.go_saved(paths.iter().filter(|path| is_go_file(path)));
    }

    fn note_saved(&mut self, paths: &[PathBuf]) {
        let is_saved =
            |document: &Document| document.go_text().is_some_and(|(path, _)| paths.contains(&path));
        let saved = self.documents.iter().filter(|(_, document)| is_saved(document));
        let uris: Vec<String> = saved.map(|(uri, _)| uri.clone()).collect();
        for uri in uris {
            self.documents.get_mut(&uri).into_iter().for_each(Document::saved);
            self.go_edited(&uri);
        }
    }

    /// Takes the definitions that are generated from a Go file, and passes its text on to the documents that depend on it.
    pub(super) fn go_analysed(&mut self, analysed: &FinishedAnalysis) {
        let Some(generation) = &analysed.go else { return };
        generation.notes.iter().for_each(|note| self.log_once(note.clone()));
        let is_read = |source: &str| generation.files.iter().any(|file| file == Path::new(source));
        self.workspace.unmake(|source| {
            is_read(source) && generation.definitions.iter().all(|(made, _)| **made != *source)
        });
        for (source, definitions) in &generation.definitions {
            self.workspace.add_generated(source, definitions.clone());
        }
        self.catch_up_next();
        self.watch_git(&generation.repositories);
        let mark_propagated =
            self.documents.get_mut(analysed.uri.as_str()).is_some_and(Document::mark_propagated);
        if mark_propagated {
            let own = file_path(&analysed.uri);
            self.go_changed(&generation.package_files);
            self.revise_go(|path| {
                own.as_deref() != Some(path) && generation.files.iter().any(|file| file == path)
            });
            self.revise_written(|source| {
                source.is_none_or(|source| own.as_deref().is_some_and(|own| source.reads(own)))
            });
        }
    }

    /// Analyses again the definitions that controller-gen wrote, selected by their Go sources.
    fn revise_written(&mut self, is_selected: impl Fn(Option<&GoSource>) -> bool) {
        self.revise_all(|document| {
            document.may_be_generated() && is_selected(document.go_source().as_deref())
        });
    }

    /// Analyses Go files again.
    fn revise_go(&mut self, is_selected: impl Fn(&Path) -> bool) {
        self.revise_all(|document| document.go_text().is_some_and(|(path, _)| is_selected(&path)));
    }

    fn revise_all(&mut self, is_selected: impl Fn(&Document) -> bool) {
        let found = self.documents.iter().filter(|(_, document)| is_selected(document));
        let uris: Vec<String> = found.map(|(uri, _)| uri.clone()).collect();
        for uri in uris {
            let revision = self.next_revision();
            if let Some(document) = self.documents.get_mut(&uri) {
                document.revise(revision);
            }
            self.analyse(&uri);
        }
    }
}
