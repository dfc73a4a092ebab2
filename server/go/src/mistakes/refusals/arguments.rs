//! Unknown and missing arguments.

use std::ops::Range;

use super::{RefusedMarker, shortened};
use crate::marker::{Argument, ArgumentType};
use crate::mistakes::column_names::usual_name;
use crate::mistakes::combinations::{self, Read};
use crate::mistakes::mistake::{Mistake, MistakeKind, nearest};
use crate::mistakes::swallowed_arguments::Swallowed;
use crate::strings;

/// The maximum number of arguments to name.
const MAX_NAMED: usize = 4;

/// Arguments, and lowercase names that people use for them: fields of definitions, terms of other languages, abbreviations.
const OTHER_NAMES: [(&str, &[&str]); 22] = [
    ("JSONPath", &["path", "json", "jsonfield", "field", "fieldpath", "value", "source"]),
    ("path", &["plural", "pluralname", "plurals", "name", "resource", "resourcename"]),
    ("shortName", &["short", "shortnames", "alias", "aliases", "abbreviation"]),
    ("categories", &["category", "group", "groups"]),
    ("singular", &["singularname"]),
    ("name", &["title", "column", "header", "label", "columnname"]),
    ("type", &["columntype", "datatype", "kind"]),
    ("format", &["columnformat"]),
    ("description", &["desc", "doc", "docs", "comment", "help", "text", "title"]),
    ("priority", &["prio", "order"]),
    ("specpath", &["spec", "specreplicas", "specreplicaspath", "replicas", "replicaspath", "path"]),
    ("statuspath", &["status", "statusreplicas", "statusreplicaspath"]),
    ("selectorpath", &["selector", "labelselector", "labelselectorpath", "statusselectorpath"]),
    ("rule", &["expression", "expr", "cel", "condition", "validation", "value", "validate"]),
    ("messageExpression", &["messageexpr", "msgexpression", "msgexpr", "messagecel"]),
    ("message", &["msg", "error", "errormessage", "text", "description", "failuremessage"]),
    ("fieldPath", &["path", "field", "jsonpath"]),
    ("optionalOldSelf", &["optionaloldself", "oldselfoptional", "optional"]),
    ("warning", &["message", "msg", "text", "deprecationwarning", "description", "reason"]),
    ("url", &["link", "href", "uri", "ref"]),
    ("annotations", &["annotation", "annotate"]),
    ("labels", &["label"]),
];

/// Other arguments with the same meaning as an argument of the marker: the name and value in lowercase, and the meant
/// argument.
const OTHER_VALUES: [(&str, &str, &str); 4] = [
    ("namespaced", "false", "scope=Cluster"),
    ("namespaced", "true", "scope=Namespaced"),
    ("clusterscoped", "true", "scope=Cluster"),
    ("wide", "true", "priority=1"),
];

/// Arguments with their usual values.
const USUAL: [(&str, &str); 3] =
    [("type", "string"), ("specpath", ".spec.replicas"), ("statuspath", ".status.replicas")];

impl RefusedMarker<'_> {
    /// The mistake for an argument that the marker does not have.
    pub(super) fn unknown(&self, name: &str) -> Mistake {
        let marker = self.name();
        if let Some(argument) = self.marker_text.arguments.iter().find(|argument| argument.name == name) {
            let version = self.file.version;
            let problem = format!("controller-gen {version} does not know `{}` of `{marker}`", argument.name);
            return self.mistake(problem, "update controller-gen");
        }
        if marker.ends_with(name)
            && let Some(argument) = self.marker_text.arguments.first()
        {
            return self.without_name(argument);
        }
        let problem = format!("`{marker}` has no argument `{}`", shortened(name));
        if let Some(intended) = self.intended_argument(name) {
            return self.renamed(problem, name, intended);
        }
        if let Some(mistake) = self.by_value(&problem, name) {
            return mistake;
        }
        let near = nearest(name, self.marker_text.arguments.iter().map(|one| one.name), 1 + name.len() / 5);
        if let Some(given) = near {
            let mistake = self.mistake(format!("{problem}, and `{given}` is already given"), "remove it");
            return self.without_written_argument(mistake, name);
        }
        let names = self.marker_text.arguments.iter().map(|argument| format!("`{}`", argument.name));
        let mut names: Vec<String> = names.collect();
        if names.len() > MAX_NAMED {
            let others = names.split_off(MAX_NAMED - 1).len();
            names.push(format!("{others} others"));
        }
        let mistake = self.mistake(problem, format!("choose among {}", text::listed(&names)));
        self.without_written_argument(mistake, name)
    }

    /// Adds the fix that removes the argument with the error, if another one is beside it.
    fn without_written_argument(&self, mistake: Mistake, name: &str) -> Mistake {
        let Range { start, end } = self.refusal.range;
        let mut commas = self.marker_text.outside_quotes(0).filter(|(_, ch)| *ch == ',').map(|(at, _)| at);
        let before = self.marker_text.slice(0..start).trim_end().strip_suffix(',').map(str::len);
        let next = commas.find(|at| *at >= end);
        let range = match (before, next) {
            (Some(before), next) => before..next.unwrap_or_else(|| self.marker_text.end()),
            (None, Some(next)) => start..next + 1,
            (None, None) => return mistake,
        };
        let edits = self.edits([(range, String::new())]);
        mistake.repaired(format!("Remove `{}`", shortened(name)), edits, false)
    }

    /// The mistake for a value after `=` that belongs to the first argument.
    fn without_name(&self, argument: &Argument) -> Mistake {
        let marker = self.name();
        let equals = self.refusal.range.end;
        let inserted = format!(":{}", argument.name);
        let problem = format!("`{marker}` takes arguments, not a value");
        if self.marker_text.slice(equals..equals + 1) == "=" && self.marker_text.names_argument(equals + 1) {
            let edits = self.edits([(equals..equals + 1, ":".to_owned())]);
            let mistake = self.mistake(problem, "write `:` before them");
            return mistake.repaired("Change `=` to `:`".to_owned(), edits, true);
        }
        self.mistake(problem, format!("write `{marker}{inserted}=…`")).repaired(
            format!("Insert `{inserted}`"),
            self.edits([(equals..equals, inserted)]),
            false,
        )
    }

    /// The argument of the marker that a name means; `None` if the marker already has that argument.
    fn intended_argument(&self, name: &str) -> Option<&'static str> {
        let names = || self.marker_text.arguments.iter().map(|argument| argument.name);
        let lower = name.to_lowercase();
        let is_intended = |argument: &&str| {
            let mut others = OTHER_NAMES.iter().filter(|(known, _)| known == argument);
            others.any(|(_, others)| others.contains(&lower.as_str()))
        };
        let only = || Some(self.marker_text.arguments).filter(|all| all.len() == 1).and(names().next());
        let near = nearest(name, names(), 1 + name.len() / 5);
        let intended = near.or_else(|| names().find(is_intended)).or_else(only)?;
        self.parsed.marker.argument(intended).is_none().then_some(intended)
    }

    /// The mistake for a misnamed argument, with the fix that renames it and the misnamed arguments after it.
    fn renamed(&self, problem: String, name: &str, intended: &str) -> Mistake {
        let equals = self.marker_text.outside_quotes(self.refusal.range.end).filter(|(_, ch)| *ch == '=');
        let mut all = vec![(self.refusal.range.clone(), intended.to_owned())];
        for (equals, _) in equals.skip(1) {
            let before = self.marker_text.slice(0..equals).trim_end();
            let start = before.rfind(|ch: char| !ch.is_alphanumeric()).map_or(0, |at| at + 1);
            let other = before.get(start..).unwrap_or_default();
            let is_known = self.marker_text.arguments.iter().any(|argument| argument.name == other);
            let is_argument = before.get(..start).is_some_and(|before| before.trim_end().ends_with(','));
            if let Some(intended) = self.intended_argument(other).filter(|_| is_argument && !is_known) {
                all.push((start..start + other.len(), intended.to_owned()));
            }
        }
        let mistake = self.mistake(problem, format!("write `{intended}`"));
        let title = match all.len() {
            1 => format!("Change `{}` to `{intended}`", shortened(name)),
            _ => "Change the arguments to their names".to_owned(),
        };
        mistake.repaired(title, self.edits(all), true)
    }

    /// The mistake for an argument that corresponds to a different argument with a different value.
    fn by_value(&self, problem: &str, name: &str) -> Option<Mistake> {
        let range = self.refusal.range.clone();
        let rest = self.marker_text.slice(range.end..self.marker_text.end());
        let value = rest.trim_start().strip_prefix('=')?;
        let end = self.marker_text.end() - value.len() + value.find(',').unwrap_or(value.len());
        let value = value.split(',').next()?.trim().trim_matches('"').to_lowercase();
        let is_it = |other: &&(&str, &str, &str)| other.0 == name.to_lowercase() && other.1 == value;
        let (_, _, intended) = OTHER_VALUES.iter().find(is_it)?;
        let argument = intended.split('=').next()?;
        let is_taken = self.parsed.marker.argument(argument).is_some();
        if is_taken || !self.marker_text.arguments.iter().any(|known| known.name == argument) {
            return None;
        }
        let mistake = self.mistake(problem.to_owned(), format!("write `{intended}`"));
        let title =
            format!("Change `{}` to `{intended}`", shortened(self.marker_text.slice(range.start..end)));
        Some(mistake.repaired(title, self.edits([(range.start..end, (*intended).to_owned())]), true))
    }

    /// The mistake for a missing argument. The rule of a message may be in the preceding marker.
    pub(super) fn without_argument(&self, argument: &str) -> Mistake {
        let name = self.name();
        let problem = format!("`{name}` needs the argument `{argument}`");
        let before = self.list.iter().take_while(|other| other.span != self.comment.span);
        let other = before.filter(|other| other.read.is_some()).last();
        let other = other.and_then(|other| Read::of(self.file, other)).filter(|read| read.name() == name);
        let own = &self.parsed.marker.arguments;
        let text = self.marker_text.text;
        let swallowed = own
            .iter()
            .find_map(|(name, value)| Some((Swallowed::of(text, name, value)?, value.range.clone())));
        if let Some((Swallowed { words, title, removed }, range)) = swallowed {
            let place = self.file.place_in_marker(self.comment, range);
            let mistake = Mistake::new(MistakeKind::Refused, place, words);
            return match removed {
                Some(range) => mistake.repaired(title, self.edits([(range, String::new())]), false),
                None => mistake,
            };
        }
        let is_rest = |read: &Read<'_>| {
            read.marker.argument(argument).is_some()
                && own.iter().all(|(name, _)| read.marker.argument(name).is_none())
        };
        let Some(other) = other.filter(|read| !own.is_empty() && is_rest(read)) else {
            return self.with_usual(problem, argument);
        };
        let written = own
            .iter()
            .map(|(name, value)| format!("{name}={}", self.marker_text.slice(value.range.clone()).trim()));
        let written = written.collect::<Vec<_>>().join(",");
        let edits = combinations::merged(self.file, self.comment, &written, &other);
        let mistake = self.mistake(problem, "write all arguments in one marker");
        mistake.repaired("Merge the two markers".to_owned(), edits, false)
    }

    /// The mistake for a value without the name of its argument: `XValidation:"self.a"` and `printcolumn:name=A,.spec.a`.
    pub(super) fn unnamed_argument(&self) -> Option<Mistake> {
        let start = self.refusal.range.start;
        let before = self.marker_text.slice(0..start).trim_end();
        if !before.ends_with([':', ',']) {
            return None;
        }
        let rest = self.marker_text.slice(start..self.marker_text.end());
        let value = rest.trim_start_matches(['=', ':', ' ']);
        let at = self.marker_text.end() - value.len();
        let written = self.marker_text.slice(at..self.marker_text.intended_end(at));
        let is_path = written.trim_start_matches(['"', '`', '{']).starts_with('.');
        let is_given = |name: &str| {
            let mut equals = self.marker_text.outside_quotes(0).filter(|(_, ch)| *ch == '=');
            equals.any(|(at, _)| self.marker_text.slice(0..at).trim_end().ends_with(name))
        };
        let is_quoted = written.starts_with(['"', '`']);
        let is_missing =
            |argument: &&Argument| !is_given(argument.name) && argument.kind == ArgumentType::Text;
        let mut missing = self.marker_text.arguments.iter().filter(is_missing).map(|argument| argument.name);
        let types = ["string", "integer", "number", "boolean", "date"];
        let is_type = types.contains(&written.trim_matches(['"', '`']));
        let intended = match () {
            () if written.is_empty() || written.starts_with(',') => return None,
            () if is_path => missing.find(|name| matches!(*name, "JSONPath" | "specpath" | "fieldPath")),
            () if is_type => missing.find(|name| *name == "type"),
            () if is_quoted => missing.find(|name| matches!(*name, "rule" | "name" | "warning" | "message")),
            () => None,
        }?;
        let shown = shortened(written).replace('`', "\"");
        let mistake = self.mistake(
            format!("the value {shown} has no argument in `{}`", self.name()),
            format!("write `{intended}=` before it"),
        );
        let place = self.file.place_in_marker(self.comment, start..at + written.len());
        let edits = self.edits([(start..at, format!("{intended}="))]);
        Some(Mistake { place, ..mistake }.repaired(format!("Insert `{intended}=`"), edits, false))
    }

    /// The mistake for brackets around all arguments.
    pub(super) fn bracketed_arguments(&self) -> Option<Mistake> {
        let Range { start, .. } = self.refusal.range;
        let open = self.marker_text.slice(start..start + 1);
        let close = match open {
            "{" => "}",
            "(" => ")",
            "[" => "]",
            _ => return None,
        };
        if !self.marker_text.names_argument(start + 1) {
            return None;
        }
        let mistake = self
            .mistake(format!("`{open}` precedes the arguments of `{}`", self.name()), "remove the brackets");
        let end = self.marker_text.end();
        let mut edits = vec![(start..start + 1, String::new())];
        if self.marker_text.slice(start..end).ends_with(close) {
            edits.push((end - 1..end, String::new()));
        }
        Some(mistake.repaired("Remove the brackets around the arguments".to_owned(), self.edits(edits), true))
    }

    /// The mistake for a missing argument, with its usual value. The rule of a message cannot be guessed.
    fn with_usual(&self, problem: String, argument: &str) -> Mistake {
        if argument == "name"
            && let Some(name) = usual_name(&self.parsed.marker)
        {
            let start = self.marker_text.text.find('=').unwrap_or_default();
            let start = self.marker_text.slice(0..start).rfind(':').map_or(start, |colon| colon + 1);
            let written = format!("name={}", strings::quoted(&name));
            let edits = self.edits([(start..start, format!("{written},"))]);
            let mistake = self.mistake(problem, format!("add `{argument}=…`, such as `{written}`"));
            return mistake.repaired(format!("Add `{written}`"), edits, false);
        }
        let usual = USUAL.iter().find(|(known, _)| *known == argument).map(|(_, value)| *value);
        let Some(value) = usual.filter(|_| !self.parsed.marker.arguments.is_empty()) else {
            let mistake = self.mistake(problem, format!("add `{argument}=…`"));
            return match argument {
                "rule" => {
                    let title = format!("Remove `{}`", self.name());
                    mistake.removed(self.file, self.comment.comment, title, false)
                }
                _ => mistake,
            };
        };
        let (end, written) = (self.marker_text.end(), format!("{argument}={value}"));
        let edits = self.edits([(end..end, format!(",{written}"))]);
        let mistake = self.mistake(problem, format!("add `{argument}=…`, such as `{written}`"));
        mistake.repaired(format!("Add `{written}`"), edits, false)
    }

    /// The mistake for a word or a mark between a value in quotes and the next argument: `rule="…" and message="…"`.
    pub(super) fn word_before_argument(&self, at: usize) -> Option<Mistake> {
        let before = self.marker_text.slice(0..at).trim_end();
        if !before.ends_with(['"', '`']) {
            return None;
        }
        let rest = self.marker_text.slice(at..self.marker_text.end());
        let word = rest.trim_start_matches([';', ':', '|', '-', '.', ',', '&', '+']);
        let word = word.strip_prefix("and ").unwrap_or(word);
        let next = self.marker_text.end() - word.trim_start().len();
        if next == at || !self.marker_text.names_argument(next) {
            if rest.len() > 1 || !matches!(rest, "." | ";" | ":") {
                return None;
            }
            let edits = self.edits([(before.len()..self.marker_text.end(), String::new())]);
            let mistake = self.mistake(format!("`{rest}` follows the last argument"), "remove it");
            return Some(mistake.repaired(format!("Remove `{rest}`"), edits, true));
        }
        let written = self.marker_text.slice(at..next).trim().to_owned();
        let mistake = self.mistake(format!("`{written}` does not separate arguments"), "write `,`");
        let edits = self.edits([(before.len()..next, ",".to_owned())]);
        Some(mistake.repaired(format!("Change `{written}` to `,`"), edits, true))
    }

    /// The mistake for a `,` before another one, or before the first argument.
    pub(super) fn second_comma(&self) -> Option<Mistake> {
        let start = self.refusal.range.start;
        let rest = self.marker_text.slice(start..self.marker_text.end());
        let end = start + rest.len() - rest.trim_start_matches([',', ' ']).len();
        let edits = self.edits([(start..end, String::new())]);
        let next = self.marker_text.names_argument(end);
        let mistake = self.mistake("no argument precedes this `,`".to_owned(), "remove it");
        next.then(|| mistake.repaired("Remove the second `,`".to_owned(), edits, true))
    }
}
