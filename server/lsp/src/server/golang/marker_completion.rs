//! Completion in a marker from which nothing is generated yet: it uses a text in which the marker is complete.

use std::collections::BTreeMap;
use std::sync::Arc;

use go::json::Json;
use go::marker::{Meaning, Quote, QuotedValue};
use ide::{Completion, CompletionKind, StopSignal};
use text::{TextBuffer, TextRange, TextSize};

use super::analysis::GoFile;
use super::complete::{CompletionInput, keys, nothing};
use super::cursor::{Cursor, quoted};
use super::expression::{Argument, Expression, argument_at};
use super::hover::lines_of;
use super::packages::{OpenText, OpenTexts};
use crate::generated_definitions::{AnalysisInputs, json_of};

/// The placeholder for an empty expression.
const PLACEHOLDER: &str = "_";

impl GoFile {
    /// The completions in an expression or in the name of a field.
    pub(super) fn in_argument(
        &self,
        cursor: &Cursor<'_>,
        argument: &Argument,
        offset: TextSize,
        input: &CompletionInput<'_>,
    ) -> Vec<Completion> {
        let value = quoted(cursor, &argument.range);
        if argument.marker.definition.meaning == Meaning::ListMapKey {
            let schema = self.schema_at(cursor, input);
            return schema.map(|schema| keys(cursor, &argument.range, &schema)).unwrap_or_default();
        }
        if !argument.is_expression {
            return self.fields(cursor, argument, &value, input).unwrap_or_default();
        }
        if cursor.is_above_nothing {
            return variables(cursor, argument);
        }
        if value.text.is_empty() {
            return self.at_start(cursor, argument, &value, input).unwrap_or_default();
        }
        match Expression::of(self, cursor, argument) {
            Some(expression) => in_expression(&expression, offset),
            None if value.is_closed => Vec::new(),
            None => self.in_unclosed(cursor, &value, offset, input).unwrap_or_default(),
        }
    }

    /// The completions in an expression without a closing quote.
    fn in_unclosed(
        &self,
        cursor: &Cursor<'_>,
        value: &QuotedValue,
        offset: TextSize,
        input: &CompletionInput<'_>,
    ) -> Option<Vec<Completion>> {
        let end = cursor.start + cursor.text.len();
        let (before, after) = (self.text.get(..end)?, self.text.get(end..)?);
        let quote = quote_of(value);
        let text = format!("{before}{quote}{after}");
        self.completions_in(&text, offset, input, |expression| in_expression(expression, offset))
    }

    /// The completions at the start of an empty expression.
    fn at_start(
        &self,
        cursor: &Cursor<'_>,
        argument: &Argument,
        value: &QuotedValue,
        input: &CompletionInput<'_>,
    ) -> Option<Vec<Completion>> {
        let (before, after) =
            (cursor.text.get(..argument.range.start)?, cursor.text.get(argument.range.end..)?);
        let quote = quote_of(value);
        let marker = format!("{before}{quote}{PLACEHOLDER}{quote}{after}");
        let offset = TextSize::try_from(cursor.start + argument.range.start + 1).ok()?;
        let text = self.with_marker(cursor, &marker)?;
        let found =
            self.completions_in(&text, offset, input, |expression| in_expression(expression, offset))?;
        let is_bare = value.quote == Quote::Bare;
        let start = offset.saturating_sub(u32::from(is_bare));
        let written = |text: String| if is_bare { format!("{quote}{text}{quote}") } else { text };
        let found = found.into_iter().map(|one| Completion {
            range: TextRange::new(start, start),
            filter: is_bare.then(|| one.filter.unwrap_or(one.label.clone())),
            text: written(one.text),
            snippet: one.snippet.map(written),
            ..one
        });
        Some(found.collect())
    }

    /// The fields that a path may lead to.
    fn fields(
        &self,
        cursor: &Cursor<'_>,
        argument: &Argument,
        value: &QuotedValue,
        input: &CompletionInput<'_>,
    ) -> Option<Vec<Completion>> {
        let name = argument.marker.name();
        let typed = format!("\"{}\"", value.text.replace(['"', '\\'], ""));
        let (head, after) = match (argument.marker.definition.meaning, argument.name) {
            (Meaning::PrintColumn, _) => {
                (format!("+{name}:name=\"{PLACEHOLDER}\",type=string,JSONPath="), "")
            }
            (Meaning::Validation, _) => (format!("+{name}:rule=\"true\",fieldPath="), ""),
            (Meaning::Scale, "specpath") => (format!("+{name}:specpath="), ",statuspath=.status"),
            (Meaning::Scale, other) => (format!("+{name}:specpath=.spec,{other}="), ""),
            _ => (format!("+{name}:{}=", argument.name), ""),
        };
        let offset = TextSize::try_from(cursor.start + head.len() + typed.len() - 1).ok()?;
        let text = self.with_marker(cursor, &format!("{head}{typed}{after}"))?;
        let found = self.completions_in(&text, offset, input, |expression| {
            let at = expression.to_made(offset);
            at.map(|at| expression.definitions.file.completions(at)).unwrap_or_default()
        })?;
        let range = cursor.within_quotes(&argument.range, value);
        let proposed = found.into_iter().filter_map(|one| {
            let text = value.encode(&one.label).or_else(|| {
                // Without quotes, some paths are not a single value.
                (value.quote == Quote::Bare && !one.label.contains('`')).then(|| format!("`{}`", one.label))
            })?;
            Some(Completion {
                label: one.label,
                kind: CompletionKind::Field,
                detail: one.detail,
                documentation: one.documentation,
                range,
                text,
                sort: one.sort,
                ..nothing()
            })
        });
        Some(proposed.collect())
    }

    /// The answer for the expression or path at `offset` in another text.
    fn completions_in(
        &self,
        text: &str,
        offset: TextSize,
        input: &CompletionInput<'_>,
        answer: impl FnOnce(&Expression<'_>) -> Vec<Completion>,
    ) -> Option<Vec<Completion>> {
        let file = self.with_text(text, input)?;
        let cursor = Cursor::at(&file.text, offset)?;
        let argument = argument_at(&cursor, file.version())?;
        Some(answer(&Expression::of(&file, &cursor, &argument)?))
    }

    /// The text with `marker` instead of the one at the cursor.
    fn with_marker(&self, cursor: &Cursor<'_>, marker: &str) -> Option<String> {
        let (before, after) =
            (self.text.get(..cursor.start)?, self.text.get(cursor.start + cursor.text.len()..)?);
        Some(format!("{before}{marker}{after}"))
    }

    /// The analysis of the file with another text.
    fn with_text(&self, text: &str, input: &CompletionInput<'_>) -> Option<Self> {
        let open = input.packages.texts();
        let others = open.iter().filter(|(path, _)| **path != self.path);
        let mut texts: BTreeMap<_, _> = others.map(|(path, text)| (path.clone(), text.clone())).collect();
        texts
            .insert(self.path.clone(), OpenText { edited: 0, typed_at: None, buffer: TextBuffer::new(text) });
        let texts: OpenTexts = Arc::new(texts);
        let stop = StopSignal::default();
        let around = AnalysisInputs { settings: input.settings, base: &|_| None, stop: &stop };
        Self::once(&self.path, input.packages, &texts, &around)
    }

    /// The schema of the field or type below a marker, without the marker.
    pub(super) fn schema_at(&self, cursor: &Cursor<'_>, input: &CompletionInput<'_>) -> Option<Json> {
        let (before, after) = (self.text.get(..cursor.start)?, self.text.get(cursor.start + 1..)?);
        // As a comment, the marker keeps its length.
        let file = self.with_text(&format!("{before}-{after}"), input)?;
        // If the text has other errors as well, the last generation knows the field.
        let files = [&file, self];
        let mut at = cursor.start;
        let below = self.text.get(at..)?.split_inclusive('\n').skip_while(|line| {
            let is_comment = line.trim_start().starts_with(['/', '+']);
            at += if is_comment { line.len() } else { 0 };
            is_comment
        });
        let line = below.take(1).next()?;
        let declared = line.trim_start();
        let declared = declared.strip_prefix("type ").map_or(declared, str::trim_start);
        let at = TextSize::try_from(at + line.len() - declared.len()).ok()?;
        files.into_iter().find_map(|file| {
            file.all().find_map(|generated| {
                let (node, _) = file.node_at(generated, at)?;
                json_of(&lines_of(&node).join("\n"))
            })
        })
    }
}

/// The variables that every rule has, to replace the name at the cursor, if the declaration below the marker is not written
/// yet.
fn variables(cursor: &Cursor<'_>, argument: &Argument) -> Vec<Completion> {
    let before = cursor.text.get(argument.range.start..cursor.offset).unwrap_or("");
    let is_part = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '.');
    let typed = before.len() - before.trim_end_matches(is_part).len();
    let range = cursor.in_file(cursor.offset - typed..cursor.offset);
    let is_inside = before.starts_with(['"', '`']);
    let names: &[(&str, &str)] = match is_inside {
        true => &[("self", "the value"), ("oldSelf", "the value before the update")],
        false => &[],
    };
    let proposed = names.iter().enumerate().map(|(at, (name, detail))| Completion {
        label: (*name).to_owned(),
        kind: CompletionKind::Variable,
        detail: (*detail).to_owned(),
        text: (*name).to_owned(),
        range,
        sort: at.to_string(),
        ..nothing()
    });
    proposed.collect()
}

/// The quote that a value has or needs.
const fn quote_of(value: &QuotedValue) -> char {
    match value.quote {
        Quote::Raw => '`',
        Quote::Double | Quote::Bare => '"',
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
