//! The schema nodes that describe the values of an expression.

use cel::ast::{Ast, Comprehension, ExprId, ExprKind, Function, Literal, Name, Operator};
use cel::env::{Origin, library, macro_declared};
use cel::{CheckedExpr, DeclKind};
use crd::cel::SchemaNode;

/// The schema node of each node of an expression.
pub(super) struct Origins<'s> {
    nodes: Vec<Option<SchemaNode<'s>>>,
}

impl<'s> Origins<'s> {
    /// The origins in `ast`; `itself` is the schema node of `self`.
    pub(super) fn of(ast: &Ast, checked: &CheckedExpr, itself: SchemaNode<'s>) -> Self {
        let nodes = vec![None; ast.len()];
        let mut walk = OriginWalk { ast, checked, itself, scopes: Vec::new(), nodes };
        walk.node(ast.root());
        for part in ast.skipped() {
            walk.node(*part);
        }
        Self { nodes: walk.nodes }
    }

    /// The schema node that describes the value of `id`; `None` for computed values.
    pub(super) fn node(&self, id: ExprId) -> Option<SchemaNode<'s>> {
        self.nodes.get(id.index()).copied().flatten()
    }
}

struct OriginWalk<'a, 's> {
    ast: &'a Ast,
    checked: &'a CheckedExpr,
    itself: SchemaNode<'s>,
    scopes: Vec<(Name, Option<SchemaNode<'s>>)>,
    nodes: Vec<Option<SchemaNode<'s>>>,
}

impl<'s> OriginWalk<'_, 's> {
    fn node(&mut self, id: ExprId) -> Option<SchemaNode<'s>> {
        let origin = self.origin(id);
        if let Some(slot) = self.nodes.get_mut(id.index()) {
            *slot = origin;
        }
        origin
    }

    fn origin(&mut self, id: ExprId) -> Option<SchemaNode<'s>> {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Ident(name) => match self.scopes.iter().rev().find(|(local, _)| local == name) {
                Some((_, origin)) => *origin,
                None => matches!(ast.name(*name), "self" | "oldSelf").then_some(self.itself),
            },
            ExprKind::Select { operand, field, .. } => self.node(*operand)?.field(ast.name(*field)),
            ExprKind::Call { function, target, args } => self.call(*function, *target, ast.list(*args)),
            ExprKind::Comprehension(it) => self.comprehension(id, it),
            _ => {
                ast.for_each_child(id, |child| {
                    self.node(child);
                });
                None
            }
        }
    }

    fn call(
        &mut self,
        function: Function,
        target: Option<ExprId>,
        args: &[ExprId],
    ) -> Option<SchemaNode<'s>> {
        let ast = self.ast;
        let target = target.map(|target| self.node(target));
        let args: Vec<_> = args.iter().map(|arg| (*arg, self.node(*arg))).collect();
        match (function, args.as_slice()) {
            (Function::Operator(Operator::OptSelect), [(_, of), (field, _)]) => match ast.kind(*field) {
                ExprKind::Literal(Literal::String(name)) => of.as_ref()?.field(name),
                _ => None,
            },
            (Function::Operator(Operator::Index | Operator::OptIndex), [(_, of), _]) => {
                of.as_ref()?.element()
            }
            (Function::Operator(Operator::Conditional), [_, (_, one), (_, other)]) => one.or(*other),
            (Function::Named(name), args) => {
                match (library().function(ast.name(name))?.origin, target, args) {
                    (Origin::Receiver, Some(of), _) => of,
                    (Origin::Element, Some(of), _) => of?.element(),
                    (Origin::Argument, None, [(_, of)]) => *of,
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn comprehension(&mut self, id: ExprId, it: &Comprehension) -> Option<SchemaNode<'s>> {
        let range = self.node(it.range);
        let accumulator = self.node(it.accu_init);
        let is_list = range.is_some_and(|range| matches!(range.of.kind, DeclKind::List(_)));
        let element = range.and_then(|range| range.element());
        let outer = self.scopes.len();
        self.scopes.push((it.accu_var, accumulator));
        let inner = self.scopes.len();
        // A single variable over a map is the key. The first of two variables is the index or the key.
        self.scopes.push((it.iter_var, element.filter(|_| is_list && it.iter_var2.is_none())));
        if let Some(variable) = it.iter_var2 {
            self.scopes.push((variable, element));
        }
        self.node(it.condition);
        self.node(it.step);
        self.scopes.truncate(inner);
        let result = self.node(it.result);
        self.scopes.truncate(outer);
        let call = self.ast.macro_of(id);
        let declared = call.and_then(|call| macro_declared(self.ast.name(call.name), call.args.len()));
        match (call, declared.map(|one| one.origin)) {
            (_, Some(Origin::Receiver)) => range.filter(|_| is_list),
            // The value that an optional is mapped to.
            (None, _) if !matches!(self.checked.type_of(id), cel::Type::Bool) => result,
            _ => None,
        }
    }
}
