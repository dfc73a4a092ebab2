//! Hovers over markers, fields and types.

use go::marker::{ResolvedMarker, Shape, Target, all};
use go::version::Version;
use ide::{Hover, RULES};
use text::{TextRange, TextSize};

use super::analysis::GoFile;
use super::cursor::{Cursor, MarkerPart};
use super::expression::{Expression, argument_at, nodes_of};
use crate::generated_definitions::{GeneratedDefinitions, Node};

/// The maximum number of rules on a marker that are named.
const MOST_RULES: usize = 6;

/// The maximum number of lines of a generated node that are shown.
const MOST_LINES: usize = 24;

impl GoFile {
    /// The release of controller-gen for which the file is read.
    pub(super) fn version(&self) -> Version {
        self.generated.first().map_or(Version::NEWEST, |generated| generated.outcome.version())
    }

    /// The hover at a place.
    pub(in crate::server) fn hover(&self, offset: TextSize) -> Option<Hover> {
        match Cursor::at(&self.text, offset) {
            Some(cursor) => {
                self.hover_in_expression(&cursor, offset).or_else(|| self.hover_of_marker(&cursor))
            }
            None => self.hover_of_declaration(offset),
        }
    }

    fn hover_in_expression(&self, cursor: &Cursor<'_>, offset: TextSize) -> Option<Hover> {
        let argument = argument_at(cursor, self.version())?;
        let expression = Expression::of(self, cursor, &argument)?;
        let hover = expression.definitions.file.hover(expression.to_made(offset)?)?;
        Some(Hover { range: expression.to_go(hover.range)?, markdown: hover.markdown })
    }

    fn hover_of_marker(&self, cursor: &Cursor<'_>) -> Option<Hover> {
        let version = self.version();
        let known = cursor.resolve_marker(version)?;
        let (range, head) = match cursor.part(version) {
            Some(MarkerPart::Argument(known, range)) => {
                let name = cursor.text.get(range.clone())?.trim();
                let argument = arguments(known).iter().find(|argument| argument.name == name)?;
                let optional = if argument.optional { ", optional" } else { "" };
                (range, format!("`{name}`: {}{optional}\n\n", argument.kind.type_name()))
            }
            Some(MarkerPart::Value(known, name, range)) => {
                let written = cursor.text.get(range.clone())?.trim_matches('"');
                let values = known.definition.meaning.values(name).iter();
                let value = values.filter(|(value, doc)| *value == written && !doc.is_empty());
                (range, value.map(|(value, doc)| format!("`{value}`: {doc}\n\n")).collect())
            }
            _ => (0..1 + known.name().len(), String::new()),
        };
        let mut markdown = format!("{head}```\n{}\n```\n\n{}", known.form(), known.definition.meaning.doc());
        if known.items {
            markdown.push_str("\n\nIt applies to the items of the list.");
        }
        markdown.push_str(&rules_on_marker(&known.name()));
        let node = self.all().find_map(|generated| nodes_of(self, generated, cursor).into_iter().next());
        if let Some(node) = node {
            markdown.push_str(&generated_text(&node));
        }
        Some(Hover { range: cursor.in_file(range), markdown })
    }

    /// The hover over the declaration of a field or type: its schema.
    fn hover_of_declaration(&self, offset: TextSize) -> Option<Hover> {
        self.all().find_map(|generated| {
            let (node, range) = self.node_at(generated, offset)?;
            Some(Hover { range, markdown: generated_text(&node).trim_start().to_owned() })
        })
    }

    /// The node that is generated from the field or type that is declared at a place, and the range of its name.
    pub(super) fn node_at<'g>(
        &self,
        generated: &'g GeneratedDefinitions,
        offset: TextSize,
    ) -> Option<(Node<'g>, TextRange)> {
        let sources = generated.outcome.sources();
        let shift = self.shift(sources);
        let at = shift.to_earlier(offset);
        let source = sources.iter().find(|source| source.path == self.path)?;
        let declared = source.declared_at(at)?;
        let is_it = |cause: &go::schema::Cause| {
            let is_within = declared.span.contains(cause.place.span);
            let keyword = if declared.is_field { "properties" } else { "" };
            is_within && cause.keyword == keyword && generated.range_in(&self.path, cause.place).is_some()
        };
        let node = generated.nodes(&is_it).into_iter().next()?;
        let range = shift.range(TextRange::new(declared.name.start, declared.name.end))?;
        Some((node, range))
    }
}

/// Groups of rules on markers in general, on changes, or on style.
const OTHER_GROUPS: [&str; 4] = ["go", "compat", "yaml", "convention"];

/// The rules whose pages show the marker of a name, as links to the pages.
pub(super) fn rules_on_marker(name: &str) -> String {
    let marker = format!("+{name}");
    let names_it = |text: &str| {
        let is_end = |rest: &str| !rest.starts_with(|ch: char| ch.is_ascii_alphanumeric());
        text.match_indices(&marker).any(|(at, _)| text.get(at + marker.len()..).is_some_and(is_end))
    };
    let about = RULES.iter().filter(|rule| !OTHER_GROUPS.contains(&rule.group()) && names_it(rule.marker));
    let links = about.take(MOST_RULES).map(|rule| match rule.url() {
        Some(url) => format!("[`{}`]({url})", rule.code),
        None => format!("`{}`", rule.code),
    });
    let links: Vec<String> = links.collect();
    if links.is_empty() { String::new() } else { format!("\n\nRules: {}", links.join(", ")) }
}

/// The arguments of a marker.
pub(super) fn arguments(known: ResolvedMarker) -> &'static [go::marker::Argument] {
    match known.definition.shape {
        Shape::Arguments(arguments) => arguments,
        _ => &[],
    }
}

/// All names of markers on a target.
pub(super) fn names(target: Target, version: Version) -> Vec<ResolvedMarker> {
    all(version).filter(|(_, on)| *on == target).map(|(known, _)| known).collect()
}

/// A node as it is generated, for a hover.
fn generated_text(node: &Node<'_>) -> String {
    let path: Vec<String> = schema_path(&node.place.steps);
    let mut shown = lines_of(node);
    let is_cut = shown.len() > MOST_LINES;
    shown.truncate(MOST_LINES);
    let more = if is_cut { "\n…" } else { "" };
    let place = match path.as_slice() {
        [] => "as the root schema".to_owned(),
        path => format!("at `{}`", path.join(".")),
    };
    format!("\n\n---\n\nGenerated {place}:\n```yaml\n{}{more}\n```", shown.join("\n"))
}

/// The lines of a node with its key, without the indentation of its surroundings.
pub(super) fn lines_of(node: &Node<'_>) -> Vec<String> {
    let range =
        TextRange::new(node.place.key.map_or(node.place.value.start, |key| key.start), node.place.value.end);
    let buffer = &node.file.buffer;
    let indent = buffer.position(range.start, text::PositionEncoding::Utf8).character as usize;
    let lines = buffer.slice(range).into_owned();
    let dedented = lines.lines().enumerate().map(|(number, line)| {
        let cut = if number == 0 { 0 } else { line.len().min(indent) };
        line.get(cut..).unwrap_or(line).to_owned()
    });
    dedented.collect()
}

/// The path as authors think of it: in a schema only the fields; empty at its root.
fn schema_path(steps: &[String]) -> Vec<String> {
    let Some(at) = steps.iter().position(|step| step == "openAPIV3Schema") else { return steps.to_vec() };
    let mut path = Vec::new();
    let mut rest = steps.iter().skip(at + 1);
    while let Some(step) = rest.next() {
        match step.as_str() {
            "properties" => path.extend(rest.next().cloned()),
            "items" => path.push("[]".to_owned()),
            "additionalProperties" => path.push("*".to_owned()),
            other => path.push(other.to_owned()),
        }
    }
    path
}
