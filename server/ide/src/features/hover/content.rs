//! The hover of the key or value under the cursor.

use crate::analysis::text_at::{definition_at, document_at, text_of};
use api::{Field, FieldType};
use crd::schema::Keyword;
use text::{TextRange, TextSize};
use yaml::syntax::ElementRef;
use yaml::{Document, NodeRef, Reader, TokenRef, Tree, Value, ValueKind};

use crate::Hover;
use crate::analysis::{grammar, short};
use crate::features::hover::cursor::{Cursor, SchemaAt, find};
use crate::features::hover::schema::Keywords;
use crate::features::hover::versions;

/// The maximum number of characters of a path, a name or a signature.
const LONGEST: usize = 200;
/// The maximum number of characters of a description.
const LONGEST_DESCRIPTION: usize = 2_000;
/// The maximum number of characters of a default.
const LONGEST_DEFAULT: usize = 80;
/// The maximum number of listed values of a field.
const MOST_VALUES: usize = 8;
/// The maximum number of lines and bytes of an alias's value.
const EXCERPT_LINES: usize = 8;
const EXCERPT_BYTES: usize = 800;

/// Returns the hover at `offset` (in bytes). It costs a descent to the cursor; on an alias also a count of
/// the lines before its anchor.
pub(crate) fn hover(tree: &Tree, offset: TextSize) -> Option<Hover> {
    let document = document_at(tree, offset)?;
    let reader = Reader::new(document);
    let definition = definition_at(document, &reader, offset)?;
    let cursor = find(definition.value(), definition.object_type(), offset)?;

    let mut sections = Vec::new();
    if let (true, ValueKind::Alias(alias)) = (cursor.on_value, cursor.value.kind()) {
        sections.extend(alias_section(tree, alias, &reader));
    }
    if let Some(field) = cursor.field.filter(|_| !cursor.names_schema) {
        sections.push(field_section(field, &cursor));
        sections.extend(versions::order(&definition, field.name, offset));
    }
    sections.extend(cursor.schema.as_ref().map(|schema| schema_section(schema, &reader)));
    (!sections.is_empty()).then(|| Hover { range: cursor.range, markdown: sections.join("\n\n---\n\n") })
}

/// The description by the schema around `offset` (in bytes), or by the schema of the key there.
pub(crate) fn schema_text(tree: &Tree, offset: TextSize) -> Option<String> {
    let document = document_at(tree, offset)?;
    let reader = Reader::new(document);
    let cursor = cursor_at(document, &reader, offset)?;
    cursor.schema.as_ref().map(|schema| schema_section(schema, &reader))
}

fn cursor_at<'t>(document: Document<'t>, reader: &Reader<'t>, offset: TextSize) -> Option<Cursor<'t>> {
    let definition = definition_at(document, reader, offset)?;
    find(definition.value(), definition.object_type(), offset)
}

/// A field of the definition, from the field table.
fn field_section(field: &Field, cursor: &Cursor<'_>) -> String {
    let itself = cursor.segment == field.name;
    let mut facts = vec![short::code(&grammar::name(cursor.ty), LONGEST)];
    if itself && field.required {
        facts.push("required".to_owned());
    }
    if let Some(minor) = field.since {
        facts.push(format!("since Kubernetes 1.{minor}"));
    }
    let written = cursor.value.as_scalar().filter(|_| cursor.on_value).and_then(|scalar| scalar.as_str());
    if let Some((meaning, value)) = written.and_then(|value| Some((field.value_text(&value)?, value))) {
        let mut section = bold_code(&format!("{}: {value}", field.name));
        push_paragraph(&mut section, &meaning);
        return section;
    }
    let mut section = heading(&bold_code(&cursor.segment), &facts);
    push_paragraph(&mut section, &field.text());
    let is_short = (1..=MOST_VALUES).contains(&field.values.len());
    if is_short && !matches!(cursor.ty, FieldType::Object(_)) {
        let values: Vec<String> = field.values.iter().map(|value| short::code(value, LONGEST)).collect();
        push_paragraph(&mut section, &format!("Values: {}", values.join(", ")));
    }
    if let Some(default) = field.default.filter(|_| itself) {
        push_paragraph(&mut section, &format!("Default: {}", short::code(default, LONGEST)));
    }
    section
}

/// The description of a property by its schema.
fn schema_section(schema: &SchemaAt<'_>, reader: &Reader<'_>) -> String {
    let path = match schema.path.as_str() {
        "" => "**The object itself**".to_owned(),
        path => bold_code(path),
    };
    let keywords = Keywords::read(schema.value, reader);
    let signature = keywords.as_ref().map(Keywords::signature).filter(|signature| !signature.is_empty());
    let mut facts: Vec<String> = signature.iter().map(|signature| short::code(signature, LONGEST)).collect();
    if is_required(schema, reader) {
        facts.push("required".to_owned());
    }
    let Some(keywords) = keywords else { return heading(&path, &facts) };
    if keywords.is_true(Keyword::Nullable) {
        facts.push("nullable".to_owned());
    }
    if let Some(default) = keywords.get(Keyword::Default) {
        facts.push(format!("default {}", short::code(&short::value(default, LONGEST_DEFAULT), LONGEST)));
    }
    facts.extend(list_type(&keywords));
    if let Some(map_type) = keywords.string(Keyword::MapType) {
        facts.push(format!("map type {}", short::code(&map_type, LONGEST)));
    }
    for (keyword, words) in [
        (Keyword::EmbeddedResource, "embedded resource"),
        (Keyword::PreserveUnknownFields, "keeps unknown fields"),
    ] {
        if keywords.is_true(keyword) {
            facts.push(words.to_owned());
        }
    }
    facts.extend(schema.junctor.map(|junctor| format!("within `{junctor}`")));
    let mut section = heading(&path, &facts);
    if let Some(pattern) = keywords.string(Keyword::Pattern) {
        push_paragraph(&mut section, &format!("Pattern: {}", short::code(&pattern, LONGEST)));
    }
    if let Some(description) = keywords.string(Keyword::Description) {
        push_paragraph(&mut section, &text::start(description.trim(), LONGEST_DESCRIPTION));
    }
    section
}

fn is_required(schema: &SchemaAt<'_>, reader: &Reader<'_>) -> bool {
    let Some((name, parent)) = &schema.property else { return false };
    let parent = Keywords::read(*parent, reader);
    parent.is_some_and(|parent| parent.strings(Keyword::Required).any(|required| required == *name))
}

fn list_type(keywords: &Keywords<'_, '_>) -> Option<String> {
    let list_type = keywords.string(Keyword::ListType)?;
    let keys = keywords.strings(Keyword::ListMapKeys).map(|key| short::code(&key, LONGEST));
    let keys: Vec<String> = keys.take(EXCERPT_LINES).collect();
    let list_type = format!("list type {}", short::code(&list_type, LONGEST));
    Some(if keys.is_empty() { list_type } else { format!("{list_type}, keys {}", keys.join(", ")) })
}

pub(crate) fn bold_code(text: &str) -> String {
    format!("**{}**", short::code(text, LONGEST))
}

fn heading(name: &str, facts: &[String]) -> String {
    if facts.is_empty() { name.to_owned() } else { format!("{name}: {}", facts.join(" · ")) }
}

pub(crate) fn push_paragraph(section: &mut String, paragraph: &str) {
    if !paragraph.is_empty() {
        section.push_str("\n\n");
        section.push_str(paragraph);
    }
}

/// The value of `alias`: the line of the anchor, and the first lines of the value.
fn alias_section<'t>(tree: &'t Tree, alias: TokenRef<'t>, reader: &Reader<'t>) -> Option<String> {
    let target = reader.anchor(alias)?;
    let anchor = target.anchor()?;
    let line = 1 + breaks_before(tree.root(), anchor.start);
    let names = [alias.text, anchor.text].map(|name| short::code(name, LONGEST));
    let [alias, anchor] = names;
    let section = format!("{alias} is the value of {anchor} on line {line}");
    Some(match excerpt(tree, target) {
        Some(excerpt) => format!("{section}:\n\n```yaml\n{excerpt}\n```"),
        None => section,
    })
}

/// The number of line breaks before `offset`.
fn breaks_before(node: NodeRef<'_>, offset: TextSize) -> usize {
    let before = node.elements().take_while(|element| element.range().start < offset);
    let breaks = before.map(|element| match element {
        ElementRef::Node(node) => breaks_before(node, offset),
        ElementRef::Token(token) => {
            let bytes = token.text.as_bytes();
            let lone_returns =
                bytes.windows(2).filter(|pair| matches!(pair, [b'\r', other] if *other != b'\n'));
            bytes.iter().filter(|byte| **byte == b'\n').count()
                + lone_returns.count()
                + usize::from(bytes.ends_with(b"\r"))
        }
    });
    breaks.sum()
}

/// The first lines of `value`, without their common indentation.
fn excerpt(tree: &Tree, value: Value<'_>) -> Option<String> {
    let range = value.range();
    let end = range.end.min(range.start.saturating_add(EXCERPT_BYTES as TextSize));
    let source = text_of(tree.root(), TextRange::new(range.start, end));
    let column = match value.kind() {
        ValueKind::Mapping(mapping) => mapping.column(),
        ValueKind::Sequence(sequence) => sequence.column(),
        _ => None,
    };
    let dedented = |line: &str| {
        let indentation = line.bytes().take_while(|byte| *byte == b' ').take(column.unwrap_or(0)).count();
        line.get(indentation..).unwrap_or_default().to_owned()
    };
    let mut lines: Vec<String> = source.lines().take(EXCERPT_LINES).map(dedented).collect();
    if end < range.end || source.lines().nth(EXCERPT_LINES).is_some() {
        lines.push("# …".to_owned());
    }
    let excerpt = lines.join("\n");
    (!excerpt.is_empty() && !excerpt.contains("```")).then_some(excerpt)
}
