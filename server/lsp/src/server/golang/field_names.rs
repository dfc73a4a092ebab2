//! Names of fields in tags, rules, paths, keys of lists, and unions: the declaration of the field, and all other references
//! to it.

use std::path::{Path, PathBuf};

use go::edits::JsonName;
use ide::{Property, SourcePlace};
use text::{TextRange, TextSize};

use super::analysis::{GoFile, display_name, located, open_text};
use super::cursor::{Cursor, MarkerPart};
use super::expression::{Expression, argument_at, nodes_of};
use super::packages::Packages;
use crate::generated_definitions::{GeneratedDefinitions, GoFileDefinitions, GoLocator, Node};

/// A name at a place in Go, with its place in the generated definition.
pub(super) struct NameAtPlace<'g> {
    generated: &'g GeneratedDefinitions,
    definitions: &'g GoFileDefinitions,
    /// An offset of the name in the generated text.
    offset: TextSize,
    name: Name<'g>,
}

/// The form of a name in Go.
enum Name<'g> {
    /// A part of an expression or of a path.
    Part(Expression<'g>),
    /// A plain name, with the key in the generated text that declares it.
    Of { name: TextRange, key: TextRange },
}

impl GoFile {
    /// The name at a place.
    pub(super) fn name_at(&self, offset: TextSize) -> Option<NameAtPlace<'_>> {
        let Some(cursor) = Cursor::at(&self.text, offset) else { return self.tagged(offset) };
        let Some(argument) = argument_at(&cursor, self.version()) else {
            return self.member(&cursor);
        };
        let expression = Expression::of(self, &cursor, &argument)?;
        let at = expression.to_made(offset)?;
        let (generated, made) = (expression.generated, expression.definitions);
        Some(NameAtPlace { generated, definitions: made, offset: at, name: Name::Part(expression) })
    }

    /// The name of the field whose tag is at a place.
    fn tagged(&self, offset: TextSize) -> Option<NameAtPlace<'_>> {
        let name = TextRange::from_usize(self.named_at(&self.path, offset)?.range);
        self.all().find_map(|generated| {
            let (Node { file: made, place }, _) = self.node_at(generated, offset)?;
            let key = place.key?;
            Some(NameAtPlace {
                generated,
                definitions: made,
                offset: key.start,
                name: Name::Of { name, key },
            })
        })
    }

    /// The name of the member of a union at a place in its marker.
    fn member(&self, cursor: &Cursor<'_>) -> Option<NameAtPlace<'_>> {
        let MarkerPart::Value(known, ..) = cursor.part(self.version())? else { return None };
        if !known.definition.meaning.is_union() {
            return None;
        }
        let is_of_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-');
        let (before, after) = cursor.text.split_at_checked(cursor.offset)?;
        let start = before.rfind(|ch| !is_of_name(ch)).map_or(0, |at| at + 1);
        let end = cursor.offset + after.find(|ch| !is_of_name(ch)).unwrap_or(after.len());
        let written = cursor.text.get(start..end)?;
        let name = cursor.in_file(start..end);
        self.all().find_map(|generated| {
            nodes_of(self, generated, cursor).into_iter().find_map(|Node { file: made, place }| {
                let schema = place.steps.iter().rposition(|step| step == "x-kubernetes-validations")?;
                let above = place.steps.get(..schema)?.iter().map(String::as_str);
                let steps: Vec<&str> = above.chain(["properties", written]).collect();
                let key = made.file.place_of(place.document, &steps)?.key?;
                Some(NameAtPlace {
                    generated,
                    definitions: made,
                    offset: key.start,
                    name: Name::Of { name, key },
                })
            })
        })
    }

    /// The declaration of the name at a place.
    pub(in crate::server) fn definition(&self, offset: TextSize, packages: &Packages) -> Option<SourcePlace> {
        let named = self.name_at(offset)?;
        let (path, range) = named.declared()?;
        located(named.generated, packages, &path, range)
    }

    /// All references to the name at a place, its declaration first, and the property.
    pub(in crate::server) fn references(
        &self,
        offset: TextSize,
        packages: &Packages,
    ) -> Option<(Vec<SourcePlace>, Option<Property>)> {
        let named = self.name_at(offset)?;
        let file = &named.definitions.file;
        let mut seen = Vec::new();
        for range in file.references(named.offset) {
            let origin = named.generated.origin_of_name(named.definitions, range);
            seen.extend(origin.filter(|origin| !seen.contains(origin)));
        }
        let texts = packages.texts();
        let open = |path: &Path| open_text(&texts, path);
        let located = GoLocator::new(named.generated, &open, &display_name);
        let places = seen.iter().filter_map(|(path, range)| located.locate(path, *range));
        let declared = || file.property(named.target()?.start);
        Some((places.collect(), file.property(named.offset).or_else(declared)))
    }

    /// The range of the name of a field at a place, and the name in its tag.
    pub(in crate::server) fn rename_target(&self, offset: TextSize) -> Option<(TextRange, JsonName)> {
        let named = self.name_at(offset)?;
        let (path, range) = named.declared()?;
        Some((named.range()?, self.named_at(&path, range.start)?))
    }
}

impl NameAtPlace<'_> {
    /// The range of its declaration in the generated text.
    fn target(&self) -> Option<TextRange> {
        match self.name {
            Name::Part(_) => Some(self.definitions.file.definition(self.offset)?.target),
            Name::Of { key, .. } => Some(key),
        }
    }

    /// The range of the name in Go, if it can be renamed.
    fn range(&self) -> Option<TextRange> {
        match &self.name {
            Name::Part(expression) => {
                expression.to_go(self.definitions.file.rename_target(self.offset).ok()?.range)
            }
            Name::Of { name, .. } => Some(*name),
        }
    }

    /// The token in Go that declares it.
    fn declared(&self) -> Option<(PathBuf, TextRange)> {
        self.generated.origin_of(self.definitions, self.target()?)
    }
}
