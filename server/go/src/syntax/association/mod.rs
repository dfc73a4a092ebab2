//! The association of markers with types, fields and the package.
//!
//! Follows controller-gen's walk over Go's syntax tree, including its state: the comments that the walk has passed.

mod resume;

use std::sync::Arc;

use resume::Boundary;

use super::by_place::ByPlace;
use super::comments::marker_text;
use super::reparse::{ReusableParts, Shift};
use super::{Declaration, DeclarationKind, Expr, ExprKind, File, Span, Spec};
use crate::marker::{self, Marker, Refusal, Target};
use crate::version::Version;

/// A comment that is a marker.
#[derive(Clone, Debug)]
pub struct MarkerComment {
    /// The comment, from its `//`.
    pub comment: Span,
    /// The marker, from its `+`.
    pub span: Span,
    /// Whether it is in the documentation of its target.
    pub in_doc: bool,
    /// The parsed marker; `None` if controller-gen knows no such marker for its target.
    pub read: Option<Arc<Read>>,
    number: usize,
}

/// A marker that is known for its target, and the errors in its arguments.
#[derive(Debug)]
pub struct Read {
    /// The marker.
    pub marker: Marker,
    /// Why controller-gen rejects it.
    pub refusals: Vec<Refusal>,
}

/// The markers of a file.
#[derive(Debug, Default)]
pub struct FileMarkers {
    /// The markers of the package.
    pub package: Vec<MarkerComment>,
    /// The markers of types, by the start of the type's name.
    pub types: ByPlace,
    /// The markers of fields, by the start of the field.
    pub fields: ByPlace,
    /// For each comment number, the target for which the comment was parsed, and the result.
    read: Vec<Option<(Target, Option<Arc<Read>>)>>,
    version: Option<Version>,
    /// The state of the walk before each declaration, and after the last one.
    boundaries: Vec<Boundary>,
    /// The index of the first package marker that is above a type.
    moved: usize,
}

struct Walk<'f> {
    file: &'f File,
    version: Version,
    /// The state before an edit.
    earlier: Option<&'f ReusableParts>,
    /// The next group.
    next: usize,
    declaration: Vec<MarkerComment>,
    last_line: Option<usize>,
    file_markers: FileMarkers,
    /// Markers above types that are known only for packages.
    moved: Vec<MarkerComment>,
}

impl File {
    /// The markers of the file by target.
    #[must_use]
    pub fn associated(&self, version: Version) -> Arc<FileMarkers> {
        let known = || (version, Arc::new(self.find_associated(version)));
        let (of, associated) = self.derived.associated.get_or_init(known);
        if *of == version { Arc::clone(associated) } else { Arc::new(self.find_associated(version)) }
    }

    fn find_associated(&self, version: Version) -> FileMarkers {
        let earlier =
            self.derived.earlier.as_ref().filter(|earlier| earlier.associated.version == Some(version));
        let mut walk = Walk {
            file: self,
            version,
            earlier,
            next: 0,
            declaration: Vec::new(),
            last_line: None,
            file_markers: FileMarkers { read: vec![None; self.comments.len()], ..FileMarkers::default() },
            moved: Vec::new(),
        };
        let first = walk.resumed().unwrap_or_else(|| {
            walk.clause();
            0
        });
        for (number, declaration) in self.declarations.iter().enumerate().skip(first) {
            walk.at_boundary();
            if walk.caught_up(number).is_some() {
                break;
            }
            walk.declaration(declaration);
        }
        walk.finished()
    }
}

impl Walk<'_> {
    fn clause(&mut self) {
        let (start, doc) = (self.file.package_start, self.file.doc_above(self.file.package_start));
        let (near, doc) = self.visit(true, start, doc, None);
        self.file_markers.package.extend(near.into_iter().chain(doc));
        let (near, _) = self.visit(true, self.file.package.span.start, None, None);
        self.file_markers.package.extend(near);
    }

    /// The result after all declarations have been visited.
    fn finished(mut self) -> FileMarkers {
        if self.file_markers.boundaries.len() <= self.file.declarations.len() {
            self.at_boundary();
        }
        let rest = self.markers_between(false, self.next, self.file.groups.len());
        self.file_markers.package.extend(rest);
        self.file_markers.moved = self.file_markers.package.len();
        self.file_markers.package.append(&mut self.moved);
        let mut package = std::mem::take(&mut self.file_markers.package);
        package.iter_mut().for_each(|comment| self.read(comment, Target::Package));
        FileMarkers { package, version: Some(self.version), ..self.file_markers }
    }

    /// Parses a marker, unless it was parsed before the edit.
    fn read(&mut self, comment: &mut MarkerComment, target: Target) {
        let before = self.earlier.and_then(|earlier| earlier.read(comment.number, target));
        let text = self.file.slice(comment.span);
        comment.read = before.unwrap_or_else(|| Read::of(text, target, self.version).map(Arc::new));
        self.note(comment, target);
    }

    /// Notes the result of parsing a marker.
    fn note(&mut self, comment: &MarkerComment, target: Target) {
        if let Some(slot) = self.file_markers.read.get_mut(comment.number) {
            *slot = Some((target, comment.read.clone()));
        }
    }

    /// Assigns markers to a type. Those that are known only for packages go to the package, unless they are in
    /// documentation.
    fn give_type(&mut self, start: u32, mut markers: Vec<MarkerComment>) {
        let (file, version) = (self.file, self.version);
        let is_of_package = |marker: &mut MarkerComment| {
            let known = |target| marker::lookup(file.slice(marker.span), target, version).is_some();
            !marker.in_doc && !known(Target::Type) && known(Target::Package)
        };
        self.moved.extend(markers.extract_if(.., is_of_package));
        markers.iter_mut().for_each(|comment| self.read(comment, Target::Type));
        self.file_markers.types.insert(start, markers.into());
    }

    fn give_field(&mut self, start: u32, mut markers: Vec<MarkerComment>) {
        markers.iter_mut().for_each(|comment| self.read(comment, Target::Field));
        self.file_markers.fields.insert(start, markers.into());
    }

    fn markers_between(&self, in_doc: bool, from: usize, to: usize) -> Vec<MarkerComment> {
        let groups = self.file.groups.get(from..to.max(from).min(self.file.groups.len())).unwrap_or(&[][..]);
        let numbers = groups.iter().flat_map(|group| group.comments.clone());
        let markers = numbers.filter_map(|number| {
            let (text, at) = marker_text(self.file.comment(number))?;
            let comment = *self.file.comments.get(number)?;
            let start = comment.start + at as u32;
            let span = Span { start, end: start + text.len() as u32 };
            Some(MarkerComment { comment, span, in_doc, read: None, number })
        });
        markers.collect()
    }

    /// Enters a node. Returns the markers of the nearest group above it that is not documentation, and those of its
    /// documentation.
    fn visit(
        &mut self,
        collects: bool,
        start: u32,
        doc: Option<usize>,
        line: Option<usize>,
    ) -> (Vec<MarkerComment>, Vec<MarkerComment>) {
        let groups = &self.file.groups;
        if self.last_line == Some(self.next) && self.next < groups.len() {
            self.next += 1;
        }
        if self.next >= groups.len() {
            return (Vec::new(), Vec::new());
        }
        // The index after the last group before the node.
        let end = match groups.get(self.next) {
            Some(next) if next.span.start >= start => self.next,
            _ => groups.partition_point(|group| group.span.start < start).max(self.next),
        };
        self.last_line = line;
        let doc_start = if doc.is_some_and(|doc| doc + 1 == end) { end - 1 } else { end };
        let (mut near, from) = (Vec::new(), self.next);
        if doc_start > from {
            if collects {
                let package = self.markers_between(false, from, doc_start - 1);
                self.file_markers.package.extend(package);
            }
            near = self.markers_between(false, doc_start - 1, doc_start);
        }
        let doc = self.markers_between(true, doc_start, end);
        self.next = end;
        (near, doc)
    }

    /// Leaves a node. The remaining comments in it belong to nothing.
    fn leave(&mut self, end: u32) {
        let groups = &self.file.groups;
        while groups.get(self.next).is_some_and(|group| group.span.start < end) {
            self.next += 1;
        }
    }

    fn leave_spec(&mut self, spec: &Spec) {
        if let Some(group) = spec.comment.and_then(|comment| self.file.groups.get(comment)) {
            self.leave(group.span.end);
        }
        self.leave(spec.span.end);
    }

    /// Passes a part of a node that has no markers.
    fn pass(&mut self, span: Span) {
        self.visit(false, span.start, None, None);
        self.leave(span.end);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let (near, doc) = self.visit(true, declaration.span.start, declaration.doc, None);
        match &declaration.kind {
            DeclarationKind::Type(types, in_parentheses) => {
                if *in_parentheses {
                    self.file_markers.package.extend(near);
                } else {
                    self.declaration.extend(near.into_iter().chain(doc));
                }
                for declared in types {
                    let spec = &declared.spec;
                    let (near, doc) = self.visit(false, spec.span.start, spec.doc, spec.comment);
                    let mut markers = std::mem::take(&mut self.declaration);
                    markers.extend(near.into_iter().chain(doc));
                    self.give_type(declared.name.span.start, markers);
                    self.pass(declared.name.span);
                    self.expr(&declared.expr);
                    self.leave_spec(spec);
                }
            }
            DeclarationKind::Other(specs) => {
                self.file_markers.package.extend(near);
                for spec in specs {
                    self.spec(spec);
                }
            }
            DeclarationKind::Const(constants) => {
                self.file_markers.package.extend(near);
                for constant in constants {
                    self.spec(&constant.spec);
                }
            }
            DeclarationKind::Func => self.file_markers.package.extend(near),
        }
        self.leave(declaration.span.end);
    }

    fn spec(&mut self, spec: &Spec) {
        self.visit(false, spec.span.start, spec.doc, spec.comment);
        self.pass(spec.span);
        self.leave_spec(spec);
    }

    fn expr(&mut self, expr: &Expr) {
        self.visit(false, expr.span.start, None, None);
        match &expr.kind {
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
            ExprKind::Struct(fields) => {
                for field in fields {
                    let (mut markers, doc) =
                        self.visit(false, field.spec.span.start, field.spec.doc, field.spec.comment);
                    markers.extend(doc);
                    self.give_field(field.spec.span.start, markers);
                    for name in &field.names {
                        self.pass(name.span);
                    }
                    self.expr(&field.expr);
                    if let Some(tag) = &field.tag {
                        self.pass(tag.span);
                    }
                    self.leave_spec(&field.spec);
                }
            }
            _ => {}
        }
        self.leave(expr.span.end);
    }
}

impl FileMarkers {
    /// The markers that controller-gen rejects.
    pub(crate) fn rejected(&self) -> impl Iterator<Item = &MarkerComment> {
        let is_rejected = |read: &Arc<Read>| !read.refusals.is_empty();
        self.known().filter(move |comment| comment.read.as_ref().is_some_and(is_rejected))
    }

    /// The markers that controller-gen knows, with rejected ones.
    pub(crate) fn known(&self) -> impl Iterator<Item = &MarkerComment> {
        let lists = self.types.iter().chain(self.fields.iter()).flat_map(|(_, list)| list);
        self.package.iter().chain(lists).filter(|comment| comment.read.is_some())
    }

    /// Whether all markers outside of an edit still have targets of the same kind.
    pub(super) fn belongs_as(&self, earlier: &ReusableParts) -> bool {
        let target = |read: &Option<(Target, Option<Arc<Read>>)>| read.as_ref().map(|(target, _)| *target);
        let mut all = self.read.iter().enumerate();
        all.all(|(number, now)| {
            let before = earlier.number_before(number);
            before.is_none_or(|before| earlier.associated.read.get(before).map(target) == Some(target(now)))
        })
    }
}

impl MarkerComment {
    fn shifted(&self, shift: Shift) -> Self {
        Self {
            comment: shift.span(self.comment),
            span: shift.span(self.span),
            in_doc: self.in_doc,
            read: self.read.clone(),
            number: shift.comment_number(self.number),
        }
    }
}

impl Read {
    fn of(text: &str, target: Target, version: Version) -> Option<Self> {
        let known = marker::lookup(text, target, version)?;
        let (marker, refusals) = marker::parse(text, known, version);
        Some(Self { marker, refusals })
    }
}

impl ReusableParts {
    /// The number that a comment had before the edit, if it existed then.
    fn number_before(&self, number: usize) -> Option<usize> {
        if number < self.first {
            Some(number)
        } else if number >= self.last {
            self.shift.comment_number_before(number)
        } else {
            None
        }
    }

    /// The earlier result for a comment, if the comment existed then and had the same target.
    fn read(&self, number: usize, target: Target) -> Option<Option<Arc<Read>>> {
        let before = self.number_before(number)?;
        let (of, read) = self.associated.read.get(before)?.as_ref()?;
        (*of == target).then(|| read.clone())
    }
}
