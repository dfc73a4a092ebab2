//! A text and its analysis.

use answers::analyse::{MAX_STEPS, Step, advanced};
use answers::limits::{MAX_BYTES, too_large};
use answers::lsp::convert::edit_of;
use answers::lsp::profile::ClientProfile;
use ide::{AnalysisBasis, Catalog, Definitions, File, Finding, Settings, Severity, StopSignal, Surroundings};
use ls_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use text::{PositionEncoding, TextBuffer, TextSize};

use super::file_settings::HostSettings;

/// A text that is open, or used only for its definitions.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) buffer: TextBuffer,
    /// The end of the last edit.
    pub(super) typed_at: Option<TextSize>,
    /// The analysis; `None` if the text is too large.
    pub(super) file: Option<File>,
    /// Whether the client shows it; other texts are used only for their definitions.
    pub(super) is_open: bool,
    pub(super) is_gone: bool,
    /// Whether the project excludes it: it has no findings, and its definitions do not apply to other texts.
    pub(super) is_excluded: bool,
    settings: Settings,
    /// The edits from the text of `file` to the current text; more than [`MAX_STEPS`] if an incremental
    /// analysis is not worthwhile.
    steps: Vec<Step>,
    /// The definitions of the text, as of its last analysis.
    own_definitions: Option<Definitions>,
    is_outdated: bool,
}

impl Document {
    pub(super) fn open(item: TextDocumentItem) -> Self {
        Self { version: item.version, is_open: true, ..Self::closed(item.uri, &item.text) }
    }

    /// A text that the client has read but does not show.
    pub(super) fn closed(uri: Uri, text: &str) -> Self {
        Self {
            uri,
            version: 0,
            buffer: TextBuffer::new(text),
            typed_at: None,
            file: None,
            is_open: false,
            is_gone: false,
            is_excluded: false,
            settings: Settings::default(),
            steps: Vec::new(),
            own_definitions: None,
            is_outdated: true,
        }
    }

    /// Applies changes in order; the error describes an invalid change.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: PositionEncoding,
    ) -> Result<(), String> {
        self.version = version;
        for change in changes {
            let Some(edit) = edit_of(&self.buffer, change, encoding)? else { continue };
            self.buffer.apply(&edit).map_err(|error| error.to_string())?;
            self.typed_at = Some(edit.range.start + edit.new_text.len() as TextSize);
            self.is_outdated = true;
            if self.steps.len() <= MAX_STEPS {
                self.steps.push(Step { edit, after: self.buffer.clone() });
            }
        }
        Ok(())
    }

    /// Its name as a source of definitions; there are no file paths.
    pub(super) fn source(&self) -> &str {
        self.uri.as_str()
    }

    /// Applies the settings for the file. If they have changed, all earlier results are dropped.
    pub(super) fn apply_settings(&mut self, chosen: &HostSettings) {
        let (settings, is_excluded) = chosen.settings_of(&self.uri);
        if (&self.settings, self.is_excluded) != (&settings, is_excluded) {
            (self.settings, self.is_excluded) = (settings, is_excluded);
            self.file = None;
            self.is_outdated = true;
        }
    }

    /// Analyses the text if it has changed, and returns its name as a source of definitions with the definitions.
    pub(super) fn analyse(&mut self, catalog: &Catalog) -> Option<(String, Option<Definitions>)> {
        if !std::mem::take(&mut self.is_outdated) {
            return None;
        }
        let source = self.source().to_owned();
        let steps = std::mem::take(&mut self.steps);
        let known = self.file.take().filter(|_| steps.len() <= MAX_STEPS);
        if self.buffer.len() as usize > MAX_BYTES || self.is_excluded && !self.is_open {
            self.own_definitions = None;
            return Some((source, None));
        }
        let surroundings = Surroundings {
            catalog: catalog.clone(),
            source: source.as_str().into(),
            stored: None,
            base: None,
        };
        let file = match known {
            Some(file) => {
                let surroundings = file.surroundings_with(surroundings, self.own_definitions.take());
                let (basis, _) = advanced(file.basis(), &steps, &StopSignal::default());
                basis.complete(surroundings)
            }
            None => AnalysisBasis::new(&self.buffer.to_string(), &self.settings).complete(surroundings),
        };
        // Findings are computed only after the text's own definitions are known.
        self.own_definitions = file.definitions(&source, &self.buffer);
        let surroundings = file.surroundings_with(file.surroundings().clone(), self.own_definitions.clone());
        self.file = Some(file.in_surroundings(surroundings));
        Some((source, self.own_definitions.clone().filter(|_| !self.is_excluded)))
    }

    /// Applies the definitions of other texts; returns whether they affect this text.
    pub(super) fn follow(&mut self, catalog: &Catalog) -> bool {
        let Some(file) = &self.file else { return false };
        let surroundings = Surroundings { catalog: catalog.clone(), ..file.surroundings().clone() };
        let surroundings = file.surroundings_with(surroundings, self.own_definitions.clone());
        let is_touched = file.is_affected_by(&surroundings);
        if is_touched {
            self.file = Some(file.in_surroundings(surroundings));
        }
        is_touched
    }

    /// The findings that a client with this profile shows.
    pub(super) fn findings(&self, profile: &ClientProfile) -> Vec<Finding> {
        match &self.file {
            _ if self.is_excluded => Vec::new(),
            Some(file) if profile.groups(file) => file.grouped().findings,
            Some(file) => file.all_findings(),
            None => vec![too_large(Severity::Error)],
        }
    }
}
