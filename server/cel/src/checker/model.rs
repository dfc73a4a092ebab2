//! What a check starts from and what it gives.

use crate::ast::{Ast, ExprId, ExprKind};
use crate::env::{Environment, OverloadId};
use crate::issue::Issue;
use crate::types::{Type, TypeProvider};

/// A variable that an expression may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Type,
}

/// What an expression is checked against.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The functions and features.
    pub env: Environment,
    /// The variables.
    pub variables: &'a [Variable],
    /// The object types.
    pub provider: &'a dyn TypeProvider,
    /// Whether Go's `regexp` takes a pattern.
    pub regex_is_valid: fn(&str) -> bool,
}

/// What a node refers to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reference {
    /// Nothing that is declared.
    #[default]
    None,
    /// A variable of the context, by its place there.
    Variable(usize),
    /// A variable of a macro.
    Local,
    /// A type as a value; a selection such as `net.IP` is one name.
    Type(Type),
    /// The constant of an enumeration, all of them ints.
    Constant(i64),
    /// A function.
    Call(CallReference),
}

/// The overloads that a call may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallReference {
    pub(super) start: u32,
    pub(super) len: u32,
    /// Whether what looks like the receiver is the namespace of the function: `sets` in `sets.contains(a, b)`.
    pub namespaced: bool,
    /// The function, by one of its overloads.
    pub first: OverloadId,
}

/// A checked expression.
#[derive(Clone, Debug)]
pub struct Checked {
    pub(super) types: Vec<Option<Type>>,
    pub(super) references: Vec<Reference>,
    pub(super) overloads: Vec<OverloadId>,
    /// What it was checked against.
    pub(crate) env: Environment,
    /// What is wrong, in cel-go's order.
    pub issues: Vec<Issue>,
}

impl Checked {
    /// The type of a node; the error type for nodes that a macro left out.
    #[must_use]
    pub fn type_of(&self, id: ExprId) -> &Type {
        self.types.get(id.index()).and_then(Option::as_ref).unwrap_or(&Type::Error)
    }

    /// What a node refers to.
    #[must_use]
    pub fn reference(&self, id: ExprId) -> &Reference {
        self.references.get(id.index()).unwrap_or(&Reference::None)
    }

    /// The overloads that the call `id` may run, none for other nodes and calls that fit none.
    #[must_use]
    pub fn overloads(&self, id: ExprId) -> &[OverloadId] {
        match self.reference(id) {
            Reference::Call(call) => {
                self.overloads.get(call.start as usize..(call.start + call.len) as usize).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Whether a variable of that name is used, be it one of the context or of a macro. A rule that uses `oldSelf` in
    /// either sense is a transition rule to the API server.
    #[must_use]
    pub fn uses(&self, ast: &Ast, name: &str) -> bool {
        ast.exprs().any(|(id, expr)| {
            matches!(self.reference(id), Reference::Variable(_) | Reference::Local)
                && matches!(expr.kind, ExprKind::Ident(used) if ast.name(used).trim_start_matches('.') == name)
        })
    }

    /// Whether the call `id` is one of a function with a namespace, so that its receiver is part of its name.
    #[must_use]
    pub fn is_namespaced(&self, id: ExprId) -> bool {
        matches!(self.reference(id), Reference::Call(call) if call.namespaced)
    }
}

/// The variables that the rules of a schema see: `self`, and `oldSelf`, which is an optional where the rule says so.
#[must_use]
pub fn rule_variables(
    declarations: &crate::declarations::Declarations,
    optional_old_self: bool,
) -> Vec<Variable> {
    let of = declarations.root_type().clone();
    let old = if optional_old_self { Type::optional(of.clone()) } else { of.clone() };
    vec![Variable { name: "self".to_owned(), of }, Variable { name: "oldSelf".to_owned(), of: old }]
}
