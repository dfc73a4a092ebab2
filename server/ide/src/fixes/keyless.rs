//! Fixes for lines whose key is missing: a block below a value, a list among keys, or keys among those of
//! another object. They add a key of the API whose value the lines can be.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Entry, Reader, Tree, Value, ValueKind};

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::headless_list::HeadlessList;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::missing_key::{Step, fits, shape_at, shape_of};
use crate::analysis::resources::{Member, Shape};
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::values::{entry_at, key_line, newline, own_entry, string};
use crate::{Finding, Fix};

const CODES: [Code; 5] = [
    Code::YamlSyntax,
    Code::DecodeUnknownField,
    Code::ResourceUnknownField,
    Code::DecodeType,
    Code::ResourceType,
];
/// The largest block that is read, in bytes.
const MOST: TextSize = 100_000;
/// A text, and an expression of a rule.
const PLACEHOLDER: &str = "'true'";
/// The name for a version without a name.
const FIRST_VERSION: &str = "v1";
/// The number of columns by which nested keys are indented.
const STEP: usize = 2;
/// The maximum number of keys that are tried.
const MOST_TRIED: usize = 3;
/// The maximum number of keys that are tried for a value.
const MOST_KEYS: usize = 12;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, reader, .. } = *request;
    let mut wanted = request.with_codes(&CODES).peekable();
    if wanted.peek().is_none() {
        return Vec::new();
    }
    let Some(root) = shape_of(document, reader, request.surroundings()) else { return Vec::new() };
    let text = document.syntax().text();
    let offers = wanted.filter_map(|finding| {
        if let Some(fix) = scalar_without_key(document, root, &text, finding, proof) {
            return Some(fix);
        }
        let here = || Block::at(document, root, &text, finding.range.start, 0);
        let tried = match finding.code {
            Code::YamlSyntax => {
                let block = here()
                    .or_else(|| Block::at(document, root, &text, next_line(document, finding.range.end)?, 0));
                let further = || Block::at(document, root, &text, finding.range.start, STEP);
                block
                    .map(|block| block.candidates())
                    .filter(|tried| !tried.is_empty())
                    .or_else(|| Some(further()?.candidates()))?
            }
            Code::DecodeType | Code::ResourceType => first_line(document, root, &text, finding, proof),
            _ => match Block::block_at(document, root, &text, finding.range) {
                Some(block) => block.candidates(),
                None => here().filter(|_| is_first_unknown(document, root, finding.range))?.candidates(),
            },
        };
        let is_of_type = matches!(finding.code, Code::DecodeType | Code::ResourceType);
        let mut tried = tried.into_iter();
        let (title, edits) = tried.find(|(_, edits)| {
            proof.reduces(finding.code, edits) || is_of_type && restores_item(finding.code, edits, proof)
        })?;
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    });
    offers.collect()
}

/// Adds the key of a value on its own line, with or without its colon: the only field that can have the value, or
/// that leaves the fewest findings.
fn scalar_without_key(
    document: Document<'_>,
    root: Shape<'_>,
    text: &str,
    finding: &Finding,
    proof: &mut Proof,
) -> Option<Fix> {
    let start = (finding.code == Code::YamlSyntax).then_some(finding.range.start)?;
    let (before, behind) = text.split_at_checked(start.checked_sub(document.range().start)? as usize)?;
    let line = behind.lines().next()?.trim_end();
    let own = before.get(before.rfind('\n')? + 1..).filter(|indent| indent.trim().is_empty())?.len();
    let value = line.strip_prefix(':').unwrap_or(line).trim_start();
    let is_word = value.starts_with(|first: char| first.is_ascii_alphabetic())
        && value.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter));
    let (holder, path) = holder(document, start, own + 1, false)?;
    if !is_word || holder.as_mapping()?.column()? != own {
        return None;
    }
    let members = shape_at(root, &path)?.members();
    // A word may also be a key without its value.
    if line == value && members.iter().any(|member| member.name == value) {
        return None;
    }
    let tree = Tree::parse(value);
    let scalar = tree.documents().next().and_then(Document::root)?;
    let free = members.into_iter().filter(|member| {
        member.is_named && own_entry(holder, &member.name).is_none() && fits(member.shape, scalar)
    });
    let mut left: Vec<(usize, Fix)> = Vec::new();
    for member in free.take(MOST_KEYS) {
        let title = format!("Add `{}:` before `{value}`", member.name);
        let length = (line.len() - value.len()) as TextSize;
        let edit = TextEdit::replace(TextRange::at(start, length), format!("{}: ", member.name));
        let fix = Fix::suggested(title, vec![edit], finding.code, finding.range);
        if let Some(count) = proof.all_remaining(&fix.edits) {
            left.push((count, fix));
        }
    }
    left.sort_by_key(|(count, _)| *count);
    let is_only = left.len() < 2 || left.first().map(|one| one.0) < left.get(1).map(|one| one.0);
    left.into_iter().next().map(|(_, fix)| fix).filter(|_| is_only)
}

/// Whether the key at `range` is the first one that does not belong to its object: later ones belong to the
/// same block.
fn is_first_unknown(document: Document<'_>, root: Shape<'_>, range: TextRange) -> bool {
    let before = || {
        let (mapping, entry) = entry_at(document, range)?;
        let (own, start) = (mapping.as_mapping()?.column()?, entry.range().start);
        let (_, path) = holder(document, start, own + 1, false)?;
        let before = mapping.as_mapping()?.entry_before(start.checked_sub(1)?)?;
        Some(shape_at(root, &path)?.member(&before.key_text()?).is_some())
    };
    before().unwrap_or_default()
}

/// The beginning of the text on the line after the one of `at`.
fn next_line(document: Document<'_>, at: TextSize) -> Option<TextSize> {
    let rest = text_of(document.syntax(), TextRange::new(at, document.range().end.min(at + MOST)));
    let (line, behind) = rest.split_once('\n')?;
    let blank = behind.len() - behind.trim_start_matches(' ').len();
    Some(at + (line.len() + 1 + blank) as TextSize)
}

/// Lines to the right of the keys that they follow, or a list among keys.
struct Block<'t, 's> {
    /// The mapping without the key.
    holder: Value<'t>,
    /// The shape of that mapping.
    shape: Shape<'s>,
    /// The column of the missing key.
    column: usize,
    /// The column of the block.
    own: usize,
    /// The beginning of the first line.
    line: TextSize,
    /// The range and the key of the line above the block, if it is a comment that contains only a key.
    comment: Option<(TextRange, String)>,
    /// The lines, as a separate text.
    tree: Tree,
    newline: &'static str,
}

impl<'t, 's> Block<'t, 's> {
    /// The block whose first line has its text at `start`, below the innermost keys that are more than
    /// `steps` columns to the left. `text` is the text of the document.
    fn at(
        document: Document<'t>,
        root: Shape<'s>,
        text: &str,
        start: TextSize,
        steps: usize,
    ) -> Option<Self> {
        let from = document.range().start;
        let (before, behind) = text.split_at_checked(start.checked_sub(from)? as usize)?;
        let indent = before.get(before.rfind('\n')? + 1..)?;
        if !indent.bytes().all(|byte| byte == b' ') {
            return None;
        }
        let own = indent.len();
        let is_list = behind.starts_with("- ");
        let (holder, path) = holder(document, start, own.checked_sub(steps)?, is_list)?;
        let shape = shape_at(root, &path)?;
        let lines = lines(behind.get(..behind.len().min(MOST as usize)).unwrap_or(behind), own, is_list);
        Some(Self {
            holder,
            shape,
            column: holder.as_mapping()?.column()?,
            own,
            line: start - own as TextSize,
            comment: comment(before, from),
            tree: Tree::parse(&lines),
            newline: newline(text),
        })
    }

    /// The block that begins with the key at `key`, if it is indented by more than one step below the
    /// enclosing key.
    fn block_at(document: Document<'t>, root: Shape<'s>, text: &str, key: TextRange) -> Option<Self> {
        let (value, entry) = entry_at(document, key)?;
        let own = value.as_mapping().filter(|_| value.range().start == entry.range().start)?.column()?;
        let (_, path) = holder(document, key.start, own + 1, false)?;
        let (outer, _) = holder(document, key.start, own, false)?;
        let outer = outer.as_mapping()?.column()?;
        let is_two_steps = own >= outer + 4 && (own - outer).is_multiple_of(2);
        let shape = shape_at(root, &path)?;
        let from = document.range().start;
        let (before, behind) = text.split_at_checked((key.start - from) as usize)?;
        let lines = lines(behind.get(..behind.len().min(MOST as usize)).unwrap_or(behind), own, false);
        is_two_steps.then(|| Self {
            holder: value,
            shape,
            column: outer + (own - outer) / 2,
            own,
            line: key.start - own as TextSize,
            comment: comment(before, from),
            tree: Tree::parse(&lines),
            newline: newline(text),
        })
    }

    /// The edits that put the block below possible keys, with their titles.
    fn candidates(&self) -> Vec<(String, Vec<TextEdit>)> {
        let keys = self.keys();
        let both = if keys.is_empty() { self.below_both() } else { None };
        both.into_iter().chain(keys.into_iter().take(MOST_TRIED).map(|key| self.below(&key))).collect()
    }

    /// The title and the edit that put the block below two new keys, the second nested in the first; `None`
    /// unless exactly one pair of keys fits.
    fn below_both(&self) -> Option<(String, Vec<TextEdit>)> {
        let value = self.tree.documents().next().and_then(Document::root)?;
        let step = self.own.checked_sub(self.column).filter(|columns| columns.is_multiple_of(2))? / 2;
        let members = self.shape.members().into_iter().filter(|member| member.is_named && step > 0);
        let free = members.filter(|member| own_entry(self.holder, &member.name).is_none());
        let mut pairs = free.flat_map(|outer| {
            let inner = outer.shape.members().into_iter().filter(|inner| inner.is_named);
            let fitting: Vec<String> =
                inner.filter(|inner| fits(inner.shape, value)).map(|inner| inner.name.into_owned()).collect();
            fitting.into_iter().map(move |inner| (outer.name.clone().into_owned(), inner))
        });
        let (outer, inner) = pairs.next()?;
        if pairs.next().is_some() {
            return None;
        }
        let lines =
            key_line(self.column, &outer, self.newline) + &key_line(self.column + step, &inner, self.newline);
        let title = format!("Add `{outer}:` and `{inner}:` above this line");
        Some((title, vec![TextEdit::insert(self.line, lines)]))
    }

    /// The keys whose value the block can be, the likeliest first.
    fn keys(&self) -> Vec<String> {
        let Some(value) = self.tree.documents().next().and_then(Document::root) else { return Vec::new() };
        let members = self.shape.members().into_iter().filter(|member| member.is_named);
        let free = members.filter(|member| own_entry(self.holder, &member.name).is_none());
        let mut keys: Vec<String> =
            free.filter(|member| fits(member.shape, value)).map(|member| member.name.into_owned()).collect();
        let is_list = own_entry(self.holder, "type")
            .is_some_and(|ty| ty.value().as_scalar().is_some_and(|ty| ty.text() == "array"));
        let likely = if is_list { ["items", "properties"] } else { ["properties", "additionalProperties"] };
        keys.sort_by_key(|key| likely.iter().position(|one| one == key).unwrap_or(likely.len()));
        keys
    }

    /// The edit that puts the block below `key`, and its title.
    fn below(&self, key: &str) -> (String, Vec<TextEdit>) {
        let line = key_line(self.column, key, self.newline);
        if let Some(comment) =
            self.comment.as_ref().filter(|(_, commented)| commented == key).map(|(range, _)| *range)
        {
            return (
                format!("Restore `{key}:` from the comment above"),
                vec![TextEdit::replace(comment, line)],
            );
        }
        (format!("Add `{key}:` above this line"), vec![TextEdit::insert(self.line, line)])
    }
}

/// The lines that begin the first item of the list whose key has `finding`: its name, if it is known, or the dash
/// before its other lines.
fn first_line(
    document: Document<'_>,
    root: Shape<'_>,
    text: &str,
    finding: &Finding,
    proof: &mut Proof,
) -> Vec<(String, Vec<TextEdit>)> {
    let Some(list) = HeadlessList::of(document, finding) else { return Vec::new() };
    let item = || {
        let (_, path) = holder(document, list.entry.range().start, list.item.column()?, false)?;
        shape_at(root, &path)?.member(&list.entry.key_text()?)?.shape.item()
    };
    let mut own = list.own_entries();
    let is_field = |item: Shape<'_>, entry: Entry<'_>| {
        entry.key_text().and_then(|key| item.member(&key)).is_some_and(|member| member.is_named)
    };
    let (Some(first), Some(column)) = (own.next(), list.item.column()) else { return Vec::new() };
    if !item().is_some_and(|item| is_field(item, first) && own.all(|entry| is_field(item, entry))) {
        return Vec::new();
    }
    let start = first.range().start;
    let named = (finding.code == Code::DecodeType).then(|| likely_name(list.entry)).flatten().map(|name| {
        let line = format!("{}- name: {name}{}", " ".repeat(column - STEP), newline(text));
        let title = format!("Add `- name: {name}` above this line");
        (title, vec![TextEdit::insert(start - column as TextSize, line)])
    });
    let dash = first.key_text().map(|key| {
        let before = TextRange::new(start - STEP as TextSize, start);
        (format!("Add `-` before `{key}`"), vec![TextEdit::replace(before, "- ")])
    });
    // A complete object becomes the only item by another fix.
    let dash = dash.filter(|(_, edits)| list.next.is_some() || !proof.reduces(finding.code, edits));
    named.into_iter().chain(dash).collect()
}

/// The edit that adds the first line of the item in place of the list that has `finding`, with all missing required
/// texts. It shows the consequences of the lost line, and no fix offers it, because the text of that line is unknown.
pub(super) fn completed_item(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    finding: &Finding,
) -> Option<Vec<TextEdit>> {
    let list = HeadlessList::of(document, finding).filter(|list| list.next.is_some())?;
    let reader = Reader::new(document);
    let root = shape_of(document, &reader, inputs.surroundings)?;
    let column = list.item.column()?;
    let (_, path) = holder(document, list.entry.range().start, column, false)?;
    let item = shape_at(root, &path)?.member(&list.entry.key_text()?)?.shape.item()?;
    let placeholder = Tree::parse(PLACEHOLDER);
    let text = placeholder.documents().next().and_then(Document::root)?;
    let is_missing = |member: &Member<'_>| {
        let is_it = |entry: Entry<'_>| entry.key_text().is_some_and(|key| key == member.name);
        member.required && fits(member.shape, text) && !list.own_entries().any(is_it)
    };
    let missing = item.members().into_iter().filter(is_missing);
    let lines: Vec<String> = missing.map(|member| format!("{}: {PLACEHOLDER}", member.name)).collect();
    if lines.is_empty() {
        return None;
    }
    let between = format!("\n{}", " ".repeat(column));
    let start = list.item.range().start;
    let before = TextRange::new(start.checked_sub(STEP as TextSize)?, start);
    let edit = TextEdit::replace(before, format!("- {}{between}", lines.join(&between)));
    Some(vec![edit])
}

/// Whether `edits` remove the finding with `code` and its consequences. The item may then still miss the field of the
/// lost line, which `Proof::reduces` does not admit.
fn restores_item(code: Code, edits: &[TextEdit], proof: &mut Proof) -> bool {
    let removed = proof.removed(edits);
    removed.len() > 1 && removed.iter().any(|(removed, _)| *removed == code)
}

/// The name of the first item of `list`, if it is missing: a version, or a column after the last part of its path.
fn likely_name(list: Entry<'_>) -> Option<String> {
    let item = list.value();
    match &*list.key_text().filter(|_| own_entry(item, "name").is_none())? {
        "versions" => Some(FIRST_VERSION.to_owned()),
        "additionalPrinterColumns" => {
            let path = string(own_entry(item, "jsonPath")?.value())?;
            let last = path.rsplit('.').next()?;
            let is_word = last.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let first = last.chars().next().filter(|_| is_word)?.to_ascii_uppercase();
            Some(format!("{first}{}", last.get(1..)?))
        }
        _ => None,
    }
}

/// The range of the last whole line of `before`, and its key, if it is a comment that contains only a key.
/// `from` is the offset of `before` in the file.
fn comment(before: &str, from: TextSize) -> Option<(TextRange, String)> {
    let whole = before.get(..before.rfind('\n')? + 1)?;
    let line = whole.split_inclusive('\n').next_back()?;
    let key = line.trim().strip_prefix('#')?.trim().strip_suffix(':')?;
    let range = TextRange::at(from + (whole.len() - line.len()) as TextSize, line.len() as TextSize);
    Some((range, key.to_owned()))
}

/// The innermost mapping before `start` whose keys are to the left of the column `own`, with the path to it.
/// The dashes of a list may be in the column of the keys.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use text::TextRange;

    use crate::marked_texts::WIDGET;
    use crate::{Catalog, Definitions, File, Settings, Surroundings};

    #[test]
    fn a_deleted_line_is_restored() {
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

    /// A move of all lines would be much larger than the insertion of one.
    #[test]
    fn a_missing_line_above_a_large_block_is_one_finding_and_is_restored() {
        let field = |number: usize| {
            format!("              field{number}: {{type: string, description: number {number:040}}}\n")
        };
        let fields: String = (0..800).map(field).collect();
        // As in the output of controller-gen, the schema follows the name.
        let flags = "    served: true\n    storage: true\n";
        let columns =
            WIDGET.find("    additionalPrinterColumns:").unwrap()..WIDGET.find("    schema:").unwrap();
        let definition = WIDGET
            .replacen(&WIDGET[columns], "", 1)
            .replacen(flags, "", 1)
            .replacen("    subresources:\n", &format!("{flags}    subresources:\n"), 1)
            .replacen("              size:\n", &format!("{fields}              size:\n"), 1);
        for line in [
            "    schema:\n",
            "      openAPIV3Schema:\n",
            "            properties:\n              field0",
            "spec:\n",
        ] {
            let (deleted, rest) = line.split_once('\n').unwrap();
            let text = definition.replacen(&format!("\n{deleted}\n{rest}"), &format!("\n{rest}"), 1);
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{deleted}: {found:#?}");
            let fixes = file.fixes(found[0].range);
            let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert!(
                repaired.contains(&definition),
                "{deleted}: {:?}",
                fixes.iter().map(|fix| &fix.title).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn the_first_line_of_a_first_item_is_restored() {
        let second = "    - name: Age\n      type: date\n      jsonPath: .metadata.creationTimestamp\n";
        let columns = WIDGET.find("    additionalPrinterColumns:\n").unwrap();
        let end = WIDGET[columns..].find("    schema:\n").unwrap() + columns;
        let list = "    additionalPrinterColumns:\n    - name: Size\n      type: integer\n      jsonPath: .spec.size\n";
        let definition = format!("{}{list}{second}{}", &WIDGET[..columns], &WIDGET[end..]);
        for (line, written, title) in [
            ("    - name: Size\n", "", "Add `- name: Size` above this line"),
            ("    - name: Size\n", "      name: Size\n", "Add `-` before `name`"),
        ] {
            let text = definition.replacen(line, written, 1);
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{found:#?}\n{text}");
            let fixes = file.fixes(found[0].range);
            assert_eq!(fixes.first().map(|fix| fix.title.as_str()), Some(title), "{fixes:#?}\n{text}");
            assert_eq!(text::applied(&text, 0, &fixes[0].edits), definition);
        }
    }

    #[test]
    fn an_item_without_the_line_of_its_required_field_gets_its_dash() {
        let rules = WIDGET.find("            x-kubernetes-validations:\n").unwrap();
        let first = "            - rule: self.size > 0\n              message: size must be positive\n";
        let at = rules + WIDGET[rules..].find('\n').unwrap() + 1;
        let definition = format!("{}{first}{}", &WIDGET[..at], &WIDGET[at..]);
        assert_eq!(File::new(&definition, &Settings::default()).findings(), []);
        let text = definition.replacen("            - rule: self.size > 0\n", "", 1);
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        let fix = fixes.first().unwrap();
        assert_eq!(fix.title, "Add `-` before `message`", "{fixes:#?}");
        let repaired = definition.replacen("- rule: self.size > 0\n              message", "- message", 1);
        assert_eq!(text::applied(&text, 0, &fix.edits), repaired);
    }

    #[test]
    fn a_deleted_key_is_restored() {
        for (line, value) in [
            ("  scope: Namespaced\n", "  : Namespaced\n"),
            ("  scope: Namespaced\n", "  Namespaced\n"),
            ("                type: integer\n", "                : integer\n"),
            ("    plural: widgets\n", "    widgets\n"),
            ("        type: object\n", "        object\n"),
        ] {
            let text = WIDGET.replacen(line, value, 1);
            let file = File::new(&text, &Settings::default());
            let mut found = file.grouped().findings;
            found.retain(|finding| finding.severity <= crate::Severity::Warning);
            assert_eq!(found.len(), 1, "{found:#?}\n{text}");
            let fixes = file.fixes(found[0].range);
            let repaired = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
            assert_eq!(repaired.as_deref(), Some(WIDGET), "{fixes:#?}\n{text}");
        }
    }

    #[test]
    fn a_deleted_line_of_a_resource_is_restored() {
        let definition = WIDGET.replacen(
            "              modes:\n",
            "              source: {type: object, properties: {url: {type: string}}}\n              modes:\n",
            1,
        );
        let resource = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\n  source:\n    url: b\n  modes:\n  - a\n";
        let definitions = Definitions::read("crd.yaml", &definition, Definitions::load_kept(&definition));
        let catalog = Catalog::default().with([("crd.yaml".into(), definitions)]);
        let around =
            || Surroundings { catalog: catalog.clone(), source: "a.yaml".into(), ..Default::default() };
        for (line, title) in [
            ("spec:\n", "Add `spec:` above this line"),
            ("  source:\n", "Add `source:` above this line"),
            ("  modes:\n", "Add `modes:` above this line"),
        ] {
            let text = resource.replacen(line, "", 1);
            let file = File::with_surroundings(&text, &Settings::default(), around());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{found:#?}\n{text}");
            let fixes = file.fixes(found[0].range);
            assert_eq!(fixes.first().map(|fix| fix.title.as_str()), Some(title), "{fixes:#?}\n{text}");
            assert_eq!(text::applied(&text, 0, &fixes[0].edits), resource);
        }
    }
}
