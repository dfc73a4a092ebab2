//! Rejected markers that are written as lists: in brackets, or with several keys in one marker.

use super::{RefusedMarker, shortened};
use crate::marker::{self, ArgumentType, Meaning, Shape, Target};
use crate::mistakes::brackets::unbracketed;
use crate::mistakes::mistake::{Mistake, is_text};

/// The separators between names, and the brackets and quotes around them.
const SEPARATORS: [char; 3] = [',', ';', ' '];
const BRACKETS: [char; 8] = ['{', '}', '[', ']', '(', ')', '"', '`'];

impl RefusedMarker<'_> {
    /// The mistake for a list in brackets that starts at `start`; `None` if the value is not a list or is
    /// meant as a text.
    pub(super) fn in_brackets(&self, kind: ArgumentType, start: usize) -> Option<Mistake> {
        let range = start..self.marker_text.intended_end(start);
        let better = unbracketed(self.marker_text.slice(range.clone()), kind)?;
        let is_of_text = || self.file.expr_below(self.comment.comment).is_some_and(is_text);
        if kind == ArgumentType::Any && is_of_text() {
            return None;
        }
        let problem = format!("brackets do not make a list in {}", self.subject());
        let mistake = self.mistake(problem, format!("write `{}`", shortened(&better)));
        let title = format!("Change to `{}`", shortened(&better));
        Some(mistake.repaired(title, self.edits([(range, better)]), true))
    }

    /// The mistake for values without `;` between them, where the value at `at` follows another separator or a blank.
    pub(super) fn no_separator(&self, at: usize) -> Mistake {
        let problem = format!("`;` is missing before `{}`", shortened(self.token()));
        let mistake = self.mistake(problem, "insert it, or quote the value");
        match self.marker_text.slice(at..at + 1) {
            mark @ ("|" | "/" | ":" | ",") => {
                let separator = mark.chars().next().unwrap_or('|');
                let edits = self.separated(at..self.marker_text.end(), separator, ";");
                mistake.repaired(format!("Change `{mark}` to `;`"), edits, false)
            }
            _ => {
                let start = self.marker_text.slice(0..at).trim_end().len();
                let edits = self.edits([(start..at, ";".to_owned())]);
                mistake.repaired("Insert `;`".to_owned(), edits, false)
            }
        }
    }

    /// The mistake for a second marker after the value of this one: `Minimum=1,Maximum=5`, or with its `+`.
    pub(super) fn second_marker(&self) -> Option<Mistake> {
        let value = self.marker_text.text.find('=')? + 1;
        if let Some(mistake) = self.pasted_marker(value) {
            return Some(mistake);
        }
        let (at, mark) =
            self.marker_text.outside_quotes(value).find(|(_, ch)| matches!(ch, ',' | ';' | ' ' | '+'))?;
        let rest = self.marker_text.slice(at..self.marker_text.end());
        let rest = rest.trim_start_matches([',', ';', ' ']);
        let is_known = |marker: &String| {
            let known = |target| marker::lookup(&format!("+{marker}"), target, self.file.version);
            marker.contains('=') && (known(Target::Field).is_some() || known(Target::Type).is_some())
        };
        let marker = match rest.strip_prefix('+') {
            // With its `+` and a prefix, it may be a marker of another tool.
            Some(marker) => Some(marker.to_owned()).filter(|one| is_known(one) || one.contains(':')),
            None if mark == '+' => None,
            None => {
                let intended = [format!("kubebuilder:validation:{rest}"), rest.to_owned()];
                intended.into_iter().find(is_known)
            }
        }?;
        let indent = self.file.indent_of(self.comment.comment)?;
        let problem = format!("another marker follows the value of `{}`", self.name());
        let range = at..self.marker_text.end();
        let mistake = self.mistake(problem, "write each marker on a separate line");
        let edits = self.edits([(range, format!("\n{indent}// +{marker}"))]);
        Some(mistake.repaired("Write each marker on a separate line".to_owned(), edits, true))
    }

    /// The mistake for another marker directly after the value, or for the same one again.
    fn pasted_marker(&self, value: usize) -> Option<Mistake> {
        const PREFIX: &str = "kubebuilder:";
        let end = self.marker_text.end();
        let at = value + self.marker_text.slice(value..end).find(PREFIX)?;
        let before = self.marker_text.slice(value..at);
        let is_value = before.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '-') && !before.is_empty();
        let second = self.marker_text.slice(at..end);
        let is_known = |target| marker::lookup(&format!("+{second}"), target, self.file.version).is_some();
        if !is_value || !is_known(Target::Field) && !is_known(Target::Type) {
            return None;
        }
        let problem = format!("another marker follows the value of `{}`", self.name());
        let mistake = self.mistake(problem, "write each marker on a separate line");
        let place = self.file.place_in_marker(self.comment, at..end);
        let mistake = Mistake { place, ..mistake };
        if self.marker_text.slice(1..at) == second {
            let edits = self.edits([(at..end, String::new())]);
            return Some(mistake.repaired("Remove the second marker".to_owned(), edits, true));
        }
        let indent = self.file.indent_of(self.comment.comment)?;
        let edits = self.edits([(at..at, format!("\n{indent}// +"))]);
        Some(mistake.repaired("Write each marker on a separate line".to_owned(), edits, true))
    }

    /// The mistake for a quote around one of several values, of which one is missing: `"a;b` and `a";b`.
    pub(super) fn half_quoted(&self, quote: char) -> Option<Mistake> {
        if !matches!(self.definition.definition.shape, Shape::Value(ArgumentType::Texts | ArgumentType::Anys))
        {
            return None;
        }
        let value = self.marker_text.text.find('=')? + 1..self.marker_text.end();
        let written = self.marker_text.slice(value.clone());
        let is_word = |word: &str| {
            let word = word.trim();
            !word.is_empty() && !word.contains([' ', ',', '"', '`', '{', '}'])
        };
        let words: Vec<&str> = written.split(';').collect();
        if written.matches(quote).count() != 1 || words.len() < 2 {
            return None;
        }
        let mut start = value.start;
        for word in words {
            let trimmed = word.trim();
            let at = start + word.len() - word.trim_start().len();
            let range = at..at + trimmed.len();
            start += word.len() + 1;
            let (inner, is_opened) = match (trimmed.strip_prefix(quote), trimmed.strip_suffix(quote)) {
                (Some(inner), _) => (inner, true),
                (_, Some(inner)) => (inner, false),
                _ => continue,
            };
            is_word(inner).then_some(())?;
            let shown = if quote == '`' { "backtick" } else { "`\"`" };
            let which = if is_opened { "closing" } else { "opening" };
            let mistake = self.mistake(
                format!("the {which} {shown} of `{inner}` is missing"),
                "insert it, or remove the other one",
            );
            let place = self.file.place_in_marker(self.comment, range.clone());
            let edits = self.edits([(range, inner.to_owned())]);
            let title = format!("Write `{inner}` without quotes");
            return Some(Mistake { place, ..mistake }.repaired(title, edits, false));
        }
        None
    }

    /// The mistake for several keys of a list in one marker. Each key needs its own marker.
    pub(super) fn several_keys(&self) -> Option<Mistake> {
        let is_key = self.definition.definition.meaning == Meaning::ListMapKey;
        if !is_key || !matches!(self.definition.definition.shape, Shape::Value(ArgumentType::Text)) {
            return None;
        }
        let end = self.marker_text.end();
        let value = self.marker_text.text.find('=')? + 1..end;
        let written = self.marker_text.slice(value.clone()).trim().trim_matches(BRACKETS);
        let names: Vec<&str> = written
            .split(SEPARATORS)
            .map(|name| name.trim_matches(BRACKETS))
            .filter(|name| !name.is_empty())
            .collect();
        let is_name = |name: &&str| name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | '-'));
        let (first, others) = names.split_first().filter(|(_, others)| !others.is_empty())?;
        if !names.iter().all(is_name) {
            return None;
        }
        let marker = self.name();
        let indent = self.file.indent_of(self.comment.comment)?;
        let lines: Vec<String> = others.iter().map(|name| format!("\n{indent}// +{marker}={name}")).collect();
        let written_so = format!("`+{marker}={first}`, `+{marker}={}`", others.first()?);
        let mistake = self.mistake(
            format!("`{marker}` takes one key"),
            format!("write a marker for each, as {written_so}"),
        );
        let edits = self.edits([(value, format!("{first}{}", lines.concat()))]);
        Some(mistake.repaired(format!("Write a `{marker}` for each key"), edits, true))
    }
}
