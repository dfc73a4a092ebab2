//! What may be written in a marker: names, arguments, values, and expressions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use go::marker::{ArgumentType, Known, Shape};
use ide::{Completion, CompletionKind, Stop};
use text::{TextBuffer, TextRange, TextSize};

use super::analysis::GoFile;
use super::cursor::{Cursor, Part, quoted};
use super::expression::{Argument, Expression, argument_at};
use super::hover::{arguments, names};
use super::packages::{OpenText, OpenTexts, Packages};
use crate::generated::Around;

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
            Some(Part::Value(known, name, range)) => of_values(&cursor, known, name, range),
            None => Vec::new(),
        }
    }

    fn of_names(&self, cursor: &Cursor<'_>, range: Range<usize>) -> Vec<Completion> {
        let version = self.version();
        let typed = cursor.text.get(range.start..cursor.at.min(range.end)).unwrap_or("");
        let is_followed = cursor.text.get(range.end..).is_some_and(|rest| rest.starts_with(['=', ':']));
        let mut all = Vec::new();
        for known in names(cursor.target, version) {
            let name = known.name();
            let (behind, snippet) = if is_followed { ("", String::new()) } else { behind(known) };
            let rank = rank(&name, typed);
            all.push(Completion {
                label: format!("+{name}"),
                kind: CompletionKind::Keyword,
                detail: known.form(),
                documentation: known.definition.meaning.doc().to_owned(),
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
        let open = means.packages.texts();
        let others = open.iter().filter(|(path, _)| **path != self.path);
        let mut texts: BTreeMap<_, _> = others.map(|(path, text)| (path.clone(), text.clone())).collect();
        texts.insert(self.path.clone(), OpenText { edited: 0, buffer: TextBuffer::new(&text) });
        let texts: OpenTexts = Arc::new(texts);
        let stop = Stop::default();
        let around = Around { settings: means.settings, base: &|_| None, stop: &stop };
        let Some(file) = Self::once(&self.path, means.packages, &texts, &around) else { return Vec::new() };
        let Some(cursor) = Cursor::at(&file.text, offset) else { return Vec::new() };
        let Some(argument) = argument_at(&cursor, file.version()) else { return Vec::new() };
        let expression = Expression::of(&file, &cursor, &argument);
        expression.map(|expression| in_expression(&expression, offset)).unwrap_or_default()
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
    let value = quoted(cursor, &range);
    let quotes = usize::from(value.quote != go::marker::Quote::Bare);
    let inner = range.start + quotes..range.start + value.range(0..value.text.len()).end.max(quotes);
    let booleans: &[(&str, &str)] = &[("true", ""), ("false", "")];
    let all = match known.definition.meaning.values(name) {
        [] if kind == Some(ArgumentType::Bool) => booleans,
        all => all,
    };
    let one = |(at, (value, doc)): (usize, &(&str, &str))| Completion {
        label: (*value).to_owned(),
        kind: CompletionKind::Value,
        detail: (*doc).to_owned(),
        documentation: String::new(),
        text: (*value).to_owned(),
        snippet: None,
        range: cursor.in_file(inner.clone()),
        sort: format!("{at:02}"),
        ..nothing()
    };
    all.iter().enumerate().map(one).collect()
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
