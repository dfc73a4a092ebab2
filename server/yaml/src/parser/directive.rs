//! `%` lines before a document, and misplaced ones.

use super::property::uri_problem;
use super::{OpenNode, Parser};
use crate::syntax::{Element, SyntaxErrorKind, SyntaxKind};

impl Parser<'_> {
    /// Comments, blank lines and directives before the `---` at `marker`.
    pub(super) fn header(&mut self, open: &OpenNode, marker: usize) {
        let mut line = self.bom;
        let mut trivia = 0;
        let mut handles: Vec<&str> = Vec::new();
        let src = self.src;
        while line < marker {
            let line_end = self.line_end(line).min(marker);
            if self.byte(line) == Some(b'%') {
                self.trivia(open, trivia, line);
                let directive = Directive::read(src.get(line..line_end).unwrap_or_default());
                let kind = if directive.name.is_some_and(|name| handles.contains(&name)) {
                    Some(SyntaxErrorKind::RepeatedDirective)
                } else {
                    directive.error
                };
                handles.extend(directive.name);
                if let Some(kind) = kind {
                    let end = self.trim_end(line, line_end);
                    self.error(open, kind, line, end);
                } else if let Some((kind, at)) = directive.prefix_problem {
                    self.error(open, kind, line + at, line + at + 1);
                }
                self.token(open, SyntaxKind::Directive, line, line_end);
                trivia = line_end;
            }
            line = self.after_break(line_end).max(line + 1);
        }
        self.trivia(open, trivia, marker);
    }

    /// The error of a line whose first character cannot start a token. A directive ends the document for
    /// go-yaml, which stops reading there.
    pub(super) fn unexpected(&mut self, pos: usize) -> SyntaxErrorKind {
        if self.byte(pos) == Some(b'%') && self.column(pos) == 0 {
            let line_end = self.line_end(pos);
            let directive = Directive::read(self.src.get(pos..line_end).unwrap_or_default());
            let content =
                |element: &Element| !element.kind.is_trivia() && element.kind != SyntaxKind::DocumentStart;
            let known = matches!(directive.error, None | Some(SyntaxErrorKind::DirectiveVersion));
            return match directive.error {
                _ if !self.elements.iter().any(content) => SyntaxErrorKind::LoneDirective,
                _ if known => SyntaxErrorKind::Dropped,
                error => error.unwrap_or(SyntaxErrorKind::UnexpectedCharacter),
            };
        }
        if matches!(self.byte(pos), Some(b',' | b']' | b'}')) {
            return SyntaxErrorKind::UnexpectedIndicator;
        }
        SyntaxErrorKind::UnexpectedCharacter
    }
}

/// A `%` line.
struct Directive<'s> {
    /// The part that may occur only once: `%YAML` or a tag handle.
    name: Option<&'s str>,
    error: Option<SyntaxErrorKind>,
    /// The error in the prefix of a `%TAG`, and its byte offset in the line.
    prefix_problem: Option<(SyntaxErrorKind, usize)>,
}

impl<'s> Directive<'s> {
    fn read(line: &'s str) -> Self {
        let start = line.as_ptr() as usize;
        let mut prefix_problem = None;
        let (line, comment) = match line.find('#') {
            // A `#` within a tag prefix is part of it.
            Some(at) if line.get(..at).is_some_and(|before| before.ends_with([' ', '\t'])) => {
                (line.get(..at).unwrap_or_default(), None)
            }
            Some(at) if line.starts_with("%YAML") => {
                (line.get(..at).unwrap_or_default(), Some(SyntaxErrorKind::CommentSpace))
            }
            _ => (line, None),
        };
        let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        let (name, error) = match words.next() {
            Some("%YAML") => {
                (Some("%YAML"), words.next().map_or(Some(SyntaxErrorKind::DirectiveSyntax), version))
            }
            Some("%TAG") => {
                let handle = words.next().filter(|handle| is_handle(handle));
                let prefix = words.next();
                prefix_problem = prefix.and_then(|prefix| {
                    let (kind, at) = uri_problem(prefix.as_bytes())?;
                    Some((kind, prefix.as_ptr() as usize - start + at))
                });
                let wrong = handle.is_none() || prefix.is_none();
                (handle, wrong.then_some(SyntaxErrorKind::DirectiveSyntax))
            }
            Some(name) if name.len() > 1 && name.bytes().skip(1).all(is_word) => {
                let error = Some(SyntaxErrorKind::UnknownDirective);
                return Self { name: None, error, prefix_problem };
            }
            _ => (None, Some(SyntaxErrorKind::DirectiveSyntax)),
        };
        let extra = words.next().map(|_| SyntaxErrorKind::DirectiveSyntax);
        Self { name, error: extra.or(error).or(comment), prefix_problem }
    }
}

/// The error in the version of a `%YAML` directive. Both numbers have one or two digits.
fn version(text: &str) -> Option<SyntaxErrorKind> {
    let number = |text: &str| {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u8>().ok()).flatten()
    };
    match text.split_once('.').map(|(major, minor)| (number(major), number(minor))) {
        Some((Some(1), Some(1))) => None,
        Some((Some(_), Some(_))) => Some(SyntaxErrorKind::DirectiveVersion),
        _ => Some(SyntaxErrorKind::DirectiveSyntax),
    }
}

fn is_handle(handle: &str) -> bool {
    let inner = handle.strip_prefix('!').unwrap_or("?");
    let inner = inner.strip_suffix('!').unwrap_or(inner);
    inner.bytes().all(is_word) && (handle == "!" || handle.len() > 1 && handle.ends_with('!'))
}

/// Whether `byte` is allowed in the name of a directive, handle or anchor.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}
