//! Calls: the function of a name, and the overloads that accept the arguments.

use super::unify::{Unifier, exact, instantiate};
use super::{CallReference, Checker, Reference};
use crate::ast::{ExprId, ExprKind, Function, Literal, Operator};
use crate::env::{FunctionDecl, Overload, OverloadId, library};
use crate::issue::IssueCode;
use crate::types::Type;

/// Whether `overload` can be called on a value of type `receiver`.
#[must_use]
pub fn takes_receiver(overload: &Overload, receiver: &Type) -> bool {
    let Some(param) = overload.params.first().filter(|_| overload.member) else { return false };
    let mut unifier = Unifier::default();
    let letters = overload.type_params.as_slice();
    let first = unifier.fresh_block(letters.len());
    unifier.assignable(receiver, &instantiate(param, letters, first))
}

impl Checker<'_> {
    pub(super) fn check_call(
        &mut self,
        id: ExprId,
        function: Function,
        target: Option<ExprId>,
        args: &[ExprId],
    ) {
        if function == Function::Operator(Operator::OptSelect) {
            return self.check_optional_select(id, args);
        }
        for arg in args {
            self.check(*arg);
        }
        let ast = self.ast;
        let name = ast.function_name(function);
        let Some(target) = target else {
            let declared = name.strip_prefix('.').unwrap_or(name);
            return match self.context.env.function(declared) {
                Some(decl) => self.resolve(id, decl, None, args, false),
                None => {
                    self.set_type(id, Type::Error);
                    self.undeclared(id, name);
                }
            };
        };
        if let Some(decl) = self.namespaced(target, name) {
            return self.resolve(id, decl, None, args, true);
        }
        self.check(target);
        match self.context.env.function(name) {
            Some(decl) => self.resolve(id, decl, Some(target), args, false),
            None => {
                self.set_type(id, Type::Error);
                self.undeclared(id, name);
            }
        }
    }

    fn check_optional_select(&mut self, id: ExprId, args: &[ExprId]) {
        let &[operand, field] = args else { return self.set_type(id, Type::Error) };
        let ExprKind::Literal(Literal::String(name)) = self.ast.kind(field) else {
            return self.set_type(id, Type::Error);
        };
        let of = self.check_field(id, operand, name, true);
        let of = self.unifier.substitute(&of, false);
        self.set_type(id, of);
        if let Some((overload, _)) =
            self.context.env.function("_?._").and_then(|decl| decl.overload_ids().next())
        {
            self.refer_to_overloads(id, &[overload], false);
        }
    }

    /// The function with the namespace `target`; every namespace has one part.
    fn namespaced(&self, target: ExprId, name: &str) -> Option<&'static FunctionDecl> {
        let ExprKind::Ident(namespace) = self.ast.kind(target) else { return None };
        let namespace = self.ast.name(*namespace);
        let namespace = namespace.strip_prefix('.').unwrap_or(namespace);
        if !library().has_namespace(namespace) {
            return None;
        }
        self.context.env.function(&format!("{namespace}.{name}"))
    }

    fn refer_to_overloads(&mut self, id: ExprId, overloads: &[OverloadId], namespaced: bool) {
        let Some(&first) = overloads.first() else { return };
        let start = self.overloads.len() as u32;
        self.overloads.extend_from_slice(overloads);
        let call = CallReference { start, len: overloads.len() as u32, namespaced, first };
        self.refer(id, Reference::Call(call));
    }

    fn resolve(
        &mut self,
        id: ExprId,
        decl: &'static FunctionDecl,
        target: Option<ExprId>,
        args: &[ExprId],
        namespaced: bool,
    ) {
        if matches!(decl.name, "_&&_" | "_||_") {
            return self.resolve_logic(id, decl, args);
        }
        let mut types: Vec<Type> = target.iter().chain(args).map(|arg| self.type_of(*arg)).collect();
        let mut found = Vec::new();
        let mut result: Option<Type> = None;
        for (overload_id, overload) in decl.overload_ids() {
            let present =
                self.context.env.has_since(overload.since) || overload.cross_type && self.all_comparisons;
            if !present || overload.member != target.is_some() {
                continue;
            }
            let first = self.unifier.fresh_block(overload.type_params.len());
            if overload.params.len() != types.len() {
                continue;
            }
            let letters = overload.type_params.as_slice();
            let fits = if letters.is_empty() {
                self.unifier.all_assignable(&types, &overload.params)
            } else {
                let params: Vec<_> =
                    overload.params.iter().map(|param| instantiate(param, letters, first)).collect();
                self.unifier.all_assignable(&types, &params)
            };
            if !fits {
                continue;
            }
            found.push(overload_id);
            let of = instantiate(&overload.result, letters, first);
            let of = self.unifier.substitute(&of, false);
            result = Some(match result {
                None => of,
                Some(result) if result.is_dyn() || exact(&of, &result) => result,
                Some(_) => Type::Dyn,
            });
        }
        if let Some(result) = result {
            self.refer_to_overloads(id, &found, namespaced);
            return self.set_type(id, result);
        }
        for of in &mut types {
            *of = self.unifier.substitute(of, true);
        }
        let signature = signature(&types, target.is_some());
        let message = format!("found no matching overload for '{}' applied to '{signature}'", decl.name);
        self.issue(IssueCode::NoOverload, id, message);
        self.set_type(id, Type::Error);
    }

    /// `&&` and `||` check each operand separately for type bool.
    fn resolve_logic(&mut self, id: ExprId, decl: &'static FunctionDecl, args: &[ExprId]) {
        let mut fits = true;
        for arg in args {
            let of = self.type_of(*arg);
            if !self.unifier.assignable(&of, &Type::Bool) {
                self.mismatch(*arg, &Type::Bool, &of);
                fits = false;
            }
        }
        if !fits {
            return self.set_type(id, Type::Error);
        }
        if let Some((overload, _)) = decl.overload_ids().next() {
            self.refer_to_overloads(id, &[overload], false);
        }
        self.set_type(id, Type::Bool);
    }
}

/// `(a, b)`, or `target.(a, b)`.
fn signature(types: &[Type], member: bool) -> String {
    let (target, args) = match types.split_first() {
        Some((target, args)) if member => (format!("{target}."), args),
        _ => (String::new(), types),
    };
    let args: Vec<_> = args.iter().map(ToString::to_string).collect();
    format!("{target}({})", args.join(", "))
}
