//! Markers that controller-gen refuses: what is wrong in them, and what is meant.

mod marker_text;

use std::ops::Range;

use marker_text::{MarkerText, escapes, is_escape};

use super::mistake::{Mistake, MistakeKind, Repair, Seen, Words, advised};
use crate::load::Place;
use crate::marker::{Argument, ArgumentType, Fault, Known, Marker, Quoted, Refusal, Shape, Wanted};
use crate::strings;
use crate::syntax::{MarkerComment, Read};
use crate::version::Version;

/// So many arguments are named.
const MAX_NAMED: usize = 4;

/// So many characters of what is written are shown.
const SHOWN: usize = 30;

/// Explains the first refusal of a marker, from which the others follow.
pub(super) fn check(seen: Seen<'_>, comment: &MarkerComment, found: &mut Vec<Mistake>) {
    let Some(Read { marker, refusals }) = comment.read.as_deref() else { return };
    let Some(refusal) = refusals.first() else { return };
    let arguments = match marker.known.definition.shape {
        Shape::Arguments(arguments) => arguments,
        _ => &[],
    };
    let written = MarkerText { text: seen.text(comment), arguments };
    let refused = Refused { written, marker, refusal, version: seen.version };
    let Some(Explained { words, edits, is_superfluous }) = refused.explained() else { return };
    let place = seen.within(comment, refusal.range.clone());
    let mut mistake = Mistake::new(MistakeKind::Refused, place, words);
    if is_superfluous {
        let line = (seen.line_of(comment.comment), String::new());
        mistake = mistake.repaired(format!("Remove `{}`", refused.name()), vec![line], false);
    }
    mistake.repair = mistake.repair.or(edits.map(|Edits { title, edits, is_safe }| {
        let at = |(range, text): (Range<usize>, String)| -> (Place, String) {
            (seen.within(comment, range), text)
        };
        Repair { title, edits: edits.into_iter().map(at).collect(), is_safe }
    }));
    found.push(mistake.beside(place, format!("controller-gen: {}", refusal.printed())));
}

/// A marker that is refused.
struct Refused<'r> {
    written: MarkerText<'r>,
    marker: &'r Marker,
    refusal: &'r Refusal,
    version: Version,
}

/// What is wrong, and what repairs it.
struct Explained {
    words: Words,
    edits: Option<Edits>,
    /// Whether the marker is not meant to be there.
    is_superfluous: bool,
}

/// Edits of the marker's text.
struct Edits {
    title: String,
    edits: Vec<(Range<usize>, String)>,
    is_safe: bool,
}

impl Explained {
    fn new(problem: String, remedy: impl Into<String>) -> Self {
        Self { words: advised(problem, remedy), edits: None, is_superfluous: false }
    }

    /// With edits of which there is hardly a doubt that they are meant.
    fn safely(self, title: String, edits: Vec<(Range<usize>, String)>) -> Self {
        Self { edits: Some(Edits { title, edits, is_safe: true }), ..self }
    }

    fn perhaps(self, title: String, edits: Vec<(Range<usize>, String)>) -> Self {
        Self { edits: Some(Edits { title, edits, is_safe: false }), ..self }
    }
}

impl Refused<'_> {
    fn explained(&self) -> Option<Explained> {
        Some(match &self.refusal.fault {
            Fault::Expected(Wanted::Integer, _) => self.no_number(true),
            Fault::Expected(Wanted::Number, _) => self.no_number(false),
            Fault::NotNumber { is_integer, .. } => self.no_number(*is_integer),
            Fault::Expected(Wanted::Bool, _) => self.no_flag(),
            Fault::Expected(Wanted::Comma, got) => self.no_comma(got),
            Fault::Expected(Wanted::Equals | Wanted::Name, _) => self.no_argument(),
            Fault::Expected(Wanted::CloseBrace, _) => self.unclosed_brace(),
            Fault::Expected(Wanted::Colon, _) => Explained::new(
                format!("a key in braces has no value in `{}`", self.name()),
                "write `key: value`, or remove the braces around a list",
            ),
            Fault::Extra(_) => self.extra(),
            Fault::Missing("") => self.no_value(),
            Fault::Missing(argument) => Explained::new(
                format!("`{}` needs the argument `{argument}`", self.name()),
                format!("add `{argument}=…`"),
            ),
            Fault::Unknown(name) => self.unknown(name),
            Fault::Literal(message) => self.literal(message)?,
            Fault::Json(_) => self.no_json(),
            Fault::Expected(Wanted::OpenBrace, _) | Fault::Other(_) => return None,
        })
    }

    fn known(&self) -> Known {
        self.marker.known
    }

    fn name(&self) -> String {
        self.known().name()
    }

    /// What the refusal is about, as it is written.
    fn token(&self) -> &str {
        self.written.slice(self.refusal.range.clone())
    }

    /// The argument, or the marker, whose value it is.
    fn subject(&self) -> String {
        let argument = self.written.argument_at(self.refusal.range.start);
        argument.map_or_else(|| format!("`{}`", self.name()), |(argument, _)| format!("`{}`", argument.name))
    }

    fn no_number(&self, is_integer: bool) -> Explained {
        let what = if is_integer { "an integer" } else { "a number" };
        let written = self.token();
        if written.is_empty() || self.name() == written {
            return self.no_value();
        }
        let problem = format!("{} is {what}, not `{}`", self.subject(), shown(written));
        let inner = Quoted::read(written);
        let is_right =
            |text: &str| strings::atoi(text).is_ok() || !is_integer && strings::parse_float(text).is_ok();
        if inner.is_closed && inner.text != written && is_right(&inner.text) {
            return Explained::new(problem, format!("write `{}`", inner.text)).safely(
                format!("Change `{}` to `{}`", shown(written), inner.text),
                vec![(self.refusal.range.clone(), inner.text)],
            );
        }
        Explained::new(problem, format!("write {what}"))
    }

    fn no_flag(&self) -> Explained {
        let written = self.token();
        let problem = format!("{} is `true` or `false`, not `{}`", self.subject(), shown(written));
        let flag = match written.trim_matches(['"', '`']).to_lowercase().as_str() {
            "true" | "yes" | "y" | "on" | "t" | "1" => "true",
            "false" | "no" | "n" | "off" | "f" | "0" => "false",
            _ => return Explained::new(problem, "write one of the two"),
        };
        Explained::new(problem, format!("write `{flag}`")).safely(
            format!("Change `{}` to `{flag}`", shown(written)),
            vec![(self.refusal.range.clone(), flag.to_owned())],
        )
    }

    /// Between arguments, between values in braces, or behind a value that ends early.
    fn no_comma(&self, got: &str) -> Explained {
        let at = self.refusal.range.start;
        if let Some(open) = self.written.open_braces(at).first().copied() {
            return match got {
                "" => self.unclosed_brace(),
                ";" => {
                    let separators = self.written.outside_quotes(open).filter(|(_, ch)| *ch == ';');
                    let edits = separators.map(|(at, _)| (at..at + 1, ",".to_owned())).collect();
                    Explained::new("`;` does not separate values in braces".to_owned(), "write `,`")
                        .safely("Change `;` to `,`".to_owned(), edits)
                }
                _ => Explained::new(
                    format!("`,` is missing in braces before `{}`", shown(self.token())),
                    "insert it, or quote the text",
                ),
            };
        }
        if self.written.arguments.is_empty() {
            let problem = format!("`;` is missing before `{}`", shown(self.token()));
            return Explained::new(problem, "insert it, or quote the value");
        }
        if self.written.names_argument(at) {
            let blanks = self.written.slice(0..at).trim_end().len();
            return Explained::new(
                format!("`,` is missing before the argument `{}`", shown(self.token())),
                "insert it",
            )
            .safely("Insert `,`".to_owned(), vec![(blanks..at, ",".to_owned())]);
        }
        self.ends_early(at)
    }

    /// A value that ends before `at`, although what is there belongs to it.
    fn ends_early(&self, at: usize) -> Explained {
        let Some((argument, start)) = self.written.argument_at(at) else {
            return Explained::new(
                format!("`{}` does not begin an argument", shown(self.token())),
                "remove it",
            );
        };
        let end = self.written.slice(0..at).trim_end().chars().next_back().unwrap_or('=');
        let problem =
            format!("the value of `{}` ends at `{end}`, before `{}`", argument.name, shown(self.token()));
        let edits = self.written.quote(start);
        let is_raw = edits.iter().all(|(_, text)| text.starts_with('`'));
        let (remedy, title) = if is_raw {
            ("put it in backticks", "Quote the value with backticks")
        } else {
            ("escape the quotes in it", "Quote the value")
        };
        Explained::new(problem, remedy).perhaps(title.to_owned(), edits)
    }

    /// Behind a `,`: a value of a list, the rest of a text without quotes, or nothing.
    fn no_argument(&self) -> Explained {
        let range = self.refusal.range.clone();
        let written = self.token();
        if written == "," {
            return Explained::new("no argument follows the last `,`".to_owned(), "remove it").safely(
                "Remove the last `,`".to_owned(),
                vec![(range.start..self.written.end(), String::new())],
            );
        }
        let before = self.written.slice(0..range.start).trim_end();
        let is_known = self.written.arguments.iter().any(|argument| argument.name == written);
        let comma = before.strip_suffix(',').filter(|_| !is_known).map(str::len);
        let (Some(comma), Some((argument, start))) = (comma, self.written.argument_at(range.start)) else {
            return Explained::new(
                format!("`{}` has no value", shown(written)),
                format!("write `{}=…`", shown(written)),
            );
        };
        match argument.kind {
            ArgumentType::Texts | ArgumentType::Anys => {
                let end = self.written.meant_end(start);
                let separators = self.written.outside_quotes(comma).take_while(|(at, _)| *at < end);
                let edits =
                    separators.filter(|(_, ch)| *ch == ',').map(|(at, _)| (at..at + 1, ";".to_owned()));
                let problem =
                    format!("`,` ends the values of `{}` before `{}`", argument.name, shown(written));
                Explained::new(problem, "separate them with `;`")
                    .safely("Change `,` to `;`".to_owned(), edits.collect())
            }
            _ => self.ends_early(range.start),
        }
    }

    fn unclosed_brace(&self) -> Explained {
        let open = self.written.open_braces(self.written.end()).len().max(1);
        let explained =
            Explained::new(format!("`}}` is missing at the end of {}", self.subject()), "insert it");
        explained.perhaps(
            "Insert `}`".to_owned(),
            vec![(self.written.end()..self.written.end(), "}".repeat(open))],
        )
    }

    /// What follows a value.
    fn extra(&self) -> Explained {
        let name = self.name();
        let range = self.refusal.range.clone();
        let written = self.token();
        let value = self.written.text.find('=').map_or(range.start, |equals| equals + 1);
        match self.known().definition.shape {
            Shape::Empty => {
                let start = self.written.slice(0..range.start).trim_end_matches(['=', ' ']).len();
                let what = self.written.slice(start..range.end).to_owned();
                let explained =
                    Explained::new(format!("`{name}` takes no value"), format!("remove `{}`", shown(&what)));
                let edits = vec![(start..range.end, String::new())];
                let title = format!("Remove `{}`", shown(&what));
                if written == "false" {
                    let explained = Explained::new(format!("`{name}` takes no value"), "remove the marker");
                    return Explained { is_superfluous: true, ..explained };
                }
                explained.safely(title, edits)
            }
            Shape::Value(ArgumentType::Texts | ArgumentType::Anys) if written.starts_with(',') => {
                let commas = self.written.outside_quotes(range.start).filter(|(_, ch)| *ch == ',');
                let edits = commas.map(|(at, _)| (at..at + 1, ";".to_owned())).collect();
                Explained::new(format!("`,` ends the values of `{name}`"), "separate them with `;`")
                    .safely("Change `,` to `;`".to_owned(), edits)
            }
            Shape::Value(ArgumentType::Text | ArgumentType::Any) | Shape::OptionalValue(_) => {
                let problem = format!("`{}` follows the value of `{name}`", shown(written));
                let quoted = self.written.quote(value);
                Explained::new(problem, "put the whole value in backticks")
                    .perhaps("Quote the value with backticks".to_owned(), quoted)
            }
            _ => {
                let problem = format!("`{}` follows the value of {}", shown(written), self.subject());
                let start = self.written.slice(0..range.start).trim_end().len();
                Explained::new(problem, "remove it")
                    .perhaps(format!("Remove `{}`", shown(written)), vec![(start..range.end, String::new())])
            }
        }
    }

    fn no_value(&self) -> Explained {
        let example = match self.known().definition.shape {
            Shape::Value(ArgumentType::Texts | ArgumentType::Anys) => "a;b",
            Shape::Integer(_) | Shape::Float(_) | Shape::Value(ArgumentType::Int | ArgumentType::Number) => {
                "1"
            }
            Shape::Value(ArgumentType::Bool) => "true",
            _ => "…",
        };
        let name = self.name();
        Explained::new(format!("`{name}` has no value"), format!("write `{name}={example}`"))
    }

    fn unknown(&self, name: &str) -> Explained {
        let marker = self.name();
        let problem = format!("`{marker}` has no argument `{}`", shown(name));
        let lower = name.to_lowercase();
        let distance = |argument: &&Argument| strsim::osa_distance(&lower, &argument.name.to_lowercase());
        if let Some(argument) = self.written.arguments.iter().find(|argument| argument.name == name) {
            let problem =
                format!("controller-gen {} does not know `{}` of `{marker}`", self.version, argument.name);
            return Explained::new(problem, "update controller-gen");
        }
        if marker.ends_with(name)
            && let Some(argument) = self.written.arguments.first()
        {
            let equals = self.refusal.range.end;
            let problem = format!("`{marker}` has no value, but arguments");
            return Explained::new(problem, format!("write `{marker}:{}=…`", argument.name)).perhaps(
                format!("Insert `:{}`", argument.name),
                vec![(equals..equals, format!(":{}", argument.name))],
            );
        }
        let nearest = self.written.arguments.iter().min_by_key(distance);
        match nearest.filter(|argument| distance(argument) <= 1 + name.len() / 5) {
            Some(argument) => Explained::new(problem, format!("write `{}`", argument.name)).safely(
                format!("Change `{}` to `{}`", shown(name), argument.name),
                vec![(self.refusal.range.clone(), argument.name.to_owned())],
            ),
            None => {
                let names = self.written.arguments.iter().map(|argument| format!("`{}`", argument.name));
                let mut names: Vec<String> = names.collect();
                if names.len() > MAX_NAMED {
                    let others = names.split_off(MAX_NAMED - 1).len();
                    names.push(format!("{others} others"));
                }
                Explained::new(problem, format!("choose among {}", text::listed(&names)))
            }
        }
    }

    fn no_json(&self) -> Explained {
        let name = self.name();
        let value = self.written.text.find('=').map_or(self.written.end(), |equals| equals + 1);
        let written = self.written.slice(value..self.written.end()).trim();
        if written.is_empty() {
            return self.no_value();
        }
        let problem = format!("`{name}` takes JSON, which `{}` is not", shown(written));
        let is_bare = !written.contains(['"', '\'', '`', '{', '[', '\\']);
        let better = strings::quoted(written);
        match is_bare {
            true => Explained::new(problem, format!("write `{}`", shown(&better)))
                .perhaps("Quote the value".to_owned(), vec![(value..self.written.end(), better)]),
            false => Explained::new(problem, "correct the value"),
        }
    }

    fn literal(&self, message: &str) -> Option<Explained> {
        let written = self.token();
        if message.ends_with("octal literal") {
            let decimal = written.trim_start_matches('0');
            return Some(
                Explained::new(
                    format!("`{}` is octal, because it begins with 0", shown(written)),
                    format!("write `{decimal}`"),
                )
                .safely(
                    format!("Change `{}` to `{decimal}`", shown(written)),
                    vec![(self.refusal.range.clone(), decimal.to_owned())],
                ),
            );
        }
        if message.ends_with("value out of range") {
            let problem = format!("`{}` does not fit into 64 bits", shown(written));
            return Some(Explained::new(problem, "write a smaller number"));
        }
        let quote = written.chars().next().filter(|ch| matches!(ch, '"' | '`'))?;
        let start = self.refusal.range.start;
        match message {
            "literal not terminated" => {
                let end = self.written.meant_end(start);
                let problem = format!("the closing `{quote}` is missing").replace("```", "backtick");
                Some(Explained::new(problem, "insert it").perhaps(
                    format!("Insert the closing `{quote}`").replace("```", "backtick"),
                    vec![(end..end, quote.to_string())],
                ))
            }
            "invalid char escape" => {
                let escapes = escapes(written);
                let (at, escape) = escapes.iter().find(|(_, escape)| !is_escape(escape))?;
                let problem = format!("`{escape}` is no escape in a text in double quotes");
                let inner = written.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'))?;
                let is_raw = !inner.contains('`') && escapes.iter().all(|(_, escape)| !is_escape(escape));
                Some(if is_raw {
                    Explained::new(problem, "use backticks as quotes").safely(
                        "Quote the value with backticks".to_owned(),
                        vec![(self.refusal.range.clone(), format!("`{inner}`"))],
                    )
                } else {
                    let at = start + at;
                    Explained::new(problem, format!("write `\\{escape}`"))
                        .safely(format!("Change `{escape}` to `\\{escape}`"), vec![(at..at, "\\".to_owned())])
                })
            }
            _ => None,
        }
    }
}

/// The start of what is written.
fn shown(written: &str) -> String {
    let mut shown: String = written.chars().take(SHOWN).collect();
    if shown.len() < written.len() {
        shown.push('…');
    }
    shown
}
