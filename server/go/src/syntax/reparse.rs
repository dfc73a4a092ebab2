//! A file after an edit: the declarations that the edit touches are parsed again, all others are reused.
//!
//! The text is divided at the ends of the lines on which declarations end. The text between two such places can be parsed on
//! its own if it is complete: it has no syntax errors, no comment extends beyond its ends, and its last declaration ends on
//! its last line. Otherwise, the whole file is parsed.

use std::ops::Range;
use std::sync::Arc;

use super::{
    Constant, Declaration, DeclarationKind, Expr, ExprKind, Field, File, FileMarkers, Group, Ident, Import,
    Reader, Span, Spec,
};

/// The parts that a text has in common with the text before an edit.
#[derive(Debug)]
pub(super) struct ReusableParts {
    /// The markers of the earlier text.
    pub(super) associated: Arc<FileMarkers>,
    /// The number of unchanged comments at the beginning.
    pub(super) first: usize,
    /// The first of the unchanged comments at the end. Their numbers may differ from the earlier ones.
    pub(super) last: usize,
    /// The declarations of the earlier text that the edit touched, and the number of declarations that replace them.
    pub(super) declarations: Range<usize>,
    pub(super) replacement_count: usize,
    /// The number of groups in the earlier text, and the first group after the edit.
    pub(super) groups: usize,
    pub(super) rest_group: usize,
    /// The shift of all text after the edit.
    pub(super) shift: Shift,
    /// The changed bytes.
    edit: Edit,
}

/// An edit, extended to whole declarations with the comments around them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    /// The changed bytes of the current text.
    pub(crate) current: Span,
    /// The end of the changed bytes in the earlier text.
    pub(crate) end_before: u32,
}

/// The bytes that an edit replaces, and the end of the replacement.
#[derive(Clone, Copy)]
struct ReplacedBytes {
    start: usize,
    before: usize,
    after: usize,
}

/// The number of bytes to compare at a time.
const BLOCK: usize = 4096;

/// The number of bytes that two texts have in common at the beginning.
#[must_use]
pub fn common_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one.iter().skip(same).zip(other.iter().skip(same));
    same + rest.take_while(|(one, other)| one == other).count()
}

/// The number of bytes that two texts have in common at the end.
#[must_use]
pub fn common_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one.iter().rev().skip(same).zip(other.iter().rev().skip(same));
    same + rest.take_while(|(one, other)| one == other).count()
}

impl ReplacedBytes {
    fn between(before: &str, after: &str) -> Self {
        let (before, after) = (before.as_bytes(), after.as_bytes());
        let start = common_start(before, after);
        let end = common_end(before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
        Self { start, before: before.len() - end, after: after.len() - end }
    }
}

impl Reader {
    /// Parses a file again after an edit.
    pub fn reparse(&mut self, before: &File, text: String) -> Option<File> {
        match self.edited(before, &text) {
            Some(file) => Some(file),
            None => self.read(&before.path, text),
        }
    }

    fn edited(&mut self, before: &File, text: &str) -> Option<File> {
        if !before.errors.is_empty() || u32::try_from(text.len()).is_err() {
            return None;
        }
        let replaced = ReplacedBytes::between(&before.text, text);
        let touched = TouchedDeclarations::of(before, replaced)?;
        let grown = replaced.after as i64 - replaced.before as i64;
        let end = usize::try_from(i64::from(touched.end) + grown).ok()?;
        let part = text.get(touched.start as usize..end)?;
        let (part, is_plain) = self.read_part(&before.path, part.to_owned())?;
        let is_whole = part.errors.is_empty() && is_plain && part.marshalers.is_empty();
        let ends =
            |declaration: &Arc<Declaration>| part.line_end(declaration.span.end) as usize == part.text.len();
        if !is_whole || !touched.is_last && !part.declarations.last().is_some_and(ends) {
            return None;
        }
        let by = i32::try_from(grown).ok()?;
        Some(join_files(before, &part, text, &touched, by))
    }
}

/// The declarations that an edit touches, and the bytes from the end of the declaration before them to the
/// end of the last one.
struct TouchedDeclarations {
    declarations: Range<usize>,
    start: u32,
    end: u32,
    /// Whether no declaration follows.
    is_last: bool,
}

impl TouchedDeclarations {
    fn of(file: &File, replaced: ReplacedBytes) -> Option<Self> {
        let count = file.declarations.len();
        let end_of = |number: usize| match file.declarations.get(number) {
            Some(declaration) => file.end_of(declaration),
            None => file.text.len() as u32,
        };
        let start_of = |number: usize| match number.checked_sub(1) {
            Some(before) => end_of(before),
            None => file.line_end(file.package.span.end),
        };
        let start = u32::try_from(replaced.start).ok()?;
        let end = u32::try_from(replaced.before).ok()?;
        let first = file.declarations.partition_point(|one| file.end_of(one) < start);
        let mut last = first;
        while last < count && end_of(last) <= end {
            last += 1;
        }
        let touched = Self {
            declarations: first..(last + 1).min(count),
            start: start_of(first),
            end: end_of(last),
            is_last: last >= count,
        };
        let is_divided = |number: usize| {
            let declared = file.declarations.get(number);
            declared.is_none_or(|declared| start_of(number) <= declared.span.start)
        };
        let is_plain =
            file.declarations.get(touched.declarations.clone())?.iter().all(|one| match &one.kind {
                DeclarationKind::Type(..) | DeclarationKind::Const(_) => true,
                DeclarationKind::Func => file.marshalers.is_empty(),
                DeclarationKind::Other(_) => false,
            });
        let crosses = |at: u32| {
            let next = file.comments.partition_point(|comment| comment.start < at);
            let before = next.checked_sub(1).and_then(|before| file.comments.get(before));
            before.is_some_and(|comment| comment.end > at)
        };
        let is_whole = start > touched.start
            && is_plain
            && is_divided(first)
            && is_divided(last + 1)
            && !crosses(touched.start)
            && !crosses(touched.end);
        is_whole.then_some(touched)
    }
}

impl File {
    /// The edit since the text had the markers `before`; `None` if the edit is unknown, or if a marker outside the edit now
    /// has another kind of target.
    pub(crate) fn edit(&self, now: &FileMarkers, before: &Arc<FileMarkers>) -> Option<Edit> {
        let earlier = self.derived.earlier.as_ref()?;
        let is_same = Arc::ptr_eq(&earlier.associated, before) && now.belongs_as(earlier);
        is_same.then_some(earlier.edit)
    }

    /// The end of the line on which a declaration ends.
    fn end_of(&self, declaration: &Declaration) -> u32 {
        self.line_end(declaration.span.end)
    }
}

/// The earlier file with `part` in place of the touched declarations.
fn join_files(before: &File, part: &File, text: &str, touched: &TouchedDeclarations, by: i32) -> File {
    let is_before = |span: &Span| span.start < touched.start;
    let is_after = |span: &Span| span.start >= touched.end;
    let first = before.comments.partition_point(is_before);
    let first_after = before.comments.partition_point(|span| !is_after(span));
    let first_group = before.groups.partition_point(|group| is_before(&group.span));
    let group_after = before.groups.partition_point(|group| !is_after(&group.span));
    let comments_by = (first + part.comments.len()) as i32 - first_after as i32;
    let shifts = Shifts {
        in_part: Shift { bytes: touched.start as i32, groups: first_group as i32, comments: first as i32 },
        in_rest: Shift {
            bytes: by,
            groups: (first_group + part.groups.len()) as i32 - group_after as i32,
            comments: comments_by,
        },
    };
    let comments =
        shifts.splice(&before.comments, first..first_after, &part.comments, |span, by| by.span(*span));
    let first_unread = before.unread.partition_point(is_before);
    let unread_after = before.unread.partition_point(|span| !is_after(span));
    let unread =
        shifts.splice(&before.unread, first_unread..unread_after, &part.unread, |span, by| by.span(*span));
    let groups =
        shifts.splice(&before.groups, first_group..group_after, &part.groups, |group, by| by.group(group));
    let declarations = shifts.splice(
        &before.declarations,
        touched.declarations.clone(),
        &part.declarations,
        |declaration, by| Arc::new(by.declaration(declaration)),
    );
    let lines_before = before.lines.partition_point(|start| *start <= touched.start);
    let lines_after = before.lines.partition_point(|start| *start <= touched.end);
    // The first line of the part continues the line before it.
    let lines = shifts.splice(
        &before.lines,
        lines_before..lines_after,
        part.lines.get(1..).unwrap_or_default(),
        |start, by| by.shifted_offset(*start),
    );
    let earlier = before.derived.associated.get().map(|(_, associated)| ReusableParts {
        associated: Arc::clone(associated),
        first,
        last: first + part.comments.len(),
        declarations: touched.declarations.clone(),
        replacement_count: part.declarations.len(),
        groups: before.groups.len(),
        rest_group: group_after,
        shift: shifts.in_rest,
        edit: Edit {
            current: Span { start: touched.start, end: touched.start + part.text.len() as u32 },
            end_before: touched.end,
        },
    });
    // Imports below the edit.
    let moved_import = |import: &Import| match is_after(&import.span) {
        true => Import { span: shifts.in_rest.span(import.span), ..import.clone() },
        false => import.clone(),
    };
    File {
        path: before.path.clone(),
        text: text.to_owned(),
        package: before.package.clone(),
        package_start: before.package_start,
        imports: before.imports.iter().map(moved_import).collect(),
        declarations,
        marshalers: before.marshalers.clone(),
        comments,
        groups,
        unread,
        errors: Vec::new(),
        lines,
        derived: super::DerivedData { earlier, ..super::DerivedData::default() },
    }
}

/// The shifts of the inserted part, and of everything after it.
#[derive(Clone, Copy)]
struct Shifts {
    in_part: Shift,
    in_rest: Shift,
}

impl Shifts {
    /// `all` with `part` in place of a range. All positions refer to the new text.
    fn splice<T: Clone>(
        self,
        all: &[T],
        range: Range<usize>,
        part: &[T],
        moved: impl Fn(&T, Shift) -> T,
    ) -> Vec<T> {
        let rest = all.get(range.end..).unwrap_or_default();
        let mut joined = Vec::with_capacity(range.start + part.len() + rest.len());
        joined.extend_from_slice(all.get(..range.start).unwrap_or_default());
        joined.extend(part.iter().map(|one| moved(one, self.in_part)));
        joined.extend(rest.iter().map(|one| moved(one, self.in_rest)));
        joined
    }
}

/// The distances by which positions, group numbers and comment numbers move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    bytes: i32,
    groups: i32,
    comments: i32,
}

impl Shift {
    pub(super) const fn shifted_offset(self, at: u32) -> u32 {
        at.saturating_add_signed(self.bytes)
    }

    pub(super) const fn span(self, span: Span) -> Span {
        Span { start: self.shifted_offset(span.start), end: self.shifted_offset(span.end) }
    }

    fn group(self, group: &Group) -> Group {
        let Range { start, end } = group.comments;
        Group {
            comments: self.comment_number(start)..self.comment_number(end),
            span: self.span(group.span),
            trailing: group.trailing,
        }
    }

    pub(super) const fn comment_number(self, comment: usize) -> usize {
        comment.saturating_add_signed(self.comments as isize)
    }

    /// The number that a comment had before it moved.
    pub(super) const fn comment_number_before(self, comment: usize) -> Option<usize> {
        comment.checked_add_signed(-(self.comments as isize))
    }

    pub(super) const fn group_number(self, group: usize) -> usize {
        group.saturating_add_signed(self.groups as isize)
    }

    fn number(self, group: Option<usize>) -> Option<usize> {
        group.map(|group| self.group_number(group))
    }

    fn spec(self, spec: &Spec) -> Spec {
        Spec { span: self.span(spec.span), doc: self.number(spec.doc), comment: self.number(spec.comment) }
    }

    fn ident(self, ident: &Ident) -> Ident {
        Ident { name: ident.name.clone(), span: self.span(ident.span) }
    }

    fn declaration(self, declaration: &Declaration) -> Declaration {
        let mut moved = declaration.clone();
        moved.span = self.span(moved.span);
        moved.doc = self.number(moved.doc);
        match &mut moved.kind {
            DeclarationKind::Other(specs) => specs.iter_mut().for_each(|spec| *spec = self.spec(spec)),
            DeclarationKind::Const(constants) => {
                constants.iter_mut().for_each(|constant| self.constant(constant))
            }
            DeclarationKind::Type(types, _) => {
                for declared in types {
                    declared.spec = self.spec(&declared.spec);
                    declared.name.span = self.span(declared.name.span);
                    self.expr(&mut declared.expr);
                }
            }
            DeclarationKind::Func => {}
        }
        moved
    }

    fn constant(self, constant: &mut Constant) {
        constant.spec = self.spec(&constant.spec);
        constant.names.iter_mut().for_each(|name| *name = self.ident(name));
    }

    fn expr(self, expr: &mut Expr) {
        expr.span = self.span(expr.span);
        match &mut expr.kind {
            ExprKind::Pointer(inner)
            | ExprKind::Slice(inner)
            | ExprKind::Array(inner)
            | ExprKind::Paren(inner) => {
                self.expr(inner);
            }
            ExprKind::Map(key, value) => {
                self.expr(key);
                self.expr(value);
            }
            ExprKind::Struct(fields) => fields.iter_mut().for_each(|field| self.field(field)),
            ExprKind::Interface(_, embedded) => embedded.iter_mut().for_each(|inner| self.expr(inner)),
            ExprKind::Instance(inner, arguments) => {
                self.expr(inner);
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            ExprKind::Ident(_)
            | ExprKind::Qualified(..)
            | ExprKind::Func
            | ExprKind::Chan
            | ExprKind::Other => {}
        }
    }

    fn field(self, field: &mut Field) {
        field.spec = self.spec(&field.spec);
        field.names.iter_mut().for_each(|name| name.span = self.span(name.span));
        self.expr(&mut field.expr);
        if let Some(tag) = &mut field.tag {
            tag.span = self.span(tag.span);
        }
    }
}
