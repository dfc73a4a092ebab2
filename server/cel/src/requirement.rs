//! The parts of an expression that some servers do not support.

use crate::ast::{Ast, ExprKind};
use crate::checker::{CheckedExpr, Reference};
use crate::env::{Feature, macro_since, needs_server};
use crate::parser::is_reserved;
use crate::types::Type;
use text::TextRange;

/// A part of an expression that some servers do not support.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The first release (1.N) whose environment has it.
    pub since: u8,
    /// A description: a function, a macro or a piece of syntax.
    pub what: String,
    /// Its range.
    pub range: TextRange,
}

impl Requirement {
    /// The first API server release (1.N) in which a new rule may use it.
    #[must_use]
    pub const fn server(&self) -> u8 {
        match needs_server(self.since) {
            Some(server) => server,
            None => 0,
        }
    }
}

/// The newest part of an expression that was checked in the environment for stored rules, which has
/// everything; `None` if all releases support the whole expression.
#[must_use]
pub fn requirement(ast: &Ast, checked: &CheckedExpr) -> Option<Requirement> {
    newest(&requirements(ast, checked).collect::<Vec<_>>()).cloned()
}

/// The first of several parts from the same release.
#[must_use]
pub fn newest<'p>(parts: impl IntoIterator<Item = &'p Requirement>) -> Option<&'p Requirement> {
    parts.into_iter().reduce(|newest, part| if part.since > newest.since { part } else { newest })
}

/// The parts of an expression that some releases do not support; the expression was checked in the
/// environment for stored rules, which has everything. A comparison with the environment in use shows why a
/// name is not declared there. A macro precedes the functions of its expansion.
pub fn requirements(ast: &Ast, checked: &CheckedExpr) -> impl Iterator<Item = Requirement> {
    let calls = ast.exprs().filter_map(|(id, expr)| {
        let (since, what) = match &expr.kind {
            ExprKind::Call { .. } => {
                let since =
                    checked.overloads(id).iter().filter_map(|id| id.overload()).map(|o| o.since).min()?;
                let name = checked
                    .overloads(id)
                    .first()?
                    .overload()
                    .map_or_else(String::new, |o| o.function.to_owned());
                (since, name)
            }
            ExprKind::Select { operand, field, .. } => {
                let field = ast.name(*field);
                match (checked.reference(id), checked.type_of(*operand)) {
                    (Reference::Type(of @ Type::Opaque(_)), _) => (30, of.to_string()),
                    (_, Type::Object(_)) if is_reserved(field) => {
                        (Feature::ReservedWordsAsFields.first_release(), format!("field {field}"))
                    }
                    _ => return None,
                }
            }
            ExprKind::List { optional, .. } if !ast.indices(*optional).is_empty() => optional_entries(),
            ExprKind::Map(entries) if ast.entries(*entries).iter().any(|entry| entry.optional) => {
                optional_entries()
            }
            _ => return None,
        };
        Some(Requirement { since, what, range: expr.range })
    });
    let macros = ast.macros().iter().filter_map(|call| {
        let name = ast.name(call.name);
        let since = macro_since(name, call.args.len())?;
        Some(Requirement { since, what: name.to_owned(), range: call.name_range })
    });
    macros.chain(calls).filter(|part| part.since > 0)
}

fn optional_entries() -> (u8, String) {
    (Feature::OptionalTypes.first_release(), "optional entries".to_owned())
}
