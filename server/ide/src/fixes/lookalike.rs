//! Fixes for characters that look like those of YAML: a full-width colon, a no-break space, a dash or a
//! bullet as an item marker, and quotes or punctuation around a value that word processors and mail programs
//! add.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;
use yaml::edit::quoted;

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::stray_sign::StraySign;
use crate::analysis::text_at::{line_of, text_of};
use crate::{Finding, Fix};

/// The longest line that is read, in bytes.
const MOST: TextSize = 2_000;
/// The maximum number of characters of a text that a title repeats.
const MOST_SHOWN: usize = 40;
/// The maximum number of findings with fixes in one answer.
const MOST_FIXES: usize = 20;
/// Spaces that YAML does not accept as spaces.
const SPACES: [char; 4] = ['\u{a0}', '\u{202f}', '\u{2007}', '\u{3000}'];
/// Characters in place of the dash of an item.
const MARKERS: [char; 8] = ['–', '—', '−', '‐', '•', '‣', '·', '*'];
const COLON: char = '：';
/// Characters around a value, or after it.
const QUOTES: [char; 8] = ['“', '”', '„', '‟', '‘', '’', '«', '»'];
const ENDS: [char; 4] = [',', ';', '…', '，'];
/// The findings that such a character in a line causes: the line has no key, or an unknown one.
const OF_LINES: [Code; 3] = [Code::YamlSyntax, Code::DecodeUnknownField, Code::ResourceUnknownField];

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let fix = |finding: &Finding| {
        let of_line = || {
            let start = OF_LINES.contains(&finding.code).then_some(finding.range.start)?;
            // The finding may be on the next line, the first one that belongs to no block.
            let is_key = finding.code != Code::YamlSyntax;
            let here = in_line(document, start, is_key);
            here.or_else(|| in_line(document, line_above(document, start)?, is_key))
        };
        let (title, edits) = of_value(document, finding).or_else(of_line)?;
        let repairs = proof.reduces(finding.code, &edits);
        repairs.then(|| Fix::suggested(title, edits, finding.code, finding.range))
    };
    request.touched().take(MOST_FIXES).filter_map(fix).collect()
}

/// The end of the line above the line of `at`.
fn line_above(document: Document<'_>, at: TextSize) -> Option<TextSize> {
    let from = document.range().start.max(at.saturating_sub(MOST));
    let before = text_of(document.syntax(), TextRange::new(from, at));
    Some(from + before.rfind('\n')? as TextSize)
}

/// Replaces look-alikes on the line of `at` with the characters of YAML.
///
/// `is_key` means that the finding is about a key, which may begin with a dash without a space.
fn in_line(document: Document<'_>, at: TextSize, is_key: bool) -> Option<(String, Vec<TextEdit>)> {
    let from = document.range().start.max(at.saturating_sub(MOST));
    let before = text_of(document.syntax(), TextRange::new(from, at));
    let start = from + before.rfind('\n').map_or(0, |end| end + 1) as TextSize;
    let line = line_of(document.syntax(), TextRange::new(start, document.range().end.min(at + MOST)));
    let mut edits = Vec::new();
    let mut replace = |at: usize, sign: char, with: &str| {
        let range = TextRange::at(start + at as TextSize, sign.len_utf8() as TextSize);
        edits.push((sign, TextEdit::replace(range, with.to_owned())));
    };
    let indent = line.len() - line.trim_start_matches(|char| char == ' ' || SPACES.contains(&char)).len();
    let (blank, rest) = line.split_at_checked(indent)?;
    for (at, sign) in blank.char_indices().filter(|(_, sign)| SPACES.contains(sign)) {
        replace(at, sign, " ");
    }
    let first = rest.chars().next()?;
    let behind = rest.get(first.len_utf8()..)?;
    if MARKERS.contains(&first) && behind.starts_with(' ') {
        replace(indent, first, "-");
    } else if is_key && first == '-' && behind.starts_with(|next: char| next.is_ascii_alphabetic()) {
        replace(indent, first, "- ");
    }
    // After the first quote or colon, the line has text.
    let key = rest.split(['"', '\'', ':', '#']).next()?;
    if let Some(at) = key.find(COLON) {
        let is_apart = key.get(at + COLON.len_utf8()..)?.starts_with([' ', '\r', '\n']);
        replace(indent + at, COLON, if is_apart { ":" } else { ": " });
    }
    let value = rest.get(key.len()..)?.strip_prefix(':');
    if let Some(sign) = value.and_then(|value| value.chars().next()).filter(|sign| SPACES.contains(sign)) {
        replace(indent + key.len() + 1, sign, " ");
    }
    let (sign, edit) = edits.first()?;
    let title = match sign {
        '-' => {
            let key = key.trim_end();
            format!("Replace `{key}` with `- {}`", key.trim_start_matches('-'))
        }
        sign if SPACES.contains(sign) => "Replace the no-break space with a space".to_owned(),
        sign => format!("Replace `{sign}` with `{}`", edit.new_text.trim_end()),
    };
    Some((title, edits.into_iter().map(|(_, edit)| edit).collect()))
}

/// Whether `code` is about the format of a text: quantities and durations have no space before the unit.
const fn is_of_form(code: Code) -> bool {
    matches!(code, Code::ResourcePattern | Code::ResourceFormat)
}

/// The value at `finding` without characters that belong to the text around it.
fn of_value(document: Document<'_>, finding: &Finding) -> Option<(String, Vec<TextEdit>)> {
    if finding.range.is_empty() || finding.range.len() > MOST || finding.code.group() == "cel" {
        return None;
    }
    let written = text_of(document.syntax(), finding.range);
    let is_number = |text: &str| {
        let mut groups = text.split(',');
        let digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        groups.next().is_some_and(digits) && groups.all(|group| group.len() == 3 && digits(group))
    };
    let without = written.trim_end_matches(ENDS);
    let inner = without.trim_matches(QUOTES);
    let new = match () {
        () if inner.is_empty() || inner.contains('\n') => return None,
        () if matches!(StraySign::of(&written), Some(StraySign::Quote(_))) => {
            let text = written.trim_end_matches(['"', '\'']);
            // In double quotes, a backslash begins an escape.
            match written.ends_with('"') && text.contains('\\') {
                true => quoted(text, false),
                false => written.get(text.len()..)?.to_owned() + &written,
            }
        }
        () if inner.len() < without.len() => quoted(inner, false),
        () if without.len() < written.len() => without.to_owned(),
        () if written.contains(',') && is_number(&written) => written.replace(',', ""),
        () if is_of_form(finding.code) && written.contains(' ') => written.replace(' ', ""),
        () => return None,
    };
    let shown = |text: &str| text::start(text, MOST_SHOWN).into_owned();
    let title = format!("Replace `{}` with `{}`", shown(&written), shown(&new));
    Some((title, vec![TextEdit::replace(finding.range, new)]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn a_lookalike_of_a_yaml_character_is_one_finding_and_is_replaced() {
        for (right, written) in [
            ("  group: ", "  group："),
            ("  group: ", "  group： "),
            ("  group: ", "  group:\u{a0}"),
            ("  group: ", "\u{a0}\u{a0}group: "),
            ("  - name: v1", "  – name: v1"),
            ("  - name: v1", "  • name: v1"),
            ("  - name: v1", "  * name: v1"),
            ("  - name: v1", "  -name: v1"),
            ("            - size", "            – size"),
            ("group: example.com", "group: “example.com”"),
            ("group: example.com", "group: example.com…"),
            ("group: example.com", "group: example.com,"),
            ("scope: Namespaced", "scope: Namespaced;"),
            ("type: integer\n              modes", "type: “integer”\n              modes"),
        ] {
            let text = WIDGET.replacen(right, written, 1);
            assert_ne!(text, WIDGET, "{right}");
            let file = File::new(&text, &Settings::default());
            let mut found = file.grouped().findings;
            found.retain(|finding| finding.severity <= Severity::Warning);
            let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
            assert_eq!(codes.len(), 1, "{written}: {codes:?}");
            let fixes = file.fixes(found[0].range);
            let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert_eq!(repaired.first().map(String::as_str), Some(WIDGET), "{written}: {fixes:#?}");
        }
    }
}
