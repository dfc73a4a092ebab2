//! Small pieces of real files with random changes: the intermediate states of an editor between two correct texts.
#![allow(dead_code)]

use crate::edits::{Random, boundary};

/// Text that a typing error inserts: indicators, quotes, brackets, blanks.
const SLIPS: &[&str] = &[
    ":", ": ", " :", "-", "- ", "\n- ", "? ", "#", " #", " # c", "\"", "'", "''", "[", "]", "{", "}", ",",
    ", ", "&a ", "*a", "!t ", "!", "!!str ", "|", ">-", "%", "@", "`", "\t", " ", "  ", "\n", "\n\n", "\n  ",
    "x", "1", "~", "---\n", "\n---\n", "...\n", "\\", "\\n", "=", "<<: ", "é", "?",
];

/// A random range of at most `most` lines of `text`, without their common indentation.
pub(crate) fn stretch(text: &str, most: usize, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let start = random.below(lines.len());
    let end = (start + 1 + random.below(most)).min(lines.len());
    let lines = lines.get(start..end).unwrap_or_default();
    let indentation = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let shown = lines.iter().filter(|line| !line.trim().is_empty());
    let common = shown.map(indentation).min().unwrap_or(0);
    lines.iter().map(|line| format!("{}\n", line.get(common..).unwrap_or_default())).collect()
}

/// `text` after one change.
pub(crate) fn mutated(text: &str, random: &mut Random) -> String {
    let at = boundary(text, random.below(text.len() + 1));
    let next = boundary_after(text, at);
    let (before, character, after) = (&text[..at], &text[at..next], &text[next..]);
    let slip = SLIPS[random.below(SLIPS.len())];
    match random.below(8) {
        0 | 1 => format!("{before}{after}"),
        2 | 3 => format!("{before}{slip}{character}{after}"),
        4 => format!("{before}{slip}{after}"),
        5 => swapped_lines(text, random),
        6 => indented_otherwise(text, random),
        _ => indicator_at_line(text, slip, random),
    }
}

fn boundary_after(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(at, |character| at + character.len_utf8())
}

fn join_lines(lines: &[String]) -> String {
    lines.concat()
}

fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// `text` with two adjacent lines swapped.
fn swapped_lines(text: &str, random: &mut Random) -> String {
    let mut lines = lines(text);
    if lines.len() > 1 {
        let at = random.below(lines.len() - 1);
        lines.swap(at, at + 1);
    }
    join_lines(&lines)
}

/// `text` with more or fewer spaces before one or more lines.
fn indented_otherwise(text: &str, random: &mut Random) -> String {
    let mut lines = lines(text);
    let at = random.below(lines.len());
    let count = 1 + random.below(3);
    let more = random.below(2) == 0;
    let width = 1 + random.below(3);
    for line in lines.iter_mut().skip(at).take(count) {
        if more {
            line.insert_str(0, &"   "[..width]);
        } else {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            line.replace_range(..width.min(blanks), "");
        }
    }
    join_lines(&lines)
}

/// `text` with `slip` before the first character of a line.
fn indicator_at_line(text: &str, slip: &str, random: &mut Random) -> String {
    let mut lines = lines(text);
    let at = random.below(lines.len());
    if let Some(line) = lines.get_mut(at) {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        line.insert_str(blanks, slip);
    }
    join_lines(&lines)
}
