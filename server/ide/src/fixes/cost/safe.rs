//! Parts of an expression that cannot fail at evaluation.

use cel::ast::{Ast, ExprId, ExprKind, Function, Literal, Operator};
use cel::{CheckedExpr, Type};
use text::TextRange;

/// The facts about an expression that decide whether it can fail.
pub(super) struct Safety<'e> {
    ast: &'e Ast,
    checked: &'e CheckedExpr,
    /// The places that read a field that may be absent.
    absent: &'e [TextRange],
}

impl<'e> Safety<'e> {
    pub(super) fn new(ast: &'e Ast, checked: &'e CheckedExpr, absent: &'e [TextRange]) -> Self {
        Self { ast, checked, absent }
    }

    /// Whether `id` has a value for all objects that the schema accepts; `false` for unknown functions.
    pub(super) fn is_safe(&self, id: ExprId) -> bool {
        let ast = self.ast;
        if let Some(call) = ast.macro_of(id) {
            let args = ast.list(call.args);
            return match ast.name(call.name) {
                "has" => matches!(ast.kind(id), ExprKind::Select { operand, .. } if self.is_safe(*operand)),
                "all" | "exists" | "exists_one" | "filter" | "map" => {
                    let bodies = args.get(1..).unwrap_or_default();
                    call.target.iter().chain(bodies).all(|part| self.is_safe(*part))
                }
                _ => false,
            };
        }
        match ast.kind(id) {
            ExprKind::Literal(_) | ExprKind::Ident(_) => true,
            ExprKind::Select { operand, .. } => {
                let is_known = matches!(self.checked.type_of(*operand), Type::Object(_) | Type::Map(_));
                is_known && !self.absent.contains(&ast.expr(id).range) && self.is_safe(*operand)
            }
            ExprKind::List { elements, optional } => {
                ast.indices(*optional).is_empty()
                    && ast.list(*elements).iter().all(|part| self.is_safe(*part))
            }
            ExprKind::Call { function, target, args } => {
                let args = ast.list(*args);
                let are_safe = target.iter().chain(args).all(|part| self.is_safe(*part));
                are_safe
                    && match function {
                        Function::Operator(operator) => self.operation(*operator, args),
                        Function::Named(name) => self.function(ast.name(*name), *target, args),
                    }
            }
            _ => false,
        }
    }

    fn operation(&self, operator: Operator, args: &[ExprId]) -> bool {
        match operator {
            Operator::And
            | Operator::Or
            | Operator::Not
            | Operator::Conditional
            | Operator::Equals
            | Operator::NotEquals
            | Operator::In => args.iter().all(|arg| *self.checked.type_of(*arg) != Type::Dyn),
            Operator::Less | Operator::LessEquals | Operator::Greater | Operator::GreaterEquals => {
                args.iter().all(|arg| self.is_plain(*arg))
            }
            Operator::Add => args
                .iter()
                .all(|arg| matches!(self.checked.type_of(*arg), Type::String | Type::Bytes | Type::List(_))),
            _ => false,
        }
    }

    fn function(&self, name: &str, target: Option<ExprId>, args: &[ExprId]) -> bool {
        let of = target.or(args.first().copied());
        let is_text = of.is_some_and(|of| *self.checked.type_of(of) == Type::String);
        let is_literal = |id: &ExprId| matches!(self.ast.kind(*id), ExprKind::Literal(Literal::String(_)));
        match name {
            "size" => of.is_some_and(|of| *self.checked.type_of(of) != Type::Dyn),
            "startsWith" | "endsWith" | "contains" | "lowerAscii" | "upperAscii" | "trim" | "isIP"
            | "isCIDR" | "isURL" | "isQuantity" => is_text,
            // A literal pattern is compiled with the rule.
            "matches" => is_text && args.last().is_some_and(is_literal),
            "string" => of.is_some_and(|of| self.is_plain(of)),
            _ => false,
        }
    }

    fn is_plain(&self, id: ExprId) -> bool {
        matches!(
            self.checked.type_of(id),
            Type::Bool
                | Type::Int
                | Type::Uint
                | Type::Double
                | Type::String
                | Type::Duration
                | Type::Timestamp
        )
    }
}
