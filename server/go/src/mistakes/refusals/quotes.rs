//! Rejected markers with a quote that is missing or written twice.

use std::ops::Range;

use super::{RefusedMarker, shortened};
use crate::marker::Shape;
use crate::mistakes::mistake::Mistake;
use crate::strings;

impl RefusedMarker<'_> {
    /// The mistake for a value that ends with a quote and has no other one: the opening quote is missing.
    pub(super) fn unopened(&self) -> Option<Mistake> {
        let (name, value, quote) = self.values().into_iter().find_map(|(name, value)| {
            let written = self.marker_text.slice(value.clone());
            let quote = written.chars().next_back().filter(|ch| matches!(ch, '"' | '`'))?;
            let is_only = written.matches(quote).count() == 1 && written.len() > 1;
            let begins_otherwise = written.starts_with(['"', '`', '“', '”'])
                || written.starts_with('\'') && written.matches('\'').count() == 1;
            (is_only && !begins_otherwise).then_some((name, value, quote))
        })?;
        let shown = if quote == '`' { "backtick" } else { "`\"`" };
        let mistake = self.mistake(format!("the opening {shown} of `{name}` is missing"), "insert it");
        let place = self.file.place_in_marker(self.comment, value.clone());
        let edits = self.edits([(value.start..value.start, quote.to_string())]);
        Some(Mistake { place, ..mistake }.repaired(format!("Insert the opening {shown}"), edits, false))
    }

    /// The mistake for a value in two pairs of quotes.
    pub(super) fn quoted_twice(&self, start: usize) -> Option<Mistake> {
        let range = start..self.marker_text.end();
        let inner = self.marker_text.slice(range.clone()).strip_prefix("\"\"")?.strip_suffix("\"\"")?;
        if inner.is_empty() || inner.contains(['"', '\\']) {
            return None;
        }
        let better = format!("\"{inner}\"");
        let mistake = self.mistake(
            format!("the quotes around `{}` are written twice", shortened(inner)),
            format!("write `{}`", shortened(&better)),
        );
        let place = self.file.place_in_marker(self.comment, range);
        let title = format!("Change to `{}`", shortened(&better));
        Some(Mistake { place, ..mistake }.repaired(title, vec![(place, better)], true))
    }

    /// The values of the marker, as their author means them, each with the name of its argument or of the marker.
    fn values(&self) -> Vec<(String, Range<usize>)> {
        let text = &self.marker_text;
        let named = |start: usize| {
            let rest = text.slice(start..text.end());
            let name = rest.split('=').next().unwrap_or("");
            let value = start + name.len() + 1;
            let blanks =
                text.slice(value..text.end()).len() - text.slice(value..text.end()).trim_start().len();
            let start = value + blanks;
            (name.trim().to_owned(), start..text.intended_end(start))
        };
        match self.definition.definition.shape {
            Shape::Arguments(_) => {
                let starts = text.text.match_indices([':', ',']).map(|(at, _)| at + 1);
                starts.filter(|at| text.names_argument(*at)).map(named).collect()
            }
            _ => {
                let start = text.text.find('=').map_or(text.end(), |equals| equals + 1);
                vec![(self.name(), start..text.end())]
            }
        }
    }

    /// The mistake for typographic quotes around a value that contains a `,`.
    pub(super) fn typographic(&self, start: usize, argument: &str) -> Option<Mistake> {
        let range = start..self.marker_text.intended_end(start);
        let written = self.marker_text.slice(range.clone());
        let inner = written.strip_prefix(['“', '”', '„', '‘', '’'])?.strip_suffix(['“', '”', '’', '‘'])?;
        let better = strings::quoted(inner);
        let problem = format!("the quotes around the value of `{argument}` are typographic");
        let mistake = self.mistake(problem, "use `\"` as quotes");
        let place = self.file.place_in_marker(self.comment, range.clone());
        let title = format!("Change to `{}`", shortened(&better));
        Some(Mistake { place, ..mistake }.repaired(title, self.edits([(range, better)]), true))
    }
}
