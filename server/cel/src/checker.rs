//! The types of all nodes, and the declarations of names and calls.

mod calls;
mod format;
mod literals;
mod model;
mod names;
mod unify;
mod validators;

pub use calls::takes_receiver;
pub use model::{CallReference, CheckedExpr, Context, Reference, Variable, rule_variables};

use text::{TextRange, TextSize};

use crate::ast::{Ast, Comprehension, ExprId, ExprKind, Name};
use crate::env::{Feature, OverloadId};
use crate::issue::{self, Issue, IssueCode};
use crate::parser::is_reserved;
use crate::types::Type;
use literals::literal_type;
use names::GlobalName;
use unify::Unifier;

/// The release from which on errors print an optional type as `optional_type(T)`; earlier ones print `optional(T)`.
const NAMES_OPTIONALS: u8 = 31;

/// Checks a tree. Every node gets a type, even if there are errors.
#[must_use]
pub fn check(ast: &Ast, context: &Context<'_>) -> CheckedExpr {
    let mut checker = Checker::new(ast, context);
    checker.check(ast.root());
    for part in ast.skipped() {
        checker.check_quietly(*part);
    }
    checker.finish()
}

struct Checker<'a> {
    ast: &'a Ast,
    context: &'a Context<'a>,
    unifier: Unifier,
    types: Vec<Option<Type>>,
    references: Vec<Reference>,
    overloads: Vec<OverloadId>,
    issues: Vec<Issue>,
    scopes: Vec<(Name, Type)>,
    /// Whether comparisons across types are available. Within and after a loop, cel-go forgets which
    /// overloads the environment excludes.
    all_comparisons: bool,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, context: &'a Context<'a>) -> Self {
        Self {
            ast,
            context,
            unifier: Unifier::default(),
            types: vec![None; ast.len()],
            references: vec![Reference::None; ast.len()],
            overloads: Vec::with_capacity(ast.len()),
            issues: Vec::new(),
            scopes: Vec::new(),
            all_comparisons: context.env.has(Feature::CrossTypeComparisons),
        }
    }

    fn finish(mut self) -> CheckedExpr {
        let mut types = std::mem::take(&mut self.types);
        for of in types.iter_mut().flatten() {
            *of = self.unifier.substitute(of, true);
        }
        let mut checked = CheckedExpr {
            types,
            references: self.references,
            overloads: self.overloads,
            env: self.context.env,
            issues: self.issues,
        };
        if checked.issues.is_empty() {
            checked.issues = validators::validate(self.ast, &checked, self.context);
        }
        issue::sort(&mut checked.issues);
        if self.context.env.server() < NAMES_OPTIONALS {
            for issue in &mut checked.issues {
                issue.message = issue.message.replace("optional_type(", "optional(");
            }
        }
        checked
    }

    // ---- tables

    fn type_of(&self, id: ExprId) -> Type {
        self.types.get(id.index()).cloned().flatten().unwrap_or(Type::Error)
    }

    fn set_type(&mut self, id: ExprId, of: Type) {
        if let Some(slot) = self.types.get_mut(id.index()) {
            *slot = Some(of);
        }
    }

    fn refer(&mut self, id: ExprId, reference: Reference) {
        if let Some(slot) = self.references.get_mut(id.index()) {
            *slot = reference;
        }
    }

    fn issue(&mut self, code: IssueCode, id: ExprId, message: String) {
        let expr = self.ast.expr(id);
        self.issue_at(code, expr.range, expr.anchor, message);
    }

    fn issue_at(&mut self, code: IssueCode, range: TextRange, anchor: TextSize, message: String) {
        self.issues.push(Issue { code, range, anchor: Some(anchor), types: Vec::new(), message });
    }

    /// Records the types that the message of the last issue names.
    fn name_types(&mut self, types: Vec<Type>) {
        if let Some(issue) = self.issues.last_mut() {
            issue.types = types;
        }
    }

    fn mismatch(&mut self, id: ExprId, expected: &Type, found: &Type) {
        self.issue(IssueCode::TypeMismatch, id, format!("expected type '{expected}' but found '{found}'"));
        self.name_types(vec![expected.clone(), found.clone()]);
    }

    // ---- nodes

    fn check(&mut self, id: ExprId) {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Error => self.set_type(id, Type::Error),
            ExprKind::Literal(literal) => self.set_type(id, literal_type(literal)),
            ExprKind::Ident(name) => self.check_ident(id, ast.name(*name)),
            ExprKind::Select { operand, field, test_only, .. } => {
                self.check_select(id, *operand, ast.name(*field), *test_only);
            }
            ExprKind::Call { function, target, args } => {
                self.check_call(id, *function, *target, ast.list(*args))
            }
            ExprKind::List { elements, optional } => self.check_list(id, ast.list(*elements), *optional),
            ExprKind::Map(entries) => self.check_map(id, *entries),
            ExprKind::Struct { type_name, fields } => self.check_struct(id, ast.name(*type_name), *fields),
            ExprKind::Comprehension(comprehension) => self.check_comprehension(id, comprehension),
        }
    }

    fn check_ident(&mut self, id: ExprId, name: &str) {
        if let Some(local) = self.local(name) {
            let of = local.clone();
            self.refer(id, Reference::Local);
            return self.set_type(id, of);
        }
        if !self.refer_to_global(id, name) {
            self.set_type(id, Type::Error);
            self.undeclared(id, name);
        }
    }

    fn local(&self, name: &str) -> Option<&Type> {
        // A leading dot refers to a declaration of the context.
        if self.scopes.is_empty() || name.starts_with('.') {
            return None;
        }
        let name = self.ast.find_name(name)?;
        self.scopes.iter().rev().find(|(local, _)| *local == name).map(|(_, of)| of)
    }

    /// Variables of the context, types and constants; a leading dot skips the variables of macros.
    fn refer_to_global(&mut self, id: ExprId, name: &str) -> bool {
        let name = name.strip_prefix('.').unwrap_or(name);
        if let Some(at) = self.context.variables.iter().position(|variable| variable.name == name) {
            let of =
                self.context.variables.get(at).map_or(Type::Error, |variable| variable.variable_type.clone());
            self.refer(id, Reference::Variable(at));
            self.set_type(id, of);
            return true;
        }
        match names::global(name, self.context.env) {
            Some(GlobalName::Type(of)) => {
                self.set_type(id, Type::type_of(of.clone()));
                self.refer(id, Reference::Type(of));
            }
            Some(GlobalName::Constant(value)) => {
                self.set_type(id, Type::Int);
                self.refer(id, Reference::Constant(value));
            }
            None => return false,
        }
        true
    }

    fn undeclared(&mut self, id: ExprId, name: &str) {
        let message = format!("undeclared reference to '{name}' (in container '')");
        self.issue(IssueCode::Undeclared, id, message);
    }

    fn check_select(&mut self, id: ExprId, operand: ExprId, field: &str, test_only: bool) {
        if !test_only
            && let Some(qualified) = self.qualified_name(id)
            && self.local(qualified.split('.').next().unwrap_or_default()).is_none()
            && self.refer_to_global(id, &qualified)
        {
            return;
        }
        let of = self.check_field(id, operand, field, false);
        let of = if test_only { Type::Bool } else { self.unifier.substitute(&of, false) };
        self.set_type(id, of);
    }

    /// `a.b.c` if all parts are plain names that may be the name of a type, a constant or a variable.
    fn qualified_name(&self, id: ExprId) -> Option<String> {
        let mut parts = vec![];
        let mut at = id;
        loop {
            match self.ast.kind(at) {
                ExprKind::Select { operand, field, test_only: false, .. } => {
                    parts.push(self.ast.name(*field));
                    at = *operand;
                }
                ExprKind::Ident(name) => {
                    let name = self.ast.name(*name);
                    // Only declarations with dots are searched, which keeps long chains linear.
                    let rooted = name.strip_prefix('.').unwrap_or(name);
                    if parts.len() > 4 || !(matches!(rooted, "net" | "google") || self.is_dotted(rooted)) {
                        return None;
                    }
                    parts.push(name);
                    break;
                }
                _ => return None,
            }
            if parts.len() > 5 {
                return None;
            }
        }
        parts.reverse();
        Some(parts.join("."))
    }

    /// Whether any variable's name has dots, with `start` before the first of them.
    fn is_dotted(&self, start: &str) -> bool {
        let mut names = self.context.variables.iter().map(|variable| &*variable.name);
        names.any(|name| name.strip_prefix(start).is_some_and(|rest| rest.starts_with('.')))
    }

    fn check_field(&mut self, id: ExprId, operand: ExprId, field: &str, optional: bool) -> Type {
        self.check(operand);
        let of = self.type_of(operand);
        let operand_type = self.unifier.substitute(&of, false);
        let (target, is_optional) = operand_type.unwrap_optional();
        let result = match target {
            Type::Map(entry) => entry.1.clone(),
            Type::Object(name) => {
                // An unfinished field is not a separate error.
                if field.is_empty() { Type::Error } else { self.field(id, name, field) }
            }
            Type::Param(_) => {
                self.unifier.assignable(&Type::Dyn, target);
                Type::Dyn
            }
            other => {
                if !other.is_dyn_or_error() && !field.is_empty() {
                    let message = format!("type '{other}' does not support field selection");
                    self.issue(IssueCode::NoFieldSelection, id, message);
                }
                Type::Dyn
            }
        };
        if is_optional || optional { Type::optional(result) } else { result }
    }

    fn field(&mut self, id: ExprId, object: &str, field: &str) -> Type {
        let expr = self.ast.expr(id);
        self.field_at(expr.range, expr.anchor, object, field).unwrap_or(Type::Error)
    }

    fn field_at(&mut self, range: TextRange, anchor: TextSize, object: &str, field: &str) -> Option<Type> {
        let provider = self.context.provider;
        let found = if provider.has_object(object) {
            provider.field_type(object, field).or_else(|| {
                let keyword = self.context.env.has(Feature::ReservedWordsAsFields) && is_reserved(field);
                keyword.then(|| provider.field_type(object, &format!("__{field}__"))).flatten()
            })
        } else if names::is_message(object) {
            names::message_field(object, field)
        } else {
            let message = format!("unexpected failed resolution of '{object}'");
            self.issue_at(IssueCode::NoFieldSelection, range, anchor, message);
            return None;
        };
        if found.is_none() {
            self.issue_at(IssueCode::UndefinedField, range, anchor, format!("undefined field '{field}'"));
        }
        found
    }

    /// Assigns types to nodes that cel-go does not check, for hovers; errors are dropped.
    fn check_quietly(&mut self, id: ExprId) {
        let issues = self.issues.len();
        self.check(id);
        self.issues.truncate(issues);
    }

    // ---- loops

    fn check_comprehension(&mut self, id: ExprId, comprehension: &Comprehension) {
        self.check(comprehension.range);
        self.check(comprehension.accu_init);
        let range = self.type_of(comprehension.range);
        let range = self.unifier.substitute(&range, false);
        let accu = self.type_of(comprehension.accu_init);
        let outer = self.scopes.len();
        self.scopes.push((comprehension.accu_var, accu.clone()));
        self.all_comparisons = true;
        let inner = self.scopes.len();
        let (first, second) = match &range {
            Type::List(element) if comprehension.iter_var2.is_some() => (Type::Int, (**element).clone()),
            Type::List(element) => ((**element).clone(), Type::Error),
            Type::Map(entry) => (entry.0.clone(), entry.1.clone()),
            Type::Dyn | Type::Error | Type::Param(_) => {
                self.unifier.assignable(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            other => {
                let message = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                let types = vec![other.clone()];
                self.issue(IssueCode::NotIterable, comprehension.range, message);
                self.name_types(types);
                (Type::Error, Type::Error)
            }
        };
        self.scopes.push((comprehension.iter_var, first));
        if let Some(variable) = comprehension.iter_var2 {
            self.scopes.push((variable, second));
        }
        self.check(comprehension.condition);
        self.assert_type(comprehension.condition, &Type::Bool);
        self.check(comprehension.step);
        self.assert_type(comprehension.step, &accu);
        self.scopes.truncate(inner);
        self.check(comprehension.result);
        self.scopes.truncate(outer);
        let of = self.type_of(comprehension.result);
        let of = self.unifier.substitute(&of, false);
        self.set_type(id, of);
    }

    fn assert_type(&mut self, id: ExprId, wanted: &Type) {
        let of = self.type_of(id);
        if !self.unifier.assignable(wanted, &of) {
            self.mismatch(id, wanted, &of);
        }
    }
}
