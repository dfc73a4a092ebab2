//! Conversions between byte ranges and the protocol's types.

use std::path::Path;

use ide::{Finding, OtherSource, Severity};
use ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, Range, TextDocumentContentChangeEvent, TextEdit as LspEdit, Uri,
};
use text::{PositionEncoding, PositionRange, TextBuffer, TextEdit, TextRange, TextSize};

use super::addresses::{file_path, file_uri};
use super::profile::ClientProfile;
use crate::source_name;

/// Converts for one text and one client.
#[derive(Clone, Copy)]
pub struct Converter<'a> {
    buffer: &'a TextBuffer,
    uri: &'a Uri,
    profile: &'a ClientProfile,
}

impl<'a> Converter<'a> {
    /// A converter for `buffer`, which has the address `uri`.
    #[must_use]
    pub const fn new(buffer: &'a TextBuffer, uri: &'a Uri, profile: &'a ClientProfile) -> Self {
        Self { buffer, uri, profile }
    }

    /// The address of the text.
    #[must_use]
    pub const fn uri(&self) -> &'a Uri {
        self.uri
    }

    /// The text.
    #[must_use]
    pub const fn buffer(&self) -> &'a TextBuffer {
        self.buffer
    }

    /// The position of a byte.
    #[must_use]
    pub fn position(&self, offset: TextSize) -> Position {
        position(self.buffer.position(offset, self.profile.encoding))
    }

    /// The positions of a byte range.
    #[must_use]
    pub fn range(&self, range: TextRange) -> Range {
        Range { start: self.position(range.start), end: self.position(range.end) }
    }

    /// The byte offset of a position.
    #[must_use]
    pub fn offset(&self, position: Position) -> TextSize {
        let position = text::Position { line: position.line, character: position.character };
        self.buffer.offset(position, self.profile.encoding)
    }

    /// The byte range between two positions.
    #[must_use]
    pub fn text_range(&self, range: Range) -> TextRange {
        TextRange::new(self.offset(range.start), self.offset(range.end))
    }

    /// The line of `position`, without its end.
    pub fn line(&self, position: Position) -> TextRange {
        let at = |character: u32| self.offset(Position { line: position.line, character });
        TextRange::new(at(0), at(u32::MAX))
    }

    /// A range with the address of the text.
    #[must_use]
    pub fn location(&self, range: TextRange) -> Location {
        Location { uri: self.uri.clone(), range: self.range(range) }
    }

    /// A location in another text; `None` if that text has no address.
    pub fn location_in(&self, elsewhere: &OtherSource, range: TextRange) -> Option<Location> {
        if elsewhere.is_made() {
            let place = elsewhere.origin(range)?;
            let uri = uri_of(&place.source)?;
            let converter = Converter { buffer: &place.buffer, uri: &uri, profile: self.profile };
            return Some(converter.location(place.range));
        }
        let uri = uri_of(&elsewhere.source)?;
        Some(Converter { buffer: elsewhere.text(), uri: &uri, profile: self.profile }.location(range))
    }

    /// An edit as clients apply it.
    #[must_use]
    pub fn edit(&self, edit: &TextEdit) -> LspEdit {
        LspEdit { range: self.range(edit.range), new_text: edit.new_text.clone() }
    }

    /// A finding as clients show it.
    #[must_use]
    pub fn diagnostic(&self, finding: &Finding) -> Diagnostic {
        let related = finding.related.iter().filter_map(|related| {
            let location = match &related.elsewhere {
                None => self.location(related.range),
                Some(elsewhere) => self.location_in(elsewhere, related.range)?,
            };
            Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let has_related = self.profile.related_information && !finding.related.is_empty();
        Diagnostic {
            range: self.range(finding.range),
            severity: Some(severity(finding.severity)),
            code: Some(NumberOrString::String(finding.code.to_string())),
            code_description: finding
                .code
                .rule()
                .url()
                .and_then(|url| url.parse().ok())
                .map(|href| CodeDescription { href }),
            source: Some("crd-ls".to_owned()),
            message: finding.with_answer(),
            related_information: has_related.then(|| related.collect()),
            ..Diagnostic::default()
        }
    }
}

fn position(position: text::Position) -> Position {
    Position { line: position.line, character: position.character }
}

/// Converts a range whose lines and characters are already counted.
#[must_use]
pub fn range(range: PositionRange) -> Range {
    Range { start: position(range.start), end: position(range.end) }
}

/// The name of a document as a source of definitions: its path, so that it equals the name of the file, or
/// its URI if it has no path.
pub fn source_of(uri: &Uri) -> String {
    file_path(uri).map_or_else(|| uri.as_str().to_owned(), |path| source_name(&path))
}

/// The inverse of [`source_of`].
pub fn uri_of(source: &str) -> Option<Uri> {
    let path = Path::new(source);
    if path.is_absolute() { file_uri(path) } else { source.parse().ok() }
}

/// An edit of the client as a change of the text; `None` if it changes nothing.
///
/// # Errors
///
/// If its end is before its start.
pub fn edit_of(
    buffer: &TextBuffer,
    change: TextDocumentContentChangeEvent,
    encoding: PositionEncoding,
) -> Result<Option<TextEdit>, String> {
    let Some(range) = change.range else { return Ok(buffer.difference(&change.text)) };
    if range.end < range.start {
        return Err(format!("a change ends before it starts: {range:?}"));
    }
    let offset =
        |at: Position| buffer.offset(text::Position { line: at.line, character: at.character }, encoding);
    let (start, end) = (offset(range.start), offset(range.end));
    let nothing = start == end && change.text.is_empty();
    Ok((!nothing).then(|| TextEdit::replace(TextRange::new(start, end), change.text)))
}

/// Whether the language is YAML or JSON under one of their many names; without a language, the file name
/// decides.
#[must_use]
pub fn is_ours(language: &str, uri: &str) -> bool {
    let language = language.to_ascii_lowercase();
    if language.is_empty() {
        let uri = uri.to_ascii_lowercase();
        return [".yaml", ".yml", ".json"].iter().any(|extension| uri.ends_with(extension));
    }
    ["yaml", "yml", "json"].iter().any(|ours| language.contains(ours))
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use ide::RelatedInformation;
    use serde_json::json;

    #[test]
    fn diagnostics_have_only_the_parts_that_the_client_supports() {
        let buffer = TextBuffer::new("😀: x\r\n");
        let uri = "file:///a.yaml".parse().unwrap();
        let finding = Finding {
            code: ide::Code::StructuralTypeRequired,
            severity: Severity::Error,
            message: "m".into(),
            range: TextRange::new(6, 7),
            field_path: ide::FieldPath::root(),
            api_server: None,
            related: vec![RelatedInformation::here(TextRange::new(0, 4), "r")],
        };
        let mut profile = ClientProfile::default();
        let plain = json!({
            "range": {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}},
            "severity": 1, "code": "structural/type-required", "source": "crd-ls", "message": "m",
            "codeDescription": {"href": ide::rule("structural/type-required").and_then(ide::Rule::url).unwrap()},
        });
        let sent = |profile: &ClientProfile| {
            serde_json::to_value(Converter::new(&buffer, &uri, profile).diagnostic(&finding)).unwrap()
        };
        assert_eq!(sent(&profile), plain);
        profile.related_information = true;
        profile.encoding = PositionEncoding::Utf32;
        let full = sent(&profile);
        assert_eq!(full["range"]["start"]["character"], 3);
        assert_eq!(full["relatedInformation"][0]["message"], "r");
    }
}
