//! The declaration at a position.

use super::{ExprKind, File, Span};

/// A field or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredItem {
    /// The whole span; for a field, with its tag.
    pub span: Span,
    /// Its name, or the type of an embedded field.
    pub name: Span,
    /// Whether it is a field.
    pub is_field: bool,
}

impl File {
    /// The type of the field that contains a token.
    #[must_use]
    pub(crate) fn type_of_field(&self, token: Span) -> Option<Span> {
        self.types().find_map(|(_, declared)| match &declared.expr.kind {
            ExprKind::Struct(fields) => {
                let field = fields.iter().find(|field| field.spec.span.contains(token))?;
                Some(field.expr.span)
            }
            _ => None,
        })
    }

    /// The field of a struct that contains a byte, or the type whose name contains it or that has no fields.
    #[must_use]
    pub fn declared_at(&self, at: u32) -> Option<DeclaredItem> {
        let holds = |span: Span| span.start <= at && at <= span.end;
        for (_, declared) in self.types() {
            if holds(declared.name.span) {
                return Some(DeclaredItem {
                    span: declared.expr.span,
                    name: declared.name.span,
                    is_field: false,
                });
            }
            if !holds(declared.expr.span) {
                continue;
            }
            let ExprKind::Struct(fields) = &declared.expr.kind else {
                return Some(DeclaredItem {
                    span: declared.expr.span,
                    name: declared.name.span,
                    is_field: false,
                });
            };
            let field = fields.iter().find(|field| holds(field.spec.span))?;
            let name = field.names.first().map_or(field.expr.span, |name| name.span);
            return Some(DeclaredItem { span: field.spec.span, name, is_field: true });
        }
        None
    }
}
