//! A suite: Markdown with a heading of the second level for each case, its story, and blocks.

use std::io::{Error, Result};
use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag};

use crate::case::{Block, Case, Text};

/// What CommonMark sees at the top of the suite.
enum Part {
    Heading,
    Block(String),
}

/// The cases that the suite at `path` tells with `text`.
pub(crate) fn cases(path: &Path, text: &str) -> Result<Vec<Case>> {
    let parts = parts(text);
    let heads: Vec<usize> = (0..parts.len()).filter(|at| matches!(parts[*at].0, Part::Heading)).collect();
    let first = heads.first().copied().unwrap_or(parts.len());
    if let Some((_, range)) = parts[..first].first() {
        return Err(error(path, text, range.start, "a block before the first case"));
    }
    let ends = heads.iter().skip(1).copied().chain([parts.len()]);
    heads.iter().zip(ends).map(|(start, end)| case(path, text, &parts[*start..end])).collect()
}

fn parts(text: &str) -> Vec<(Part, Range<usize>)> {
    let mut depth = 0;
    let mut parts = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                depth += 1;
                match tag {
                    _ if depth > 1 => {}
                    Tag::Heading { level: HeadingLevel::H2, .. } => parts.push((Part::Heading, range)),
                    Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                        parts.push((Part::Block(info.to_string()), range))
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

/// The case of a heading and the blocks behind it.
fn case(path: &Path, text: &str, parts: &[(Part, Range<usize>)]) -> Result<Case> {
    let heading = parts[0].1.clone();
    let name = text[heading.clone()].trim_start_matches('#').trim().to_owned();
    let line = line_of(text, heading.start);
    let story_end = parts.get(1).map_or(text.len(), |(_, range)| range.start);
    let story = text[heading.end..story_end].trim().to_owned();
    if story.is_empty() {
        return Err(error(path, text, heading.start, "a case without a story"));
    }
    let mut case = Case {
        name,
        story,
        path: path.to_owned(),
        line,
        texts: Vec::new(),
        server: None,
        findings: None,
        blocks: Vec::new(),
    };
    let mut end = story_end;
    for (part, range) in &parts[1..] {
        let Part::Block(info) = part else { continue };
        let prose = text[end..range.start].trim_start();
        if !prose.is_empty() {
            return Err(error(path, text, range.start - prose.len(), "prose behind a block"));
        }
        let body = body(text, range).ok_or_else(|| error(path, text, range.start, "an open block"))?;
        end = range.end + usize::from(text[range.end..].starts_with('\n'));
        let block = read_block(&mut case, info, body, range.start..end);
        case.blocks.push(block.map_err(|problem| error(path, text, range.start, &problem))?);
    }
    match case.texts.is_empty() {
        true => Err(error(path, text, heading.start, "a case without a text")),
        false => Ok(case),
    }
}

/// What is between the fences of the block at `range`; CommonMark closes an open one at the end of the text.
fn body<'t>(text: &'t str, range: &Range<usize>) -> Option<&'t str> {
    let whole = text[range.clone()].trim_end_matches('\n');
    let (opening, rest) = whole.split_once('\n')?;
    let fence = opening.len() - opening.trim_start_matches('`').len();
    let start = rest.rfind('\n').map_or(0, |at| at + 1);
    let closing = &rest[start..];
    let is_closed = fence >= 3 && closing.len() >= fence && closing.bytes().all(|byte| byte == b'`');
    is_closed.then(|| &rest[..start])
}

/// Adds what the block `info` holds: `LANGUAGE [PART] [unterminated] [from=FILE]`, `json server` or `findings`.
fn read_block(
    case: &mut Case,
    info: &str,
    body: &str,
    range: Range<usize>,
) -> std::result::Result<Block, String> {
    let mut words = info.split(' ');
    let language = words.next().unwrap_or_default();
    let (mut part, mut file, mut bytes) = (String::new(), None, body.as_bytes().to_vec());
    for word in words {
        match word.split_once('=') {
            Some(("from", name)) => {
                let from = case.path.with_file_name(name);
                bytes = std::fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
                file = Some(from);
            }
            None if word == "unterminated" => drop(bytes.pop()),
            None if part.is_empty() => part = word.to_owned(),
            _ => return Err(format!("no such block: {info}")),
        }
    }
    let kind = [language, &part].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let text = || String::from_utf8(bytes.clone()).map_err(|error| error.to_string());
    let is_second = match (language, part.as_str()) {
        ("json", "server") => case.server.replace(text()?).is_some(),
        ("findings", "") => case.findings.replace(text()?).is_some(),
        ("yaml" | "json", _) => {
            let dot = if part.is_empty() { "" } else { "." };
            let path = case.path.with_file_name(format!("{}{dot}{part}.{language}", case.name));
            let is_second = case.part(&part).is_some();
            case.texts.push(Text { part, path, bytes });
            is_second
        }
        _ => return Err(format!("no such block: {info}")),
    };
    if is_second { Err(format!("a second block {kind}")) } else { Ok(Block { kind, from: file, range }) }
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn error(path: &Path, text: &str, at: usize, problem: &str) -> Error {
    Error::other(format!("{}:{}: {problem}", path.display(), line_of(text, at)))
}
