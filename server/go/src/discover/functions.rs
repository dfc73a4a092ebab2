//! Functions of make over lists of words.

use super::script_words::{MAX_LINE, UNKNOWN};
use super::variables::{MAX_DEPTH, Variables, closed, is_name};

impl Variables {
    /// The text that a call of a make function returns; `None` if it is known only when make runs.
    pub(super) fn function_result(&self, call: &str, depth: usize) -> Option<String> {
        if depth >= MAX_DEPTH {
            return None;
        }
        if let Some((name, change)) = call.split_once(':').filter(|(name, _)| is_name(name)) {
            let (from, to) = change.split_once('=')?;
            let list = self.text(self.value(name)?, depth + 1);
            return map_words(&list, |word| match from.contains('%') {
                true => replaced(word, from, to),
                false => replaced(word, &format!("%{from}"), &format!("%{to}")),
            });
        }
        let (name, rest) = call.split_once([' ', '\t'])?;
        let arguments: Vec<String> =
            split_at_commas(rest.trim_start()).iter().map(|part| self.text(part, depth + 1)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match (name, arguments.as_slice()) {
            ("strip", [list]) => map_words(list, str::to_owned),
            ("sort", [list]) => {
                let mut words: Vec<&str> = list.split_whitespace().collect();
                words.sort_unstable();
                words.dedup();
                Some(words.join(" "))
            }
            ("firstword", [list]) => list.split_whitespace().next().map(str::to_owned),
            ("lastword", [list]) => list.split_whitespace().next_back().map(str::to_owned),
            ("dir", [list]) => map_words(list, |word| match word.rsplit_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => "./".to_owned(),
            }),
            ("notdir", [list]) => map_words(list, |word| word.rsplit('/').next().unwrap_or(word).to_owned()),
            ("addprefix", [prefix, list]) => map_words(list, |word| format!("{prefix}{word}")),
            ("addsuffix", [suffix, list]) => map_words(list, |word| format!("{word}{suffix}")),
            ("subst", [from, to, text]) if !from.is_empty() && text.len() <= MAX_LINE => {
                Some(text.replace(from, to)).filter(|text| text.len() <= MAX_LINE)
            }
            ("patsubst", [from, to, list]) => map_words(list, |word| replaced(word, from.trim(), to.trim())),
            ("filter", [patterns, list]) => filtered(patterns, list, true),
            ("filter-out", [patterns, list]) => filtered(patterns, list, false),
            _ => None,
        }
    }

    /// A text with the variables and functions of make expanded. Blanks and quotes stay.
    pub(super) fn text(&self, text: &str, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            rest = after;
            let end = match after.chars().next() {
                Some('(') => closed(after, ')'),
                Some('{') => closed(after, '}'),
                _ => None,
            };
            let Some(inner) = end.and_then(|end| after.get(1..end)) else {
                out.push('$');
                continue;
            };
            rest = after.get(inner.len() + 2..).unwrap_or("");
            let value = match self.value(inner).filter(|_| depth < MAX_DEPTH) {
                Some(value) => Some(self.text(value, depth + 1)),
                None => self.function_result(inner, depth + 1),
            };
            match value {
                Some(value) => out.push_str(&value),
                None => out.extend([&*UNKNOWN.to_string(), if is_name(inner) { inner } else { "" }]),
            }
            if out.len() > MAX_LINE || !self.take_step() {
                return out;
            }
        }
        out + rest
    }
}

/// The arguments of a function. Commas within parentheses belong to inner calls.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, ch) in text.char_indices() {
        match ch {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found
}

/// The words of a list, each changed by `made`; `None` if the result exceeds the maximum length of a line.
fn map_words(list: &str, made: impl Fn(&str) -> String) -> Option<String> {
    let mut out = String::new();
    for word in list.split_whitespace() {
        out.extend([if out.is_empty() { "" } else { " " }, &made(word)]);
        if out.len() > MAX_LINE {
            return None;
        }
    }
    Some(out)
}

/// The part of a word that the `%` of a pattern matches.
fn stem<'w>(word: &'w str, pattern: &str) -> Option<&'w str> {
    match pattern.split_once('%') {
        Some((before, after)) => word.strip_prefix(before)?.strip_suffix(after),
        None => (word == pattern).then_some(""),
    }
}

fn replaced(word: &str, from: &str, to: &str) -> String {
    stem(word, from).map_or_else(|| word.to_owned(), |stem| to.replacen('%', stem, 1))
}

/// The words that match one of the patterns, or, without `matching`, match none; `None` if a pattern is unknown.
fn filtered(patterns: &str, list: &str, matching: bool) -> Option<String> {
    if patterns.contains(UNKNOWN) {
        return None;
    }
    let is_chosen =
        |word: &&str| patterns.split_whitespace().any(|pattern| stem(word, pattern).is_some()) == matching;
    Some(list.split_whitespace().filter(is_chosen).collect::<Vec<_>>().join(" "))
}
