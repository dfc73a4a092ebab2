//! What make and the shell write out of a line before they run it: `$(call …)`, `$(foreach …)`, and loops over words.
//!
//! Nothing is run: of a list that is known only when it runs, nothing is written out.

use std::collections::BTreeMap;

use super::variables::{Variables, closed};
use super::words::{MAX_LINE, UNKNOWN};

/// A line with its number.
type Numbered = (usize, String);

/// Calls in calls are followed so far.
const MAX_DEPTH: usize = 4;
/// A loop is written out for so many words.
const MAX_WORDS: usize = 64;
/// So many lines are written out of those of a file.
const MAX_LINES: usize = 4_096;

/// The lines with what they call and repeat written out.
pub(super) fn expanded(lines: Vec<Numbered>, variables: &Variables) -> Vec<Numbered> {
    let (lines, functions) = functions(lines);
    let mut out = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(((number, line), behind)) = rest.split_first() {
        rest = behind;
        if out.len() > MAX_LINES {
            out.push((*number, line.clone()));
            continue;
        }
        if let Some((name, list)) = loop_of(line)
            && let Some((body, after)) = body_of(behind)
            && let Some(words) = known(&variables.words(list, 0, None))
        {
            for word in words {
                out.extend(body.iter().map(|(number, line)| (*number, with(line, name, &word))));
            }
            rest = after;
            continue;
        }
        let made = written_out(line, &functions, variables, 0);
        out.extend(made.into_iter().map(|line| (*number, line)));
    }
    out
}

/// Bodies with arguments, by their names: of `define NAME` to `endef`, and of `NAME = … $(1) …`. Those of the first form are no
/// lines of their own.
fn functions(lines: Vec<Numbered>) -> (Vec<Numbered>, BTreeMap<String, Vec<String>>) {
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut kept = Vec::with_capacity(lines.len());
    let mut open: Option<(String, Vec<String>)> = None;
    for (number, line) in lines {
        if let Some((name, mut body)) = open.take() {
            if line.trim() == "endef" {
                functions.insert(name, body);
            } else {
                body.push(line);
                open = Some((name, body));
            }
            continue;
        }
        if let Some(name) = line.trim_end().strip_prefix("define ") {
            let name = name.trim_end_matches(['=', ':', '?', ' ']).trim();
            open = Some((name.to_owned(), Vec::new()));
            continue;
        }
        if line.contains("$(1)")
            && let Some((name, body)) = line.split_once('=')
        {
            let name = name.trim_end_matches([':', '?', ' ', '\t']).trim();
            functions.insert(name.to_owned(), vec![body.trim().to_owned()]);
            continue;
        }
        kept.push((number, line));
    }
    (kept, functions)
}

/// A line with its first call of a function, or the first loop in it, in place, and so on.
fn written_out(
    line: &str,
    functions: &BTreeMap<String, Vec<String>>,
    variables: &Variables,
    depth: usize,
) -> Vec<String> {
    if depth >= MAX_DEPTH || line.len() > MAX_LINE {
        return vec![line.to_owned()];
    }
    let again = |made: Vec<String>| -> Vec<String> {
        made.iter().flat_map(|line| written_out(line, functions, variables, depth + 1)).collect()
    };
    if let Some((before, inner, behind)) = part_of(line, "$(call ") {
        let arguments: Vec<&str> = inner.split(',').map(str::trim).collect();
        if let Some(body) = arguments.first().and_then(|name| functions.get(*name)) {
            let filled = body.iter().map(|line| {
                let filled = arguments.iter().enumerate().skip(1).fold(line.clone(), |line, (at, value)| {
                    line.replace(&format!("$({at})"), value).replace(&format!("${{{at}}}"), value)
                });
                let recipe = if before.starts_with('\t') && !filled.starts_with('\t') { "\t" } else { "" };
                format!("{recipe}{}", filled.trim_end())
            });
            let mut made: Vec<String> = filled.collect();
            if let [only] = made.as_mut_slice() {
                *only = format!("{before}{}{behind}", only.trim_start());
            }
            return again(made);
        }
    }
    if let Some((before, inner, behind)) = part_of(line, "$(foreach ") {
        let mut parts = inner.splitn(3, ',').map(str::trim);
        if let (Some(name), Some(list), Some(body)) = (parts.next(), parts.next(), parts.next())
            && let Some(words) = known(&variables.words(list, 0, None))
        {
            let body = body.trim_end_matches([';', '&', ' ']);
            let each = words.iter().map(|word| format!("{before}{}{behind}", with(body, name, word)));
            return again(each.collect());
        }
    }
    if let Some((head, tail)) = line.split_once("; do ")
        && let Some((body, behind)) = tail.rsplit_once("done")
        && let Some((name, list)) = loop_of(&format!("{head}; do"))
        && let Some(words) = known(&variables.words(list, 0, None))
    {
        let indent = if line.starts_with('\t') { "\t" } else { "" };
        let each = words.iter().map(|word| {
            let body = with(body.trim().trim_end_matches(';'), name, word);
            format!("{indent}{body}{}", behind.trim_start_matches(';'))
        });
        return again(each.collect());
    }
    vec![line.to_owned()]
}

/// The line before, within and behind the first brackets that begin so.
fn part_of<'l>(line: &'l str, start: &str) -> Option<(&'l str, &'l str, &'l str)> {
    let (before, rest) = line.split_once(start)?;
    let opened = line.get(before.len() + 1..)?;
    let end = closed(opened, ')')?;
    let inner = rest.get(..end - (start.len() - 1))?;
    Some((before, inner, opened.get(end + 1..)?))
}

/// The variable and the list of `for x in a b; do`, behind which the line ends.
fn loop_of(line: &str) -> Option<(&str, &str)> {
    let head = line.trim().trim_start_matches('@').trim_start().strip_prefix("for ")?;
    let (name, list) = head.strip_suffix("do")?.split_once(" in ")?;
    let is_name = name.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_');
    is_name.then(|| (name, list.trim_end().trim_end_matches(';')))
}

/// The lines up to the `done` of a loop, and those behind it; none of a loop with another one in it.
fn body_of(lines: &[Numbered]) -> Option<(&[Numbered], &[Numbered])> {
    let end = lines.iter().position(|(_, line)| line.trim().starts_with("done"))?;
    let (body, after) = lines.split_at(end);
    let is_plain = body.iter().all(|(_, line)| loop_of(line).is_none());
    is_plain.then(|| (body, after.get(1..).unwrap_or_default()))
}

/// The words of a list; none where one of them is known only when it runs.
fn known(words: &[String]) -> Option<Vec<String>> {
    let are_known = words.iter().all(|word| !word.contains([UNKNOWN, '*', '?']));
    (are_known && !words.is_empty() && words.len() <= MAX_WORDS).then(|| words.to_vec())
}

/// A line with a word in place of a variable.
fn with(line: &str, name: &str, word: &str) -> String {
    let long = [
        format!("$${{{name}}}"),
        format!("${{{name}}}"),
        format!("$({name})"),
        format!("\"$${name}\""),
        format!("\"${name}\""),
    ];
    let line = long.iter().fold(line.to_owned(), |line, form| line.replace(form, word));
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(at) = rest.find(&format!("${name}")) {
        let (before, found) = rest.split_at(at);
        let behind = found.get(1 + name.len()..).unwrap_or("");
        let is_whole = !behind.starts_with(|ch: char| ch.is_ascii_alphanumeric() || ch == '_');
        if is_whole {
            out.push_str(before.strip_suffix('$').unwrap_or(before));
            out.push_str(word);
        } else {
            out.push_str(before);
            out.push_str(found.get(..1 + name.len()).unwrap_or(""));
        }
        rest = behind;
    }
    out + rest
}
