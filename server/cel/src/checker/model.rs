//! The input and the result of a check.

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

/// The declarations for a check.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The functions and features.
    pub env: Environment,
    /// The variables.
    pub variables: &'a [Variable],
    /// The object types.
    pub provider: &'a dyn TypeProvider,
    /// Whether Go's `regexp` accepts a pattern.
    pub regex_is_valid: fn(&str) -> bool,
}

/// The declaration of a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reference {
    /// No declaration.
    #[default]
    None,
    /// A variable of the context, by its index.
    Variable(usize),
    /// A variable of a macro.
    Local,
    /// A type as a value; a selection such as `net.IP` is one name.
    Type(Type),
    /// The constant of an enumeration; all constants are ints.
    Constant(i64),
    /// A function.
    Call(CallReference),
}

/// The overloads that a call may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallReference {
    pub(super) start: u32,
    pub(super) len: u32,
    /// Whether the receiver is the namespace of the function: `sets` in `sets.contains(a, b)`.
    pub namespaced: bool,
    /// The function, by one of its overloads.
    pub first: OverloadId,
}

/// A checked expression.
#[derive(Clone, Debug)]
pub struct CheckedExpr {
    pub(super) types: Vec<Option<Type>>,
    pub(super) references: Vec<Reference>,
    pub(super) overloads: Vec<OverloadId>,
    /// The environment of the check.
    pub(crate) env: Environment,
    /// The issues, in cel-go's order.
    pub issues: Vec<Issue>,
}

impl CheckedExpr {
    /// The type of a node; the error type for nodes that a macro does not use.
    #[must_use]
    pub fn type_of(&self, id: ExprId) -> &Type {
        self.types.get(id.index()).and_then(Option::as_ref).unwrap_or(&Type::Error)
    }

    /// The declaration of a node.
    #[must_use]
    pub fn reference(&self, id: ExprId) -> &Reference {
        self.references.get(id.index()).unwrap_or(&Reference::None)
    }

    /// The overloads that the call `id` may run; empty for other nodes and for calls without a matching overload.
    #[must_use]
    pub fn overloads(&self, id: ExprId) -> &[OverloadId] {
        match self.reference(id) {
            Reference::Call(call) => {
                self.overloads.get(call.start as usize..(call.start + call.len) as usize).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Whether a variable of that name is used, from the context or from a macro. For the API server, a rule
    /// with either kind of `oldSelf` is a transition rule.
    #[must_use]
    pub fn uses(&self, ast: &Ast, name: &str) -> bool {
        ast.exprs().any(|(id, expr)| {
            matches!(self.reference(id), Reference::Variable(_) | Reference::Local)
                && matches!(expr.kind, ExprKind::Ident(used) if ast.name(used).trim_start_matches('.') == name)
        })
    }

    /// Whether the call `id` refers to a function with a namespace, so that its receiver is part of the name.
    #[must_use]
    pub fn is_namespaced(&self, id: ExprId) -> bool {
        matches!(self.reference(id), Reference::Call(call) if call.namespaced)
    }
}

/// The variables of a schema's rules: `self`, and `oldSelf`, which is an optional if the rule declares it so.
#[must_use]
pub fn rule_variables(
    declarations: &crate::declarations::Declarations,
    optional_old_self: bool,
) -> Vec<Variable> {
    let of = declarations.root_type().clone();
    let old = if optional_old_self { Type::optional(of.clone()) } else { of.clone() };
    vec![Variable { name: "self".to_owned(), of }, Variable { name: "oldSelf".to_owned(), of: old }]
}
