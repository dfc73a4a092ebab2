//! Mistakes in markers and tags.

use crate::load::{FileId, Place};
use crate::marker::Target;
pub(super) use crate::syntax::bare;
use crate::syntax::{Expr, ExprKind, File, MarkerComment, Span, TypeDeclaration};
use crate::version::Version;

/// The name of the marker that sets the group.
pub(super) const GROUP: &str = "groupName";

/// The kind of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MistakeKind {
    /// controller-gen rejects the text after the name. If controller-gen reads the marker, [`Outcome::problems`] has this as
    /// well.
    ///
    /// [`Outcome::problems`]: crate::generate::Outcome::problems
    Refused,
    /// controller-gen knows no marker with this name.
    Unknown,
    /// The marker is for another target: for types, but on a field, for example.
    Target,
    /// The name is correct, but the text around it makes it an unknown name, or no marker at all.
    Form,
    /// The marker is at a place where nothing reads it.
    Position,
    /// The value has another meaning than it seems to have.
    Value,
    /// Another marker cancels the effect of this one or repeats it.
    Overridden,
    /// The marker has no effect on its target.
    Unused,
    /// No value can satisfy the bounds.
    Bounds,
    /// The tag of a field has another meaning than it seems to have.
    Tag,
    /// Go encodes or decodes the field differently than its schema describes.
    Encoding,
    /// Go clients omit a required field if its value is empty.
    RequiredOmitted,
    /// The documentation of a field does not start with its name.
    CommentStart,
    /// No marker states whether a field is required.
    Requirement,
    /// Go clients do not omit a struct.
    StructOmitted,
    /// An integer type without a format.
    IntegerType,
    /// A duration in Go's notation.
    Duration,
}

/// Edits that fix a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The title of the fix.
    pub title: String,
    /// The places, each with its replacement.
    pub edits: Vec<(Place, String)>,
    /// Whether the edits are certainly what the author means.
    pub is_safe: bool,
}

/// Text that controller-gen accepts, although its author means something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The kind of mistake.
    pub kind: MistakeKind,
    /// The incorrect token.
    pub place: Place,
    /// The problem.
    pub problem: String,
    /// The remedy, as an imperative.
    pub remedy: Option<String>,
    /// The known fixes. If there are several, the user has to choose one.
    pub repairs: Vec<Repair>,
    /// Whether nothing is lost, so that this is a hint and not a warning.
    pub is_hint: bool,
    /// A related place, and its relation to the mistake.
    pub related: Option<(Place, String)>,
    /// Whether it is a mistake in Go that gopls reports as well.
    pub is_of_go: bool,
    /// The intended name of the marker, or the intended JSON name of the field.
    pub(crate) intended_name: Option<Box<str>>,
}

impl Mistake {
    pub(super) fn new(kind: MistakeKind, place: Place, words: MistakeText) -> Self {
        let MistakeText { problem, remedy } = words;
        Self {
            kind,
            place,
            problem,
            remedy,
            repairs: Vec::new(),
            is_hint: false,
            related: None,
            is_of_go: false,
            intended_name: None,
        }
    }

    /// Sets the intended name.
    pub(super) fn with_intended_name(self, name: &str) -> Self {
        Self { intended_name: Some(name.into()), ..self }
    }

    pub(super) fn of_go(self) -> Self {
        Self { is_of_go: true, ..self }
    }

    pub(super) fn hint(self) -> Self {
        Self { is_hint: true, ..self }
    }

    pub(super) fn with_related(self, place: Place, what: String) -> Self {
        Self { related: Some((place, what)), ..self }
    }

    /// The mistake for a word with the intended word, and the fix that replaces it.
    pub(super) fn replaced_word(
        kind: MistakeKind,
        place: Place,
        problem: String,
        (written, intended): (&str, &str),
    ) -> Self {
        let mistake = Self::new(kind, place, advised(problem, format!("write `{intended}`")));
        mistake.replaced(format!("Change `{written}` to `{intended}`"), intended.to_owned())
    }

    /// Replaces the token.
    pub(super) fn replaced(self, title: String, text: String) -> Self {
        let edits = vec![(self.place, text)];
        self.repaired(title, edits, true)
    }

    /// Removes the marker, and its line if the line contains nothing else.
    pub(super) fn removed(self, seen: CheckedFile<'_>, comment: Span, title: String, is_safe: bool) -> Self {
        self.repaired(title, vec![(seen.line_of(comment), String::new())], is_safe)
    }

    pub(super) fn repaired(self, title: String, edits: Vec<(Place, String)>, is_safe: bool) -> Self {
        Self { repairs: vec![Repair { title, edits, is_safe }], ..self }
    }

    /// Adds a fix. If there are several, none is safe.
    pub(super) fn or_repaired(mut self, title: String, edits: Vec<(Place, String)>) -> Self {
        self.repairs.push(Repair { title, edits, is_safe: false });
        if self.repairs.len() > 1 {
            self.repairs.iter_mut().for_each(|repair| repair.is_safe = false);
        }
        self
    }

    /// Adds the fix that removes the marker.
    pub(super) fn or_removed(self, seen: CheckedFile<'_>, comment: Span, title: String) -> Self {
        self.or_repaired(title, vec![(seen.line_of(comment), String::new())])
    }
}

/// A problem and its remedy.
pub(super) struct MistakeText {
    problem: String,
    remedy: Option<String>,
}

impl MistakeText {
    /// A problem without a remedy.
    pub(super) const fn new(problem: String) -> Self {
        Self { problem, remedy: None }
    }
}

/// A problem, and its remedy as an imperative.
pub(super) fn advised(problem: impl Into<String>, remedy: impl Into<String>) -> MistakeText {
    MistakeText { problem: problem.into(), remedy: Some(remedy.into()) }
}

/// A file, as the checks see it.
#[derive(Clone, Copy)]
pub(super) struct CheckedFile<'f> {
    pub(super) id: FileId,
    pub(super) file: &'f File,
    pub(super) version: Version,
    /// The bytes to check: whole declarations.
    pub(super) scope: Span,
}

impl<'f> CheckedFile<'f> {
    /// A whole file.
    pub(super) const fn all(id: FileId, file: &'f File, version: Version) -> Self {
        Self { id, file, version, scope: Span { start: 0, end: u32::MAX } }
    }

    /// Whether to check a declaration that starts at this byte.
    pub(super) const fn includes(self, start: u32) -> bool {
        self.scope.start <= start && start < self.scope.end
    }

    /// The types to check.
    pub(super) fn types(self) -> impl Iterator<Item = &'f TypeDeclaration> {
        let types = self.file.types().map(|(_, declared)| declared);
        types.filter(move |declared| self.includes(declared.name.span.start))
    }

    pub(super) const fn place(self, span: Span) -> Place {
        Place { file: self.id, span }
    }

    /// A part of a marker, in bytes from its `+`.
    pub(super) const fn place_in_marker(
        self,
        comment: &MarkerComment,
        range: std::ops::Range<usize>,
    ) -> Place {
        let start = comment.span.start;
        self.place(Span { start: start + range.start as u32, end: start + range.end as u32 })
    }

    pub(super) fn text(self, comment: &MarkerComment) -> &'f str {
        self.file.slice(comment.span)
    }

    /// The type of the field or type declaration below a comment.
    pub(super) fn expr_below(self, comment: Span) -> Option<&'f Expr> {
        let mut declared = self.file.types().map(|(_, declared)| declared);
        let declared = declared.find(|declared| declared.expr.span.end > comment.end)?;
        match &declared.expr.kind {
            ExprKind::Struct(fields) if declared.expr.span.contains(comment) => {
                fields.iter().find(|field| field.spec.span.start > comment.start).map(|field| &field.expr)
            }
            _ => Some(&declared.expr),
        }
    }

    /// The blanks before a comment; `None` if the comment does not start its line.
    pub(super) fn indent_of(self, comment: Span) -> Option<&'f str> {
        let before = self.file.text.get(..comment.start as usize)?;
        let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
        line.trim().is_empty().then_some(line)
    }

    /// The line of a comment with its line break if the line contains nothing else; otherwise the comment and the blanks
    /// before it.
    pub(super) fn line_of(self, comment: Span) -> Place {
        let text = &self.file.text;
        let before = text.get(..comment.start as usize).unwrap_or("");
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        let start = comment.start - blanks as u32;
        let is_alone =
            before.get(..start as usize).is_none_or(|text| text.is_empty() || text.ends_with('\n'));
        let rest = text.get(comment.end as usize..).unwrap_or("");
        let after = if is_alone {
            rest.find('\n')
                .filter(|at| rest.get(..*at).is_some_and(|rest| rest.trim().is_empty()))
                .map_or(0, |at| at + 1)
        } else {
            0
        };
        self.place(Span { start, end: comment.end + after as u32 })
    }
}

/// The name of a marker as written: from `+` to `=`.
pub(super) fn written_name(text: &str) -> &str {
    let written = text.strip_prefix('+').unwrap_or(text);
    written.split('=').next().unwrap_or(written)
}

/// The part at the start of a text that may be a name.
pub(super) fn beginning(whole: &str) -> &str {
    let len = whole
        .find(|ch: char| !(ch.is_alphanumeric() || matches!(ch, ':' | '-' | '_')))
        .unwrap_or(whole.len());
    whole.get(..len).unwrap_or("").trim_end_matches(':')
}

/// The nearest known word with at most `most` misspellings; of equally near words, the first.
pub(super) fn nearest<'k>(
    written: &str,
    known: impl IntoIterator<Item = &'k str>,
    most: usize,
) -> Option<&'k str> {
    let written = written.to_lowercase();
    let distances =
        known.into_iter().map(|word| (strsim::osa_distance(&word.to_lowercase(), &written), word));
    let (distance, word) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= most).then_some(word)
}

/// The boolean value of a word.
pub(super) fn flag_of(word: &str) -> Option<&'static str> {
    match word.to_lowercase().as_str() {
        "true" | "yes" | "y" | "on" | "t" | "1" => Some("true"),
        "false" | "no" | "n" | "off" | "f" | "0" => Some("false"),
        _ => None,
    }
}

/// Whether a type is written as `string`.
pub(super) fn is_text(expr: &Expr) -> bool {
    matches!(&bare(expr).kind, ExprKind::Ident(name) if &**name == "string")
}

/// Whether a type is written as a list.
pub(super) fn is_list(expr: &Expr) -> bool {
    matches!(bare(expr).kind, ExprKind::Slice(_) | ExprKind::Array(_))
}

pub(super) const fn with_article(target: Target) -> &'static str {
    match target {
        Target::Package => "the package",
        Target::Type => "a type",
        Target::Field => "a field",
    }
}
