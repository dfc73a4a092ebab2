//! A suite: Markdown with a heading of the second level for each case, its story, and blocks.

use std::io::{Error, Result};
use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag};

use crate::case::{Block, Case, Text};
use crate::folder::PARTS;

/// The part of a case that is the API server's answer.
const SERVER: &str = "server";
const FINDINGS: &str = "findings";

/// The kinds of top-level blocks in a suite, according to CommonMark.
enum BlockRole {
    Heading,
    Block(String),
}

/// The cases in `text`, the text of the suite at `path`.
pub(crate) fn cases(path: &Path, text: &str) -> Result<Vec<Case>> {
    let parts = parts(text);
    let headings: Vec<usize> =
        (0..parts.len()).filter(|at| matches!(parts[*at].0, BlockRole::Heading)).collect();
    let first = headings.first().copied().unwrap_or(parts.len());
    if let Some((_, range)) = parts[..first].first() {
        return Err(error(path, text, range.start, "a block before the first case"));
    }
    let ends = headings.iter().skip(1).copied().chain([parts.len()]);
    let mut cases = Vec::new();
    for (start, end) in headings.iter().zip(ends) {
        let until = parts.get(end).map_or(text.len(), |(_, range)| range.start);
        let case = case(path, text, &parts[*start..end], until, &cases)?;
        cases.push(case);
    }
    Ok(cases)
}

fn parts(text: &str) -> Vec<(BlockRole, Range<usize>)> {
    let mut depth = 0;
    let mut parts = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                depth += 1;
                match tag {
                    _ if depth > 1 => {}
                    Tag::Heading { level: HeadingLevel::H2, .. } => parts.push((BlockRole::Heading, range)),
                    Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                        parts.push((BlockRole::Block(info.to_string()), range))
                    }
                    _ => {}
                }
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    parts
}

/// The case of a heading and the blocks after it, up to the place `until`.
fn case(
    path: &Path,
    text: &str,
    parts: &[(BlockRole, Range<usize>)],
    until: usize,
    earlier: &[Case],
) -> Result<Case> {
    let heading = parts[0].1.clone();
    let story_end = parts.get(1).map_or(until, |(_, range)| range.start);
    let mut case = Case {
        name: text[heading.clone()].trim_start_matches('#').trim().to_owned(),
        story: text[heading.end..story_end].trim().to_owned(),
        path: path.to_owned(),
        line: line_of(text, heading.start),
        texts: Vec::new(),
        server: None,
        findings: None,
        blocks: Vec::new(),
    };
    if case.story.is_empty() {
        return Err(error(path, text, heading.start, "a case without a story"));
    }
    let mut end = story_end;
    for (part, range) in &parts[1..] {
        let BlockRole::Block(info) = part else { continue };
        only_blank(path, text, end..range.start)?;
        end = range.end + usize::from(text[range.end..].starts_with('\n'));
        let block = body(text, range).ok_or_else(|| "an open block".to_owned()).and_then(|body| {
            let info = InfoString::read(info)?;
            let bytes = info.bytes(body, &case, earlier)?;
            add(&mut case, &info, bytes)?;
            let from = info.from.map(|file| path.with_file_name(file));
            Ok(Block { kind: info.kind, from, range: range.start..end })
        });
        case.blocks.push(block.map_err(|problem| error(path, text, range.start, &problem))?);
    }
    if case.texts.is_empty() {
        return Err(error(path, text, heading.start, "a case without a text"));
    }
    only_blank(path, text, end..until)?;
    Ok(case)
}

/// Rejects prose between or after the blocks of a case, which is not part of its description.
fn only_blank(path: &Path, text: &str, range: Range<usize>) -> Result<()> {
    let prose = text[range.clone()].trim_start();
    if prose.is_empty() {
        Ok(())
    } else {
        Err(error(path, text, range.end - prose.len(), "prose behind a block"))
    }
}

/// The text between the fences of the block at `range`; CommonMark closes an open block at the end of the text.
fn body<'t>(text: &'t str, range: &Range<usize>) -> Option<&'t str> {
    let whole = text[range.clone()].trim_end_matches('\n');
    let (opening, rest) = whole.split_once('\n')?;
    let fence = opening.len() - opening.trim_start_matches('`').len();
    let start = rest.rfind('\n').map_or(0, |at| at + 1);
    let closing = &rest[start..];
    let is_closed = fence >= 3 && closing.len() >= fence && closing.bytes().all(|byte| byte == b'`');
    is_closed.then(|| &rest[..start])
}

/// The info string of a block: `LANGUAGE [PART] [unterminated] [from=FILE] [as=CASE]`.
struct InfoString {
    /// The language and the role.
    kind: String,
    language: String,
    part: String,
    is_unterminated: bool,
    /// The file beside the suite that holds the body.
    from: Option<String>,
    /// The earlier case with the same body.
    like: Option<String>,
}

impl InfoString {
    fn read(info: &str) -> std::result::Result<Self, String> {
        let mut words = info.split(' ').peekable();
        let language = words.next().unwrap_or_default().to_owned();
        let is_part = |word: &&str| PARTS.contains(word) || *word == SERVER;
        let part = words.next_if(is_part).unwrap_or_default().to_owned();
        let is_unterminated = words.next_if(|word| *word == "unterminated").is_some();
        let mut named =
            |key: &str| Some(words.next_if(|word| word.starts_with(key))?[key.len()..].to_owned());
        let (from, like) = (named("from="), named("as="));
        let is_known = match language.as_str() {
            "yaml" => part != SERVER,
            "json" => true,
            _ => language == FINDINGS && part.is_empty(),
        };
        if !is_known || words.next().is_some() {
            return Err(format!("no such block: {info}"));
        }
        let kind = if part.is_empty() { language.clone() } else { format!("{language} {part}") };
        Ok(Self { kind, language, part, is_unterminated, from, like })
    }

    /// The content of the block, which has `body` between its fences.
    fn bytes(&self, body: &str, case: &Case, earlier: &[Case]) -> std::result::Result<Vec<u8>, String> {
        if (self.from.is_some() || self.like.is_some()) && !body.is_empty() {
            return Err("a text in two places".to_owned());
        }
        if let Some(file) = &self.from {
            let file = case.path.with_file_name(file);
            return std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()));
        }
        if let Some(name) = &self.like {
            let same = earlier.iter().find(|case| case.name == *name).and_then(|case| case.part(&self.part));
            let same = same.ok_or_else(|| format!("no {} before it in a case {name}", self.kind))?;
            return Ok(same.bytes.clone());
        }
        let end = if self.is_unterminated { "\n" } else { "" };
        Ok(body.strip_suffix(end).unwrap_or(body).as_bytes().to_vec())
    }
}

/// Adds `bytes` to the case, according to `info`.
fn add(case: &mut Case, info: &InfoString, bytes: Vec<u8>) -> std::result::Result<(), String> {
    let utf8 = |bytes| String::from_utf8(bytes).map_err(|error| error.to_string());
    let is_second = if info.part == SERVER {
        case.server.replace(utf8(bytes)?).is_some()
    } else if info.language == FINDINGS {
        case.findings.replace(utf8(bytes)?).is_some()
    } else {
        let dot = if info.part.is_empty() { "" } else { "." };
        let path = case.path.with_file_name(format!("{}{dot}{}.{}", case.name, info.part, info.language));
        let is_second = case.part(&info.part).is_some();
        case.texts.push(Text { part: info.part.clone(), path, bytes });
        is_second
    };
    if is_second { Err(format!("a second block {}", info.kind)) } else { Ok(()) }
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn error(path: &Path, text: &str, at: usize, problem: &str) -> Error {
    Error::other(format!("{}:{}: {problem}", path.display(), line_of(text, at)))
}
