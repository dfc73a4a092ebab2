//! Lines that belong to another language, and that were copied together with a text: fences of Markdown, marks of
//! merge conflicts, and commands of a shell.

use api::Code;
use crd::Message;
use text::{TextRange, TextSize};
use yaml::Document;

use crate::analysis::text_at::text_of;
use crate::{Finding, Severity};

/// The maximum number of findings of one document that are examined.
const MOST: usize = 20;
/// The maximum number of bytes of the lines that are read.
const LINES: TextSize = 1_000;

/// The language of a line that is not YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignLine {
    /// The start or the end of a block of code in Markdown.
    Fence,
    /// A mark of a merge conflict.
    Conflict,
    /// A command behind the prompt of a shell.
    Command,
}

impl ForeignLine {
    /// The language of `line`; `None` if it may be YAML.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let line = line.trim_end();
        let is_fence = ["```", "~~~"].iter().any(|fence| {
            let language = line.trim_start().strip_prefix(fence);
            language.is_some_and(|language| language.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        });
        let is_mark = ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| {
            let name = line.strip_prefix(mark);
            name.is_some_and(|name| name.is_empty() || name.starts_with(' '))
        });
        let command = line.strip_prefix("$ ");
        let is_command =
            command.is_some_and(|command| command.starts_with(|first: char| first.is_ascii_lowercase()));
        match () {
            () if is_fence => Some(Self::Fence),
            () if is_mark => Some(Self::Conflict),
            () if is_command => Some(Self::Command),
            () => None,
        }
    }

    fn message(self) -> Message {
        let problem = match self {
            Self::Fence => "this line is Markdown, not YAML",
            Self::Conflict => "this line is a merge conflict marker, not YAML",
            Self::Command => "this line is a command, not YAML",
        };
        Message::new(problem).advise("remove the line")
    }
}

/// Explains syntax errors that such a line causes, on it or on the line below it.
pub(crate) fn explain(document: Document<'_>, findings: &mut [Finding]) {
    let errors = findings.iter_mut().filter(|finding| finding.code == Code::YamlSyntax);
    for finding in errors.take(MOST) {
        let Some((range, line)) = line_of(document, finding.range.start) else { continue };
        finding.message = Message { note: std::mem::take(&mut finding.message.note), ..line.message() };
        finding.range = range;
    }
}

/// The finding on `document` if it consists of one such line, as before the `---` of copied YAML.
pub(crate) fn whole_document(document: Document<'_>) -> Option<Finding> {
    let root = document.root()?.range();
    let is_short = document.range().len() <= LINES;
    let text = is_short.then(|| document.syntax().text())?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && line.trim() != "---");
    let (line, None) = (lines.next()?, lines.next()) else { return None };
    Some(Finding::of_text(
        Code::YamlSyntax,
        Severity::Error,
        TextRange::new(root.start, root.start + line.trim().len() as TextSize),
        ForeignLine::of(line)?.message(),
    ))
}

/// The line of another language at `at` or above it.
fn line_of(document: Document<'_>, at: TextSize) -> Option<(TextRange, ForeignLine)> {
    let whole = document.range();
    let start = at.saturating_sub(LINES).max(whole.start);
    let text = text_of(document.syntax(), TextRange::new(start, whole.end.min(at + LINES)));
    let own = text.get(..(at - start) as usize)?.rfind('\n').map_or(0, |end| end + 1);
    let above = text.get(..own)?.trim_end();
    let above = (!above.is_empty()).then(|| above.rfind('\n').map_or(0, |end| end + 1));
    [Some(own), above].into_iter().flatten().find_map(|from| {
        let line = text.get(from..)?.lines().next()?;
        let foreign = ForeignLine::of(line)?;
        let indent = line.len() - line.trim_start().len();
        let range =
            TextRange::new(from as TextSize + indent as TextSize, (from + line.trim_end().len()) as TextSize);
        Some((range.shifted(start), foreign))
    })
}
