//! The types of a package with their fields, documentation and markers.

use std::sync::Arc;

use super::generator::Generator;
use crate::load::{FileId, Loader, Package, Place, TypeAt};
use crate::marker::{self, Marker, Meaning, Target};
use crate::syntax::{Associated, ExprKind, File, MarkerComment, Span, json_tag};
use crate::version::Change;

/// A marker, and where it stands.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The marker.
    pub marker: Marker,
    /// Where it stands, from its `+`.
    pub place: Place,
}

/// A type with all that is said of it.
#[derive(Clone, Debug)]
pub struct TypeInfo {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Its markers.
    pub markers: Arc<Vec<Marked>>,
    /// Its fields, if it is a struct; a field with several names is several.
    pub fields: Vec<FieldInfo>,
    /// Where its name stands.
    pub place: Place,
    pub(crate) at: TypeAt,
}

/// A field with all that is said of it.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Its name; empty where it is embedded.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The value of its tag for JSON.
    pub tag: Option<String>,
    /// Where its name stands in the tag.
    pub tag_place: Option<Place>,
    /// Its markers.
    pub markers: Arc<Vec<Marked>>,
    /// Where it begins.
    pub place: Place,
    /// Its number among the fields of the struct.
    pub(crate) number: usize,
}

/// Whether there is a marker of a meaning.
pub(crate) fn has(markers: &[Marked], meaning: Meaning) -> bool {
    markers.iter().any(|marked| marked.marker.meaning() == meaning && !marked.marker.known.items)
}

pub(super) struct Collected {
    pub(super) package: Vec<Marked>,
    pub(super) types: Vec<TypeInfo>,
}

impl Generator<'_> {
    /// Collects a package; none where a marker cannot be read, which is reported.
    pub(super) fn collect(&mut self, package: &Package) -> Option<Collected> {
        let mut sound = true;
        let mut collected = Collected { package: Vec::new(), types: Vec::new() };
        for id in &package.files {
            let Some(file) = self.loader.file(*id) else { continue };
            let associated = file.associated(self.options.version);
            sound &= self.parse(*id, &file, &associated.package, Target::Package, &mut collected.package);
            // In the order of the text, fields of structs within structs as well.
            for (start, target, comments) in in_order(&associated) {
                let mut markers = Vec::new();
                sound &= self.parse(*id, &file, comments, target, &mut markers);
                let _ = start;
            }
            self.collect_file(*id, &file, &associated, &mut collected.types);
        }
        sound.then_some(collected)
    }

    fn collect_file(&mut self, id: FileId, file: &File, associated: &Associated, types: &mut Vec<TypeInfo>) {
        let rules = self.has(Change::DescriptionRules);
        for (number, declaration) in file.declarations.iter().enumerate() {
            let crate::syntax::DeclarationKind::Type(declared, in_parentheses) = &declaration.kind else {
                continue;
            };
            for (spec, declared) in declared.iter().enumerate() {
                let at = TypeAt { file: id, declaration: number, spec };
                let doc = declared.spec.doc.or(if *in_parentheses { None } else { declaration.doc });
                let markers =
                    self.known(id, file, associated.types.get(&declared.name.span.start), Target::Type);
                let mut info = TypeInfo {
                    name: declared.name.name.clone(),
                    doc: file.documentation(doc, rules),
                    markers,
                    fields: Vec::new(),
                    place: Place { file: id, span: declared.name.span },
                    at,
                };
                if let ExprKind::Struct(fields) = &declared.expr.kind {
                    for (number, field) in fields.iter().enumerate() {
                        let markers = self.known(
                            id,
                            file,
                            associated.fields.get(&field.spec.span.start),
                            Target::Field,
                        );
                        let tag = field.tag.as_ref().and_then(|tag| Some((tag, json_tag(&tag.text)?)));
                        let tag_place = tag.as_ref().map(|(tag, (value, range))| {
                            let name = value.split(',').next().map_or(0, str::len);
                            // Within the quotes; only a raw string has its bytes as they are.
                            let start = tag.span.start + 1 + range.start as u32;
                            Place {
                                file: id,
                                span: Span { start, end: (start + name as u32).min(tag.span.end) },
                            }
                        });
                        let info_of = |name: &str, span: Span| FieldInfo {
                            name: name.to_owned(),
                            doc: file.documentation(field.spec.doc, rules),
                            tag: tag.as_ref().map(|(_, (value, _))| value.clone()),
                            tag_place,
                            markers: markers.clone(),
                            place: Place { file: id, span },
                            number,
                        };
                        if field.names.is_empty() {
                            info.fields.push(info_of("", field.expr.span));
                        }
                        let first = field.names.first().map_or(field.expr.span, |name| name.span);
                        info.fields.extend(field.names.iter().map(|name| info_of(&name.name, first)));
                    }
                }
                types.push(info);
            }
        }
    }

    fn known(
        &self,
        id: FileId,
        file: &File,
        comments: Option<&Vec<MarkerComment>>,
        target: Target,
    ) -> Arc<Vec<Marked>> {
        let markers = comments.into_iter().flatten().filter_map(|comment| {
            let text = file.slice(comment.span);
            let known = marker::lookup(text, target, self.options.version)?;
            let (marker, _) = marker::parse(text, known, self.options.version);
            Some(Marked { marker, place: Place { file: id, span: comment.span } })
        });
        Arc::new(markers.collect())
    }

    /// Reads markers; says whether all that are known are sound, and reports those that are not.
    fn parse(
        &mut self,
        id: FileId,
        file: &File,
        comments: &[MarkerComment],
        target: Target,
        markers: &mut Vec<Marked>,
    ) -> bool {
        let mut sound = true;
        for comment in comments {
            let text = file.slice(comment.span);
            let Some(known) = marker::lookup(text, target, self.options.version) else { continue };
            let (marker, refusals) = marker::parse(text, known, self.options.version);
            for refusal in refusals {
                sound = false;
                let start = comment.span.start;
                let span =
                    Span { start: start + refusal.range.start as u32, end: start + refusal.range.end as u32 };
                let spot = super::generator::Spot::Place(Place { file: id, span: comment.comment });
                self.problem(spot, refusal.printed(), Some(Place { file: id, span }));
            }
            markers.push(Marked { marker, place: Place { file: id, span: comment.span } });
        }
        sound
    }

    /// The file and the declaration of a type.
    pub(super) fn declaration_file(&self, at: TypeAt) -> Option<Arc<File>> {
        let file = self.loader.file(at.file)?;
        Loader::declared(&file, at)?;
        Some(file)
    }
}

/// The markers of types and fields in the order of the text.
fn in_order(associated: &Associated) -> Vec<(u32, Target, &Vec<MarkerComment>)> {
    let types = associated.types.iter().map(|(start, markers)| (*start, Target::Type, markers));
    let fields = associated.fields.iter().map(|(start, markers)| (*start, Target::Field, markers));
    let mut all: Vec<_> = types.chain(fields).filter(|(.., markers)| !markers.is_empty()).collect();
    all.sort_by_key(|(start, ..)| *start);
    all
}
