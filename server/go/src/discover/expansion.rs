//! Expands lines as make and the shell do before they run them: `$(call …)`, `$(foreach …)`, and loops over words.
//!
//! Nothing is executed: a list whose words are known only at run time is not expanded.

use std::collections::BTreeMap;

use super::script_words::{MAX_LINE, UNKNOWN};
use super::variables::{Variables, closed};

/// A line with its number.
type NumberedLine = (usize, String);

/// The maximum depth of nested calls.
const MAX_DEPTH: usize = 4;
/// The maximum number of words for which a loop is expanded.
const MAX_WORDS: usize = 64;
/// The maximum number of bytes of the expanded lines of a file.
const MAX_WRITTEN: usize = 1 << 22;

/// The lines with their calls and loops expanded.
pub(super) fn expanded(lines: Vec<NumberedLine>, variables: &Variables) -> Vec<NumberedLine> {
    let (lines, functions) = functions(lines);
    let mut writer = Writer { functions, variables, room: MAX_WRITTEN };
    let mut out = Vec::new();
    let mut rest = lines.as_slice();
    // After a loop, its variable holds the last word.
    let mut last: Vec<(usize, &str, String)> = Vec::new();
    while let Some(((number, line), following)) = rest.split_first() {
        rest = following;
        if let Some((name, list)) = loop_of(line)
            && let Some((body, after)) = body_of(following)
            && let Some(words) = known_words(&variables.split_words(list, 0, None))
            && words.iter().all(|word| body.iter().all(|(_, line)| writer.has_room(line, &[word])))
        {
            for word in &words {
                out.extend(body.iter().map(|(number, line)| (*number, with_value(line, name, word))));
            }
            last.extend(words.last().map(|word| (out.len(), name, word.clone())));
            rest = after;
            continue;
        }
        out.extend(writer.expand_line(line, 0).into_iter().map(|line| (*number, line)));
    }
    for (start, name, word) in last {
        let (assigned, looped) = (format!("{name}="), format!("for {name} "));
        let has_it = |line: &str| !line.trim_start().starts_with(&assigned) && !line.contains(&looped);
        for (_, line) in out.iter_mut().skip(start).take_while(|(_, line)| has_it(line)) {
            if line.contains(name) {
                *line = with_value(line, name, &word);
            }
        }
    }
    out
}

/// The bodies of functions by name: `define NAME` to `endef`, and `NAME = … $(1) …`. The lines of a `define` are removed
/// from the lines.
fn functions(lines: Vec<NumberedLine>) -> (Vec<NumberedLine>, BTreeMap<String, Vec<String>>) {
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

/// Expands the lines of a file.
struct Writer<'v> {
    functions: BTreeMap<String, Vec<String>>,
    variables: &'v Variables,
    /// The number of bytes that may still be written. Nested lists can expand to an enormous text.
    room: usize,
}

impl Writer<'_> {
    /// Whether there is room for a line with values in place of its variables. If so, reserves that room.
    fn has_room(&mut self, line: &str, values: &[&str]) -> bool {
        let longest = values.iter().map(|value| value.len()).max().unwrap_or_default();
        let most = line.matches('$').count().saturating_mul(longest).saturating_add(line.len() + 1);
        let rest = self.room.checked_sub(most);
        self.room = rest.unwrap_or(self.room);
        rest.is_some()
    }

    /// A line with its first call or loop expanded, repeatedly.
    fn expand_line(&mut self, line: &str, depth: usize) -> Vec<String> {
        if depth >= MAX_DEPTH || line.len() > MAX_LINE {
            return vec![line.to_owned()];
        }
        let made = self.called(line).or_else(|| self.repeated(line)).or_else(|| self.looped(line));
        match made {
            Some(made) => made.iter().flat_map(|line| self.expand_line(line, depth + 1)).collect(),
            None => vec![line.to_owned()],
        }
    }

    /// `$(call name,…)`: the body of the function.
    fn called(&mut self, line: &str) -> Option<Vec<String>> {
        let (before, inner, after) = part_of(line, "$(call ")?;
        let arguments: Vec<&str> = inner.split(',').map(str::trim).collect();
        let (name, values) = arguments.split_first()?;
        let body = self.functions.get(*name)?.clone();
        if !body.iter().all(|line| self.has_room(line, values)) {
            return None;
        }
        let filled = body.iter().map(|line| {
            let filled = values.iter().enumerate().fold(line.clone(), |line, (at, value)| {
                let at = at + 1;
                line.replace(&format!("$({at})"), value).replace(&format!("${{{at}}}"), value)
            });
            let recipe = if before.starts_with('\t') && !filled.starts_with('\t') { "\t" } else { "" };
            format!("{recipe}{}", filled.trim_end())
        });
        let mut made: Vec<String> = filled.collect();
        if let [only] = made.as_mut_slice() {
            *only = format!("{before}{}{after}", only.trim_start());
        }
        Some(made)
    }

    /// `$(foreach x,a b,…)`: its text for each word.
    fn repeated(&mut self, line: &str) -> Option<Vec<String>> {
        let (before, inner, after) = part_of(line, "$(foreach ")?;
        let mut parts = inner.splitn(3, ',').map(str::trim);
        let (name, list, body) = (parts.next()?, parts.next()?, parts.next()?);
        let body = body.trim_end_matches([';', '&', ' ']);
        self.for_each(list, |word| format!("{before}{}{after}", with_value(body, name, word)), line)
    }

    /// `for x in a b; do …; done` on one line: its body for each word.
    fn looped(&mut self, line: &str) -> Option<Vec<String>> {
        let (head, tail) = line.split_once("; do ")?;
        let (body, after) = tail.rsplit_once("done")?;
        let head = format!("{head}; do");
        let (name, list) = loop_of(&head)?;
        let body = body.trim().trim_end_matches(';');
        let (indent, after) = (if line.starts_with('\t') { "\t" } else { "" }, after.trim_start_matches(';'));
        self.for_each(list, |word| format!("{indent}{}{after}", with_value(body, name, word)), line)
    }

    /// `line` for each word of a list, if there is room.
    fn for_each(&mut self, list: &str, made: impl Fn(&str) -> String, line: &str) -> Option<Vec<String>> {
        let words = known_words(&self.variables.split_words(list, 0, None))?;
        let has_room = words.iter().all(|word| self.has_room(line, &[word]));
        has_room.then(|| words.iter().map(|word| made(word)).collect())
    }
}

/// The text before, within and after the first parentheses that start with `start`.
fn part_of<'l>(line: &'l str, start: &str) -> Option<(&'l str, &'l str, &'l str)> {
    let (before, rest) = line.split_once(start)?;
    let opened = line.get(before.len() + 1..)?;
    let end = closed(opened, ')')?;
    let inner = rest.get(..end - (start.len() - 1))?;
    Some((before, inner, opened.get(end + 1..)?))
}

/// The variable and the list of a line `for x in a b; do`.
fn loop_of(line: &str) -> Option<(&str, &str)> {
    let head = line.trim().trim_start_matches('@').trim_start().strip_prefix("for ")?;
    let (name, list) = head.strip_suffix("do")?.split_once(" in ")?;
    let is_name = name.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_');
    is_name.then(|| (name, list.trim_end().trim_end_matches(';')))
}

/// The lines of a loop up to its `done`, and the lines after it; `None` if the body contains another loop.
fn body_of(lines: &[NumberedLine]) -> Option<(&[NumberedLine], &[NumberedLine])> {
    let end = lines.iter().position(|(_, line)| line.trim().starts_with("done"))?;
    let (body, after) = lines.split_at(end);
    let is_plain = body.iter().all(|(_, line)| loop_of(line).is_none());
    is_plain.then(|| (body, after.get(1..).unwrap_or_default()))
}

/// The words of a list; `None` if a word is known only at run time.
fn known_words(words: &[String]) -> Option<Vec<String>> {
    let are_known = words.iter().all(|word| !word.contains([UNKNOWN, '*', '?']));
    (are_known && !words.is_empty() && words.len() <= MAX_WORDS).then(|| words.to_vec())
}

/// A line with a variable replaced by a word.
fn with_value(line: &str, name: &str, word: &str) -> String {
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
        let after = found.get(1 + name.len()..).unwrap_or("");
        let is_whole = !after.starts_with(|ch: char| ch.is_ascii_alphanumeric() || ch == '_');
        if is_whole {
            out.push_str(before.strip_suffix('$').unwrap_or(before));
            out.push_str(word);
        } else {
            out.push_str(before);
            out.push_str(found.get(..1 + name.len()).unwrap_or(""));
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::super::variables::variables;
    use super::{MAX_WRITTEN, expanded};

    fn total_length(lines: &[String]) -> usize {
        let lines: Vec<_> = lines.iter().cloned().enumerate().collect();
        let variables = variables(&lines);
        expanded(lines, &variables).iter().map(|(_, line)| line.len()).sum()
    }

    /// Nested lists, and a body with many references to a long argument.
    #[test]
    fn the_expanded_text_is_bounded() {
        let words: Vec<String> = (0..60).map(|word| word.to_string()).collect();
        let nested = "\t$(foreach a,$(W),$(foreach b,$(W),$(foreach c,$(W),$(foreach d,$(W),x))))".to_owned();
        let lines = [format!("W = {}", words.join(" ")), nested];
        assert!(total_length(&lines) < 2 * MAX_WRITTEN);
        let mut lines = vec!["define f".to_owned(), "$(1)".repeat(10_000), "endef".to_owned()];
        lines.extend((0..1_000).map(|_| format!("\t$(call f,{})", "a".repeat(900))));
        assert!(total_length(&lines) < 2 * MAX_WRITTEN);
    }
}
