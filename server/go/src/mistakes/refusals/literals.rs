//! Literals of Go and JSON that controller-gen cannot read.

use std::fmt::Write as _;

use super::super::mistake::{Mistake, bare};
use super::marker_text::{escapes, is_escape};
use super::{MAX_LINES, RefusedMarker, WITH_BACKTICKS, shortened};
use crate::strings;
use crate::syntax::{ExprKind, Span};

impl RefusedMarker<'_> {
    pub(super) fn no_json(&self) -> Mistake {
        let end = self.marker_text.end();
        let value = self.marker_text.text.find('=').map_or(end, |equals| equals + 1);
        let written = self.marker_text.slice(value..end).trim();
        if written.is_empty() {
            return self.no_value();
        }
        let problem = format!("`{}` takes JSON, which `{}` is not", self.name(), shortened(written));
        if written.contains(['"', '\'', '`', '{', '[', '\\']) {
            return self.mistake(problem, "correct the value");
        }
        if let Some(number) = self.meant_number(written) {
            let edits = self.edits([(value..end, number.to_owned())]);
            let mistake = self.mistake(problem, format!("write `{number}`"));
            return mistake.repaired(format!("Change `{}` to `{number}`", shortened(written)), edits, false);
        }
        if self.is_of_integer() {
            return self.mistake(problem, "write a number");
        }
        let better = strings::quoted(written);
        self.mistake(problem, format!("write `{}`", shortened(&better))).repaired(
            "Quote the value".to_owned(),
            self.edits([(value..end, better)]),
            false,
        )
    }

    /// The number in a value of an integer field: without leading zeros, and without a unit.
    fn meant_number<'t>(&self, written: &'t str) -> Option<&'t str> {
        let digits = written.len() - written.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
        let number = written.get(..digits)?.trim_start_matches('0');
        let number = if number.is_empty() { written.get(..1)? } else { number };
        let unit = written.get(digits..)?;
        let is_unit = unit.chars().all(|ch| ch.is_ascii_alphabetic() || ch == '%');
        (self.is_of_integer() && digits > 0 && is_unit).then_some(number)
    }

    /// Whether the marker is on an integer.
    fn is_of_integer(&self) -> bool {
        let expr = self.file.expr_below(self.comment.comment).map(bare);
        expr.is_some_and(|expr| matches!(&expr.kind, ExprKind::Ident(name) if name.starts_with("int")))
    }

    pub(super) fn literal(&self, message: &str) -> Option<Mistake> {
        let written = self.token();
        if message.ends_with("octal literal") {
            let problem = format!("`{}` is octal, because it begins with 0", shortened(written));
            return Some(self.changed(problem, written.trim_start_matches('0').to_owned()));
        }
        if message.ends_with("value out of range") {
            let problem = format!("`{}` does not fit into 64 bits", shortened(written));
            return Some(self.mistake(problem, "write a smaller number"));
        }
        let Some(quote) = written.chars().next().filter(|ch| matches!(ch, '"' | '`')) else {
            return self.cut_number();
        };
        match message {
            "literal not terminated" if let Some(mistake) = self.continued(quote) => Some(mistake),
            "literal not terminated" if let Some(mistake) = self.half_quoted(quote) => Some(mistake),
            "literal not terminated"
                if let Some(mistake) = self.other_end(self.refusal.range.start, quote) =>
            {
                Some(mistake)
            }
            "literal not terminated" => {
                let end = self.marker_text.intended_end(self.refusal.range.start);
                let name = if quote == '`' { "backtick" } else { "`\"`" };
                let edits = self.edits([(end..end, quote.to_string())]);
                Some(self.mistake(format!("the closing {name} is missing"), "insert it").repaired(
                    format!("Insert the closing {name}"),
                    edits,
                    false,
                ))
            }
            "invalid char escape" => self.unknown_escape(),
            _ => None,
        }
    }

    /// The mistake for a value that ends with another quote than it begins with.
    pub(super) fn other_end(&self, start: usize, quote: char) -> Option<Mistake> {
        let end = self.marker_text.intended_end(start);
        let written = self.marker_text.slice(start..end);
        let last =
            written.chars().next_back().filter(|last| matches!(last, '\'' | '"' | '`' | '”' | '“' | '’'))?;
        let inner = written.strip_prefix(quote)?.strip_suffix(last)?;
        // A rule may end with a text in single quotes.
        if last == quote || inner.is_empty() || inner.contains(last) || inner.contains(quote) {
            return None;
        }
        let name = |mark: char| if mark == '`' { "a backtick".to_owned() } else { format!("`{mark}`") };
        let problem = format!("the value begins with {} and ends with {}", name(quote), name(last));
        let mistake = self.mistake(problem, "use the same quote at both ends");
        let place = self.file.place_in_marker(self.comment, start..end);
        let edits = self.edits([(end - last.len_utf8()..end, quote.to_string())]);
        let title = format!("Change the last quote to {}", name(quote));
        Some(Mistake { place, ..mistake }.repaired(title, edits, true))
    }

    /// The mistake for a value in quotes that continues in the comments below, although a marker ends with its line.
    pub(super) fn continued(&self, quote: char) -> Option<Mistake> {
        let (seen, end) = (self.file, self.comment.span.end);
        let below = seen.file.text.get(end as usize..)?;
        let mut lines = below.split_inclusive('\n');
        let mut at = lines.next()?.len();
        let mut rest = String::new();
        for line in lines.take(MAX_LINES) {
            let part = line.trim().strip_prefix("//")?.trim();
            if part.starts_with('+') {
                return None;
            }
            let _ = write!(rest, " {part}");
            if part.contains(quote) {
                let last = Span { start: end, end: end + (at + line.trim_end().len()) as u32 };
                let mistake = self.mistake(
                    "the marker ends with its line, but its value goes on in the next one".to_owned(),
                    "write it on one line",
                );
                let edits = vec![(seen.place(last), rest)];
                return Some(mistake.repaired("Merge the lines".to_owned(), edits, false));
            }
            at += line.len();
        }
        None
    }

    /// The mistake for a backslash in double quotes before a character that Go does not escape.
    pub(super) fn unknown_escape(&self) -> Option<Mistake> {
        let written = self.token();
        let inner = written.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'))?;
        let escapes = escapes(written);
        let (at, escape) = escapes.iter().find(|(_, escape)| !is_escape(escape))?;
        let problem = format!("`{escape}` is not an escape in a text in double quotes");
        if !inner.contains('`') && escapes.iter().all(|(_, escape)| !is_escape(escape)) {
            let mistake = self.mistake(problem, "use backticks as quotes");
            return Some(mistake.replaced(WITH_BACKTICKS.to_owned(), format!("`{inner}`")));
        }
        let at = self.refusal.range.start + at;
        Some(self.mistake(problem, format!("write `\\{escape}`")).repaired(
            format!("Change `{escape}` to `\\{escape}`"),
            self.edits([(at..at, "\\".to_owned())]),
            true,
        ))
    }
}
