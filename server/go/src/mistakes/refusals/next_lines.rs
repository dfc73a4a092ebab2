//! Arguments of a marker in the comments below it, although a marker ends with its line.

use super::{MAX_LINES, RefusedMarker};
use crate::load::Place;
use crate::mistakes::mistake::Mistake;
use crate::syntax::Span;

impl RefusedMarker<'_> {
    /// The edits that join the arguments in the comments below to this marker; `None` if no argument follows there.
    pub(super) fn lines_below(&self) -> Option<Vec<(Place, String)>> {
        let text = &self.file.file.text;
        let mut end = self.comment.span.start as usize + self.marker_text.end();
        let mut edits = Vec::new();
        for _ in 0..MAX_LINES {
            let below = text.get(end..)?;
            let start = end + below.find('\n')? + 1;
            let line = text.get(start..)?.lines().next()?;
            let part = line.trim_start().strip_prefix("//").map(str::trim_start);
            // Some authors write `+` before each line of a marker.
            let part = part
                .map(|part| part.strip_prefix('+').filter(|rest| self.begins_argument(rest)).unwrap_or(part));
            let part = part.filter(|part| !part.starts_with('+') && part.contains('='));
            let Some(part) = part else { break };
            let at = start + line.len() - part.len();
            let span = Span { start: end as u32, end: at as u32 };
            edits.push((self.file.place(span), String::new()));
            end = at + part.trim_end().len();
            if !part.trim_end().ends_with(',') {
                break;
            }
        }
        (!edits.is_empty()).then_some(edits)
    }

    /// Whether a text begins with the name of an argument and `=`.
    fn begins_argument(&self, text: &str) -> bool {
        let name = text.split('=').next().unwrap_or_default().trim_end();
        name.len() < text.len() && self.marker_text.arguments.iter().any(|argument| argument.name == name)
    }

    /// The mistake for a `\` at the end of a line whose arguments go on in the next one.
    pub(super) fn continued_arguments(&self) -> Option<Mistake> {
        let range = self.refusal.range.start..self.marker_text.end();
        if self.marker_text.slice(range.clone()) != "\\" {
            return None;
        }
        let mut edits = self.edits([(range, String::new())]);
        edits.extend(self.lines_below()?);
        let problem = "a marker ends with its line, also after `\\`".to_owned();
        let mistake = self.mistake(problem, "write all arguments on one line");
        Some(mistake.repaired("Merge the lines".to_owned(), edits, false))
    }
}
