//! Fixes for texts whose first character gives them another meaning in YAML: `pattern: [a-z]+` is a list,
//! `description: @a` is no value, `"\d"` is no escape. The fix quotes the whole text of the line.

use api::{Code, FieldType};
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::quoted;
use yaml::{Document, Entry, Mapping, Reader, Value};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::cel::rule_field::rule_entry;
use crate::analysis::resources::Shape;
use crate::analysis::resources::place::{Resource, find};
use crate::analysis::text_at::{definition_at, line_of, text_of, values_to};
use crate::{Fix, Surroundings};

const CODES: [Code; 5] =
    [Code::YamlSyntax, Code::YamlAlias, Code::YamlUnclosed, Code::DecodeType, Code::ResourceType];
/// The longest text that is read, in bytes.
const MOST: TextSize = 2_000;
/// The maximum number of characters of a text that a title repeats.
const MOST_SHOWN: usize = 40;
/// Characters that are easily typed before a word by mistake, and that YAML does not read as text there.
const SIGNS: [char; 12] = ['&', '*', '!', '@', '%', '`', '|', '>', '[', '{', ']', '}'];
/// The maximum number of findings with fixes in one answer.
const MOST_FIXES: usize = 20;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, reader, .. } = *request;
    let mut fixes: Vec<Fix> = Vec::new();
    for finding in request.with_codes(&CODES).take(MOST_FIXES) {
        let Some(line) = Line::at(document, finding.range.start) else { continue };
        // Other fixes handle numbers and booleans.
        let is_of_type = matches!(finding.code, Code::DecodeType | Code::ResourceType);
        // A list of one word in a resource is most likely a word.
        let is_list = finding.code == Code::ResourceType && line.is_list_of_word();
        if is_of_type && (line.entry.value().as_scalar().is_some() || is_list) {
            continue;
        }
        let in_quotes = line
            .in_quotes()
            .map(|new| (format!("Quote `{}`", text::start(line.unquoted(), MOST_SHOWN)), new));
        let offers: Vec<(String, String)> = in_quotes.into_iter().chain(line.without_sign()).collect();
        if offers.is_empty() {
            continue;
        }
        // Another fix reads a rule as an expression.
        let is_rule = rule_entry(document, finding.range.start).is_some_and(|entry| entry.is_expression());
        if is_rule || !is_string(document, reader, request.surroundings(), line.entry) {
            continue;
        }
        let mut proven: Vec<(usize, Fix)> = Vec::new();
        for (title, new) in offers {
            let edits = vec![TextEdit::replace(line.range, new)];
            if !proof.reduces(finding.code, &edits) {
                continue;
            }
            let left = proof.remaining(&edits).unwrap_or(usize::MAX);
            proven.push((left, Fix::suggested(title, edits, finding.code, finding.range)));
        }
        proven.sort_by_key(|(left, _)| *left);
        fixes.extend(proven.into_iter().map(|(_, fix)| fix));
    }
    fixes
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || "-_./".contains(letter)
}

/// The text after the colon of an entry, up to the end of its line.
struct Line<'t> {
    entry: Entry<'t>,
    range: TextRange,
    text: String,
}

impl<'t> Line<'t> {
    /// The line at `start`, if it contains the whole value of an entry.
    fn at(document: Document<'t>, start: TextSize) -> Option<Self> {
        let behind = |entry: &Entry<'t>| {
            let colon = entry.colon()?.range().end;
            let end = document.range().end.min(colon + MOST);
            Some((colon, line_of(document.syntax(), TextRange::new(colon, end))))
        };
        let is_here = |entry: &Entry<'t>| {
            behind(entry).is_some_and(|(colon, line)| {
                entry.range().start <= start && start <= colon + line.len() as TextSize
            })
        };
        let mappings = values_to(document, start + 1).filter_map(Value::as_mapping);
        let blocks = mappings.filter(|mapping| !mapping.is_flow());
        let entry = |mapping: Mapping<'t>| mapping.entry_before(start + 1).filter(is_here);
        let (column, entry) =
            blocks.filter_map(|mapping| Some((mapping.column()?, entry(mapping)?))).last()?;
        let (colon, line) = behind(&entry)?;
        let end = colon + line.len() as TextSize;
        let below = text_of(document.syntax(), TextRange::new(end, document.range().end.min(end + MOST)));
        let continues = below
            .lines()
            .find(|line| !line.trim().is_empty())
            .is_some_and(|line| text::indentation(line) > column && !line.trim_start().starts_with('#'));
        let without_comment = line.split(" #").next()?.trim_end();
        let text = without_comment.trim_start();
        let from = colon + (without_comment.len() - text.len()) as TextSize;
        let range = TextRange::at(from, text.len() as TextSize);
        (!continues && !text.is_empty()).then(|| Self { entry, range, text: text.to_owned() })
    }

    /// Whether the text is a word in brackets.
    fn is_list_of_word(&self) -> bool {
        let inner = self.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let word = inner.map(|inner| inner.trim_matches(['"', '\'']));
        word.is_some_and(|word| !word.is_empty() && word.chars().all(is_of_word))
    }

    /// The text without surrounding quotes.
    fn unquoted(&self) -> &str {
        let inner = ['"', '\''].iter().find_map(|quote| self.text.strip_prefix(*quote)?.strip_suffix(*quote));
        inner.filter(|inner| !inner.is_empty()).unwrap_or(&self.text)
    }

    /// The title of the fix that removes a mistyped character from the start of the text, with the text after
    /// it; `None` if that is not a word.
    fn without_sign(&self) -> Option<(String, String)> {
        let bare = self.text.strip_prefix(SIGNS)?;
        let is_word = bare.starts_with(|first: char| first.is_alphanumeric()) && bare.chars().all(is_of_word);
        let title = format!(
            "Replace `{}` with `{}`",
            text::start(&self.text, MOST_SHOWN),
            text::start(bare, MOST_SHOWN)
        );
        is_word.then(|| (title, bare.to_owned()))
    }

    /// The text in quotes; `None` if they change nothing.
    fn in_quotes(&self) -> Option<String> {
        let inner = self.unquoted();
        // An existing escape would become two characters.
        let is_escaped = self.text.starts_with('"')
            && ["\\\"", "\\\\", "\\n", "\\t"].iter().any(|one| inner.contains(one));
        let is_block = self.text.starts_with(['|', '>', '&', '!']) && self.text.len() < 3;
        let new = if inner.contains('\\') && !inner.contains('\'') {
            format!("'{inner}'")
        } else {
            match quoted(inner, false) {
                new if new == inner && inner != self.text => format!("'{}'", inner.replace('\'', "''")),
                new => new,
            }
        };
        (new != self.text && new != inner && !is_escaped && !is_block).then_some(new)
    }
}

/// Whether the value of `entry` must be a string.
fn is_string(
    document: Document<'_>,
    reader: &Reader<'_>,
    surroundings: &Surroundings,
    entry: Entry<'_>,
) -> bool {
    let at = entry.key_range().start;
    let is_named_so = |shape: Option<Shape<'_>>| match shape {
        Some(Shape::Api(ty)) => matches!(ty, FieldType::String),
        Some(Shape::Schema(node)) => &*node.schema.generic.type_name == "string",
        _ => false,
    };
    let member = |root: Value<'_>, shape: Shape<'_>| {
        let place = find(root, shape, at);
        is_named_so(place.and_then(|place| Some(place.member?.shape)))
    };
    match Resource::at(document, reader, surroundings, at) {
        Some(resource) => member(resource.value, resource.shape()),
        None => definition_at(document, reader, at).is_some_and(|definition| {
            member(definition.value(), Shape::Api(FieldType::Object(definition.object_type())))
        }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings};

    #[test]
    fn a_text_that_yaml_misreads_is_one_finding_and_is_quoted() {
        for (key, written, intended) in [
            ("pattern", "[a-z]+", "'[a-z]+'"),
            ("pattern", "[a-z]", "'[a-z]'"),
            ("description", "*.x", "'*.x'"),
            ("pattern", r#""\d+""#, r"'\d+'"),
            ("pattern", r#""^\d+\.\d+$""#, r"'^\d+\.\d+$'"),
            ("pattern", "%a", "'%a'"),
            ("description", "@foo bar", "'@foo bar'"),
            ("description", "`foo` is", "'`foo` is'"),
            ("description", "[x] is", "'[x] is'"),
            ("description", "{x} is", "'{x} is'"),
            ("description", "*x is", "'*x is'"),
            ("description", "\"x\" is", "'\"x\" is'"),
            ("description", "'don't'", "'don''t'"),
            ("description", "[x] # why", "'[x]' # why"),
            ("description", "a: b", "'a: b'"),
        ] {
            let with = |value: &str| {
                let line = format!(
                    "              name:\n                type: string\n                {key}: {value}\n"
                );
                WIDGET.replacen("              modes:\n", &format!("{line}              modes:\n"), 1)
            };
            let text = with(written);
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{written}: {found:#?}");
            let fixes = file.fixes(found[0].range);
            let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert_eq!(repaired.first(), Some(&with(intended)), "{written}: {fixes:#?}");
        }
    }
}
