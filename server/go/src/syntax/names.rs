//! Which types refer to which other types.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Expr, ExprKind, File};

/// The types of a file that refer to a type, by the name of that type.
pub(super) type Names = HashMap<Arc<str>, Vec<Arc<str>>>;

impl File {
    /// The types of the file that refer to a type, once for each reference.
    pub(crate) fn types_naming(&self, name: &str) -> &[Arc<str>] {
        let names = self.derived.names.get_or_init(|| {
            let mut names = Names::new();
            for (_, declared) in self.types() {
                for_each_name(&declared.expr, &mut |name| {
                    names.entry(Arc::clone(name)).or_default().push(Arc::clone(&declared.name.name));
                });
            }
            names
        });
        names.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

fn for_each_name<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Arc<str>)) {
    match &expr.kind {
        ExprKind::Ident(name) | ExprKind::Qualified(_, name) => visit(name),
        ExprKind::Pointer(inner)
        | ExprKind::Slice(inner)
        | ExprKind::Array(inner)
        | ExprKind::Paren(inner) => for_each_name(inner, visit),
        ExprKind::Map(key, value) => {
            for_each_name(key, visit);
            for_each_name(value, visit);
        }
        ExprKind::Struct(fields) => fields.iter().for_each(|field| for_each_name(&field.expr, visit)),
        ExprKind::Interface(_, embedded) => embedded.iter().for_each(|inner| for_each_name(inner, visit)),
        ExprKind::Instance(inner, arguments) => {
            for_each_name(inner, visit);
            arguments.iter().for_each(|argument| for_each_name(argument, visit));
        }
        ExprKind::Func | ExprKind::Chan | ExprKind::Other => {}
    }
}
