//! Markers that controller-gen rejects: their mistakes, and what their authors mean.

mod arguments;
mod lists;
mod literals;
mod marker_text;
mod next_lines;
mod numbers;
mod quotes;

use std::borrow::Cow;
use std::ops::Range;

use marker_text::MarkerText;

use super::combinations;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, flag_of};
use crate::generate::Outcome;
use crate::load::Place;
use crate::marker::{Argument, ArgumentType, ExpectedToken, Fault, Refusal, ResolvedMarker, Shape};
use crate::strings;
use crate::syntax::{MarkerComment, Read};

/// The title of the fix that writes a value as a raw string.
const WITH_BACKTICKS: &str = "Quote the value with backticks";

/// The maximum number of comment lines to search for the end of a value.
const MAX_LINES: usize = 16;

/// The maximum number of characters of a text to show.
const SHOWN: usize = 30;

/// Explains the first error of a marker, which causes the others.
pub(super) fn check(
    seen: CheckedFile<'_>,
    (comment, list): (&MarkerComment, &[MarkerComment]),
    found: &mut Vec<Mistake>,
) {
    let Some(parsed) = comment.read.as_deref() else { return };
    let Some(refusal) = parsed.refusals.first() else { return };
    let marker = &parsed.marker;
    let arguments = match marker.definition.definition.shape {
        Shape::Arguments(arguments) => arguments,
        _ => &[],
    };
    let written = MarkerText { text: seen.text(comment), arguments };
    let refused = RefusedMarker {
        file: seen,
        comment,
        list,
        parsed,
        marker_text: written,
        definition: marker.definition,
        refusal,
    };
    if let Some(mistake) = refused.explained() {
        let mistake = mistake.with_related(refused.place(), format!("controller-gen: {}", refusal.printed()));
        found.push(mistake.with_intended_name(&refused.name()));
    }
}

impl Outcome {
    /// The mistake in a rejected marker with the error at `place`. [`Self::mistakes`] has only those of named packages.
    #[must_use]
    pub fn mistake_in_rejected_marker(&self, place: Place) -> Option<Mistake> {
        let file = self.source(place.file)?;
        let associated = file.associated(self.version());
        let lists = associated.types.iter().chain(associated.fields.iter()).map(|(_, list)| list);
        let mut all = lists
            .chain([associated.package.as_slice()])
            .flat_map(|list| list.iter().map(move |one| (one, list)));
        let (comment, list) = all.find(|(comment, _)| comment.span.contains(place.span))?;
        let mut found = Vec::new();
        check(CheckedFile::all(place.file, file, self.version()), (comment, list), &mut found);
        found.into_iter().next()
    }
}

/// A rejected marker.
struct RefusedMarker<'r> {
    file: CheckedFile<'r>,
    comment: &'r MarkerComment,
    /// The markers of the same declaration.
    list: &'r [MarkerComment],
    parsed: &'r Read,
    marker_text: MarkerText<'r>,
    definition: ResolvedMarker,
    refusal: &'r Refusal,
}

impl RefusedMarker<'_> {
    fn explained(&self) -> Option<Mistake> {
        if let Some(mistake) = self.second_equals().or_else(|| self.unopened()) {
            return Some(mistake);
        }
        Some(match &self.refusal.fault {
            Fault::Expected(ExpectedToken::Integer, _) => self.no_number(true),
            Fault::Expected(ExpectedToken::Number, _) => self.no_number(false),
            Fault::NotNumber { is_integer, .. } => self.no_number(*is_integer),
            Fault::Expected(ExpectedToken::Bool, _) => self.no_flag(),
            Fault::Expected(ExpectedToken::Comma, got) => self.no_comma(got),
            Fault::Expected(ExpectedToken::Equals | ExpectedToken::Name, _) => self.no_argument(),
            Fault::Expected(ExpectedToken::CloseBrace, _) => self.unclosed_brace(),
            Fault::Expected(ExpectedToken::Colon, _) => self.mistake(
                format!("a key in braces has no value in `{}`", self.name()),
                "write `key: value`, or remove the braces around a list",
            ),
            Fault::Extra(_) => self.extra(),
            Fault::Missing("") => self.no_value(),
            Fault::Missing(argument) => self.without_argument(argument),
            Fault::Unknown(name) => self.unknown(name),
            Fault::Literal(message) => self.literal(message).or_else(|| self.wrong_number())?,
            Fault::Json(_) => self.no_json(),
            Fault::Expected(ExpectedToken::OpenBrace, _) | Fault::Other(_) => {
                self.cut_number().or_else(|| self.wrong_number())?
            }
        })
    }

    /// The mistake for a second `=`.
    fn second_equals(&self) -> Option<Mistake> {
        let at = self.refusal.range.start;
        let is_twice = self.token() == "=" && self.marker_text.slice(0..at).ends_with('=');
        let is_value = !matches!(self.marker_text.slice(at + 1..self.marker_text.end()).trim(), "" | "=");
        (is_twice && is_value).then(|| {
            let edits = self.edits([(at..at + 1, String::new())]);
            let problem = format!("`=` is written twice in `{}`", self.name());
            self.mistake(problem, "remove one").repaired("Remove the second `=`".to_owned(), edits, true)
        })
    }

    fn place(&self) -> Place {
        self.file.place_in_marker(self.comment, self.refusal.range.clone())
    }

    fn mistake(&self, problem: String, remedy: impl Into<String>) -> Mistake {
        Mistake::new(MistakeKind::Refused, self.place(), advised(problem, remedy))
    }

    /// A mistake whose fix replaces the token.
    fn changed(&self, problem: String, better: String) -> Mistake {
        let title = format!("Change `{}` to `{better}`", shortened(self.token()));
        self.mistake(problem, format!("write `{better}`")).replaced(title, better)
    }

    /// Edits of the marker's text, by their ranges.
    fn edits(&self, edits: impl IntoIterator<Item = (Range<usize>, String)>) -> Vec<(Place, String)> {
        edits
            .into_iter()
            .map(|(range, text)| (self.file.place_in_marker(self.comment, range), text))
            .collect()
    }

    /// The edits that write another separator in place of `from`, outside of quotes.
    fn separated(&self, range: Range<usize>, from: char, to: &str) -> Vec<(Place, String)> {
        let separators = self.marker_text.outside_quotes(range.start).take_while(|(at, _)| *at < range.end);
        self.edits(separators.filter(|(_, ch)| *ch == from).map(|(at, _)| (at..at + 1, to.to_owned())))
    }

    fn name(&self) -> String {
        self.definition.name()
    }

    /// The token of the error, as written.
    fn token(&self) -> &str {
        self.marker_text.slice(self.refusal.range.clone())
    }

    /// The argument or the marker that has the incorrect value.
    fn subject(&self) -> String {
        let argument = self.marker_text.argument_at(self.refusal.range.start);
        argument.map_or_else(|| format!("`{}`", self.name()), |(argument, _)| format!("`{}`", argument.name))
    }

    fn no_flag(&self) -> Mistake {
        let written = self.token();
        let problem = format!("{} takes `true` or `false`, not `{}`", self.subject(), shortened(written));
        if self.name().contains(":Exclusive") && strings::parse_float(written).is_ok() {
            return self.no_exclusive_bound(problem, written);
        }
        let Some(flag) = flag_of(written.trim_matches(['"', '`'])) else {
            return self.mistake(problem, "write one of the two");
        };
        self.changed(problem, flag.to_owned())
    }

    /// The mistake for a number as an exclusive bound, as in newer versions of JSON Schema.
    fn no_exclusive_bound(&self, problem: String, number: &str) -> Mistake {
        let name = self.name();
        let bound = name.replace("Exclusive", "");
        let mistake =
            self.mistake(problem, format!("write the number as `{bound}={number}`, and `true` here"));
        let mut reads = self.list.iter().filter_map(|other| combinations::Read::of(self.file, other));
        let (edits, what) = match reads.find(|read| read.name() == bound) {
            Some(read) if read.value_text() != number => return mistake,
            Some(_) => (self.edits([(self.refusal.range.clone(), "true".to_owned())]), "`true`".to_owned()),
            None => {
                let Some(indent) = self.file.indent_of(self.comment.comment) else { return mistake };
                let both = format!("{bound}={number}\n{indent}// +{name}=true");
                (
                    self.edits([(1..self.marker_text.end(), both)]),
                    format!("`{bound}={number}` and `{name}=true`"),
                )
            }
        };
        mistake.repaired(format!("Change to {what}"), edits, true)
    }

    /// The mistake for a missing comma between arguments, between values in braces, or after a value that ends early.
    fn no_comma(&self, got: &str) -> Mistake {
        let (at, end) = (self.refusal.range.start, self.marker_text.end());
        if let Some(open) = self.marker_text.open_braces(at).first().copied() {
            return match got {
                "" => self.unclosed_brace(),
                ";" => self
                    .mistake("`;` does not separate values in braces".to_owned(), "write `,`")
                    .repaired("Change `;` to `,`".to_owned(), self.separated(open..end, ';', ","), true),
                _ => self.mistake(
                    format!("`,` is missing in braces before `{}`", shortened(self.token())),
                    "insert it, or quote the text",
                ),
            };
        }
        if self.marker_text.arguments.is_empty() {
            return self.no_separator(at);
        }
        if self.marker_text.names_argument(at) {
            let problem = format!("`,` is missing before the argument `{}`", shortened(self.token()));
            let blanks = self.marker_text.slice(0..at).trim_end().len();
            let edits = self.edits([(blanks..at, ",".to_owned())]);
            return self.mistake(problem, "insert it").repaired("Insert `,`".to_owned(), edits, true);
        }
        self.ends_early(at)
    }

    /// The mistake for a value that ends before `at`, although the text there belongs to it.
    fn ends_early(&self, at: usize) -> Mistake {
        let Some((argument, start)) = self.marker_text.argument_at(at) else {
            let problem = format!("`{}` does not begin an argument", shortened(self.token()));
            return self.mistake(problem, "remove it");
        };
        if let Some(mistake) = self.swallowed(start, argument.name) {
            return mistake;
        }
        let mark = self.marker_text.slice(at..at + 1);
        if matches!(mark, ";" | ":") && self.marker_text.names_argument(at + 1) {
            let edits = self.edits([(at..at + 1, ",".to_owned())]);
            return self.mistake(format!("`{mark}` does not separate arguments"), "write `,`").repaired(
                format!("Change `{mark}` to `,`"),
                edits,
                false,
            );
        }
        if let Some(mistake) =
            self.word_before_argument(at).or_else(|| self.typographic(start, argument.name))
        {
            return mistake;
        }
        let end = self.marker_text.slice(0..at).trim_end().chars().next_back().unwrap_or('=');
        let problem =
            format!("the value of `{}` ends at `{end}`, before `{}`", argument.name, shortened(self.token()));
        let quoted = self.marker_text.quoted(start);
        let (remedy, title) = if quoted.1.starts_with('`') {
            ("put it in backticks", WITH_BACKTICKS)
        } else {
            ("escape the quotes in it", "Quote the value")
        };
        self.mistake(problem, remedy).repaired(title.to_owned(), self.edits([quoted]), false)
    }

    /// The mistake for text after a `,`: a value of a list, the rest of a text without quotes, or nothing.
    fn no_argument(&self) -> Mistake {
        let range = self.refusal.range.clone();
        let written = self.token();
        if written == "," {
            let problem = "no argument follows the last `,`".to_owned();
            if let Some(edits) = self.lines_below() {
                let mistake = self.mistake(problem, "write all arguments on one line");
                return mistake.repaired("Merge the lines".to_owned(), edits, false);
            }
            if let Some(mistake) = self.second_comma() {
                return mistake;
            }
            let edits = self.edits([(range.start..self.marker_text.end(), String::new())]);
            return self.mistake(problem, "remove it").repaired(
                "Remove the last `,`".to_owned(),
                edits,
                true,
            );
        }
        let continued = self.continued_arguments().or_else(|| self.unnamed_argument());
        if let Some(mistake) = continued.or_else(|| self.bracketed_arguments()) {
            return mistake;
        }
        if let Some(mistake) = self.colon_for_equals() {
            return mistake;
        }
        let before = self.marker_text.slice(0..range.start).trim_end();
        let is_known = self.marker_text.arguments.iter().any(|argument| argument.name == written);
        let comma = before.strip_suffix(',').filter(|_| !is_known).map(str::len);
        let (Some(comma), Some((argument, start))) = (comma, self.marker_text.argument_at(range.start))
        else {
            return self.without_argument_value(written);
        };
        match argument.kind {
            ArgumentType::Texts | ArgumentType::Anys => {
                if let Some(mistake) = self.in_brackets(argument.kind, start) {
                    return mistake;
                }
                let problem =
                    format!("`,` ends the values of `{}` before `{}`", argument.name, shortened(written));
                self.unseparated(problem, comma..self.marker_text.intended_end(start))
            }
            _ if self.marker_text.is_quoted(start, comma) => self.without_argument_value(written),
            _ => self.ends_early(range.start),
        }
    }

    /// The mistake for a `:` instead of `=` after the name of an argument.
    fn colon_for_equals(&self) -> Option<Mistake> {
        let name = self
            .marker_text
            .arguments
            .iter()
            .map(|argument| argument.name)
            .find(|name| *name == self.token())?;
        let rest = self.marker_text.slice(self.refusal.range.end..self.marker_text.end());
        let colon = self.refusal.range.end + rest.len() - rest.trim_start().len();
        let value = rest.trim_start().strip_prefix(':').filter(|value| !value.trim().is_empty())?;
        let end = self.marker_text.end() - value.trim_start_matches('=').trim_start().len();
        let problem = format!("`:` follows the argument `{name}`");
        let mistake = self.mistake(problem, "write `=` in its place");
        let place = self.file.place_in_marker(self.comment, colon..colon + 1);
        let edits = self.edits([(self.refusal.range.end..end, "=".to_owned())]);
        Some(Mistake { place, ..mistake }.repaired(format!("Change `:` to `=` after `{name}`"), edits, true))
    }

    /// The mistake for a string without a closing quote, which ends at the opening quote of the next argument.
    fn swallowed(&self, start: usize, argument: &str) -> Option<Mistake> {
        let quote = self.marker_text.slice(start..start + 1);
        if !matches!(quote, "\"" | "`") {
            return None;
        }
        if let Some(mistake) = quote.chars().next().and_then(|quote| self.other_end(start, quote)) {
            return Some(mistake);
        }
        let rest = self.marker_text.slice(start + 1..self.refusal.range.start);
        let comma = rest
            .match_indices(',')
            .map(|(at, _)| start + 1 + at)
            .find(|at| self.marker_text.names_argument(at + 1))?;
        let shown_quote = if quote == "`" { "backtick".to_owned() } else { format!("`{quote}`") };
        let mistake =
            self.mistake(format!("the closing {shown_quote} of `{argument}` is missing"), "insert it");
        let place = self.file.place_in_marker(self.comment, start..comma);
        let edits = self.edits([(comma..comma, quote.to_owned())]);
        Some(Mistake { place, ..mistake }.repaired(format!("Insert the closing {shown_quote}"), edits, false))
    }

    /// The mistake for values of a list that are separated with `,`.
    fn unseparated(&self, problem: String, range: Range<usize>) -> Mistake {
        let edits = self.separated(range, ',', ";");
        self.mistake(problem, "separate them with `;`").repaired("Change `,` to `;`".to_owned(), edits, true)
    }

    fn unclosed_brace(&self) -> Mistake {
        let end = self.marker_text.end();
        let open = self.marker_text.open_braces(end).len().max(1);
        let edits = self.edits([(end..end, "}".repeat(open))]);
        self.mistake(format!("`}}` is missing at the end of {}", self.subject()), "insert it").repaired(
            "Insert `}`".to_owned(),
            edits,
            false,
        )
    }

    /// The mistake for text after a value.
    fn extra(&self) -> Mistake {
        let range = self.refusal.range.clone();
        let written = self.token();
        let value = self.marker_text.text.find('=').map_or(range.start, |equals| equals + 1);
        let as_list = match self.definition.definition.shape {
            Shape::Value(kind) => self.in_brackets(kind, value),
            _ => None,
        };
        let others = || self.several_keys().or_else(|| self.second_marker()).or_else(|| self.cut_number());
        if let Some(mistake) = as_list.or_else(others) {
            return mistake;
        }
        match self.definition.definition.shape {
            Shape::Empty => self.no_flag_value(),
            Shape::Value(ArgumentType::Texts | ArgumentType::Anys) if written.starts_with(',') => {
                let problem = format!("`,` ends the values of `{}`", self.name());
                if self.marker_text.slice(range.start + 1..self.marker_text.end()).trim().is_empty() {
                    let edits = self.edits([(range.start..self.marker_text.end(), String::new())]);
                    return self.mistake(problem, "remove it").repaired(
                        "Remove the last `,`".to_owned(),
                        edits,
                        true,
                    );
                }
                self.unseparated(problem, range.start..self.marker_text.end())
            }
            Shape::Value(ArgumentType::Text | ArgumentType::Any) | Shape::OptionalValue(_)
                if matches!(self.marker_text.slice(range.start..self.marker_text.end()), ";" | ",") =>
            {
                let problem = format!("`{}` follows the value of `{}`", shortened(written), self.name());
                let edits = self.edits([(range.start..self.marker_text.end(), String::new())]);
                let title = format!("Remove `{}`", shortened(written));
                self.mistake(problem, "remove it").repaired(title, edits, true)
            }
            Shape::Value(ArgumentType::Text | ArgumentType::Any) | Shape::OptionalValue(_) => {
                if let Some(mistake) = self.quoted_twice(value) {
                    return mistake;
                }
                let problem = format!("`{}` follows the value of `{}`", shortened(written), self.name());
                let end = self.marker_text.end();
                let is_closed = self.marker_text.slice(0..range.start).ends_with('}');
                if is_closed && self.marker_text.slice(range.start..end).trim_matches('}').is_empty() {
                    let edits = self.edits([(range.start..end, String::new())]);
                    let title = format!("Remove `{}`", shortened(written));
                    return self.mistake(problem, "remove it").repaired(title, edits, true);
                }
                let before = self.marker_text.slice(value..range.start).trim();
                let rest = self.marker_text.slice(range.start..end);
                if !before.is_empty()
                    && (is_complete(before) || is_remark(rest))
                    && !rest.contains(['"', '`'])
                {
                    let start = self.marker_text.slice(0..range.start).trim_end().len();
                    let title = format!("Remove `{}`", shortened(rest));
                    let edits = self.edits([(start..end, String::new())]);
                    return self.mistake(problem, "remove it").repaired(title, edits, false);
                }
                let edits = self.edits([self.marker_text.quoted(value)]);
                self.mistake(problem, "put the whole value in backticks").repaired(
                    WITH_BACKTICKS.to_owned(),
                    edits,
                    false,
                )
            }
            _ => {
                let problem = format!("`{}` follows the value of {}", shortened(written), self.subject());
                let start = self.marker_text.slice(0..range.start).trim_end().len();
                let edits = self.edits([(start..range.end, String::new())]);
                self.mistake(problem, "remove it").repaired(
                    format!("Remove `{}`", shortened(written)),
                    edits,
                    false,
                )
            }
        }
    }

    /// The mistake for a value after a marker that takes none.
    fn no_flag_value(&self) -> Mistake {
        let range = self.refusal.range.clone();
        let problem = format!("`{}` takes no value", self.name()); // The author does not want the marker.
        if self.token() == "false" {
            let title = format!("Remove `{}`", self.name());
            let mistake = self.mistake(problem, "remove the marker");
            return mistake.removed(self.file, self.comment.comment, title, false);
        }
        let start = self.marker_text.slice(0..range.start).trim_end_matches(['=', ' ']).len();
        let what = shortened(self.marker_text.slice(start..range.end));
        let edits = self.edits([(start..range.end, String::new())]);
        self.mistake(problem, format!("remove `{what}`")).repaired(format!("Remove `{what}`"), edits, true)
    }

    fn no_value(&self) -> Mistake {
        let example = match self.definition.definition.shape {
            Shape::Value(ArgumentType::Texts | ArgumentType::Anys) => "a;b",
            Shape::Integer(_) | Shape::Float(_) | Shape::Value(ArgumentType::Int | ArgumentType::Number) => {
                "1"
            }
            Shape::Value(ArgumentType::Bool) => "true",
            _ => "…",
        };
        let title = format!("Remove `{}`", self.name());
        self.without_value(&self.name(), example).removed(self.file, self.comment.comment, title, false)
    }

    /// The mistake for an argument without `=`. A flag that is named is meant to be set.
    fn without_argument_value(&self, written: &str) -> Mistake {
        let mut arguments = self.marker_text.arguments.iter();
        let is_flag = |argument: &Argument| argument.name == written && argument.kind == ArgumentType::Bool;
        if !arguments.any(is_flag) {
            return self.without_value(&shortened(written), "…");
        }
        let end = self.refusal.range.end;
        let edits = self.edits([(end..end, "=true".to_owned())]);
        self.without_value(written, "true").repaired("Insert `=true`".to_owned(), edits, false)
    }

    /// The mistake for a marker or an argument that needs a value such as `example`.
    fn without_value(&self, name: &str, example: &str) -> Mistake {
        self.mistake(format!("`{name}` has no value"), format!("write `{name}={example}`"))
    }
}

/// Whether no text can continue a value: a number, a boolean, a text in quotes, a list.
fn is_complete(value: &str) -> bool {
    let is_enclosed =
        |open: char, close: char| value.len() > 1 && value.starts_with(open) && value.ends_with(close);
    strings::parse_float(value).is_ok()
        || matches!(value, "true" | "false")
        || is_enclosed('"', '"')
        || is_enclosed('`', '`')
        || is_enclosed('{', '}')
}

/// Whether a text after a value is a comment, or a sign that ends a line.
fn is_remark(text: &str) -> bool {
    text.starts_with("//")
        || text.starts_with(['#', '(', '['])
        || !text.contains(|ch: char| ch.is_alphanumeric() || matches!(ch, '*' | '%' | '/' | '-'))
}

/// The start of a text, for messages.
fn shortened(written: &str) -> Cow<'_, str> {
    text::start(written, SHOWN)
}
