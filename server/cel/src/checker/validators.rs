//! Checks of literals after the type check, only if the type check found no errors.

use super::unify::exact;
use super::{CheckedExpr, Context, format};
use crate::ast::{Ast, EntryKey, ExprId, ExprKind, Function, Literal};
use crate::env::Feature;
use crate::issue::{Issue, IssueCode};
use crate::types::Type;
use crate::value::{Timestamp, parse_duration};

pub(super) fn validate(ast: &Ast, checked: &CheckedExpr, context: &Context<'_>) -> Vec<Issue> {
    let arguments = context.env.has(Feature::LiteralValidators);
    let mut validator = Validator { ast, checked, context, arguments, issues: Vec::new() };
    // A list within the arguments of `format` may mix types.
    let mut open = vec![(ast.root(), false)];
    while let Some((id, exempt)) = open.pop() {
        let is_format = validator.node(id, exempt);
        ast.for_each_child(id, |child| open.push((child, exempt || is_format)));
    }
    validator.issues
}

struct Validator<'a> {
    ast: &'a Ast,
    checked: &'a CheckedExpr,
    context: &'a Context<'a>,
    /// Whether literal arguments are checked in addition to the elements of literals.
    arguments: bool,
    issues: Vec<Issue>,
}

impl Validator<'_> {
    fn issue(&mut self, code: IssueCode, id: ExprId, message: String) {
        let expr = self.ast.expr(id);
        self.issues.push(Issue {
            code,
            range: expr.range,
            anchor: Some(expr.anchor),
            types: Vec::new(),
            message,
        });
    }

    /// Checks a node; returns true for calls of `format`.
    fn node(&mut self, id: ExprId, exempt: bool) -> bool {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Call { function: Function::Named(name), target, args } => {
                let name = ast.name(*name);
                let args = ast.list(*args);
                if let Some(&first) = args.first()
                    && self.arguments
                {
                    self.argument(name, first);
                }
                if name == "format"
                    && self.arguments
                    && let (Some(target), &[list]) = (target, args)
                {
                    self.format(id, *target, list);
                }
                name == "format"
            }
            ExprKind::List { elements, optional } if !exempt => {
                let optional = ast.indices(*optional);
                let mut first: Option<&Type> = None;
                for (at, element) in (0u32..).zip(ast.list(*elements)) {
                    let of = self.checked.type_of(*element);
                    let of = if optional.contains(&at) { of.unwrap_optional().0 } else { of };
                    if !self.same_as_first(*element, &mut first, of) {
                        break;
                    }
                }
                false
            }
            ExprKind::Map(entries) if !exempt => {
                let (mut first_key, mut first_value) = (None, None);
                for entry in ast.entries(*entries) {
                    let EntryKey::Expr(key) = entry.key else { continue };
                    let of = self.checked.type_of(key);
                    self.same_as_first(key, &mut first_key, of);
                    let of = self.checked.type_of(entry.value);
                    let of = if entry.optional { of.unwrap_optional().0 } else { of };
                    self.same_as_first(entry.value, &mut first_value, of);
                }
                false
            }
            _ => false,
        }
    }

    fn same_as_first<'t>(&mut self, id: ExprId, first: &mut Option<&'t Type>, of: &'t Type) -> bool {
        let expected = *first.get_or_insert(of);
        let same = exact(expected, of);
        if !same {
            let message = format!("expected type '{expected}' but found '{of}'");
            self.issue(IssueCode::TypeMismatch, id, message);
            if let Some(issue) = self.issues.last_mut() {
                issue.types = vec![expected.clone(), of.clone()];
            }
        }
        same
    }

    fn argument(&mut self, function: &str, arg: ExprId) {
        let ExprKind::Literal(literal) = self.ast.kind(arg) else { return };
        let valid = match (function, literal) {
            ("duration", Literal::String(text)) => parse_duration(text).is_some(),
            ("timestamp", Literal::String(text)) => matches!(Timestamp::parse(text), Ok(Some(_))),
            ("timestamp", Literal::Int(seconds)) => Timestamp::from_seconds(*seconds).is_ok(),
            ("matches", Literal::String(pattern)) => (self.context.regex_is_valid)(pattern),
            _ => true,
        };
        if !valid {
            self.issue(IssueCode::Argument, arg, format!("invalid {function} argument"));
        }
    }

    fn format(&mut self, call: ExprId, target: ExprId, list: ExprId) {
        let ExprKind::Literal(Literal::String(text)) = self.ast.kind(target) else { return };
        let ExprKind::List { elements, .. } = self.ast.kind(list) else { return };
        if let Err(error) = format::check(self.ast, self.checked, text, self.ast.list(*elements)) {
            self.issue(IssueCode::Argument, error.argument.unwrap_or(call), error.message);
        }
    }
}
