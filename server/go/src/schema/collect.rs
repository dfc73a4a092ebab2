//! The types of a package with their fields, documentation and markers.

use std::ops::Range;
use std::sync::Arc;

use super::generator::Generator;
use super::model::TypeId;
use super::problem::{Problem, ProblemKind, ProblemPlace};
use crate::load::{FileId, Loader, Package, Place, TypeAt};
use crate::marker::{Marker, Meaning};
use crate::syntax::{ExprKind, File, FileMarkers, MarkerComment, Span, json_tag};
use crate::version::Change;

/// A marker, and its place.
#[derive(Clone, Debug)]
pub struct PlacedMarker {
    /// The marker.
    pub marker: Marker,
    /// Its place, starting at the `+`.
    pub place: Place,
}

impl PlacedMarker {
    /// The place of its name, without the `+`.
    pub(crate) fn name(&self) -> Place {
        let len = self.marker.definition.name().len();
        self.part(1..1 + len)
    }

    /// The place of an argument's value; the place of the name if the argument is missing.
    pub(crate) fn value(&self, argument: &str) -> Place {
        self.marker.argument(argument).map_or_else(|| self.name(), |value| self.part(value.range.clone()))
    }

    const fn part(&self, range: Range<usize>) -> Place {
        let start = self.place.span.start;
        let span = Span { start: start + range.start as u32, end: start + range.end as u32 };
        Place { file: self.place.file, span }
    }
}

/// A type with its documentation, markers and fields.
#[derive(Clone, Debug)]
pub struct TypeInfo {
    /// Its name.
    pub name: Arc<str>,
    /// Its documentation.
    pub doc: String,
    /// Its markers.
    pub markers: Arc<Vec<PlacedMarker>>,
    /// Its fields, if it is a struct. A field declaration with several names counts as several fields.
    pub fields: Vec<FieldInfo>,
    /// The place of its name.
    pub place: Place,
    pub(crate) at: TypeAt,
}

/// A field with its documentation, tag and markers.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Its name; empty if it is embedded.
    pub name: Arc<str>,
    /// Its documentation.
    pub doc: String,
    /// The value of `json` in its tag.
    pub tag: Option<String>,
    /// The place of its name in the tag.
    pub tag_place: Option<Place>,
    /// Its markers.
    pub markers: Arc<Vec<PlacedMarker>>,
    /// The start of the field.
    pub place: Place,
    /// Its index among the fields of the struct.
    pub(crate) number: usize,
}

impl FieldInfo {
    /// Its first marker with a meaning.
    pub(super) fn marker(&self, meaning: Meaning) -> Option<&PlacedMarker> {
        self.markers.iter().find(|marked| marked.marker.meaning() == meaning)
    }
}

/// Whether there is a marker with a meaning.
pub(crate) fn has_marker(markers: &[PlacedMarker], meaning: Meaning) -> bool {
    markers.iter().any(|marked| marked.marker.meaning() == meaning && !marked.marker.definition.items)
}

/// The markers of a package, and the declarations of its types.
pub(super) struct CollectedPackage {
    pub(super) package: Vec<PlacedMarker>,
    pub(super) types: Vec<(Arc<str>, TypeAt)>,
}

impl Generator<'_> {
    /// Collects a package; `None` if a marker has errors, which are reported, unless such markers are skipped.
    pub(super) fn collect(&mut self, package: &Package) -> Option<CollectedPackage> {
        let mut sound = true;
        let mut collected = CollectedPackage { package: Vec::new(), types: Vec::new() };
        for id in &package.files {
            let Some(file) = self.loader.file(*id) else { continue };
            let associated = file.associated(self.options.version);
            sound &= self.refuse(*id, associated.package.iter());
            // Processes markers in the order of the text, including fields of structs within structs.
            sound &= self.refuse(*id, refused_in_order(&associated).into_iter());
            collected.package.extend(marked(*id, &associated.package));
            for (number, declaration) in file.declarations.iter().enumerate() {
                if let crate::syntax::DeclarationKind::Type(declared, _) = &declaration.kind {
                    let types = declared.iter().enumerate();
                    collected.types.extend(types.map(|(spec, declared)| {
                        (declared.name.name.clone(), TypeAt { file: *id, declaration: number, spec })
                    }));
                }
            }
        }
        (sound || self.options.skips_rejected).then_some(collected)
    }

    /// Reports the errors that controller-gen finds in markers. Returns whether there are none.
    fn refuse<'c>(&mut self, id: FileId, comments: impl Iterator<Item = &'c MarkerComment>) -> bool {
        let mut sound = true;
        for comment in comments {
            for refusal in comment.read.iter().flat_map(|read| &read.refusals) {
                sound = false;
                let start = comment.span.start;
                let span =
                    Span { start: start + refusal.range.start as u32, end: start + refusal.range.end as u32 };
                let spot = ProblemPlace::Place(Place { file: id, span: comment.comment });
                let problem = Problem::new(spot, refusal.printed(), ProblemKind::Other);
                self.report(problem.at(Some(Place { file: id, span })));
            }
        }
        sound
    }

    /// A type of a collected package, computed on first use.
    pub(crate) fn info(&mut self, id: &TypeId) -> Option<Arc<TypeInfo>> {
        if let Some(info) = self.infos.get(id) {
            return Some(Arc::clone(info));
        }
        let info = Arc::new(self.type_info(*self.types.get(id)?)?);
        self.infos.insert(id.clone(), Arc::clone(&info));
        Some(info)
    }

    fn type_info(&self, at: TypeAt) -> Option<TypeInfo> {
        let rules = self.has(Change::DescriptionRules);
        let file = self.loader.file(at.file)?;
        let id = at.file;
        let associated = file.associated(self.options.version);
        let declaration = file.declarations.get(at.declaration)?;
        let crate::syntax::DeclarationKind::Type(declared, in_parentheses) = &declaration.kind else {
            return None;
        };
        let declared = declared.get(at.spec)?;
        let doc = declared.spec.doc.or(if *in_parentheses { None } else { declaration.doc });
        let markers = placed_markers(id, associated.types.get(declared.name.span.start));
        let mut info = TypeInfo {
            name: declared.name.name.clone(),
            doc: file.documentation(doc, rules),
            markers,
            fields: Vec::new(),
            place: Place { file: id, span: declared.name.span },
            at,
        };
        let ExprKind::Struct(fields) = &declared.expr.kind else { return Some(info) };
        for (number, field) in fields.iter().enumerate() {
            let tag = field.tag.as_ref().and_then(|tag| Some((tag, json_tag(&tag.text)?)));
            let tag_place = tag.as_ref().map(|(tag, (value, range))| {
                let name = value.split(',').next().map_or(0, str::len);
                Place { file: id, span: tag.part(range.start, name) }
            });
            let markers = placed_markers(id, associated.fields.get(field.spec.span.start));
            let info_of = |name: Arc<str>, span: Span| FieldInfo {
                name,
                doc: file.documentation(field.spec.doc, rules),
                tag: tag.as_ref().map(|(_, (value, _))| value.clone()),
                tag_place,
                markers: markers.clone(),
                place: Place { file: id, span },
                number,
            };
            if field.names.is_empty() {
                info.fields.push(info_of(Arc::default(), field.expr.span));
            }
            let first = field.names.first().map_or(field.expr.span, |name| name.span);
            info.fields.extend(field.names.iter().map(|name| info_of(Arc::clone(&name.name), first)));
        }
        Some(info)
    }

    /// The file and the declaration of a type.
    pub(super) fn declaration_file(&self, at: TypeAt) -> Option<Arc<File>> {
        let file = self.loader.file(at.file)?;
        Loader::declared(&file, at)?;
        Some(file)
    }
}

fn marked(id: FileId, comments: &[MarkerComment]) -> impl Iterator<Item = PlacedMarker> {
    comments.iter().filter_map(move |comment| {
        let read = comment.read.as_ref().filter(|read| read.refusals.is_empty())?;
        Some(PlacedMarker { marker: read.marker.clone(), place: Place { file: id, span: comment.span } })
    })
}

fn placed_markers(id: FileId, comments: Option<&[MarkerComment]>) -> Arc<Vec<PlacedMarker>> {
    Arc::new(marked(id, comments.unwrap_or_default()).collect())
}

/// The rejected markers of types and fields, in the order of the text.
fn refused_in_order(associated: &FileMarkers) -> Vec<&MarkerComment> {
    let lists = associated.types.iter().chain(associated.fields.iter());
    let is_refused =
        |comment: &&MarkerComment| comment.read.as_ref().is_some_and(|read| !read.refusals.is_empty());
    let mut all: Vec<(u32, &MarkerComment)> = lists
        .flat_map(|(start, list)| list.iter().filter(is_refused).map(move |comment| (start, comment)))
        .collect();
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().map(|(_, comment)| comment).collect()
}
