//! Fixes for lines whose key is missing: a block below a value, a list among keys, or keys among those of another object, get
//! the only key of the API that they can be the value of.

use api::{CUSTOM_RESOURCE_DEFINITION_V1, Code, FieldType, JSON_SCHEMA_PROPS, ObjectType, object_at};
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Mapping, Reader, Tree, Value, ValueKind};

use super::proof::Proof;
use super::repairs::site::object_of;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::written::{entry_at, own_entry};
use crate::{Finding, Fix};

const CODES: [Code; 3] = [Code::YamlSyntax, Code::DecodeUnknownField, Code::DecodeType];
/// Larger blocks are not read.
const MOST: TextSize = 100_000;
/// The name of a version that is missing.
const FIRST_VERSION: &str = "v1";
/// More keys are not tried.
const MOST_TRIED: usize = 3;

/// The fixes for those of `findings`, all of `document`, that touch `range`.
pub(super) fn fixes(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    proof: &mut Proof,
) -> Vec<Fix> {
    let is_wanted = |finding: &&Finding| CODES.contains(&finding.code) && finding.range.overlaps(range);
    let mut wanted = findings.iter().filter(is_wanted).peekable();
    if wanted.peek().is_none() || !is_definition(document) {
        return Vec::new();
    }
    let text = document.syntax().text();
    let offers = wanted.filter_map(|finding| {
        let here = || Block::at(document, &text, finding.range.start);
        let tried = match finding.code {
            Code::YamlSyntax => {
                let block =
                    here().or_else(|| Block::at(document, &text, next_line(document, finding.range.end)?));
                block?.tried()
            }
            Code::DecodeType => vec![item(document, &text, finding.range)?],
            _ => match Block::within(document, &text, finding.range) {
                Some(block) => block.tried(),
                None => here().filter(|_| is_first_unknown(document, finding.range))?.tried(),
            },
        };
        let mut tried = tried.into_iter();
        let (title, edits) = tried.find(|(_, edits)| proof.lessens(finding.code, edits))?;
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    });
    offers.collect()
}

/// Whether the key at `range` is the first one that does not belong to its object: those behind it are of the same block.
fn is_first_unknown(document: Document<'_>, range: TextRange) -> bool {
    let before = || {
        let (mapping, entry) = entry_at(document, range)?;
        let (own, start) = (mapping.as_mapping()?.column()?, entry.range().start);
        let (_, path) = holder(document, start, own + 1, false)?;
        let object = object_at(&CUSTOM_RESOURCE_DEFINITION_V1, path.iter().map(Step::of))?;
        let before = mapping.as_mapping()?.entry_before(start.checked_sub(1)?)?;
        Some(object.field(&before.key_text()?).is_some())
    };
    before().unwrap_or_default()
}

/// Whether a document is one definition and nothing else.
fn is_definition(document: Document<'_>) -> bool {
    let reader = Reader::new(document);
    let definitions = crd::object::definitions(document, &reader);
    let range = document.root().map(Value::range);
    definitions.first().is_some_and(|definition| Some(definition.value().range()) == range)
}

/// Where the text of the line behind the one of `at` begins.
fn next_line(document: Document<'_>, at: TextSize) -> Option<TextSize> {
    let rest = text_of(document.syntax(), TextRange::new(at, document.range().end.min(at + MOST)));
    let (line, behind) = rest.split_once('\n')?;
    let blank = behind.len() - behind.trim_start_matches(' ').len();
    Some(at + (line.len() + 1 + blank) as TextSize)
}

/// Lines that stand to the right of the keys that they follow, or a list among keys.
struct Block<'t> {
    /// The mapping that lacks the key.
    holder: Value<'t>,
    ty: &'static ObjectType,
    /// The column of the missing key.
    column: usize,
    /// Where the first line begins.
    line: TextSize,
    /// The lines, as a text of their own.
    tree: Tree,
    newline: &'static str,
}

impl<'t> Block<'t> {
    /// The block whose first line has its text at `start`; `text` is that of the document.
    fn at(document: Document<'t>, text: &str, start: TextSize) -> Option<Self> {
        let from = document.range().start;
        let (before, behind) = text.split_at_checked(start.checked_sub(from)? as usize)?;
        let indent = before.get(before.rfind('\n')? + 1..)?;
        if !indent.bytes().all(|byte| byte == b' ') {
            return None;
        }
        let own = indent.len();
        let is_list = behind.starts_with("- ");
        let (holder, path) = holder(document, start, own, is_list)?;
        let ty = object_at(&CUSTOM_RESOURCE_DEFINITION_V1, path.iter().map(Step::of))?;
        let lines = lines(behind.get(..behind.len().min(MOST as usize)).unwrap_or(behind), own, is_list);
        Some(Self {
            holder,
            ty,
            column: holder.as_mapping()?.column()?,
            line: start - own as TextSize,
            tree: Tree::parse(&lines),
            newline: newline(text),
        })
    }

    /// The block that the key at `key` begins, where it is the value of a key that is further to the left than one step.
    fn within(document: Document<'t>, text: &str, key: TextRange) -> Option<Self> {
        let (value, entry) = entry_at(document, key)?;
        let own = value.as_mapping().filter(|_| value.range().start == entry.range().start)?.column()?;
        let (_, path) = holder(document, key.start, own + 1, false)?;
        let (outer, _) = holder(document, key.start, own, false)?;
        let outer = outer.as_mapping()?.column()?;
        let is_two_steps = own >= outer + 4 && (own - outer).is_multiple_of(2);
        let ty = object_at(&CUSTOM_RESOURCE_DEFINITION_V1, path.iter().map(Step::of))?;
        let from = document.range().start;
        let behind = text.get((key.start - from) as usize..)?;
        let lines = lines(behind.get(..behind.len().min(MOST as usize)).unwrap_or(behind), own, false);
        is_two_steps.then(|| Self {
            holder: value,
            ty,
            column: outer + (own - outer) / 2,
            line: key.start - own as TextSize,
            tree: Tree::parse(&lines),
            newline: newline(text),
        })
    }

    /// The edits that put the block below keys that it can be the value of, with their titles.
    fn tried(&self) -> Vec<(String, Vec<TextEdit>)> {
        self.keys().into_iter().take(MOST_TRIED).map(|key| self.below(key)).collect()
    }

    /// The keys that the block can be the value of, the most likely first.
    fn keys(&self) -> Vec<&'static str> {
        let Some(value) = self.tree.documents().next().and_then(Document::root) else { return Vec::new() };
        let free = self.ty.fields.iter().filter(|field| own_entry(self.holder, field.name).is_none());
        let mut keys: Vec<&str> =
            free.filter(|field| fits(field.ty, value)).map(|field| field.name).collect();
        let is_list = own_entry(self.holder, "type")
            .is_some_and(|ty| ty.value().as_scalar().is_some_and(|ty| ty.text() == "array"));
        let likely = if is_list { ["items", "properties"] } else { ["properties", "additionalProperties"] };
        keys.sort_by_key(|key| likely.iter().position(|one| one == key).unwrap_or(likely.len()));
        keys
    }

    /// The edit that puts the block below `key`, and its title.
    fn below(&self, key: &str) -> (String, Vec<TextEdit>) {
        let line = format!("{}{key}:{}", " ".repeat(self.column), self.newline);
        (format!("Add `{key}:` above this line"), vec![TextEdit::insert(self.line, line)])
    }
}

/// What makes the object at `key`, which stands where a list of such objects belongs, an item of it. The line that has the dash is
/// mostly that with the name.
fn item(document: Document<'_>, text: &str, key: TextRange) -> Option<(String, Vec<TextEdit>)> {
    let (of, entry) = entry_at(document, key)?;
    let outer = of.as_mapping()?.column()?;
    let mapping = entry.value().as_mapping().filter(|mapping| !mapping.is_flow())?;
    let own = mapping.column().filter(|own| *own >= outer + 2)?;
    let (_, path) = holder(document, key.start, outer + 1, false)?;
    let name = entry.key_text()?;
    let ty = object_at(&CUSTOM_RESOURCE_DEFINITION_V1, path.iter().map(Step::of))?.field(&name)?.ty;
    let FieldType::List(FieldType::Object(item)) = ty else { return None };
    let start = mapping.range().start;
    if !has_keys(item, mapping) {
        return None;
    }
    if name == "versions" && own_entry(entry.value(), "name").is_none() {
        let line = format!("{}- name: {FIRST_VERSION}{}", " ".repeat(own - 2), newline(text));
        let title = format!("Add `- name: {FIRST_VERSION}` above this line");
        return Some((title, vec![TextEdit::insert(start - own as TextSize, line)]));
    }
    let dash = TextEdit::replace(TextRange::new(start - 2, start), "- ");
    Some((format!("Convert `{name}` to a list of one item"), vec![dash]))
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A step on the way to a mapping.
enum Step {
    Name(String),
    Index,
}

impl Step {
    fn of(&self) -> api::Step<'_> {
        match self {
            Self::Name(name) => api::Step::Name(name),
            Self::Index => api::Step::Index,
        }
    }
}

/// The innermost mapping before `start` whose keys stand to the left of the column `own`, with the way to it. The dashes of a
/// list may stand below the keys.
fn holder<'t>(
    document: Document<'t>,
    start: TextSize,
    own: usize,
    is_list: bool,
) -> Option<(Value<'t>, Vec<Step>)> {
    let (mut path, mut found) = (Vec::new(), None);
    for value in values_to(document, start) {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let is_left = |column| column < own || is_list && column == own;
                if mapping.column().is_some_and(is_left) {
                    found = Some((value, path.len()));
                }
                let key = mapping.entry_before(start).and_then(yaml::Entry::key_text);
                let Some(key) = key else { break };
                path.push(Step::Name(key.into_owned()));
            }
            ValueKind::Sequence(_) => path.push(Step::Index),
            _ => break,
        }
    }
    let (value, length) = found?;
    path.truncate(length);
    Some((value, path))
}

/// The lines of the block, without its indentation.
fn lines(text: &str, own: usize, is_list: bool) -> String {
    let mut lines = String::new();
    for line in text.split_inclusive('\n') {
        let is_first = lines.is_empty();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let rest = if is_first { line } else { line.get(own.min(indent)..).unwrap_or_default() };
        let is_blank = line.trim().is_empty();
        let ends = indent < own || is_list && indent == own && !rest.starts_with("- ");
        if !is_first && !is_blank && ends {
            break;
        }
        lines.push_str(rest);
    }
    lines
}

/// Whether `value` is one of that type by the names of its keys.
fn fits(ty: FieldType, value: Value<'_>) -> bool {
    match (ty, value.kind()) {
        (FieldType::Map(of), ValueKind::Mapping(mapping)) => {
            let is_of = |entry: yaml::Entry<'_>| fits(*of, entry.value());
            mapping.entries().next().is_some() && mapping.entries().all(is_of)
        }
        (FieldType::List(of), ValueKind::Sequence(list)) => {
            list.items().next().is_some() && list.items().all(|item| fits(*of, item.value()))
        }
        (FieldType::String, ValueKind::Scalar(_)) => true,
        (ty, ValueKind::Mapping(mapping)) => object_of(ty).is_some_and(|object| has_keys(object, mapping)),
        _ => false,
    }
}

/// Whether all keys of `mapping` are fields of `object`, and enough of a schema.
fn has_keys(object: &ObjectType, mapping: Mapping<'_>) -> bool {
    let is_field = |entry: yaml::Entry<'_>| entry.key_text().is_some_and(|key| object.field(&key).is_some());
    let says_type = |entry: yaml::Entry<'_>| {
        entry.key_text().is_some_and(|key| key == "type" || key == "properties" || key.starts_with("x-"))
    };
    let is_schema = object.name == JSON_SCHEMA_PROPS.name;
    mapping.entries().next().is_some()
        && mapping.entries().all(is_field)
        && (!is_schema || mapping.entries().any(says_type))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use text::TextRange;

    use crate::marked::WIDGET;
    use crate::{File, Settings};

    #[test]
    fn a_line_that_was_deleted_comes_back() {
        assert_eq!(File::new(WIDGET, &Settings::default()).findings(), []);
        for newline in ["\n", "\r\n"] {
            let definition = WIDGET.replace('\n', newline);
            for (line, title) in [
                ("        properties:\n", "Add `properties:` above this line"),
                ("            properties:\n              replicas", "Add `properties:` above this line"),
                ("            properties:\n              size", "Add `properties:` above this line"),
                ("                items:\n", "Add `items:` above this line"),
                ("      scale:\n", "Add `scale:` above this line"),
                ("    additionalPrinterColumns:\n", "Add `additionalPrinterColumns:` above this line"),
                ("  names:\n", "Add `names:` above this line"),
                ("  versions:\n", "Add `versions:` above this line"),
                ("            required:\n", "Add `required:` above this line"),
                ("spec:\n", "Add `spec:` above this line"),
                ("    schema:\n", "Add `schema:` above this line"),
                ("      openAPIV3Schema:\n", "Add `openAPIV3Schema:` above this line"),
                ("  - name: v1\n", "Add `- name: v1` above this line"),
            ] {
                let line = line.replace('\n', newline);
                let (deleted, rest) = line.split_once('\n').unwrap();
                let text = definition.replacen(&format!("\n{deleted}\n{rest}"), &format!("\n{rest}"), 1);
                let file = File::new(&text, &Settings::default());
                let fixes = file.fixes(TextRange::new(0, text.len() as u32));
                let fix = fixes.iter().find(|fix| fix.title == title);
                let fix = fix.unwrap_or_else(|| panic!("{title}: {fixes:#?}\n{text}"));
                assert_eq!(text::applied(&text, 0, &fix.edits), definition);
            }
        }
    }
}
