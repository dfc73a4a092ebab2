//! What may be written in a marker: names, arguments, values, and expressions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use go::json::Json;
use go::marker::{ArgumentType, Known, Meaning, Shape};
use ide::{Completion, CompletionKind, Stop};
use text::{TextBuffer, TextRange, TextSize};

use super::analysis::GoFile;
use super::below;
use super::cursor::{Cursor, Part, quoted};
use super::expression::{Argument, Expression, argument_at};
use super::hover::{arguments, lines_of, names, rules_about};
use super::packages::{OpenText, OpenTexts, Packages};
use crate::generated::{Around, json_of};

/// What completion may generate anew with.
pub(in crate::server) struct Means<'a> {
    pub(in crate::server) packages: &'a Packages,
    pub(in crate::server) settings: &'a dyn Fn(&std::path::Path) -> ide::Settings,
}

impl GoFile {
    /// What may stand at a place, the best first.
    pub(in crate::server) fn completions(&self, offset: TextSize, means: &Means<'_>) -> Vec<Completion> {
        let Some(cursor) = Cursor::at(&self.text, offset) else { return Vec::new() };
        let version = self.version();
        if let Some(argument) = argument_at(&cursor, version) {
            return match Expression::of(self, &cursor, &argument) {
                Some(expression) => in_expression(&expression, offset),
                None => self.in_repaired(&cursor, &argument, offset, means),
            };
        }
        match cursor.part(version) {
            Some(Part::Name(range)) => self.of_names(&cursor, range),
            Some(Part::Argument(known, range)) => of_arguments(&cursor, known, range),
            Some(Part::Value(known, _, range)) if is_of_schema(known) => {
                let values = self.schema_at(&cursor, means).map(|schema| values_of(&schema, known));
                proposals(&cursor, &range, &values.unwrap_or_default())
            }
            Some(Part::Value(known, name, range)) => of_values(&cursor, known, name, range),
            None => Vec::new(),
        }
    }

    fn of_names(&self, cursor: &Cursor<'_>, range: Range<usize>) -> Vec<Completion> {
        let version = self.version();
        let typed = cursor.text.get(range.start..cursor.at.min(range.end)).unwrap_or("");
        let is_followed = cursor.text.get(range.end..).is_some_and(|rest| rest.starts_with(['=', ':']));
        let below = self.text.get(cursor.start..).and_then(below::of);
        let of_kubernetes = u8::from(!self.text.contains("+k8s:"));
        let mut all = Vec::new();
        for known in names(cursor.target, version) {
            let name = known.name();
            let (behind, snippet) = if is_followed { ("", String::new()) } else { behind(known) };
            let misfit = u8::from(below.is_some_and(|below| !below.admits(known)));
            let later = if name.starts_with("k8s:") { of_kubernetes } else { 0 };
            let rank = format!("{}{misfit}{later}", rank(&name, typed));
            all.push(Completion {
                label: format!("+{name}"),
                kind: CompletionKind::Keyword,
                detail: known.form(),
                documentation: format!("{}{}", known.definition.meaning.doc(), rules_about(&name)),
                text: format!("{name}{behind}"),
                snippet: (!snippet.is_empty()).then(|| format!("{name}{snippet}")),
                range: cursor.in_file(range.clone()),
                sort: format!("{rank}{name}"),
                ..nothing()
            });
        }
        all.sort_by(|one, other| one.sort.cmp(&other.sort));
        all
    }

    /// Completion in an expression that nothing is generated of yet, such as one without its closing quote: of the text in
    /// which it is closed.
    fn in_repaired(
        &self,
        cursor: &Cursor<'_>,
        argument: &Argument,
        offset: TextSize,
        means: &Means<'_>,
    ) -> Vec<Completion> {
        let value = quoted(cursor, &argument.range);
        if value.is_closed {
            return Vec::new();
        }
        let quote = if value.quote == go::marker::Quote::Raw { '`' } else { '"' };
        let end = cursor.start + cursor.text.len();
        let (Some(before), Some(behind)) = (self.text.get(..end), self.text.get(end..)) else {
            return Vec::new();
        };
        let text = format!("{before}{quote}{behind}");
        let Some(file) = self.with_text(&text, means) else { return Vec::new() };
        let Some(cursor) = Cursor::at(&file.text, offset) else { return Vec::new() };
        let Some(argument) = argument_at(&cursor, file.version()) else { return Vec::new() };
        let expression = Expression::of(&file, &cursor, &argument);
        expression.map(|expression| in_expression(&expression, offset)).unwrap_or_default()
    }

    /// The file with another text.
    fn with_text(&self, text: &str, means: &Means<'_>) -> Option<Self> {
        let open = means.packages.texts();
        let others = open.iter().filter(|(path, _)| **path != self.path);
        let mut texts: BTreeMap<_, _> = others.map(|(path, text)| (path.clone(), text.clone())).collect();
        texts.insert(self.path.clone(), OpenText { edited: 0, buffer: TextBuffer::new(text) });
        let texts: OpenTexts = Arc::new(texts);
        let stop = Stop::default();
        let around = Around { settings: means.settings, base: &|_| None, stop: &stop };
        Self::once(&self.path, means.packages, &texts, &around)
    }

    /// The schema of the field below a marker, without the marker.
    fn schema_at(&self, cursor: &Cursor<'_>, means: &Means<'_>) -> Option<Json> {
        let (before, behind) = (self.text.get(..cursor.start)?, self.text.get(cursor.start + 1..)?);
        // It keeps its length as a comment.
        let file = self.with_text(&format!("{before}-{behind}"), means)?;
        // While something else is wrong, too, the last generation knows the field.
        let files = [&file, self];
        let mut at = cursor.start;
        let below = self.text.get(at..)?.split_inclusive('\n').skip_while(|line| {
            let is_comment = line.trim_start().starts_with(['/', '+']);
            at += if is_comment { line.len() } else { 0 };
            is_comment
        });
        let line = below.take(1).next()?;
        let at = TextSize::try_from(at + line.len() - line.trim_start().len()).ok()?;
        files.into_iter().find_map(|file| {
            file.generated.iter().find_map(|generated| {
                let (node, _) = file.node_at(generated, at)?;
                json_of(&lines_of(&node).join("\n"))
            })
        })
    }
}

/// Whether the values of a marker are those of the schema.
const fn is_of_schema(known: Known) -> bool {
    matches!(known.definition.meaning, Meaning::Default | Meaning::JsonDefault | Meaning::Example)
}

/// The values that a schema lists, as a marker has them.
fn values_of(schema: &Json, known: Known) -> Vec<String> {
    // The text of a node begins with the name of the field.
    let Json::Map(schema) = schema else { return Vec::new() };
    let Some(Json::Map(schema)) = schema.values().next() else { return Vec::new() };
    let listed = match (schema.get("enum"), schema.get("type")) {
        (Some(Json::List(values)), _) => values.clone(),
        (_, Some(Json::Text(ty))) if ty == "boolean" => vec![Json::Bool(true), Json::Bool(false)],
        _ => Vec::new(),
    };
    listed.iter().map(|value| written(value, known)).collect()
}

/// A value as a marker has it: texts need no quotes where they are one word.
fn written(value: &Json, known: Known) -> String {
    let is_word = |text: &str| {
        let other = matches!(text, "true" | "false" | "null");
        text.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && text.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_'))
            && !other
    };
    match value {
        Json::Text(text) if !matches!(known.definition.shape, Shape::Json) && is_word(text) => text.clone(),
        value => value.encoded(),
    }
}

fn in_expression(expression: &Expression<'_>, offset: TextSize) -> Vec<Completion> {
    let Some((file, at, place)) = expression.as_block(offset) else { return Vec::new() };
    let found = file.completions(at).into_iter();
    let in_go = found.filter_map(|one| {
        let range = expression.of_block(&place, one.range)?;
        let snippet = one.snippet.as_deref().and_then(|snippet| expression.encode(snippet));
        Some(Completion { range, text: expression.encode(&one.text)?, snippet, ..one })
    });
    in_go.collect()
}

/// What follows the name of a marker: as text, and with places to fill in.
fn behind(known: Known) -> (&'static str, String) {
    match known.definition.shape {
        Shape::Empty | Shape::OptionalValue(_) => ("", String::new()),
        Shape::Value(_) | Shape::Float(_) | Shape::Integer(_) | Shape::Json => ("=", String::new()),
        Shape::Arguments(arguments) => {
            let needed = arguments.iter().filter(|argument| !argument.optional).enumerate();
            let filled = needed.map(|(at, argument)| {
                let stop = at + 1;
                match argument.kind {
                    ArgumentType::Text => format!("{}=\"${{{stop}}}\"", argument.name),
                    _ => format!("{}=${{{stop}}}", argument.name),
                }
            });
            let filled: Vec<String> = filled.collect();
            if filled.is_empty() { (":", String::new()) } else { (":", format!(":{}", filled.join(","))) }
        }
    }
}

/// Names that go on as typed come first, then those whose last part does, then others; those on items last.
fn rank(name: &str, typed: &str) -> u8 {
    let typed = typed.to_lowercase();
    let last = name.rsplit(':').next().unwrap_or("").to_lowercase();
    match () {
        () if name.contains(":items:") && !typed.contains("items") => 3,
        () if name.to_lowercase().starts_with(&typed) => 0,
        () if last.starts_with(&typed) => 1,
        () => 2,
    }
}

fn of_arguments(cursor: &Cursor<'_>, known: Known, range: Range<usize>) -> Vec<Completion> {
    let written = |name: &str| cursor.text.contains(&format!("{name}="));
    let is_followed = cursor.text.get(range.end..).is_some_and(|rest| rest.starts_with('='));
    let left = arguments(known).iter().filter(|argument| is_followed || !written(argument.name));
    let one = |(at, argument): (usize, &go::marker::Argument)| {
        let is_text = argument.kind == ArgumentType::Text;
        let (text, snippet) = match () {
            () if is_followed => (argument.name.to_owned(), None),
            () if is_text => (format!("{}=", argument.name), Some(format!("{}=\"${{1}}\"", argument.name))),
            () => (format!("{}=", argument.name), None),
        };
        Completion {
            label: argument.name.to_owned(),
            kind: CompletionKind::Field,
            detail: argument.kind.shown().to_owned(),
            documentation: if argument.optional { "optional".to_owned() } else { "required".to_owned() },
            text,
            snippet,
            range: cursor.in_file(range.clone()),
            sort: format!("{at:02}"),
            ..nothing()
        }
    };
    left.enumerate().map(one).collect()
}

fn of_values(cursor: &Cursor<'_>, known: Known, name: &'static str, range: Range<usize>) -> Vec<Completion> {
    let kind = match known.definition.shape {
        Shape::Value(kind) | Shape::OptionalValue(kind) => Some(kind),
        Shape::Arguments(arguments) => {
            arguments.iter().find(|argument| argument.name == name).map(|argument| argument.kind)
        }
        _ => None,
    };
    let booleans: &[(&str, &str)] = &[("true", ""), ("false", "")];
    let all = match known.definition.meaning.values(name) {
        [] if kind == Some(ArgumentType::Bool) => booleans,
        all => all,
    };
    let value = quoted(cursor, &range);
    let quotes = usize::from(value.quote != go::marker::Quote::Bare);
    let inner = range.start + quotes..range.start + value.range(0..value.text.len()).end.max(quotes);
    let all = all.iter().map(|(value, doc)| ((*value).to_owned(), *doc));
    values(cursor.in_file(inner), all)
}

/// Values in place of what is written, with its quotes.
fn proposals(cursor: &Cursor<'_>, range: &Range<usize>, all: &[String]) -> Vec<Completion> {
    values(cursor.in_file(range.clone()), all.iter().map(|value| (value.clone(), "")))
}

/// Values with what is to be said of each.
fn values<'d>(range: TextRange, all: impl Iterator<Item = (String, &'d str)>) -> Vec<Completion> {
    let one = |(at, (value, doc)): (usize, (String, &str))| Completion {
        label: value.clone(),
        kind: CompletionKind::Value,
        detail: doc.to_owned(),
        text: value,
        range,
        sort: format!("{at:02}"),
        ..nothing()
    };
    all.enumerate().map(one).collect()
}

/// A proposal without what markers do not need.
fn nothing() -> Completion {
    Completion {
        label: String::new(),
        kind: CompletionKind::Value,
        detail: String::new(),
        belongs_to: String::new(),
        documentation: String::new(),
        range: TextRange::default(),
        text: String::new(),
        snippet: None,
        sort: String::new(),
        filter: None,
        goes_on: false,
        is_draft: false,
        indent: None,
    }
}

#[cfg(test)]
mod tests {
    use go::marker::Target;
    use go::version::Version;

    use super::*;

    #[test]
    fn every_marker_says_what_it_does() {
        for target in [Target::Package, Target::Type, Target::Field] {
            for known in names(target, Version::NEWEST) {
                assert!(known.definition.meaning.doc().ends_with('.'), "{}", known.name());
            }
        }
    }

    #[test]
    fn names_that_go_on_as_typed_come_first() {
        assert_eq!(rank("kubebuilder:validation:MaxLength", "kubebuilder:validation:Max"), 0);
        assert_eq!(rank("kubebuilder:validation:MaxLength", "maxl"), 1);
        assert_eq!(rank("optional", "maxl"), 2);
    }
}
