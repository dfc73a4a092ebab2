//! The Go declaration that a node of a schema comes from, which determines where its markers go.

use std::path::Path;

use crate::generate::Outcome;
use crate::load::{FileId, Place};
use crate::marker::{self, Marker, Meaning, ResolvedMarker, Target};
use crate::schema::{Schema, json_types};
use crate::syntax::{Expr, ExprKind, Field, File, Span, TypeDeclaration, bare, json_tag};

/// A field or a type, or the items of one.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    file: FileId,
    target: Target,
    /// Whether markers begin with `kubebuilder:validation:items:`.
    items: bool,
    /// The start of its name, in bytes.
    start: u32,
}

impl Owner {
    /// The type whose name is at a place.
    pub(super) fn kind(outcome: &Outcome, place: Place) -> Result<Self, String> {
        let place = outcome.current_place(place);
        let file = outcome.source(place.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let declared = file.types().find(|(_, declared)| declared.name.span.start == place.span.start);
        let (_, declared) = declared.ok_or_else(|| "the type does not exist".to_owned())?;
        Ok(Self { file: place.file, target: Target::Type, items: false, start: declared.name.span.start })
    }

    /// The field of a property.
    pub(super) fn field(self, outcome: &Outcome, schema: &Schema) -> Result<Self, String> {
        let cause = schema.causes.iter().rev().find(|cause| cause.keyword == "properties");
        let place = cause
            .map(|cause| outcome.current_place(cause.place))
            .ok_or_else(|| "no field has this property".to_owned())?;
        let file = outcome.source(place.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let (field, _) =
            field_at(file, place.span.start).ok_or_else(|| "no field has this property".to_owned())?;
        if field.names.len() > 1 {
            return Err("several fields share one tag".to_owned());
        }
        Ok(Self { file: place.file, target: Target::Field, items: false, start: field.spec.span.start })
    }

    /// The items of a list, or the values of a map.
    pub(super) fn element(&self, outcome: &Outcome) -> Result<Self, String> {
        let file = outcome.source(self.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let expr = bare(self.expr(file).ok_or_else(|| "the type does not exist".to_owned())?);
        if self.items {
            return Err(
                "markers cannot apply to lists within lists; declare a type for the inner list".to_owned()
            );
        }
        match &expr.kind {
            ExprKind::Slice(inner) | ExprKind::Array(inner) => match self.declared(outcome, bare(inner)) {
                Some(owner) => Ok(owner),
                None => Ok(Self { items: true, ..self.clone() }),
            },
            ExprKind::Map(_, inner) => self.declared(outcome, bare(inner)).ok_or_else(|| {
                "markers cannot apply to the values of a map; declare a type for them".to_owned()
            }),
            _ => self.named_type(outcome)?.element(outcome),
        }
    }

    /// The place of the type if it is a 32-bit integer.
    pub(super) fn short_integer(&self, outcome: &Outcome) -> Option<Place> {
        let expr = bare(self.expr(outcome.source(self.file)?)?);
        let is_short = matches!(&expr.kind, ExprKind::Ident(name) if matches!(&**name, "int32" | "uint32"));
        is_short.then_some(Place { file: self.file, span: expr.span })
    }

    /// The type of a field, if the named packages declare it.
    pub(super) fn named_type(&self, outcome: &Outcome) -> Result<Self, String> {
        let file = outcome.source(self.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let expr = self.expr(file).map(bare).filter(|_| !self.items);
        let owner = expr.and_then(|expr| self.declared(outcome, expr));
        owner.ok_or_else(|| "its type is not declared in this package".to_owned())
    }

    /// The declaration of a type in the same package.
    fn declared(&self, outcome: &Outcome, expr: &Expr) -> Option<Self> {
        let ExprKind::Ident(name) = &expr.kind else { return None };
        let folder = outcome.source(self.file)?.path.parent().map(Path::to_owned)?;
        outcome.roots.iter().find_map(|id| {
            let file = outcome.source(*id).filter(|file| file.path.parent() == Some(&folder))?;
            let (_, declared) = file.types().find(|(_, declared)| declared.name.name == *name)?;
            Some(Self { file: *id, target: Target::Type, items: false, start: declared.name.span.start })
        })
    }

    fn expr<'f>(&self, file: &'f File) -> Option<&'f Expr> {
        match self.target {
            Target::Field => field_at(file, self.start).map(|(field, _)| &field.expr),
            _ => file
                .types()
                .find(|(_, declared)| declared.name.span.start == self.start)
                .map(|(_, one)| &one.expr),
        }
    }

    /// The JSON types that Go decodes into it, if its type is a basic type such as `string`.
    pub(super) fn decoded(&self, outcome: &Outcome) -> Option<&'static [&'static str]> {
        let mut expr = bare(self.expr(outcome.source(self.file)?)?);
        if let ExprKind::Slice(items) | ExprKind::Array(items) = &expr.kind
            && self.items
        {
            expr = bare(items);
        }
        let ExprKind::Ident(name) = &expr.kind else { return None };
        json_types(name)
    }

    /// The place of `,omitempty` in the tag, if the field has a basic type and Go therefore omits its empty value.
    pub(super) fn omitempty(&self, outcome: &Outcome) -> Option<Place> {
        let file = outcome.source(self.file).filter(|_| self.target == Target::Field && !self.items)?;
        let (field, _) = field_at(file, self.start)?;
        let ExprKind::Ident(name) = &field.expr.kind else { return None };
        json_types(name)?;
        let tag = field.tag.as_ref().filter(|tag| tag.is_raw())?;
        let (value, range) = json_tag(&tag.text)?;
        let option = ",omitempty";
        let at = value.find(option)?;
        Some(Place { file: self.file, span: tag.part(range.start + at, option.len()) })
    }

    /// The marker that sets a keyword on this owner.
    pub(super) fn marker(&self, outcome: &Outcome, keyword: &str) -> Option<ResolvedMarker> {
        // Two markers set some keywords; the type decides which.
        let is_map = || {
            let expr = outcome.source(self.file).and_then(|file| self.expr(file)).map(bare);
            matches!(expr.map(|expr| &expr.kind), Some(ExprKind::Map(..)))
        };
        let wanted = (keyword == "x-kubernetes-map-type")
            .then(|| if is_map() { Meaning::MapType } else { Meaning::StructType });
        marker::all(outcome.version)
            .filter(|(known, target)| *target == self.target && known.items == self.items)
            .map(|(known, _)| known)
            .filter(|known| wanted.is_none_or(|wanted| wanted == known.definition.meaning))
            .filter(|known| known.definition.meaning.keyword() == Some(keyword))
            // Of two names, the one in kubebuilder's documentation.
            .min_by_key(|known| known.name().contains(":X"))
    }

    /// Its markers.
    pub(super) fn markers(&self, outcome: &Outcome) -> Vec<(Marker, Place)> {
        let Some(file) = outcome.source(self.file) else { return Vec::new() };
        let associated = file.associated(outcome.version);
        let lists = if self.target == Target::Field { &associated.fields } else { &associated.types };
        let comments = lists.get(self.start).into_iter().flatten();
        let markers = comments.filter_map(|comment| {
            let marker = comment.read.as_ref()?.marker.clone();
            Some((marker, Place { file: self.file, span: comment.span }))
        });
        markers.collect()
    }

    /// The place and the text of a line with a new marker.
    pub(super) fn line(&self, outcome: &Outcome, marker: &str) -> Result<(Place, String), String> {
        let file = outcome.source(self.file).ok_or_else(|| "the file does not exist".to_owned())?;
        let start = match self.target {
            Target::Field => Some(self.start),
            _ => declaration_start(file, self.start),
        };
        let start = start.ok_or_else(|| "the type does not exist".to_owned())? as usize;
        let before = file.text.get(..start).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = before.get(line_start..).unwrap_or("");
        if !indent.trim().is_empty() {
            return Err("it does not begin a line".to_owned());
        }
        let end = if before.ends_with("\r\n")
            || before.get(..line_start).is_some_and(|text| text.ends_with("\r\n"))
        {
            "\r\n"
        } else {
            "\n"
        };
        let at = Span { start: line_start as u32, end: line_start as u32 };
        Ok((Place { file: self.file, span: at }, format!("{indent}// +{marker}{end}")))
    }
}

/// The start of a type declaration: of the group for a type in parentheses, otherwise of the declaration itself.
fn declaration_start(file: &File, name: u32) -> Option<u32> {
    let (declaration, declared): (_, &TypeDeclaration) =
        file.types().find(|(_, declared)| declared.name.span.start == name)?;
    let in_parentheses = matches!(&declaration.kind, crate::syntax::DeclarationKind::Type(_, true));
    Some(if in_parentheses { declared.spec.span.start } else { declaration.span.start })
}

/// The field that contains a byte, at any depth.
pub(crate) fn field_at(file: &File, at: u32) -> Option<(&Field, &TypeDeclaration)> {
    file.types().find_map(|(_, declared)| {
        let ExprKind::Struct(fields) = &declared.expr.kind else { return None };
        let field = fields.iter().find(|field| {
            let end =
                field.tag.as_ref().map_or(field.spec.span.end, |tag| tag.span.end.max(field.spec.span.end));
            field.spec.span.start <= at && at < end
        })?;
        Some((field, declared))
    })
}
